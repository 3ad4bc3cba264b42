"""The bots that play at a local table or give hints: programs of their own, never code in this process.

What the screen asks for (`Think`, `Advise`, `Offer`) is said to their dialogues (ai/dialogue.py), what they answer
comes back as events. Nothing here waits: a program wakes the loop when it has said something.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.ai.answers import Greeting
from quadrille.ai.dialogue import Chosen, Ready, Replied
from quadrille.ai.faults import BotFault
from quadrille.ai.program import Program, kit_command
from quadrille.ai.talk import Talk, now
from quadrille.client.screen.model import Advise, Answered, Event, Faulted, Hinted, Moved, Offer, Settled, Think
from quadrille.rules.errors import RulesError

Asked: TypeAlias = Think | Advise | Offer

#: Nothing is lost by waiting at one's own table, and the person there can put another bot in the seat: a day.
PATIENCE: Final = 86_400_000
#: What a bot is advised to take for a move, in milliseconds.
BUDGET: Final = 1500
_HINTS: Final = -1


@dataclass(slots=True)
class _Player:
    """A bot's program, the game it was told of, and what it was asked for last."""

    bot: str
    seat: int
    talk: Talk
    asked: Asked | None = None
    told: bool = False
    ready: bool = False
    said: Asked | None = None


class Bots:
    """All of a screen's bots, by seat; the one for hints is beside them."""

    def __init__(self, tell: Callable[[Event], None], loop: asyncio.AbstractEventLoop) -> None:
        """`tell` is given what they answer, in the loop's own thread."""
        self._tell = tell
        self._loop = loop
        self._players: dict[int, _Player] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def ask(self, asked: Asked) -> None:
        """A move, a hint, or what a bot says to a draw."""
        place = _HINTS if isinstance(asked, Advise) else asked.seat
        try:
            player = self._player(place, asked)
        except (RulesError, BotFault, OSError) as error:
            self._tell(Faulted(asked.ticket, f"{_name(asked)} can't be started: {error}"))
            return
        if player is None:
            assert isinstance(asked, Offer)
            self._tell(Answered(asked.ticket, asked.seat, agrees=False))
            return
        player.asked = asked
        self._pump()

    def settle(self, settled: Settled) -> None:
        """The game is over, or another begins."""
        for player in self._players.values():
            if player.ready and (over := settled.match.over):
                player.talk.dialogue.over(over, settled.match, settled.match.state.view(player.seat))
            player.told = player.ready = False
            player.asked = player.said = None
        self._pump()

    def close(self) -> None:
        """Let all go."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for player in self._players.values():
            player.talk.close(0)
        self._players.clear()

    def _player(self, place: int, asked: Asked) -> _Player | None:
        """The bot in that place, started if need be; one that has not moved yet has nothing to say to a draw."""
        player = self._players.get(place)
        if isinstance(asked, Offer):
            return player
        if player is not None and (player.bot, player.seat) != (asked.bot, asked.seat):
            self._drop(place)
            player = None
        if player is None:
            talk = Talk(Program(kit_command(asked.bot), wake=self._wake))
            player = self._players[place] = _Player(asked.bot, asked.seat, talk)
        return player

    def _drop(self, place: int) -> None:
        """Let one go; whoever waits for its end is no part of the screen."""
        player = self._players.pop(place)
        self._loop.run_in_executor(None, player.talk.close, 0)

    def _wake(self) -> None:
        """From a program's thread."""
        try:
            self._loop.call_soon_threadsafe(self._pump)
        except RuntimeError:
            return  # the loop has ended: nobody listens any more

    def _pump(self) -> None:
        """Hear all there is, say what can be said, and look again when something is due."""
        if self._closed:
            return
        for place, player in list(self._players.items()):
            try:
                self._converse(player)
            except BotFault as fault:
                self._players.pop(place, None)
                ticket = player.asked.ticket if player.asked else -1
                self._tell(Faulted(ticket, f"{player.bot} {fault.why}"))
        dues = [due for player in self._players.values() if (due := player.talk.dialogue.deadline) is not None]
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0, min(dues) + 1 - now()) / 1000, self._pump) if dues else None

    def _converse(self, player: _Player) -> None:
        while True:
            self._say(player)
            event = player.talk.hear()
            if event is None:
                return
            match event, player.asked:
                case Ready(), _:
                    player.ready = player.told
                case Greeting(), _:
                    pass
                case Chosen(move), Think(ticket):
                    player.asked = None
                    self._tell(Moved(ticket, str(move)))
                case Chosen(move), Advise(ticket):
                    player.asked = None
                    self._tell(Hinted(ticket, str(move)))
                case Replied(number, agree), _:
                    self._tell(Answered(number, player.seat, agrees=agree))

    def _say(self, player: _Player) -> None:
        """What was asked for, as soon as the bot can hear of it; each once."""
        dialogue, asked = player.talk.dialogue, player.asked
        if asked is None or asked is player.said or dialogue.greeting is None:
            return
        match = asked.match
        view = match.state.view(player.seat)
        if not player.told:
            player.told = True
            dialogue.start(match, view, player.seat, now(), table="local", seed=secrets.token_hex(8))
        if not player.ready:
            return
        player.said = asked
        if isinstance(asked, Offer):
            dialogue.offer("draw", asked.by, asked.ticket, match, view, now())
        else:
            dialogue.turn(match, view, now(), patience=PATIENCE, budget=BUDGET)


def _name(asked: Asked) -> str:
    return asked.bot if not isinstance(asked, Offer) else "a bot"
