"""The guests of an evening behind the door: who is here, and what their pages show as the host leads on.

A guest has a seat at the table to which the host leads (seat.py), or watches it, or waits in the room of the evening.
The pages go along. All large screens together are one more visit, with a watcher's seat. Specification:
docs/protocols/phones.md.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from quadrille.client.evening.kept import KeptEvening
from quadrille.client.evening.page import evening_page
from quadrille.client.evening.scores import may_bet
from quadrille.client.phones.connection import Dismissal, PageConnection
from quadrille.client.phones.guest import GuestScreen
from quadrille.client.phones.requests import AskRules, GiveAnswer, Here, PlaceBet, Request, SayLine, Word
from quadrille.client.phones.seat import ASLEEP, PhonePage, PhoneSeat
from quadrille.client.phones.view import Parts, evening_parts, told_part
from quadrille.client.presence.guest_seats import GuestSeat, GuestSeats, Lead
from quadrille.client.screen.app import now
from quadrille.client.screen.table.model import Model
from quadrille.client.table.wishes import JoinTable, Return
from quadrille.client.words import phones as words
from quadrille.client.words.rules import touch_blocks
from quadrille.net.core.limits import Bucket, Pace
from quadrille.net.trust.names import SCREEN
from quadrille.rules.registry import game

#: The command by which a guest leaves the evening.
_QUIT: Final = ["quit", "Leave the evening", ""]
_EVENING: Final = ["evening", words.SO_FAR, ""]
#: How often a guest may change a bet: the host writes down each one.
_BETS: Final = Pace(5, 10_000)


class Visit:
    """A guest of the evening with its pages; or, without a seat, all large screens. It is the room of the evening for
    them while they are at no table.
    """

    def __init__(self, evening: "PhoneEvening", seat: GuestSeat | None) -> None:
        self.seat = seat
        self.pages: set[PageConnection] = set()
        #: The station at the present table.
        self.phone: PhoneSeat | None = None
        self.told = ""
        #: Whether a page is open, or was within the last minute.
        self.is_here = False
        self.goes_on = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        #: The last bet: the table and the seat.
        self.bet = "", 0
        self.pace = Bucket(_BETS)
        self._evening = evening
        self._is_leaving = False

    def open(self, page: PhonePage) -> None:
        page.show(self.parts())

    def close(self, _: PhonePage) -> None:
        """Let a page go to a table."""

    def parts(self) -> Parts:
        names = [(one.seat.name, one is self) for one in self._evening.visits.values() if one.is_here and one.seat]
        return evening_parts(names, self.told) | self.menu()

    def menu(self) -> Parts:
        """Return the command by which a guest leaves, and the question before that."""
        return {
            "words": [_QUIT] if self.seat is not None else [],
            "ask": {"text": words.LEAVES_EVENING} if self._is_leaving else None,
        }

    def obey(self, page: PhonePage, request: Request) -> None:
        """Carry out a request of a page that is at no table, or watches."""
        match request:
            case AskRules():
                key = self._evening.game
                page.tell({"rules": list(touch_blocks(game(key))) if key else [words.NEXT_GAME]})
            case Here():
                page.tell({"here": 1})
            case SayLine():
                page.tell({"told": told_part(words.NO_CHAT, True)})
            case Word("quit"):
                self._is_leaving = self.seat is not None
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

    def __init__(self, seats: GuestSeats, say: Callable[[str], None]) -> None:
        self.seats = seats
        self.lead = Lead()
        #: The key of the game that is played, or was played last.
        self.game = ""
        #: The parts that all pages show beside the rest.
        self.shown: Parts = {}
        self.screens = Visit(self, None)
        self.visits = {seat.folder.name: Visit(self, seat) for seat in seats.seats}
        self._say = say
        self._said = ""
        self._of: dict[PageConnection, Visit] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._page: tuple[Parts, asyncio.Task[str]] | None = None  # of the evening, with the points that it tells
        self.report()

    def report(self) -> None:
        """Tell the host who is here, if that has changed."""
        guests = [
            {"folder": name, "name": seat.name, "key": seat.key.hex(), "code": seat.code, "here": visit.is_here}
            for name, visit in self.visits.items()
            if (seat := visit.seat)
        ]
        if (line := json.dumps({"guests": guests}, ensure_ascii=False)) != self._said:
            self._said = line
            self._say(line)
            for visit in self._all():
                for page in visit.pages:
                    page.refresh()

    def _all(self) -> Iterator[Visit]:
        yield self.screens
        yield from self.visits.values()

    # Pages

    def sit(self, name: str) -> GuestSeat:
        """Receive a new guest of that name."""
        seat = self.seats.give(name)
        self.visits[seat.folder.name] = Visit(self, seat)
        return seat

    def enter(self, page: PageConnection, seat: GuestSeat | None) -> None:
        """Show a guest's page what the guest sees; without a seat it is a large screen."""
        visit = self.screens if seat is None else self.visits[seat.folder.name]
        visit.pages.add(page)
        self._of[page] = visit
        if visit.timer is not None:
            visit.timer.cancel()
        visit.is_here = True
        page.sit(self._place(visit))
        self.report()
        self._begin(self._go_on(visit))

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
        self.report()

    def obey(self, page: PageConnection, request: Request) -> None:
        """Carry out a request of a page; one that watches may still leave."""
        visit, place = self._of[page], page.place
        match request:
            case PlaceBet(seat):
                self._bet(visit, page, seat)
                return
            case Word("evening") if visit.seat is not None:
                self._begin(self._take_home(page))
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
        if visit is None or visit.seat is None or place is None:
            return self.shown
        told = place.parts()
        parts: Parts = {"words": told.get("words", [])}
        if place is self.screens.phone:
            parts = visit.menu() | ({"stage": "table"} if told["stage"] == "screen" else {})
            parts["bet"] = self._bet_part(visit, self.screens.phone)
        parts["words"] = [*parts["words"], *([_EVENING] if self.shown.get("evening", {}).get("games") else [])]
        return self.shown | parts

    # The evening's table, and bets

    def _bet(self, visit: Visit, page: PageConnection, seat: int) -> None:
        """Tell the host the bet of a guest who watches; the host decides whether it counts."""
        phone = self.screens.phone
        front = phone.guest.evening.front if phone is not None and page.place is phone else None
        if visit.seat is None or phone is None or not isinstance(front, Model):
            page.tell({"told": told_part(words.NO_BET, True)})
            return
        bet = phone.guest.wanted, seat
        if may_bet(front.table.match, (), visit.seat.key, seat) and visit.bet != bet and visit.pace.take(now()):
            visit.bet = bet
            self._say(json.dumps({"bet": visit.seat.folder.name, "table": bet[0], "seat": seat}))
            for each in visit.pages:
                each.refresh()
        elif visit.bet != bet:
            page.tell({"told": told_part(words.NO_BET, True)})

    def _bet_part(self, visit: Visit, phone: PhoneSeat) -> Parts | None:
        """Return the choice of a guest who watches, and the guest's bet; None if there is neither."""
        front = phone.guest.evening.front
        if not isinstance(front, Model) or front.table.match.over is not None or visit.seat is None:
            return None
        names = [chair.name for chair in front.table.chairs]
        is_open, (table, seat) = may_bet(front.table.match, (), visit.seat.key), visit.bet
        own = seat if table == phone.guest.wanted else None
        says = words.WHO_WINS if own is None else words.bet_on(names[own])
        return {"says": says, "seats": names if is_open else [], "seat": own} if is_open or own is not None else None

    async def _take_home(self, page: PageConnection) -> None:
        """Send the page of the evening, which is made once for all until another game has ended."""
        if self._page is None or self._page[0] is not self.shown:
            made = asyncio.to_thread(lambda: evening_page(KeptEvening(self.seats.folder.parent).board))
            self._page = self.shown, asyncio.create_task(made)
        page.tell({"record": {"name": "evening.html", "text": await self._page[1]}})

    # On the way

    def go_to(self, lead: Lead) -> None:
        """Follow the host to a table, or away from one."""
        before, self.lead = self.lead, lead
        self.game = lead.game or self.game
        for visit in self.visits.values():
            if lead.again and visit.phone is not None and visit.phone.guest.wanted == before.table:
                visit.phone.guest = replace(visit.phone.guest, wanted=lead.table)
        for visit in self._all():
            self._begin(self._go_on(visit))

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_watching(self, visit: Visit) -> bool:
        """Tell whether a visit belongs to those who watch the present table."""
        return visit.seat is None or visit.seat.folder.name not in self.lead.chairs

    def _place(self, visit: Visit) -> "Visit | PhoneSeat":
        if visit.phone is not None:
            return visit.phone
        watched = self.screens.phone if self._is_watching(visit) else None
        return watched or visit

    async def _go_on(self, visit: Visit) -> None:
        """Bring a visit where it belongs. A player keeps the picture of a finished game until there is another one."""
        if visit.seat is not None and self._is_watching(visit):
            await self._go_on(self.screens)
        async with visit.goes_on:
            table = self.lead.table
            phone, watches = visit.phone, visit.seat is not None and self._is_watching(visit)
            if phone is not None and (phone.guest.wanted != table or watches) and (table or visit.seat is None):
                await self._stop(visit)
            pages = any(one.pages for one in self._all() if one is visit or (not visit.seat and self._is_watching(one)))
            if table and pages and visit.phone is None and not watches:
                await self._start(visit, table)
        for each in self._all() if visit.seat is None else (visit,):
            place = self._place(each)
            for page in each.pages:
                page.sit(place)

    async def _start(self, visit: Visit, table: str) -> None:
        """Start a visit's station for a table."""
        guest, ended, visit.told = GuestScreen(self.lead.about, table), partial(self.leave, visit), ""
        if (seat := visit.seat) is None:
            options = self.seats.options(self.seats.screen(), SCREEN)
            visit.phone = PhoneSeat(options, guest, None, ended, is_screen=True)
        else:
            unfinished = await asyncio.to_thread(lambda: seat.unfinished)
            back = [name for name in unfinished if name.startswith(table)]
            first = Return(back[0]) if back else JoinTable(table)
            visit.phone = PhoneSeat(self.seats.options(seat.folder, seat.name), guest, first, ended)
        visit.phone.start()

    async def _stop(self, visit: Visit) -> None:
        """End a visit's station; its pages are in the room of the evening meanwhile."""
        phone, visit.phone = visit.phone, None
        if phone is None:
            return
        for page in list(phone.pages):
            if isinstance(page, PageConnection) and page in self._of:
                page.sit(self._of[page])
        await phone.end()

    def leave(self, visit: Visit, phone: PhoneSeat | None = None) -> None:
        """Take a guest from a table that the guest left or that has closed; without a table, out of the evening."""
        self._begin(self._leave(visit, phone))

    async def _leave(self, visit: Visit, phone: PhoneSeat | None) -> None:
        async with visit.goes_on:
            if phone is None or visit.phone is phone:
                await self._stop(visit)
                visit.told = "" if phone is None else " ".join(phone.said)
                if visit.seat is not None and (phone is None or phone.leaves):
                    await self._dismiss(visit, visit.seat)
        for page in visit.pages:
            page.refresh()

    async def _dismiss(self, visit: Visit, seat: GuestSeat) -> None:
        visit.is_here = False
        if await self.seats.leave(seat):
            del self.visits[seat.folder.name]
        for page in list(visit.pages):
            await page.turn_away(Dismissal.DONE, visit.told)
        self.report()

    async def close(self, *, over: bool) -> None:
        """Leave all tables; at the end of the evening guests without an unfinished game are forgotten."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self._stop(visit) for visit in self._all()))
        for visit in list(self._all()):
            gone = over and (visit.seat is None or await self.seats.leave(visit.seat))
            why, said = (Dismissal.DONE, words.EVENING_OVER) if gone else (Dismissal.LEFT, "")
            await asyncio.gather(*(page.turn_away(why, said) for page in list(visit.pages)))
        self.seats.close(over=over)
