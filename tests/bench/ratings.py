"""How long ratings take, against the bare reading of as many results.

    python -m tests.bench.ratings [--games N] [--rounds N] [--json]

Fields of 12 with shared places, at tables of 2, of 6 and of 2 to 6. Each figure is the median over the rounds, whose
cases take turns; the yardstick is the cross-table of the same results in plain Python. Goals on an idle machine: 10,000
games within 1 s at tables of 2 and within 2 s at tables of 6.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from quadrille.ai.tournament.arrays import Array
from quadrille.ai.tournament.blocks import seatings
from quadrille.ai.tournament.ratings import rate
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.tables import cross_table
from quadrille.rules.chance import Stream

ENTRANTS = 12
CASES = {"2": (2,), "6": (6,), "2 to 6": (2, 3, 4, 5, 6)}


def field(games: int, sizes: tuple[int, ...]) -> list[Result]:
    """So many games in blocks that turn the table; places go by strength and luck, in steps that may be equal."""
    stream = Stream("bench", "ratings")
    luck = np.random.PCG64(1)
    results: list[Result] = []
    while len(results) < games:
        size = sizes[stream.randrange(len(sizes))]
        order = list(range(ENTRANTS))
        stream.shuffle(order)
        block = len(results)
        for seats in seatings(order[:size], neighbours=False):
            heights: Array = np.array(seats) // 2 + luck.random_raw(size) % np.uint64(8)
            places = (1 + (heights[None, :] > heights[:, None]).sum(1)).tolist()
            results.append(Result(str(len(results)), block, seats, tuple(places)))
    return results[:games]


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measured(games: int, rounds: int) -> dict[str, dict[str, float]]:
    """Seconds by case, for the ratings and for the yardstick, and the median of their ratios."""
    fields = {name: field(games, sizes) for name, sizes in CASES.items()}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, results in fields.items():
            bare = timed(lambda results=results: cross_table(results, ENTRANTS))  # type: ignore[misc]
            whole = timed(lambda results=results: rate(results, ENTRANTS))  # type: ignore[misc]
            times[name].append((whole, bare))
    return {
        name: {
            "ratings": round(statistics.median(whole for whole, _ in row), 4),
            "cross_table": round(statistics.median(bare for _, bare in row), 4),
            "ratio": round(statistics.median(whole / bare for whole, bare in row), 2),
        }
        for name, row in times.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.games, given.rounds)
    if given.json:
        print(json.dumps(found))
        return
    print(f"{given.games} games of {ENTRANTS} entrants, median of {given.rounds} rounds")
    for name, row in found.items():
        print(f"  tables of {name:7} {row['ratings']:7.3f} s, {row['ratio']:5.2f} times the plain cross-table")


if __name__ == "__main__":
    main()
