"""The run of `quadrille train`: it trains, keeps the lessons on the disk, and shows how far and how strong it is.

The strength is that of games against the search of level 5, both with the same simulations. They come in blocks: in
each game of a block another seat plays by the evaluation, and all begin with the same random moves.
"""

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterator
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Final

from quadrille.client.cli import FINE, INTERRUPTED, NO, interrupts
from quadrille.client.files import alone, path_of, read_bytes, write_file
from quadrille.client.foreign import shown
from quadrille.client.progress_line import ProgressLine, duration, tell_pace
from quadrille.client.table_setup import options_of
from quadrille.extras.lab.learned.evaluation import MOST_BYTES, Evaluation, written
from quadrille.extras.lab.learned.training import MOST_GAMES, Training
from quadrille.net.core.errors import LocalError
from quadrille.rules.dice import Dice
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game
from quadrille.rules.search import WANDER, Position, TreeSearch

#: Seconds between two files of what was learned so far.
CHECKPOINT: Final = 60.0
#: The share of the time for games that show the strength so far.
SHOWN: Final = 0.1
#: Aim for the time between two looks at the clock, in seconds.
SLICE: Final = 0.05
PART: Final = ".part"
#: Simulations of each move.
SIMULATIONS: Final = 200
#: Number of the latest blocks that count.
LATEST: Final = 40
#: Most random moves at the beginning of a game, for each seat.
OPENING: Final = 2
#: UCT's exploration constant with an evaluation, times 100.
LEARNED_WANDER: Final = 70
#: Told from the dice of the training by this.
_SALT: Final = 0x5EED


def train(settings: argparse.Namespace, minutes: int) -> int:
    if settings.games is not None and settings.minutes is not None:
        raise RulesError("--games and --minutes both say when to stop: name one of them")
    chosen = game(settings.game)
    fresh = Training(chosen, options_of(settings, chosen), settings.seats, seed=settings.seed)
    name = settings.output or f"{chosen.key}-{fresh.terms.start.seats}.weights"
    tell_pace()
    with alone(name):
        training = _training(fresh, name)
        if settings.games is not None and training.games > settings.games:
            has = f"{name}{PART} has {training.games:,} games already"
            raise RulesError(f"{has}: name another file with -o, or more games")
        seconds = inf if settings.games is not None else 60.0 * (settings.minutes or minutes)
        return TrainingRun(training, name, settings.games or MOST_GAMES, seconds).go()


def _training(fresh: Training, name: str) -> Training:
    """Return the training that goes on, or a new one, and see that its files can be written."""
    if not path_of(name + PART).exists():
        if path_of(name).exists():
            raise RulesError(f"there is a file {name} already, and no {name}{PART} to go on from: name another with -o")
        try:
            write_file(name + PART, fresh.written())
        except OSError as error:
            helps = "Free some space, or name a file in another folder with -o"
            raise LocalError(f"{name}{PART} can't be written: {error.strerror or error}. {helps}") from None
        return fresh
    training = Training.read(read_bytes(name + PART, MOST_BYTES), name + PART)
    if training.terms != fresh.terms:
        raise RulesError(
            f"{name}{PART} learns {training.terms}, and this command {fresh.terms}: "
            "name another file with -o, or delete it"
        )
    print(f"Going on from {name}{PART}: {training.games:,} games.", file=sys.stderr)
    return training


class Comparison:
    """Games of a training's evaluation against the search, move by move. Nothing here changes the training."""

    __slots__ = ("_block", "_dice", "_shares", "_training")

    def __init__(self, training: Training) -> None:
        self._training = training
        self._dice = Dice(training.terms.seed + _SALT + training.games)
        self._shares: deque[float] = deque(maxlen=LATEST)
        self._block: Iterator[None] = iter(())

    def go_on(self) -> None:
        """Make one move. Each block is played with what was learned when it begins."""
        for _ in self._block:
            return
        self._block = self._play(self._training.evaluation())

    @property
    def text(self) -> str:
        """The mean share of the points in the latest blocks, with its standard error; "" while they are too few."""
        if len(self._shares) < 2:
            return ""
        error = stdev(self._shares) / sqrt(len(self._shares))
        return f"{100 * fmean(self._shares):.0f} ± {100 * error:.0f} % of the points against level 5's search"

    def _play(self, evaluation: Evaluation) -> Iterator[None]:
        """Play a block, move by move."""
        start = Position(self._training.terms.start)
        for _ in range(1 + self._dice.below(OPENING * start.seats)):
            if not start.over:
                start.apply_quickly(start.random_move(self._dice))
        shares = []
        for seat in range(start.seats):
            plain, learned = start.copy(), start.copy()
            learned.board = evaluation.board(plain.state)
            while not plain.over:
                by, wander = (learned, LEARNED_WANDER) if plain.seat == seat else (plain, WANDER)
                search = TreeSearch(by, self._dice.below(1 << 30), wander=wander)
                search.go_on(SIMULATIONS)
                [move] = search.turn()
                plain.apply_quickly(move)
                learned.apply_quickly(move)
                yield
            shares.append((1 + plain.payoffs()[seat] / (start.seats - 1)) / 2)
        self._shares.append(fmean(shares))


