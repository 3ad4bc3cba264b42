"""A table at one keyboard in plain lines: its bots, its files, and the loop in which people take turns there."""

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
from quadrille.client.plain.table import PlainTable
from quadrille.client.reports import advice_text, heading, player
from quadrille.client.table import effects, notices, wishes
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import Fact, Notice
from quadrille.client.words.answers import meaning
from quadrille.client.words.files import file_trouble
from quadrille.client.words.table import who_plays
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.kept.own_tables import OwnTables

#: Maximum seconds between two polls of the keyboard while a bot thinks.
_LOOK: Final = 0.05
#: Maximum milliseconds that piped lines from before a bot's turn wait for its move.
_HELD: Final = (AT_HOME.budget or 0) + 500
#: The same until the bot has heard of its turn: 6 s were too few for its program to start at a load of 10.
_STARTS: Final = 60_000


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


class PlainOwnTable(PlainTable):
    """A table at one keyboard, and the dialogue with the people there."""

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
        super().__init__(tables.sit(setup, self._perform, self._bots, keeps=keeps), console)
        self._tables = tables if keeps else None
        self._answers: deque[wishes.Answer] = deque()
        tables.tell = self._answers.append
        self._wait: Wait | None = None
        self.commands |= {
            "pause": self.pause,
            "wait": self.wait,
            "save": lambda name: self.wish(wishes.Save(_given(name or self.stage.held.file, "save"))),
            "save!": lambda name: self.wish(wishes.Save(_given(name, "save!"), over=True)),
            "load": lambda name: self.wish(wishes.Load(_given(name, "load"))),
        }

    # The course of a game

    def close(self) -> None:
        """End the bots' programs."""
        self._bots.close()

    def run(self) -> None:
        with closing(self):
            self.do(wishes.Begin())
            while not self.stage.done:
                self._go_on()

    def _go_on(self) -> None:
        """Take one step: ask a person, or wait for bots."""
        self.listen()
        seat, held = self.stage, self.stage.held
        if held.cover is not None and not self.console.interactive:
            self.hand_over(held.cover.seat)
        elif held.offered or held.hint:
            self.listen(_LOOK)
        elif seat.is_bots_turn:
            self._await_bot(self.prompt)
        else:
            if held.cover is None:
                self.show()
            self.ask(self.prompt)

    def listen(self, timeout: float = 0) -> None:
        """Wait at most `timeout` seconds for a bot, then pass a hint, answers of files and the time to the table."""
        if timeout:
            self._came.wait(timeout)
            self._came.clear()
        if (hinted := self._bots.hint()) is not None:
            self.do(hinted)
        while self._answers:
            self.do(self._answers.popleft())
        self.stage.tick()
        self.tell()

    def _await_bot(self, prompt: str) -> None:
        """Wait for a bot's move, or for a line of the person, which is obeyed meanwhile."""
        console, wait = self.console, self._wait
        held = self.stage.held
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
            self.listen(_LOOK)
            if self._wait is not wait or self.stage.held.ticket != wait.ticket:
                return
            if self.stage.is_heard and wait.since is None:
                wait.since = talk.now()
        self.ask("" if wait.asks or console.interactive else prompt)

    # Wishes, effects and notices

    def tell(self, line: str = "") -> None:
        super().tell(line)
        if self._tables is not None:
            self._tables.look(self.stage)

    def sentence(self, notice: Notice, line: str) -> str:
        """Return the text of a notice, unless it only repeats what was typed."""
        text = super().sentence(notice, line)
        match notice:
            case Fact.ROTATED | notices.About(Fact.GAME_LOADED):
                self.drawn = self.told = False
                welcome(self.stage.setup, self.say)
            case notices.MoveMade(seat):
                if self._wait is not None and self._wait.asks:
                    self.say()
                self._wait = None
                alone = not set(self.stage.people) & set(self.match.seats_in)
                return "" if alone or text == f"{player(seat, self.stage.held.names)}: {line}" else text
            case notices.BotSlow(seat):
                if self._wait is not None and not self._wait.asks:
                    self._wait.asks = True
                    self.say(text)
                    if self.console.looks:
                        self.console.write(f"{player(seat, self.stage.held.names)}> ")
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
                    self.wish(keep(effect, self.stage.held.file))
                except FileExists as error:
                    raise RulesError(f"{error}: save! {name} writes over it") from None
            case wishes.Load(name):
                try:
                    self.wish(wishes.Loaded(name, *load(name)))
                except OSError as error:
                    raise RulesError(file_trouble(error, name)) from None

    # Input

    def ask(self, prompt: str) -> None:
        line = self.console.ask(prompt)
        if line is None:
            self.stage.done = True
            return
        ticket = self.stage.held.ticket
        self.stage.tick()
        self.tell()
        if self.stage.held.ticket == ticket:  # otherwise the time was up before it was typed
            self.typed(line)

    def obey(self, line: str) -> None:
        leaves = meaning(line) if self.stage.held.warned else None
        if leaves is not None:
            self.wish(wishes.LeaveTable() if leaves else wishes.StayAfterAll())
            return
        if self.stage.held.warned and line.partition(" ")[0].lower() != "quit":
            self.wish(wishes.StayAfterAll())
        super().obey(line)

    def pause(self, _: str) -> None:
        self.do(wishes.ProposeMotion("pause"))
        if not self.stage.held.paused:
            return
        self.stage.done = self.console.ask("Paused. Enter continues ") is None
        if not self.stage.done:
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
        PlainOwnTable(setup, console, tables, isolate=isolate).run()
    finally:
        for text in tables.close():
            console.say(text)


def _given(name: str, word: str) -> str:
    if not name:
        raise RulesError(f"a file is missing: write {word} FILE")
    return name
