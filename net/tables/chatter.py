"""What is said at a table: remembered for those who come late, and on disk for this peer when it comes back.

Specification: protocols.md, "Play".
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.wire import Chat
from quadrille.net.game_log.said_lines import MOST_LINES, SaidLines
from quadrille.net.tables.table_context import TableContext

#: Maximum lines of its own that a peer tells somebody who comes late.
MOST_TOLD: Final = 40


class Chatter:
    """The lines of one table, as one peer has heard them.

    As long as the game lasts its own are on disk, because nobody else tells them after a crash; and with each of them
    what others had said since the last one, because they tell their lines again without saying what came between.
    What they said later is not there: nobody can make this peer write to its disk by talking.
    """

    __slots__ = ("_context", "_said", "_since")

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._said = SaidLines(context.log.table, context.identity.key)
        self._since: list[tuple[bytes, Chat]] = []  # what others have said since this peer's last line
        while (found := self._kept(self._said.spoken)) is not None:
            heard, own = found
            for author, number, line in heard:
                self._said.hear(author, Chat(context.log.table, number, line))
            self._said.say(own)

    def _kept(self, number: int) -> tuple[tuple[tuple[bytes, int, str], ...], str] | None:
        """An own line on disk, after what others had said before it."""
        if (kept := self._context.secret(f"said/{number}")) is not None:
            heard, own = unpack(kept)
            return heard, own
        alone = self._context.secret(f"chat/{number}")  # programs of before kept their own lines only
        return None if alone is None else ((), alone.decode())

    def go_on(self, said: Iterable[tuple[bytes, Chat]]) -> None:
        """Take over what those at the table said before the game."""
        there = {chair.key for chair in self._context.log.now.chairs}
        for author, chat in said:
            if author == self._context.identity.key:
                self.say(chat.line)
            elif author in there:
                self.hear(author, chat)

    def say(self, line: str) -> Chat:
        """A line of my own."""
        heard = tuple((author, chat.number, chat.line) for author, chat in self._since)
        self._context.keep(f"said/{self._said.spoken}", pack((heard, line)))
        self._since.clear()
        return self._said.say(line)

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Whether the line is new."""
        is_new = self._said.hear(author, chat)
        if is_new:
            self._since = [*self._since, (author, chat)][-MOST_LINES:]
        return is_new

    def lines(self) -> list[tuple[bytes, str]]:
        """Who said what, as far as it is remembered."""
        return [(author, chat.line) for author, chat in self._said]

    def own(self) -> list[Chat]:
        """What I said last, for those who come late."""
        return [chat for author, chat in self._said if author == self._context.identity.key][-MOST_TOLD:]
