"""Chat lines of a gathering or a table, as one peer received them: each line once, and only the newest.

Specification: docs/protocols/gathering.md and docs/protocols/play.md.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from quadrille.net.core.limits import FairBuffer
from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Chat

#: Maximum remembered lines, in all and of one author.
MOST_LINES: Final = 200
MOST_OF_AUTHOR: Final = 100
#: Maximum lines of its own that a peer sends to a late-comer.
MOST_TOLD: Final = 40
#: Maximum bytes of others' lines that are stored with one of our own; `unpack` reads no more than 64 KiB.
MOST_BYTES_SINCE: Final = 56_000


class SaidLines:
    """The lines of one table with their authors. `own` is the key of this peer, which numbers its own lines.

    With a `shelf` its own lines are stored, because nobody else repeats them after a crash. Each is stored with the
    others' lines since the one before it, because the others repeat their lines without the lines between. Later
    lines of others are not stored: nobody can make this peer write to its disk by talking.
    """

    def __init__(self, table: bytes, own: bytes, shelf: TableStore | None = None) -> None:
        self._table = table
        self._own = own
        self._shelf = shelf
        self._lines = FairBuffer[bytes, tuple[bytes, Chat], None](MOST_OF_AUTHOR, MOST_LINES)
        self.spoken = 0
        while shelf is not None and (kept := shelf.secret(table, f"said/{self.spoken}")) is not None:
            heard, line = unpack(kept)
            for author, number, said in heard:
                self.hear(author, Chat(table, number, said))
            self._add(line)

    def __iter__(self) -> Iterator[tuple[bytes, Chat]]:
        return iter(self._lines)

    def say(self, line: str) -> Chat:
        """Add a line of this peer."""
        if self._shelf is not None:
            self._shelf.keep_secret(self._table, f"said/{self.spoken}", pack((self._since(), line)))
        return self._add(line)

    def _add(self, line: str) -> Chat:
        chat = Chat(self._table, self.spoken, line)
        self.spoken += 1
        self.hear(self._own, chat)
        return chat

    def _since(self) -> tuple[tuple[bytes, int, str], ...]:
        """Return the others' lines since this peer's last one, the newest if they are too many bytes."""
        lines, size = list[tuple[bytes, int, str]](), 0
        for author, chat in takewhile(lambda said: said[0] != self._own, reversed([*self])):
            lines.insert(0, (author, chat.number, chat.line))
            size += len(pack(lines[0]))
            if size > MOST_BYTES_SINCE:
                return tuple(lines[1:])
        return tuple(lines)

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Add a line. Return False if it is known already."""
        if (author, chat) in self._lines:
            return False
        self._lines.put(author, (author, chat), None)
        return True

    def own(self) -> list[Chat]:
        """Return our own last lines, for late-comers."""
        return [chat for author, chat in self if author == self._own][-MOST_TOLD:]
