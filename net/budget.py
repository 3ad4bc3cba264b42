"""What others may make this peer do in a time: bytes read and sent, entries checked. Time comes in; no clock is here.

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
