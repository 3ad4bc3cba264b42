"""A shelf that is older than what its seat has signed: a restored backup, or the snapshot of a machine."""

import pytest

from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.wire import Head
from quadrille.net.tables.table import CATCHING_UP, HEARTBEAT, WAITS, Table
from quadrille.rules.errors import RulesError
from tests.net.simulation import MemoryShelf, Peer, Weather, World, gather
from tests.net.tables import begun, identity, mover, terms

SMALL = {"width": 3, "height": 3}


def restored(world: World, peer: Peer, entries: int) -> None:
    """The peer's program dies, and its shelf is as it was so many entries ago."""
    world.crash(peer, None)
    peer.dead = False
    del peer.shelf.kept[entries:]
    peer.shelf.safe = len(peer.shelf.kept)


def lengths(world: World) -> set[int]:
    """How far the seats' logs go; when they all go as far, nobody's entry is under way."""
    return {len(log.entries) for log in world.logs()}


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("kept", [1, 3])
@pytest.mark.parametrize("number", [0, 1])
def test_a_restored_backup_never_forks(seats: int, kept: int, number: int) -> None:
    """Alone it writes nothing, though it is its turn there; with the others it goes on where they are."""
    world = World(f"backup {seats} {kept} {number}", terms("barons", seats, SMALL, grace=3_600_000), Weather())
    gather(world)
    peer = list(world.peers.values())[number]
    others = [other for other in world.peers.values() if other is not peer]
    world.run(lambda: len(world.tables()) == seats and lengths(world).pop() > 5 and len(lengths(world)) == 1)
    restored(world, peer, kept)
    for other in others:
        world.sever(peer, other, 20_000)
    world.start(peer)
    world.pass_time(15_000)
    [table] = peer.lobby.tables.values()
    assert table.waits_for_head and len(table.log.entries) == kept
    world.run(world.settled)
    assert world.blamed == []


def at_the_second_move() -> Table:
    log = begun(terms("barons", 3, SMALL, lot=False))
    log.take(log.write(MoveBody("a1"), mover(log)))
    table = Table(log, identity(2), MemoryShelf(identity(2).key), 0)
    table.resume()
    return table


def test_a_person_reads_what_is_waited_for_and_signs_nothing() -> None:
    table = at_the_second_move()
    assert not table.is_my_turn
    with pytest.raises(RulesError, match=WAITS):
        table.play("a2", 0)
    assert not table.agree(all_of("draw"), 0)
    table.receive(identity(9).key, Head(table.log.table, 2, table.log.head), 0)
    assert table.waits_for_head, "a stranger is no seat"
    table.receive(identity(3).key, Head(table.log.table, 2, table.log.head), 0)
    assert table.waits_for_head, "the third seat may have heard more"
    table.receive(identity(1).key, Head(table.log.table, 2, table.log.head), 0)
    assert table.is_my_turn
    table.play("a2", 0)


def test_what_was_signed_in_a_place_is_said_again_there_and_nothing_else() -> None:
    """Its branch may give way, and come back without it."""
    log = begun(terms("barons", 2, SMALL, lot=False))
    table = Table(log, identity(1), MemoryShelf(identity(1).key), 0)
    table.play("a1", 0)
    first = log.entries[1]
    log._replace(0, log.entries[:1], log.standings[:1])
    table.play("b2", 0)
    assert log.entries[1:] == [first]


def test_a_head_that_is_further_is_waited_for_and_one_that_nobody_shows_is_not() -> None:
    table = at_the_second_move()
    table.receive(identity(3).key, Head(table.log.table, 99, bytes(32)), 0)
    table.receive(identity(1).key, Head(table.log.table, 2, table.log.head), HEARTBEAT)
    assert table.waits_for_head
    for beat in range(HEARTBEAT, CATCHING_UP, HEARTBEAT):
        table.receive(identity(3).key, Head(table.log.table, 99, bytes(32)), beat)
        table.wake(beat)
        assert table.waits_for_head
    table.wake(CATCHING_UP)
    assert table.is_my_turn
