"""How strong the opponents of the house are: paired matches, every seat in turn, with error bars.

    python -m tests.bench.strength [--pairs N] [--seed N] [--budget MS] [--processes N] [--table NAME ...]
                                   [--match A B]

No table here is a board whose symmetry decides: where all sides are even, whoever moves second can answer each move
with its image. Everything runs in this process, or in several, without lines and without a network; install the wheel
with the compiled engine for figures that mean anything. The same seed is played with the first player in every seat; a
pair's score is the average of these games, and the error is that of the mean over pairs.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents import opponent
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
    "Barons, 3 seats": ("barons", {}, 3),
    "Dotter, 2 laps": ("dotter", {"laps": 2}, 2),
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


def score(pair: Pair) -> float:
    """What the first player had of it, from 0 to 1: half of it where all are equal."""
    seats = TABLES[pair.table][2]
    return statistics.mean(played(pair, seat) for seat in range(seats))


def played(pair: Pair, first: int) -> float:
    """One game; the part of the others that the first player was ahead of, who shared a place counted half."""
    key, options, seats = TABLES[pair.table]
    players: list[Bot] = [opponent(pair.first if seat == first else pair.second) for seat in range(seats)]
    dice = [random.Random(f"{pair.seed} {seat} {first}") for seat in range(seats)]
    dealer = SeedDealer(str(pair.seed))
    state: Any = settle(game(key).start(options, seats), dealer)
    while not isinstance(state.pending, Over):
        seat = state.board.turn
        clock = Clock(seat, None, 0, pair.budget)
        state = settle(state.play(players[seat].choose(state.view(seat), clock, dice[seat])), dealer)
    places = state.pending.places
    others = [place for seat, place in enumerate(places) if seat != first]
    return statistics.mean((1 + (place > places[first]) - (place < places[first])) / 2 for place in others)


def scores(
    table: str, first: str, second: str, *, pairs: int, budget: int, seed: int = 0, processes: int = 1
) -> list[float]:
    """The score of each pair; the seeds count up from the one given."""
    asked = [Pair(table, first, second, seed + number, budget) for number in range(pairs)]
    if processes == 1:
        return [score(pair) for pair in asked]
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(score, asked))


def lines(settings: argparse.Namespace) -> Iterator[str]:
    """A line for every match, as soon as it is played."""
    yield f"The engine is {engine()}; level 5 thinks for {settings.budget} ms a move."
    wanted_of = {(first, second): wanted for first, second, wanted in MATCHES}
    matches = [tuple(settings.match)] if settings.match else list(wanted_of)
    for table in settings.table or TABLES:
        for first, second in matches:
            wanted = wanted_of.get((first, second), 0.5)
            begin = time.perf_counter()
            row = scores(
                table,
                first,
                second,
                pairs=settings.pairs,
                budget=settings.budget,
                seed=settings.seed,
                processes=settings.processes,
            )
            mean, error = statistics.mean(row), statistics.stdev(row) / len(row) ** 0.5
            spent = time.perf_counter() - begin
            games = len(row) * TABLES[table][2]
            won = f"{mean:7.1%} ±{error:5.1%}  wanted {wanted:4.0%}"
            yield f"{table:18} {first:>10} - {second:10} {won}  {games:4} games  {spent:5.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first pair: not one that a change was tuned on")
    parser.add_argument("--budget", type=int, default=150, help="milliseconds a move for who uses the clock")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--table", action="append", choices=tuple(TABLES))
    parser.add_argument("--match", nargs=2, metavar=("A", "B"))
    for line in lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
