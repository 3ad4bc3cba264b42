"""The thread that serves pages in the host's program: one asyncio loop with the door, and a queue each way.

The thread that owns the station (guests.py) never waits for it but at its start and its end. So no page delays the
host's own move, and any loop can turn the station. A fault in here ends no game: the guard reports it
(net/trust/guard.py).
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, TypeVar

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.phones.guests import Guests

T = TypeVar("T")
#: Seconds for the end of the last connections.
_PATIENCE: Final = 10


class Pages:
    """The door and its thread."""

    def __init__(self, options: NetworkOptions, guests: Guests, failed: Callable[[Exception], None]) -> None:
        """`failed` hears of a fault, in this thread."""
        self._options = options
        self._guests = guests
        self._failed = failed
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._caught)
        self._thread = threading.Thread(target=self._loop.run_forever, name="pages", daemon=True)

    def open(self, ports: Sequence[int]) -> int:
        """Listen at the first free one of these ports, and return it; an OSError says why there is none."""
        self._thread.start()
        try:
            return self._within(self._opened(ports))
        except OSError:
            self._end()
            raise

    async def _opened(self, ports: Sequence[int]) -> int:
        self.door = PhoneDoor(self._options, self._guests)
        self.evening = self.door.evening
        return await self.door.open(ports)

    def _within(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for work in the thread."""
        found: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return found.result(_PATIENCE)

    def call(self, deed: Callable[..., None], *told: Any, **more: Any) -> None:
        """Have the thread do something soon."""
        self._loop.call_soon_threadsafe(lambda: deed(*told, **more))

    def close(self, staying: Sequence[str]) -> None:
        """Close the door, and end the thread."""
        try:
            with suppress(TimeoutError):  # a phone that is out of reach keeps nobody here
                self._within(self.door.close(staying))
        finally:
            self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE)
        if not self._thread.is_alive():
            self._loop.close()

    def _caught(self, _: asyncio.AbstractEventLoop, told: dict[str, Any]) -> None:
        if isinstance(error := told.get("exception"), Exception) and not isinstance(error, OSError):
            self._failed(error)  # a connection that breaks is no fault
