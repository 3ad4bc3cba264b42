"""Whose a link is: proofs by themselves, and impostors in a street of programs that prove their links."""

from dataclasses import replace
from itertools import count

import pytest

from quadrille.net.neighbours import neighbour
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import PROOF, Prover, SenderClaim, claim_of, is_proof, spoken
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Unused, Whisper, decode
from tests.net.street import Desk, House, Stranger, Street, all_met, ours

ANN, BOB, EVE = (Identity(bytes([number]) * 32) for number in (1, 2, 3))


def claim(identity: Identity, number: int) -> SenderClaim:
    return SenderClaim(identity.key, bytes([number]) * 16)


def test_a_proof_is_good_for_its_ends_its_nonces_and_its_direction() -> None:
    ann, bob, eve = claim(ANN, 1), claim(BOB, 2), claim(EVE, 3)
    proof = Prover(ANN).proof(ann.nonce, bob)
    assert is_proof(proof) and len(proof) == 65 and proof[0] == PROOF
    assert Prover(BOB).is_right(proof, ann, bob.nonce)
    assert not Prover(BOB).is_right(proof, replace(ann, nonce=bob.nonce), ann.nonce), "swapped nonces"
    assert not Prover(BOB).is_right(proof, replace(ann, nonce=eve.nonce), bob.nonce), "another link"
    assert not Prover(BOB).is_right(proof, ann, eve.nonce), "an earlier HELLO of ours"
    assert not Prover(EVE).is_right(proof, ann, bob.nonce), "passed on to a third"
    assert not Prover(ANN).is_right(proof, bob, ann.nonce), "sent back"
    assert not Prover(BOB).is_right(proof[:-1], ann, bob.nonce)
    assert not Prover(BOB).is_right(b"\1" + proof[1:], ann, bob.nonce)


@pytest.mark.parametrize(
    ("headers", "speaks"),
    [
        ({}, 0),
        ({"X-GAME": "quadrille/1"}, 1),
        ({"X-GAME": "quadrille/1", "X-SPEAKS": "2"}, 2),
        ({"X-GAME": "quadrille/3", "X-SPEAKS": "2"}, 3),
        ({"X-GAME": "chess/1", "X-SPEAKS": "2"}, 0),
        ({"X-GAME": "quadrille/²"}, 0),
        ({"X-GAME": "quadrille/1", "X-SPEAKS": "9999999"}, 1),
    ],
)
def test_the_protocol_that_a_peer_speaks(headers: dict[str, str], speaks: int) -> None:
    assert spoken(headers) == speaks


def test_a_claim_is_whole_or_none() -> None:
    headers = ours(ANN) | {"X-NONCE": "00" * 16}
    assert claim_of(headers) == SenderClaim(ANN.key, bytes(16))
    for name, value in (("X-NONCE", ""), ("X-NONCE", "0" * 33), ("X-KEY", "zz" * 32), ("X-SPEAKS", "1")):
        assert claim_of(headers | {name: value}) is None
    assert claim_of(headers | {"X-NONCE": "٠" * 32}) is None


# A street with impostors


class Impostor(Stranger):
    """Somebody with a socket: says HELLO to the last house with any identity and headers, by a connection of its own,
    and hears what comes back. It holds no key but Eve's.
    """

    numbers = count(1_000_000)

    def __init__(self, street: Street, claims: Identity, address: str = "10.0.0.66") -> None:
        super().__init__(street, address=address, id=claims.peer)
        self.house, self.claims, self.way = street.houses[-1], claims, next(self.numbers)
        self.heard: list[Message] = []
        self.is_cut = False
        street.outsiders[self.way] = self

    def pretends(self, **headers: str) -> None:
        told = ours(self.claims) | {"X-NONCE": self.street.random.randbytes(16).hex()}
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.hello(name="Ann", headers=tuple((name, value) for name, value in told.items() if value))

    def hear(self, frames: list[bytes]) -> None:
        self.heard.append(decode(frames))

    def cut(self) -> None:
        self.is_cut = True

    def everything(self) -> None:
        """All that a stranger can say that has no key, in somebody's name."""
        for message in (PingOk(0), Ping(0), Whisper(0, (b"Gone",)), Unused(4, 0), PingOk(0)):
            self.say(message)


