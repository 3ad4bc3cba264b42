"""The known numbers of sequences of moves, a file a game: what an entry is, and how new ones are worked out.

Each line of `<game>.json` is an entry: `options`, `seats`, for Dotter the `deck` of the first round; `counts`: how many
sequences of exactly 1, 2, 3, … moves there are from the start; `games`, if it is there: how many whole games; `by`:
"another implementation", which shares nothing with this project, or "tests/naive", whose numbers test_perft.py
works out anew. To add an entry, write its options and seats into a file, with `"counts": []`, and run

    python -m tests.perft.entries

which fills empty counts in with the naive game's numbers: never with the engine's.
"""

import json
from pathlib import Path
from typing import Any

from quadrille.laws.settings import GUIDE
from quadrille.rules.registry import game
from tests.naive.compare import TABLES, counts
from tests.naive.dotter import Dotter
from tests.naive.table import Table

FOLDER = Path(__file__).parent
NAIVE = "tests/naive"
#: The naive games count about so many moves in a second or two.
PATIENCE = 20000

Entry = dict[str, Any]


def wanted(path: str) -> str:
    """A file that each game has."""
    there = FOLDER.parents[1] / path
    assert there.is_file(), f"there is no {path}: {GUIDE}"
    return there.read_text("utf-8")


def entries(key: str) -> list[Entry]:
    found: list[Entry] = json.loads(wanted(f"tests/perft/{key}.json"))
    return found


def keep(key: str, found: list[Entry]) -> None:
    """Write a file, an entry a line."""
    text = ",\n".join(json.dumps(entry) for entry in found)
    (FOLDER / f"{key}.json").write_text(f"[\n{text}\n]\n", "utf-8")


def naive(key: str, entry: Entry) -> Table:
    """The naive game at the start of an entry."""
    options = game(key).read_options(entry["options"]).plain()
    table = TABLES[key]
    if table is Dotter:
        return Dotter(options, entry["seats"], lambda _: entry["deck"].split())
    return table(options, entry["seats"])


def worked_out(key: str, entry: Entry) -> list[int]:
    """As many counts as the naive game has in it."""
    found: list[int] = []
    while len(found) < 12 and sum(found) < PATIENCE:
        found = counts(naive(key, entry), len(found) + 1)
        if not found[-1]:
            return found[:-1]
    return found


def main() -> None:
    for path in sorted(FOLDER.glob("*.json")):
        found = entries(path.stem)
        for entry in found:
            if not entry["counts"]:
                entry |= {"counts": worked_out(path.stem, entry), "by": NAIVE}
                print(path.stem, entry)
        keep(path.stem, found)


if __name__ == "__main__":
    main()
