"""Private rooms: what a room and a passphrase give, and that the door opens to nobody else.

The table at the head of net/room.py is read and every field of it tried. Doors meet over simulated links that keep the
order of each direction, as ZMTP does, and nothing else; what happens when comes from one seed.
"""

import itertools
import re
import unicodedata
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net import room
from quadrille.net.errors import LocalError
from quadrille.net.identity import Identity
from quadrille.net.room import (
    ANSWER,
    BANNED,
    FIRST_BAN,
    INSIDE,
    LONGEST_BAN,
    MOST_BANNED,
    MOST_WAITING,
    PARDON,
    PATIENCE,
    PROOF,
    REFUSAL,
    UNKNOWN,
    WAITING,
    YIELD,
    Admitted,
    Door,
    End,
    Mismatch,
    ShutOut,
    mac,
    port,
    read_nonce,
    room_key,
    weakness,
)

KEY, WRONG = bytes([5]) * 32, bytes([6]) * 32
NOW = 1_000_000
#: By their CURVE keys, so that "lower" is seen at a glance.
PEOPLE = sorted((Identity(bytes([number]) * 32) for number in range(1, 40)), key=lambda one: one.curve().public)
LOW, MIDDLE, HIGH = PEOPLE[0], PEOPLE[15], PEOPLE[30]


def door(identity: Identity, key: bytes = KEY, run: int = 1) -> Door:
    return Door(identity, key, bytes([run]) + identity.key[1:])


def curve(identity: Identity) -> bytes:
    return identity.curve().public


def end(one: Identity, run: int = 1) -> End:
    return End(curve(one), bytes([run]) + one.key[1:])


def greet(at: Door, one: Identity, now: int = NOW, run: int = 1) -> None:
    at.hello(curve(one), one.peer, end(one, run).nonce.hex(), now)


def proof(kind: int, by: Identity, to: Identity, key: bytes = KEY) -> bytes:
    return bytes([kind]) + mac(key, kind, end(by), end(to))


def brought(at: Door, mine: Identity, one: Identity) -> Door:
    """The door after one came in the usual way."""
    greet(at, one)
    at.receive(curve(one), proof(PROOF, one, mine), NOW)
    assert at.state(curve(one), NOW) == INSIDE
    at.outgoing.clear()
    at.events.clear()
    return at


class TestRoom:
    def test_the_vectors_of_the_protocol(self) -> None:
        assert port("Kitchen") == 53831
        key = room_key("Kitchen", "correct horse battery staple")
        assert key.hex() == "992dd70b8fc132dc5189a2b69ffb204345cfbae041c80c95bdd6f3b1aeaad8fe"
        one, two = Identity(bytes([1]) * 32), Identity(bytes([2]) * 32)
        prover, verifier = End(curve(one), bytes([3]) * 32), End(curve(two), bytes([4]) * 32)
        asked, answered = mac(key, PROOF, prover, verifier), mac(key, ANSWER, verifier, prover)
        assert asked.hex() == "2d8ccc170af089977183037ee369e8472a76e9be6436acc0eb1775f2aa6fc61c"
        assert answered.hex() == "feb175311fed83f32d23dd32366f0ff9e3649c0d65118262a983e9fedfae77e6"

    def test_the_port_is_free_for_such_uses_and_never_that_of_open_networks(self) -> None:
        ports = [port(f"room {number}") for number in range(3000)]
        assert 49152 <= min(ports) < 49252 and 65435 < max(ports) <= 65535
        assert len(set(ports)) > 2500

    def test_the_passphrase_is_not_in_the_port(self) -> None:
        assert "passphrase" not in port.__code__.co_varnames
        assert port("Kitchen") != port("kitchen")

    def test_every_word_counts(self) -> None:
        asked = [("Kitchen", "tea"), ("Kitchen", "tee"), ("Kitchen", "Tea"), ("kitchen", "tea"), ("Kitchent", "ea")]
        assert len({room_key(*words) for words in asked}) == len(asked)

    def test_keyboards_and_stray_blanks_do_not_count(self) -> None:
        wanted = room_key("K\u00fcche", "gr\u00fcner tee")
        for spell in ("NFC", "NFD"):
            name, words = (unicodedata.normalize(spell, text) for text in (" K\u00fcche", "gr\u00fcner  tee "))
            assert room_key(name, words) == wanted and port(name) == port("K\u00fcche")

    @pytest.mark.parametrize("words", ["", "  ", "a\x00b", "a\x1bb", "x" * 257, "\ud800"])
    def test_what_is_no_name_and_no_passphrase(self, words: str) -> None:
        with pytest.raises(LocalError, match="the name of a room should be a line of 1 to 256 printable characters"):
            port(words)
        with pytest.raises(LocalError, match="the name of a room should be"):
            room_key(words, "tea")
        with pytest.raises(LocalError, match="the passphrase should be a line of 1 to 256"):
            room_key("Kitchen", words)

    def test_a_weak_passphrase_is_remarked_and_taken(self) -> None:
        assert "take four words or more" in str(weakness("tea"))
        assert weakness("correct horse battery staple") is None

    def test_a_proof_is_of_everything_in_it(self) -> None:
        ends = [End(bytes([a]) * 32, bytes([b]) * 32) for a, b in ((1, 2), (1, 3), (4, 2), (2, 1))]
        made = [
            mac(key, kind, prover, verifier)
            for key, kind in itertools.product((KEY, WRONG), (PROOF, ANSWER))
            for prover, verifier in itertools.product(ends, repeat=2)
        ]
        assert len(set(made)) == len(made)

    @pytest.mark.parametrize(
        "header",
        [None, "", "00" * 31, "00" * 33, "0g" * 32, "AB" * 32, " " * 64, "0 " * 32, "\u0660" * 64, "00" * 31 + " 0"],
    )
    def test_what_is_no_nonce(self, header: str | None) -> None:
        assert read_nonce(header) is None

    def test_a_nonce(self) -> None:
        assert read_nonce("0a" * 32) == b"\n" * 32
        assert read_nonce(door(LOW, run=7).header) == end(LOW, 7).nonce

    def test_a_door_keeps_its_secrets(self) -> None:
        shown = repr(door(LOW))
        assert KEY.hex() not in shown and repr(KEY) not in shown


