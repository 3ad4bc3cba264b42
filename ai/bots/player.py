"""Leads a bot through a game in one seat: starts the game, asks once in each position, passes proposals on, and reports
the end.

Values come in: a match, the view of the seat, clocks. Nothing waits unless the caller says so: a caller that asks, and
hears until `hear` returns None, has done all that is due. So bots play in a log (ai/peer/seated.py), and a hint is one
answer of such a player. Tournaments and checks have no log, and wait (local.py, ai/checks/trial.py).
"""

from typing import Any, TypeAlias

from quadrille.ai.bots.lines.dialogue import OFFER, Chosen, Event, Seating
from quadrille.ai.bots.lines.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.net.entries.clocks import Clocks
from quadrille.rules.core import Over, State
from quadrille.rules.match import Match
from quadrille.value import value


@value
class StillThinking:
    """The bot has thought for that many milliseconds, and no clock runs."""

    waited: int


BotEvent: TypeAlias = Event | StillThinking | BotFault


class BotPlayer:
    """The player of a seat in one game; its talk may go on to another game."""

    __slots__ = ("_asked_at", "_failed", "_match", "_reports", "_slow_at", "_view", "fault", "seating", "talk", "terms")

    def __init__(
        self, talk: Talk | BotFault, seating: Seating, terms: TimeTerms = USUAL_TERMS, reports: int | None = None
    ) -> None:
        """`talk` is a fault if its program can't be started. Where no clock runs, the bot is reported as still thinking
        every `reports` milliseconds.
        """
        self.seating = seating
        self.terms = terms
        self.fault: BotFault | None = None
        #: The dialogue with its program, unless that has failed.
        self.talk = None if isinstance(talk, BotFault) else talk
        self._failed = talk if isinstance(talk, BotFault) else None
        self._reports = reports
        self._match: Match | None = None
        self._view: State[Any, Any] | None = None
        self._asked_at: int | None = None
        self._slow_at: int | None = None

    @property
    def is_ready(self) -> bool:
        return self.talk is not None and self.talk.is_ready

    @property
    def is_asked(self) -> bool:
        """Return whether the bot was asked for a move in this position."""
        return self.talk is not None and self._asked_at is not None

    @property
    def deadline(self) -> int | None:
        """When to call `hear` if the bot does nothing before, by the clock of `talk.now`."""
        waits = (self.talk.deadline if self.talk else None, self._slow_at)
        return min((due for due in waits if due is not None), default=None)

    def follow(self, match: Match, view: State[Any, Any] | None = None) -> None:
        """Go on to another position; the answer to a question about the last one means nothing any more. A `view` is
        given if the match does not know all that its seat knows.
        """
        self._match = match
        self._view = view
        self._asked_at = self._slow_at = None
        if self.talk is not None:
            self.talk.dialogue.no_turn()

    def ask(self, clocks: Clocks | None = None, *, hint: bool = False) -> bool:
        """Ask for a move in this position; return False if the bot is not ready, or was asked there before.

        The `clocks` are stopped ones, which run in the dialogue from now on.
        """
        match, talk = self._match, self.talk
        if match is None or self._asked_at is not None or talk is None or not talk.is_ready:
            return False
        self._asked_at = now()
        talk.dialogue.turn(match, self._seen(match), self._asked_at, self.terms, clocks, hint=hint)
        if clocks is None and self._reports is not None:
            self._slow_at = self._asked_at + self._reports
        return True

    def offer(self, kind: str, by: int, number: int, patience: int = OFFER) -> None:
        """Pass on what seat `by` proposes to a bot that is ready; `Replied` follows with this number."""
        assert self._match is not None and self.talk is not None
        self.talk.dialogue.offer(kind, by, number, self._match, self._seen(self._match), now(), patience)

    def over(self, over: Over | None, match: Match, view: State[Any, Any] | None = None) -> None:
        """Drop the game, and tell its result to a bot that began it."""
        self.follow(match, view)
        self._match = None
        if self.talk is not None:
            if over is not None and self.talk.is_told:
                self.talk.dialogue.over(over, match, self._seen(match))
            self.talk.forget()

    def _seen(self, match: Match) -> State[Any, Any]:
        """Return what the seat knows: the view that was given, or that of a match which knows all."""
        return match.state.view(self.seating.seat) if self._view is None else self._view

    def move(self, match: Match, clocks: Clocks | None = None) -> Chosen:
        """Wait for the bot's move in a position; raise its fault."""
        self.follow(match)
        while True:
            self.ask(clocks)
            match self.hear(1):
                case Chosen() as chosen:
                    return chosen
                case BotFault() as fault:
                    raise fault

    def fail(self, fault: BotFault) -> BotFault:
        """Ask the bot for nothing any more."""
        self.fault, self._slow_at = fault, None
        return fault

    def hear(self, timeout: float = 0) -> BotEvent | None:
        """Send what is due, and return what the bot does within `timeout` seconds; its fault comes once, and nothing
        after it.
        """
        if self.fault is not None:
            return None
        try:
            if self.talk is None:
                raise self._failed or AssertionError
            if not self.talk.is_told and self.talk.is_greeted and self._match is not None:
                self.talk.start(self._match, self._seen(self._match), self.seating)
            event = self.talk.hear(timeout)
        except BotFault as fault:
            self.fault, self.talk, self._slow_at = fault, None, None
            return fault
        if self._slow_at is None:
            return event
        if isinstance(event, Chosen):
            self._slow_at = None
        elif event is None and self._asked_at is not None and now() >= self._slow_at:
            waited = self._slow_at - self._asked_at
            self._slow_at += self._reports or waited
            return StillThinking(waited)
        return event
