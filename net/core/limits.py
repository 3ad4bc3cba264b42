"""Limits on what other peers cause here: how often, by the one token bucket of all floors, and how much is remembered.

Pure; the caller passes the time in, in milliseconds. Specification: docs/protocols/gathering.md, "Lobby", and
docs/protocols/discovery.md, "Limits".
"""

from collections.abc import Hashable, Iterator
from typing import Final, Generic, TypeVar

from quadrille.value import value

Key = TypeVar("Key", bound=Hashable)
Signer = TypeVar("Signer", bound=Hashable)
Row = TypeVar("Row", bound=Hashable)
Value = TypeVar("Value")
#: Maximum keys with a bucket of their own; above it the one that was unused for longest is forgotten.
MOST_KEYS: Final = 256


@value
class Pace:
    """A rate: `burst` units at once, and `units` more every `every` milliseconds."""

    burst: int
    every: int
    units: int = 1


def a_second(units: int, burst: int) -> Pace:
    return Pace(burst, 1000, units)


class Bucket:
    """The units of a pace that are left: all of them at first."""

    __slots__ = ("_full_at", "_pace")

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._full_at = 0  # when it is full again, in milliseconds times `pace.units`

    def has(self, now: int, units: int = 1) -> bool:
        return self._lacks(now) + units * self._pace.every <= 0

    def take(self, now: int, units: int = 1) -> bool:
        """Take units. If fewer are left, take nothing and return False."""
        if enough := self.has(now, units):
            self.pay(now, units)
        return enough

    def pay(self, now: int, units: int) -> bool:
        """Take units, into debt if necessary. Return True if there is a debt."""
        self._full_at = max(self._full_at, now * self._pace.units) + units * self._pace.every
        return self._lacks(now) > 0

    def give_back(self) -> None:
        """Return a unit that was taken."""
        self._full_at -= self._pace.every

    def borrow(self, other: "Bucket", now: int) -> None:
        """Cover a debt from a bucket that fills as often, as far as that one has units."""
        if (lent := min(self._lacks(now), -other._lacks(now))) > 0:
            self._full_at -= lent
            other._full_at = max(other._full_at, now * other._pace.units) + lent

    def rest(self, now: int) -> int:
        """Return the milliseconds until the bucket is no longer in debt."""
        return max(0, -(-self._lacks(now) // self._pace.units))

    @property
    def due(self) -> int:
        """The time when the next unit is available."""
        return -((self._pace.every * (self._pace.burst - 1) - self._full_at) // self._pace.units)

    def _lacks(self, now: int) -> int:
        """Return the debt, or below 0 the remaining units; both times `pace.every`."""
        return max(self._full_at - now * self._pace.units, 0) - self._pace.burst * self._pace.every


class Buckets(Generic[Key]):
    """A bucket for each key, and one for all together."""

    __slots__ = ("_all", "_most", "_own", "_pace")

    def __init__(self, pace: Pace, *, shared: int = 0, most: int = MOST_KEYS) -> None:
        """`shared`: the number of keys that can use their full pace at once; 0 for any number."""
        self._pace = pace
        self._most = most
        self._all = Bucket(Pace(shared * pace.burst, pace.every, shared * pace.units)) if shared else None
        self._own: dict[Key, Bucket] = {}

    def __len__(self) -> int:
        return len(self._own)

    def of(self, key: Key) -> Bucket:
        """Return the bucket of a key, which thereby becomes the last used one."""
        bucket = self._own[key] = self._own.pop(key) if key in self._own else Bucket(self._pace)
        if len(self._own) > self._most:
            del self._own[next(iter(self._own))]
        return bucket

    def take(self, key: Key, now: int, units: int = 1) -> bool:
        """Take units from a key's bucket and from the shared one; False if either has too few."""
        return self.of(key).take(now, units) and (self._all is None or self._all.take(now, units))


class FairBuffer(Generic[Signer, Row, Value]):
    """A bounded memory of rows in the order of their arrival, each on the account of one signer.

    No signer can fill it for others. One above its share loses its own oldest row; if all rows together are too many,
    the signer with most loses one.
    """

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