# The table


def standing(state: str) -> Door:
    """MIDDLE's door, where HIGH stands like that; somebody else is inside, so that nobody goes first."""
    at = brought(door(MIDDLE), MIDDLE, PEOPLE[20])
    if state != UNKNOWN:
        greet(at, HIGH)
        at._guests[curve(HIGH)].proved = True
    if state == INSIDE:
        at.receive(curve(HIGH), proof(PROOF, HIGH, MIDDLE), NOW)
    if state == BANNED:
        at.receive(curve(HIGH), bytes([PROOF]) + bytes(32), NOW)
    assert at.state(curve(HIGH), NOW) == state
    at.outgoing.clear()
    at.events.clear()
    return at


TABLE = [
    [field.strip() for field in line.strip("|").split("|")]
    for line in str(room.__doc__).splitlines()
    if re.match(r"\| [a-z]", line)
]
FIELDS = [
    (state, heard, what)
    for (state, *row), heads in ((row, TABLE[0][1:]) for row in TABLE[1:])
    for heard, what in zip(heads, row, strict=True)
]


class TestTable:
    def test_it_is_whole(self) -> None:
        assert [row[0] for row in TABLE] == ["state", UNKNOWN, WAITING, INSIDE, BANNED]
        assert TABLE[0][1:] == [
            "HELLO", "PROOF, right", "PROOF, wrong", "ANSWER, right", "ANSWER, wrong", "REFUSAL", "other",
        ]  # fmt: skip
        assert len(FIELDS) == 28

    @pytest.mark.parametrize(("state", "heard", "what"), FIELDS)
    def test_each_field(self, state: str, heard: str, what: str) -> None:
        at, theirs = standing(state), curve(HIGH)
        right = {"PROOF, right": PROOF, "ANSWER, right": ANSWER}
        wrong = {"PROOF, wrong": PROOF, "ANSWER, wrong": ANSWER}
        for_node = False
        if heard == "HELLO":
            greet(at, HIGH)
        elif heard in right:
            for_node = at.receive(theirs, proof(right[heard], HIGH, MIDDLE), NOW)
        elif heard in wrong:
            for_node = at.receive(theirs, proof(wrong[heard], HIGH, MIDDLE, WRONG), NOW)
        elif heard == "REFUSAL":
            for_node = at.receive(theirs, bytes([REFUSAL]), NOW)
        else:
            for_node = at.receive(theirs, b"\x94\x01", NOW)
            twin = standing(state)
            assert twin.other(theirs, NOW) is for_node and twin.events == at.events
        after = at.state(theirs, NOW)
        said = [message[0] for whom, message in at.outgoing]
        kinds = [type(event) for event in at.events]
        assert all(whom == HIGH.peer for whom, _ in at.outgoing)
        match what:
            case "drop":
                assert (after, said, kinds, for_node) == (state, [], [], False)
            case "node":
                assert (after, said, kinds, for_node) == (state, [], [], True)
            case "waiting":
                assert (after, said, kinds, for_node) == (WAITING, [], [], False)
            case "inside, answer":
                assert (after, said, for_node) == (INSIDE, [ANSWER], False)
                assert at.outgoing[0][1] == proof(ANSWER, MIDDLE, HIGH)
                assert at.events == ([] if state == INSIDE else [Admitted(HIGH.peer, HIGH.key)])
            case "inside":
                assert (after, said, for_node) == (INSIDE, [], False)
                assert at.events == [Admitted(HIGH.peer, HIGH.key)]
            case "banned":
                assert (after, for_node) == (BANNED, False)
                assert said == ([REFUSAL] if "wrong" in heard else [])
                assert kinds == ([ShutOut] if heard == "other" else [Mismatch, ShutOut])
                assert not at.allows(theirs, NOW)
            case _:
                raise AssertionError(f"the table says {what}, which nobody knows")


