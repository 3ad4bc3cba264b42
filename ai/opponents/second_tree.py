"""A second tree from the root of a search by the clock, grown by another process for the same time.

Where a count decides there is none, so that the same seed gives the same game, however many cores are idle.
"""

import random
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import Final

from quadrille.ai.opponents.thinking import Effort
from quadrille.rules.search import Position, TreeSearch
from quadrille.rules.search.results import Found

#: Maximum seconds that the result of the other process is waited for: its last slice, and its way here. The table's
#: budget leaves more (`thinking.PART`).
LATE: Final = 0.02


@contextmanager
def seconded(
    crew: Executor | None, search: TreeSearch, position: Position, dice: random.Random, effort: Effort
) -> Iterator[None]:
    """Have the crew, if there is one, search the same position meanwhile, and add its trials to the search."""
    if crew is None:
        yield
        return
    left = effort.until - time.perf_counter()
    wander = search.tree.wander // (position.seats - 1)
    second = crew.submit(grown, position, dice.getrandbits(30), wander, time.time() + left, left)
    yield
    with suppress(Exception):  # a process that was lost, or is late, is missed by nobody: the search stands alone
        search.add(second.result(LATE))
    second.cancel()


def grown(position: Position, seed: int, wander: int, until: float, most: float) -> Found:
    """Return what a search has found by then, in the other process, after `most` seconds at the latest."""
    search = TreeSearch(position, seed, wander=wander)
    # by the clock that all processes share: one that has to be started first has less, none more if it is set back
    Effort(None, time.perf_counter() + min(until - time.time(), most)).spend(search.go_on, 8)
    search.go_on(1)
    return search.found
