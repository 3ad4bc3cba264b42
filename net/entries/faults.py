"""What can be wrong with an entry of a log, and whose fault that is.

Raised by what rules on entries (net/game_log/ruling.py) and by the log itself (net/game_log/log.py); protocols.md, "The
log".
"""

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import Entry


class Fault(PeerError):
    """An entry that can't stand, and whose fault that is (NOBODY where it can't be told)."""

    def __init__(self, culprit: bytes, why: str) -> None:
        super().__init__(why)
        self.culprit = culprit


class Fork(Fault):
    """Two different entries in one place that one key has signed: proof of cheating."""

    def __init__(self, culprit: bytes, one: Entry, other: Entry) -> None:
        super().__init__(culprit, f"two different entries at {one.index}, both signed")
        self.proof = (one.data, other.data)


class Desync(Fault):
    """The same entry leads to another position there than here: the engines disagree."""


class Gap(PeerError):
    """An entry that comes after one that is not here yet."""


class Late(PeerError):
    """An entry in a place, or after one, that has been decided otherwise; nobody is to blame."""
