"""The bots that play here for those who are away: guests of this program, and owners of seats that are lent to it.

All of it happens in the thread that owns the station, which a bot's program wakes when it has answered.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from quadrille.ai.bots.lines.time_terms import PATIENCE
from quadrille.ai.house import is_of_house
from quadrille.client.bots.names import called
from quadrille.client.claimed_names import parts, stand_in_at
from quadrille.client.words.phones import bot_stopped
from quadrille.net.tables.table import Table

if TYPE_CHECKING:
    from quadrille.client.bots.table_bots import TableBots

#: In the place of a bot: a guest plays again, or that of a lent seat has failed, or is a program that a restart has
#: forgotten.
MISSING: Final = ""


def named_bot(name: str) -> str:
    """Return the built-in bot of a name on the network: `3` of `Ada (level 3 of Ann)`."""
    bot = parts(name)[1].partition(" of ")[0].removeprefix("level ").replace(" ", ":")
    return bot if is_of_house(bot) else MISSING


class Deputies:
    """The bots by table and seat."""

    def __init__(self, wake: Callable[[], None], isolate: str) -> None:
        """`wake` is called from any thread; `isolate` is the box of each program."""
        self._wake, self._isolate = wake, isolate
        #: The bot of each seat, which plays as soon as this program holds the seat; client/table/table_seat.py sets it.
        self.bots: dict[tuple[bytes, int], str] = {}
        #: Sentences for the person of this program, to be taken.
        self.news: list[str] = []
        self._playing: dict[bytes, TableBots] = {}

    def act(self, tables: Iterable[Table], now: int) -> None:
        """Let the bots do what is due."""
        for table in tables:
            name, row = table.log.table, self._row(table)
            if row and name not in self._playing:
                from quadrille.client.bots.table_bots import TableBots  # imported here: few tables need one

                self._playing[name] = TableBots(self._wake, self._isolate, patience=PATIENCE)
            elif not row and name in self._playing:
                self._playing.pop(name).close()
            if row:
                self._play(table, self._playing[name], row, now)

    def _row(self, table: Table) -> dict[int, str]:
        """Return the bots of the seats that this program holds and nobody here plays."""
        name, lent = table.log.table, table.log.now.lent
        if table.over or table.stopped:
            return {}
        for seat in table.seats:
            if seat in lent and (name, seat) not in self.bots:  # this program was restarted, or others chose it
                self.bots[name, seat] = named_bot(stand_in_at(table.log, table.log.now, seat).name)
        return {seat: bot for seat in table.seats if (bot := self.bots.get((name, seat)))}

    def _play(self, table: Table, bots: "TableBots", row: dict[int, str], now: int) -> None:
        """Let the bots of a table play. One that fails leaves the seat to its guest, or to another bot."""
        for _ in bots.act(table, row, now):
            pass  # its moves are played, and its reports are for nobody
        for seat, bot in row.items():
            if why := bots.fault(seat):
                self.bots[table.log.table, seat] = MISSING
                self.news.append(bot_stopped(called(bot), table.log.now.chairs[seat].name, why))

    def close(self) -> None:
        for bots in self._playing.values():
            bots.close()
