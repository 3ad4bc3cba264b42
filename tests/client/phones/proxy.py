"""What lies between a phone and its host: a SOCKS proxy that cuts, swallows and delays what passes."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

_CHUNK: Final = 65536


class Line:
    """One connection through the proxy; a deaf one is open, and nothing passes any more."""

    def __init__(self, page: asyncio.StreamWriter, door: asyncio.StreamWriter) -> None:
        self.page = page
        self.door = door
        self.deaf = False

    def cut(self) -> None:
        """End it; what was sent to the door gets there, and nothing comes back."""
        self.page.transport.abort()
        self.door.close()


class Proxy:
    """A proxy with a thread of its own; its words are for the test's thread."""

    def __init__(self) -> None:
        self.port = 0
        #: How many connections there have been, and seconds by which all is late.
        self.opened = 0
        self.delay = 0.0
        #: What a page has to send for its line to be cut, and whether the door still gets that.
        self.cuts: Callable[[bytes], bool] | None = None
        self.passes = True
        self._lines: set[Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    def start(self) -> None:
        """Start to listen."""
        self._thread.start()
        assert self._ready.wait(60)

    def stop(self) -> None:
        """End all."""
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        """Cut all lines."""
        self._loop.call_soon_threadsafe(self._cut)

    def swallow(self) -> None:
        """From now on nothing passes on the lines that are open, and nobody is told."""
        self._loop.call_soon_threadsafe(self._swallow)

    def _cut(self) -> None:
        for line in list(self._lines):
            line.cut()

    def _swallow(self) -> None:
        for line in self._lines:
            line.deaf = True

    async def _run(self) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopped.wait()
        # asyncio drops a connection that it has taken, unclosed, if its server closes in the same moment.
        self._loop.remove_reader(server.sockets[0].fileno())
        for _ in range(3):
            await asyncio.sleep(0)
        server.close()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            for _ in range(3):  # sockets are closed by calls that are still queued
                await asyncio.sleep(0)

    def _accept(self, reader: asyncio.StreamReader, page: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._serve(reader, page))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(
            lambda _: page.transport.abort()
        )  # one that was cancelled before it began closes nothing

    async def _serve(self, reader: asyncio.StreamReader, page: asyncio.StreamWriter) -> None:
        async with _closed(page):
            _, methods = await reader.readexactly(2)
            await reader.readexactly(methods)
            page.write(b"\5\0")
            *_, kind = await reader.readexactly(4)
            size = 4 if kind == 1 else (await reader.readexactly(1))[0]
            host, port = await reader.readexactly(size), int.from_bytes(await reader.readexactly(2), "big")
            if host not in (b"\x7f\0\0\1", b"127.0.0.1"):  # a browser calls home
                return
            answers, door = await asyncio.open_connection("127.0.0.1", port)
            async with _closed(door):
                page.write(b"\5\0\0\1" + bytes(6))
                line = Line(page, door)
                self._lines.add(line)
                self.opened += 1
                await asyncio.gather(self._pass(line, reader, door), self._pass(line, answers, page))
                self._lines.discard(line)
                await asyncio.sleep(self.delay)  # what is still under way

    async def _pass(self, line: Line, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                cuts = writer is line.door and self.cuts is not None and self.cuts(chunk)
                if line.deaf or (cuts and not self.passes):
                    chunk = b""
                if chunk and not writer.is_closing():
                    self._loop.call_later(self.delay, writer.write, chunk)
                if cuts:
                    self.cuts = None
                    self._loop.call_later(self.delay, line.cut)
        self._loop.call_later(self.delay, writer.close)


@asynccontextmanager
async def _closed(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Close a connection at the end, however it ends, and wait until its socket is gone."""
    with suppress(OSError, EOFError):
        try:
            yield
        except BaseException:
            writer.transport.abort()
            raise
        finally:
            writer.close()
            await writer.wait_closed()


@contextmanager
def proxied() -> Iterator[Proxy]:
    """A proxy that runs."""
    proxy = Proxy()
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()
