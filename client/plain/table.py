"""A table at one keyboard in plain lines: people there, with or without bots in the other seats.

client/table/table_seat.py decides. A person sees only what their seat may know.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from quadrille.ai.bots import talk
from quadrille.ai.bots.lines.time_terms import AT_HOME
from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.levels import level_text, pace_text
from quadrille.client.bots.table_bots import TableBots
from quadrille.client.files import FileExists, keep, load
from quadrille.client.foreign import shown
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.reports import advice_text, entry_text, heading, player
from quadrille.client.table import effects, notices, wishes
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import Fact, Notice, Why
from quadrille.client.words.answers import meaning
from quadrille.client.words.commands import Place
from quadrille.client.words.files import file_trouble
from quadrille.client.words.table import by_seat, who_plays
from quadrille.net.core.spans import clock_text
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left, Match, Played

if TYPE_CHECKING:
    from quadrille.client.kept.own_tables import OwnTables
    from quadrille.client.table.table_seat import TableSeat

#: Maximum seconds between two polls of the keyboard while a bot thinks.
_LOOK: Final = 0.05
#: Maximum milliseconds that piped lines from before a bot's turn wait for its move.
_HELD: Final = (AT_HOME.budget or 0) + 500
#: The same until the bot has heard of its turn: its program starts, perhaps on a busy machine.
_STARTS: Final = 6000


@dataclass(slots=True)
class Wait:
    """A bot's turn for which lines wait, by the table's ticket. `since`: its start; `early`: since when a line waits
    that was there before. `asks`: the person has been asked what to do.
    """

    ticket: int
    early: int | None
    since: int | None = None
    asks: bool = False

    @classmethod
    def begun(cls, ticket: int, console: Console) -> Self:
        piped = console.looks and not console.interactive
        early = talk.now() if piped and (console.ended or console.next_line() is not None) else None
        return cls(ticket, early)

    def answers(self, console: Console, commands: Collection[str]) -> bool:
        """Return whether the person has typed something to be obeyed while the bot thinks.

        Lines from before the bot's turn are obeyed after its move, unless that is late: so a script runs in its order.
        """
        if not console.looks:
            return False
        if self.early is not None and talk.now() < (self.since + _HELD if self.since else self.early + _STARTS):
            return False
        line = console.next_line()
        if line is None:
            return console.ended
        self.early = None
        return console.interactive or self.asks or line.partition(" ")[0].lower() in commands


class PlainTable(PlainFace):
    """A table at one keyboard, and the dialogue with the people there."""

    seat: "TableSeat"

    def __init__(
        self,
        setup: GameSetup,
        console: Console,
        tables: "OwnTables",
        *,
        keeps: bool = True,
        isolate: str = USUAL,
        came: threading.Event | None = None,
    ) -> None:
        """`tables` makes the table, and with `keeps` writes its games. `isolate`: the box that each bot must have.
        `came` is set when a bot has answered.
        """
        self._came = came or threading.Event()
        self._bots = TableBots(self._came.set, isolate, beat=0)  # a line stays, and a script need not wait
        super().__init__(tables.sit(setup, self._perform, self._bots, keeps=keeps), console, Place.LINES)
        self.console = console
        self.done = False
        self._tables = tables if keeps else None
        self._answers: deque[wishes.Answer] = deque()
        tables.tell = self._answers.append
        self._wait: Wait | None = None
        self.commands |= {
            "pause": self.pause,
            "wait": self.wait,
            "save": lambda name: self.wish(wishes.Save(_given(name or self.seat.held.file, "save"))),
            "save!": lambda name: self.wish(wishes.Save(_given(name, "save!"), over=True)),
            "load": lambda name: self.wish(wishes.Load(_given(name, "load"))),
        }

    @property
    def match(self) -> Match:
        return self.seat.match

    def _named(self, seat: int) -> str:
        return player(seat, self.seat.held.names)

    # The course of a game

    def close(self) -> None:
        """End the bots' programs."""
        self._bots.close()

    def run(self) -> None:
        with closing(self):
            self.do(wishes.Begin())
            while not self.done:
                self._go_on()

    def _go_on(self) -> None:
        """Take one step: ask a person, or wait for bots."""
        self.hear()
        seat, held, turn = self.seat, self.seat.held, self.seat.turn
        if held.cover is not None:
            self._hand_over(held.cover.seat)
        elif held.offered or held.hint:
            self.hear(_LOOK)
        elif turn is None:
            self._show()
            self.ask("over> ")
        elif seat.is_bots_turn:
            self._await_bot(f"{self._named(turn)}> ")
        else:
            self._show()
            left = f" {clock_text(seat.clocks.at(turn, seat.context.now()))}" if seat.clocks else ""
            self.ask(f"{self._named(turn)}{left}> ")

    def hear(self, timeout: float = 0) -> None:
        """Wait at most `timeout` seconds for a bot, then pass a hint, answers of files and the time to the table."""
        if timeout:
            self._came.wait(timeout)
            self._came.clear()
        if (hinted := self._bots.hint()) is not None:
            self.do(hinted)
        while self._answers:
            self.do(self._answers.popleft())
        self._time()

    def _time(self) -> None:
        self.do(wishes.TimeIs())

    def _await_bot(self, prompt: str) -> None:
        """Wait for a bot's move, or for a line of the person, which is obeyed meanwhile."""
        console, wait = self.console, self._wait
        held = self.seat.held
        if wait is None or wait.ticket != held.ticket:
            wait = self._wait = Wait.begun(held.ticket, console)
        elif wait.asks and console.looks:
            console.write(prompt)
        if isinstance(held.trouble, notices.BotStopped):
            self.ask(prompt)
            return
        while not wait.answers(console, self.words):
            if wait.asks and not console.looks:
                self.ask(prompt)
                return
            self.hear(_LOOK)
            if self._wait is not wait or self.seat.held.ticket != wait.ticket:
                return
            if self.seat.is_heard and wait.since is None:
                wait.since = talk.now()
        self.ask("" if wait.asks or console.interactive else prompt)

    def _hand_over(self, seat: int) -> None:
        """Hand the screen over to another person, hiding what the one before has seen."""
        hides = self.console.interactive
        if hides and self.console.ask(f"Press Enter, then hand over to {self._named(seat)} ") is None:
            self.done = True
            return
        while self.seat.held.cover is not None:
            self.do(wishes.Uncover())
        if not hides:
            return
        self.console.cover()
        self.drawn = False
        own = (number for number, entry in enumerate(self.match.entries) if _is_move_of(entry, seat))
        for number in range(max(own, default=-1) + 1, self.match.length):
            self.say(entry_text(self.match, number, seat))

    # Wishes, effects and notices

    def wish(self, wish: wishes.Wish) -> None:
        super().wish(wish)
        if self._tables is not None:
            self._tables.look(self.seat)

    def do(self, wish: wishes.Wish) -> None:
        """Grant a wish that nobody typed, and print what comes of it."""
        self.wish(wish)
        self.tell()

    def tell(self, line: str = "") -> None:
        super().tell(line)
        if not self.match.over:
            self.told = False

    def sentence(self, notice: Notice, line: str) -> str:
        """Return the text of a notice, unless it only repeats what was typed."""
        text = super().sentence(notice, line)
        match notice:
            case Fact.ROTATED | notices.About(Fact.GAME_LOADED):
                self.drawn = self.told = False
                welcome(self.seat.setup, self.say)
            case notices.MoveMade(seat):
                if self._wait is not None and self._wait.asks:
                    self.say()
                self._wait = None
                alone = not set(self.seat.people) & set(self.match.seats_in)
                return "" if alone or text == f"{self._named(seat)}: {line}" else text
            case Left() if self.seat.is_out:
                return f"{text}\n{by_seat(notices.Refused(Why.OUT), self.seat.seats)}"
            case notices.BotSlow(seat):
                if self._wait is not None and not self._wait.asks:
                    self._wait.asks = True
                    self.say(text)
                    if self.console.looks:
                        self.console.write(f"{self._named(seat)}> ")
                return ""
            case notices.BotStopped():
                self._wait = None
        return text

    def _perform(self, effect: effects.TableEffect) -> None:
        match effect:
            case effects.Advise():
                self._bots.advise(effect)
            case effects.Keep(name):
                try:
                    self.wish(keep(effect, self.seat.held.file))
                except FileExists as error:
                    raise RulesError(f"{error}: save! {name} writes over it") from None
            case wishes.Load(name):
                try:
                    self.wish(wishes.Loaded(name, *load(name)))
                except OSError as error:
                    raise RulesError(file_trouble(error, name)) from None
            case effects.Quit():
                self.done = True

    def _show(self) -> None:
        """Draw a position that is new to the person, and report the result once."""
        if not self.drawn:
            self.draw()
        elif not self.told:
            self.tell_result()

    # Input

    def ask(self, prompt: str) -> None:
        line = self.console.ask(prompt)
        if line is None:
            self.done = True
            return
        ticket = self.seat.held.ticket
        self._time()
        if self.seat.held.ticket == ticket:  # otherwise the time was up before it was typed
            self.typed(line)

    def obey(self, line: str) -> None:
        leaves = meaning(line) if self.seat.held.warned else None
        if leaves is not None:
            self.wish(wishes.LeaveTable() if leaves else wishes.StayAfterAll())
            return
        if line.partition(" ")[0].lower() != "quit":
            self.wish(wishes.StayAfterAll())
        super().obey(line)

    def pause(self, _: str) -> None:
        self.do(wishes.ProposeMotion("pause"))
        if not self.seat.held.paused:
            return
        self.done = self.console.ask("Paused. Enter continues ") is None
        if not self.done:
            self.do(wishes.ProposeMotion("pause"))

    def wait(self, _: str) -> None:
        self.do(wishes.ProposeMotion("wait"))
        self._wait = None


