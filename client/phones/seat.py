"""A seat as pages show it: any number of pages, one half-made move, and one line of the table to them.

The seat itself is the host's (guests.py). A touch becomes a wish there, and the table comes back as values, as on the
host's own screen. A guest uses the host's machine, so only wishes that client/words/commands.py
allows a guest get through. While the table waits for a seat that no page has shown for a minute, its guest is asleep.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.bots.talk import now
from quadrille.client.bots.boxes import USUAL
from quadrille.client.files import page_of
from quadrille.client.phones import requests
from quadrille.client.phones.requests import Request
from quadrille.client.phones.view import Parts, Remembered, place_parts, told_part
from quadrille.client.screen.network.news import Room, Seated
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Entered, LookedBack, Model, Picked, Question, Remember, Written
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.update import shows, update
from quadrille.client.table.effects import Advise, Wake
from quadrille.client.table.wishes import LeaveTable, NetworkWish, PlayMove, Say
from quadrille.client.words import phones as words
from quadrille.client.words.commands import GUESTS, word_of
from quadrille.client.words.rules import touch_blocks
from quadrille.net.core.limits import Bucket, Pace
from quadrille.rules.registry import game

if TYPE_CHECKING:
    from quadrille.client.phones.connection import PageConnection
    from quadrille.client.screen.table.bots import LoopBots

#: Seconds for which changes are collected before an update, and after which the guest of a seat without a page sleeps.
_FRAME: Final = 0.01
ASLEEP: Final = 60
#: Seconds for which the table waits before that: a person may take up a phone that has slept since the last turn.
WAKES: Final = 15
#: The wishes of a seat, whatever number of pages shows it: the host's program carries out each one.
_WISHES: Final = Pace(20, 100)
#: The hints of a seat: a search costs the host a second of a processor.
_HINTS: Final = Pace(3, 4000)
_NOT_HERE: Final = "That is for those who play on their own machine."


def allowed(wish: NetworkWish) -> bool:
    """Tell whether a guest may wish that at the host's machine. Leaving is asked about first, by the page."""
    return isinstance(wish, PlayMove) or (word_of(wish) in GUESTS and not isinstance(wish, LeaveTable))


