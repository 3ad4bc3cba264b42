"""The bots of a screen in its event loop, which hears them when one has answered, or something is due."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from quadrille.ai.bots.talk import now
from quadrille.client.bots.table_bots import TableBots


class LoopBots(TableBots):
    """Bots that wake the loop's own thread; it waits for none before the end."""

    def __init__(self, hear: Callable[[], None], loop: asyncio.AbstractEventLoop, isolate: str) -> None:
        """`hear` calls `act`, `hint` and `look`."""
        super().__init__(self._call, isolate, let_go=lambda talk: loop.run_in_executor(None, talk.close, 0))
        self._hear = hear
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def _call(self) -> None:
        """Have the loop hear the bots; a program's thread calls this."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hear)

    def look(self, deadline: int | None = None) -> None:
        """Hear the bots again when something is due, or at the deadline of their table."""
        due = min((due for due in (self.deadline, deadline) if due is not None), default=None)
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0, due + 1 - now()) / 1000, self._hear) if due is not None else None
