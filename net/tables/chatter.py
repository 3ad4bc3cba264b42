"""What is said at a table: remembered for those who come late, each line once, and never more than some.

Specification: protocols.md, "Play".
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.entries.wire import Chat
from quadrille.net.tables.table_context import TableContext

#: How many lines a table remembers, and how many of its own a peer tells who comes late.
MOST_LINES: Final = 200
MOST_TOLD: Final = 40


class Chatter:
    """The lines of one table, as one peer has heard them. Its own are on disk as long as the game lasts, because nobody
    else tells them after a crash.
    """

    __slots__ = ("_context", "_lines", "_spoken")

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._lines: list[tuple[bytes, Chat]] = []
        self._spoken = 0
        while (kept := context.secret(f"chat/{self._spoken}")) is not None:
            self._speak(kept.decode())

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
        self._context.keep(f"chat/{self._spoken}", line.encode())
        return self._speak(line)

    def _speak(self, line: str) -> Chat:
        chat = Chat(self._context.log.table, self._spoken, line)
        self._spoken += 1
        self.hear(self._context.identity.key, chat)
        return chat

    def hear(self, author: bytes, chat: Chat) -> bool:
        """Whether the line is new."""
        if (author, chat) in self._lines:
            return False
        self._lines = [*self._lines, (author, chat)][-MOST_LINES:]
        return True

    def lines(self) -> list[tuple[bytes, str]]:
        """Who said what, as far as it is remembered."""
        return [(author, chat.line) for author, chat in self._lines]

    def own(self) -> list[Chat]:
        """What I said last, for those who come late."""
        return [chat for author, chat in self._lines if author == self._context.identity.key][-MOST_TOLD:]
