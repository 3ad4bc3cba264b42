"""A game with a bot in one seat and random players in the others: the building block of a bot's check.

The bot gets everything that a table may send, at any time; the scenes of check.py say when. Its faults are
`BotFault`s.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from quadrille.ai.bots.lines.dialogue import OFFER, Chosen, Replied, Seating
from quadrille.ai.bots.lines.parameters import Values, texts
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.player import BotEvent, BotPlayer
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.net.entries.motions import BY_ALL
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Value
from quadrille.rules.registry import game
from quadrille.value import value

#: Advised milliseconds for a move without a clock, so that a check ends soon.
BUDGET: Final = 20


@value
class Setting:
    """The setting of a game: everything except the bot's behaviour follows from it."""

    game: str
    options: Mapping[str, Value]
    seats: int
    seat: int
    seed: str
    clock: TimeControl | None = None
    values: Values = ()

    def __str__(self) -> str:
        options = "".join(f" {name}={str(value).lower()}" for name, value in self.options.items())
        clock = f"clock {self.clock}" if self.clock else "no clock"
        values = f", {texts(self.values)}" if self.values else ""
        return f"{self.game}{options}, seat {self.seat + 1} of {self.seats}, {clock}, seed {self.seed}{values}"


class Player:
    """The checked bot: a program, replaced by a new one when it has failed."""

    def __init__(self, bring: Callable[[], Talk]) -> None:
        self._bring = bring
        self._talk: Talk | None = None
        #: Whether it has left a proposal without an answer: then no other is awaited.
        self.is_silent = False
        #: The dialogue with the last started program.
        self.last: Talk | None = None
        #: The fields beside its moves that the table dropped, each with the reason and the first game.
        self.dropped: dict[str, str] = {}

    @property
    def talk(self) -> Talk:
        """The dialogue with a program that has greeted."""
        if self._talk is None or self._talk.fault is not None:
            self._talk = self.lend()
        self._talk.greet()
        return self._talk

    def restart(self) -> None:
        """Drop the program; the next one starts again."""
        if self._talk is not None:
            self._talk.close()
        self._talk = None

    def lend(self) -> Talk:
        """Start a separate program for a caller who closes it."""
        self.last = self._bring()
        return self.last


class CheckGame:
    """One game, move by move. All seats but the bot's play at random."""

    def __init__(self, setting: Setting, player: Player, patience: int, end: float) -> None:
        """Prepare a game, which stops when `time.monotonic` reaches its `end`."""
        self.match = Match(game(setting.game), setting.options, setting.seats, deal=Deal(setting.seed))
        self.setting = setting
        self.player = player
        self.dice = Stream(setting.seed, "trial")
        self.seat = setting.seat
        self.terms = TimeTerms(setting.clock, patience, None if setting.clock else BUDGET)
        self._clocks = self.terms.clocks(setting.seats)
        self._asked = 0.0
        self.end = end
        self._offers: dict[int, int] = {}  # until when each waits
        self._due: deque[BotEvent] = deque()
        self._number = 0

    @property
    def goes_on(self) -> bool:
        """Return whether there is a move to make, and time for it."""
        return self.match.over is None and time.monotonic() < self.end

    @property
    def is_bots_turn(self) -> bool:
        return self.match.pending == ToMove(self.seat)

    # Events at the table

    def begin(self, *, waits: bool = True) -> None:
        """Start or continue the game for the bot, and wait until it is ready."""
        setting, talk = self.setting, self.player.talk
        talk.parameters = dict(setting.values)
        seating = Seating(self.seat, f"check{setting.seed}", (), setting.clock, setting.seed)
        self.bot = BotPlayer(talk, seating, self.terms)
        self.bot.follow(self.match)
        self._send()
        while waits and not self.bot.is_ready:
            self._hear(1)

    def move(self) -> None:
        if self.is_bots_turn:
            self.give_turn()
            self.await_move()
        else:
            self.roll()

    def roll(self) -> None:
        """Make a random move, even in the bot's place."""
        self.match.play(self.match.state.moves.sample(self.dice))

    def give_turn(self) -> None:
        """Ask the bot for its move."""
        self.bot.follow(self.match)
        while not self.bot.ask(self._clocks):
            self._hear(1)
        self._asked = time.perf_counter()
        self._send()

    def await_move(self) -> None:
        """Wait for the move of the bot that was asked, and play it."""
        while not isinstance(event := self._due.popleft() if self._due else self._hear(1), Chosen):
            pass
        if self._clocks is not None:
            used = 1000 * (time.perf_counter() - self._asked)
            self._clocks = self.terms.after(self._clocks, self.seat, used, 0)
        self.match.play(event.move)

    def undo(self, plies: int) -> None:
        """Take moves back, perhaps while the bot thinks."""
        self._due.clear()
        self.match.undo(min(plies, self.match.ply))
        self.bot.follow(self.match)

    def offer(self, kind: str) -> None:
        """Propose something in the name of another seat."""
        assert kind in BY_ALL
        others = [seat for seat in range(self.setting.seats) if seat != self.seat]
        self._number += 1
        patience = min(OFFER, self.terms.patience)
        self._offers[self._number] = now() + patience
        self.bot.offer(kind, others[self.dice.randrange(len(others))], self._number, patience)
        self._send()

    def settle(self) -> None:
        """Wait for the bot's answers to proposals."""
        while self._offers and not self.player.is_silent:
            self._hear(1)

    def restart(self) -> None:
        """Kill the bot's program, and let another one go on with the game."""
        self.player.restart()
        self._offers.clear()
        self._due.clear()
        self.begin()

    def over(self) -> None:
        """End the game, by its rules or by decision."""
        if self.match.over is None:
            self.match.adjudicate([1] * self.setting.seats, "it was only a trial")
        self.bot.over(self.match.over, self.match)
        self._offers.clear()
        self._send()

    def _send(self) -> None:
        """Send pending lines now; answers are read later."""
        if (event := self._hear(0)) is not None:
            self._due.append(event)

    def _hear(self, timeout: float) -> BotEvent | None:
        """Return what the bot does, and raise its fault. Replies are only noted."""
        event = self.bot.hear(timeout)
        match event:
            case BotFault():
                raise event
            case Chosen(_, thought) if thought is not None:
                for name, reason in thought.dropped:
                    self.player.dropped.setdefault(name, f"{reason} ({self.setting})")
            case Replied(number):
                if now() > self._offers.pop(number, now()):
                    self.player.is_silent = True
                return None
        return event
