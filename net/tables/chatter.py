"""What is said at a table: remembered for those who come late, and this peer's own lines for itself.

Specification: protocols.md, "Play".
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.entries.wire import Chat
from quadrille.net.game_log.said_lines import SaidLines
from quadrille.net.tables.table_context import TableContext

#: Maximum lines of its own that a peer tells somebody who comes late.
MOST_TOLD: Final = 40


class Chatter:
    """The lines of one table, as one peer has heard them. Its own are on disk as long as the game lasts, because nobody
    else tells them after a crash.
    """

    __slots__ = ("_context", "_said")

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._said = SaidLines(context.log.table, context.identity.key)
        while (kept := context.secret(f"chat/{self._said.spoken}")) is not None:
            self._said.say(kept.decode())

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
        self._context.keep(f"chat/{self._said.spoken}", line.encode())
        return self._said.say(line)

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Whether the line is new."""
        return self._said.hear(author, chat)

    def lines(self) -> list[tuple[bytes, str]]:
        """Who said what, as far as it is remembered."""
        return [(author, chat.line) for author, chat in self._said]

    def own(self) -> list[Chat]:
        """What I said last, for those who come late."""
        return [chat for author, chat in self._said if author == self._context.identity.key][-MOST_TOLD:]
