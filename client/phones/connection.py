"""One page's connection behind the door: the sealed channel, the updates sent, and the requests received.

A page gets an update only after it has taken the one before: a slow page gets fewer and larger messages, and no queue
grows for it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import suppress
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from quadrille.ai.bots.talk import now
from quadrille.client.phones.requests import BareRequest, Come, Request, read_request
from quadrille.client.phones.sealed import SealedChannel
from quadrille.client.phones.view import Parts, SeatClock, changes, told_part
from quadrille.client.words import phones as words
from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import Bucket, Pace

if TYPE_CHECKING:
    from quadrille.client.phones.seat import PhoneSeat

#: Timeouts in seconds: for the first frames, at the door, and for a page to take an update.
_FIRST: Final = 5
_AT_DOOR: Final = 600
_TAKES: Final = 30
#: The rate limit of a page's requests: ten a second, twenty at once.
_PACE: Final = Pace(20, 100)
#: Maximum bytes of the reason in a WebSocket's close frame (RFC 6455).
_REASON: Final = 120


class Dismissal(Enum):
    """Why a page is dismissed: the close code of the WebSocket, and the sentence."""

    ENDED = 4403, words.ENDED
    LEFT = 4404, words.LEFT
    DONE = 4405, "You have left the table."
    OVER = 4405, words.EVENING_OVER
    SILENT = 4408, words.SILENT
    STRANGE = 4400, words.STRANGE
    CROWDED = 4428, words.CROWDED
    TOO_MANY = 4429, words.TOO_MANY


class Dismissed(Exception):
    """The page is dismissed."""

    def __init__(self, turned: Dismissal) -> None:
        super().__init__(turned.value[1])
        self.turned = turned


class PageConnection:
    """A page that is open."""

    def __init__(self, socket: ServerConnection) -> None:
        self.address = str((socket.remote_address or ("",))[0])
        #: The address of this machine that the page connected to.
        self.host = str((socket.local_address or ("",))[0])
        #: The seat that it shows, once it is behind the door.
        self.place: PhoneSeat | None = None
        #: The parts shown beside the place, on this page only.
        self.beside: Callable[[], Parts] = dict
        self._socket = socket
        self._channel = SealedChannel()
        self._bucket = Bucket(_PACE)
        self._wanted: Parts = {}
        self._shown: Parts = {}
        self._extra: Parts = {}
        self._due = asyncio.Event()
        self._writes: asyncio.Task[None] | None = None
        self._work: asyncio.Task[None] | None = None
        self._end: asyncio.Task[None] | None = None  # a task that nobody holds may be collected

    async def __aenter__(self) -> Self:
        self._writes = asyncio.create_task(self._write())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in (self._writes, self._work):
            if task is not None:
                task.cancel()

    # Sent to the page

    def show(self, parts: Parts) -> None:
        """Send what has changed, as soon as the page takes it."""
        self._wanted = parts | self.beside()
        self._due.set()

    def tell(self, parts: Parts) -> None:
        """Send something that is no state."""
        self._extra |= parts
        self._due.set()

    def refuse(self, sentence: str) -> None:
        """Tell why nothing comes of a touch."""
        self.tell({"told": told_part(sentence, True)})

    def sit(self, place: "PhoneSeat") -> None:
        """Show a place from now on."""
        if place is self.place:
            return
        if self.place is not None:
            self.place.pages.discard(self)
        self.place, self._shown = place, {}
        place.pages.add(self)
        self.show(place.parts())

    def end(self, dismissal: Dismissal, sentence: str = "") -> None:
        """Turn the page away soon."""
        self._end = asyncio.create_task(self.turn_away(dismissal, sentence))

    async def turn_away(self, dismissal: Dismissal, words: str = "") -> None:
        """Close the socket with a reason."""
        code, sentence = dismissal.value
        reason = (words or sentence).encode()[:_REASON].decode("utf-8", "ignore")
        with suppress(ConnectionClosed, TimeoutError):
            await self._socket.close(code, reason)

    async def _write(self) -> None:
        try:
            while True:
                await self._due.wait()
                self._due.clear()
                wanted, extra, self._extra = self._wanted, self._extra, {}
                anew = wanted.get("stage") != self._shown.get("stage")  # of another table nothing may stay on the page
                message = changes(wanted, {} if anew else self._shown) | extra
                if anew:
                    message["anew"] = True
                self._shown = wanted
                if message:
                    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=SeatClock.left_now)
                    async with asyncio.timeout(_TAKES):
                        await self._socket.send(self._channel.sealed(text.encode()))
        except TimeoutError:
            await self.turn_away(Dismissal.SILENT)
        except ConnectionClosed:
            pass

    # Received from the page

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something while the page's requests are answered; it is cancelled when the page goes."""
        self._work = asyncio.create_task(work)

    @property
    def is_busy(self) -> bool:
        """Tell whether what was begun goes on."""
        return self._work is not None and not self._work.done()

    async def meet(self, strong: Iterable[str], weak: Callable[[], Iterable[str]]) -> tuple[str, Come]:
        """Agree on a key; return the page's secret, of the unguessable ones or of the weak ones. A strange page is a
        PeerError.

        `weak` is called only if no strong one fits, because each call counts as a try.
        """
        self._channel.meet(await self._received(_FIRST))
        await self._socket.send(self._channel.public)
        frame = await self._received(_FIRST)
        opened = self._channel.accept(frame, strong) or self._channel.accept(frame, weak())
        if opened is None:
            raise Dismissed(Dismissal.ENDED)
        secret, content = opened
        if not isinstance(come := read_request(content), Come):
            raise PeerError("another request before the first")
        return secret, come

    async def _received(self, seconds: float | None) -> bytes:
        """Wait that long for the next frame."""
        try:
            async with asyncio.timeout(seconds):
                data = await self._socket.recv()
        except TimeoutError:
            raise Dismissed(Dismissal.SILENT) from None
        if not isinstance(data, bytes):
            raise PeerError("a frame of text")
        return data

    async def requests(self) -> AsyncIterator[Request]:
        """Yield the page's requests. A page at the door may be silent only for a while."""
        while True:
            frame = await self._received(_AT_DOOR if self.place is None else None)
            while not self._bucket.take(now()):  # the next one is read only then
                await asyncio.sleep(max(0, self._bucket.due - now()) / 1000)
            if self._end is not None:  # a dismissed page is obeyed no more, whatever it had sent before
                await self._end
                return
            if (request := read_request(self._channel.opened(frame))) is BareRequest.HERE:
                self.tell({"here": 1})
            else:
                yield request
