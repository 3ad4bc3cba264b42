"""Private rooms: what a room and a passphrase give, and what the door does with all that it hears.

Every field of the table of net/private_room/door.py is tried.
"""

import itertools
import unicodedata

import pytest

from quadrille.net.cards.group import IDENTITY, best_group
from quadrille.net.cards.pure import Pure
from quadrille.net.core.errors import LocalError
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.private_room import door as door_table
from quadrille.net.private_room.door import (
    BANNED,
    CONFIRM,
    CONFIRMING,
    INSIDE,
    MOST_MEMBERS,
    MOST_WAITING,
    NEVER,
    PATIENCE,
    QUEUED,
    REFUSAL,
    SHARE,
    UNKNOWN,
    VERSION_HEADER,
    WAITING,
    Admitted,
    DoorState,
    Mismatch,
    Outdated,
    ShutOut,
)
from quadrille.net.private_room.guesses import FIRST_BAN, LONGEST_BAN, MOST_BANNED, PARDON
from quadrille.net.private_room.pake import PakeMessage
from quadrille.net.private_room.room import HEADER, End, port, read_nonce, room_key, run_between, weakness
from tests.net.doors import (
    HIGH,
    KEY,
    LOW,
    MIDDLE,
    NOW,
    PEOPLE,
    WRONG,
    Caller,
    brought,
    curve,
    door,
    drawn,
    end,
    standing,
    strangers,
)


class TestRoom:
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

    def test_a_run_is_bound_to_everything_that_its_link_is(self) -> None:
        """With the same scalars, two ends agree on a key only where passphrase, keys, identities and nonces agree."""
        ends = [End(bytes([a]) * 32, bytes([b]) * 16, bytes([c]) * 32) for a, b, c in ((1, 1, 1), (2, 1, 1), (1, 2, 1))]
        ends += [End(bytes([1]) * 32, bytes([1]) * 16, bytes([2]) * 32)]
        theirs = End(bytes([9]) * 32, bytes([9]) * 16, bytes([9]) * 32)
        fixed = PakeMessage(best_group().base(5), theirs.data)
        tags = set()
        for key, mine in itertools.product((KEY, WRONG), ends):
            run = run_between(best_group(), key, mine, theirs, drawn(3))
            assert run.hears(fixed)
            tags.add(run.tag)
        assert len(tags) == 8

    def test_both_ends_of_a_link_have_the_same_run_whichever_group_computes(self) -> None:
        one = run_between(best_group(), KEY, end(LOW), end(HIGH), drawn(1))
        two = run_between(Pure(), KEY, end(HIGH), end(LOW), drawn(2))
        assert one.hears(PakeMessage(two.sent.share, end(HIGH).data)) and two.hears(
            PakeMessage(one.sent.share, end(LOW).data)
        )
        assert one.is_right(two.tag) and two.is_right(one.tag)
        assert not one.is_right(one.tag) and not two.is_right(two.tag), "a tag that is sent back"

    @pytest.mark.parametrize(
        "header",
        [None, "", "00" * 31, "00" * 33, "0g" * 32, "AB" * 32, " " * 64, "0 " * 32, "\u0660" * 64, "00" * 31 + " 0"],
    )
    def test_what_is_no_nonce(self, header: str | None) -> None:
        assert read_nonce(header) is None

    def test_a_nonce(self) -> None:
        assert read_nonce("0a" * 32) == b"\n" * 32
        assert read_nonce(door(LOW, run=7).headers[HEADER]) == end(LOW, 7).nonce

    def test_a_door_keeps_its_secrets(self) -> None:
        shown = repr(door(LOW))
        assert KEY.hex() not in shown and repr(KEY) not in shown


# The table


TABLE = door_table.rows()
FIELDS = [
    (DoorState(state), heard, what)
    for (state, *row), heads in ((row, TABLE[0][1:]) for row in TABLE[1:])
    for heard, what in zip(heads, row, strict=True)
]


