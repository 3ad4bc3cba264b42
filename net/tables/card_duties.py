"""One peer's duties to the deck of a table, and the books opened after the game.

A machine without sockets: table.py decides when an entry is written. net/game_log/own_cards.py computes what a seat
sees and owes, net/game_log/books.py what a book proves. Specification: docs/protocols/cards.md, "Cards at a table".
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
    """One peer's duties to the deck; none at a table without hidden cards."""

    __slots__ = ("_clock", "_context")

    def __init__(self, context: TableContext, clock: TableClock) -> None:
        """Loads the secrets of books that were opened before a crash."""
        self._context = context
        self._clock = clock
        for epoch, seat in books.pages(context.log):
            if (kept := context.secret(_label(epoch, seat))) is not None:
                context.log.books[epoch, seat] = kept

    def due(self, now: int) -> tuple[EntryBody, int] | None:
        """The entry that the deck expects from this seat, and the time used; the usual time is free."""
        body = self._context.hand.owed()
        return None if body is None else (body, self._clock.used_for_cards(now))

    def open_book(self) -> None:
        """Reveal the secrets of this peer's keys, so that all cards can be shown."""
        self._keep(books.own(self._context.log, self._context.identity, self._context.shelf))
        self._context.say(*self.book())

    def book(self) -> list[Book]:
        """The known parts of this table's books."""
        log = self._context.log
        rows = tuple((epoch, seat, secret) for (epoch, seat), secret in sorted(log.books.items()))
        return [Book(log.table, rows[:MOST_ROWS])] if rows else []

    def hear(self, author: bytes, book: Book) -> None:
        """Keep each secret of an opened book that fits its key."""
        try:
            known = self._context.log.books
            for epoch, seat, secret in [row for row in book.secrets if row[:2] not in known]:
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