def two() -> tuple[Street, House, House]:
    street = Street()
    ann = street.build("ann", "10.0.0.1", identity=ANN)
    bob = street.build("bob", "10.0.0.2", identity=BOB)
    street.run_until(lambda: all_met(ann, bob), 100)
    street.run(5000)
    ann.events.clear()
    bob.events.clear()
    return street, ann, bob


def said(house: House) -> list[bytes]:
    return [event.payload for event in house.events if isinstance(event, neighbour.Said)]


def test_a_flood_of_hellos_in_a_peer_s_name_disturbs_nothing() -> None:
    street, ann, bob = two()
    dials = street.dials
    for number in range(300):
        impostor = Impostor(street, ANN, f"10.0.0.{60 + number % 4}")
        impostor.pretends(**({} if number % 3 else {"X_SPEAKS": ""}))
        impostor.everything()
        assert ann.machine.whisper(bob.id, str(number).encode())
        street.settle(ann)
        street.run(20)
    street.run(100)
    assert said(bob) == [str(number).encode() for number in range(300)]
    assert not bob.losses()
    assert street.dials == dials and ann.events == []
    street.run(4000)
    assert not list(bob.machine._rivals)


def test_nobody_is_banned_for_what_an_impostor_does() -> None:
    street = Street()
    bob = street.build("bob", "10.0.0.2", identity=BOB)
    for _ in range(20):
        impostor = Impostor(street, ANN)
        impostor.pretends()
        impostor.raw(b"junk")
    ann = street.build("ann", "10.0.0.1", identity=ANN)
    street.run_until(lambda: all_met(ann, bob), 3000)


@pytest.mark.parametrize("what", ["replayed", "swapped", "reflected", "another link's"])
def test_proofs_that_are_not_for_this_link_prove_nothing(what: str) -> None:
    street, ann, bob = two()
    impostor = Impostor(street, ANN)
    impostor.pretends()
    street.run(50)
    challenge = next(one for one in impostor.heard if isinstance(one, Hello))
    theirs = next(one.content[0] for one in impostor.heard if isinstance(one, Whisper))
    nonce = bytes.fromhex(dict(challenge.headers)["X-NONCE"])
    to_bob = ann.machine.get(BOB.peer)
    proof = {
        "replayed": Prover(ANN).proof(to_bob.nonce, to_bob.claim),
        "swapped": Prover(ANN).proof(nonce, SenderClaim(BOB.key, to_bob.nonce)),
        "reflected": theirs,
        "another link's": Prover(ANN).proof(to_bob.nonce, SenderClaim(BOB.key, nonce)),
    }[what]
    impostor.say(Whisper(0, (proof,)))
    impostor.everything()
    street.run(4000)
    assert impostor.is_cut and bob.events == [] and bob.machine.counts["wrong proof"] == 1


def test_wrong_proofs_are_checked_only_as_long_as_they_can_be_paid_for() -> None:
    desk = Desk(neighbour.NeighbourLimits(messages_a_second=10, burst=400), identity=BOB)
    impostor = Impostor(desk, ANN)
    impostor.pretends()
    for _ in range(98):
        impostor.say(Whisper(0, (Prover(EVE).proof(bytes(16), claim(BOB, 1)),)))
    assert 0 < desk.machine.counts["wrong proof"] <= 10


def test_who_answers_at_its_place_and_proves_nothing_loses_both_connections() -> None:
    desk = Desk(identity=BOB)
    impostor = Impostor(desk, ANN)
    impostor.beacon()
    impostor.pretends()
    impostor.say(PingOk(0))
    one = desk.machine.get(ANN.peer)
    assert one is not None and one.line < 0
    line = one.line
    desk.machine.connected(line)
    desk.run(desk.machine.limits.slowness + 1000)
    closed = {action.way for action in desk.take(neighbour.Close) if isinstance(action, neighbour.Close)}
    assert {impostor.way, line} <= closed and not desk.machine.peers()


def test_who_is_called_in_vain_is_answered_on_her_own_connection_and_no_sooner() -> None:
    """An answer at once would spare the call, which shows whether others can reach her."""
    desk = Desk(identity=BOB)
    ann = Impostor(desk, ANN)
    ann.pretends()
    desk.run(desk.machine.limits.alone - 100)
    assert ann.way not in desk.machine._lines
    desk.run(300)
    assert ann.way in desk.machine._lines


