"""A local table in plain lines: people at one keyboard, with or without bots in the other seats.

A face: it asks for lines, turns them into wishes, and prints the notices. client/table/course.py decides, and
client/words/table.py has the sentences. A person sees only what their seat may know.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Self, cast

from quadrille.ai.bots import talk
from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.levels import level_text, pace_text
from quadrille.client.bots.opponents import BUDGET, PATIENCE, Opponents
from quadrille.client.files import FileExists, keep, load
from quadrille.client.foreign import shown
from quadrille.client.kept.writer import GameWriter
from quadrille.client.pages import rules_text
from quadrille.client.picture.labyrinth import finished_text
from quadrille.client.plain.console import Console
from quadrille.client.reports import advice_text, entry_text, heading, is_move, moves_text, player, result
from quadrille.client.settings import read_settings
from quadrille.client.table import effects, notices, wishes
from quadrille.client.table.course import grant
from quadrille.client.table.local import LocalTable
from quadrille.client.words.answers import meaning
from quadrille.client.words.commands import Place, by_any_word, help_text, misread
from quadrille.client.words.files import file_trouble
from quadrille.client.words.story import by_name, sentence
from quadrille.client.words.table import by_seat, player_and_name, refusal, who_plays
from quadrille.client.words.thoughts import courses_text
from quadrille.net.core.spans import clock_text
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.match import Match, Played

HELP: Final = help_text(Place.LINES)
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
        """Whether the person has typed something to be obeyed while the bot thinks.

        Lines from before the bot's turn are obeyed after its move, unless that is late: so a script runs in its
        order.
        """
        if not console.looks or (self.early is not None and talk.now() < (self.since or self.early) + _HELD):
            return False
        line = console.next_line()
        if line is None:
            return console.ended
        self.early = None
        return console.interactive or self.asks or line.partition(" ")[0].lower() in commands


class PlainTable:
    """A local table, and the dialogue with the people at the keyboard."""

    def __init__(
        self,
        table: LocalTable,
        console: Console,
        *,
        now: Callable[[], int] = talk.now,
        patience: int = PATIENCE,
        isolate: str = USUAL,
        writer: GameWriter | None = None,
    ) -> None:
        """`patience`: milliseconds that a bot may think until the person is asked what to do. `isolate`: the box that
        each bot must have. `writer` saves the games.
        """
        self.table = replace(table, keeps=writer is not None)
        self._writer = writer
        self.console = console
        self.done = False
        self._now = now
        self._came = threading.Event()  # a bot has answered
        self._answers: deque[wishes.Answer] = deque()
        if writer is not None:
            writer.tell = self._answers.append
        self._bots = Opponents(self._answers.append, self._came.set, patience, isolate=isolate)
        self._wait: Wait | None = None
        self._drawn = self._told = False  # whether this game has been drawn, and whether its result was printed
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": lambda start: console.say(moves_text(self.match, start)),
            "board": lambda _: self.draw(),
            "pause": self.pause,
            "wait": self.wait,
            "save": lambda name: self.wish(wishes.Save(_given(name or self.table.file, "save"))),
            "save!": lambda name: self.wish(wishes.Save(_given(name, "save!"), over=True)),
            "load": lambda name: self.wish(wishes.Load(_given(name, "load"))),
            "rules": lambda _: console.say(rules_text(self.match.game)),
            "help": lambda _: console.say(HELP.format(example=self.example())),
        }
        self._words = by_any_word(Place.LINES)

    @property
    def match(self) -> Match:
        return self.table.match

    # The course of a game

    def run(self) -> None:
        with closing(self._bots):
            self.welcome()
            self.wish(wishes.Begin())
            while not self.done:
                self._go_on()

    def _go_on(self) -> None:
        """One step: ask a person, or wait for bots."""
        self._hear()
        table, turn = self.table, self.table.turn
        if table.cover is not None:
            self._hand_over(table.cover.seat)
        elif table.offered or table.hint:
            self._hear(_LOOK)
        elif turn is None:
            self._show()
            self.ask("over> ")
        elif table.is_bots_turn:
            self._await_bot(f"{player_and_name(table, turn)}> ")
        else:
            self._show()
            left = f" {clock_text(table.clocks.at(turn, self._now()))}" if table.clocks else ""
            self.ask(f"{player_and_name(table, turn)}{left}> ")

    def _hear(self, timeout: float = 0) -> None:
        """Wait at most `timeout` seconds for a bot, then pass all answers and the time to the table."""
        if timeout:
            self._came.wait(timeout)
            self._came.clear()
        self._bots.pump()
        while self._answers:
            self.wish(self._answers.popleft())
        self.wish(wishes.TimeIs(self._now()))

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
        while not wait.answers(console, self._words):
            if wait.asks and not console.looks:
                self.ask(prompt)
                return
            self._hear(_LOOK)
            if self._wait is not wait or self.table.ticket != wait.ticket:
                return
            if self.table.heard and wait.since is None:
                wait.since = talk.now()
        self.ask("" if wait.asks or console.interactive else prompt)

    def _hand_over(self, seat: int) -> None:
        """Hand the screen over to another person, hiding what the one before has seen."""
        hides = self.console.interactive
        if hides and self.console.ask(f"Press Enter, then hand over to {player_and_name(self.table, seat)} ") is None:
            self.done = True
            return
        while self.table.cover is not None:
            self.wish(wishes.Uncover())
        if not hides:
            return
        self.console.cover()
        self._drawn = False
        own = (number for number, entry in enumerate(self.match.entries) if _is_move_of(entry, seat))
        for number in range(max(own, default=-1) + 1, self.match.length):
            self.console.say(entry_text(self.match, number, seat))

    # Wishes, effects and notices

    def wish(self, wish: wishes.Wish) -> None:
        """Grant a wish, perform its effects and print its notices; a RulesError explains a refusal."""
        self.table, wanted, said = grant(self.table, wish)
        if self._writer is not None:
            self._writer.look(self.table)
        for notice in said:
            self._say(notice, wish)
        if not self.match.over:
            self._told = False
        for effect in wanted:
            self._perform(effect)

    def _say(self, notice: notices.Notice, wish: wishes.Wish) -> None:
        """Print a notice, unless it only repeats what was typed."""
        text = by_seat(notice, self.table)
        match notice:
            case notices.Refused(RulesError() as error):
                raise error
            case notices.Refused():
                raise RulesError(refusal(notice))
            case notices.GameLoaded() | notices.Rotated():
                self._drawn = self._told = False
                self.welcome()
            case notices.MoveMade(_, seat):
                if self._wait is not None and self._wait.asks:
                    self.console.say()
                self._wait = None
                typed = f"{player_and_name(self.table, seat)}: {wish.text}" if isinstance(wish, wishes.PlayMove) else ""
                if text == typed or not set(self.table.people) & set(self.table.match.seats_in):
                    return
            case notices.SeatLeft() if self.table.is_out:
                text = f"{text}\n{sentence(refusal(notices.Refused(notices.Why.OUT)))}"
            case notices.BotSlow() if self._wait is None or self._wait.asks:
                return
            case notices.BotStopped():
                self._wait = None
        if text:
            self.console.say(text)
        if isinstance(notice, notices.BotSlow) and self._wait is not None:
            self._wait.asks = True
            if self.console.looks:
                self.console.write(f"{player_and_name(self.table, notice.seat)}> ")

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
                self.wish(wishes.Loaded(name, *load(name)))
            case effects.Quit():
                self.done = True

    def welcome(self) -> None:
        """Print the game, and how to go on."""
        match, clocks = self.match, self.table.clocks
        clock = f", clock {clocks.terms}" if clocks else ""
        self.console.say(heading(match) + clock + (f", seed {shown(match.deal.seed)}" if match.deal else ""))
        if bots := who_plays(self.table):
            self.console.say(bots)
        if level := level_text(self.table.bots, match.state):
            self.console.say(level)
        if pace := pace_text(self.table.bots):
            self.console.say(pace)
        if advice := advice_text(match.game, match.state.options, match.state.seats):
            self.console.say(advice)
        over = self.table.turn is None
        if not match.length:
            self.console.say(match.game.lesson.goal)
        self.console.say("Type help for help." if over else f"Type a move{self.example()}, or help.")

    def example(self) -> str:
        return f" such as {next(iter(self.match.state.moves))}" if self.table.turn is not None else ""

    def _show(self) -> None:
        """Draw a position that is new to the person, and report the result once."""
        if not self._drawn:
            self.draw()
        elif not self._told:
            self._tell_result()

    def draw(self) -> None:
        self._drawn = True
        self.console.say(f"\n{drawing(self.table.view.scene())}\n")
        self._tell_result()

    def _tell_result(self) -> None:
        if over := self.match.over:
            self._told = True
            people = self.table.people if any(self.table.bots) else ()
            maze = finished_text(self.match.state.labyrinth())
            self.console.say(f"{maze}{result(self.match, over, people, self.table.names)}\n")
            called = [player_and_name(self.table, seat) for seat in range(self.match.state.seats)]
            if courses := courses_text(self.table.told_thoughts, self.match, called):
                self.console.say(f"{courses}\n")

    # Input

    def ask(self, prompt: str) -> None:
        line = self.console.ask(prompt)
        if line is None:
            self.done = True
            return
        ticket = self.table.ticket
        self.wish(wishes.TimeIs(self._now()))
        if self.table.ticket != ticket or not line:
            return  # the time was up before it was typed
        try:
            self.obey(line)
        except BadNotation as error:
            self.console.say(misread(error, line, self._words))
        except RulesError as error:
            self.console.say(sentence(by_name(str(error), partial(player, names=self.table.names))))
        except OSError as error:
            self.console.say(sentence(file_trouble(error, line, writes=line.startswith("save"))))

    def obey(self, line: str) -> None:
        """Play the line if the game reads it as a move; otherwise it may be a command."""
        first, _, rest = line.partition(" ")
        word, rest = first.lower(), rest.strip()
        leaves = meaning(line) if self.table.warned else None
        if leaves is not None:
            self.wish(wishes.LeaveTable() if leaves else wishes.StayAfterAll())
            return
        if word != "quit":
            self.wish(wishes.StayAfterAll())
        if word not in self._words or is_move(self.match, line):
            self.wish(wishes.PlayMove(line))
        elif command := self._commands.get(self._words[word].word):
            command(rest)
        else:
            wish = self._words[word].wished(rest, read_settings()[0].hints if word == "hint" else "")
            assert wish is not None, f"nothing is done for {word}"
            self.wish(cast("wishes.Wish", wish))

    def pause(self, _: str) -> None:
        self.wish(wishes.ProposeMotion("pause"))
        self.wish(wishes.TimeIs(self._now()))
        self.done = self.console.ask("Paused. Enter continues ") is None
        if not self.done:
            self.wish(wishes.ProposeMotion("pause"))

    def wait(self, _: str) -> None:
        self.wish(wishes.ProposeMotion("wait"))
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