class TestDoor:
    def test_who_is_alone_proves_itself_at_once(self) -> None:
        for mine, theirs in ((LOW, HIGH), (HIGH, LOW)):
            at = door(mine)
            greet(at, theirs)
            assert at.outgoing == [(theirs.peer, proof(PROOF, mine, theirs))]

    def test_who_is_not_alone_waits_for_the_other_to_go_first(self) -> None:
        at = brought(door(HIGH), HIGH, MIDDLE)
        greet(at, LOW)
        at.wake(NOW + YIELD)
        at.wake(NOW + PATIENCE - 1)
        assert not at.outgoing and at.state(curve(LOW), NOW) == WAITING

    def test_where_both_wait_the_lower_goes_first_after_a_while(self) -> None:
        at = brought(door(LOW), LOW, MIDDLE)
        greet(at, HIGH)
        assert at.deadline == NOW + YIELD
        at.wake(NOW + YIELD - 1)
        assert not at.outgoing
        at.wake(NOW + YIELD)
        assert at.outgoing == [(HIGH.peer, proof(PROOF, LOW, HIGH))]
        assert at.deadline == NOW + PATIENCE
        at.wake(NOW + YIELD + 1)
        assert len(at.outgoing) == 1

    def test_once_the_last_one_has_gone_we_are_alone_again(self) -> None:
        at = brought(door(HIGH), HIGH, MIDDLE)
        at.gone(curve(MIDDLE))
        assert at.state(curve(MIDDLE), NOW) == UNKNOWN
        greet(at, LOW)
        assert at.outgoing == [(LOW.peer, proof(PROOF, HIGH, LOW))]

    def test_an_answer_to_nothing_is_no_answer(self) -> None:
        at = brought(door(HIGH), HIGH, MIDDLE)
        greet(at, LOW)
        at.receive(curve(LOW), proof(ANSWER, LOW, HIGH), NOW)
        assert at.state(curve(LOW), NOW) == BANNED

    def test_a_refusal_of_one_to_whom_we_proved_nothing_says_nothing_of_our_passphrase(self) -> None:
        at = brought(door(HIGH), HIGH, MIDDLE)
        greet(at, LOW)
        at.receive(curve(LOW), bytes([REFUSAL]), NOW)
        assert [type(event) for event in at.events] == [ShutOut]

    @pytest.mark.parametrize("cut", [1, 32, 34])
    def test_a_proof_has_its_length(self, cut: int) -> None:
        at = door(MIDDLE)
        greet(at, HIGH)
        at.receive(curve(HIGH), (proof(PROOF, HIGH, MIDDLE) + b"\0")[:cut], NOW)
        assert at.state(curve(HIGH), NOW) == BANNED

    def test_an_empty_message_is_one_of_other_things(self) -> None:
        at = door(MIDDLE)
        greet(at, HIGH)
        assert not at.receive(curve(HIGH), b"", NOW)
        assert at.state(curve(HIGH), NOW) == BANNED

    @pytest.mark.parametrize("place", range(1, 33))
    def test_every_byte_of_a_proof_counts(self, place: int) -> None:
        at, wrong = door(MIDDLE), bytearray(proof(PROOF, HIGH, MIDDLE))
        greet(at, HIGH)
        wrong[place] ^= 1
        at.receive(curve(HIGH), bytes(wrong), NOW)
        assert at.state(curve(HIGH), NOW) == BANNED

    def test_whoever_does_not_prove_itself_is_shut_out(self) -> None:
        at = door(MIDDLE)
        greet(at, HIGH)
        greet(at, HIGH, NOW + PATIENCE - 1)
        assert at.deadline == NOW + PATIENCE, "another HELLO buys no time"
        at.wake(NOW + PATIENCE - 1)
        assert at.state(curve(HIGH), NOW + PATIENCE - 1) == WAITING
        at.wake(NOW + PATIENCE)
        assert at.state(curve(HIGH), NOW + PATIENCE) == BANNED
        assert at.events == [ShutOut(HIGH.peer, "it does not prove itself")] and at.deadline is None

    def test_who_comes_again_has_time_again(self) -> None:
        at = brought(door(MIDDLE), MIDDLE, HIGH)
        greet(at, HIGH, NOW + 10 * PATIENCE)
        assert at.deadline == NOW + 11 * PATIENCE

    def test_who_is_inside_is_not_waited_for(self) -> None:
        at = brought(door(MIDDLE), MIDDLE, HIGH)
        assert at.deadline is None
        at.wake(NOW + 10 * PATIENCE)
        assert at.state(curve(HIGH), NOW + 10 * PATIENCE) == INSIDE and not at.events

    def test_a_hello_that_is_none_of_a_room(self) -> None:
        for peer, header in ((HIGH.peer, None), (HIGH.peer, "x"), (LOW.peer, "00" * 32), (b"", "00" * 32)):
            at = door(MIDDLE)
            at.hello(curve(HIGH), peer, header, NOW)
            assert at.state(curve(HIGH), NOW) == BANNED and not at.outgoing

    def test_bans_grow_and_are_forgotten(self) -> None:
        at, now, spans = door(MIDDLE), NOW, []
        for _ in range(12):
            greet(at, HIGH, now)
            at.receive(curve(HIGH), bytes([PROOF]), now)
            until = next(now + span for span in range(0, LONGEST_BAN + 1, 1000) if at.allows(curve(HIGH), now + span))
            assert not at.allows(curve(HIGH), until - 1)
            spans.append(until - now)
            now = until
        assert spans == [min(FIRST_BAN * 2**n, LONGEST_BAN) for n in range(12)] and spans[-1] == LONGEST_BAN
        for pause, expected in ((PARDON - 1, LONGEST_BAN), (PARDON, FIRST_BAN)):
            now += pause
            greet(at, HIGH, now)
            at.receive(curve(HIGH), bytes([PROOF]), now)
            now += expected
            assert not at.allows(curve(HIGH), now - 1) and at.allows(curve(HIGH), now)

    def test_zap_lets_in_whoever_is_not_banned_and_could_be_somebody(self) -> None:
        at = door(MIDDLE)
        assert at.allows(curve(HIGH), NOW) and at.allows(bytes(32), NOW)
        assert not at.allows(curve(MIDDLE), NOW), "ourselves"
        assert not at.allows(b"", NOW) and not at.allows(bytes(31), NOW)

    def test_however_many_come_few_are_kept_and_none_who_is_inside_goes(self) -> None:
        at = brought(door(MIDDLE), MIDDLE, HIGH)
        crowd = [Identity(number.to_bytes(32, "big")) for number in range(1000, 1000 + MOST_WAITING + 3)]
        for one in crowd:
            greet(at, one)
        assert [at.state(curve(one), NOW) for one in crowd[:3]] == [UNKNOWN] * 3
        assert all(at.state(curve(one), NOW) == WAITING for one in crowd[3:])
        assert at.state(curve(HIGH), NOW) == INSIDE
        assert at.events == [ShutOut(one.peer, "too many wait") for one in crowd[:3]]

    def test_however_many_are_banned_few_are_remembered(self) -> None:
        at = door(MIDDLE)
        for number in range(MOST_BANNED + 5):
            at.hello(number.to_bytes(32, "big"), b"", None, NOW)
        assert len(at._bans) == MOST_BANNED
        assert at.allows((4).to_bytes(32, "big"), NOW) and not at.allows((5).to_bytes(32, "big"), NOW)


