"""How long the report of a tournament takes, against the bare reading of the records of its games.

    python -m tests.bench.report [--games N] [--rounds N] [--json]

A tournament of twelve on mazes of 4 x 4, whose games are played at random: the page with all games to step through (up
to 2,000), the page without games, and the standing alone. Processor time, the least of the rounds, whose cases take
turns; the yardstick is to read the records of as many games as the page has. Goals on an idle machine: 1 s for the
page, and 1 MB.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.tournament.replays import MOST_GAMES
from quadrille.client.tournament.report import page
from quadrille.client.tournament.tables import standing_of, text
from quadrille.rules.record import read
from tests.client.test_tournament import fill


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def measured(path: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Seconds by case, how many times the yardstick that is, and bytes."""
    with Journal(path) as journal:
        records = [outcome.record for outcome in journal.outcomes()][-MOST_GAMES:]
        cases: dict[str, Callable[[], object]] = {
            "reading": lambda: [read(record) for record in records],
            "page": lambda: page(journal),
            "page without games": lambda: page(journal, 0),
            "standing": lambda: text(standing_of(journal, moves=False)),
        }
        times: dict[str, list[float]] = {name: [] for name in cases}
        for _ in range(rounds):
            for name, work in cases.items():
                times[name].append(timed(work))
        sizes = {"page": len(page(journal).encode()), "page without games": len(page(journal, 0).encode())}
    least = {name: min(row) for name, row in times.items()}
    return {
        name: {
            "seconds": round(seconds, 4),
            "ratio": round(seconds / least["reading"], 2),
            "bytes": sizes.get(name, 0),
        }
        for name, seconds in least.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.toml"
        fill(path, given.games)
        found = measured(path.with_suffix(".sqlite"), given.rounds)
    if given.json:
        print(json.dumps(found))
        return
    print(f"{given.games} games of 12 entrants, least of {given.rounds} rounds")
    for name, row in found.items():
        size = f", {row['bytes'] / 1000:.0f} kB" if row["bytes"] else ""
        print(f"  {name:18} {row['seconds']:7.3f} s, {row['ratio']:5.2f} times the reading of the records{size}")


if __name__ == "__main__":
    main()
