"""A seat that is here, and gives the deck garbage or nothing: it is blamed, after the grace the others drop it, and the
table goes on without it.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quadrille.net.entries.bodies import MotionBody
from quadrille.net.entries.motions import DropMotion
from quadrille.net.entries.wire import Entries, Message
from quadrille.net.game_log.news import Blamed
from quadrille.rules.chance import Stream
from tests.net.cards.dotter_world import GRACE, DotterWorld, small

KINDS = ("key", "shuffle", "look", "share")
Lie = Callable[["LyingWorld", Entries], list[Message]]


class LyingWorld(DotterWorld):
    """The second seat does not give what it owes, from its first entry of that kind on."""

    def __init__(self, kind: str, lie: Lie) -> None:
        super().__init__(f"liar {kind}", small(3))
        self.liar = self.seated[1]
        self.kind = kind
        self.liars[self.liar.key] = lambda world, peer, key, message: (
            lie(self, message) if self.owes(message) else [message]
        )

    def owes(self, message: Message) -> bool:
        """Whether there is such an entry of the liar in it."""
        entries = message.entries if isinstance(message, Entries) else ()
        return any(entry.kind == self.kind and entry.author == self.liar.key for entry in entries)


def nothing(world: LyingWorld, message: Entries) -> list[Message]:
    return []


def garbage(world: LyingWorld, message: Entries) -> list[Message]:
    """Each such entry with other bytes in it every time, rightly signed."""
    own, said = world.liar.identity, []
    for entry in message.entries:
        if entry.author == own.key and entry.kind == world.kind:
            dice = Stream("garbage", str(world.time.steps))
            body = tuple(bytes(dice.randrange(256) for _ in field) for field in entry.body.plain())
            entry = replace(entry, body=type(entry.body)(*body)).signed(own)
        said.append(entry)
    return [Entries(message.table, tuple(said))]


@pytest.mark.first(2)
@pytest.mark.parametrize("lie", [garbage, nothing])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_dropped_and_the_others_play_on(kind: str, lie: Lie) -> None:
    world = LyingWorld(kind, lie)
    liar = world.liar.key
    world.run(world.settled)
    log = world.logs()[0]
    seat = log.now.keys.index(liar)
    [dropped] = [entry for entry in log.entries if entry.kind == "motion"]
    assert isinstance(dropped.body, MotionBody) and dropped.body.motion == DropMotion(seat)
    assert log.now.over and log.now.deck.live == tuple(other for other in range(3) if other != seat)
    assert not any(entry.kind == kind and entry.author == liar for entry in log.entries)
    assert any(entry.kind == "move" for entry in log.entries[dropped.index :])
    assert all(liar in peer.lobby.here for peer in world.honest()), "it was here all the time"
    assert {found.culprit for found in world.blamed} == ({liar} if lie is garbage else set())
    assert all(isinstance(found, Blamed) for found in world.blamed)


def test_nobody_is_dropped_within_the_grace() -> None:
    world = LyingWorld("shuffle", nothing)
    world.run(
        lambda: any(log.now.owed == "shuffle" and log.now.keys[log.now.turn] == world.liar.key for log in world.logs())
    )
    began = world.now
    world.run(lambda: any(entry.kind == "motion" for log in world.logs() for entry in log.entries))
    assert world.now - began >= GRACE