class TrainingRun:
    """One run of a training. It ends after a total of games or seconds over all runs."""

    def __init__(self, training: Training, name: str, games: int, seconds: float) -> None:
        self.training = training
        self.comparison = Comparison(training)
        self._name = name
        self._games, self._seconds = games, seconds
        self._before, self._had = training.seconds, training.games
        self._line = ProgressLine()
        self._kept = time.monotonic()
        self._comparing = 0.0
        self._slice = 1
        self._stopping = False

    def _stop(self) -> None:
        self._stopping = True

    def go(self) -> int:
        """Train, and write the file; return the exit code."""
        with interrupts(self._stop):
            while not self._stopping and self._left() > 0:
                self._learn()
                if time.monotonic() - self._kept >= CHECKPOINT:
                    self._keep()
                self._line.tell(self._progress)
            self._line.end()
            return self._finish()

    def _left(self) -> float:
        """Return the time left, in seconds."""
        if self.training.games >= self._games:
            return 0.0
        played = self.training.games - self._had
        by_games = (self._games - self.training.games) * self._line.age / played if played else inf
        return max(0.0, min(by_games, self._seconds - self._before - self._line.age))

    def _learn(self) -> None:
        """Learn from some games, or make a move of those that show the strength."""
        began = time.monotonic()
        if self._comparing < SHOWN * self._line.age:
            self.comparison.go_on()
            self._comparing += time.monotonic() - began
            return
        self.training.go_on(min(self._slice, self._games - self.training.games))
        spent = time.monotonic() - began
        self._slice = self._slice * 2 if spent < SLICE else max(1, self._slice // 2)

    def _keep(self) -> bool:
        """Write what can be gone on from; return whether that could be done."""
        self._kept = time.monotonic()
        self.training.seconds = self._before + round(self._line.age)
        try:
            write_file(self._name + PART, self.training.written(), over=True)
        except OSError as error:
            helps = "The lessons kept before are still there: free some space, and the next minute is kept."
            self._line.say(f"{self._name}{PART} can't be written: {error.strerror or error}. {helps}")
            return False
        return True

    def _finish(self) -> int:
        """Write the file of weights, and say how things stand."""
        is_kept, evaluation = self._keep(), self.training.evaluation()
        try:
            write_file(self._name, written(evaluation), over=True)
        except OSError as error:
            kept = f"All is kept in {self._name}{PART}" if is_kept else "Its training could not be kept either"
            helps = f"{kept}: free some space and run the same command again."
            self._line.say(f"{self._name} can't be written: {error.strerror or error}. {helps}")
            return NO
        games = f"{evaluation.games:,} games in {duration(self.training.seconds)}"
        print(f"{'Stopped: ' if self._stopping else ''}{shown(self._name)} has learned from {games}.")
        print(f"SHA-256 {evaluation.digest}")
        if strength := self.comparison.text:
            print(f"{strength} of {SIMULATIONS} simulations a move.")
        more = "the same command" if self._stopping else "the same command with a larger number"
        print(f"{more[0].upper()}{more[1:]} goes on from {shown(self._name)}{PART}.")
        return INTERRUPTED if self._stopping else FINE

    def _progress(self) -> str:
        """Say how far the training is."""
        rate = (self.training.games - self._had) / self._line.age
        left = self._left()
        parts = [f"{self.training.games:,} games", f"{rate:,.0f} a second", self.comparison.text]
        return ", ".join(filter(None, (*parts, f"{duration(left)} left" if left < inf else "")))
