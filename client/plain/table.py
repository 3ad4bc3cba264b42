"""A local table in plain lines: people at one keyboard, with or without bots in the other seats.

client/table/course.py decides. A person sees only what their seat may know.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final, Self

from quadrille.ai.bots import talk
from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.levels import level_text, pace_text
from quadrille.client.bots.opponents import BUDGET, PATIENCE, Opponents
from quadrille.client.files import FileExists, keep, load
from quadrille.client.foreign import shown
from quadrille.client.kept.writer import GameWriter
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.reports import advice_text, entry_text, heading, player
from quadrille.client.table import effects, notices, wishes
from quadrille.client.table.local import LocalTable
from quadrille.client.table.notices import Fact, Notice, Why
from quadrille.client.table.seat import LocalSeat
from quadrille.client.words.answers import meaning
from quadrille.client.words.commands import Place
from quadrille.client.words.files import file_trouble
from quadrille.client.words.table import by_seat, who_plays
from quadrille.net.core.spans import clock_text
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left, Match, Played

#: Maximum seconds between two polls of the keyboard while a bot thinks.
_LOOK: Final = 0.05
#: Maximum milliseconds that piped lines from before a bot's turn wait for its move.
_HELD: Final = BUDGET + 500


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
        if not console.looks or (self.early is not None and talk.now() < (self.since or self.early) + _HELD):
            return False
        line = console.next_line()
        if line is None:
            return console.ended
        self.early = None
        return console.interactive or self.asks or line.partition(" ")[0].lower() in commands


class PlainTable(PlainFace):
    """A local table, and the dialogue with the people at the keyboard."""

    seat: LocalSeat

    def __init__(
        self,
        table: LocalTable,
        console: Console,
        *,
        now: Callable[[], int] = talk.now,
        patience: int = PATIENCE,
        isolate: str = USUAL,
        writer: GameWriter | None = None,
        came: threading.Event | None = None,
    ) -> None:
        """`patience`: milliseconds that a bot may think until the person is asked what to do. `isolate`: the box that
        each bot must have. `writer` saves the games. `came` is set when a bot has answered.
        """
        look = writer.look if writer is not None else lambda _: None
        super().__init__(LocalSeat(replace(table, keeps=writer is not None), self._perform, look), console, Place.LINES)
        self.console = console
        self.done = False
        self._now = now
        self._came = came or threading.Event()
        self._answers: deque[wishes.Answer] = deque()
        if writer is not None:
            writer.tell = self._answers.append
        self._bots = Opponents(self._answers.append, self._came.set, patience, isolate=isolate)
        self._wait: Wait | None = None
        self.commands |= {
            "pause": self.pause,
            "wait": self.wait,
            "save": lambda name: self.wish(wishes.Save(_given(name or self.table.file, "save"))),
            "save!": lambda name: self.wish(wishes.Save(_given(name, "save!"), over=True)),
            "load": lambda name: self.wish(wishes.Load(_given(name, "load"))),
        }

    @property
    def table(self) -> LocalTable:
        return self.seat.table

    @property
    def match(self) -> Match:
        return self.table.match

    def _named(self, seat: int) -> str:
        return player(seat, self.table.names)

    # The course of a game

    def close(self) -> None:
        """End the bots' programs."""
        self._bots.close()

    def run(self) -> None:
        with closing(self):
            self.welcome()
            self.do(wishes.Begin())
            while not self.done:
                self._go_on()

    def _go_on(self) -> None:
        """Take one step: ask a person, or wait for bots."""
        self.hear()
        table, turn = self.table, self.table.turn
        if table.cover is not None:
            self._hand_over(table.cover.seat)
        elif table.offered or table.hint:
            self.hear(_LOOK)
        elif turn is None:
            self._show()
            self.ask("over> ")
        elif table.is_bots_turn:
            self._await_bot(f"{self._named(turn)}> ")
        else:
            self._show()
            left = f" {clock_text(table.clocks.at(turn, self._now()))}" if table.clocks else ""
            self.ask(f"{self._named(turn)}{left}> ")

    def hear(self, timeout: float = 0) -> None:
        """Wait at most `timeout` seconds for a bot, then pass all answers and the time to the table."""
        if timeout:
            self._came.wait(timeout)
            self._came.clear()
        self._bots.pump()
        while self._answers:
            self.do(self._answers.popleft())
        self.do(wishes.TimeIs(self._now()))

    def _await_bot(self, prompt: str) -> None:
        """Wait for a bot's move, or for a line of the person, which is obeyed meanwhile."""
        console, wait = self.console, self._wait
        if wait is None or wait.ticket != self.table.ticket:
            wait = self._wait = Wait.begun(self.table.ticket, console)
        elif wait.asks and console.looks:
            console.write(prompt)
        if isinstance(self.table.trouble, notices.BotStopped):
            self.ask(prompt)
            return
        while not wait.answers(console, self.words):
            if wait.asks and not console.looks:
                self.ask(prompt)
                return
            self.hear(_LOOK)
            if self._wait is not wait or self.table.ticket != wait.ticket:
                return
            if self.table.heard and wait.since is None:
                wait.since = talk.now()
        self.ask("" if wait.asks or console.interactive else prompt)

    def _hand_over(self, seat: int) -> None:
        """Hand the screen over to another person, hiding what the one before has seen."""
        hides = self.console.interactive
        if hides and self.console.ask(f"Press Enter, then hand over to {self._named(seat)} ") is None:
            self.done = True
            return
        while self.table.cover is not None:
            self.do(wishes.Uncover())
        if not hides:
            return
        self.console.cover()
        self.drawn = False
        own = (number for number, entry in enumerate(self.match.entries) if _is_move_of(entry, seat))
        for number in range(max(own, default=-1) + 1, self.match.length):
            self.say(entry_text(self.match, number, seat))

    # Wishes, effects and notices

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
                self.welcome()
            case notices.MoveMade(seat):
                if self._wait is not None and self._wait.asks:
                    self.say()
                self._wait = None
                alone = not set(self.table.people) & set(self.match.seats_in)
                return "" if alone or text == f"{self._named(seat)}: {line}" else text
            case Left() if self.table.is_out:
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
            case effects.Think() | effects.Advise() | effects.OfferDraw() | effects.Settled():
                self._bots.perform(effect)
            case effects.Keep(name):
                try:
                    self.wish(keep(effect, self.table.file))
                except FileExists as error:
                    raise RulesError(f"{error}: save! {name} writes over it") from None
            case wishes.Load(name):
                try:
                    self.wish(wishes.Loaded(name, *load(name)))
                except OSError as error:
                    raise RulesError(file_trouble(error, name)) from None
            case effects.Quit():
                self.done = True

    def welcome(self) -> None:
        """Print the game, and how to go on."""
        match, clocks = self.match, self.table.clocks
        clock = f", clock {clocks.terms}" if clocks else ""
        self.say(heading(match) + clock + (f", seed {shown(match.deal.seed)}" if match.deal else ""))
        self.say(who_plays(self.table))
        if level := level_text(self.table.bots, match.state):
            self.say(level)
        if pace := pace_text(self.table.bots):
            self.say(pace)
        if advice := advice_text(match.game, match.state.options, match.state.seats):
            self.say(advice)
        over = self.table.turn is None
        if not match.length:
            self.say(match.game.lesson.goal)
        self.say("Type help for help." if over else f"Type a move{self.example()}, or help.")

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
        ticket = self.table.ticket
        self.do(wishes.TimeIs(self._now()))
        if self.table.ticket == ticket:  # otherwise the time was up before it was typed
            self.typed(line)

    def obey(self, line: str) -> None:
        leaves = meaning(line) if self.table.warned else None
        if leaves is not None:
            self.wish(wishes.LeaveTable() if leaves else wishes.StayAfterAll())
            return
        if line.partition(" ")[0].lower() != "quit":
            self.wish(wishes.StayAfterAll())
        super().obey(line)

    def pause(self, _: str) -> None:
        self.do(wishes.ProposeMotion("pause"))
        if not self.table.paused:
            return
        self.do(wishes.TimeIs(self._now()))
        self.done = self.console.ask("Paused. Enter continues ") is None
        if not self.done:
            self.do(wishes.ProposeMotion("pause"))

    def wait(self, _: str) -> None:
        self.do(wishes.ProposeMotion("wait"))
        self._wait = None


def play(table: LocalTable, isolate: str, writer: GameWriter) -> None:
    """Play at this keyboard until the person leaves, and say how to resume the last game."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdout is None:
        return
    console = Console(sys.stdin, sys.stdout)
    try:
        PlainTable(table, console, isolate=isolate, writer=writer).run()
    finally:
        for text in writer.close():
            console.say(text)


def _given(name: str, word: str) -> str:
    if not name:
        raise RulesError(f"a file is missing: write {word} FILE")
    return name


def _is_move_of(entry: object, seat: int) -> bool:
    return isinstance(entry, Played) and entry.seat == seat
