"""Doors of private rooms as tests need them: people, one door, and a caller who says to it what it likes."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from quadrille.net.private_room import door as door_table
from quadrille.net.private_room.guesses import GUESS_EVERY, GUESSES
from quadrille.net.private_room.pake import PakeMessage, PakeRun
from quadrille.net.private_room.room import HEADER, LinkEnd, run_between
from quadrille.net.trust.identity import Identity

KEY, WRONG = bytes([5]) * 32, bytes([6]) * 32
NOW = 1_000_000
#: By their CURVE keys, so that "lower" is seen at a glance.
PEOPLE = sorted((Identity(bytes([number]) * 32) for number in range(1, 40)), key=lambda one: one.curve().public)
LOW, MIDDLE, HIGH = PEOPLE[0], PEOPLE[15], PEOPLE[30]


HOUR = 3_600_000


def drawn(seed: int = 0) -> Callable[[int], bytes]:
    return Random(seed).randbytes


def door(identity: Identity, key: bytes = KEY, run: int = 1, *, known: tuple[Identity, ...] = ()) -> door_table.Door:
    keys = {one.key for one in known}
    return door_table.Door(identity, key, bytes([run]) + identity.key[1:], named=lambda: keys, draw=drawn(run))


@cache
def curve(identity: Identity) -> bytes:
    return identity.curve().public


def end(one: Identity, run: int = 1) -> LinkEnd:
    return LinkEnd(curve(one), one.peer, bytes([run]) + one.key[1:])


def headers(one: Identity, run: int = 1) -> dict[str, str]:
    return {HEADER: end(one, run).nonce.hex()}


class Caller:
    """The other side of a run at one door, which says what it likes."""

    def __init__(self, at: door_table.Door, one: Identity, key: bytes = KEY, *, run: int = 1) -> None:
        self.at, self.one = at, one
        self.run: PakeRun = run_between(key, end(one, run), at._end, drawn(99))
        self.number = run

    def greet(self, now: int = NOW, address: str = "10.0.0.1") -> "Caller":
        self.at.hello(curve(self.one), self.one.peer, headers(self.one, self.number), now, address)
        return self

    def share(self, now: int = NOW) -> "Caller":
        """Say our share, and hear the door's."""
        theirs = next(
            words[1:] for whom, words in self.at.outgoing if whom == self.one.peer and words[0] == door_table.SHARE
        )
        assert self.run.hears(PakeMessage(theirs, self.at._end.data))
        self.at.receive(curve(self.one), bytes([door_table.SHARE]) + self.run.sent.share, now)
        return self

    def confirm(self, now: int = NOW) -> "Caller":
        self.at.receive(curve(self.one), bytes([door_table.CONFIRM]) + self.run.tag, now)
        return self

    def come(self, now: int = NOW) -> door_table.DoorState:
        """All of it; where we stand then."""
        return self.greet(now).share(now).confirm(now).at.state(curve(self.one), now)


def quiet(at: door_table.Door) -> door_table.Door:
    at.outgoing.clear()
    at.events.clear()
    return at


def brought(at: door_table.Door, one: Identity, now: int = NOW) -> door_table.Door:
    """The door after one came in the usual way."""
    assert Caller(at, one).come() == door_table.INSIDE
    return quiet(at)


def strangers(number: int, first: int = 1000) -> Iterator[Identity]:
    return (Identity(one.to_bytes(32, "big")) for one in range(first, first + number))


def left(at: door_table.Door) -> int:
    """How many guesses strangers have."""
    return -at._strangers._lacks(NOW) // GUESS_EVERY


def guesses(at: door_table.Door, one: Identity, now: int) -> int:
    """What a stranger's attempt gives away, to it or to others that wait: each CONFIRM is one guess."""
    at.wake(now)
    Caller(at, one, WRONG).greet(now).share(now).confirm(now)
    told = sum(words[0] == door_table.CONFIRM for _, words in at.outgoing)
    assert at.events.count(door_table.ShutOut(one.peer, door_table.Obstacle.MISMATCH)) <= told
    quiet(at)
    return told


def spent(at: door_table.Door) -> door_table.Door:
    """The door once strangers have no guess left."""
    at._strangers.pay(NOW, GUESSES)
    return at


def standing(state: door_table.DoorState) -> tuple[door_table.Door, Caller]:
    """MIDDLE's door, where HIGH stands like that."""
    at = door(MIDDLE)
    caller = Caller(at, HIGH)
    if state != door_table.UNKNOWN:
        caller.greet()
    if state == door_table.QUEUED:
        spent(at)
    if state in (door_table.QUEUED, door_table.CONFIRMING, door_table.INSIDE):
        caller.share()
    if state == door_table.INSIDE:
        caller.confirm()
    if state == door_table.BANNED:
        at.receive(curve(HIGH), bytes([door_table.SHARE]), NOW)
    if state == door_table.WAITING:
        assert caller.run.hears(PakeMessage(at.outgoing[0][1][1:], end(MIDDLE).data))
    assert at.state(curve(HIGH), NOW) == state
    return quiet(at), caller