def test_who_was_answered_on_her_own_connection_is_called_again_as_soon_as_it_ends() -> None:
    desk = Desk(identity=BOB)
    ann = Impostor(desk, ANN)
    ann.pretends()
    desk.machine.lost(-1, desk.now, neighbour.CallEnd.REFUSED)
    assert ann.way in desk.machine._lines
    desk.machine.cut(ann.way, desk.now)
    desk.collect()
    desk.dialled()
    desk.run(2 * desk.machine.limits.first_retry)
    assert desk.dialled() == [ann.endpoint]


def test_a_spoofed_farewell_is_answered_by_a_ping_and_not_believed() -> None:
    street, ann, bob = two()
    for _ in range(50):
        bob.machine.heard_beacon("10.0.0.1", Beacon(ANN.peer, 0).encode(), street.now)
        street.settle(bob)
        street.run(100)
    assert bob.events == [] and all_met(ann, bob)
    street.run(3000)
    one = bob.machine.get(ANN.peer)
    assert one is not None and one.leaving_at is None
    ann.machine.close()
    street.settle(ann)
    street.run(3)
    street.kill(ann)
    street.run(100)
    assert bob.losses() == [neighbour.LossReason.LEFT]


def test_an_impostor_that_was_first_gives_way_to_the_proof() -> None:
    street = Street()
    bob = street.build("bob", "10.0.0.2", identity=BOB)
    impostors = [Impostor(street, ANN) for _ in range(3)]
    for number, impostor in enumerate(impostors):
        impostor.pretends(**({} if number else {"X_GAME": ""}))
        impostor.everything()
    ann = street.build("ann", "10.0.0.1", identity=ANN)
    street.run_until(lambda: bob.peers() == {"ann"} and bob.machine.peers()[0].proved and all_met(ann, bob), 3500)
    assert bob.machine.peers()[0].address == "10.0.0.1"


@pytest.mark.parametrize(("silently", "least", "most"), [(False, 0, 1000), (True, 1500, 2500)])
def test_a_program_that_is_started_again_is_believed_at_once(silently: bool, least: int, most: int) -> None:
    """Its end was seen, or not: then the first stream has time to answer a PING, and does not."""
    street, ann, bob = two()
    if silently:
        street.pulled.add(ann)
        street.houses.remove(ann)
    else:
        street.kill(ann)
    again = street.build("ann", "10.0.0.1", identity=ANN)
    assert least <= street.run_until(lambda: bool(bob.losses()) and all_met(again, bob), 4000) < most
    street.run(60_000)
    assert len(bob.losses()) == 1 and all_met(again, bob)


def test_an_older_program_is_met_and_never_takes_the_place_of_one_that_has_proved_itself() -> None:
    street, _, bob = two()
    Impostor(street, EVE).pretends(X_SPEAKS="")
    street.run(1000)
    assert bob.machine.get(EVE.peer) is not None
    thief = Impostor(street, ANN)
    thief.pretends(X_SPEAKS="")
    street.run(10)
    assert thief.is_cut and bob.events == []


def test_rivals_are_few() -> None:
    street, _, bob = two()
    for number in range(200):
        Impostor(street, ANN, f"10.0.0.{number}").pretends()
    assert 0 < len(list(bob.machine._rivals)) <= neighbour.NeighbourLimits().rivals_each
    street.run(4000)
    assert not list(bob.machine._rivals) and bob.events == []


def test_one_identity_twice_is_told_to_all_and_does_not_flap() -> None:
    street, ann, bob = two()
    copy = street.build("copy", "10.0.0.9", identity=ANN)
    street.run(10_000)
    told = [[event for event in house.events if isinstance(event, neighbour.Doubled)] for house in (ann, bob, copy)]
    assert [(event.id, event.address, event.endpoint.host) for event in told[1]] == [(ANN.peer, "10.0.0.1", "10.0.0.9")]
    assert [event.endpoint.host for event in told[0]] == ["10.0.0.9"]
    assert [event.endpoint.host for event in told[2]] == ["10.0.0.1"]
    assert not bob.losses() and bob.peers() == {"ann"}
    dials = street.dials
    street.run(120_000)
    assert not (bob.losses() + ann.losses())
    assert street.dials - dials < 20
    street.kill(ann)
    street.run_until(lambda: bob.peers() == {"copy"}, 40_000)


