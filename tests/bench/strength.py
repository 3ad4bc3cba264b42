"""How strong the opponents of the house are: paired matches, every seat in turn, with error bars.

    python -m tests.bench.strength [--pairs N] [--seed N] [--budget MS] [--processes N] [--table NAME ...]
                                   [--match A B] [--opening PLIES] [--processor]

No table of TABLES is a board whose symmetry decides: where all sides are even, whoever moves second can answer each
move with its image. Those of OPENED are, and are played after an opening of random moves only. Everything runs in
processes of its own, without lines and without a network; install the wheel with the compiled engine for figures that
mean anything. The same seed is played with the first player in every seat; a pair's score is the average of these
games, and the error is that of the mean over pairs. With --processor a budget is processor time, so that other programs
on the machine change no result.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents import opponent, thinking
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, settle
from quadrille.rules.native.compiled import engine
from quadrille.rules.registry import game

#: What is played: name, game, options, seats.
TABLES: dict[str, tuple[str, dict[str, Any], int]] = {
    "Maze 6": ("maze", {}, 2),
    "Maze 8": ("maze", {"size": 8}, 2),
    "Dollar Draw 9 x 9": ("dollar-draw", {"width": 9, "height": 9}, 2),
    "Coin Isolation": ("coin-isolation", {}, 2),
    "Barons 9 x 9": ("barons", {"width": 9, "height": 9}, 2),  # symmetry decides no odd board
    "Barons, 3 seats": ("barons", {"width": 10, "height": 10}, 3),
    "Dotter, 2 laps": ("dotter", {"laps": 2}, 2),
}
#: Boards that symmetry decides unless the game begins with an opening.
OPENED: dict[str, tuple[str, dict[str, Any], int]] = {
    "Barons 10 x 10": ("barons", {"width": 10, "height": 10}, 2),
}
#: Who plays whom, and what is wanted of the first, as a part of all games: more than half where nothing is said.
MATCHES: tuple[tuple[str, str, float], ...] = (
    ("5", "random", 0.99),
    ("5", "greedy", 0.8),
    ("5", "4", 0.5),
    ("4", "3", 0.5),
    ("3", "2", 0.5),
    ("2", "1", 0.5),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One game with each seat in turn for the first player, all from the same seed."""

    table: str
    first: str
    second: str
    seed: int
    budget: int
    opening: int = 0


def score(pair: Pair) -> float:
    """What the first player had of it, from 0 to 1: half of it where all are equal."""
    seats = (TABLES | OPENED)[pair.table][2]
    return statistics.mean(played(pair, seat) for seat in range(seats))


def played(pair: Pair, first: int) -> float:
    """One game; the part of the others that the first player was ahead of, who shared a place counted half."""
    key, options, seats = (TABLES | OPENED)[pair.table]
    players: list[Bot] = [opponent(pair.first if seat == first else pair.second) for seat in range(seats)]
    dice = [random.Random(f"{pair.seed} {seat} {first}") for seat in range(seats)]
    dealer = SeedDealer(str(pair.seed))
    state: Any = settle(game(key).start(options, seats), dealer)
    opening = random.Random(f"{pair.seed} opening")
    for _ in range(pair.opening):
        if isinstance(state.pending, Over):
            break
        state = settle(state.play(state.moves.sample(opening)), dealer)
    while not isinstance(state.pending, Over):
        seat = state.board.turn
        clock = Clock(seat, None, 0, pair.budget)
        state = settle(state.play(players[seat].choose(state.view(seat), clock, dice[seat])), dealer)
    places = state.pending.places
    others = [place for seat, place in enumerate(places) if seat != first]
    return statistics.mean((1 + (place > places[first]) - (place < places[first])) / 2 for place in others)


def by_processor_time() -> None:
    """Give the bots of this process a clock that runs only while it does."""
    thinking.time = SimpleNamespace(perf_counter=time.process_time)


def scores(asked: list[Pair], *, processes: int = 1, processor: bool = False) -> list[float]:
    """The score of each pair; with `processor`, budgets are processor time."""
    begin = by_processor_time if processor else None
    with ProcessPoolExecutor(processes, initializer=begin) as pool:
        return list(pool.map(score, asked))


def lines(settings: argparse.Namespace) -> Iterator[str]:
    """A line for every match, as soon as it is played."""
    of_what = " of processor time" if settings.processor else ""
    yield f"The engine is {engine()}; level 5 thinks for {settings.budget} ms{of_what} a move."
    wanted_of = {(first, second): wanted for first, second, wanted in MATCHES}
    matches = [tuple(settings.match)] if settings.match else list(wanted_of)
    for table in settings.table or TABLES:
        for first, second in matches:
            wanted = wanted_of.get((first, second), 0.5)
            begin = time.perf_counter()
            seeds = range(settings.seed, settings.seed + settings.pairs)
            asked = [Pair(table, first, second, seed, settings.budget, settings.opening) for seed in seeds]
            row = scores(asked, processes=settings.processes, processor=settings.processor)
            mean, error = statistics.mean(row), statistics.stdev(row) / len(row) ** 0.5
            spent = time.perf_counter() - begin
            games = len(row) * (TABLES | OPENED)[table][2]
            won = f"{mean:7.1%} ±{error:5.1%}  wanted {wanted:4.0%}"
            yield f"{table:18} {first:>10} - {second:10} {won}  {games:4} games  {spent:5.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first pair: not one that a change was tuned on")
    parser.add_argument("--budget", type=int, default=150, help="milliseconds a move for who uses the clock")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--table", action="append", choices=tuple(TABLES | OPENED))
    parser.add_argument("--match", nargs=2, metavar=("A", "B"))
    parser.add_argument("--opening", type=int, default=0, metavar="PLIES", help="random moves before the first choice")
    parser.add_argument("--processor", action="store_true", help="count processor time, not that of the wall clock")
    settings = parser.parse_args()
    if not settings.opening and any(table in OPENED for table in settings.table or ()):
        parser.error("symmetry decides this table: give --opening PLIES, such as 4")
    for line in lines(settings):
        print(line, flush=True)


if __name__ == "__main__":
    main()
