"""The door for phones: HTTP for the page, and a WebSocket for each open page. It limits all that a stranger can do.

See listener.py for its sockets, site.py for the page's files, and connection.py for the channel behind the door.
docs/protocols/phones.md has every limit.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from websockets.asyncio.server import ServerConnection

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.connection import Dismissal, Dismissed, PageConnection
from quadrille.client.phones.guest import GuestScreen
from quadrille.client.phones.listener import PhoneListener
from quadrille.client.phones.requests import Come, Here, Sit
from quadrille.client.phones.requests import Request as PageRequest
from quadrille.client.phones.seat import PhoneSeat
from quadrille.client.phones.site import Site
from quadrille.client.phones.view import door_parts
from quadrille.client.presence.consent import HostConsent
from quadrille.client.presence.guest_seats import GuestSeat, GuestSeats, prepared
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.presence.qr import QUIET, matrix
from quadrille.client.screen.app import now
from quadrille.client.screen.network.news import JoinTable, Return
from quadrille.client.words import phones as words
from quadrille.client.words.story import sentence
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home
from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.core.pace import Bucket, Buckets, Pace
from quadrille.net.trust.names import plain_name

#: Maximum pages at the door that have shown an invitation or a code, and of those from one address (all phones of a
#: hotspot share one).
MOST_AT_DOOR: Final = 16
MOST_OF_ONE: Final = 8
#: Wrong codes from one address or network of IPv6: five a minute. From all of them: ten a second. With any
#: number of addresses, a day of guessing finds one of seven codes (28^8, 38 bits) with a chance of 1 in 62,000.
_TRIES: Final = Pace(5, 60_000 // 5)
_TRIES_OF_ALL: Final = Pace(600, 100)
#: Maximum remembered addresses with wrong codes.
_MOST_TRIED: Final = 1024


class PhoneDoor:
    """The phones of one table."""

    def __init__(
        self,
        options: NetworkOptions,
        table: str,
        about: str,
        seats: GuestSeats,
        invitation: PhoneInvitation,
        consent: HostConsent,
    ) -> None:
        self.invitation = invitation
        self.seats = seats
        self._listener = PhoneListener(options.interfaces, invitation.port, Site(invitation.port).answer, self._receive)
        self._home = home(options.home)
        self._guest = GuestScreen(about, table)
        self._consent = consent
        self._tries = Buckets[str](_TRIES, most=_MOST_TRIED)  # by address or network
        self._tries_of_all = Bucket(_TRIES_OF_ALL)
        self._playing: dict[str, PhoneSeat] = {}  # by the code of the seat
        self._onlookers: PhoneSeat | None = None
        self._connections: set[PageConnection] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start listening."""
        await self._listener.open()

    async def close(self) -> None:
        """Stop listening, and leave all seats."""
        self._listener.close()
        phones = [*self._playing.values(), *([self._onlookers] if self._onlookers is not None else [])]
        await asyncio.gather(*(self._leave(phone, Dismissal.LEFT) for phone in phones), *self._tasks)
        await asyncio.gather(*(one.turn_away(Dismissal.LEFT) for one in self._connections))
        await self._listener.wait_closed()

    # Behind the door

    async def _receive(self, socket: ServerConnection) -> None:
        connection = PageConnection(socket)
        self._connections.add(connection)
        try:
            async with connection:
                await self._hear(connection, socket)
        except Dismissed as refused:
            if refused.turned is Dismissal.ENDED:  # only a wrong secret counts as a try
                self._count_try(crowd_of(connection.address))
            await connection.turn_away(refused.turned)
        finally:
            self._connections.discard(connection)
            if connection.phone is not None:
                connection.phone.close(connection)

    async def _hear(self, connection: PageConnection, socket: ServerConnection) -> None:
        """Ask for the secret first: no crowd of strangers keeps a seat's page out."""
        secret, come = await connection.meet(self._strong(), lambda: self._weak(crowd_of(connection.address)))
        self._listener.proved.add(socket)
        if self._tasks:  # a seat that is being left has its station still, and can't have two
            await asyncio.wait(self._tasks)
        if (seat := self._seat_of(secret)) is not None:
            self._open(connection, seat)
        elif come.screen:
            self._show_screen(connection)
        else:
            self._take_place(connection)
            connection.show(self._door())
        async for request in connection.requests():
            if connection.phone is not None:
                connection.phone.obey(connection, request)
            else:
                self._at_door(connection, request)

    def _take_place(self, connection: PageConnection) -> None:
        waiting = [one.address for one in self._connections if one.is_at_door and one.phone is None]
        if len(waiting) >= MOST_AT_DOOR or waiting.count(connection.address) >= MOST_OF_ONE:
            raise Dismissed(Dismissal.CROWDED)
        connection.is_at_door = True

    def _strong(self) -> Iterator[str]:
        """The secrets that nobody can guess."""
        yield self.invitation.secret
        for seat in self.seats.seats:
            yield seat.token

    def _count_try(self, crowd: str) -> None:
        self._tries.take(crowd, now())
        self._tries_of_all.take(now())

    def _weak(self, crowd: str) -> list[str]:
        """The codes that people type; none after too many tries."""
        if not (self._tries_of_all.has(now()) and self._tries.of(crowd).has(now())):
            raise Dismissed(Dismissal.TOO_MANY)
        return [self.invitation.code, *(seat.code for seat in self.seats.seats)]

    def _seat_of(self, secret: str) -> GuestSeat | None:
        return next((seat for seat in self.seats.seats if secret in (seat.token, seat.code)), None)

    def _at_door(self, connection: PageConnection, request: PageRequest) -> None:
        """A page without a seat sits down, or watches."""
        match request:
            case Here():
                connection.tell({"here": 1})
            case _ if connection.is_busy:
                pass  # the host is being asked
            case Come(screen=True):
                self._show_screen(connection)
            case Sit(name):
                connection.begin(self._sit(connection, name.strip()))

    def _door(self, told: str = "") -> dict[str, Any]:
        return door_parts(self._guest.about, self.seats.free, told)

    async def _sit(self, connection: PageConnection, name: str) -> None:
        try:
            self.seats.check(name)
            if self._consent.asks:
                connection.show(self._door(words.ASKED))
            if not await self._consent.ask(plain_name(name), connection.address):
                raise LocalError(words.REFUSED)
            self._open(connection, self.seats.give(name))
        except LocalError as error:
            connection.show(self._door(sentence(str(error))))

    def _open(self, connection: PageConnection, seat: GuestSeat) -> None:
        """Show a seat, and send the secrets by which the page comes back."""
        connection.sit(self._station(seat))
        connection.tell({"seat": {"token": seat.token, "code": seat.code, "name": seat.name}})

    def _station(self, seat: GuestSeat) -> PhoneSeat:
        """Return the station of a seat, started if there is none."""
        if (playing := self._playing.get(seat.code)) is not None:
            return playing
        first = Return(seat.table) if seat.table else JoinTable(self._guest.wanted)
        phone = PhoneSeat(self.seats.options(seat), self._guest, first, self._ended)
        self._playing[seat.code] = phone
        phone.start()
        return phone

    def _show_screen(self, connection: PageConnection) -> None:
        """Show a large screen the table, and the invitation while a seat is free."""
        connection.beside = lambda: {"qr": self._invites(connection.host) if self.seats.free else None}
        connection.sit(self._look_on())

    def _invites(self, host: str) -> dict[str, Any]:
        rows = [row[QUIET:-QUIET] for row in matrix(self.invitation.link(host))[QUIET:-QUIET]]
        return {"rows": rows, "address": f"{host}:{self.invitation.port}", "code": self.invitation.code}

    def _look_on(self) -> PhoneSeat:
        """The station that watches for all large screens."""
        if self._onlookers is None:
            folder, _ = prepared(self._home)
            options = self.seats.watching(folder)
            self._onlookers = PhoneSeat(options, self._guest, None, self._ended, is_screen=True)
            self._onlookers.start()
        return self._onlookers

    def _ended(self, phone: PhoneSeat) -> None:
        """A table was left: tell its pages; the seat may be free again."""
        task = asyncio.create_task(self._leave(phone, Dismissal.DONE))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _leave(self, phone: PhoneSeat, why: Dismissal) -> None:
        if phone.over.is_set():
            return
        phone.over.set()
        await phone.end()
        code = next((code for code, one in self._playing.items() if one is phone), "")
        if self._onlookers is phone:
            self._onlookers = None
        if (seat := self._seat_of(code)) is not None and code:
            await self.seats.leave(seat)
        self._playing.pop(code, None)  # only now: two stations can't have one identity
        said = "" if why is Dismissal.LEFT else " ".join(phone.said)
        for page in list(phone.pages):
            if isinstance(page, PageConnection):
                await page.turn_away(why, said)
