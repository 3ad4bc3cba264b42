"""A game on a local match with bots in some or all seats. It informs them, asks for their moves, and runs their
clocks.

A `BotGame` is the arbiter of a local game, of a tournament game and of a check. At a table of peers
(ai/peer/sitting.py) the signed log is the arbiter, and at a person's own table (client/table/) a value that faces
show; both use the same `Talk` and the same clocks (net/entries/clocks.py). One module speaks with a program and has
no game: ai/checks/rerun.py repeats the lines of a recorded one. Nothing here starts a program, or waits for one longer
than the caller says. Specification: docs/protocols/bots.md.
"""

import time
from collections.abc import Sequence

from quadrille.ai.bots.lines.dialogue import Chosen, Event, Seating
from quadrille.ai.bots.lines.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.bots.talk import Talk
from quadrille.rules.match import Match


class BotGame:
    """A game in progress."""

    def __init__(
        self, match: Match, terms: TimeTerms = USUAL_TERMS, *, table: str = "local", seed: str | Sequence[str] = ""
    ) -> None:
        """`seed` is for the bots' dice, one for all or one for each seat. It must reveal nothing about the deal."""
        seats = match.state.seats
        self.match = match
        self.terms = terms
        self.clocks = terms.clocks(seats)
        self.bots: dict[int, Talk] = {}
        #: Milliseconds of each move, by seat.
        self.times: list[list[float]] = [[] for _ in range(seats)]
        self._table = table
        self._seeds = [seed] * seats if isinstance(seed, str) else list(seed)
        self._asked = 0.0

    def start(self, seat: int, names: Sequence[str] = ()) -> None:
        seating = Seating(seat, self._table, names, self.terms.clock, self._seeds[seat])
        self.bots[seat].start(self.match, seating)

    def ask(self, seat: int) -> None:
        """Ask a bot for its move and start its clock."""
        self.bots[seat].ask(self.match, self.terms, self.clocks)
        self._asked = time.perf_counter()

    @property
    def used(self) -> float:
        """Milliseconds since a bot was last asked."""
        return 1000 * (time.perf_counter() - self._asked)

    def pay(self, seat: int) -> None:
        """Charge the time of a move."""
        times, used = self.times[seat], self.used
        times.append(used)
        if self.clocks is not None:
            self.clocks = self.terms.after(self.clocks, seat, used, len(times))

    def await_move(self, seat: int) -> None:
        """Wait for the move of a bot that was asked, and play it."""
        while not isinstance(event := self.hear(seat, 1), Chosen):
            pass
        self.pay(seat)
        self.match.play(event.move)

    def hear(self, seat: int, timeout: float = 0) -> Event | None:
        """Return the next event from a bot; None after `timeout` seconds."""
        return self.bots[seat].hear(timeout)