class TestEve:
    def test_she_in_the_middle_has_nothing_of_what_she_hears(self) -> None:
        """She tells each of two honest ends that she is the other, under a key of her own, and passes proofs on."""
        ann, bob, eve = LOW, HIGH, MIDDLE
        at_ann, at_bob = door(ann), brought(door(bob), bob, PEOPLE[20])
        greet(at_ann, eve)
        greet(at_bob, eve)
        ((_, heard),) = at_ann.outgoing
        at_bob.receive(curve(eve), heard, NOW)
        assert at_bob.state(curve(eve), NOW) == BANNED

    def test_nor_by_sending_it_back(self) -> None:
        ann, eve = LOW, MIDDLE
        for kind in (PROOF, ANSWER):
            at = door(ann)
            greet(at, eve)
            ((_, heard),) = at.outgoing
            at.receive(curve(eve), bytes([kind]) + heard[1:], NOW)
            assert at.state(curve(eve), NOW) == BANNED

    def test_nor_by_keeping_it_for_another_day(self) -> None:
        """Should a CURVE key be stolen later: proofs of a run are good for no other run of either end."""
        for mine, theirs in ((2, 1), (1, 2)):
            at = brought(door(MIDDLE, run=mine), MIDDLE, PEOPLE[20]) if mine == 1 else door(MIDDLE, run=mine)
            greet(at, HIGH, run=theirs)
            at.receive(curve(HIGH), proof(PROOF, HIGH, MIDDLE), NOW)
            assert at.state(curve(HIGH), NOW) == BANNED

    def test_she_can_not_take_the_place_of_another_identity(self) -> None:
        at = door(MIDDLE)
        at.hello(curve(HIGH), LOW.peer, end(HIGH).nonce.hex(), NOW)
        assert at.state(curve(HIGH), NOW) == BANNED
        greet(at, LOW)
        assert at.state(curve(LOW), NOW) == WAITING

    def test_as_long_as_we_are_not_alone_a_stranger_hears_no_proof_before_it_gave_one(self) -> None:
        at = brought(door(HIGH), HIGH, PEOPLE[20])
        for one in PEOPLE[:15]:
            greet(at, one)
        at.wake(NOW + PATIENCE - 1)
        assert not at.outgoing


