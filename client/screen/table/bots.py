"""The bots of a screen's table in its event loop: they are pumped when one has answered or is due.

Their moves are shown one after the other, so that a person sees each.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from quadrille.ai.bots.talk import Talk, now
from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.opponents import PATIENCE, Asked, Opponents
from quadrille.client.table.effects import OfferDraw, Settled, Think
from quadrille.client.table.wishes import Answer, Moved

#: Milliseconds between one bot's move and the next one's.
BEAT: Final = 400


class Bots(Opponents):
    """Opponents whose answers come in the loop's own thread; it waits for none before the end."""

    def __init__(
        self,
        tell: Callable[[Answer], None],
        loop: asyncio.AbstractEventLoop,
        patience: int = PATIENCE,
        isolate: str = USUAL,
    ) -> None:
        def let_go(talk: Talk) -> None:
            loop.run_in_executor(None, talk.close, 0)

        super().__init__(self.answered, self._call, patience, let_go=let_go, isolate=isolate)
        self._show = tell
        self._loop = loop
        self._next_move = 0
        self._on_clock = False
        self._timer: asyncio.TimerHandle | None = None

    def perform(self, effect: Asked | OfferDraw | Settled) -> None:
        """See `Opponents`."""
        if isinstance(effect, Think):
            self._on_clock = effect.timer is not None
        super().perform(effect)

    def answered(self, answer: Answer) -> None:
        """Show an answer; a move waits for its beat after the last one, unless a clock runs."""
        if not isinstance(answer, Moved) or self._on_clock:
            self._show(answer)
            return
        time = now()
        wait = max(0, self._next_move - time)
        self._next_move = time + wait + BEAT
        if wait:
            self._loop.call_later(wait / 1000, self._show, answer)
        else:
            self._show(answer)

    def _call(self) -> None:
        """Have the loop pump the bots; a program's thread calls this."""
        try:
            self._loop.call_soon_threadsafe(self.pump)
        except RuntimeError:
            return  # the loop has ended

    def pump(self) -> int | None:
        """See `Opponents`; called again when something is due."""
        due = super().pump()
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0, due + 1 - now()) / 1000, self.pump) if due is not None else None
        return due
