"""The bots of a screen's table in its event loop: they are pumped when one has said something or is due."""

import asyncio
from collections.abc import Callable

from quadrille.ai.bots.talk import Talk, now
from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.opponents import PATIENCE, Opponents
from quadrille.client.table.wishes import Answer


class Bots(Opponents):
    """Opponents whose answers come in the loop's own thread; none is waited for before the end."""

    def __init__(
        self,
        tell: Callable[[Answer], None],
        loop: asyncio.AbstractEventLoop,
        patience: int = PATIENCE,
        isolate: str = USUAL,
    ) -> None:
        def let_go(talk: Talk) -> None:
            loop.run_in_executor(None, talk.close, 0)

        super().__init__(tell, self._call, patience, let_go=let_go, isolate=isolate)
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def _call(self) -> None:
        """From a program's thread."""
        try:
            self._loop.call_soon_threadsafe(self.pump)
        except RuntimeError:
            return  # the loop has ended: nobody listens any more

    def pump(self) -> int | None:
        """As of all opponents, and again when something is due."""
        due = super().pump()
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0, due + 1 - now()) / 1000, self.pump) if due is not None else None
        return due
