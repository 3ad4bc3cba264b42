"""Limits on guesses of a room's passphrase: a budget for many peers together, and a ban for each key.

A ban stops one key, but keys cost nothing; so the real limit is the budget, which no number of keys enlarges. The
secret of a ticket has no budget: a million guesses a second find its 60 bits in 18,000 years on average, and a budget
would only let strangers keep a friend out.
Specification: docs/protocols/rooms.md.
"""

from typing import Final

#: Guesses that all peers have at once, and the milliseconds after which they get one more.
GUESSES: Final = 16
GUESS_EVERY: Final = 60_000
#: Milliseconds: the first ban, the longest (each is twice the one before), and after which a ban is forgotten.
FIRST_BAN: Final = 2_000
LONGEST_BAN: Final = 600_000
PARDON: Final = 3_600_000
MOST_BANNED: Final = 1024


class Bans:
    """Banned keys. Each ban of a key is twice as long as the one before."""

    def __init__(self) -> None:
        self._bans: dict[bytes, tuple[int, int]] = {}  # how long, and until when

    def __len__(self) -> int:
        return len(self._bans)

    def holds(self, key: bytes, now: int) -> bool:
        return key in self._bans and now < self._bans[key][1]

    def add(self, key: bytes, now: int) -> None:
        before, until = self._bans.pop(key, (0, -PARDON))
        length = min(2 * before, LONGEST_BAN) if before and now < until + PARDON else FIRST_BAN
        if len(self._bans) >= MOST_BANNED:
            del self._bans[next(iter(self._bans))]
        self._bans[key] = length, now + length
