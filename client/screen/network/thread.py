"""The thread that is on the network: it opens the station, carries orders in and news out, and tries again.

The screen never waits for the network, the disk or the cards. What is done there is session.py's affair.
"""

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import NetworkOptions
from quadrille.client.screen.network.news import Order, Shut, Told
from quadrille.net.errors import NetError
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.presence.place import StationPresence

#: How long until it is tried again to open a network that could not be opened, in seconds.
_RETRY: Final = 5


class NetworkThread:
    """The thread, and the way to it: `ask` from any other one."""

    def __init__(self, options: NetworkOptions, tell: Callable[[Told], None], first: Order | None = None) -> None:
        """`tell` is called from the thread. With a `first` order the person came for that alone: leaving ends it."""
        self._options = options
        self._tell = tell
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._first = first
        self._place: StationPresence | None = None
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)

    def start(self) -> None:
        """Go to the network."""
        self._thread.start()

    def ask(self, order: Order | None) -> None:
        """An order, to be carried out soon; None: leave the network."""
        self._orders.put(order)
        if place := self._place:
            place.station.node.wake_up()

    def close(self) -> None:
        """Leave the network, and wait until it has been left."""
        self.ask(None)
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        """One session after another: under another name, or when what was in the way is gone."""
        from quadrille.client.presence.place import StationPresence
        from quadrille.client.screen.network.session import (
            NetworkSession,  # here: it takes a while, and the screen is there
        )

        options, again = self._options, True
        while again:
            try:
                with StationPresence(options) as self._place:
                    session = NetworkSession(self._place, self._orders, self._tell, self._first)
                    again = session.run()
                    options = replace(options, name=session.renamed or options.name)
            except (NetError, RulesError, OSError) as error:
                again = self._refused(error)
            finally:
                self._place = None

    def _refused(self, error: Exception) -> bool:
        """Say why there is no network; whether to try again, after a while in which nothing else is possible."""
        why = f"{error.filename or 'the network'}: {error.strerror}" if isinstance(error, OSError) else f"{error}"
        self._tell(Shut(why))
        end = time.monotonic() + _RETRY
        while self._first is None and (left := end - time.monotonic()) > 0:
            try:
                if self._orders.get(timeout=left) is None:
                    return False
                self._tell(Shut(why))
            except queue.Empty:
                break
        return self._first is None