@given(st.data())
def test_whatever_strangers_say_none_comes_in_and_little_is_kept(data: st.DataObject) -> None:
    at, now = brought(door(MIDDLE), MIDDLE, PEOPLE[20]), NOW
    theirs = st.sampled_from([curve(LOW), curve(HIGH), curve(MIDDLE), b"", bytes(32), bytes(range(33))])
    for _ in range(data.draw(st.integers(1, 30))):
        one, now = data.draw(theirs), now + data.draw(st.integers(0, 6000))
        match data.draw(st.integers(0, 4)):
            case 0:
                header = data.draw(st.none() | st.text() | st.sampled_from(["0a" * 32, "0b" * 32]))
                at.hello(one, data.draw(st.sampled_from([LOW.peer, HIGH.peer]) | st.binary()), header, now)
            case 1:
                kinds = st.sampled_from([b"", bytes([PROOF]), bytes([ANSWER]), bytes([REFUSAL])])
                assert not at.receive(one, data.draw(kinds) + data.draw(st.binary(max_size=40)), now)
            case 2:
                assert not at.other(one, now)
            case 3:
                at.gone(one)
            case _:
                at.wake(now)
    assert not any(isinstance(event, Admitted) for event in at.events)
    assert len(at._guests) <= 3 and len(at._bans) <= 6
    assert all(message[0] in (PROOF, REFUSAL) for _, message in at.outgoing)


# Many doors, any order