class TestTable:
    def test_it_is_whole(self) -> None:
        assert [row[0] for row in TABLE] == [
            "state", "unknown", "waiting", "queued", "confirming", "inside", "banned",
        ]  # fmt: skip
        assert TABLE[0][1:] == [
            "HELLO", "SHARE", "SHARE, bad", "CONFIRM, right", "CONFIRM, wrong", "REFUSAL", "other",
        ]  # fmt: skip
        assert len(FIELDS) == 42

    @pytest.mark.parametrize(("state", "heard", "what"), FIELDS)
    def test_each_field(self, state: str, heard: str, what: str) -> None:
        at, caller = standing(state)
        theirs, for_node = curve(HIGH), False
        right = caller.run.tag if state in (QUEUED, CONFIRMING, INSIDE) else bytes(64)
        said_to_it = {
            "SHARE": bytes([SHARE]) + caller.run.sent.share,
            "SHARE, bad": bytes([SHARE]) + IDENTITY,
            "CONFIRM, right": bytes([CONFIRM]) + right,
            "CONFIRM, wrong": bytes([CONFIRM]) + bytes(64),
            "REFUSAL": bytes([REFUSAL, NEVER]),
            "other": b"\x94\x01",
        }
        if heard == "HELLO":
            caller.greet()
        else:
            for_node = at.receive(theirs, said_to_it[heard], NOW)
        if heard == "other":
            twin, _ = standing(state)
            assert twin.other(theirs, NOW) is for_node and twin.events == at.events
        after = at.state(theirs, NOW)
        said = [message[0] for whom, message in at.outgoing]
        kinds = [type(event) for event in at.events]
        assert all(whom == HIGH.peer for whom, _ in at.outgoing)
        match what:
            case "drop":
                assert (after, said, kinds, for_node) == (state, [], [], False)
            case "keep":
                assert (after, said, kinds, for_node) == (QUEUED, [], [], False)
                at._strangers.give_back()
                at.wake(NOW)
                assert at.state(theirs, NOW) == (INSIDE if heard == "CONFIRM, right" else BANNED)
            case "node":
                assert (after, said, kinds, for_node) == (state, [], [], True)
            case "waiting":
                assert (after, said, kinds, for_node) == (WAITING, [SHARE], [], False)
            case "confirming, confirm":
                assert (after, said, kinds, for_node) == (CONFIRMING, [CONFIRM], [], False)
                assert caller.run.is_right(at.outgoing[0][1][1:])
            case "inside, again":
                assert (after, said, kinds, for_node) == (INSIDE, [SHARE, CONFIRM], [], False)
                assert caller.run.hears(PakeMessage(at.outgoing[0][1][1:], end(MIDDLE).data))
                assert caller.run.is_right(at.outgoing[1][1][1:])
            case "inside":
                assert (after, said, for_node) == (INSIDE, [], False)
                assert at.events == [Admitted(HIGH.peer, HIGH.key)]
            case "banned":
                assert (after, for_node) == (BANNED, False)
                assert at.outgoing == ([(HIGH.peer, bytes([REFUSAL, NEVER]))] if heard == "CONFIRM, wrong" else [])
                mismatch = heard == "CONFIRM, wrong" or (heard == "REFUSAL" and state == CONFIRMING)
                assert kinds == [Mismatch, ShutOut] if mismatch else kinds == [ShutOut]
                assert not at.allows(theirs, NOW)
            case _:
                raise AssertionError(f"the table says {what}, which nobody knows")


