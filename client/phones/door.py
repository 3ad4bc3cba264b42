"""The door for phones: HTTP for the page, and a WebSocket for each open page. It limits all that a stranger can do.

See listener.py for its sockets, site.py for the page's files, connection.py for the channel behind the door, and
evening.py for the guests. docs/protocols/phones.md has every limit.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from quadrille.ai.bots.talk import now
from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.connection import Dismissal, Dismissed, PageConnection
from quadrille.client.phones.evening import PhoneEvening
from quadrille.client.phones.guests import MOST_GUESTS, Guests, Visitor
from quadrille.client.phones.listener import PhoneListener
from quadrille.client.phones.requests import Come, Request, Sit
from quadrille.client.phones.site import Site
from quadrille.client.presence.invitation import QUIET, PhoneInvitation, matrix
from quadrille.client.words import phones as words
from quadrille.client.words.story import sentence
from quadrille.net.core.errors import PeerError
from quadrille.net.core.home import home
from quadrille.net.core.ip_addresses import subnet_of
from quadrille.net.core.limits import Bucket, Buckets, Pace

#: Maximum pages at the door that have shown an invitation or a code, and of those from one address (all phones of a
#: hotspot share one).
MOST_AT_DOOR: Final = 16
MOST_OF_ONE: Final = 8
#: Wrong codes from one address or network of IPv6: five a minute. From all of them: ten a second. With any
#: number of addresses, a day of guessing finds one of 41 codes (28^8, 38 bits) with a chance of 1 in 10,000.
_TRIES: Final = Pace(5, 60_000 // 5)
_TRIES_OF_ALL: Final = Pace(600, 100)
#: Maximum remembered addresses with wrong codes.
_MOST_TRIED: Final = 1024


class PhoneDoor:
    """The way of phones to an evening. `guests` are in the host's other thread: they are called, and call back."""

    def __init__(self, options: NetworkOptions, guests: Guests) -> None:
        self.evening = PhoneEvening(guests, options.isolate)
        self._guests = guests
        self.listener = PhoneListener(options.interfaces, Site(home(options.home)).answer, self._receive)
        self._tries = Buckets[str](_TRIES, most=_MOST_TRIED)  # by address or network
        self._tries_of_all = Bucket(_TRIES_OF_ALL)
        self._connections: set[PageConnection] = set()
        self._is_met = asyncio.Event()

    async def close(self, staying: Sequence[str]) -> None:
        """Stop listening. The `staying` guests come back when the host resumes; for the others the evening is over."""
        self.listener.close()
        self.evening.close()
        farewells = []
        for page in self._connections:
            seat = self.evening.pages.get(page)
            stays = seat is None or (seat.name in staying if seat.guest is not None else staying)
            farewells.append(page.turn_away(Dismissal.LEFT if stays else Dismissal.OVER))
        await asyncio.gather(*farewells)
        await self.listener.wait_closed()

    def meet(self, invitation: PhoneInvitation, guests: Sequence[Visitor]) -> None:
        """Know the secrets that open: those of the invitation, and those of these guests."""
        self.invitation = invitation
        self.evening.meet(guests)
        self._is_met.set()

    # Behind the door

    async def _receive(self, socket: ServerConnection) -> None:
        connection = PageConnection(socket)
        self._connections.add(connection)
        try:
            async with connection:
                await self._hear(connection, socket)
        except Dismissed as refused:
            if refused.turned is Dismissal.ENDED:  # only a wrong secret counts as a try
                self._tries.take(subnet_of(connection.address), now())
                self._tries_of_all.take(now())
            await connection.turn_away(refused.turned)
        except PeerError:
            await connection.turn_away(Dismissal.STRANGE)
        except (OSError, ConnectionClosed):
            pass  # a phone that went in the middle of something
        except Exception as error:  # noqa: BLE001 - a fault in serving one page costs that page alone
            self._guests.call(self._guests.failed, error)
        finally:
            self._connections.discard(connection)
            self.evening.exit(connection)

    async def _hear(self, connection: PageConnection, socket: ServerConnection) -> None:
        """Ask for the secret first: no crowd of strangers keeps a seat's page out."""
        await self._is_met.wait()  # phones dial again as soon as a program that was killed listens again
        secret, come = await connection.meet(self._strong(), lambda: self._weak(subnet_of(connection.address)))
        self.listener.proved(socket)
        connection.beside = lambda: self.evening.beside(connection)
        guest = next((known for known in self._known if secret in (known.token, known.code)), None)
        if guest is not None:
            self._open(connection, guest)
        elif come.screen:
            self._show_screen(connection)
        else:
            self._take_place(connection)
        async for request in connection.requests():
            if connection.place is not None:
                self.evening.obey(connection, request)
            else:
                self._at_door(connection, request)

    def _take_place(self, connection: PageConnection) -> None:
        waiting = [page.address for page, seat in self.evening.pages.items() if seat is None]
        if len(waiting) >= MOST_AT_DOOR or waiting.count(connection.address) >= MOST_OF_ONE:
            raise Dismissed(Dismissal.CROWDED)
        self.evening.pages[connection] = None
        connection.show(self.evening.door())

    @property
    def _known(self) -> list[Visitor]:
        return [seat.guest for seat in self.evening.seats.values() if seat.guest is not None]

    def _strong(self) -> Iterator[str]:
        """Yield the secrets that nobody can guess."""
        yield self.invitation.secret
        yield from (guest.token for guest in self._known)

    def _weak(self, crowd: str) -> list[str]:
        """Return the codes that people type; refuse a crowd after too many tries."""
        if not (self._tries_of_all.has(now()) and self._tries.of(crowd).has(now())):
            raise Dismissed(Dismissal.TOO_MANY)
        return [self.invitation.code, *(guest.code for guest in self._known[-MOST_GUESTS:])]

    def _at_door(self, connection: PageConnection, request: Request) -> None:
        """Let a page without a seat sit down, or watch."""
        match request:
            case _ if connection.is_busy:
                pass  # the host is being asked
            case Come(screen=True):
                self._show_screen(connection)
            case Sit(name, token):
                connection.begin(self._sit(connection, name.strip(), token))
            case _:
                connection.refuse(words.NAME_FIRST)

    async def _sit(self, connection: PageConnection, name: str, token: str) -> None:
        """Ask the host for a seat, perhaps after a question to the person; a page that goes withdraws its request."""
        loop: Any = asyncio.get_running_loop()
        answer = asyncio.Future[Visitor | str]()
        hear = partial(loop.call_soon_threadsafe, lambda told: None if answer.done() else answer.set_result(told))
        if self._guests.asks:
            connection.show(self.evening.door(words.ASKED))
        self._guests.call(self._guests.sits, name, connection.address, hear, token)
        try:
            visitor = await answer
        except asyncio.CancelledError:
            self._guests.call(self._guests.asks_no_longer, hear)
            raise
        if isinstance(visitor, str):
            connection.show(self.evening.door(sentence(visitor)))
        else:
            self._open(connection, visitor)

    def _open(self, connection: PageConnection, guest: Visitor) -> None:
        """Show a guest the evening, and send the secrets by which the page comes back."""
        self.evening.enter(connection, guest.name)
        connection.tell({"seat": {"token": guest.token, "code": guest.code, "name": guest.name}})

    def _show_screen(self, connection: PageConnection) -> None:
        """Show a large screen the table, and always the invitation: who comes late watches until the next game."""
        host = connection.host
        rows = [row[QUIET:-QUIET] for row in matrix(self.invitation.link(host))[QUIET:-QUIET]]
        qr = {"rows": rows, "address": f"{host}:{self.invitation.port}", "code": self.invitation.code}
        connection.beside = lambda: self.evening.beside(connection) | {"qr": qr}
        self.evening.enter(connection, "")


