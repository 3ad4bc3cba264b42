"""One game between bots on a local match: asks the seat to move, and measures time at the table.

Synchronous: one game is one thread. A faulty bot is out of the game, and the others play on.
"""

import time
from collections.abc import Callable, Sequence

from quadrille.ai.bots.lines.dialogue import Chosen, Replied, Seating
from quadrille.ai.bots.lines.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.bots.player import BotEvent, BotPlayer
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import LATE, BotFault
from quadrille.rules.core import Over, ToMove
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Match
from quadrille.rules.match import Played as Moved
from quadrille.value import value


@value
class Adjudication:
    """Ends a game before its rules do: after that many `moves`, or by a draw. Every `draws` moves all bots are asked
    whether they accept one. 0: never.
    """

    moves: int = 0
    draws: int = 0

    def __str__(self) -> str:
        parts = (
            (self.moves, f"{self.moves} move{'s' if self.moves > 1 else ''} at most"),
            (self.draws, f"draws every {f'{self.draws} moves' if self.draws > 1 else 'move'}"),
        )
        return ", ".join(text for number, text in parts if number)


class LocalGame:
    """A game between programs. A program that breaks the protocol, or does not greet, loses its seat."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Talk | BotFault],
        terms: TimeTerms = USUAL_TERMS,
        *,
        seed: str | Sequence[str] = "",
        table: str = "local",
        umpire: Adjudication | None = None,
        ponder: bool = True,
    ) -> None:
        """Seat one player for each seat of the match, or the fault that loses it at once. `seed` is for the bots' dice,
        one for all or one for each seat. Without `ponder` every program is stopped while it is not its turn.
        """
        seats = match.state.seats
        assert len(players) == seats
        seeds = [seed] * seats if isinstance(seed, str) else seed
        #: The names of all seats, which those that greet bring.
        self._names = [f"player {seat + 1}" for seat in range(seats)]
        self.match = match
        self.terms = terms
        self.clocks = terms.clocks(seats)
        self.umpire = umpire
        self.ponder = ponder
        #: Milliseconds of each move, by seat; and of a turn that ended too late.
        self.times: list[list[float]] = [[] for _ in range(seats)]
        self.late = [0.0] * seats
        self.bots = {seat: player for seat, player in enumerate(players) if not isinstance(player, BotFault)}
        self._players = {
            seat: BotPlayer(bot, Seating(seat, table, self._names, terms.clock, seeds[seat]), terms)
            for seat, bot in self.bots.items()
        }
        self.faults: dict[int, BotFault] = {}
        self._offered = 0
        #: The bots' own thoughts, which the table tells nobody.
        self.thoughts = Thoughts()
        for seat, player in enumerate(players):
            if isinstance(player, BotFault):
                self._lose(seat, player)

    def get_ready(self) -> None:
        """Wait until all have greeted and are ready for the game, or have lost it."""
        self._await(lambda bot: bot.is_greeted)
        for seat, bot in self._there():
            if bot.dialogue.greeting is not None:
                self._names[seat] = bot.dialogue.greeting.name
            self._players[seat].follow(self.match)
        self._await(lambda bot: bot.is_ready)

    def _await(self, is_done: Callable[[Talk], bool]) -> None:
        """Wait for all. Each is spoken to before the first is awaited, so that nobody's time runs out meanwhile."""
        for timeout in (0, 1):
            for seat, bot in self._there():
                while seat not in self.faults and not is_done(bot):
                    self._hear(seat, timeout)
                    if not timeout:
                        break

    def play(self) -> Over:
        """Play the whole game between those who are ready; return its end."""
        for seat in self.bots:
            self._freeze(seat, still=True)
        while isinstance(turn := self.match.pending, ToMove):
            self._turn(turn.seat)
            if self.umpire is not None:
                self._adjudicate(self.umpire)
        over = self.match.over
        assert over is not None
        for seat, _ in self._there():
            self._freeze(seat, still=False)
            self._players[seat].over(over, self.match)
            self._players[seat].hear()  # a fault has no effect on the game from now on
        return over

    def _there(self) -> list[tuple[int, Talk]]:
        return [(seat, bot) for seat, bot in self.bots.items() if seat not in self.faults]

    def _freeze(self, seat: int, *, still: bool) -> None:
        """Stop or continue the seat's program, if bots may only think in their own turns."""
        if not self.ponder and seat not in self.faults:
            self.bots[seat].program.freeze(still=still)

    def _turn(self, seat: int) -> None:
        """Play one move, or lose the seat."""
        self._freeze(seat, still=False)
        player = self._players[seat]
        player.follow(self.match, None if self.match.game.hidden else self.match.state)  # one view for all
        player.ask(self.clocks)
        asked, event = time.perf_counter(), player.hear(1)
        while not isinstance(event, Chosen | BotFault):
            event = player.hear(1)
        used = 1000 * (time.perf_counter() - asked)
        if isinstance(event, BotFault):
            self._lose(seat, event)
            if event.kind in LATE:
                self.late[seat] = used
            return
        self.times[seat].append(used)
        if self.clocks is not None:
            self.clocks = self.terms.after(self.clocks, seat, used, len(self.times[seat]))
        self._freeze(seat, still=True)
        if event.thought is not None:
            self.thoughts.add(self.match.length, seat, event.thought)
        self.match.play(event.move)

    def _adjudicate(self, umpire: Adjudication) -> None:
        """Adjudicate a game if all bots agree on a draw, or if it is too long."""
        match, played = self.match, self.match.ply
        if match.over is not None:
            return
        moved = isinstance(match.since(-1)[0], Moved)  # otherwise a seat has left, and the others were asked before
        if umpire.draws and moved and played % umpire.draws == 0 and self._all_agree():
            match.agree()
        elif umpire.moves and played >= umpire.moves and match.over is None:
            drawn = match.copy()
            drawn.agree()
            assert drawn.over is not None
            were = "move was" if played == 1 else "moves were"
            match.adjudicate(drawn.over.places, f"{played} {were} played, and no more are")

    def _all_agree(self) -> bool:
        """Ask all seats still in whether they accept a draw; a bot that does not answer does not accept it."""
        pending = self.match.pending
        for seat, _ in self._there():
            self._offered += 1
            self._players[seat].follow(self.match)
            self._players[seat].offer("draw", pending.seat if isinstance(pending, ToMove) else 0, self._offered)
            reply: BotEvent | None = None
            self._freeze(seat, still=False)
            while seat not in self.faults and not isinstance(reply, Replied):
                reply = self._hear(seat, 1)
            self._freeze(seat, still=True)
            if not isinstance(reply, Replied) or not reply.agree:
                return False
        return True

    def _hear(self, seat: int, timeout: float) -> BotEvent | None:
        """Return the next event of a player; a fault takes its seat out of the game."""
        event = self._players[seat].hear(timeout)
        if isinstance(event, BotFault):
            self._lose(seat, event)
        return event

    def _lose(self, seat: int, fault: BotFault) -> None:
        self.faults[seat] = fault
        if self.match.over is None:
            self.match.leave(seat, fault.kind)
