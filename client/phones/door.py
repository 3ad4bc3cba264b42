"""The door for phones: HTTP for the page, and a WebSocket for each open page. It limits all that a stranger can do.

See listener.py for its sockets, site.py for the page's files, connection.py for the channel behind the door, and
evening.py for the guests.
docs/protocols/phones.md has every limit.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from websockets.asyncio.server import ServerConnection

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.connection import Dismissal, Dismissed, PageConnection
from quadrille.client.phones.evening import PhoneEvening
from quadrille.client.phones.listener import PhoneListener
from quadrille.client.phones.requests import Come, Here, Request, Sit
from quadrille.client.phones.site import Site
from quadrille.client.phones.view import door_parts
from quadrille.client.presence.consent import HostConsent
from quadrille.client.presence.guest_seats import INVITATION, MOST_GUESTS, GuestSeat, GuestSeats, Lead
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.presence.qr import QUIET, matrix
from quadrille.client.screen.app import now
from quadrille.client.words import phones as words
from quadrille.client.words.story import sentence
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home
from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.core.limits import Bucket, Buckets, Pace

#: Maximum pages at the door that have shown an invitation or a code, and of those from one address (all phones of a
#: hotspot share one).
MOST_AT_DOOR: Final = 16
MOST_OF_ONE: Final = 8
#: The usual ports; the first free port is taken.
_PORTS: Final = range(4080, 4090)
#: Wrong codes from one address or network of IPv6: five a minute. From all of them: ten a second. With any
#: number of addresses, a day of guessing finds one of 41 codes (28^8, 38 bits) with a chance of 1 in 10,000.
_TRIES: Final = Pace(5, 60_000 // 5)
_TRIES_OF_ALL: Final = Pace(600, 100)
#: Maximum remembered addresses with wrong codes.
_MOST_TRIED: Final = 1024


class PhoneDoor:
    """The way of phones to an evening."""

    def __init__(self, options: NetworkOptions, seats: GuestSeats, say: Callable[[str], None]) -> None:
        """`say` tells the host a line."""
        self.seats = seats
        self.evening = PhoneEvening(seats, say)
        self._say = say
        self._listener = PhoneListener(options.interfaces, lambda *asked: self._site.answer(*asked), self._receive)
        self._wanted = options.phone_port
        self._home = home(options.home)
        self._consent = HostConsent(say)
        self._tries = Buckets[str](_TRIES, most=_MOST_TRIED)  # by address or network
        self._tries_of_all = Bucket(_TRIES_OF_ALL)
        self._connections: set[PageConnection] = set()
        self._is_over = False  # the host has ended the evening

    async def open(self) -> None:
        """Start listening, if possible at the port of an evening that was cut off, and tell the host the invitation."""
        file = self.seats.folder / INVITATION
        before = PhoneInvitation.kept(file)
        if self._wanted:
            ports = [self._wanted]
        else:
            ports = [*([before.port] if before else []), *_PORTS, 0]
        try:
            port = await self._listener.open(ports)
        except OSError as error:
            why = f"port {ports[-1]} can't be used ({error.strerror or error})"
            raise LocalError(f"{why}: name another one with --phone-port") from None
        self.invitation = PhoneInvitation.new(port) if before is None else replace(before, port=port)
        self.invitation.keep(file)
        self._site = Site(port, self._home)
        self._say(json.dumps({"open": self.invitation.to_json(), "before": before.port if before else port}))

    async def close(self) -> None:
        """Stop listening, and leave all seats."""
        self._listener.close()
        await self.evening.close(over=self._is_over)
        await asyncio.gather(*(one.turn_away(Dismissal.LEFT) for one in self._connections))
        await self._listener.wait_closed()

    def hear(self, line: bytes) -> None:
        """Do what the host says; anything else is nothing."""
        with suppress(ValueError, TypeError, KeyError):
            match json.loads(line):
                case {"lead": dict(told)}:
                    lead = Lead.of(told)
                    self._consent.follow(asks=lead.asks)
                    self.evening.go_to(lead)
                case {"evening": dict(parts)}:
                    self.evening.shown = {"evening": parts}
                case {"answer": int(number), "yes": bool(yes)}:
                    self._consent.hear(number, yes=yes)
                case {"over": True}:
                    self._is_over = True
            for each in self._connections:
                self._refresh(each)

    def _refresh(self, page: PageConnection) -> None:
        if page.place is not None:
            page.refresh()
        elif page.is_at_door and not page.is_busy:
            page.show(self._door())

    # Behind the door

    async def _receive(self, socket: ServerConnection) -> None:
        connection = PageConnection(socket)
        self._connections.add(connection)
        try:
            async with connection:
                await self._hear(connection, socket)
        except Dismissed as refused:
            if refused.turned is Dismissal.ENDED:  # only a wrong secret counts as a try
                self._tries.take(crowd_of(connection.address), now())
                self._tries_of_all.take(now())
            await connection.turn_away(refused.turned)
        finally:
            self._connections.discard(connection)
            self.evening.exit(connection)

    async def _hear(self, connection: PageConnection, socket: ServerConnection) -> None:
        """Ask for the secret first: no crowd of strangers keeps a seat's page out."""
        secret, come = await connection.meet(self._strong(), lambda: self._weak(crowd_of(connection.address)))
        self._listener.proved(socket)
        connection.beside = lambda: self.evening.beside(connection)
        if (seat := self._seat_of(secret)) is not None:
            self._open(connection, seat)
        elif come.screen:
            self._show_screen(connection)
        else:
            self._take_place(connection)
            connection.show(self._door())
        async for request in connection.requests():
            if connection.place is not None:
                self.evening.obey(connection, request)
            else:
                self._at_door(connection, request)

    def _take_place(self, connection: PageConnection) -> None:
        waiting = [one.address for one in self._connections if one.is_at_door and one.place is None]
        if len(waiting) >= MOST_AT_DOOR or waiting.count(connection.address) >= MOST_OF_ONE:
            raise Dismissed(Dismissal.CROWDED)
        connection.is_at_door = True

    def _strong(self) -> Iterator[str]:
        """Yield the secrets that nobody can guess."""
        yield self.invitation.secret
        yield from (seat.token for seat in self.seats.seats)

    def _weak(self, crowd: str) -> list[str]:
        """Return the codes that people type; refuse a crowd after too many tries."""
        if not (self._tries_of_all.has(now()) and self._tries.of(crowd).has(now())):
            raise Dismissed(Dismissal.TOO_MANY)
        return [self.invitation.code, *(seat.code for seat in self.seats.seats[-MOST_GUESTS:])]

    def _seat_of(self, secret: str) -> GuestSeat | None:
        return next((seat for seat in self.seats.seats if secret in (seat.token, seat.code)), None)

    def _at_door(self, connection: PageConnection, request: Request) -> None:
        """Let a page without a seat sit down, or watch."""
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
        lead = self.evening.lead
        return door_parts(lead.about, lead.free, told, key=lead.game)

    async def _sit(self, connection: PageConnection, name: str) -> None:
        try:
            called = self.seats.check(name)
            if self._consent.asks:
                connection.show(self._door(words.ASKED))
            if not await self._consent.ask(called, connection.address):
                raise LocalError(words.REFUSED)
            self._open(connection, self.evening.sit(name))
        except LocalError as error:
            connection.show(self._door(sentence(str(error))))

    def _open(self, connection: PageConnection, seat: GuestSeat) -> None:
        """Show a guest the evening, and send the secrets by which the page comes back."""
        self.evening.enter(connection, seat)
        connection.tell({"seat": {"token": seat.token, "code": seat.code, "name": seat.name}})

    def _show_screen(self, connection: PageConnection) -> None:
        """Show a large screen the table, and the invitation while nobody plays or a seat is free."""

        def beside() -> dict[str, Any]:
            lead = self.evening.lead
            invites = lead.free or not lead.table
            return self.evening.beside(connection) | {"qr": self._invites(connection.host) if invites else None}

        connection.beside = beside
        self.evening.enter(connection, None)

    def _invites(self, host: str) -> dict[str, Any]:
        rows = [row[QUIET:-QUIET] for row in matrix(self.invitation.link(host))[QUIET:-QUIET]]
        return {"rows": rows, "address": f"{host}:{self.invitation.port}", "code": self.invitation.code}
