"""A bounded memory that no signer can fill for others: each has a share of its own.

A signer above its share loses its own oldest row. If all rows together are too many, the signer with most loses one.
"""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Signer = TypeVar("Signer", bound=Hashable)
Row = TypeVar("Row", bound=Hashable)
Value = TypeVar("Value")


class PerKey(Generic[Signer, Row, Value]):
    """Rows in the order of their arrival, each on the account of one signer."""

    __slots__ = ("_each", "_in_all", "_own", "_rows")

    def __init__(self, each: int, in_all: int | None = None) -> None:
        """`each`: maximum rows of one signer; `in_all` also bounds those of all signers, where their number is not."""
        self._each = each
        self._in_all = in_all
        self._rows: dict[Row, tuple[Signer, Value]] = {}
        self._own: dict[Signer, dict[Row, None]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, row: Row) -> bool:
        return row in self._rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def signers(self) -> Iterator[Signer]:
        return iter(self._own)

    def get(self, row: Row) -> Value | None:
        return self._rows[row][1] if row in self._rows else None

    def items(self) -> Iterator[tuple[Row, Value]]:
        """Yield the rows with their values, the oldest first."""
        return ((row, value) for row, (_, value) in self._rows.items())

    def put(self, signer: Signer, row: Row, value: Value) -> None:
        """Remember a row as the newest, on this signer's account."""
        self.pop(row)
        own = self._own.setdefault(signer, {})
        own[row], self._rows[row] = None, (signer, value)
        if len(own) > self._each:
            self.pop(next(iter(own)))
        elif self._in_all is not None and len(self._rows) > self._in_all:
            most = max(self._own.values(), key=len)
            self.pop(next(iter(most)))

    def pop(self, row: Row) -> Value | None:
        if row not in self._rows:
            return None
        signer, value = self._rows.pop(row)
        own = self._own[signer]
        del own[row]
        if not own:
            del self._own[signer]
        return value
