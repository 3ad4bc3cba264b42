"""Bots of the house that play for guests whose phones are asleep: the seat passes to the bot and back without a motion.

The seat stays one of this peer, so nobody else has to agree. A bot gets the view of its seat, and no more.
"""

from typing import Final

from quadrille.ai.bots.lines.dialogue import Chosen
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.client.bots.boxes import USUAL, limits
from quadrille.client.bots.names import called, program_words
from quadrille.client.network.options import NetworkOptions
from quadrille.net.core.errors import LocalError
from quadrille.net.program.station import Station, now
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError

_TERMS: Final = TimeTerms()


class _Deputy:
    """A bot at one seat."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.asked = b""  # the head of the log at which a move was asked for

    def act(self, table: Table, seat: int) -> None:
        """Tell the bot of the game and of its turn, and make its move."""
        talk, standing = self.talk, table.log.now
        while (event := talk.hear()) is not None:
            if isinstance(event, Chosen) and self.asked == table.log.head:
                table.play(str(event.move), now())
        if talk.is_greeted and not talk.is_told:
            talk.start(
                standing.match,
                seat,
                table=table.log.table.hex(),
                names=[chair.name for chair in standing.chairs],
                clock=standing.terms.clock,
                seed=table.identity.secret("dice of a bot", table.log.table).hex(),
                view=table.hand.view(seat),
            )
        if table.is_my_turn and standing.turn == seat and talk.is_ready and self.asked != table.log.head:
            self.asked = table.log.head
            clocks = None if standing.paused else table.clocks
            talk.ask(standing.match, _TERMS, clocks and clocks.runs(None, now()), table.hand.view(seat))


class Deputies:
    """The bots that play for guests."""

    def __init__(self, station: Station, options: NetworkOptions, names: dict[tuple[bytes, int], str]) -> None:
        """`names` is kept up to date: what each bot is called, by table and seat."""
        self._station = station
        self._isolate = options.isolate or USUAL
        self._names = names
        self._bots: dict[tuple[bytes, int], _Deputy] = {}

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
        self._bots[table.log.table, seat] = _Deputy(talk)
        self._names[table.log.table, seat] = called(bot)

    def _drop(self, table: bytes, seat: int) -> None:
        self._names.pop((table, seat), None)
        if (before := self._bots.pop((table, seat), None)) is not None:
            before.talk.close(0)

    def act(self, table: Table) -> None:
        """Let the bots at a table do what is due; one that fails leaves the seat to its guest."""
        for name, seat in [place for place in self._bots if place[0] == table.log.table]:
            if table.over or table.stopped:
                self._drop(name, seat)
                continue
            try:
                self._bots[name, seat].act(table, seat)
            except (BotFault, RulesError):
                self._drop(name, seat)

    def close(self) -> None:
        for table, seat in list(self._bots):
            self._drop(table, seat)
