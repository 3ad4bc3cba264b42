"""The listening sockets of the door: one for each address of the chosen interfaces, followed as they change.

net/core/doorkeeper.py says which connections stay open; requests from beyond the address's own network are refused.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from quadrille.ai.bots.talk import now
from quadrille.client.phones.requests import MOST_BYTES
from quadrille.client.phones.sealed import SEAL
from quadrille.client.phones.site import refusal
from quadrille.client.words.phones import NEIGHBOURS_ONLY
from quadrille.net.core.doorkeeper import FIRST_WORDS, Doorkeeper
from quadrille.net.link.file_limit import raise_file_limit
from quadrille.net.link.interfaces import usable_ipv4

#: Maximum connections of any kind.
MOST_CONNECTIONS: Final = 512
#: Maximum unread frames, maximum unsent bytes; timeout in seconds for closing a socket.
_QUEUE: Final = 4
_UNSENT: Final = 32768
_CLOSING: Final = 2
#: Seconds between looks at the interfaces.
_LOOK_EVERY: Final = 2

#: The library logs each handshake of a stranger that fails: such a line would spoil the host's screen.
_SILENT: Final = logging.getLogger("quadrille.pages")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False

#: Answers a request to an address with its port, now or after a while; None lets a WebSocket through.
Answers = Callable[[Request, str], Response | Awaitable[Response | None] | None]


class PhoneListener:
    """All listening sockets at one port."""

    def __init__(
        self,
        interfaces: Sequence[str] | None,
        answers: Answers,
        receives: Callable[[ServerConnection], Awaitable[None]],
        *,
        closing: float = _CLOSING,
        stranger: str = NEIGHBOURS_ONLY,
    ) -> None:
        """Prepare the sockets: `closing` is in seconds, and `stranger` is the sentence for outsiders."""
        self._port = 0
        self._is_closed = False
        self._answers = answers
        self._receives = receives
        self._interfaces = interfaces
        self._servers: dict[str, Server] = {}
        self._follows: asyncio.Task[None] | None = None
        self._closing = closing
        self._stranger = stranger
        self._proved: set[ServerConnection] = set()
        self._doors: Doorkeeper[ServerConnection] = Doorkeeper(
            MOST_CONNECTIONS, lambda connection, _: connection.transport.abort(), proved=lambda: self._proved
        )

    async def open(self, ports: Sequence[int]) -> int:
        """Listen at the first of these ports that is free at all addresses of this machine, and follow the addresses;
        return the port. 0 is any one. An OSError says why the last one can't be used.
        """
        raise_file_limit(MOST_CONNECTIONS + 256)
        for self._port in ports[:-1]:
            with suppress(OSError):
                return await self._open()
        self._port = ports[-1]
        return await self._open()

    async def _open(self) -> int:
        try:
            for address in sorted(self._wanted()):  # in this order, so that of two programs one gets all of them
                self._servers[address] = await self._serve(address)
        except OSError:
            while self._servers:
                self._servers.popitem()[1].close()
            raise
        self._follows = asyncio.create_task(self._follow())
        return self._port

    async def look(self) -> None:
        """Listen where the machine is now."""
        wanted = self._wanted()
        for address in [address for address in self._servers if address not in wanted]:
            self._servers.pop(address).close()
        for address in wanted - set(self._servers):
            with suppress(OSError):  # another program has the port there, or the address has gone again
                self._servers[address] = await self._serve(address)

    def _wanted(self) -> set[str]:
        return {interface.address for interface in usable_ipv4(self._interfaces)}

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            await self.look()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses at which it listens."""
        return tuple(self._servers)

    def proved(self, connection: ServerConnection) -> None:
        """Note that a connection has proved something, and keeps its place."""
        self._proved.add(connection)
        self._doors.spoke(connection)

    def close(self) -> None:
        """Accept no more connections; open ones stay."""
        self._is_closed = True
        if self._follows is not None:
            self._follows.cancel()
        for server in self._servers.values():
            server.close(close_connections=False)

    async def wait_closed(self) -> None:
        """Wait until the last connection has ended."""
        for server in self._servers.values():
            await server.wait_closed()

    def cut_off(self) -> None:
        """Close all connections without a farewell."""
        for connection in tuple(self._doors):
            connection.transport.abort()

    async def _serve(self, address: str) -> Server:
        server = await serve(
            self._receives,
            address,
            self._port,
            process_request=self._request,
            create_connection=self._guarded(),
            compression=None,
            max_size=MOST_BYTES + SEAL,
            max_queue=_QUEUE,
            write_limit=_UNSENT,
            open_timeout=FIRST_WORDS / 1000,
            close_timeout=self._closing,
            server_header=None,
            logger=_SILENT,
        )
        self._port = next(iter(server.sockets)).getsockname()[1]
        return server

    def _guarded(self) -> type[ServerConnection]:
        """Return a class of connections that report to the doorkeeper."""
        listener = self

        class GuardedConnection(ServerConnection):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                address = str((transport.get_extra_info("peername") or ("",))[0])
                # The library waits for no connection that is accepted already and made only after the end.
                if not listener._is_closed and listener._doors.admit(self, address, now()) is None:
                    return super().connection_made(transport)
                transport.set_protocol(asyncio.Protocol())  # nothing is begun, and nothing has to end
                return cast("asyncio.Transport", transport).abort()

            def connection_lost(self, exc: Exception | None) -> None:
                listener._doors.left(self)
                listener._proved.discard(self)
                super().connection_lost(exc)

        return GuardedConnection

    def _request(self, connection: ServerConnection, request: Request) -> Response | Awaitable[Response | None] | None:
        here, there = connection.local_address, connection.remote_address
        if not here or not there:
            return refusal(403, "Gone already.")
        around = usable_ipv4(self._interfaces)
        is_near = any(interface.address == here[0] and interface.admits(there[0]) for interface in around)
        answer = self._answers(request, f"{here[0]}:{here[1]}") if is_near else refusal(403, self._stranger)
        if answer is not None:  # a socket's first words are its secret
            self._doors.spoke(connection)
        return answer
