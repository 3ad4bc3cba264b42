"""The bots that play at a local table or give hints: programs of their own, never code in this process.

A table's requests (`Think`, `Advise`, `OfferDraw`) go to the bots' dialogues (ai/bots/lines/dialogue.py), and the
answers come back as wishes. Nothing here waits: a program wakes the face when it has answered, and the face calls
`pump` then, and when something is due.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.ai.bots.lines.dialogue import Chosen, Replied
from quadrille.ai.bots.lines.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.client.bots.boxes import USUAL, limits
from quadrille.client.bots.names import called, program_words
from quadrille.client.table.effects import Advise, OfferDraw, Settled, Think
from quadrille.client.table.wishes import Answer, Answered, Faulted, Heard, Hinted, Moved, Slow
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match

#: Advised milliseconds for a move without a clock.
BUDGET: Final = 1500
#: Milliseconds between two reports that a bot still thinks.
PATIENCE: Final = 15_000
#: Maximum milliseconds for a move without a clock: a day, because waiting costs nothing here.
ENDLESS: Final = 86_400_000
_HINTS: Final = -1
_UNTIMED: Final = TimeTerms(patience=ENDLESS, budget=BUDGET)

Asked: TypeAlias = Think | Advise


@dataclass(slots=True)
class _Player:
    """A bot, the last question to it, the time of that question, and when its silence is next reported.

    `offered` is the number of the offer that the bot has not answered yet.
    """

    bot: str
    seat: int
    talk: Talk
    asked: Asked | None = None
    said: Asked | None = None
    waited: int = 0
    due: int | None = None
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
        self._players: dict[int, _Player] = {}
        self._closed = False

    def perform(self, effect: Asked | OfferDraw | Settled) -> None:
        match effect:
            case Think() | Advise():
                self._ask(effect)
            case OfferDraw():
                self._offer(effect)
            case Settled():
                self._settle(effect)

    def _ask(self, asked: Asked) -> None:
        place = _HINTS if isinstance(asked, Advise) else asked.seat
        try:
            player = self._player(place, asked)
        except (RulesError, BotFault, OSError) as error:
            self._tell(Faulted(asked.ticket, f"can't be started: {error}", bot=called(asked.bot)))
            return
        player.asked = asked
        self.pump()

    def _offer(self, offer: OfferDraw) -> None:
        """Offer a draw to a bot, beside the question that it thinks about. A bot that is not ready yet declines."""
        player = self._players.get(offer.seat)
        if player is None or not player.talk.is_ready:
            self._tell(Answered(offer.ticket, offer.seat, agrees=False))
            return
        player.offered = offer.ticket
        player.talk.offer("draw", offer.by, offer.ticket, offer.match)
        self.pump()

    def _settle(self, settled: Settled) -> None:
        for player in self._players.values():
            if player.talk.is_ready and (over := settled.match.over):
                player.talk.over(over, settled.match)
            player.talk.forget()
            player.asked = player.said = player.due = None
        self.pump()

    def let_all_go(self) -> None:
        """Let all bots go because the table is left. The next table starts its own bots."""
        for place in list(self._players):
            self._drop(place)

    def close(self) -> None:
        self._closed = True
        for player in self._players.values():
            player.talk.close(0)
        self._players.clear()

    def _player(self, place: int, asked: Asked) -> _Player:
        player = self._players.get(place)
        if player is not None and (player.bot, player.seat) != (asked.bot, asked.seat):
            self._drop(place)
            player = None
        if player is None:
            talk = Talk(Program(program_words(asked.bot), limits=limits(self._isolate), wake=self._wake))
            player = self._players[place] = _Player(asked.bot, asked.seat, talk)
        return player

    def _drop(self, place: int) -> None:
        self._let_go(self._players.pop(place).talk)

    def pump(self) -> int | None:
        """Read all answers, and send what bots are ready for; return when `pump` is due next, by the clock of `now`."""
        if self._closed:
            return None
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
        return min(dues, default=None)

    def _fail(self, player: _Player, why: str, *, late: bool = False) -> None:
        """Report a bot's failure in place of its answer, and decline its open offer."""
        if player.offered is not None:
            self._tell(Answered(player.offered, player.seat, agrees=False))
        ticket = player.asked.ticket if player.asked else -1
        self._tell(Faulted(ticket, why, late, called(player.bot)))

    def _wonder(self, place: int, player: _Player) -> None:
        """Report that a bot has not answered in time. A hint is given up."""
        if place == _HINTS:
            self._drop(place)
            self._fail(player, f"gives no hint: it has been thinking for {self._patience / 1000:g} seconds")
        elif isinstance(player.asked, Think):
            player.due, player.waited = now() + self._patience, player.waited + self._patience
            self._tell(Slow(player.asked.ticket, player.waited / 1000))

    def _converse(self, player: _Player) -> None:
        while True:
            self._say(player)
            event = player.talk.hear()
            if event is None:
                return
            match event, player.asked:
                case Chosen(move, thought), Think(ticket):
                    player.asked = player.due = None
                    self._tell(Moved(ticket, str(move), thought))
                case Chosen(move, reason=reason), Advise(ticket):
                    player.asked = player.due = None
                    self._tell(Hinted(ticket, str(move), reason))
                case Replied(number, agree), _:
                    player.offered = None
                    self._tell(Answered(number, player.seat, agrees=agree))

    def _say(self, player: _Player) -> None:
        """Tell the bot of the game, then of its turn, each once and as soon as the bot is ready for it."""
        talk, asked = player.talk, player.asked
        if asked is None or asked is player.said or not talk.is_greeted:
            return
        timer = asked.timer if isinstance(asked, Think) else None
        if not talk.is_told:
            seed = _seed(asked.match, player.seat)
            talk.start(asked.match, player.seat, table="local", clock=timer.terms if timer else None, seed=seed)
        if not talk.is_ready:
            return
        player.said, player.waited = asked, 0
        terms, hint = USUAL_TERMS if timer else _UNTIMED, isinstance(asked, Advise)
        talk.ask(asked.match, terms, timer and timer.runs(None, now()), hint=hint)
        if timer is None:
            player.due = now() + self._patience
        if isinstance(asked, Think):
            self._tell(Heard(asked.ticket))


def _seed(match: Match, seat: int) -> str:
    """Return the seed of a bot's dice, which reveals nothing about the game."""
    deal = match.deal.seed if match.deal else secrets.token_hex(8)
    return hashlib.sha256(f"dice of player {seat + 1} {deal}".encode()).hexdigest()
