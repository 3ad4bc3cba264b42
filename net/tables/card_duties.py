"""The cards of one table, as one peer serves them: what its seat owes the deck, and books that are opened afterwards.

A machine without sockets: table.py says when an entry is written. What a seat sees and owes follows from
net/game_log/own_cards.py, and what a book proves from net/game_log/books.py. Specification: protocols.md, "Cards at a
table".
"""

from collections.abc import Mapping

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import EntryBody
from quadrille.net.entries.wire import MOST_ROWS, Book
from quadrille.net.game_log import books
from quadrille.net.game_log.news import Blamed, Opened
from quadrille.net.tables.table_clock import TableClock
from quadrille.net.tables.table_context import TableContext


class CardDuties:
    """What one peer does for the cards; at a table without any, nothing."""

    __slots__ = ("_clock", "_context")

    def __init__(self, context: TableContext, clock: TableClock) -> None:
        """Secrets of books that were told before a crash are still known."""
        self._context = context
        self._clock = clock
        for epoch, seat in books.pages(context.log):
            if (kept := context.secret(_label(epoch, seat))) is not None:
                context.log.books[epoch, seat] = kept

    def due(self, now: int) -> tuple[EntryBody, int] | None:
        """What the deck waits for from this seat, and the time used; the usual time is free."""
        body = self._context.hand.owed()
        return None if body is None else (body, self._clock.used_for_cards(now))

    def open_book(self) -> None:
        """Tell the secrets of this peer's keys, so that all cards can be shown."""
        self._keep(books.own(self._context.log, self._context.identity, self._context.shelf))
        self._context.say(*self.book())

    def book(self) -> list[Book]:
        """All that is known of the books of this table."""
        log = self._context.log
        rows = tuple((epoch, seat, secret) for (epoch, seat), secret in sorted(log.books.items()))
        return [Book(log.table, rows[:MOST_ROWS])] if rows else []

    def hear(self, author: bytes, book: Book) -> None:
        """Somebody opens a book: each secret is kept that proves itself."""
        try:
            for epoch, seat, secret in book.secrets:
                books.check(self._context.log, epoch, seat, secret)
                self._keep({(epoch, seat): secret})
        except PeerError as error:
            self._context.events.append(Blamed(author, str(error)))

    def _keep(self, secrets: Mapping[tuple[int, int], bytes]) -> None:
        for (epoch, seat), secret in secrets.items():
            if (epoch, seat) not in self._context.log.books:
                self._context.log.books[epoch, seat] = secret
                self._context.keep(_label(epoch, seat), secret)
                self._context.events.append(Opened(epoch, seat))


def _label(epoch: int, seat: int) -> str:
    return f"book/{epoch}/{seat}"
