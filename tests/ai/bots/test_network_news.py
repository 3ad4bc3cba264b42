"""What a seat at a table of peers is told, with cards that nobody holds: its story is always the table's view.

Also when cards are dealt anew because a seat vanished, or another plays on for it.
"""

from typing import Any

import pytest

from quadrille.net.entries.motions import StandInMotion
from quadrille.net.tables.table import Table
from tests.ai.bots.test_news import Listener
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.simulation import Peer, Weather


class ToldWorld(DotterWorld):
    """A world in which every seat has somebody who is told of every change."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.listeners: dict[tuple[bytes, int], Listener] = {}
        self.told: dict[tuple[bytes, int], tuple[bytes, object]] = {}
        self.kinds: set[str] = set()
        super().__init__(*args, **more)

    def check_step(self) -> None:
        super().check_step()
        for peer in self.honest():
            for table in peer.lobby.tables.values():
                if table.seat is not None:
                    self.tell(peer, table, table.seat)

    def tell(self, peer: Peer, table: Table, seat: int) -> None:
        match, view, name = table.log.now.match, table.view, (peer.identity.key, seat)
        if self.told.get(name) == (table.log.head, view):
            return
        self.told[name] = (table.log.head, view)
        listener = self.listeners.setdefault(name, Listener(match, seat))
        for item in listener.listen(match, view):
            self.kinds |= item.keys()


def test_a_whole_game() -> None:
    world = ToldWorld("told", small(2, lap_points=31), Weather(loss=50, twice=50, delay=200, cuts=1, crashes=2))
    world.run(world.settled)
    assert "faces" in world.kinds


@pytest.mark.slow
def test_another_plays_on_and_hears_all_of_it() -> None:
    world = ToldWorld("told stand-in 3", small(3, lap_points=1000, max_rounds=1))

    def have_looked() -> bool:
        """There are cards that the others look at again when another plays on."""
        for log in world.logs()[:1]:
            others = [row for seat, row in enumerate(log.now.match.state.sealed().looks) if seat != log.now.turn]
            return log.now.owed == "move" and all(others)
        return False

    world.run(have_looked)
    log = world.logs()[0]
    seat = log.now.turn
    assert seat is not None
    world.crash(world.peers[log.now.keys[seat]], None)
    deputy = log.now.keys[seat - 1]
    motion = StandInMotion(seat, deputy, "deputy")

    def agree(peer: Peer) -> None:
        for table in peer.lobby.tables.values():
            if table.seat is not None and table.log.now.turn == seat and seat in table.overdue(world.clock(peer)):
                table.agree(motion, world.clock(peer))
            elif table.is_my_turn:
                table.play(str(table.view.moves.sample(world.dice)), world.clock(peer))

    world.act = agree  # type: ignore[method-assign]
    world.run(world.settled)
    assert any(other.now.keys[seat] == deputy for other in world.logs())
    assert "seen" in world.kinds
