"""What is said where a table gathers or plays, as one peer has heard it: each line once, and the newest alone.

Specification: protocols.md, "Gathering" and "Play".
"""

from collections.abc import Iterator
from typing import Final

from quadrille.net.entries.wire import Chat

#: Maximum lines that are remembered.
MOST_LINES: Final = 200


class SaidLines:
    """The lines of one table with their authors. `own` is the key of this peer, who counts its own lines."""

    __slots__ = ("_lines", "_own", "_table", "spoken")

    def __init__(self, table: bytes, own: bytes) -> None:
        self._table = table
        self._own = own
        self._lines: list[tuple[bytes, Chat]] = []
        self.spoken = 0

    def __iter__(self) -> Iterator[tuple[bytes, Chat]]:
        return iter(self._lines)

    def say(self, line: str) -> Chat:
        """Say a line of this peer's."""
        chat = Chat(self._table, self.spoken, line)
        self.spoken += 1
        self.hear(self._own, chat)
        return chat

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Whether the line is new."""
        if (author, chat) in self._lines:
            return False
        self._lines = [*self._lines, (author, chat)][-MOST_LINES:]
        return True
