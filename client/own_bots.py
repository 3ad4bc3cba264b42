"""Bots at a table of one's own, and how long a person has to wait for them. Here for plain lines; screen/bots.py is for
the screen, where nothing may wait.

A bot is a program of its own (ai/program.py), so that what it does wrong, or never does, is only said to the person.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from quadrille.ai.dialogue import Chosen, Dialogue, Ready
from quadrille.ai.faults import BotFault
from quadrille.ai.program import Program
from quadrille.ai.talk import Talk, now
from quadrille.client.bot_names import program_words
from quadrille.client.boxes import own_limits
from quadrille.client.clocks import Clocks
from quadrille.client.console import Console
from quadrille.rules.core import Move
from quadrille.rules.match import Match

#: What a bot is advised to take for a move where no clock runs, in milliseconds.
BUDGET: Final = 1500
#: So long it may take, and the person is asked what to do; as often as that has passed. In milliseconds.
PATIENCE: Final = 15_000
#: Maximum time that lines of a pipe which came before a bot's turn wait for its move, in milliseconds.
HELD: Final = BUDGET + 500
#: What it may take in the end: nothing is lost by waiting at one's own table. A day.
ENDLESS: Final = 86_400_000


def tell_of_game(dialogue: Dialogue, match: Match, seat: int, clocks: Clocks | None, seed: str) -> None:
    """A game begins for a bot in that seat."""
    clock = (clocks.terms.initial, clocks.terms.increment) if clocks else None
    dialogue.start(match, match.state.view(seat), seat, now(), table="local", clock=clock, seed=seed)


def ask_for_move(dialogue: Dialogue, match: Match, seat: int, clocks: Clocks | None) -> None:
    """It is that bot's turn."""
    view, time = match.state.view(seat), now()
    if clocks is None:
        dialogue.turn(match, view, time, patience=ENDLESS, budget=BUDGET)
    else:
        left = [clocks.at(one, time) for one in range(len(clocks.left))]
        dialogue.turn(match, view, time, left=left, increment=clocks.terms.increment)


@dataclass(slots=True)
class Wait:
    """For which move of which bot a table waits. `since`: when it was asked; `until`: when the person is; None: not
    (yet). `early`: since when, if a line was there before. `asks`: the person has been asked what to do.
    """

    match: Match
    ply: int
    bot: str
    early: int | None
    since: int | None = None
    until: int | None = None
    asks: bool = False

    @classmethod
    def begun(cls, match: Match, bot: str, console: Console) -> Self:
        """It is that bot's turn."""
        piped = console.looks and not console.interactive
        early = now() if piped and (console.ended or console.next_line() is not None) else None
        return cls(match, len(match.entries), bot, early)

    def is_for(self, match: Match, bot: str) -> bool:
        """Whether it is still the same turn of the same bot."""
        return self.match is match and self.ply == len(match.entries) and self.bot == bot

    def answers(self, console: Console, commands: Collection[str]) -> bool:
        """Whether the person has said what is to be obeyed while the bot thinks.

        What was there before it was the bot's turn comes after its move, unless that is late: so a script is obeyed in
        its order.
        """
        if not console.looks or (self.early is not None and now() < (self.since or self.early) + HELD):
            return False
        line = console.next_line()
        if line is None:
            return console.ended
        self.early = None
        return console.interactive or self.asks or line.partition(" ")[0].lower() in commands


class OwnBot:
    """One bot's program, and how far it is in the talk about a match that is here."""

    def __init__(self, bot: str, seat: int, seed: str) -> None:
        """`seed` is for its dice: what it is told is made from it by a way that does not lead back."""
        self.bot = bot
        self._seat = seat
        self._seed = hashlib.sha256(f"dice of player {seat + 1} {seed}".encode()).hexdigest()
        self._talk = Talk(Program(program_words(bot), limits=own_limits()))
        self._told = self._ready = False  # of the game
        self._match: Match | None = None  # in which it has been asked for a move

    def is_ready(self, match: Match, clocks: Clocks | None, timeout: float) -> bool:
        """Tell it of the game, and listen so many seconds at most for its answer; that is not on its clock."""
        if self._ready:
            return True
        if not self._told and self._talk.dialogue.greeting is not None:
            self._told = True
            tell_of_game(self._talk.dialogue, match, self._seat, clocks, self._seed)
        self._ready = isinstance(self._talk.hear(timeout), Ready)
        return self._ready

    def move(self, match: Match, clocks: Clocks | None, timeout: float) -> Move | None:
        """Its move in this match; None when it still thinks after so many seconds.

        A `BotFault` says what went wrong.
        """
        if self._match is not match:
            self._match = match
            ask_for_move(self._talk.dialogue, match, self._seat, clocks)
        end = now() + round(1000 * timeout)
        while True:
            event = self._talk.hear(max(0, end - now()) / 1000)
            if isinstance(event, Chosen):
                self._match = None
                return event.move
            if now() >= end:
                return None

    def close(self) -> None:
        """Let it go."""
        self._talk.close(0)


class OwnBots:
    """Those of a plain table, by their seats; a program is started when it is needed, and again after a fault."""

    def __init__(self) -> None:
        self._there: dict[int, OwnBot] = {}

    def is_ready(self, bot: str, seat: int, match: Match, clocks: Clocks | None, timeout: float) -> bool:
        """As `OwnBot.is_ready`, of that bot in that seat, started if need be."""
        found = self._there.get(seat)
        if found is None or found.bot != bot:
            self._drop(seat)
            found = self._there[seat] = OwnBot(bot, seat, match.deal.seed if match.deal else "")
        try:
            return found.is_ready(match, clocks, timeout)
        except BotFault:
            self._drop(seat)
            raise

    def move(self, seat: int, match: Match, clocks: Clocks | None, timeout: float) -> Move | None:
        """As `OwnBot.move`, of the one in that seat."""
        try:
            return self._there[seat].move(match, clocks, timeout)
        except BotFault:
            self._drop(seat)
            raise

    def _drop(self, seat: int) -> None:
        if (found := self._there.pop(seat, None)) is not None:
            found.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let all of them go; they are another game's then."""
        for bot in self._there.values():
            bot.close()
        self._there.clear()
