"""The pages of an evening behind the door: who opened each, and what it shows as the host leads on.

A guest has a seat at the table to which the host leads (seat.py), or watches it, or waits in the room of the evening.
Those who look on, by phone and from large screens, share one more seat. docs/protocols/phones.md has more.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from quadrille.ai.bots.talk import now
from quadrille.client.evening.scores import Scoreboard, may_bet
from quadrille.client.phones.connection import Dismissal, PageConnection
from quadrille.client.phones.guests import MOST_GUESTS, Guests, Lead, Visitor
from quadrille.client.phones.requests import GiveAnswer, PlaceBet, Request, Word
from quadrille.client.phones.seat import PageHome, PhoneSeat
from quadrille.client.phones.view import Parts, door_parts
from quadrille.client.screen.network.news import Front
from quadrille.client.screen.table.model import Model
from quadrille.client.words import phones as words
from quadrille.net.core.limits import Buckets, Pace

#: Seconds after the last page of a guest has gone, until the guest is away.
ASLEEP: Final = 60
_EVENING: Final = ["evening", words.SO_FAR, ""]
#: How often a guest may change a bet: the host writes down each one.
_BETS: Final = Pace(5, 10_000)


class PhoneEvening:
    """All pages, and the seats that they show."""

    def __init__(self, guests: Guests, isolate: str | None) -> None:
        self.lead = Lead()
        #: The seat of those who look on, and with it the seats of all guests by name.
        self.screens = PhoneSeat(guests)
        self.seats: Mapping[str, PhoneSeat] = {"": self.screens}
        self._board = Scoreboard()
        self._points: Parts = {}
        self._guests = guests
        self._isolate = isolate
        #: Whose each page is; None at the door.
        self.pages: dict[PageConnection, PhoneSeat | None] = {}
        self._pace = Buckets[str](_BETS, most=MOST_GUESTS)
        self._page = PageHome()  # of the evening

    def refresh(self) -> None:
        """Renew all pages."""
        for page, seat in self.pages.items():
            if seat is None and not page.is_busy:
                page.show(self.door())
            elif page.place is not None:
                page.show(page.place.parts())

    def door(self, sentence: str = "") -> Parts:
        """Return what a page at the door shows."""
        return door_parts(self.lead.about, self.lead.free, sentence, key=self.lead.game)

    # Pages

    def meet(self, guests: Sequence[Visitor]) -> None:
        """Know these guests, and no others."""
        known = {guest.name: guest for guest in guests}
        for name in self.seats.keys() - known.keys() - {""}:
            self.dismiss(name)
            self.seats[name].close()
        seats = {name: self.seats.get(name) or PhoneSeat(self._guests, known[name], self._isolate) for name in known}
        self.seats = {"": self.screens} | seats

    def enter(self, page: PageConnection, name: str) -> None:
        """Show a guest's page what the guest sees; without a name it is a large screen."""
        seat = self.pages[page] = self.seats[name]
        if seat.away is not None:
            seat.away.cancel()
        page.sit(self._place(seat))
        if name:
            self._guests.call(self._guests.comes, name, True)

    def exit(self, page: PageConnection) -> None:
        """Forget a page that has gone; a guest without pages is away `ASLEEP` seconds later."""
        seat = self.pages.pop(page, None)
        if page.place is not None:
            page.place.pages.discard(page)
        if seat is None or seat.guest is None or seat not in self.seats.values() or seat in self.pages.values():
            return
        seat.away = seat.later(ASLEEP, partial(self._guests.call, self._guests.comes, seat.name, False))

    def obey(self, page: PageConnection, request: Request) -> None:
        """Carry out a request of a page; one that watches may still leave."""
        seat, place = self.pages[page], page.place
        assert seat is not None
        assert place is not None
        match request:
            case PlaceBet(number):
                self._bet(seat, page, number)
            case Word("evening") if seat.guest is not None:
                page.begin(self._take_home(page))
            case Word("quit" | "say") | GiveAnswer() if seat.is_leaving or isinstance(request, Word):
                seat.obey(page, request)
                self.refresh()
            case _:
                place.obey(page, request)

    def beside(self, page: PageConnection) -> Parts:
        """Return the parts that a page shows beside its place. A guest who watches sees the table like a player, with a
        menu of its own.
        """
        seat, place = self.pages.get(page), page.place
        if seat is None or seat.guest is None or place is None:
            return self._points | (place.wide() if place is not None else {})
        place_parts = place.parts()
        parts: Parts = {"words": place_parts.get("words", [])}
        if place is self.screens:
            parts = seat.menu() | ({"stage": "table"} if place_parts["stage"] == "screen" else {})
            parts["bet"] = self._bet_part(seat.name)
            if seat.name in self.lead.queue:
                line = words.IN_LINE.format(1 + self.lead.queue.index(seat.name))
                parts["notes"] = [*place_parts.get("notes", []), line]
        parts["words"] = [*parts["words"], *([_EVENING] if self._board.games else [])]
        return self._points | parts

    # The evening's table, and bets

    def count(self, board: Scoreboard) -> None:
        """Show these points beside the rest on all pages, which may take them home."""
        self._board, self._points = board, {"evening": board.part()}
        self.refresh()

    def _bet(self, seat: PhoneSeat, page: PageConnection, number: int) -> None:
        """Tell the host the bet of a guest, who may watch; the host decides whether it counts."""
        if seat.guest is not None and self._pace.take(seat.name, now()):
            self._guests.call(self._guests.bet, seat.name, self.screens.table, number)
        else:
            page.refuse(words.NO_BET)

    def _bet_part(self, name: str) -> Parts | None:
        """Return the choice of a guest who watches, and the guest's bet; None if there is neither."""
        model = self.screens.front
        if not isinstance(model, Model) or model.table.match.over is not None:
            return None
        names, is_open = [chair.name for chair in model.table.chairs], may_bet(model.table.match, (), name)
        own = self._board.bet_of(name, self.screens.table)
        says = words.WHO_WINS if own is None else words.BET_ON.format(names[own])
        return {"says": says, "seats": names if is_open else [], "seat": own} if is_open or own is not None else None

    async def _take_home(self, page: PageConnection) -> None:
        """Send the page of the evening, another one once another game has ended."""
        from quadrille.client.evening.page import evening_page  # imported here: few evenings become pages

        text = await self._page.text(self._board.games, partial(evening_page, self._board))
        page.tell({"record": {"name": "evening.html", "text": text}})

    # On the way

    def go_to(self, lead: Lead) -> None:
        """Follow the host to a table, or away from one. A player keeps the picture of a finished game until there is
        another one.
        """
        self.lead = lead
        for name, seat in self.seats.items():
            table = lead.table if not name or name in lead.chairs else ""
            if table != seat.table and (lead.table or not name):
                seat.go_to(table, lead)
            seat.lead = lead
        for page, connection in self.pages.items():
            if connection is not None:
                page.sit(self._place(connection))
        self.refresh()

    def _place(self, seat: PhoneSeat) -> PhoneSeat:
        return seat if seat.table else self.screens if self.screens.table else seat

    def show(self, table: str, name: str, front: Front, names: tuple[str, ...], sentence: str, *, alarm: bool) -> None:
        """Show a guest's seat as it is now, or without a name the table as watchers see it."""
        if (seat := self.seats.get(name)) is not None and seat.table == table:
            seat.hear(front, names, sentence, alarm=alarm)

    def _pages_of(self, name: str) -> list[PageConnection]:
        return [page for page, seat in self.pages.items() if seat is not None and seat.name == name]

    def tell(self, name: str, text: str) -> None:
        """Tell a guest something."""
        for page in self._pages_of(name):
            page.refuse(text)

    def dismiss(self, name: str, sentence: str = "") -> None:
        """Close the pages of a guest."""
        for page in self._pages_of(name):
            page.end(Dismissal.DONE, sentence)

    def close(self) -> None:
        """Leave all tables."""
        for seat in self.seats.values():
            seat.close()
