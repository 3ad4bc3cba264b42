"""One game between bots, on a match that is all here: who is to move is asked, and time is taken at the table.

Synchronous: one game is one thread. What a bot does wrong takes it out of the game, and the others play on.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quadrille.ai.answers import Greeting
from quadrille.ai.dialogue import PATIENCE, Chosen, Ready
from quadrille.ai.faults import BotFault
from quadrille.ai.talk import Talk, now
from quadrille.net.terms import Clock
from quadrille.rules.core import Over, ToMove
from quadrille.rules.match import Match


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went: what each faulty seat did, and for each seat its moves and the milliseconds that they took."""

    over: Over
    faults: Mapping[int, BotFault]
    moves: tuple[int, ...]
    used: tuple[float, ...]
    longest: tuple[float, ...]


class LocalGame:
    """A game in progress between programs; one that does not say who it is loses it."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Talk],
        *,
        clock: Clock | None = None,
        patience: int = PATIENCE,
        budget: int | None = None,
        seed: str = "",
        table: str = "local",
    ) -> None:
        """A player for each seat of the match. `seed` is for the players' dice: nothing of the deal may follow from it.

        Without a `clock` each move may take `patience` milliseconds, and is advised to take `budget`.
        """
        assert len(players) == match.state.seats
        self.match = match
        self.players = tuple(players)
        self.clock = clock
        self.patience = patience
        self.budget = budget
        self.faults: dict[int, BotFault] = {}
        self.left = [clock.initial if clock else 0] * len(players)
        self.times: list[list[float]] = [[] for _ in players]
        self._unready = dict.fromkeys(range(len(players)))
        greetings = [self._greeting(seat) for seat in range(len(players))]
        names = [greeting.name if greeting else f"player {seat + 1}" for seat, greeting in enumerate(greetings)]
        terms = (clock.initial, clock.increment) if clock else None
        for seat, talk in enumerate(players):
            if seat not in self.faults:
                view = match.state.view(seat)
                talk.dialogue.start(match, view, seat, now(), table=table, names=names, clock=terms, seed=seed)

    def get_ready(self) -> None:
        """Wait until all have said that they are ready for the game, or have lost it."""
        for seat in self._unready:
            while seat not in self.faults and not isinstance(self._hear(seat, 1), Ready):
                pass
        self._unready.clear()

    def play(self) -> Played:
        """All of it."""
        self.get_ready()
        while (turn := self.match.pending) and isinstance(turn, ToMove):
            self._turn(turn.seat)
        over = self.match.over
        assert over is not None
        faults = dict(self.faults)
        for seat, talk in enumerate(self.players):
            if seat not in faults:
                talk.dialogue.over(over, self.match, self.match.state.view(seat))
                self._hear(seat, 0)  # what it does wrong from now on costs it nothing here
        times = self.times
        return Played(
            over,
            faults,
            tuple(map(len, times)),
            tuple(map(sum, times)),
            tuple(max(row, default=0.0) for row in times),
        )

    def _turn(self, seat: int) -> None:
        """One move; or the seat is lost."""
        match, clock = self.match, self.clock
        dialogue = self.players[seat].dialogue
        view = match.state.view(seat)
        left, increment = (tuple(self.left), clock.increment) if clock else (None, 0)
        dialogue.turn(match, view, now(), left=left, increment=increment, patience=self.patience, budget=self.budget)
        began = time.perf_counter()
        while seat not in self.faults:
            event = self._hear(seat, 1)
            if isinstance(event, Chosen):
                used = 1000 * (time.perf_counter() - began)
                self.times[seat].append(used)
                if clock:
                    self.left[seat] += clock.increment - min(round(used), self.left[seat])
                match.play(event.move)
                return

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


def play(match: Match, players: Sequence[Talk], **terms: Any) -> Played:
    """Play a match to its end (`LocalGame`)."""
    return LocalGame(match, players, **terms).play()
