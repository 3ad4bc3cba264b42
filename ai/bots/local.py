"""One game between bots, on a match that is all here: who is to move is asked, and time is taken at the table.

Synchronous: one game is one thread. What a bot does wrong takes it out of the game, and the others play on.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from quadrille.ai.bots.bot_game import BotGame
from quadrille.ai.bots.lines.answers import Greeting
from quadrille.ai.bots.lines.dialogue import Chosen, Event, Replied
from quadrille.ai.bots.process.meter import METERED
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.referee import Referee, Ruling
from quadrille.ai.bots.talk import Talk
from quadrille.ai.bots.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.faults import BotFault
from quadrille.rules.core import Over, ToMove
from quadrille.rules.match import Match
from quadrille.rules.match import Played as Moved

#: Faults of those who did not move in time.
LATE: Final = ("time", "stall")


@dataclass(frozen=True, slots=True)
class LocalResult:
    """How a game went: what each faulty seat did, and for each seat its moves and the milliseconds that they took, with
    those of a turn in which it was too late; the seconds of processor time that its program used while it was not to
    move, where the system tells.
    """

    over: Over
    faults: Mapping[int, BotFault]
    moves: tuple[int, ...]
    used: tuple[float, ...]
    longest: tuple[float, ...]
    pondered: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game is ended before its rules end it: after so many `moves`; when all bots agree on a draw, for which
    they are asked every `draws` moves; when all have said the same places in so many of their turns (`agreed`); when
    the referee says so, who is asked `every` so many moves. 0: never.
    """

    moves: int = 0
    draws: int = 0
    agreed: int = 0
    every: int = 0

    def __str__(self) -> str:
        parts = (
            (self.moves, f"{self.moves} move{'s' if self.moves > 1 else ''} at most"),
            (self.draws, f"draws every {_moves(self.draws)}"),
            (self.agreed, f"places agreed on for {_turns(self.agreed)}"),
            (self.every, f"judged every {_moves(self.every)}"),
        )
        return ", ".join(text for number, text in parts if number)


