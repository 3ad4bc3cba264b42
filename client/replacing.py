"""What a person reads when entries of a log are replaced by others: that it happened, from where on, and why.

Nothing of a game changes in silence. Which entries stand is net/precedence.py's affair.
"""

from collections.abc import Sequence

from quadrille.client.reports import player
from quadrille.net.entry import NOBODY, Entry
from quadrille.net.log import Log
from quadrille.net.precedence import decided_about


class Replacing:
    """The entries of one table as far as a person has read of them."""

    __slots__ = ("_last", "_read")

    def __init__(self) -> None:
        self._read: list[tuple[Entry, bool]] = []  # each with whether the game was over after it
        self._last = b""  # the newest entry of those that take the place of others

    def begin(self, log: Log) -> None:
        """All that is in the log now is nothing new."""
        self._read = [(entry, after.over is not None) for entry, after in zip(log.entries, log.standings, strict=True)]

    def hear(self, log: Log, entry: Entry, owners: Sequence[str], *, replaced: bool) -> str:
        """What is said before the words of an entry that was taken; "" where it only goes on from what was read."""
        here = entry.index < len(log.entries) and log.entries[entry.index].hash == entry.hash
        over = here and log.standings[entry.index].over is not None
        old, self._read[entry.index :] = self._read[entry.index :], [(entry, over)]
        goes_on, self._last = entry.before == self._last, entry.hash if replaced else b""
        if not old or goes_on or not replaced:
            return ""
        why = _why(entry, old[0][0], log, owners)
        if old[-1][1] and log.now.over is None:
            return f"The game, which was over, goes on: {why}."
        if old[-1][1]:
            return f"The end of the game was replaced: {why}."
        count = "An entry was" if len(old) == 1 else f"{len(old)} entries were"
        return f"{count} replaced: {why}."


def _why(entry: Entry, old: Entry, log: Log, owners: Sequence[str]) -> str:
    """Why an entry stands now, and the one that was read does not."""
    seat, undone = decided_about(entry), decided_about(old)
    if entry.index == 0:
        return "the table begins by what its seats agreed on later"
    if entry.author == old.author != NOBODY:
        keys = log.standings[0].keys
        who = player(keys.index(entry.author), owners) if entry.author in keys else "a seat"
        return f"{who} signed two entries for one place, and all peers keep the same one"
    if seat is not None and undone is not None:
        return f"there were two decisions about {player(seat, owners)}, and all peers keep the same one"
    if seat is not None:
        return f"the others had decided about {player(seat, owners)} before its last move reached them"
    if undone is not None:
        return f"{player(undone, owners)} had moved before the others decided about it"
    return "others have what stands there now, and all peers keep the same"
