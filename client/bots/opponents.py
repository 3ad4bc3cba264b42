"""The bots that play at a local table or give hints: programs of their own, never code in this process.

A table's requests (`Think`, `Advise`, `OfferDraw`) go to a `BotPlayer` for each place (ai/bots/player.py), and the
answers come back as wishes. Nothing here waits: a program wakes the face when it has answered, and the face calls
`pump` then, and when something is due.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.ai.bots.lines.dialogue import Chosen, Replied, Seating
from quadrille.ai.bots.lines.time_terms import AT_HOME, LONG, USUAL_TERMS
from quadrille.ai.bots.player import BotEvent, BotPlayer, StillThinking
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.client.bots.boxes import USUAL, limits
from quadrille.client.bots.names import called, program_words
from quadrille.client.table.effects import Advise, OfferDraw, Settled, Think
from quadrille.client.table.wishes import Answer, Answered, Faulted, Heard, Hinted, Moved, Slow
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match

#: Milliseconds: a good time for a move without a clock; between two reports that a bot still thinks.
BUDGET: Final = AT_HOME.budget or 0
PATIENCE: Final = LONG
_HINTS: Final = -1

Asked: TypeAlias = Think | Advise


@dataclass(slots=True)
class _Opponent:
    """A bot, the last question to it, and the number of the offer that it has not answered."""

    bot: str
    player: BotPlayer
    asked: Asked | None = None
    offered: int | None = None


class Opponents:
    """All bots of a table by seat, and the bot for hints. For one thread."""

    def __init__(
        self,
        tell: Callable[[Answer], None],
        wake: Callable[[], None],
        patience: int = PATIENCE,
        *,
        let_go: Callable[[Talk], object] = lambda talk: talk.close(0),
        isolate: str = USUAL,
    ) -> None:
        """`tell` gets each answer, and a report after `patience` ms without one; `wake` is called from any thread.

        `let_go` ends a program whose place another takes; `isolate` is the box that each program has to have.
        """
        self._tell = tell
        self._wake = wake
        self._patience = patience
        self._let_go = let_go
        self._isolate = isolate
        self._places: dict[int, _Opponent] = {}

    def perform(self, effect: Asked | OfferDraw | Settled) -> None:
        match effect:
            case Think() | Advise():
                place = self._place(effect)
                place.asked = effect
                place.player.follow(effect.match)
            case OfferDraw(ticket, seat, by):
                offered = self._places.get(seat)
                if offered is None or not offered.player.is_ready:
                    self._tell(Answered(ticket, seat, agrees=False))
                    return
                offered.offered = ticket
                offered.player.offer("draw", by, ticket)
            case Settled(match):
                for place in self._places.values():
                    place.player.over(match.over, match)
                    place.asked = None
        self.pump()

    def _place(self, asked: Asked) -> _Opponent:
        number = _HINTS if isinstance(asked, Advise) else asked.seat
        place = self._places.get(number)
        if place is not None and (place.bot, place.player.seating.seat) != (asked.bot, asked.seat):
            self._drop(number)
            place = None
        talk = place.player.talk if place is not None else None
        if place is None or (talk is not None and not talk.is_told):  # another game may have another clock
            talk_or_fault = talk or self._started(asked.bot)
            seating = _seating(asked)
            terms = USUAL_TERMS if seating.clock else AT_HOME
            player = BotPlayer(talk_or_fault, seating, terms, self._patience)
            place = self._places[number] = _Opponent(asked.bot, player)
        return place

    def _started(self, bot: str) -> Talk | BotFault:
        try:
            return Talk(Program(program_words(bot), limits=limits(self._isolate), wake=self._wake))
        except (RulesError, BotFault, OSError) as error:
            return BotFault("crash", f"can't be started: {error}")

    def let_all_go(self) -> None:
        """Let all bots go because the table is left. The next table starts its own bots."""
        for number in list(self._places):
            self._drop(number)

    def close(self) -> None:
        self._let_go = lambda talk: talk.close(0)
        self.let_all_go()

    def _drop(self, number: int) -> None:
        if (talk := self._places.pop(number).player.talk) is not None:
            self._let_go(talk)

    def pump(self) -> int | None:
        """Read all answers, and send what bots are ready for; return when `pump` is due next, by the clock of `now`."""
        for number, place in list(self._places.items()):
            while number in self._places:
                self._ask(place)
                event = place.player.hear()
                if event is None:
                    break
                self._answer(number, place, event)
        dues = [place.player.deadline for place in self._places.values()]
        return min((due for due in dues if due is not None), default=None)

    def _ask(self, place: _Opponent) -> None:
        match place.asked:
            case Think(ticket, timer=timer):
                if place.player.ask(timer and timer.runs(None, now())):
                    self._tell(Heard(ticket))
            case Advise():
                place.player.ask(hint=True)

    def _answer(self, number: int, place: _Opponent, event: BotEvent) -> None:
        match event, place.asked:
            case Chosen(move, thought), Think(ticket):
                place.asked = None
                self._tell(Moved(ticket, str(move), thought))
            case Chosen(move, reason=reason), Advise(ticket):
                place.asked = None
                self._tell(Hinted(ticket, str(move), reason))
            case Replied(offer, agree), _:
                place.offered = None
                self._tell(Answered(offer, place.player.seating.seat, agrees=agree))
            case StillThinking(waited), Think(ticket):
                self._tell(Slow(ticket, waited / 1000))
            case StillThinking(waited), Advise():
                self._drop(number)
                self._fail(place, f"gives no hint: it has been thinking for {waited / 1000:g} seconds")
            case BotFault() as fault, _:
                self._places.pop(number, None)
                self._fail(place, fault.why, late=fault.kind == "time")

    def _fail(self, place: _Opponent, why: str, *, late: bool = False) -> None:
        """Report a bot's failure in place of its answer, and decline its open offer."""
        if place.offered is not None:
            self._tell(Answered(place.offered, place.player.seating.seat, agrees=False))
        self._tell(Faulted(place.asked.ticket if place.asked else -1, why, late, called(place.bot)))


def _seating(asked: Asked) -> Seating:
    """Describe a bot's seat to it."""
    timer = asked.timer if isinstance(asked, Think) else None
    return Seating(asked.seat, "local", clock=timer.terms if timer else None, seed=_seed(asked.match, asked.seat))


def _seed(match: Match, seat: int) -> str:
    """Return the seed of a bot's dice, which reveals nothing about the game."""
    deal = match.deal.seed if match.deal else secrets.token_hex(8)
    return hashlib.sha256(f"dice of player {seat + 1} {deal}".encode()).hexdigest()
