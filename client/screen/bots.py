"""The bots that play at a local table or give hints: programs of their own, never code in this process.

What the screen asks for (`Think`, `Advise`, `Offer`) is said to their dialogues (ai/dialogue.py), what they answer
comes back as events. Nothing here waits: a program wakes the loop when it has said something, and of one that says
nothing for long the person is told.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.ai.answers import Greeting
from quadrille.ai.dialogue import Chosen, Ready, Replied
from quadrille.ai.faults import BotFault
from quadrille.ai.program import Program
from quadrille.ai.talk import Talk, now
from quadrille.client.bot_names import called, program_words
from quadrille.client.boxes import own_limits
from quadrille.client.own_bots import PATIENCE, ask_for_move, tell_of_game
from quadrille.client.screen.model import Advise, Answered, Event, Faulted, Hinted, Moved, Offer, Settled, Slow, Think
from quadrille.rules.errors import RulesError

Asked: TypeAlias = Think | Advise

_HINTS: Final = -1


@dataclass(slots=True)
class _Player:
    """A bot's program, what it was asked for last and since when, and until when nobody wonders about it."""

    bot: str
    seat: int
    talk: Talk
    asked: Asked | None = None
    told: bool = False
    ready: bool = False
    said: Asked | None = None
    began: int = 0
    due: int | None = None


class Bots:
    """All of a screen's bots, by seat; the one for hints is beside them."""

    def __init__(
        self, tell: Callable[[Event], None], loop: asyncio.AbstractEventLoop, patience: int = PATIENCE
    ) -> None:
        """`tell` is given what they answer, in the loop's own thread; and when they have not for `patience` ms."""
        self._tell = tell
        self._loop = loop
        self._patience = patience
        self._players: dict[int, _Player] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def ask(self, asked: Asked) -> None:
        """A move, or a hint."""
        place = _HINTS if isinstance(asked, Advise) else asked.seat
        try:
            player = self._player(place, asked)
        except (RulesError, BotFault, OSError) as error:
            self._tell(Faulted(asked.ticket, f"{called(asked.bot)} can't be started: {error}"))
            return
        player.asked = asked
        self._pump()

    def offer(self, offer: Offer) -> None:
        """What a bot says to a draw, beside what it is asked for; one that has not moved yet has nothing to say."""
        player = self._players.get(offer.seat)
        if player is None or not player.ready:
            self._tell(Answered(offer.ticket, offer.seat, agrees=False))
            return
        view = offer.match.state.view(player.seat)
        player.talk.dialogue.offer("draw", offer.by, offer.ticket, offer.match, view, now())
        self._pump()

    def settle(self, settled: Settled) -> None:
        """The game is over, or another begins."""
        for player in self._players.values():
            if player.ready and (over := settled.match.over):
                player.talk.dialogue.over(over, settled.match, settled.match.state.view(player.seat))
            player.told = player.ready = False
            player.asked = player.said = player.due = None
        self._pump()

    def let_go(self) -> None:
        """The table is left: whoever is asked at the next one is started there."""
        for place in list(self._players):
            self._drop(place)

    def close(self) -> None:
        """The end of it, waited for."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for player in self._players.values():
            player.talk.close(0)
        self._players.clear()

    def _player(self, place: int, asked: Asked) -> _Player:
        """The bot in that place, started if need be."""
        player = self._players.get(place)
        if player is not None and (player.bot, player.seat) != (asked.bot, asked.seat):
            self._drop(place)
            player = None
        if player is None:
            talk = Talk(Program(program_words(asked.bot), limits=own_limits(), wake=self._wake))
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
                self._fail(player, fault.why, late=fault.kind == "time")
                continue
            if player.due is not None and now() >= player.due:
                self._wonder(place, player)
        dues = [player.due for player in self._players.values() if player.due is not None]
        dues += [due for player in self._players.values() if (due := player.talk.dialogue.deadline) is not None]
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0, min(dues) + 1 - now()) / 1000, self._pump) if dues else None

    def _fail(self, player: _Player, why: str, *, late: bool = False) -> None:
        ticket = player.asked.ticket if player.asked else -1
        self._tell(Faulted(ticket, f"{called(player.bot)} {why}", late))

    def _wonder(self, place: int, player: _Player) -> None:
        """One that has been asked has not answered: the person may want something else."""
        if place == _HINTS:
            self._drop(place)
            self._fail(player, f"gives no hint: it has been thinking for {self._patience / 1000:g} seconds")
        elif isinstance(player.asked, Think):
            player.due = now() + self._patience
            self._tell(Slow(player.asked.ticket, (now() - player.began) // 1000))

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
                    player.asked = player.due = None
                    self._tell(Moved(ticket, str(move)))
                case Chosen(move), Advise(ticket):
                    player.asked = player.due = None
                    self._tell(Hinted(ticket, str(move)))
                case Replied(number, agree), _:
                    self._tell(Answered(number, player.seat, agrees=agree))

    def _say(self, player: _Player) -> None:
        """What was asked for, as soon as the bot can hear of it; each once."""
        dialogue, asked = player.talk.dialogue, player.asked
        if asked is None or asked is player.said or dialogue.greeting is None:
            return
        timer = asked.timer if isinstance(asked, Think) else None
        if not player.told:
            player.told = True
            tell_of_game(dialogue, asked.match, player.seat, timer, secrets.token_hex(8))
        if not player.ready:
            return
        player.said, player.began = asked, now()
        ask_for_move(dialogue, asked.match, player.seat, timer)
        if timer is None:
            player.due = now() + self._patience
