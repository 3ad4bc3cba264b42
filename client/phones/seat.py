"""A seat that is played from phones: it outlives every connection, because a phone sleeps after half a minute.

The station of the seat is on the network from the moment somebody sits down until the person or the host leaves the
table. While the table waits for a seat that no page has shown for a minute, it is away, as any other absent player,
until a page comes. Any number of pages may show it; each gets what has changed since its last update.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, Protocol

from quadrille.client.bots.boxes import USUAL
from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones import requests
from quadrille.client.phones.guest import GuestScreen, update_guest
from quadrille.client.phones.requests import Request
from quadrille.client.phones.view import Parts, Remembered, guest_parts, told_part
from quadrille.client.screen.app import now
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.network.news import Order, PageTaken, Sent, StationLeft, TakePage
from quadrille.client.screen.network.thread import NetworkThread
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.bots import Bots
from quadrille.client.screen.table.model import Entered, LookedBack, Model, Picked, Question, Written
from quadrille.client.table.effects import Advise, Quit, Wake
from quadrille.client.table.wishes import Faulted, Hinted, Say, Watch
from quadrille.client.words import phones as words
from quadrille.client.words.rules import touch_blocks
from quadrille.net.core.limits import Bucket, Pace
from quadrille.rules.registry import game

#: Seconds for which changes are collected before an update, and after which a seat without a page is away.
_FRAME: Final = 0.01
ASLEEP: Final = 60
#: Seconds for which the table waits before that: a person may take up a phone that has slept since the last turn.
WAKES: Final = 15
#: The hints of a seat: a search costs the host a second of a processor.
_HINTS: Final = Pace(3, 4000)


class PhonePage(Protocol):
    """A connection that shows a seat."""

    def show(self, parts: Parts) -> None:
        """Send what has changed."""

    def tell(self, parts: Parts) -> None:
        """Send something that is no state."""


class PhoneSeat:
    """A seat at play, or a watcher's view, without a screen of its own."""

    def __init__(
        self,
        options: NetworkOptions,
        guest: GuestScreen,
        first: Order | None,
        ended: Callable[["PhoneSeat"], None],
        *,
        is_screen: bool = False,
    ) -> None:
        self.guest = guest
        self.pages: set[PhonePage] = set()
        #: Whether the person leaves the table for good.
        self.leaves = False
        #: The last lines for pages, after the table has been left.
        self.said: list[str] = []
        self.over = asyncio.Event()
        self._ended = ended
        self._is_screen = is_screen
        self._remembered = Remembered()
        self._parts: Parts = {}
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._frame: asyncio.TimerHandle | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._unseen_since = self._loop.time()  # while there is no page
        self._watches = False
        self._leaving = False  # the person was asked whether to leave
        self._asking: list[PhonePage] = []  # pages that have asked for the game as a page
        self._asked: tuple[int, str] | None = None  # the last requested move that was not refused
        self._bots = Bots(self.hear, self._loop, isolate=options.isolate or USUAL)  # for hints
        self._hints = Bucket(_HINTS)
        self.network = NetworkThread(options, self.hear, first)

    def start(self) -> None:
        """Go to the network, and to the table."""
        self.hear(terminal.Begun())
        self.network.start()

    async def end(self) -> None:
        """Leave the network."""
        for timer in (self._timer, self._frame, self._watch):
            if timer is not None:
                timer.cancel()
        self._bots.close()
        await asyncio.to_thread(self.network.close)
        self.said = [line for line in self.network.said if "quadrille " not in line]  # nobody types that on a phone
        self.over.set()

    # Pages

    def open(self, page: PhonePage) -> None:
        """Show this seat on a page from now on."""
        self.pages.add(page)
        self._count_silence()
        page.show(self.parts())

    def close(self, page: PhonePage) -> None:
        """Remove a page; the seat stays."""
        self.pages.discard(page)
        self._unseen_since = self._loop.time()
        self._count_silence()

    def _count_silence(self) -> None:
        """Count the time until a seat is away for which the table waits, and which no page shows."""
        front = self.guest.evening.front
        waits = isinstance(front, Model) and not front.table.match.over and (front.table.is_mine or front.table.asks)
        if self.pages or self.over.is_set() or not waits:
            if self._watch is not None:
                self._watch.cancel()
            self._watch = None
        elif self._watch is None:
            left = self._unseen_since + ASLEEP - self._loop.time()
            self._watch = self._loop.call_later(max(WAKES, left), self._sleep)

    def _sleep(self) -> None:
        self.network.ask(Say(words.ASLEEP))
        self._ended(self)

    def parts(self) -> Parts:
        if not self._parts:
            self._parts = guest_parts(self.guest, self._remembered, screen=self._is_screen)
            if self._leaving:
                self._parts["ask"] = {"text": words.LEAVES}
        return self._parts

    # Events

    def hear(self, event: Any) -> None:
        """Process an event of the network, the clock or a page."""
        match event:
            case PageTaken(name, text):
                for page in self._asking:
                    page.tell({"record": {"name": name, "text": text}})
                self._asking.clear()
                return
            case StationLeft(_, said):
                self.said += said
            case Hinted() | Faulted():
                self._loop.call_soon(self._bots.let_all_go)
        self.guest, effects = update_guest(self.guest, event)
        for effect in effects:
            self._do(effect)
        if self._is_screen and self.guest.is_looking and self.guest.may_watch and not self._watches:
            self._watches = True
            self.network.ask(Watch(self.guest.wanted))
        self._count_silence()
        self._renew()

    def _renew(self) -> None:
        """Schedule an update of the pages."""
        self._parts = {}
        if self._frame is None:
            self._frame = self._loop.call_later(_FRAME, self._show)

    def _show(self) -> None:
        self._frame = None
        for page in self.pages:
            page.show(self.parts())

    def _do(self, effect: Any) -> None:
        match effect:
            case terminal.Ring():
                for page in self.pages:
                    page.tell({"ring": True})
            case Wake(after):
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = self._loop.call_later(after / 1000, lambda: self.hear(terminal.Tick(now())))
            case Quit():
                self._ended(self)
            case Advise() if self._hints.take(now()):
                self._bots.perform(effect)
            case Advise():
                self.hear(terminal.Told(words.HINTS_REST, alarm=True))
            case Sent(order):
                self.network.ask(order)

    # Requests

    def obey(self, page: PhonePage, request: Request) -> None:
        """Carry out a request; a watcher's seat takes none of a player's."""
        match request:
            case requests.AskRules():
                page.tell({"rules": self._rules()})
            case requests.AskRecord():
                if not self._asking:  # one answer is enough for all
                    self.network.ask(TakePage())
                self._asking.append(page)
            case requests.Here():
                page.tell({"here": 1})
            case _ if self._is_screen:
                page.tell({"told": told_part(words.WATCHES, True)})
            case requests.PickPlace(place):
                self.hear(Picked(place))
            case requests.Write(line):
                self.hear(Written(line))
            case requests.Drop():
                self.hear(terminal.Key("backspace"))
            case requests.PlayLine(at, line):
                self._play(at, line)
            case requests.Word("quit"):
                self._leaving = True
                self._renew()
            case requests.Word(word, rest):
                self.hear(Entered(f"{word} {rest}".strip()))
            case requests.SayLine(text):
                self.hear(Entered(f"say {text}"))
            case requests.GiveAnswer(yes):
                self._answer(yes=yes)
            case requests.LookAt(at):
                self.hear(LookedBack(at))

    def _play(self, at: int, line: str) -> None:
        """Make a move, once: a request for another entry was carried out already, or comes too late."""
        front = self.guest.evening.front
        if not isinstance(front, Model) or front.table.match.length != at or not front.table.is_mine or front.replay:
            return
        if (at, line) != self._asked or front.alarm:
            self._asked = at, line
            self.hear(Entered(line))

    def _answer(self, *, yes: bool) -> None:
        front = self.guest.evening.front
        if self._leaving:
            self._leaving = False
            if yes:
                self.leaves = True
                self.hear(Entered("quit"))
            self._renew()
        elif isinstance(front, Model) and isinstance(front.overlay, Question):
            self.hear(terminal.Key("enter" if yes else "escape"))
        else:
            self.hear(Entered("yes" if yes else "no"))

    def _rules(self) -> list[str]:
        match self.guest.evening.front:
            case Model() as model:
                return list(touch_blocks(model.table.match.game, model.table.match.state.options))
            case WaitingRoomScreen() as waiting:
                return list(touch_blocks(game(waiting.room.key)))
        return []
