"""One game between bots, on a match that is all here: who is to move is asked, and time is taken at the table.

Synchronous: one game is one thread. What a bot does wrong takes it out of the game, and the others play on.
"""

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from quadrille.ai.answers import Greeting
from quadrille.ai.dialogue import PATIENCE, Chosen, Ready, Replied
from quadrille.ai.faults import BotFault
from quadrille.ai.meter import METERED
from quadrille.ai.program import Program
from quadrille.ai.referee import Referee, Ruling
from quadrille.ai.talk import Talk, now
from quadrille.net.terms import TimeControl
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


class LocalGame:
    """A game in progress between programs; one that does not say who it is loses it."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Talk],
        *,
        clock: TimeControl | None = None,
        patience: int = PATIENCE,
        budget: int | None = None,
        seed: str | Sequence[str] = "",
        table: str = "local",
        period: int = 0,
        free: int = 0,
        margin: int = 0,
        work: int | None = None,
        umpire: Adjudication | None = None,
        referee: Referee | None = None,
        ponder: bool = True,
    ) -> None:
        """A player for each seat of the match. `seed` is for the players' dice, one for all or one for each seat.
        Nothing of the deal may follow from it.
        A `referee` has been told of this game, and is asked as the umpire says; what it does wrong is raised.

        Without a `clock` each move may take `patience` milliseconds, and is advised to take `budget`. With one, a seat
        has its initial time anew after every `period` of its moves, and `free` milliseconds of each move cost nothing.
        Nobody is late by less than `margin`. `work` is what bots are told to do for each move. Without `ponder` all
        programs but that of the seat to move stand still.
        """
        assert len(players) == match.state.seats
        self.match = match
        self.players = tuple(players)
        self.clock = clock
        self.patience = patience
        self.budget = budget
        self.period, self.free, self.margin, self.work = period, free, margin, work
        self.umpire = umpire
        self.referee = referee
        self.ponder = ponder
        self.faults: dict[int, BotFault] = {}
        self.left = [clock.initial if clock else 0] * len(players)
        self.times: list[list[float]] = [[] for _ in players]
        self._late = [0.0] * len(players)
        #: Seconds of processor time in its own turns, by seat.
        self._turns = [0.0] * len(players)
        self._offered = 0
        #: By seat, the places that it said in its last turns.
        self._said = [deque[tuple[int, ...] | None](maxlen=umpire.agreed) for _ in players if umpire and umpire.agreed]
        # All are told before any is waited for: nobody's time is to run out because another takes long.
        for seat, talk in enumerate(players):
            if talk.dialogue.greeting is None:
                self._hear(seat, 0)
        greetings = [None if seat in self.faults else self._greeting(seat) for seat in range(len(players))]
        names = [greeting.name if greeting else f"player {seat + 1}" for seat, greeting in enumerate(greetings)]
        terms = (clock.initial, clock.increment) if clock else None
        seeds = [seed] * len(players) if isinstance(seed, str) else seed
        for seat, talk in enumerate(players):
            if seat not in self.faults:
                view = match.state.view(seat)
                talk.dialogue.start(match, view, seat, now(), table=table, names=names, clock=terms, seed=seeds[seat])
        there = [seat for seat in range(len(players)) if seat not in self.faults]
        self._unready = [seat for seat in there if not isinstance(self._hear(seat, 0), Ready)]

    def get_ready(self) -> None:
        """Wait until all have said that they are ready for the game, or have lost it."""
        for seat in self._unready:
            while seat not in self.faults and not isinstance(self._hear(seat, 1), Ready):
                pass
        self._unready.clear()

    def play(self) -> LocalResult:
        """All of it."""
        self.get_ready()
        before = [self._processor(seat) for seat in range(len(self.players))]
        for seat in range(len(self.players)):
            self._freeze(seat, still=True)
        while (turn := self.match.pending) and isinstance(turn, ToMove):
            self._turn(turn.seat)
            if self.umpire is not None:
                self._adjudicate(self.umpire)
        over = self.match.over
        assert over is not None
        faults = dict(self.faults)
        pondered = [self._processor(seat) - before[seat] - self._turns[seat] for seat in range(len(self.players))]
        for seat, talk in enumerate(self.players):
            self._freeze(seat, still=False)
            if seat not in faults:
                talk.dialogue.over(over, self.match, self.match.state.view(seat))
                self._hear(seat, 0)  # what it does wrong from now on costs it nothing here
        rows = list(zip(self.times, self._late, strict=True))
        return LocalResult(
            over,
            faults,
            tuple(map(len, self.times)),
            tuple(sum(times) + late for times, late in rows),
            tuple(max(*times, late, 0.0) for times, late in rows),
            tuple(max(0.0, used) for used in pondered) if METERED else (),
        )

    def _freeze(self, seat: int, *, still: bool) -> None:
        """Where bots think in their own turns only: its program stands still, or goes on."""
        if not self.ponder and seat not in self.faults:
            self.players[seat].program.freeze(still=still)

    def _processor(self, seat: int) -> float:
        """The processor time of its program, where it is one of this machine that still runs."""
        program = self.players[seat].program
        return program.processor() if METERED and isinstance(program, Program) else 0.0

    def _turn(self, seat: int) -> None:
        """One move; or the seat is lost."""
        match, clock = self.match, self.clock
        dialogue = self.players[seat].dialogue
        view = match.state.view(seat)
        left, increment = (tuple(self.left), clock.increment) if clock else (None, 0)
        if left is not None and self.free:
            left = tuple(time + self.free for time in left)
        dialogue.turn(
            match,
            view,
            now(),
            left=left,
            increment=increment,
            patience=self.patience,
            budget=self.budget,
            margin=self.margin,
            work=self.work,
        )
        self._freeze(seat, still=False)
        used_before = self._processor(seat)
        began = time.perf_counter()
        while seat not in self.faults:
            event = self._hear(seat, 1)
            if isinstance(event, Chosen):
                used = 1000 * (time.perf_counter() - began)
                self.times[seat].append(used)
                if clock:
                    self.left[seat] += clock.increment - min(max(round(used) - self.free, 0), self.left[seat])
                    if self.period and len(self.times[seat]) % self.period == 0:
                        self.left[seat] += clock.initial
                self._turns[seat] += self._processor(seat) - used_before
                self._freeze(seat, still=True)
                match.play(event.move)
                if self._said:
                    self._said[seat].append(event.places)
                return
        self._turns[seat] += self._processor(seat) - used_before
        if self.faults[seat].kind in LATE:
            self._late[seat] = 1000 * (time.perf_counter() - began)

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
        there = [seat for seat in range(len(self.players)) if seat not in self.faults]
        proposer = match.pending.seat if isinstance(match.pending, ToMove) else 0
        for seat in there:
            view = match.state.view(seat)
            number = self._offered = self._offered + 1
            self.players[seat].dialogue.offer("draw", proposer, number, match, view, now())
            reply = None
            self._freeze(seat, still=False)
            while seat not in self.faults and not isinstance(reply, Replied):
                reply = self._hear(seat, 1)
            self._freeze(seat, still=True)
            if not isinstance(reply, Replied) or not reply.agree:
                return False
        return True

    def _hear(self, seat: int, timeout: float) -> Any:
        """What that player says; a fault takes its seat out of the game."""
        try:
            return self.players[seat].hear(timeout)
        except BotFault as fault:
            self._lose(seat, fault)
            return None

    def _greeting(self, seat: int) -> Greeting | None:
        """Who sits there; nobody who has not said so in time."""
        try:
            return self.players[seat].greet()
        except BotFault as fault:
            self._lose(seat, fault)
            return None

    def _lose(self, seat: int, fault: BotFault) -> None:
        self.faults[seat] = fault
        if self.match.over is None:
            self.match.leave(seat, fault.kind)


def _moves(number: int) -> str:
    return f"{number} moves" if number > 1 else "move"


def _turns(number: int) -> str:
    return f"{number} turns each" if number > 1 else "a turn each"


def play(match: Match, players: Sequence[Talk], **terms: Any) -> LocalResult:
    """Play a match to its end (`LocalGame`)."""
    return LocalGame(match, players, **terms).play()
