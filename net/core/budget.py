"""Rate limits for the work that peers cause here: frames and bytes to read and send, entries to check.

The caller passes the time in; no clock is read here.

Specification: docs/protocols/gathering.md, "Lobby".
"""

from typing import Final

#: Maximum remembered senders; above it the oldest is forgotten.
MOST_SENDERS: Final = 256


class Budget:
    """A token bucket: `rate` units a second, at most `burst` of them saved up."""

    __slots__ = ("_at", "_burst", "_rate", "_units")

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._units = float(burst)
        self._at: int | None = None

    def takes(self, units: int, now: int) -> bool:
        """Take `units`. If fewer are left, take nothing and return False."""
        if self._at is not None:
            self._units = min(self._burst, self._units + max(0, now - self._at) * self._rate / 1000)
        self._at = now
        if units > self._units:
            return False
        self._units -= units
        return True


class Account:
    """A token bucket that may go into debt. An overdrawn account rests until its debt is paid."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: int, burst: int, now: int) -> None:
        self._rate = rate
        self._burst = burst * 1000  # thousandths of a unit, as `_left`
        self._left = self._burst
        self._at = now

    def pay(self, units: int, now: int) -> None:
        """Take `units`, into debt if necessary."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - units * 1000
        self._at = now

    def borrow(self, other: "Account", now: int) -> None:
        """Cover our debt from another account, as far as its balance allows."""
        other.pay(0, now)
        lent = max(0, min(-self._left, other._left))
        other._left -= lent
        self._left += lent

    def rest(self) -> int:
        """The milliseconds until nothing is overdrawn."""
        return 0 if self._left >= 0 else -self._left // self._rate + 1


class Budgets:
    """A budget for each sender, and a shared one for all senders."""

    __slots__ = ("_all", "_burst", "_own", "_rate")

    def __init__(self, rate: int, burst: int, *, shared: int) -> None:
        """`shared`: the number of senders that can use their full rate at once."""
        self._rate = rate
        self._burst = burst
        self._all = Budget(shared * rate, shared * burst)
        self._own: dict[bytes, Budget] = {}

    def takes(self, sender: bytes, units: int, now: int) -> bool:
        """Take `units` from a sender's budget and the shared one; False if either has too few."""
        if sender not in self._own:
            if len(self._own) == MOST_SENDERS:
                del self._own[next(iter(self._own))]
            self._own[sender] = Budget(self._rate, self._burst)
        return self._own[sender].takes(units, now) and self._all.takes(units, now)
