"""One game between bots on a local match: asks the seat to move, and measures time at the table.

Synchronous: one game is one thread. A faulty bot is out of the game, and the others play on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quadrille.ai.bots.bot_game import BotGame
from quadrille.ai.bots.lines.dialogue import Chosen, Event, Replied
from quadrille.ai.bots.lines.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import LATE, BotFault
from quadrille.rules.core import Over, ToMove
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Match
from quadrille.rules.match import Played as Moved


@dataclass(frozen=True, slots=True)
class LocalResult:
    """The result of a game: the faults by seat; each seat's moves with their milliseconds, including those of a turn
    that ended too late.
    """

    over: Over
    faults: Mapping[int, BotFault]
    moves: tuple[int, ...]
    used: tuple[float, ...]
    longest: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Ends a game before its rules do: after that many `moves`, or by a draw. Every `draws` moves all bots are asked
    whether they accept one. 0: never.
    """

    moves: int = 0
    draws: int = 0

    def __str__(self) -> str:
        parts = (
            (self.moves, f"{self.moves} move{'s' if self.moves > 1 else ''} at most"),
            (self.draws, f"draws every {_moves(self.draws)}"),
        )
        return ", ".join(text for number, text in parts if number)


class LocalGame(BotGame):
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
        """Seat one player for each seat of the match, or the fault that loses it at once. Without `ponder` every
        program is stopped while it is not its turn.
        """
        assert len(players) == match.state.seats
        super().__init__(match, terms, table=table, seed=seed)
        self.bots = {seat: one for seat, one in enumerate(players) if not isinstance(one, BotFault)}
        self.umpire = umpire
        self.ponder = ponder
        self.faults: dict[int, BotFault] = {}
        self._late = [0.0] * len(players)
        self._offered = 0
        #: The bots' own thoughts, which the table tells nobody.
        self.thoughts = Thoughts()
        for seat, one in enumerate(players):
            if isinstance(one, BotFault):
                self._lose(seat, one)

    def get_ready(self) -> None:
        """Wait until all have greeted and are ready for the game, or have lost it."""
        # All are started before the first is awaited, so that nobody's time runs out because another takes long.
        for seat, bot in self._there():
            if not bot.is_greeted:
                self.hear(seat)
        names = [self._name(seat) for seat in range(self.match.state.seats)]
        for seat, bot in self._there():
            if not bot.is_told:
                self.start(seat, names)
        for seat, bot in self._there():
            if not bot.is_ready:
                self.hear(seat)
        for seat, bot in self._there():
            while seat not in self.faults and not bot.is_ready:
                self.hear(seat, 1)

    def play(self) -> LocalResult:
        """Play the whole game."""
        self.get_ready()
        for seat in self.bots:
            self._freeze(seat, still=True)
        while isinstance(turn := self.match.pending, ToMove):
            self._turn(turn.seat)
            if self.umpire is not None:
                self._adjudicate(self.umpire)
        over = self.match.over
        assert over is not None
        faults = dict(self.faults)
        for seat, bot in self.bots.items():
            self._freeze(seat, still=False)
            if seat not in faults:
                bot.over(over, self.match)
                self.hear(seat)  # its faults have no effect on the game from now on
        rows = list(zip(self.times, self._late, strict=True))
        return LocalResult(
            over,
            faults,
            tuple(map(len, self.times)),
            tuple(sum(times) + late for times, late in rows),
            tuple(max(*times, late, 0.0) for times, late in rows),
        )

    def _there(self) -> list[tuple[int, Talk]]:
        return [(seat, bot) for seat, bot in self.bots.items() if seat not in self.faults]

    def _freeze(self, seat: int, *, still: bool) -> None:
        """Stop or continue the seat's program, if bots may only think in their own turns."""
        if not self.ponder and seat not in self.faults:
            self.bots[seat].program.freeze(still=still)

    def _turn(self, seat: int) -> None:
        """Play one move, or lose the seat."""
        self._freeze(seat, still=False)
        self.ask(seat)
        event: Event | None = None
        while seat not in self.faults and not isinstance(event, Chosen):
            event = self.hear(seat, 1)
        if isinstance(event, Chosen):
            self.pay(seat)
            self._freeze(seat, still=True)
            if event.thought is not None:
                self.thoughts.add(self.match.length, seat, event.thought)
            self.match.play(event.move)
        elif self.faults[seat].kind in LATE:
            self._late[seat] = self.used

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
        match = self.match
        proposer = match.pending.seat if isinstance(match.pending, ToMove) else 0
        for seat, bot in self._there():
            self._offered += 1
            bot.offer("draw", proposer, self._offered, match)
            reply: Event | None = None
            self._freeze(seat, still=False)
            while seat not in self.faults and not isinstance(reply, Replied):
                reply = self.hear(seat, 1)
            self._freeze(seat, still=True)
            if not isinstance(reply, Replied) or not reply.agree:
                return False
        return True

    def hear(self, seat: int, timeout: float = 0) -> Event | None:
        """Return the next event of a player; a fault takes its seat out of the game."""
        try:
            return self.bots[seat].hear(timeout)
        except BotFault as fault:
            self._lose(seat, fault)
            return None

    def _name(self, seat: int) -> str:
        """Wait for the greeting of a player, and return its name. The greeting may come too late."""
        while seat not in self.faults and not self.bots[seat].is_greeted:
            self.hear(seat, 1)
        greeting = None if seat in self.faults else self.bots[seat].dialogue.greeting
        return greeting.name if greeting else f"player {seat + 1}"

    def _lose(self, seat: int, fault: BotFault) -> None:
        self.faults[seat] = fault
        if self.match.over is None:
            self.match.leave(seat, fault.kind)


def _moves(number: int) -> str:
    return f"{number} moves" if number > 1 else "move"