class PhoneSeat:
    """A seat at the table of that number, or without a `wish` a watcher's view. `about` are the terms."""

    def __init__(
        self,
        table: str,
        about: str,
        wish: Callable[[NetworkWish], None] | None = None,
        sleeps: Callable[[bool], None] = lambda _: None,
        leave: Callable[[], None] = lambda: None,
        isolate: str | None = None,
    ) -> None:
        """`wish` makes a wish of this seat, `sleeps` tells whether its guest is asleep, `leave` gives it up."""
        self.table = table
        self.about = about
        self.front: Room | Model | None = None
        self.names: tuple[str, ...] = ()
        self.votes = False
        self.notice = ""
        self.pages: set[PageConnection] = set()
        self._wish = wish
        self._sleeps = sleeps
        self._leave = leave
        self._isolate = isolate or USUAL
        self._remembered = Remembered()
        self._parts: Parts = {}
        self._timer: asyncio.TimerHandle | None = None
        self._frame: asyncio.TimerHandle | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._unseen_since = now()  # while there is no page
        self._is_asleep = False
        self._leaving = False  # the person was asked whether to leave
        self._asked: tuple[int, str] | None = None  # the last requested move that was not refused
        self._bots: LoopBots | None = None  # for hints
        self._hints = Bucket(_HINTS)
        self._wishes = Bucket(_WISHES)

    @property
    def is_screen(self) -> bool:
        return self._wish is None

    def later(self, seconds: float, deed: Callable[[], None]) -> asyncio.TimerHandle:
        """Do something in the loop of the pages after so many seconds."""
        return asyncio.get_running_loop().call_later(seconds, deed)

    def end(self) -> None:
        """Forget the table."""
        for timer in (self._timer, self._frame, self._watch):
            if timer is not None:
                timer.cancel()
        if self._bots is not None:
            self._bots.close()
        self.pages.clear()

    # Pages

    def open(self, page: "PageConnection") -> None:
        """Show this seat on a page from now on."""
        self.pages.add(page)
        if self._is_asleep:
            self._is_asleep = False
            self._sleeps(False)
        self._count_silence()
        page.show(self.parts())

    def close(self, page: "PageConnection") -> None:
        """Remove a page; the seat stays."""
        self.pages.discard(page)
        self._unseen_since = now()
        self._count_silence()

    def _count_silence(self) -> None:
        """Count the time until the guest is asleep for whom the table waits, and whom no page shows."""
        model = self.front
        waits = isinstance(model, Model) and not model.table.match.over and (model.table.is_mine or model.table.asks)
        if self.pages or self._is_asleep or self.is_screen or not waits:
            if self._watch is not None:
                self._watch.cancel()
            self._watch = None
        elif self._watch is None:
            left = ASLEEP - (now() - self._unseen_since) / 1000
            self._watch = self.later(max(WAKES, left), self._sleep)

    def _sleep(self) -> None:
        self._is_asleep = True
        self._sleeps(True)

    def parts(self) -> Parts:
        if not self._parts:
            self._parts = place_parts(self, self._remembered)
            if self._leaving:
                self._parts["ask"] = {"text": words.LEAVES}
        return self._parts

    # News of the table

    def hear(self, front: Room | Seated, names: tuple[str, ...], said: str, *, alarm: bool) -> None:
        """Show the table as it is now, with the names of those who sat down, and what has been said."""
        self.names = names
        match front:
            case Room():
                self.front, self.notice = front, "" if said in front.said else said
            case Seated(table=table, votes=votes):
                before = self.front if isinstance(self.front, Model) else Model(replace(table, mine=()), now=now())
                model, effects = shows(before, table, terminal.Told(said, alarm=alarm))
                ring = (terminal.Ring(),) if votes and not self.votes else ()
                self.votes = votes
                self._do_all(model, (*effects, *ring))
        self._count_silence()
        self._renew()

    def _event(self, event: Any) -> None:
        """Pass an event of the clock, a bot or a page to the half-made move."""
        if isinstance(self.front, Model):
            self._do_all(*update(self.front, event))
            self._count_silence()
            self._renew()

    def _do_all(self, model: Model, effects: tuple[Any, ...]) -> None:
        if isinstance(model.overlay, Page):  # a terminal's help covers the board, and says what has no key here
            model = replace(model, overlay=None, notice=words.HELP, alarm=False)
        self.front = model
        for effect in effects:
            self._do(effect)

    def _do(self, effect: Any) -> None:
        match effect:
            case terminal.Ring():
                for page in self.pages:
                    page.tell({"ring": True})
            case Wake(after):
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = self.later(after / 1000, lambda: self._event(terminal.Tick(now())))
            case Advise() if self._hints.take(now()):
                from quadrille.client.screen.table.bots import LoopBots  # imported here: few guests ask for hints

                self._bots = self._bots or LoopBots(self._hear_hint, asyncio.get_running_loop(), self._isolate)
                self._bots.advise(effect)
                self.later(0, self._hear_hint)
            case Advise():
                self._event(terminal.Told(words.HINTS_REST, alarm=True))
            case terminal.Entitle() | Remember():
                pass  # a page has its own title, and no settings
            case _ if isinstance(effect, NetworkWish) and self._wish is not None and allowed(effect):
                if self._wishes.take(now()):
                    self._wish(effect)
            case _:
                self._event(terminal.Told(_NOT_HERE, alarm=True))

    def _hear_hint(self) -> None:
        """Show the hint that was asked for, once it is there, and let the bot go."""
        if self._bots is not None and (hinted := self._bots.hint()) is not None:
            self._event(hinted)
            self._bots.let_all_go()
        if self._bots is not None:
            self._bots.look()

    def _renew(self) -> None:
        """Schedule an update of the pages."""
        self._parts = {}
        if self._frame is None:
            self._frame = self.later(_FRAME, self._show)

    def _show(self) -> None:
        self._frame = None
        for page in self.pages:
            page.show(self.parts())

    # Requests

    def obey(self, page: "PageConnection", request: Request) -> None:
        """Carry out a request; a watcher's seat takes none of a player's."""
        match request:
            case requests.AskRules():
                page.tell({"rules": self._rules()})
            case requests.AskRecord():
                page.begin(self._take_home(page))
            case requests.Here():
                page.tell({"here": 1})
            case _ if self._wish is None:
                page.tell({"told": told_part(words.WATCHES, True)})
            case requests.PickPlace(place):
                self._event(Picked(place))
            case requests.Write(line):
                self._event(Written(line))
            case requests.Drop():
                self._event(terminal.Key("backspace"))
            case requests.PlayLine(at, line):
                self._play(at, line)
            case requests.Word("quit"):
                self._leaving = True
                self._renew()
            case requests.Word(word, rest):
                self._enter(page, f"{word} {rest}".strip())
            case requests.SayLine(text) if isinstance(self.front, Room):
                self._wish(Say(text))
            case requests.SayLine(text):
                self._enter(page, f"say {text}")
            case requests.GiveAnswer(yes):
                self._answer(yes=yes)
            case requests.LookAt(at):
                self._event(LookedBack(at))

    def _enter(self, page: "PageConnection", line: str) -> None:
        """Enter a line, which makes sense only at a table at play."""
        if isinstance(self.front, Model):
            self._event(Entered(line))
        else:
            page.tell({"told": told_part(words.NO_TABLE, True)})

    def _play(self, at: int, line: str) -> None:
        """Make a move, once: a request for another entry was carried out already, or comes too late."""
        model = self.front
        if not isinstance(model, Model) or model.table.match.length != at or not model.table.is_mine or model.replay:
            return
        if (at, line) != self._asked or model.alarm:
            self._asked = at, line
            self._event(Entered(line))

    def _answer(self, *, yes: bool) -> None:
        if self._leaving:
            self._leaving = False
            if yes:
                self._leave()
            self._renew()
        elif isinstance(self.front, Model) and isinstance(self.front.overlay, Question):
            self._event(terminal.Key("enter" if yes else "escape"))
        else:
            self._event(Entered("yes" if yes else "no"))

    async def _take_home(self, page: "PageConnection") -> None:
        """Send the game as a page for a browser. It has only what everybody knows while the game goes on."""
        if isinstance(self.front, Model):
            match, names = self.front.table.match, self.names
            text = await asyncio.to_thread(lambda: page_of(match.copy(), names))
            page.tell({"record": {"name": f"{match.game.key}-{self.table[:8]}.html", "text": text}})

    def _rules(self) -> list[str]:
        match self.front:
            case Model() as model:
                return list(touch_blocks(model.table.match.game, model.table.match.state.options))
            case Room(key=key):
                return list(touch_blocks(game(key)))
        return []
