"""The network thread: it opens the station, carries orders in and news out, and retries.

The screen never waits for the network, the disk or the cards. See session.py for the work in the thread.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import NetworkOptions
from quadrille.client.screen.network.news import Order, Shut, StationLeft, Told, leaves_with
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.presence.place import StationPresence

#: Seconds before another attempt to open a network.
_RETRY: Final = 5


class NetworkThread:
    """The thread and its interface. It is created in the thread of an event loop, in which it calls `hear`.

    `said` has the last lines for the person, after the screen is gone.
    """

    def __init__(self, options: NetworkOptions, hear: Callable[[Told], None], first: Order | None = None) -> None:
        self.said: list[str] = []
        self._options = options
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._first = first
        self._straight = leaves_with(first, evening=options.evening)
        self._place: StationPresence | None = None
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ask(self, order: Order | None) -> None:
        """Queue an order; None: leave the network."""
        self._orders.put(order)
        if place := self._place:
            place.station.node.wake_up()

    def close(self) -> None:
        """Leave the network, and wait until that is done."""
        self.ask(None)
        if self._thread.ident is not None:
            self._thread.join()

    def _tell(self, news: Told) -> None:
        match news:
            case StationLeft(_, said):
                self.said += said
            case Shut(why) if self._straight:
                self.said.append(why)
        with suppress(RuntimeError):  # the loop has gone meanwhile
            self._loop.call_soon_threadsafe(self._hear, news)

    def _run(self) -> None:
        """Run one session after another: after a change of name, or after an obstacle is gone."""
        options, again = self._options, True
        while again:
            try:
                from quadrille.client.presence.place import StationPresence  # it takes a while, and the screen is there
                from quadrille.client.screen.network.session import NetworkSession

                with StationPresence(options) as self._place:
                    session = NetworkSession(self._place, self._orders, self._tell, self._first)
                    self._first = None
                    again = session.run()
                    options = replace(options, name=session.renamed or options.name)
            except (NetError, RulesError, OSError) as error:
                again = self._refused(error)
            finally:
                self._place = None

    def _refused(self, error: Exception) -> bool:
        """Report why there is no network; return whether to retry after a pause."""
        why = f"{error.filename or 'the network'}: {error.strerror}" if isinstance(error, OSError) else f"{error}"
        self._tell(Shut(why))
        end = time.monotonic() + _RETRY
        while not self._straight and (left := end - time.monotonic()) > 0:
            try:
                if self._orders.get(timeout=left) is None:
                    return False
                self._tell(Shut(why))
            except queue.Empty:
                break
        return not self._straight