class LocalGame(BotGame):
    """A game in progress between programs. One that does wrong, or does not say who it is, loses its seat."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Talk],
        terms: TimeTerms = USUAL_TERMS,
        *,
        seed: str | Sequence[str] = "",
        table: str = "local",
        umpire: Adjudication | None = None,
        referee: Referee | None = None,
        ponder: bool = True,
    ) -> None:
        """A player for each seat of the match. A `referee` has been told of this game, and is asked as the umpire says;
        what it does wrong is raised. Without `ponder` all programs but that of the seat to move stand still.
        """
        assert len(players) == match.state.seats
        super().__init__(match, terms, table=table, seed=seed)
        self.bots = dict(enumerate(players))
        self.umpire = umpire
        self.referee = referee
        self.ponder = ponder
        self.faults: dict[int, BotFault] = {}
        self._late = [0.0] * len(players)
        #: Seconds of processor time in its own turns, by seat.
        self._turns = [0.0] * len(players)
        self._offered = 0
        #: By seat, the places that it said in its last turns.
        self._said = [deque[tuple[int, ...] | None](maxlen=umpire.agreed) for _ in players if umpire and umpire.agreed]

    def get_ready(self) -> None:
        """Wait until all have said who they are and that they are ready for the game, or have lost it."""
        # All are told before any is waited for: nobody's time is to run out because another takes long.
        for seat, bot in self._there():
            if not bot.is_greeted:
                self.hear(seat)
        greetings = [self._greeting(seat) for seat in self.bots]
        names = [greeting.name if greeting else f"player {seat + 1}" for seat, greeting in enumerate(greetings)]
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
        """All of it."""
        self.get_ready()
        before = [self._processor(seat) for seat in self.bots]
        for seat in self.bots:
            self._freeze(seat, still=True)
        while (turn := self.match.pending) and isinstance(turn, ToMove):
            self._turn(turn.seat)
            if self.umpire is not None:
                self._adjudicate(self.umpire)
        over = self.match.over
        assert over is not None
        faults = dict(self.faults)
        pondered = [self._processor(seat) - before[seat] - self._turns[seat] for seat in self.bots]
        for seat, bot in self.bots.items():
            self._freeze(seat, still=False)
            if seat not in faults:
                bot.over(over, self.match)
                self.hear(seat)  # what it does wrong from now on costs it nothing here
        rows = list(zip(self.times, self._late, strict=True))
        return LocalResult(
            over,
            faults,
            tuple(map(len, self.times)),
            tuple(sum(times) + late for times, late in rows),
            tuple(max(*times, late, 0.0) for times, late in rows),
            tuple(max(0.0, used) for used in pondered) if METERED else (),
        )

    def _there(self) -> list[tuple[int, Talk]]:
        """The bots that have not lost their seats."""
        return [(seat, bot) for seat, bot in self.bots.items() if seat not in self.faults]

    def _freeze(self, seat: int, *, still: bool) -> None:
        """Where bots think in their own turns only: its program stands still, or goes on."""
        if not self.ponder and seat not in self.faults:
            self.bots[seat].program.freeze(still=still)

    def _processor(self, seat: int) -> float:
        """The processor time of its program, where it is one of this machine that still runs."""
        program = self.bots[seat].program
        return program.processor() if METERED and isinstance(program, Program) else 0.0

    def _turn(self, seat: int) -> None:
        """One move; or the seat is lost."""
        self._freeze(seat, still=False)
        used_before = self._processor(seat)
        self.ask(seat)
        event: Event | None = None
        while seat not in self.faults and not isinstance(event, Chosen):
            event = self.hear(seat, 1)
        if isinstance(event, Chosen):
            self.pay(seat)
        elif self.faults[seat].kind in LATE:
            self._late[seat] = self.used
        self._turns[seat] += self._processor(seat) - used_before
        if isinstance(event, Chosen):
            self._freeze(seat, still=True)
            self.match.play(event.move)
            if self._said:
                self._said[seat].append(event.places)

    def _adjudicate(self, umpire: Adjudication) -> None:
        """End a game whose result all bots agree on, that the referee ends, or that goes on for too long."""
        match, played = self.match, self.match.ply
        if match.over is not None:
            return
        moved = isinstance(match.since(-1)[0], Moved)  # else a seat has left, and the others were asked before
        if umpire.agreed and (places := self._agreed(umpire.agreed)):
            shown = ", ".join(map(str, places))
            match.adjudicate(places, f"all agreed on the places {shown} for {_turns(umpire.agreed)}")
        elif umpire.draws and moved and played % umpire.draws == 0 and self._all_agree():
            match.agree()
        elif umpire.every and moved and played % umpire.every == 0 and (ruling := self._judged()):
            match.adjudicate(ruling.places, f"the referee: {ruling.why}")
        elif umpire.moves and played >= umpire.moves and match.over is None:
            drawn = match.copy()
            drawn.agree()
            assert drawn.over is not None
            were = "move was" if played == 1 else "moves were"
            match.adjudicate(drawn.over.places, f"{played} {were} played, and no more are")

    def _judged(self) -> Ruling | None:
        """What the referee says, if there is still anything to say."""
        assert self.referee is not None
        return self.referee.judge(self.match) if self.match.over is None else None

    def _agreed(self, turns: int) -> tuple[int, ...] | None:
        """The places that all who are still in have said in each of so many turns of theirs. Only how they see
        themselves is compared: those who have left are behind them, as the rules have it.
        """
        board = self.match.state.board
        there = [seat for seat in range(board.seats) if not board.left[seat]]
        found = set[tuple[int, ...]]()
        for seat in there:
            for row in self._said[seat]:
                if row is None:
                    return None
                found.add(tuple(1 + sum(row[other] < row[one] for other in there) for one in there))
            if len(self._said[seat]) < turns or len(found) > 1:
                return None
        best = dict(zip(there, found.pop(), strict=True))
        return tuple(best.get(seat) or board.place(seat) for seat in range(board.seats))

    def _all_agree(self) -> bool:
        """Whether all who are still in take a draw; a bot that does not answer does not."""
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
        """What that player says; a fault takes its seat out of the game."""
        try:
            return super().hear(seat, timeout)
        except BotFault as fault:
            self._lose(seat, fault)
            return None

    def _greeting(self, seat: int) -> Greeting | None:
        """Who sits there; nobody who has not said so in time."""
        while seat not in self.faults and not self.bots[seat].is_greeted:
            self.hear(seat, 1)
        return None if seat in self.faults else self.bots[seat].dialogue.greeting

    def _lose(self, seat: int, fault: BotFault) -> None:
        self.faults[seat] = fault
        if self.match.over is None:
            self.match.leave(seat, fault.kind)


def _moves(number: int) -> str:
    return f"{number} moves" if number > 1 else "move"


def _turns(number: int) -> str:
    return f"{number} turns each" if number > 1 else "a turn each"


def play(match: Match, players: Sequence[Talk], **terms: Any) -> LocalResult:
    """Play a match to its end. The `terms` are fields of `TimeTerms`, and what else `LocalGame` takes."""
    times = {field.name: terms.pop(field.name) for field in fields(TimeTerms) if field.name in terms}
    return LocalGame(match, players, TimeTerms(**times), **terms).play()
