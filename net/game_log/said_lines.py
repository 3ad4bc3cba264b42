"""Chat lines of a gathering or a table, as one peer received them: each line once, and only the newest.

Specification: docs/protocols/gathering.md and docs/protocols/play.md.
"""

from collections.abc import Iterator
from typing import Final

from quadrille.net.core.per_key import PerKey
from quadrille.net.entries.wire import Chat

#: Maximum remembered lines, in all and of one author.
MOST_LINES: Final = 200
MOST_OF_AUTHOR: Final = 100


class SaidLines:
    """The lines of one table with their authors. `own` is the key of this peer, which numbers its own lines."""

    __slots__ = ("_lines", "_own", "_table", "spoken")

    def __init__(self, table: bytes, own: bytes) -> None:
        self._table = table
        self._own = own
        self._lines = PerKey[bytes, tuple[bytes, Chat], None](MOST_OF_AUTHOR, MOST_LINES)
        self.spoken = 0

    def __iter__(self) -> Iterator[tuple[bytes, Chat]]:
        return iter(self._lines)

    def say(self, line: str) -> Chat:
        """Add a line of this peer."""
        chat = Chat(self._table, self.spoken, line)
        self.spoken += 1
        self.hear(self._own, chat)
        return chat

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Add a line; False if it is known already."""
        if (author, chat) in self._lines:
            return False
        self._lines.put(author, (author, chat), None)
        return True
