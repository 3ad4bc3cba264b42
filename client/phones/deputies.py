"""Bots of the house that play for guests whose phones are asleep: the seat passes to the bot and back without a motion.

The seat stays one of this peer, so nobody else has to agree. A bot gets the view of its seat, and no more.
"""

from collections.abc import Callable

from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.seated import SeatedBot
from quadrille.client.bots.boxes import USUAL, limits
from quadrille.client.bots.names import called, program_words
from quadrille.client.network.options import NetworkOptions
from quadrille.net.core.errors import LocalError
from quadrille.net.program.station import Station, now
from quadrille.net.tables.table import Table


class Deputies:
    """The bots that play for guests."""

    def __init__(
        self,
        station: Station,
        options: NetworkOptions,
        names: dict[tuple[bytes, int], str],
        stopped: Callable[[str, str, str], None],
    ) -> None:
        """`names` is kept up to date: what each bot is called, by table and seat. `stopped` hears of a bot that fails:
        its name, the guest's, and why.
        """
        self._stopped = stopped
        self._station = station
        self._isolate = options.isolate or USUAL
        self._names = names
        self._bots: dict[tuple[bytes, int], SeatedBot] = {}

    def let(self, table: Table, seat: int, bot: str) -> None:
        """Have a bot play at a seat from now on, in place of another; "" for none."""
        self._drop(table.log.table, seat)
        if not bot:
            return
        try:
            words, box = program_words(bot), limits(self._isolate)
            talk = Talk(Program(words, limits=box, wake=self._station.node.wake_up))
        except (BotFault, OSError) as error:
            raise LocalError(f"the bot {called(bot)} can't be started: {error}") from None
        self._bots[table.log.table, seat] = SeatedBot(table, seat, talk, forfeits=False)
        self._names[table.log.table, seat] = called(bot)

    def _drop(self, table: bytes, seat: int) -> None:
        self._names.pop((table, seat), None)
        if (before := self._bots.pop((table, seat), None)) is not None and before.player.talk is not None:
            before.player.talk.close(0)

    def act(self, table: Table) -> None:
        """Let the bots at a table do what is due; one that fails leaves the seat to its guest."""
        for place, bot in [(place, bot) for place, bot in self._bots.items() if place[0] == table.log.table]:
            bot.table = table  # another object once it was resumed
            fault = next((event for event in bot.act(now()) if isinstance(event, BotFault)), None)
            if fault is not None:
                self._stopped(self._names[place], table.log.now.chairs[place[1]].name, fault.why)
            if fault is not None or table.over or table.stopped:
                self._drop(*place)

    def close(self) -> None:
        for table, seat in list(self._bots):
            self._drop(table, seat)
