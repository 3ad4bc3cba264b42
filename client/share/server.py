"""The files of a parcel over HTTP, for the local network alone, and only while this runs.

It speaks as little of HTTP as pip's kind needs: GET and HEAD of paths that are keys of a table, one request for each
connection. No path is decoded or joined to a folder, so none leads out of the table. The server of the standard library
has a thread for each connection and no deadline for a request that trickles in; that of websockets cuts a slow
connection within seconds and has all of a file in memory.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final

from quadrille.client.network.addresses import ListeningSockets
from quadrille.client.share.parcel import SharedFile
from quadrille.client.value import value

#: Maximum connections at a time, and of one address.
MOST_CONNECTIONS: Final = 64
MOST_OF_ONE: Final = 8
#: Maximum bytes of a request, and the seconds within which it must be there.
_MOST_BYTES: Final = 8192
PATIENCE: Final = 10
#: Bytes of a piece of a file, and the seconds within which somebody must take it.
_CHUNK: Final = 1 << 16
_TAKES: Final = 20
_END: Final = b"\r\n\r\n"
_TYPES: Final = {".py": "text/plain; charset=utf-8", ".whl": "application/octet-stream"}

#: Callback for each file that was sent whole: the other's address, and the file's name.
Sent = Callable[[str, str], None]


@value
class FileReply:
    """The answer to a request: a file, or a line that says why not. `is_short` leaves out what follows the headers."""

    status: HTTPStatus
    file: SharedFile | None = None
    line: str = ""
    is_short: bool = False

    @property
    def head(self) -> bytes:
        kind = _TYPES.get(Path(self.file.name).suffix, "") if self.file else "text/plain; charset=utf-8"
        size = self.file.size if self.file else len(self.line.encode())
        more = "Allow: GET, HEAD\r\n" if self.status is HTTPStatus.METHOD_NOT_ALLOWED else ""
        return (
            f"HTTP/1.1 {self.status.value} {self.status.phrase}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
            f"X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n{more}\r\n"
        ).encode()

    def body(self) -> Iterator[bytes]:
        """Yield what follows the headers, in pieces."""
        if self.is_short:
            return
        match self.file.data if self.file else self.line.encode():
            case bytes(data):
                yield from (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
            case Path() as path:
                left = self.file.size if self.file else 0
                with path.open("rb") as file:
                    while left and (piece := file.read(min(left, _CHUNK))):
                        left -= len(piece)
                        yield piece


def answer(request: bytes, host: str, files: Mapping[str, SharedFile]) -> FileReply:
    """Answer the head of a request that came to HOST:PORT."""
    first, *lines = request.removesuffix(_END).split(b"\r\n")
    method, _, rest = first.partition(b" ")
    target, _, version = rest.partition(b" ")
    if version not in (b"HTTP/1.0", b"HTTP/1.1"):
        return FileReply(HTTPStatus.BAD_REQUEST, line="This is no request of HTTP/1.1.\n")
    if method not in (b"GET", b"HEAD"):
        return FileReply(HTTPStatus.METHOD_NOT_ALLOWED, line="Files are read here, and nothing else.\n")
    named = [line.partition(b":")[2].strip() for line in lines if line.lower().startswith(b"host:")]
    is_short = method == b"HEAD"
    if named not in ([host.encode()], [host.removesuffix(":80").encode()]):  # no name leads here (DNS rebinding)
        return FileReply(
            HTTPStatus.FORBIDDEN, line=f"Use the address http://{host}/ and no other.\n", is_short=is_short
        )
    found = files.get(target.decode("latin-1"))
    if found is None:
        return FileReply(HTTPStatus.NOT_FOUND, line="This file is not shared.\n", is_short=is_short)
    return FileReply(HTTPStatus.OK, found, is_short=is_short)


class ShareServer:
    """The server at one port of the chosen interfaces."""

    def __init__(
        self, files: Mapping[str, SharedFile], interfaces: tuple[str, ...] | None, port: int, sent: Sent
    ) -> None:
        self._files = files
        self._port = port
        self._sent = sent
        self._sockets = ListeningSockets(interfaces, self._serve, asyncio.Server.close)
        self._open: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> tuple[str, ...]:
        """Start to listen; return the addresses."""
        await self._sockets.open()
        return tuple(self._sockets.servers)

    async def close(self) -> None:
        """Stop at once, whoever is still fetching."""
        self._sockets.stop_following()
        for server in self._sockets.servers.values():
            server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, address: str) -> asyncio.Server:
        return await asyncio.start_server(self._connected, address, self._port, limit=_MOST_BYTES)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here, there = (writer.get_extra_info(name, ("", 0))[0] for name in ("sockname", "peername"))
        if self._open.total() >= MOST_CONNECTIONS or self._open[there] >= MOST_OF_ONE:
            writer.transport.abort()
            return
        self._open[there] += 1
        task = asyncio.get_running_loop().create_task(self._speak(reader, writer, here, there))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._over(done, there))

    def _over(self, task: asyncio.Task[None], there: str) -> None:
        self._tasks.discard(task)
        self._open[there] -= 1
        if not self._open[there]:
            del self._open[there]

    async def _speak(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, here: str, there: str) -> None:
        """Read a request and answer it; whoever is too slow or goes away is cut off."""
        try:
            async with asyncio.timeout(PATIENCE):
                request = await reader.readuntil(_END)
            reply = FileReply(HTTPStatus.FORBIDDEN, line="Only neighbours on this network may fetch anything here.\n")
            if here and there and self._sockets.admit(here, there):
                reply = answer(request, f"{here}:{self._port}", self._files)
            writer.write(reply.head)
            for piece in reply.body():
                writer.write(piece)
                async with asyncio.timeout(_TAKES):
                    await writer.drain()
            writer.close()
            async with asyncio.timeout(_TAKES):
                await writer.wait_closed()
            if reply.file is not None and not reply.is_short:
                self._sent(there, reply.file.name)
        except (TimeoutError, asyncio.CancelledError, asyncio.LimitOverrunError):
            writer.transport.abort()
        except (OSError, asyncio.IncompleteReadError):
            writer.close()  # somebody has gone
