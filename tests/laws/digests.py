"""Digests of random games, to be compared between processes: run as a module, it prints them as JSON."""

import json

from quadrille.laws.settings import everywhere, usual
from quadrille.laws.walks import random_match
from quadrille.rules.record import write


def digests() -> dict[str, list[str]]:
    """For each table the digest after a random game's first moves, and the last line of its record."""
    found = {}
    for setting in everywhere():
        match = random_match(setting, "digests", 30, leaving=setting not in usual(setting.key))
        found[str(setting)] = [match.state.digest().hex(), write(match).splitlines()[-1]]
    return found


if __name__ == "__main__":
    print(json.dumps(digests()))
