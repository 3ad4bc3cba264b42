"""The guests of an evening behind the door: who is here, and what their pages show as the host leads on.

A guest has a seat at the table to which the host leads (seat.py), or watches it, or waits in the room of the evening.
The pages go along. All large screens together are one more visit, which watches. docs/protocols/phones.md has more.
"""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from quadrille.ai.bots.talk import now
from quadrille.client.evening.scores import Scoreboard, may_bet
from quadrille.client.phones.connection import Dismissal, PageConnection
from quadrille.client.phones.guests import Guests, Lead, Visitor
from quadrille.client.phones.requests import AskRules, GiveAnswer, Here, PlaceBet, Request, SayLine, Word
from quadrille.client.phones.seat import ASLEEP, PhoneSeat
from quadrille.client.phones.view import Parts, evening_parts, told_part
from quadrille.client.screen.network.news import Room, Seated
from quadrille.client.screen.table.model import Model
from quadrille.client.words import phones as words
from quadrille.client.words.rules import touch_blocks
from quadrille.net.core.limits import Bucket, Pace
from quadrille.rules.registry import game

#: The command by which a guest leaves the evening.
_QUIT: Final = ["quit", "Leave the evening", ""]
_EVENING: Final = ["evening", words.SO_FAR, ""]
#: How often a guest may change a bet: the host writes down each one.
_BETS: Final = Pace(5, 10_000)


class Visit:
    """A guest of the evening with its pages; or, without a guest, all large screens. It is the room of the evening for
    them while they are at no table.
    """

    def __init__(self, evening: "PhoneEvening", guest: Visitor | None) -> None:
        self.guest = guest
        self.pages: set[PageConnection] = set()
        #: The seat at the present table.
        self.phone: PhoneSeat | None = None
        #: Whether a page is open, or was within the last minute.
        self.is_here = False
        self.timer: asyncio.TimerHandle | None = None
        #: The last bet: the table and the seat.
        self.bet = "", 0
        self.pace = Bucket(_BETS)
        self._evening = evening
        self._is_leaving = False

    @property
    def name(self) -> str:
        return self.guest.name if self.guest is not None else ""

    def open(self, page: PageConnection) -> None:
        page.show(self.parts())

    def close(self, _: PageConnection) -> None:
        """Let a page go to a table."""

    def parts(self) -> Parts:
        names = [(one.name, one is self) for one in self._evening.visits.values() if one.is_here]
        return evening_parts(names, "") | self.menu()

    def menu(self) -> Parts:
        """Return the command by which a guest leaves, and the question before that."""
        return {
            "words": [_QUIT] if self.guest is not None else [],
            "ask": {"text": words.LEAVES_EVENING} if self._is_leaving else None,
        }

    def obey(self, page: PageConnection, request: Request) -> None:
        """Carry out a request of a page that is at no table, or watches."""
        match request:
            case AskRules():
                key = self._evening.lead.game
                page.tell({"rules": list(touch_blocks(game(key))) if key else [words.NEXT_GAME]})
            case Here():
                page.tell({"here": 1})
            case SayLine():
                page.tell({"told": told_part(words.NO_CHAT, True)})
            case Word("quit"):
                self._is_leaving = self.guest is not None
            case GiveAnswer(yes) if self._is_leaving:
                self._is_leaving = False
                if yes:
                    self._evening.leave(self)
            case _:
                page.tell({"told": told_part(words.NO_TABLE, True)})
        for each in self.pages:
            each.refresh()