def test_whoever_uses_its_own_key_many_times_is_told_of_seldom() -> None:
    street, _, bob = two()
    for number in range(12):
        street.build("copy", f"10.0.0.{20 + number}", identity=ANN)
        street.run(3000)
    street.run(10_000)
    assert len([event for event in bob.events if isinstance(event, neighbour.Doubled)]) == 4
    assert not bob.losses()


# One connection is enough


@pytest.mark.first(4)
@pytest.mark.parametrize("wall", ["refuses", "swallows"])
@pytest.mark.parametrize("first", ["walled", "open"])
@pytest.mark.parametrize("beacons", [True, False])
def test_a_wall_on_one_side_keeps_nobody_apart(wall: str, first: str, beacons: bool) -> None:
    street = Street()
    if not beacons:
        street.deaf.add("10.0.0")

    def build(name: str) -> House:
        if name == "open":
            return street.build(name, "10.0.0.1", identity=ANN, port=5000)
        seeds = [] if beacons else [neighbour.Endpoint("10.0.0.1", 5000)]
        return street.build(name, "10.0.0.2", identity=BOB, wall=wall, seeds=seeds)  # type: ignore[arg-type]

    names = [first, "open" if first == "walled" else "walled"]
    one = build(names[0])
    street.run(300)
    other = build(names[1])
    assert street.run_until(lambda: all_met(one, other), 3000) < 2000
    street.run(120_000)
    assert all_met(one, other) and all(len(house.events) == 1 for house in (one, other))
    dials = street.dials
    for house, peer in ((one, other), (other, one)):
        house.machine.whisper(peer.id, b"over one connection")
        street.settle(house)
    street.run(100)
    assert [said(house) for house in (one, other)] == [[b"over one connection"]] * 2
    street.run(60_000)
    assert street.dials == dials
    walled = one if one.wall else other
    street.kill(walled)
    street.run(100)
    assert (other if walled is one else one).peers() == set()


def test_walls_on_both_sides_are_named() -> None:
    street = Street()
    walled = [street.build(name, f"10.0.0.{n}", identity=who, wall="refuses") for n, (name, who) in
              enumerate((("ann", ANN), ("bob", BOB)))]  # fmt: skip
    street.run(3000)
    for house in walled:
        assert [half.trouble and half.trouble.name for half in house.machine.halfway()] == ["WALLED"]


def test_a_peer_that_drops_all_that_comes_is_known_to_be_walled_and_meets_by_an_address() -> None:
    """As behind the usual firewall of a laptop: it hears no beacon, and its own are heard."""
    street = Street()
    ann = street.build("ann", "10.0.0.1", "fe80::1%1", identity=ANN, port=49200)
    bob = street.build("bob", "10.0.0.2", "fe80::2%1", identity=BOB, wall="drops")
    street.run(20_000)
    halves = [(half.peer, half.endpoint.host, half.trouble) for half in ann.machine.halfway()]
    assert halves == [(BOB.peer, "10.0.0.2", neighbour.Trouble.WALLED)], "one machine, by its IPv4 address"
    assert ann.machine.halfway()[0].tries >= 2
    bob.machine.seed(neighbour.Endpoint("10.0.0.1", 49200))
    street.settle(bob)
    street.run_until(lambda: all_met(ann, bob), 5000)


def test_a_peer_that_was_met_and_vanishes_is_not_taken_for_one_that_lets_nobody_in() -> None:
    street = Street()
    ann = street.build("ann", "10.0.0.1", identity=ANN)
    bob = street.build("bob", "10.0.0.2", identity=BOB)
    street.run_until(lambda: all_met(ann, bob), 5000)
    street.kill(bob)
    for _ in range(30):
        street.run(1000)
        assert not any(half.trouble is neighbour.Trouble.WALLED and half.tries >= 2 for half in ann.machine.halfway())


def test_in_a_private_room_the_first_of_two_with_one_identity_stays() -> None:
    street = Street()
    bob = street.build("bob", "10.0.0.2", id=b"b" * 16, key=b"B" * 32)
    ann = street.build("ann", "10.0.0.1", id=b"a" * 16, key=b"A" * 32)
    street.run_until(lambda: all_met(ann, bob), 100)
    street.build("copy", "10.0.0.9", id=b"a" * 16, key=b"A" * 32)
    street.run(20_000)
    assert bob.peers() == {"ann"} and not bob.losses()
    assert [event.endpoint.host for event in bob.events if isinstance(event, neighbour.Doubled)] == ["10.0.0.9"]
