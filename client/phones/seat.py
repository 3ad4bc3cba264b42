"""The seat of a guest, as any number of pages show it: a table with one half-made move, or the room of the evening.

The seat itself is the host's (guests.py), which says where its guest is. A touch becomes a wish there, and the table
comes back as values, as on the host's own screen. A guest uses the host's machine, so only wishes that
client/words/commands.py allows a guest get through.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.bots.talk import now
from quadrille.client.bots.boxes import USUAL
from quadrille.client.files import page_of
from quadrille.client.phones import requests
from quadrille.client.phones.guests import Guests, Lead, Visitor
from quadrille.client.phones.requests import BareRequest, Request
from quadrille.client.phones.view import Parts, Remembered, evening_parts, place_parts, wide_part
from quadrille.client.screen.network.news import Front, Room
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Changed, Entered, LookedBack, Model, Picked, Question, Remember, Written
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.update import update
from quadrille.client.table.wishes import Advise, BareWish, NetworkWish, PlayMove, TextWish, Verb
from quadrille.client.words import phones as words
from quadrille.client.words.commands import BOTS, GUESTS, word_of
from quadrille.client.words.rules import touch_blocks
from quadrille.net.core.limits import Bucket, Pace
from quadrille.rules.registry import game

if TYPE_CHECKING:
    from quadrille.client.bots.table_bots import LoopBots
    from quadrille.client.phones.connection import PageConnection

#: Seconds for which changes are collected before an update.
_FRAME: Final = 0.01
#: The wishes of a seat, whatever number of pages shows it: the host's program carries out each one.
_WISHES: Final = Pace(20, 100)
#: The lines that a guest says. Others count all of them as the host's (client/table/stage.py): one guest who talks
#: without end would leave the host and the other guests without a voice.
_LINES: Final = Pace(5, 4000)
#: The hints of a seat: a search costs the host a second of a processor.
_HINTS: Final = Pace(3, 4000)
#: The command by which a guest leaves the evening.
_QUIT: Final = ["quit", "Leave the evening", ""]
_NOT_HERE: Final = "That is for those who play on their own machine."


def allowed(wish: NetworkWish) -> bool:
    """Tell whether a guest may wish that at the host's machine. Leaving is asked about first, by the page."""
    return isinstance(wish, PlayMove) or (word_of(wish) in GUESTS and wish is not BareWish.LEAVE)


class PageHome:
    """A page for guests to take home. It is made in a thread of its own, once for all who ask, and anew only after a
    change: it costs the host's processor up to a second.
    """

    def __init__(self) -> None:
        self._tells: object = None
        self._made: asyncio.Task[str] | None = None

    async def text(self, tells: object, make: Callable[[], str]) -> str:
        """Return the page that `tells` of this very object."""
        if self._made is None or self._tells is not tells:
            self._tells, self._made = tells, asyncio.create_task(asyncio.to_thread(make))
        return await asyncio.shield(self._made)  # who goes takes it from nobody else


