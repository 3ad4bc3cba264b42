"""What seats on phones cost, and how long a person waits: touches, moves, waking up, memory, and a door under attack.

    python -m tests.bench.phone [--seats N] [--screens N] [--moves N]

One host, N phones with seats, N large screens, all on loopback; a page is what phone.js is, without a browser. The aims
of the design: a touch is on one's own board within 50 ms and a move on another phone within 200 ms (19 of 20), a move
costs at most 1 KiB, the right board is there within 2 s of waking; the host's program takes at most 150 MiB and 1,000
descriptors for 7 seats and 43 screens, and 15 % of a core while nobody moves; under attack the host's move is on a
phone within 100 ms. Needs /proc.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from tests.bench.tournament import worked
from tests.client.phones.page_client import PageClient
from tests.client.programs import Program
from tests.net.ports import tcp_port, udp_port

HOST: Final = "127.0.0.1"
#: Seconds of quiet in which the idle program is measured, and silent connections of an attack (more than an address may
#: have).
_QUIET: Final = 4.0
_SILENT: Final = 300


def memory(process: int) -> float:
    """A process's own memory in MiB: what others share is counted in parts."""
    rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return int(next(row for row in rows if row.startswith("Pss:")).split()[1]) / 1024


def late(times: Sequence[float]) -> float:
    """The time that 19 of 20 keep, in milliseconds."""
    return sorted(times)[int(len(times) * 0.95)] * 1000 if times else 0.0


class Table:
    """A table of phones at play."""

    def __init__(self, host: Program, port: int, code: str, pages: list[PageClient]) -> None:
        self.host, self.port, self.code, self.pages = host, port, code, pages
        self.touches: list[float] = []
        self.moves: list[float] = []
        self.of_host: list[float] = []

    async def move(self) -> None:
        """The next move, by a phone or by the host."""
        at = max(page.parts["at"] for page in self.pages)
        for page in self.pages:
            await page.until(lambda parts: parts["at"] >= at)
        words = self.pages[0].parts["words_of"]
        free = next(place[0] for place in self.pages[0].parts["board"]["places"] if place[0] not in words)
        mover = next((page for page in self.pages if page.parts["head"]["mine"]), None)
        begun = time.perf_counter()
        if mover is None:
            self.host.enter(free)
        else:
            await mover.ask("pick", place=free)
            await mover.until(lambda parts: parts["draft"]["stage"] == "legal")
            self.touches.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            await mover.ask("play", at=at, line=free)
        watcher = next(page for page in self.pages if page is not mover)
        await watcher.until(lambda parts: parts["at"] > at)
        (self.of_host if mover is None else self.moves).append(time.perf_counter() - begun)
        for page in self.pages:
            await page.until(lambda parts: parts["at"] > at)


async def hear_all(screen: PageClient) -> None:
    while True:
        await screen.hear()


async def junk(port: int, ends: asyncio.Event) -> None:
    """One attacker: connections that say nothing, again and again, senseless requests, sockets opened and dropped."""
    silent = [await asyncio.open_connection(HOST, port) for _ in range(_SILENT)]
    try:
        while not ends.is_set():
            silent.pop(0)[1].close()
            silent.append(await asyncio.open_connection(HOST, port))
            try:
                reader, writer = await asyncio.open_connection(HOST, port)
                try:
                    writer.write(b"GET /" + os.urandom(400).hex().encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
                    await asyncio.wait_for(reader.read(), 0.2)
                finally:
                    writer.close()
            except (OSError, TimeoutError):
                await asyncio.sleep(0)
    finally:
        for _, writer in silent:
            writer.close()


async def measured(seats: int, screens: int, moves: int) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        port, phones = udp_port(), tcp_port()
        ports = ("--phone-port", str(phones))
        game = ("barons", "--seats", str(seats + 1), "--no-lot")
        with Program("host", *game, "--guests", str(seats), *ports, home=Path(home), port=port, name="Ann") as host:
            code = (await asyncio.to_thread(host.wait, r"with the code ([\w-]+)"))[1]
            async with AsyncExitStack() as stack:
                while True:
                    try:
                        page = PageClient(HOST, phones, code)
                        await stack.enter_async_context(page)
                        break
                    except OSError:
                        await asyncio.sleep(0.05)
                pages = [page]
                begun = time.perf_counter()
                for number in range(seats):
                    if number:
                        pages.append(await stack.enter_async_context(PageClient(HOST, phones, code)))
                    await pages[-1].ask("sit", name=f"Guest {number + 1}")
                    await pages[-1].until(lambda _, page=pages[-1]: page.seat)
                for page in pages:
                    await page.until(lambda parts: parts.get("stage") == "table")
                seated = time.perf_counter() - begun
                large = [PageClient(HOST, phones, code, screen=True) for _ in range(screens)]
                listening = [await stack.enter_async_context(screen) for screen in large]
                tasks = [asyncio.create_task(hear_all(screen)) for screen in listening]
                table, program = Table(host, phones, code, pages), host.process.pid
                for page in pages:
                    page.sizes.clear()
                for _ in range(moves):
                    await table.move()
                sizes = sorted(size for page in pages for size in page.sizes if size > 40)
                used = worked(program)
                await asyncio.sleep(_QUIET)
                idle = (worked(program) - used) / 1e6 / _QUIET
                figures = {
                    "seats": seats, "screens": screens, "all seated s": seated,
                    "touch to own board p95 ms": late(table.touches),
                    "move to another phone p95 ms": late(table.moves),
                    "message median bytes": sizes[len(sizes) // 2],
                    "memory MiB": memory(program), "descriptors": len(os.listdir(f"/proc/{program}/fd")),
                    "idle % of a core": 100 * idle,
                    "wake s": await waking(table, stack), "host's move p95 ms, calm": late(table.of_host),
                }  # fmt: skip
                table.of_host.clear()
                ends = asyncio.Event()
                attack = asyncio.create_task(junk(phones, ends))
                for _ in range(moves):
                    await table.move()
                ends.set()
                figures["host's move p95 ms, attacked"] = late(table.of_host)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(attack, *tasks, return_exceptions=True)
                return figures


async def waking(table: Table, stack: AsyncExitStack) -> float:
    """A phone was cut off while others moved; how long until it shows the right board."""
    sleeper = table.pages.pop()
    await sleeper.socket.close()
    at = table.pages[0].parts["at"]
    begun = time.perf_counter()
    again = await stack.enter_async_context(PageClient(HOST, table.port, sleeper.seat["token"]))
    await again.until(lambda parts: parts.get("at", -1) >= at)
    found = time.perf_counter() - begun
    table.pages.append(again)
    return found


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.phone")
    parser.add_argument("--seats", type=int, default=7)
    parser.add_argument("--screens", type=int, default=43)
    parser.add_argument("--moves", type=int, default=40)
    given = parser.parse_args(words)
    for name, figure in asyncio.run(measured(given.seats, given.screens, given.moves)).items():
        print(f"{name:32} {figure:10.2f}" if isinstance(figure, float) else f"{name:32} {figure:10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