class TestDoor:
    def test_nobody_goes_first(self) -> None:
        for mine, theirs in ((LOW, HIGH), (HIGH, LOW)):
            for at in (door(mine), brought(door(mine), mine, MIDDLE)):
                Caller(at, mine, theirs).greet()
                assert [(whom, words[0], len(words)) for whom, words in at.outgoing] == [(theirs.peer, SHARE, 33)]

    def test_one_whose_link_was_lost_begins_anew(self) -> None:
        at = brought(door(HIGH), HIGH, MIDDLE)
        at.gone(curve(MIDDLE))
        assert at.state(curve(MIDDLE), NOW) == UNKNOWN
        assert Caller(at, HIGH, MIDDLE).come() == INSIDE

    @pytest.mark.parametrize("cut", [1, 2, 32, 34])
    def test_a_share_has_its_length(self, cut: int) -> None:
        at = door(MIDDLE)
        caller = Caller(at, MIDDLE, HIGH).greet()
        at.receive(curve(HIGH), (bytes([SHARE]) + caller.run.sent.share + b"\0")[:cut], NOW)
        assert at.state(curve(HIGH), NOW) == BANNED

    @pytest.mark.parametrize("cut", [1, 33, 64, 66])
    def test_a_confirmation_has_its_length_also_when_it_was_kept(self, cut: int) -> None:
        for state in (CONFIRMING, QUEUED):
            at, caller = standing(state)
            at.receive(curve(HIGH), (bytes([CONFIRM]) + caller.run.tag + b"\0")[:cut], NOW)
            at._strangers.give_back()
            at.wake(NOW)
            assert at.state(curve(HIGH), NOW) == BANNED

    @pytest.mark.parametrize("place", range(1, 65, 7))
    def test_every_byte_of_a_confirmation_counts(self, place: int) -> None:
        at, caller = standing(CONFIRMING)
        wrong = bytearray(bytes([CONFIRM]) + caller.run.tag)
        wrong[place] ^= 1
        at.receive(curve(HIGH), bytes(wrong), NOW)
        assert at.state(curve(HIGH), NOW) == BANNED

    def test_an_empty_message_is_one_of_other_things(self) -> None:
        at = door(MIDDLE)
        Caller(at, MIDDLE, HIGH).greet()
        assert not at.receive(curve(HIGH), b"", NOW)
        assert at.state(curve(HIGH), NOW) == BANNED

    @pytest.mark.parametrize("state", [WAITING, CONFIRMING])
    def test_one_that_does_not_prove_itself_is_shut_out(self, state: str) -> None:
        at, caller = standing(state)
        caller.greet(NOW + PATIENCE - 1)
        assert at.deadline == NOW + PATIENCE, "another HELLO buys no time"
        at.wake(NOW + PATIENCE - 1)
        assert at.state(curve(HIGH), NOW + PATIENCE - 1) == WAITING
        at.wake(NOW + PATIENCE)
        assert at.state(curve(HIGH), NOW + PATIENCE) == BANNED
        assert at.events == [ShutOut(HIGH.peer, "it does not prove itself")] and at.deadline == NO_DEADLINE

    def test_who_comes_again_has_time_again(self) -> None:
        at = brought(door(MIDDLE), MIDDLE, HIGH)
        Caller(at, MIDDLE, HIGH).greet(NOW + 10 * PATIENCE)
        assert at.deadline == NOW + 11 * PATIENCE

    def test_who_is_inside_is_not_waited_for(self) -> None:
        at = brought(door(MIDDLE), MIDDLE, HIGH)
        assert at.deadline == NO_DEADLINE
        at.wake(NOW + 10 * PATIENCE)
        assert at.state(curve(HIGH), NOW + 10 * PATIENCE) == INSIDE and not at.events

    def test_a_hello_that_is_none_of_a_room(self) -> None:
        for peer, header in ((HIGH.peer, ""), (HIGH.peer, "x"), (LOW.peer, "00" * 32), (b"", "00" * 32)):
            at = door(MIDDLE)
            at.hello(curve(HIGH), peer, {HEADER: header, VERSION_HEADER: "2"}, NOW)
            assert at.state(curve(HIGH), NOW) == BANNED and not at.outgoing

    @pytest.mark.parametrize(
        ("version", "newer"),
        [(None, False), ("1", False), ("", False), ("x", False), ("\u00b2", False), ("3", True), ("9" * 4000, True)],
    )
    def test_a_door_of_another_version_is_refused_in_words(self, version: str | None, newer: bool) -> None:
        at = door(MIDDLE)
        said = {HEADER: "0a" * 32} | ({} if version is None else {VERSION_HEADER: version})
        at.hello(curve(HIGH), HIGH.peer, said, NOW)
        assert at.outgoing == [(HIGH.peer, bytes([REFUSAL, NEVER]))]
        assert at.events[0] == Outdated(HIGH.peer, newer)
        assert at.state(curve(HIGH), NOW) == BANNED

    def test_bans_grow_and_are_forgotten(self) -> None:
        at, now, spans = door(MIDDLE, known=(HIGH,)), NOW, []

        def fail() -> None:
            Caller(at, MIDDLE, HIGH).greet(now)
            at.receive(curve(HIGH), bytes([SHARE]), now)

        for _ in range(12):
            fail()
            until = next(now + span for span in range(0, LONGEST_BAN + 1, 1000) if at.allows(curve(HIGH), now + span))
            assert not at.allows(curve(HIGH), until - 1)
            spans.append(until - now)
            now = until
        assert spans == [min(FIRST_BAN * 2**n, LONGEST_BAN) for n in range(12)] and spans[-1] == LONGEST_BAN
        for pause, expected in ((PARDON - 1, LONGEST_BAN), (PARDON, FIRST_BAN)):
            now += pause
            fail()
            now += expected
            assert not at.allows(curve(HIGH), now - 1) and at.allows(curve(HIGH), now)

    def test_zap_lets_in_whoever_is_not_banned_and_could_be_somebody(self) -> None:
        at = door(MIDDLE)
        assert at.allows(curve(HIGH), NOW) and at.allows(bytes(32), NOW)
        assert not at.allows(curve(MIDDLE), NOW), "ourselves"
        assert not at.allows(b"", NOW) and not at.allows(bytes(31), NOW)

    def test_however_many_come_few_are_kept_and_none_who_is_inside_goes(self) -> None:
        at = brought(door(MIDDLE), MIDDLE, HIGH)
        crowd = list(strangers(MOST_WAITING + 3))
        for one in crowd:
            Caller(at, MIDDLE, one).greet()
        assert [at.state(curve(one), NOW) for one in crowd[:3]] == [UNKNOWN] * 3
        assert all(at.state(curve(one), NOW) == WAITING for one in crowd[3:])
        assert at.state(curve(HIGH), NOW) == INSIDE
        assert at.events == [ShutOut(one.peer, "too many wait") for one in crowd[:3]]

    def test_a_crowd_at_one_address_pushes_nobody_of_another_out_of_the_queue(self) -> None:
        at = door(MIDDLE)
        honest = Caller(at, MIDDLE, HIGH).greet(address="10.0.0.2")
        for number, one in enumerate(strangers(4 * MOST_WAITING)):
            Caller(at, MIDDLE, one).greet(address=f"2001:db8::{number:x}")
        assert honest.share().confirm() and at.state(curve(HIGH), NOW) == INSIDE

    def test_however_many_are_banned_few_are_remembered(self) -> None:
        at = door(MIDDLE)
        for number in range(MOST_BANNED + 5):
            at.hello(number.to_bytes(32, "big"), b"", {}, NOW)
        assert len(at._bans) == MOST_BANNED
        assert at.allows((4).to_bytes(32, "big"), NOW) and not at.allows((5).to_bytes(32, "big"), NOW)

    def test_however_many_were_members_few_are_remembered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert MOST_MEMBERS == 1024
        monkeypatch.setattr(door_table, "MOST_MEMBERS", 3)
        at = door(MIDDLE)
        for one in PEOPLE[20:25]:
            brought(at, MIDDLE, one)
        assert list(at._members) == [curve(one) for one in PEOPLE[22:25]]
