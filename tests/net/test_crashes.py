"""Programs that die at each of the points where it could matter: before and after everything that goes to the disk.

Between an entry on the disk and the message that tells of it there is such a point, and none is left out here. With
the power, all is lost that was not said to be safe.

And a shelf that is older than what its seat has signed: a restored backup, or the snapshot of a machine.
"""

from dataclasses import replace

import pytest

from quadrille.net.entries.motions import all_of
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.entries.wire import Head
from quadrille.net.tables.table import CATCHING_UP, HEARTBEAT, WAITS, Table
from quadrille.rules.errors import RulesError
from tests.net.by_hand import table_of, three, with_moves
from tests.net.simulation import Peer, Weather, World, gather
from tests.net.tables import SMALL, identity, terms
from tests.net.test_lobby import holder, trio

GRACE = 5000
TWO = terms("barons", 2, {"width": 2, "height": 2}, grace=GRACE, clock=TimeControl(600_000, 0))
THREE = terms("barons", 3, {"width": 3, "height": 2}, grace=GRACE)
CALM = Weather(power=True)
ROUGH = Weather(loss=100, twice=50, delay=400, cuts=10, power=True)


def settled(world: World) -> bool:
    """Everybody has seen the same end; or the table never began, and nobody waits for it any more."""
    lobbies = [peer.lobby for peer in world.peers.values() if not peer.dead]
    if any(lobby is None for lobby in lobbies):
        return False
    if not any(peer.shelf.kept for peer in world.peers.values()):
        return not any(lobby.gatherings for lobby in lobbies if lobby) and world.now > 60_000
    return world.settled() or waits_for_ever(world)


def waits_for_ever(world: World) -> bool:
    """Two are left, and one of them is dead: another was dropped with the last signature of the dead one."""
    dead = {peer.key for peer in world.peers.values() if peer.dead}
    logs = world.logs()
    left = [[log.now.keys[seat] for seat in log.now.seats_in()] for log in logs]
    same = bool(logs) and len({log.head for log in logs}) == 1
    return same and all(len(keys) == 2 and dead & {*keys} for keys in left)


def died(seed: str, agreed: Terms, weather: Weather, number: int, moment: int) -> bool:
    """A game in which a peer dies at a moment; False when it came to none of that number."""
    world = World(seed, agreed, weather)
    gather(world)
    shelf = list(world.peers.values())[number].shelf
    shelf.die_at = moment
    try:
        world.run(lambda: settled(world))
        assert world.blamed == []
    except AssertionError as error:
        raise AssertionError(f"{seed}, peer {number} died at moment {moment}: {error}") from error
    return shelf.moments >= moment


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("agreed", [TWO, pytest.param(THREE, marks=pytest.mark.slow)], ids=["two", "three"])
def test_death_at_every_moment_of_a_game(agreed: Terms, number: int) -> None:
    if number < agreed.seats:
        moment = 1
        while died("calm", agreed, CALM, number, moment):
            moment += 1
        assert moment > 2 * (1 + 4)


@pytest.mark.slow
@pytest.mark.parametrize("weather", [ROUGH, replace(ROUGH, deaths=5)], ids=["rough", "deaths"])
def test_death_at_every_moment_in_bad_weather(weather: Weather) -> None:
    """Each peer at every third of its moments, and all three together at each."""
    for number in range(3):
        moment = 1 + number
        while died("rough", THREE, weather, number, moment):
            moment += 3


def test_who_comes_back_finds_the_lines_in_the_order_in_which_they_were_said() -> None:
    """One's own lines stood before all others, which the others told again."""
    room = trio()
    for seat, line in ((1, "hello"), (0, "hi"), (2, "good evening"), (0, "and to you"), (1, "luck to all")):
        room.does(seat, lambda table, line=line: table.say(line))
        room.settle()
    said = room.table(0).lines()
    assert [line.line for line in said] == ["hello", "hi", "good evening", "and to you", "luck to all"]
    for seats in ((0,), (0, 1, 2)):
        for peer in [holder(room, seat) for seat in seats]:
            room.crash(peer, 4000)
        room.run(lambda: all(peer.lobby is not None for peer in room.seated))
        room.settle(4000)
        assert room.table(0).lines() == room.table(1).lines() == said


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
    table = table_of(2, with_moves(three(), "a1"))
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
    log = three(2)
    table = table_of(1, log)
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
