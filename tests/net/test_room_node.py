"""Doors over real sockets: members find each other and tell their groups; who has another passphrase hears no name."""

import time
from collections.abc import Iterator

import pytest

from quadrille.net.link.node import RoomLock
from quadrille.net.neighbours.neighbour import Event, Joined, PeerLeft, PeerMet, Said
from quadrille.net.private_room.door import INSIDE, Admitted, Door, Mismatch, ShutOut
from quadrille.net.private_room.guesses import FIRST_BAN
from quadrille.net.trust.identity import Identity, owner_of
from tests.net.party import Guest, Party

pytestmark = pytest.mark.usefixtures("unhurried")

KEY, WRONG = bytes([5]) * 32, bytes([6]) * 32


def now() -> int:
    return time.monotonic_ns() // 1_000_000


class Member:
    """A node with a door: what a program has to do to be in a private room."""

    def __init__(self, party: Party, number: int, key: bytes) -> None:
        self.identity = Identity(bytes([number]) * 32)
        curve = self.identity.curve()
        self.door = Door(self.identity, key, bytes([number]) * 32)
        lock = RoomLock(
            curve.public,
            curve.secret,
            allows=lambda theirs: self.door.allows(theirs, now()),
            certify=lambda peer, theirs: owner_of(peer, theirs) is not None,
        )
        self.guest: Guest = party.invite("", self.door.headers, identity=self.identity.peer, security=lock)
        self.guest.node.join(f"secret {number}")
        self.inside: set[bytes] = set()
        self.heard: list[bytes] = []
        self.mismatches = 0
        self.shut_out: set[bytes] = set()
        self.seen = 0

    def turn(self) -> None:
        """What the node told goes to the door, what the door says to the node."""
        events, self.seen = self.guest.events[self.seen :], len(self.guest.events)
        for event in events:
            self.hear(event)
        self.door.wake(now())
        for to, message in self.door.outgoing:
            self.guest.node.whisper(to, message)
        self.door.outgoing.clear()
        for done in self.door.events:
            match done:
                case Admitted(peer, key):
                    self.inside.add(key)
                    self.guest.node.admit(peer)
                case ShutOut(peer):
                    self.shut_out.add(peer)
                    self.guest.node.ban(peer, FIRST_BAN)
                case Mismatch():
                    self.mismatches += 1
        self.door.events.clear()

    def hear(self, event: Event) -> None:
        key = event.peer.key
        assert key is not None
        match event:
            case PeerMet(peer):
                self.door.hello(key, peer.id, peer.headers, now())
                if peer.groups:
                    self.door.other(key, now())
            case PeerLeft():
                self.door.gone(key)
            case Said(_, None, payload):
                if self.door.receive(key, payload, now()):
                    self.heard.append(payload)
            case _:
                self.door.other(key, now())


@pytest.fixture
def party() -> Iterator[Party]:
    with Party() as it:
        yield it


def until(party: Party, members: list[Member], condition: object) -> None:
    def so() -> bool:
        for member in members:
            member.turn()
        return bool(condition())  # type: ignore[operator]

    party.until(so)


def test_those_with_the_passphrase_meet_and_a_stranger_hears_no_name(party: Party) -> None:
    members = [Member(party, number, KEY) for number in (1, 2, 3)]
    keys = {member.identity.key for member in members}
    stranger = Member(party, 4, WRONG)
    everybody = [*members, stranger]
    until(party, everybody, lambda: all(member.inside == keys - {member.identity.key} for member in members))
    until(party, everybody, lambda: all(len(member.guest.of(Joined)) == 2 for member in members))
    until(party, everybody, lambda: stranger.mismatches)
    first, second, _ = members
    first.guest.node.whisper(second.identity.peer, b"\x94 a move")
    until(party, everybody, lambda: second.heard)
    assert second.heard == [b"\x94 a move"]
    assert not stranger.inside and not stranger.guest.of(Joined) and not stranger.heard
    told = [event.peer for event in stranger.guest.of(PeerMet)]
    assert all(not peer.groups and set(peer.headers) == set(stranger.door.headers) and peer.name == "" for peer in told)
    for member in members:
        assert member.shut_out <= {stranger.identity.peer}
        assert all(
            member.door.state(other.identity.curve().public, now()) == INSIDE for other in members if other != member
        )


@pytest.mark.slow
def test_who_is_not_banned_for_ever_comes_in_with_the_right_passphrase_later(party: Party) -> None:
    first, second = Member(party, 1, KEY), Member(party, 2, KEY)
    until(party, [first, second], lambda: first.inside and second.inside)
    late = Member(party, 3, WRONG)
    until(party, [first, second, late], lambda: late.mismatches == 2)
    party.is_over(late.guest)
    again = Member(party, 3, KEY)
    until(party, [first, second, again], lambda: len(again.inside) == 2)
    until(party, [first, second, again], lambda: again.identity.key in first.inside & second.inside)
