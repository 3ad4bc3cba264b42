"""The bots that play here beside a person: for guests who are away, in seats that are lent to this program, and in
games that began with bots at this keyboard.

All of it happens in the thread that owns the station, which a bot's program wakes when it has answered.
"""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from quadrille.ai.bots.lines.time_terms import PATIENCE
from quadrille.client.bots.names import bot_of, called
from quadrille.client.claimed_names import parts, stand_in_at
from quadrille.client.table.ballot import Ballot
from quadrille.client.words.phones import bot_stopped
from quadrille.net.game_log.log import Log
from quadrille.net.tables.table import Table

if TYPE_CHECKING:
    from quadrille.client.bots.table_bots import TableBots


class Deputies:
    """The bots by table and seat."""

    def __init__(self, wake: Callable[[], None], isolate: str) -> None:
        """`wake` is called from any thread; `isolate` is the box of each program."""
        self._wake, self._isolate = wake, isolate
        #: The bot of each seat, which plays as soon as this program holds the seat; client/table/table_seat.py sets it.
        #: "" is for a guest who plays again, and for another seat whose bot has failed or is not known after a restart.
        self.bots: dict[tuple[bytes, int], str] = {}
        #: Sentences for the person of this program, to be taken.
        self.news: list[str] = []
        self.ballots: dict[bytes, Ballot] = {}  # in which they vote
        self._playing: dict[bytes, TableBots] = {}

    def play_on(self, log: Log, bots: Sequence[str]) -> list[int]:
        """Let the bots of a game from this keyboard play on; return their seats. Nobody was handed these meanwhile."""
        chairs = zip(bots, log.standings[0].chairs, log.now.chairs, strict=False)
        seats = [seat for seat, (bot, first, chair) in enumerate(chairs) if bot and chair == first]
        self.bots.update({(log.table, seat): bots[seat] for seat in seats})
        return seats

    def act(self, tables: Collection[Table], now: int) -> None:
        """Let the bots do what is due, and end those of other tables, which may have been put away. One that fails
        leaves the seat to its guest, or to another bot.
        """
        from quadrille.client.bots.table_bots import TableBots  # imported here: few tables need one

        for name in self._playing.keys() - {table.log.table for table in tables}:
            self._playing.pop(name).close()
        for table in tables:
            name, row = table.log.table, self._row(table)
            if row and name not in self._playing:
                self._playing[name] = TableBots(self._wake, self._isolate, patience=PATIENCE)
            if (bots := self._playing.get(name)) is None:
                continue
            for _ in bots.act(table, row, now, self.ballots.setdefault(name, Ballot())):
                pass  # moves are played there, and reports are for nobody
            for seat, bot in row.items():
                if fault := bots.fault(seat):
                    self.bots[name, seat] = ""
                    self.news.append(bot_stopped(called(bot), table.log.now.chairs[seat].name, fault))

    def _row(self, table: Table) -> dict[int, str]:
        """Return the bots of the seats that this program holds and nobody here plays."""
        name, lent = table.log.table, table.log.now.lent
        seats = () if table.over or table.stopped else table.seats
        for seat in seats:
            if seat in lent and (name, seat) not in self.bots:  # its name says which: `3` for `Ada (level 3 of Ann)`
                self.bots[name, seat] = bot_of(parts(stand_in_at(table.log, table.log.now, seat).name)[1])
        return {seat: bot for seat in seats if (bot := self.bots.get((name, seat)))}
