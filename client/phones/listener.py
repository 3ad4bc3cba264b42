"""The listening sockets of the door: one for each address of the chosen interfaces, followed as they change.

A connection that is one too many is cut at once; requests from beyond the address's own network are refused.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from quadrille.client.network.addresses import ListeningSockets
from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.requests import MOST_BYTES
from quadrille.client.phones.sealed import SEAL
from quadrille.client.phones.site import refusal

#: Maximum connections, whatever passes on them.
MOST_CONNECTIONS: Final = 128
#: Frames that wait unread, bytes that wait unsent, and seconds for a request's headers and for the end of a socket.
_QUEUE: Final = 4
_UNSENT: Final = 32768
_OPENING: Final = 10
_CLOSING: Final = 2

#: Answers a request that came to an address; None lets a WebSocket through.
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
        self._port = port
        self._answers = answers
        self._receives = receives
        self._sockets = ListeningSockets(options.interfaces, self._serve, Server.close)
        self._connections = 0

    async def open(self) -> None:
        """Start to listen, and follow the addresses of this machine."""
        await self._sockets.open()

    async def look(self) -> None:
        """Listen where the machine is now."""
        await self._sockets.look()

    def close(self) -> None:
        """Take no more connections; those that are there stay."""
        self._sockets.stop_following()
        for server in self._sockets.servers.values():
            server.close(close_connections=False)

    async def wait_closed(self) -> None:
        """Wait until the last connection has ended."""
        for server in self._sockets.servers.values():
            await server.wait_closed()

    async def _serve(self, address: str) -> Server:
        return await serve(
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
        """A kind of connections that are counted, and cut where there are too many."""
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
        if not self._sockets.admit(here[0], there[0]):
            return refusal(403, "Guests are let in from the host's local network only.")
        return self._answers(request, here[0])
