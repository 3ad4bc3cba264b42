"""How long ratings take, against the bare reading of as many results; and how well they keep their word.

    python -m tests.bench.ratings [--games N] [--rounds N]
    python -m tests.bench.ratings --coverage [N] [--only WORD] [--processes N]

Both print an object of JSON a line.

Fields of 12 with shared places, at tables of 2, of 6 and of 2 to 6. Each figure is the median over the rounds, whose
cases take turns; the yardstick is the cross-table of the same results in plain Python. Goals on an idle machine: 10,000
games within 1 s at tables of 2 and within 2 s at tables of 6.

With --coverage, so many tournaments (400) of each of the `kinds` are simulated and rated. Goals: 0.93 to 0.97 of the
intervals that are shown hold the truth, and one of two equals is said to be stronger with more than 95 % in 0.08 to
0.12 of the cases. Where 10 blocks or fewer do not end level, or an entrant of a larger field has 5 or fewer, scores
take so few values that both can't be had: intervals may hold the truth more often there, and likelihoods say less. So
it is with the kinds `rule`, whose blocks are nearly all equal. Intervals that are not shown, since blocks are too few
to tell, are counted as missing.
"""

import argparse
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import partial

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.blocks import block_size
from quadrille.ai.tournament.statistics.ratings import rate
from quadrille.ai.tournament.statistics.tables import cross_table
from tests.ai.tournament.simulated import Case, Chance, kept

ENTRANTS = 12
STRENGTHS = tuple(0.1 * number for number in range(ENTRANTS))
CASES = {"2": (2,), "6": (6,), "2 to 6": (2, 3, 4, 5, 6)}

#: Six entrants: all equal, and far apart.
EQUAL, SPREAD = (0.0,) * 6, (-0.7, -0.42, -0.14, 0.14, 0.42, 0.7)

#: Numbers of blocks of their tournaments, by the number of seats.
FIELDS = {2: (5, 8, 12, 20, 40, 100, 300), 3: (5, 8, 20, 40, 100, 300), 4: (5, 8, 20, 40, 100), 6: (5, 10, 20, 40)}


def kinds() -> Iterator[tuple[str, Case]]:
    """Tournaments by what they have in plenty: a word for each, which may be asked for."""
    for blocks in (5, 10, 25, 50, 100, 300):
        for decided in (0.5, 0.8, 0.9, 0.95, 0.97, 0.99):
            yield "seats", Case(2, blocks, decided=decided)
        for ties in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99):
            yield "shared", Case(2, blocks, ties=ties)
    for seats, many in FIELDS.items():
        for blocks in many:
            for effect in (0.0, 0.6):
                yield f"blocks {seats}", Case(seats, blocks, EQUAL, effect=effect)
    for seats, blocks in ((2, 40), (3, 8), (3, 40), (4, 8), (4, 20), (6, 10)):
        yield "mixed", Case(seats, blocks, EQUAL, effect=0.6, ties=0.8)
        yield "mixed", Case(seats, blocks, EQUAL, effect=0.6, decided=0.9)
        yield "unequal", Case(seats, blocks, SPREAD, effect=0.6)
        yield "unequal", Case(seats, blocks, SPREAD, ties=0.5, decided=0.8)
    for seats in FIELDS:
        for blocks in (5, 10, 25, 50, 100):
            for rule in (0.9, 0.95, 0.97, 0.99):
                yield "rule", Case(seats, blocks, (0.0,) * seats, rule=rule)
    for blocks in (5, 10, 25, 100):
        yield "unequal", Case(2, blocks, (0.3, -0.3))
        yield "unequal", Case(2, blocks, (0.3, -0.3), decided=0.9)
        yield "unequal", Case(2, blocks, (0.3, -0.3), ties=0.9)


def coverage(tournaments: int, only: str, processes: int) -> None:
    chosen = [(word, case) for word, case in kinds() if word.startswith(only)]
    work, cases = partial(kept, tournaments=tournaments), [case for _, case in chosen]
    with multiprocessing.Pool(processes) if processes > 1 else nullcontext() as pool:
        for (word, case), found in zip(chosen, pool.imap(work, cases) if pool else map(work, cases), strict=True):
            row = {"kind": word, **asdict(case), **asdict(found)}
            print(json.dumps(row), flush=True)


def field(games: int, sizes: tuple[int, ...]) -> list[Result]:
    """About so many games in whole blocks, as many at tables of each size."""
    results: list[Result] = []
    for size in sizes:
        case = Case(size, max(1, games // len(sizes) // block_size(size)), STRENGTHS, ties=0.2)
        first = len(results)
        results += [replace(one, block=first + one.block) for one in case.results(Chance(f"bench {size}"))]
    return results


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
    parser.add_argument("--coverage", type=int, nargs="?", const=400, metavar="N")
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    if given.coverage:
        coverage(given.coverage, given.only, given.processes)
        return
    for name, row in measured(given.games, given.rounds).items():
        print(json.dumps({"tables of": name} | row))


if __name__ == "__main__":
    main()