class PhoneEvening:
    """All visits, and where they are led."""

    def __init__(self, guests: Guests, isolate: str | None) -> None:
        self.lead = Lead()
        self.board = Scoreboard()
        self._points: Parts = {}
        self.screens = Visit(self, None)
        self.visits: dict[str, Visit] = {}
        self._guests = guests
        self._isolate = isolate
        self._of: dict[PageConnection, Visit] = {}
        self._page: tuple[Scoreboard, asyncio.Task[str]] | None = None  # of the evening, with the points that it tells

    def _all(self) -> Iterator[Visit]:
        yield self.screens
        yield from self.visits.values()

    def refresh(self) -> None:
        """Renew all pages."""
        for page in self._of:
            page.refresh()

    # Pages

    def meet(self, guests: Sequence[Visitor]) -> None:
        """Know these guests, and no others."""
        known = {guest.name: self.visits.get(guest.name) or Visit(self, guest) for guest in guests}
        for name in self.visits.keys() - known.keys():
            self.dismiss(name)
        self.visits = known

    def enter(self, page: PageConnection, guest: Visitor | None) -> None:
        """Show a guest's page what the guest sees; without a guest it is a large screen."""
        visit = self.screens if guest is None else self.visits[guest.name]
        visit.pages.add(page)
        self._of[page] = visit
        if visit.timer is not None:
            visit.timer.cancel()
        if not visit.is_here and guest is not None:
            self._guests.call(self._guests.comes, guest.name, True)
        visit.is_here = True
        page.sit(self._place(visit))
        self.refresh()

    def exit(self, page: PageConnection) -> None:
        """Forget a page that has gone; a guest without pages is away `ASLEEP` seconds later."""
        if (visit := self._of.pop(page, None)) is None:
            return
        visit.pages.discard(page)
        if page.place is not None:
            page.place.close(page)
        if not visit.pages:
            visit.timer = asyncio.get_running_loop().call_later(ASLEEP, self._away, visit)

    def _away(self, visit: Visit) -> None:
        visit.is_here = False
        if visit.guest is not None:
            self._guests.call(self._guests.comes, visit.name, False)
        self.refresh()

    def obey(self, page: PageConnection, request: Request) -> None:
        """Carry out a request of a page; one that watches may still leave."""
        visit, place = self._of[page], page.place
        match request:
            case PlaceBet(seat):
                self._bet(visit, page, seat)
                return
            case Word("evening") if visit.guest is not None:
                page.begin(self._take_home(page))
                return
        if place is self.screens.phone and isinstance(request, Word | GiveAnswer):
            place = visit
        if place is not None:
            place.obey(page, request)

    def beside(self, page: PageConnection) -> Parts:
        """Return the parts that a page shows beside its place. A guest who watches sees the table like a player, with a
        menu of its own.
        """
        visit, place = self._of.get(page), page.place
        if visit is None or visit.guest is None or place is None:
            return self._points
        told = place.parts()
        parts: Parts = {"words": told.get("words", [])}
        if place is self.screens.phone:
            parts = visit.menu() | ({"stage": "table"} if told["stage"] == "screen" else {})
            parts["bet"] = self._bet_part(visit, self.screens.phone)
        parts["words"] = [*parts["words"], *([_EVENING] if self.board.games else [])]
        return self._points | parts

    # The evening's table, and bets

    def count(self, board: Scoreboard) -> None:
        """Show these points beside the rest on all pages, which may take them home."""
        self.board, self._points = board, {"evening": board.part()}

    def _bet(self, visit: Visit, page: PageConnection, seat: int) -> None:
        """Tell the host the bet of a guest who watches; the host decides whether it counts."""
        phone = self.screens.phone
        model = phone.front if phone is not None and page.place is phone else None
        if visit.guest is None or phone is None or not isinstance(model, Model):
            page.tell({"told": told_part(words.NO_BET, True)})
            return
        bet = phone.table, seat
        if may_bet(model.table.match, (), visit.name, seat) and visit.bet != bet and visit.pace.take(now()):
            visit.bet = bet
            self._guests.call(self._guests.bet, visit.name, *bet)
            for each in visit.pages:
                each.refresh()
        elif visit.bet != bet:
            page.tell({"told": told_part(words.NO_BET, True)})

    def _bet_part(self, visit: Visit, phone: PhoneSeat) -> Parts | None:
        """Return the choice of a guest who watches, and the guest's bet; None if there is neither."""
        model = phone.front
        if not isinstance(model, Model) or model.table.match.over is not None:
            return None
        names = [chair.name for chair in model.table.chairs]
        is_open, (table, seat) = may_bet(model.table.match, (), visit.name), visit.bet
        own = seat if table == phone.table else None
        says = words.WHO_WINS if own is None else words.bet_on(names[own])
        return {"says": says, "seats": names if is_open else [], "seat": own} if is_open or own is not None else None

    async def _take_home(self, page: PageConnection) -> None:
        """Send the page of the evening, which is made once for all until another game has ended."""
        from quadrille.client.evening.page import evening_page  # imported here: few evenings become pages

        if self._page is None or self._page[0] is not self.board:
            self._page = self.board, asyncio.create_task(asyncio.to_thread(evening_page, self.board))
        page.tell({"record": {"name": "evening.html", "text": await self._page[1]}})

    # On the way

    def go_to(self, lead: Lead) -> None:
        """Follow the host to a table, or away from one. A player keeps the picture of a finished game until there is
        another one.
        """
        self.lead = lead
        for visit in self._all():
            phone, watches = visit.phone, visit.guest is not None and visit.name not in lead.chairs
            if phone is not None and (phone.table != lead.table or watches) and (lead.table or visit.guest is None):
                visit.phone = None
                phone.end()
            if lead.table and visit.phone is None and not watches:
                visit.phone = self._seat(visit, lead)
        for page, visit in self._of.items():
            page.sit(self._place(visit))
        self.refresh()

    def _seat(self, visit: Visit, lead: Lead) -> PhoneSeat:
        """Make a visit's seat at a table."""
        if visit.guest is None:
            return PhoneSeat(lead.table, lead.about)
        guests, name = self._guests, visit.name
        return PhoneSeat(
            lead.table,
            lead.about,
            partial(guests.call, guests.wish, name),
            partial(guests.call, guests.sleeps, name),
            partial(self.leave, visit),
            self._isolate,
        )

    def _place(self, visit: Visit) -> Visit | PhoneSeat:
        if visit.phone is not None:
            return visit.phone
        watches = visit.guest is None or visit.name not in self.lead.chairs
        return (self.screens.phone if watches else None) or visit

    def show(
        self, table: str, name: str, front: Room | Seated, names: tuple[str, ...], said: str, *, alarm: bool
    ) -> None:
        """Show a guest's seat as it is now, or without a name the table as watchers see it."""
        visit = self.visits.get(name) if name else self.screens
        if visit is not None and visit.phone is not None and visit.phone.table == table:
            visit.phone.hear(front, names, said, alarm=alarm)

    def tell(self, name: str, text: str) -> None:
        """Tell a guest something."""
        for page in self.visits[name].pages if name in self.visits else ():
            page.tell({"told": told_part(text, True)})

    def leave(self, visit: Visit) -> None:
        """Tell the host that a guest leaves the table and the evening for good."""
        self._guests.call(self._guests.leaves, visit.name)

    def dismiss(self, name: str, said: str = "", why: Dismissal = Dismissal.DONE) -> None:
        """Close the pages of a guest, or of all large screens."""
        visit = self.visits.get(name) if name else self.screens
        if visit is not None:
            visit.is_here = False
            for page in list(visit.pages):
                page.end(why, said)

    def close(self) -> None:
        """Leave all tables."""
        for visit in self._all():
            if visit.timer is not None:
                visit.timer.cancel()
            if visit.phone is not None:
                visit.phone.end()
