"""Entries of a log that are replaced by others: that it happened, from where on, and why.

Nothing of a game changes in silence. Which entries stand is net/precedence.py's to say.
"""

from quadrille.client.table.network.notices import Cause, Instead, Replaced
from quadrille.net.entry import NOBODY, Entry
from quadrille.net.log import Log
from quadrille.net.precedence import decided_about


class ReadEntries:
    """The entries of one table as far as a person has read of them."""

    __slots__ = ("_last", "_read")

    def __init__(self) -> None:
        self._read: list[tuple[Entry, bool]] = []  # each with whether the game was over after it
        self._last = b""  # the newest entry of those that take the place of others

    def begin(self, log: Log) -> None:
        """All that is in the log now is nothing new."""
        self._read = [(entry, after.over is not None) for entry, after in zip(log.entries, log.standings, strict=True)]

    def hear(self, log: Log, entry: Entry, *, replaced: bool) -> Replaced | None:
        """What is told before an entry that was taken; None where it only goes on from what was read."""
        here = entry.index < len(log.entries) and log.entries[entry.index].hash == entry.hash
        over = here and log.standings[entry.index].over is not None
        old, self._read[entry.index :] = self._read[entry.index :], [(entry, over)]
        goes_on, self._last = entry.before == self._last, entry.hash if replaced else b""
        if not old or goes_on or not replaced:
            return None
        cause, seat = _cause(entry, old[0][0], log)
        what = Instead.ENTRIES
        if old[-1][1]:
            what = Instead.END_TO_GO_ON if log.now.over is None else Instead.END
        return Replaced(what, len(old), cause, seat)


def _cause(entry: Entry, old: Entry, log: Log) -> tuple[Cause, int | None]:
    """Why an entry stands now, and the one that was read does not; and the seat that this is about."""
    seat, undone = decided_about(entry), decided_about(old)
    if entry.index == 0:
        return Cause.BEGAN_LATER, None
    if entry.author == old.author != NOBODY:
        keys = log.standings[0].keys
        return Cause.SIGNED_TWICE, keys.index(entry.author) if entry.author in keys else None
    if seat is not None:
        return (Cause.DECIDED_BEFORE if undone is None else Cause.DECIDED_TWICE), seat
    return (Cause.KEPT_BY_OTHERS if undone is None else Cause.MOVED_BEFORE), undone
