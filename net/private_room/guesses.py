"""Limits on guesses of a room's passphrase: a budget for many peers together, and a ban for each key.

A ban stops one key, but keys cost nothing; so the real limit is the budget, which no number of keys enlarges. The
secret of a ticket has no budget: a million guesses a second find its 60 bits in 18,000 years on average, and a budget
would only let strangers keep a friend out.
Specification: docs/protocols/rooms.md.
"""

from dataclasses import dataclass
from typing import Final

#: Guesses that all peers have at once, and the milliseconds after which they get one more.
GUESSES: Final = 16
GUESS_EVERY: Final = 60_000
#: Milliseconds: the first ban, the longest (each is twice the one before), and after which a ban is forgotten.
FIRST_BAN: Final = 2_000
LONGEST_BAN: Final = 600_000
PARDON: Final = 3_600_000
MOST_BANNED: Final = 1024


@dataclass(slots=True)
class Guesses:
    """A budget that refills with time, or one without an end."""

    left: int = GUESSES
    since: int | None = None
    is_bounded: bool = True

    def are_left(self, now: int) -> bool:
        if not self.is_bounded:
            return True
        if self.since is None or self.left >= GUESSES:
            self.since = now
        more = (now - self.since) // GUESS_EVERY
        self.left = min(self.left + more, GUESSES)
        self.since += more * GUESS_EVERY
        return self.left > 0

    def take(self) -> None:
        self.left -= 1

    def give_back(self) -> None:
        """Refund a guess: the peer knew the passphrase."""
        self.left = min(self.left + 1, GUESSES)

    def due(self) -> int:
        """When there is one more."""
        return (self.since or 0) + GUESS_EVERY


@dataclass(frozen=True, slots=True)
class _Ban:
    length: int
    until: int


class Bans:
    """Banned keys. Each ban of a key is twice as long as the one before."""

    __slots__ = ("_bans",)

    def __init__(self) -> None:
        self._bans: dict[bytes, _Ban] = {}

    def __len__(self) -> int:
        return len(self._bans)

    def holds(self, key: bytes, now: int) -> bool:
        ban = self._bans.get(key)
        return ban is not None and now < ban.until

    def add(self, key: bytes, now: int) -> None:
        before = self._bans.pop(key, None)
        again = before is not None and now < before.until + PARDON
        length = min(2 * before.length, LONGEST_BAN) if before is not None and again else FIRST_BAN
        if len(self._bans) >= MOST_BANNED:
            del self._bans[next(iter(self._bans))]
        self._bans[key] = _Ban(length, now + length)
