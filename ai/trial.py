"""A game in which one seat is a bot's and all the others play by dice: what a check of bots is made of.

The bot is told all that a table may tell it, at any time; the scenes of ai/check.py say when. What it does wrong is a
`BotFault`.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from quadrille.ai.dialogue import OFFER, Chosen, Event, Ready, Replied
from quadrille.ai.talk import Talk, now
from quadrille.net.motions import BY_ALL
from quadrille.net.terms import TimeControl
from quadrille.rules.chance import Stream
from quadrille.rules.core import Over, ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Value
from quadrille.rules.registry import game

#: What a bot is advised to take for a move where no clock runs, so that a check comes to its end; in milliseconds.
BUDGET: Final = 20


@dataclass(frozen=True, slots=True)
class Setting:
    """A game to be played: everything but what the bot does follows from it."""

    game: str
    options: Mapping[str, Value]
    seats: int
    seat: int
    seed: str
    clock: TimeControl | None = None

    def __str__(self) -> str:
        options = "".join(f" {name}={str(value).lower()}" for name, value in self.options.items())
        clock = f"clock {self.clock}" if self.clock else "no clock"
        return f"{self.game}{options}, seat {self.seat + 1} of {self.seats}, {clock}, seed {self.seed}"


class Player:
    """The bot that is checked: a program, and the next one when it has failed."""

    def __init__(self, bring: Callable[[], Talk]) -> None:
        self._bring = bring
        self._talk: Talk | None = None
        #: Whether it has left a proposal without an answer: then no other is waited for.
        self.is_silent = False
        #: The talk with the program that was started last.
        self.last: Talk | None = None

    @property
    def talk(self) -> Talk:
        """The talk with a program that has said who it is."""
        if self._talk is None or self._talk.fault is not None:
            self._talk = self.lend()
        self._talk.greet()
        return self._talk

    def restart(self) -> None:
        """Let the program go; the next one starts anew."""
        if self._talk is not None:
            self._talk.close()
        self._talk = None

    def lend(self) -> Talk:
        """A program of its own for somebody who closes it."""
        self.last = self._bring()
        return self.last


class CheckGame:
    """One game, move by move."""

    def __init__(self, setting: Setting, player: Player, patience: int, end: float) -> None:
        """It is broken off when `time.monotonic` comes to its `end`."""
        self.setting = setting
        self.player = player
        self.match = Match(game(setting.game), setting.options, setting.seats, deal=Deal(setting.seed))
        self.dice = Stream(setting.seed, "trial")
        self._patience = patience
        self._end = end
        self._left = [setting.clock.initial if setting.clock else 0] * setting.seats
        self._offers: dict[int, int] = {}  # until when each waits
        self._due: deque[Event] = deque()
        self._number = 0
        self._asked = 0

    @property
    def goes_on(self) -> bool:
        """Whether there is a move to make, and time for it."""
        return self.match.over is None and time.monotonic() < self._end

    @property
    def is_bots_turn(self) -> bool:
        """Whether the bot is to move."""
        return self.match.pending == ToMove(self.setting.seat)

    # What happens at the table

    def start(self, *, waits: bool = True) -> None:
        """The bot is told that the game begins, or goes on, and makes itself ready."""
        clock = self.setting.clock
        self.player.talk.dialogue.start(
            self.match,
            self.match.state.view(self.setting.seat),
            self.setting.seat,
            now(),
            table=f"check{self.setting.seed}",
            clock=(clock.initial, clock.increment) if clock else None,
            seed=self.setting.seed,
        )
        while waits and not isinstance(self._hear(), Ready):
            pass

    def move(self) -> None:
        """Whoever is to move does."""
        if self.is_bots_turn:
            self.ask()
            self.await_move()
        else:
            self.roll()

    def roll(self) -> None:
        """A move by dice, even in the bot's place."""
        self.match.play(self.match.state.moves.sample(self.dice))

    def ask(self) -> None:
        """The bot is told that it is to move."""
        clock = self.setting.clock
        self._asked = now()
        self.player.talk.dialogue.turn(
            self.match,
            self.match.state.view(self.setting.seat),
            self._asked,
            left=tuple(self._left) if clock else None,
            increment=clock.increment if clock else 0,
            patience=self._patience,
            budget=None if clock else BUDGET,
        )
        self._send()

    def await_move(self) -> None:
        """The bot makes the move that it owes."""
        while not isinstance(event := self._hear(), Chosen):
            pass
        if self.setting.clock:
            seat = self.setting.seat
            self._left[seat] += self.setting.clock.increment - min(now() - self._asked, self._left[seat])
        self.match.play(event.move)

    def undo(self, plies: int) -> None:
        """Moves are taken back, perhaps while the bot thinks."""
        self.player.talk.dialogue.no_turn()
        self._due.clear()
        self.match.undo(min(plies, self.match.ply))

    def offer(self, kind: str) -> None:
        """Somebody proposes something."""
        assert kind in BY_ALL
        others = [seat for seat in range(self.setting.seats) if seat != self.setting.seat]
        self._number += 1
        patience = min(OFFER, self._patience)
        self._offers[self._number] = now() + patience
        by, view = others[self.dice.randrange(len(others))], self.match.state.view(self.setting.seat)
        self.player.talk.dialogue.offer(kind, by, self._number, self.match, view, now(), patience)
        self._send()

    def settle(self) -> None:
        """The bot answers what was proposed, or does not."""
        while self._offers and not self.player.is_silent:
            self._hear()

    def restart(self) -> None:
        """The bot's program is killed, and another one goes on with the game."""
        self.player.restart()
        self._offers.clear()
        self._due.clear()
        self.start()

    def over(self) -> None:
        """The game is over, by its rules or by somebody's word."""
        if self.match.over is None:
            self.match.adjudicate([1] * self.setting.seats, "it was only a trial")
        over = self.match.over
        assert isinstance(over, Over)
        self.player.talk.dialogue.over(over, self.match, self.match.state.view(self.setting.seat))
        self._offers.clear()
        self._send()

    def _send(self) -> None:
        """What was said goes out now; what comes meanwhile is heard later."""
        if (event := self.player.talk.hear()) is not None:
            self._take(event)

    def _hear(self) -> Event | None:
        if not self._due and (event := self.player.talk.hear(0.1)) is not None:
            self._take(event)
        return self._due.popleft() if self._due else None

    def _take(self, event: Event) -> None:
        if isinstance(event, Replied):
            if now() > self._offers.pop(event.number, now()):
                self.player.is_silent = True
        else:
            self._due.append(event)