def welcome(setup: GameSetup, say: Callable[[str], None]) -> None:
    """Print the game, and how to go on."""
    match, clocks = setup.match, setup.clocks
    clock = f", clock {clocks.terms}" if clocks else ""
    say(heading(match) + clock + (f", seed {shown(match.deal.seed)}" if match.deal else ""))
    say(who_plays(setup.names, setup.bots))
    for text in (
        level_text(setup.bots, match.state),
        pace_text(setup.bots),
        advice_text(match.game, match.state.options, match.state.seats),
        "" if match.length else match.game.lesson.goal,
    ):
        if text:
            say(text)
    example = f" such as {next(iter(match.state.moves))}" if match.turn is not None else ""
    say("Type help for help." if match.turn is None else f"Type a move{example}, or help.")


def play(setup: GameSetup, isolate: str, at_home: str | None, tables: "OwnTables | None" = None) -> None:
    """Play at this keyboard until the person leaves, and say how to resume the last game."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdout is None:
        return
    console = Console(sys.stdin, sys.stdout)
    welcome(setup, console.say)
    from quadrille.client.kept.own_tables import (
        OwnTables,  # imported here: the game is named before its store is opened
    )

    tables = tables or OwnTables(at_home)
    try:
        PlainTable(setup, console, tables, isolate=isolate).run()
    finally:
        for text in tables.close():
            console.say(text)


def _given(name: str, word: str) -> str:
    if not name:
        raise RulesError(f"a file is missing: write {word} FILE")
    return name


def _is_move_of(entry: object, seat: int) -> bool:
    return isinstance(entry, Played) and entry.seat == seat
