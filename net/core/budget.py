"""Budgets for the work that other peers cause here: frames and bytes to read and send, entries to check.

The caller passes the time in; no clock is here.

Specification: protocols.md, "Lobby".
"""

from typing import Final

#: Maximum senders that are remembered; above it the one that was heard of first is forgotten.
MOST_SENDERS: Final = 256


class Budget:
    """`rate` units a second, of which at most `burst` are saved up."""

    __slots__ = ("_at", "_burst", "_rate", "_units")

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._units = float(burst)
        self._at: int | None = None

    def takes(self, units: int, now: int) -> bool:
        """Use so many units; False, and nothing is used, where there are not as many."""
        if self._at is not None:
            self._units = min(self._burst, self._units + max(0, now - self._at) * self._rate / 1000)
        self._at = now
        if units > self._units:
            return False
        self._units -= units
        return True


class Account:
    """`rate` units a second, of which at most `burst` are saved up. An overdrawn one rests until its debt is paid."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: int, burst: int, now: int) -> None:
        self._rate = rate
        self._burst = burst * 1000  # thousandths of a unit, as `_left`
        self._left = self._burst
        self._at = now

    def pay(self, units: int, now: int) -> None:
        """Use so many units, whether they are there or not."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - units * 1000
        self._at = now

    def borrow(self, other: "Account", now: int) -> None:
        """Pay what is overdrawn from another account, as far as there is something in it."""
        other.pay(0, now)
        lent = max(0, min(-self._left, other._left))
        other._left -= lent
        self._left += lent

    def rest(self) -> int:
        """The milliseconds until nothing is overdrawn."""
        return 0 if self._left >= 0 else -self._left // self._rate + 1


class Budgets:
    """A budget for each sender, and one for all of them together."""

    __slots__ = ("_all", "_burst", "_own", "_rate")

    def __init__(self, rate: int, burst: int, *, shared: int) -> None:
        """`shared` senders at once can use all that they have."""
        self._rate = rate
        self._burst = burst
        self._all = Budget(shared * rate, shared * burst)
        self._own: dict[bytes, Budget] = {}

    def takes(self, sender: bytes, units: int, now: int) -> bool:
        """Use so many units of a sender's; False where it, or all together, used too many."""
        if sender not in self._own:
            if len(self._own) == MOST_SENDERS:
                del self._own[next(iter(self._own))]
            self._own[sender] = Budget(self._rate, self._burst)
        return self._own[sender].takes(units, now) and self._all.takes(units, now)
