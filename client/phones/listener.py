"""The listening sockets of the door: one for each address of the chosen interfaces, followed as they change.

Connections above the maximum are cut at once; requests from beyond the address's own network are refused.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.requests import MOST_BYTES
from quadrille.client.phones.sealed import SEAL
from quadrille.client.phones.site import refusal
from quadrille.net.link.interfaces import present, usable

#: Maximum connections of any kind.
MOST_CONNECTIONS: Final = 128
#: Maximum unread frames, maximum unsent bytes; timeouts in seconds for a request's headers and for closing a socket.
_QUEUE: Final = 4
_UNSENT: Final = 32768
_OPENING: Final = 10
_CLOSING: Final = 2
#: Seconds between two reads of the interfaces.
_LOOK_EVERY: Final = 2

#: Answers a request to an address; None lets a WebSocket through.
Answers = Callable[[Request, str], Response | None]


class PhoneListener:
    """All listening sockets at one port."""

    def __init__(
        self,
        options: NetworkOptions,
        port: int,
        answers: Answers,
        receives: Callable[[ServerConnection], Awaitable[None]],
    ) -> None:
        self._options = options
        self._port = port
        self._answers = answers
        self._receives = receives
        self._servers: dict[str, Server] = {}
        self._connections = 0
        self._follows: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start listening, and follow the addresses of this machine."""
        await self.look()
        self._follows = asyncio.create_task(self._follow())

    def close(self) -> None:
        """Accept no more connections; open ones stay."""
        if self._follows is not None:
            self._follows.cancel()
        for server in self._servers.values():
            server.close(close_connections=False)

    async def wait_closed(self) -> None:
        """Wait until the last connection has ended."""
        for server in self._servers.values():
            await server.wait_closed()

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            await self.look()

    async def look(self) -> None:
        """Listen at the present addresses."""
        wanted = {one.address for one in usable(present(), self._options.interfaces)}
        for address in [address for address in self._servers if address not in wanted]:
            self._servers.pop(address).close()
        for address in wanted - set(self._servers):
            with suppress(OSError):  # another program has the port there, or the address is gone
                self._servers[address] = await serve(
                    self._receives,
                    address,
                    self._port,
                    process_request=self._request,
                    create_connection=self._counted(),
                    compression=None,
                    max_size=MOST_BYTES + SEAL,
                    max_queue=_QUEUE,
                    write_limit=_UNSENT,
                    open_timeout=_OPENING,
                    close_timeout=_CLOSING,
                    server_header=None,
                )

    def _counted(self) -> type[ServerConnection]:
        """A connection class that counts, and cuts connections above the maximum."""
        listener = self

        class CountedConnection(ServerConnection):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                listener._connections += 1
                super().connection_made(transport)
                if listener._connections > MOST_CONNECTIONS:
                    self.transport.abort()

            def connection_lost(self, exc: Exception | None) -> None:
                listener._connections -= 1
                super().connection_lost(exc)

        return CountedConnection

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        here, there = connection.local_address, connection.remote_address
        if not here or not there:
            return refusal(403, "Gone already.")
        found = usable(present(), self._options.interfaces)
        if not any(one.address == here[0] and one.admits(there[0]) for one in found):
            return refusal(403, "Guests are let in from the host's local network only.")
        return self._answers(request, here[0])
