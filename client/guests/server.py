"""The server of guests: one listening socket, the present guests, and their maximum number.

The I/O of this package. This module and its imports limit everything that a stranger can do. See
presence/guest_seats.py for the owners of seats.
"""

import asyncio
from typing import Final

from quadrille.client.guests.screen import GuestScreen
from quadrille.client.guests.session import CLOSED, GuestSession, hang_up
from quadrille.client.network.addresses import is_neighbour
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.consent import HostConsent
from quadrille.client.presence.guest_seats import GuestSeat, GuestSeats
from quadrille.client.screen.table import terminal
from quadrille.client.words.phones import NEIGHBOURS_ONLY
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.names import plain_name

#: Maximum guests at the door at once, and maximum of those from one address.
MOST_AT_DOOR: Final = 16
MOST_OF_ONE: Final = 4
_BACKLOG: Final = 16
_BUFFER: Final = 4096


class GuestServer:
    """The guests of one table."""

    def __init__(
        self, options: NetworkOptions, table: str, about: str, seats: GuestSeats, consent: HostConsent
    ) -> None:
        self.visits: set[GuestSession] = set()
        self._options = options
        self._guest = GuestScreen(about, table)
        self._seats = seats
        self._consent = consent
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, port: int) -> None:
        """Start to listen on a port."""
        self._server = await asyncio.start_server(self._come, "0.0.0.0", port, limit=_BUFFER, backlog=_BACKLOG)  # noqa: S104, see `_objection`

    async def close(self) -> None:
        """Stop listening, and dismiss all guests."""
        assert self._server is not None
        self._server.close()
        for visit in self.visits:
            visit.end(CLOSED)
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._receive(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if why := self._objection(writer):
            await hang_up(writer, why)
            return
        visit = GuestSession(reader, writer, self._guest, self._seats, self._seat)
        self.visits.add(visit)
        try:
            await visit.run()
        finally:
            try:
                if visit.seat is not None:
                    visit.seat.gives_way = None
                    await self._seats.leave(visit.seat)
            finally:
                self.visits.discard(visit)
                visit.gone.set()
                await visit.farewell()

    def _objection(self, writer: asyncio.StreamWriter) -> str:
        """Say why a connection is refused; "" if it is not."""
        here, there = writer.get_extra_info("sockname"), writer.get_extra_info("peername")
        if not here or not there:
            return "Gone already."
        waiting = [visit.address for visit in self.visits if visit.is_at_door]
        if len(waiting) >= MOST_AT_DOOR or waiting.count(there[0]) >= MOST_OF_ONE:
            return "Too many stand at the door: try again in a minute."
        if not is_neighbour(self._options.interfaces, here[0], there[0]):
            return NEIGHBOURS_ONLY
        return ""

    async def _seat(self, visit: GuestSession, text: str) -> GuestSeat:
        """The seat with that code, taken from a connection that may be dead; or a new one for that name."""
        seat = self._seats.of_code(text)
        if seat is None:
            if self._seats.free:
                await self._ask_host(visit, text)
            seat = self._seats.give(text)
        if seat.gives_way is not None:
            await seat.gives_way("You have come again from elsewhere.")
        if seat not in self._seats.seats:
            raise LocalError(
                "That seat was given up, since no game was left in the middle. Give a name to sit down afresh"
            )

        async def give_way(why: str) -> None:
            visit.end(why)
            await visit.gone.wait()

        seat.gives_way = give_way
        return seat

    async def _ask_host(self, visit: GuestSession, name: str) -> None:
        """Wait for the host's yes, if it wants to be asked."""
        if self._consent.asks:
            visit.shell.tell(terminal.Told("The host is asked whether you may sit down. Ctrl-Q leaves."))
        if not await self._consent.ask(plain_name(name), visit.address):
            raise LocalError("The host does not let you sit down")
