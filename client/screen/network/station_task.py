"""The network as a task of the screen's loop: it opens the station, carries orders in and news out, and retries.

Turns (session.py) are taken in one worker thread, which waits for the sockets too. In the loop itself a proof about a
shuffled deck would keep a key waiting for 50 ms, and a slow disk for longer; tests/bench/keys.py measures keys.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from quadrille.client.network.options import NetworkOptions
from quadrille.client.screen.network.news import Order, Shut, Told, leaves_with
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.screen.network.session import NetworkSession

#: Seconds before another attempt to open a network.
_RETRY: Final = 5
Value = TypeVar("Value")


class StationTask:
    """The task and its interface, for the thread of the loop, in which it calls `hear`."""

    def __init__(self, options: NetworkOptions, hear: Callable[[Told], None], first: Order | None = None) -> None:
        self._options = options
        self._hear = hear
        self._first = first
        self._straight = leaves_with(first, evening=options.evening)
        self._loop = asyncio.get_running_loop()
        self._worker = ThreadPoolExecutor(1, "station")  # one, because a store belongs to the thread that opened it
        self._orders: deque[Order] = deque()
        self._asked = asyncio.Event()
        self._leaves = False
        self._session: NetworkSession | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = self._loop.create_task(self._run())

    def ask(self, order: Order) -> None:
        """Have an order carried out soon."""
        self._orders.append(order)
        self._wake()

    async def close(self) -> None:
        """Leave the network."""
        self._leaves = True
        self._wake()
        if self._task is not None:
            await self._task
        self._worker.shutdown()

    def _wake(self) -> None:
        self._asked.set()
        if self._session is not None:
            self._session.place.station.node.wake_up()

    def _do(self, deed: Callable[..., Value], *given: object) -> asyncio.Future[Value]:
        return self._loop.run_in_executor(self._worker, deed, *given)

    async def _run(self) -> None:
        """Run one session after another: after a change of name, or after an obstacle is gone."""
        again = True
        while again and not self._leaves:
            try:
                again = await self._stay()
            except (NetError, RulesError, OSError) as error:
                again = await self._refused(error)
            except Exception as error:  # noqa: BLE001, the screen restores the terminal, and raises it
                self._loop.call_exception_handler({"message": "the network failed", "exception": error})
                return

    async def _stay(self) -> bool:
        """Stay on the network until the person leaves it; return whether another session follows."""
        undo = ExitStack()
        try:
            self._session = session = await self._do(self._opened, undo)
            await self._do(self._turn, session)
            for told in await self._do(session.leave):
                self._hear(told)
            self._options = replace(self._options, name=session.renamed or self._options.name)
            return bool(session.renamed)
        finally:
            self._session = None
            await self._do(undo.close)

    def _turn(self, session: "NetworkSession") -> None:
        """Turn until the person leaves the network. The worker waits for nothing that the loop does: a terminal that
        takes no bytes stops the loop, and must stop nobody at the table.
        """
        while not (self._leaves or session.ends):
            for told in session.turn(self._orders):
                self._loop.call_soon_threadsafe(self._hear, told)

    def _opened(self, undo: ExitStack) -> "NetworkSession":
        from quadrille.client.presence.place import StationPresence  # it takes a while, and the screen is there
        from quadrille.client.screen.network.session import NetworkSession

        session = NetworkSession(undo.enter_context(StationPresence(self._options)))
        first, self._first = self._first, None
        session.begin(first)
        return session

    async def _refused(self, error: Exception) -> bool:
        """Report why there is no network, again for each order; return whether to retry after a pause."""
        why = f"{error.filename or 'the network'}: {error.strerror}" if isinstance(error, OSError) else f"{error}"
        self._hear(Shut(why))
        with suppress(TimeoutError):
            async with asyncio.timeout(_RETRY):
                while not (self._straight or self._leaves):
                    self._orders.clear()
                    self._asked.clear()
                    await self._asked.wait()
                    self._hear(Shut(why))
        return not self._straight
