"""The time that chairs of a gathering have for an answer: it follows the slowest of their links.

Pure; the node measures the links (net/neighbours/neighbourhood.py). Specification: docs/protocols/gathering.md, "When a
round fails".
"""

from collections.abc import Callable, Iterable
from typing import Final

#: Milliseconds for a chair's answer and for the return of an absent host: at least, and at most where links are slow.
PATIENCE: Final = 10_000
MOST_PATIENCE: Final = 60_000
#: Multiple of the slowest link's lag that a chair has for its answer.
LAGS: Final = 8


class ChairPatience:
    """The patience of one gathering."""

    __slots__ = ("_lags", "_slowest")

    def __init__(self, lags: Callable[[bytes], int] = lambda _: 0) -> None:
        """`lags(key)`: milliseconds that the link with a peer lately took there and back."""
        self._lags = lags
        self._slowest = 0

    def follow(self, others: Iterable[bytes]) -> None:
        """Look at the links with these. A link that breaks tells nothing any more, so the longest lag stays."""
        self._slowest = max(self._slowest, *map(self._lags, others), 0)

    @property
    def time(self) -> int:
        """Milliseconds for an answer."""
        return max(PATIENCE, min(MOST_PATIENCE, LAGS * self._slowest))
