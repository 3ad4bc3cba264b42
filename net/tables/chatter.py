"""Chat at a table: remembered for late-comers, and stored for this peer's own return.

Specification: docs/protocols/play.md.
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.wire import Chat
from quadrille.net.game_log.said_lines import SaidLines
from quadrille.net.tables.table_context import TableContext

#: Maximum lines of its own that a peer sends to a late-comer.
MOST_TOLD: Final = 40
#: Maximum bytes of others' lines that are stored with one of our own; `unpack` reads no more than 64 KiB.
MOST_BYTES_SINCE: Final = 56_000


class Chatter:
    """The chat lines of one table, as one peer received them.

    During the game its own lines are stored, because nobody else repeats them after a crash. Each is stored with the
    others' lines since the one before it, because the others repeat their lines without the lines between. Later
    lines of others are not stored: nobody can make this peer write to its disk by talking.
    """

    __slots__ = ("_context", "_said", "_since")

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._said = SaidLines(context.log.table, context.identity.key)
        self._since = SaidLines(context.log.table, context.identity.key)  # the others' lines since this peer's last one
        while (found := self._kept(self._said.spoken)) is not None:
            heard, own = found
            for author, number, line in heard:
                self._said.hear(author, Chat(context.log.table, number, line))
            self._said.say(own)

    def _kept(self, number: int) -> tuple[tuple[tuple[bytes, int, str], ...], str] | None:
        """A stored line of our own, with the others' lines before it."""
        if (kept := self._context.secret(f"said/{number}")) is None:
            return None
        heard, own = unpack(kept)
        return heard, own

    def go_on(self, said: Iterable[tuple[bytes, Chat]]) -> None:
        """Take over the lines from before the game."""
        there = {chair.key for chair in self._context.log.now.chairs}
        for author, chat in said:
            if author == self._context.identity.key:
                self.say(chat.line)
            elif author in there:
                self.hear(author, chat)

    def say(self, line: str) -> Chat:
        """Say a line of our own."""
        heard, size = list[tuple[bytes, int, str]](), 0
        for author, chat in reversed(list(self._since)):
            size += len(pack(row := (author, chat.number, chat.line)))
            if size > MOST_BYTES_SINCE:
                break
            heard.insert(0, row)
        self._context.keep(f"said/{self._said.spoken}", pack((tuple(heard), line)))
        self._since = SaidLines(self._context.log.table, self._context.identity.key)
        return self._said.say(line)

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Add a line; False if it is known."""
        is_new = self._said.hear(author, chat)
        if is_new:
            self._since.hear(author, chat)
        return is_new

    def lines(self) -> list[tuple[bytes, str]]:
        """The remembered lines with their authors."""
        return [(author, chat.line) for author, chat in self._said]

    def own(self) -> list[Chat]:
        """Our own last lines, for late-comers."""
        return [chat for author, chat in self._said if author == self._context.identity.key][-MOST_TOLD:]
