"""What a book of openings costs beside the games that its own openings are measured by.

    python -m tests.bench.openings [--count N] [--workers N] [GAME …]

For each game: the seconds until the book is there, the processor time of all workers, and how many drafts were looked
at for it. `times` is that processor time in units of what the games of the strongest alpha-beta from the openings of
the book take alone: nobody can measure a book without them, and a machine that is slow or busy is so in both. `score`
is the first seat's part of the points in those games, at each strength.
"""

import argparse
import os
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from statistics import mean
from typing import Final

from quadrille.ai.tournament.plans.openings import Asked, Making, Measured, Openings, _played, judge, start_of
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.native.compiled import engine
from quadrille.rules.registry import game

#: The boards: no dice on any of them, and more to choose from than a book needs.
GAMES: Final[Mapping[str, Mapping[str, int]]] = {
    "maze": {"size": 8},
    "dollar-draw": {"width": 9, "height": 9},
    "barons": {"width": 10, "height": 10},
}
SEED: Final = "bench"
#: Jobs that a worker has before it, so that it never waits.
AHEAD: Final = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """What a book of one game cost, and the first seat's part of the points from its openings at each strength."""

    openings: int
    drafts: int
    seconds: float
    worked: float
    games: float
    scores: tuple[float, ...]


def contest(key: str) -> Contest:
    """The game as the bench plays it."""
    return Contest(key, tuple(sorted(game(key).read_options(GAMES[key]).plain().items())))  # type: ignore[arg-type]


def judged(asked: Asked) -> tuple[list[Measured | None], float]:
    """The measures of some drafts, and the processor time that they took."""
    begin = time.process_time()
    return judge(asked), time.process_time() - begin


def replayed(asked: tuple[Contest, tuple[str, ...], tuple[int, ...]]) -> tuple[list[int], float]:
    """The first seat's payoff from an opening at each strength, and the processor time that the strongest took."""
    played, opening, strengths = asked
    position = start_of(played)
    for text in opening:
        position.apply_quickly(position.read(text))
    payoffs = [_played(position, strength) for strength in strengths[:-1]]
    begin = time.process_time()
    payoffs.append(_played(position, strengths[-1]))
    return payoffs, time.process_time() - begin


def cost(key: str, count: int, pool: Pool, workers: int) -> Cost:
    """Make a book and measure it."""
    begin, worked = time.perf_counter(), time.process_time()
    making = Making(contest(key), Openings(count=count, fewer=True), SEED)
    given: deque[AsyncResult[tuple[list[Measured | None], float]]] = deque()
    spent, drafts = 0.0, 0
    while not making.full:
        while len(given) < AHEAD * workers and (asked := making.give()) is not None:
            given.append(pool.apply_async(judged, (asked,)))
            drafts += len(asked.drafts)
        if not given:
            break
        measures, part = given.popleft().get()
        making.take(measures)
        spent += part
    seconds, spent = time.perf_counter() - begin, spent + time.process_time() - worked
    book = making.finished()
    rows = pool.map(replayed, [(making.contest, opening, making._strengths) for opening in book], 1)
    scores = tuple((1 + mean(column)) / 2 for column in zip(*(payoffs for payoffs, _ in rows), strict=True))
    return Cost(len(book), drafts, seconds, spent, sum(part for _, part in rows), scores)


def main(words: list[str] | None = None) -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description="what a book of openings costs")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(words)
    print(f"{engine()} rules, {options.workers} workers")
    print(f"{'':12} openings  drafts  seconds  processor  times  score")
    with get_context("spawn").Pool(options.workers) as pool:
        for key in options.games or GAMES:
            found = cost(key, options.count, pool, options.workers)
            print(
                f"{key:12} {found.openings:8} {found.drafts:7} {found.seconds:8.1f} {found.worked:10.1f} "
                f"{found.worked / found.games:6.1f}  {' '.join(f'{score:.3f}' for score in found.scores)}"
            )


if __name__ == "__main__":
    main()