class Street:
    """Doors and the links between them: each direction keeps its order, nothing else is sure."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now = NOW
        self.doors: dict[bytes, Door] = {}
        self.who: dict[bytes, Identity] = {}
        self.curves: dict[bytes, bytes] = {}
        self.links: dict[tuple[bytes, bytes], list[tuple[str, bytes]]] = {}
        self.mismatched: set[bytes] = set()
        self.shut: list[tuple[bytes, bytes, str]] = []

    def arrive(self, identity: Identity, key: bytes) -> None:
        """A program starts; its HELLO goes to all who are there, and theirs to it."""
        mine = curve(identity)
        self.leave(mine)
        self.doors[mine] = Door(identity, key, self.random.randbytes(32))
        self.who[mine] = identity
        self.curves[identity.peer] = mine
        for theirs in self.doors:
            if theirs != mine:
                self.meet(mine, theirs)

    def leave(self, mine: bytes) -> None:
        """A program ends, with all its links."""
        self.doors.pop(mine, None)
        for theirs in list(self.doors):
            self.cut(mine, theirs)

    def meet(self, mine: bytes, theirs: bytes) -> None:
        """A link both ways: HELLO is the first on each."""
        for a, b in ((mine, theirs), (theirs, mine)):
            self.links[a, b] = [("HELLO", self.doors[a].header.encode())]

    def cut(self, mine: bytes, theirs: bytes) -> None:
        """Both ways at once; what was under way is lost."""
        for a, b in ((mine, theirs), (theirs, mine)):
            self.links.pop((a, b), None)
            if a in self.doors:
                self.doors[a].gone(b)

    def step(self) -> bool:
        """One message arrives, or else time passes; False when nothing is left to happen."""
        busy = [link for link, queue in self.links.items() if queue]
        if busy and self.random.random() < 0.95:
            a, b = self.random.choice(busy)
            what, content = self.links[a, b].pop(0)
            self.deliver(a, b, what, content)
            return True
        deadlines = [at.deadline for at in self.doors.values() if at.deadline is not None]
        if not deadlines:
            return bool(busy)
        self.now = self.now + 10 if busy else max(self.now, min(deadlines))
        for mine, at in self.doors.items():
            at.wake(self.now)
            self.act(mine)
        return True

    def deliver(self, a: bytes, b: bytes, what: str, content: bytes) -> None:
        at = self.doors[b]
        match what:
            case "HELLO":
                at.hello(a, self.who[a].peer, content.decode(), self.now)
            case "WHISPER":
                assert not at.receive(a, content, self.now)
            case "JOIN":
                assert at.other(a, self.now), "an honest peer spoke before the other could know it"
        self.act(b)

    def act(self, mine: bytes) -> None:
        """As a node does: first what is to be sent, then what happened."""
        at = self.doors[mine]
        for peer, message in at.outgoing:
            theirs = self.curves[peer]
            if (mine, theirs) in self.links:
                self.links[mine, theirs].append(("WHISPER", message))
        at.outgoing.clear()
        events, at.events = at.events, []
        for event in events:
            match event:
                case Admitted(peer, key):
                    theirs = self.curves[peer]
                    assert key == self.who[theirs].key
                    if (mine, theirs) in self.links:
                        self.links[mine, theirs].append(("JOIN", b""))
                case ShutOut(peer, why):
                    theirs = self.curves[peer]
                    self.shut.append((mine, theirs, why))
                    self.links.pop((theirs, mine), None)
                case Mismatch():
                    self.mismatched.add(mine)


@pytest.mark.parametrize("seed", range(150))
def test_those_with_the_passphrase_meet_and_nobody_else(seed: int) -> None:
    """Up to eight come in any order, some again, with links cut in between; some have another passphrase."""
    street = Street(seed)
    random = street.random
    people = random.sample(PEOPLE, random.randint(2, 8))
    keys = {curve(one): random.choice((KEY, KEY, KEY, WRONG)) for one in people}
    for one in people * random.randint(1, 2):
        street.arrive(one, keys[curve(one)])
        for _ in range(random.choice((0, 3, 30))):
            street.step()
    for a, b in random.sample(list(itertools.permutations(keys, 2)), 2):
        if keys[a] == keys[b]:
            street.cut(a, b)
            street.meet(a, b)
        for _ in range(random.choice((0, 3, 30))):
            street.step()
    for _ in range(10_000):
        if not street.step():
            break
    else:
        raise AssertionError("they never came to rest")
    for a, b in itertools.permutations(keys, 2):
        inside = street.doors[a].state(b, street.now) == INSIDE
        assert inside is (keys[a] == keys[b]), f"seed {seed}"
    assert all(keys[a] != keys[b] for a, b, _ in street.shut), f"seed {seed}: an honest peer was blamed"
    mixed = len(set(keys.values())) == 2
    assert street.mismatched == (set(keys) if mixed else set()), f"seed {seed}: all who met the others know of it"