class PhoneSeat:
    """The seat of a guest; without a guest it is what all see who look on, on large screens and by phone."""

    def __init__(self, guests: Guests, guest: Visitor | None = None, isolate: str | None = None) -> None:
        """`guests` are in the host's other thread, and called there."""
        self.guest = guest
        self.pages: set[PageConnection] = set()
        #: Notes a while after the last page has gone that the guest is away.
        self.away: asyncio.TimerHandle | None = None
        self._guests = guests
        self._isolate = isolate or USUAL
        self._timer: asyncio.TimerHandle | None = None
        self._frame: asyncio.TimerHandle | None = None
        self._bots: LoopBots | None = None  # for hints
        self._hints = Bucket(_HINTS)
        self._wishes, self._lines = Bucket(_WISHES), Bucket(_LINES)
        self.go_to("", Lead())

    @property
    def name(self) -> str:
        return self.guest.name if self.guest is not None else ""

    def later(self, seconds: float, deed: Callable[[], None]) -> asyncio.TimerHandle:
        """Do something in the loop of the pages, that many seconds later."""
        return asyncio.get_running_loop().call_later(seconds, deed)

    def go_to(self, table: str, lead: Lead) -> None:
        """Show another table from now on, or with "" the room of the evening; forget all of the one before."""
        for timer in (self._timer, self._frame):
            if timer is not None:
                timer.cancel()
        if self._bots is not None:
            self._bots.close()
        self.table, self.lead = table, lead
        self.front: Room | Model | None = None
        self.names: tuple[str, ...] = ()
        self.notice = ""
        self._timer = self._frame = self._bots = None
        self._was_asked = False
        self._remembered, self._record = Remembered(), PageHome()
        self._parts: Parts = {}
        #: Whether the person was asked whether to leave.
        self.is_leaving = False
        self._asked: tuple[int, str] | None = None  # the last requested move that was not refused

    def close(self) -> None:
        """Leave the table for good; somebody else may come by the same name."""
        if self.away is not None:
            self.away.cancel()
        self.go_to("", Lead())

    # Pages

    def parts(self) -> Parts:
        if not self.table:
            return evening_parts(self.lead.here, self.name) | self.menu()
        if not self._parts:
            self._parts = place_parts(self, self._remembered)
            if self.is_leaving:
                self._parts["ask"] = {"text": words.LEAVES}
        return self._parts

    def menu(self) -> Parts:
        """Return the command by which a guest without a chair leaves, and the question before that."""
        ask = {"text": words.LEAVES_EVENING} if self.is_leaving else None
        return {"words": [] if self.guest is None else [_QUIT], "ask": ask}

    def wide(self) -> Parts:
        """Return what a television shows in another way than a phone whose guest watches."""
        return wide_part(self.front, self._remembered) if isinstance(self.front, Model) else {}

    # News of the table

    def hear(self, front: Front, names: tuple[str, ...], sentence: str, *, alarm: bool) -> None:
        """Show the table as it is now, with the names of those who sat down, and what has been said."""
        self.names = names
        match front:
            case Room():
                self.front, self.notice = front, "" if sentence in front.said else sentence
            case table if table is not None:
                at_first = Model(replace(table, mine=(), votes=False), now=now())
                before = self.front if isinstance(self.front, Model) else at_first
                if table.match.length < before.table.match.length:
                    self._asked = None  # a move that was taken back may be made again
                model, effects = update(before, Changed(table, sentence, alarm=alarm))
                self._do_all(model, effects)
        self._renew(asked=alarm)

    def _event(self, event: Any) -> None:
        """Pass an event of the clock, a bot or a page to the half-made move."""
        if isinstance(event, Entered) and not BOTS.isdisjoint(event.line.lower().split()[:1]):
            event = terminal.Told(_NOT_HERE, alarm=True)  # a refusal would tell which files the host has
        if isinstance(self.front, Model):
            self._do_all(*update(self.front, event))
            self._renew(asked=not isinstance(event, terminal.Tick))

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
            case terminal.Wake(after):
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = self.later(after / 1000, lambda: self._event(terminal.Tick(now())))
            case Advise() if self._hints.take(now()):
                from quadrille.client.bots.table_bots import LoopBots  # imported here: few guests ask for hints

                self._bots = self._bots or LoopBots(self._hear_hint, asyncio.get_running_loop(), self._isolate)
                self._bots.advise(effect)
                self.later(0, self._hear_hint)
            case Advise():
                self._event(terminal.Told(words.HINTS_REST, alarm=True))
            case terminal.Entitle() | Remember():
                pass  # a page has its own title, and no settings
            case _ if isinstance(effect, NetworkWish) and allowed(effect):
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

    def _renew(self, *, asked: bool = False) -> None:
        """Schedule an update of the pages; what was `asked` gets the same refusal a second time."""
        self._parts, self._was_asked = {}, self._was_asked or asked
        if self._frame is None:
            self._frame = self.later(_FRAME, self._show)

    def _show(self) -> None:
        self._frame = None
        asked, self._was_asked = self._was_asked, False
        for page in self.pages:
            page.show(self.parts())
            if asked and self.parts()["told"]["alarm"]:
                page.tell({"told": self.parts()["told"]})

    def _wish(self, wish: NetworkWish) -> None:
        """Make a wish of this guest."""
        says = isinstance(wish, TextWish) and wish.word is Verb.SAY
        if (self._lines if says else self._wishes).take(now()):
            self._guests.call(self._guests.wish, self.name, wish)
            return
        for page in self.pages:
            page.refuse(words.SLOWLY)

    # Requests

    def obey(self, page: "PageConnection", request: Request) -> None:
        """Carry out a request; one who looks on makes none of a player's."""
        match request:
            case BareRequest.RULES:
                page.tell({"rules": self._rules()})
            case BareRequest.RECORD if isinstance(self.front, Model):
                page.begin(self._take_home(page, self.front))
            case requests.Word("quit") if self.guest is not None:
                self.is_leaving = True
                self._renew()
            case requests.GiveAnswer(yes) if self.is_leaving:
                self.is_leaving = False
                if yes:
                    self._guests.call(self._guests.leaves, self.name)
                self._renew()
            case requests.Word("say", text) if not isinstance(self.front, Model) and self.guest is not None:
                self._wish(TextWish(Verb.SAY, text))
            case _ if not isinstance(self.front, Model):
                page.refuse(words.NO_TABLE)
            case _ if self.guest is None:
                page.refuse(words.WATCHES)
            case _ if (event := self._event_of(request, self.front)) is not None:
                self._event(event)

    def _event_of(self, request: Request, model: Model) -> Any:
        """Return what a request of a player does to the half-made move."""
        match request:
            case Picked() | Written() | LookedBack():
                return request
            case BareRequest.DROP:
                return terminal.Key("backspace")
            case requests.PlayLine(at, line):
                return self._played(at, line, model)
            case requests.Word(word, rest):
                return Entered(f"{word} {rest}".strip())
            case requests.GiveAnswer(yes) if isinstance(model.overlay, Question):
                return terminal.Key("enter" if yes else "escape")
            case requests.GiveAnswer(yes):
                return Entered("yes" if yes else "no")
        return terminal.Told(_NOT_HERE, alarm=True)

    def _played(self, at: int, line: str, model: Model) -> Any:
        """Make a move, once: one that was asked for twice, also by two pages, was made already."""
        if (at, line) == self._asked and not model.alarm:
            return None
        if at != model.table.match.length or model.replay:
            return terminal.Told(words.TOO_LATE, alarm=True)
        self._asked = at, line
        return Entered(line)

    async def _take_home(self, page: "PageConnection", model: Model) -> None:
        """Send the game as a page for a browser. It has only what everybody knows while the game goes on."""
        match, names = model.table.match, self.names
        text = await self._record.text(match, lambda: page_of(match.copy(), names))
        page.tell({"record": {"name": f"{match.game.key}-{self.table[:8]}.html", "text": text}})

    def _rules(self) -> list[str]:
        if isinstance(self.front, Model):
            return list(touch_blocks(self.front.table.match.game, self.front.table.match.state.options))
        return list(touch_blocks(game(self.lead.game))) if self.lead.game else [words.NEXT_GAME]
