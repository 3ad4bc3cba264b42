"""The listening sockets of the door: one for each address of the chosen interfaces, followed as they change.

Connections above the maximum are cut at once; requests from beyond the address's own network are refused.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from quadrille.client.network.addresses import ListeningSockets
from quadrille.client.phones.requests import MOST_BYTES
from quadrille.client.phones.sealed import SEAL
from quadrille.client.phones.site import refusal
from quadrille.client.words.phones import NEIGHBOURS_ONLY

#: Maximum connections of any kind.
MOST_CONNECTIONS: Final = 128
#: Maximum unread frames, maximum unsent bytes; timeouts in seconds for a request's headers and for closing a socket.
_QUEUE: Final = 4
_UNSENT: Final = 32768
_OPENING: Final = 10
_CLOSING: Final = 2

#: Answers a request to an address; None lets a WebSocket through.
Answers = Callable[[Request, str], Response | None]


class PhoneListener:
    """All listening sockets at one port."""

    def __init__(
        self,
        interfaces: Sequence[str] | None,
        port: int,
        answers: Answers,
        receives: Callable[[ServerConnection], Awaitable[None]],
        *,
        most: int | None = None,
        closing: float = _CLOSING,
        stranger: str = NEIGHBOURS_ONLY,
    ) -> None:
        """`most`: maximum connections; `closing`: seconds for closing one; `stranger`: the sentence for outsiders."""
        self._port = port
        self._answers = answers
        self._receives = receives
        self._sockets = ListeningSockets(interfaces, self._serve, Server.close)
        self._most = MOST_CONNECTIONS if most is None else most
        self._closing = closing
        self._stranger = stranger
        self._connections = 0

    async def open(self) -> None:
        """Start listening, and follow the addresses of this machine."""
        await self._sockets.open()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses at which it listens."""
        return tuple(self._sockets.servers)

    async def look(self) -> None:
        """Listen at the present addresses."""
        await self._sockets.look()

    def close(self) -> None:
        """Accept no more connections; open ones stay."""
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
            close_timeout=self._closing,
            server_header=None,
        )

    def _counted(self) -> type[ServerConnection]:
        """A connection class that counts, and cuts connections above the maximum."""
        listener = self

        class CountedConnection(ServerConnection):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                listener._connections += 1
                super().connection_made(transport)
                if listener._connections > listener._most:
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
            return refusal(403, self._stranger)
        return self._answers(request, here[0])
