"""Faults of an entry, by culprit.

Raised by net/game_log/log.py. Specification: docs/protocols/log.md, "The log".
"""

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import Entry


class Fault(PeerError):
    """An invalid entry and the key to blame (NOBODY if nobody can be blamed)."""

    def __init__(self, culprit: bytes, reason: str) -> None:
        super().__init__(reason)
        self.culprit = culprit


class Fork(Fault):
    """Two different entries in one place, both signed by one key: proof of cheating."""

    def __init__(self, culprit: bytes, entry: Entry, other: Entry) -> None:
        super().__init__(culprit, f"two different entries at {entry.index}, both signed")
        self.proof = (entry, other)


class Desync(Fault):
    """An entry leads to another position there than here: the rules engines disagree."""


class Gap(PeerError):
    """An entry that arrived before the one it follows."""


class Late(PeerError):
    """An entry for a place, or after an entry, that has been decided otherwise; nobody is to blame."""
