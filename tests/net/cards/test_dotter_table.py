"""Dotter at a table of peers: seats that crash, go, vanish, are played on for. In all weathers: many_games.py."""

from collections.abc import Callable

import pytest

from quadrille.net.cards.group import RISTRETTO
from quadrille.net.entries.motions import BackMotion, StandInMotion
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.net.tables.table import Table
from quadrille.rules import record
from quadrille.rules.core import HIDDEN
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.simulation import Peer


def settled(world: DotterWorld) -> Log:
    world.run(world.settled)
    assert world.blamed == []
    return world.logs()[0]


@pytest.mark.first(1)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_game_in_calm_weather(seats: int) -> None:
    """Also with a deck of 52 cards, one of which nobody draws."""
    log = settled(DotterWorld(f"calm {seats}", small(seats, jokers=0), group=RISTRETTO))
    assert log.now.over
    assert_same(archive.read(archive.write(log)), log)


def assert_same(one: Log, other: Log) -> None:
    """To the deck and every card that was turned up."""
    assert one.head == other.head
    assert one.now.deck == other.now.deck
    assert record.write(one.now.match) == record.write(other.now.match)


def test_a_game_of_several_rounds() -> None:
    """Each round has its own shuffle; with 53 cards two are never drawn, and are shuffled on face down."""
    log = settled(DotterWorld("rounds", small(2, lap_points=300, max_rounds=2, jokers=1)))
    assert [entry.kind for entry in log.entries].count("shuffle") == 4
    assert log.now.match.state.board.round == 1


def at_length(world: DotterWorld, length: int) -> Callable[[], bool]:
    """Whether some log has so many entries."""
    return lambda: any(len(log.entries) >= length or log.now.over for log in world.logs())


def resign_one(world: DotterWorld, peer: Peer) -> None:
    """One of its seats; most often it is not the one to move."""

    def resign(table: Table, now: int) -> None:
        inside = [seat for seat in table.seats if seat in table.log.now.seats_in()]
        table.resign(now, inside[world.now % len(inside)] if inside else None)

    world.do(peer, lambda lobby, now: [resign(table, now) for table in lobby.tables.values()])


#: A crash: the seat says the same again byte for byte, or the world finds two entries signed in one place. Where a seat
#: vanishes the others deal the cards anew and go on; all they had looked at, they look at again.
HARM: dict[str, Callable[[DotterWorld, Peer], None]] = {
    "crashes and comes back": lambda world, peer: world.crash(peer, 1000),
    "leaves": resign_one,
    "vanishes": lambda world, peer: world.crash(peer, None),
}


@pytest.mark.first(6)
@pytest.mark.parametrize(("held", "step", "harm"), [
    ((1, 1), 47, "crashes and comes back"), ((1, 1, 1), 83, "leaves"), ((1, 1, 1), 59, "vanishes"),
    ((2, 1), 67, "crashes and comes back"), ((2, 1, 2), 53, "leaves"), ((2, 1, 1), 71, "vanishes"),
    ((1, 1), 1, "crashes and comes back"), ((1, 1, 1), 10, "crashes and comes back"), ((1, 1, 1), 10, "leaves"),
    ((1, 1, 1), 4, "vanishes"), ((2, 1), 5, "crashes and comes back"), ((2, 1, 2), 11, "leaves"),
    ((2, 1, 1), 9, "vanishes"),
])  # fmt: skip
def test_at_every_entry_a_peer(harm: str, held: tuple[int, ...], step: int) -> None:
    """The same game again and again, and each time it happens at another length of the log, to another peer."""
    calm = settled(DotterWorld(harm, small(sum(held)), held=held))
    for length in range(1, len(calm.entries), step):
        world = DotterWorld(harm, small(sum(held)), held=held)
        world.run(at_length(world, length))
        HARM[harm](world, world.seated[length % len(held)])
        try:
            settled(world)
        except AssertionError as error:
            raise AssertionError(f"at entry {length}: {error}") from error


def played_until(world: DotterWorld, text: str) -> None:
    """Until somebody has made such a move, and all that it owes is done."""

    def done() -> bool:
        logs = world.logs()
        plies = [str(entry.move) for entry in logs[0].now.match.entries if hasattr(entry, "move")] if logs else []
        return bool(plies) and plies[-1].startswith(text) and logs[0].now.owed == "move"

    world.run(done)


def test_another_plays_on_until_the_owner_is_back() -> None:
    """A stand-in gets new cards in place of those its seat had seen, and so does the owner who comes back."""
    world = DotterWorld("another", small(3, lap_points=1000, max_rounds=1), others=1)
    played_until(world, "peek")
    log, newcomer = world.logs()[0], world.others[0]
    seat = log.now.turn
    gone, motion = world.peers[log.now.keys[seat]], StandInMotion(seat, newcomer.key, "p3")
    world.crash(gone, None)

    def act(peer: Peer) -> None:
        for table in peer.lobby.tables.values():
            now, keys = world.clock(peer), table.log.now.keys
            if peer is gone and keys[seat] == newcomer.key and not table.over:
                table.agree(BackMotion(seat), now)
            elif table.seat is not None and table.log.now.turn == seat and seat in table.overdue(now):
                if newcomer.key not in keys:
                    table.agree(motion, now)
            elif table.is_my_turn:
                table.play(str(table.view.moves.sample(world.dice)), now)

    world.act = act  # type: ignore[method-assign]
    world.run(lambda: any(newcomer.key in log.now.keys for log in world.logs()))
    gone.dead = False
    world.start(gone)
    log = settled(world)
    assert log.now.keys[seat] == gone.key
    assert log.now.deck.epoch == 2


@pytest.mark.slow
def test_who_looks_on_sees_what_all_may_know() -> None:
    """From the beginning, checked; and after the end what is in the log is the same for all."""
    world = DotterWorld("watch", small(2, lap_points=121), others=1)
    played_until(world, "peek")
    [watcher] = world.others
    log = world.logs()[0]
    world.do(watcher, lambda lobby, _: lobby.watch(log.table, log.now.keys[0]))
    world.run(lambda: world.begun(watcher))
    table: Table = next(iter(watcher.lobby.tables.values()))
    settled(world)
    assert table.seat is None
    faces = [face for entry in table.log.now.match.entries for face in getattr(entry, "faces", ())]
    assert HIDDEN in faces
    assert_same(table.log, world.logs()[0])