T = TypeVar("T")
#: Seconds for the end of the last connections.
_PATIENCE: Final = 10


class Pages:
    """The door and its thread."""

    def __init__(self, options: NetworkOptions, guests: Guests) -> None:
        self.door = PhoneDoor(options, guests)
        self.evening = self.door.evening
        self._guests = guests
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._caught)
        self._ends = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="pages", daemon=True)

    def open(self, ports: Sequence[int]) -> int:
        """Listen at the first free one of these ports, and return it; an OSError says why there is none."""
        self._thread.start()
        try:
            return self._within(self.door.listener.open(ports))
        except OSError:
            self._end()
            raise

    def _within(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for work in the thread."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result(_PATIENCE)

    def call(self, deed: Callable[..., None], *words: Any, **more: Any) -> None:
        """Have the thread do something soon."""
        self._loop.call_soon_threadsafe(lambda: deed(*words, **more))

    def close(self, staying: Sequence[str]) -> None:
        """Close the door, and end the thread."""
        try:
            with suppress(TimeoutError):  # a phone that is out of reach keeps nobody here
                self._within(self.door.close(staying))
        finally:
            self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._ends.set)
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        await self._ends.wait()
        self.door.listener.cut_off()

    def _caught(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(error := context.get("exception"), Exception) and not isinstance(error, OSError):
            self._guests.call(self._guests.failed, error)  # a connection that breaks is no fault
