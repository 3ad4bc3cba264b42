"""A phone comes to its host's door while neighbours flood that door, each from an address of its own.

    bash tests/net/lan.sh 7 python -m tests.client.phones.lan_flood FOLDER NEIGHBOURS

The first machine has the door, the second one the phone, the others the neighbours. Each of them keeps as many sockets
open as one address may have, and opens another one whenever one is closed: so many of them at most, and until the phone
has come.
"""

import asyncio
import sys
from contextlib import ExitStack
from pathlib import Path

from websockets.exceptions import WebSocketException

from tests.client.phones import doors
from tests.client.phones.doors import http_at, phone_door
from tests.client.phones.page_client import PageClient
from tests.net.hosts import at
from tests.programs import Program

DOOR, SOCKETS, MOST, VISITS = "10.77.0.1", 256, 20_000, 3
UPGRADE = "\r\n".join((
    "GET /table HTTP/1.1", f"Host: {DOOR}:{{0}}", f"Origin: http://{DOOR}:{{0}}", "Upgrade: websocket",
    "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
))  # fmt: skip


async def door(folder: Path) -> None:
    doors.HOST = DOOR
    async with phone_door(folder, free=VISITS) as here:
        print(here.invitation.port, here.invitation.secret, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def flood(port: int) -> None:
    left = MOST

    async def one() -> None:
        nonlocal left
        while (left := left - 1) > 0:
            try:
                reader, writer = await asyncio.open_connection(DOOR, port)
                writer.write(UPGRADE.format(port).encode())
                while await reader.read(1 << 12):
                    pass
                writer.close()
            except OSError:
                pass
            if left == MOST - 2 * SOCKETS:
                print("filled", flush=True)

    await asyncio.wait(
        [asyncio.create_task(asyncio.to_thread(sys.stdin.read)), *(asyncio.create_task(one()) for _ in range(SOCKETS))],
        return_when=asyncio.FIRST_COMPLETED,
    )
    print("opened", MOST - left, flush=True)


async def visit(port: int, secret: str) -> None:
    """Open the page, and come to the door by the invitation, so many times."""
    for _ in range(VISITS):
        try:
            assert "200 OK" in await http_at(port, f"GET / HTTP/1.1\r\nHost: {DOOR}:{port}\r\n\r\n", DOOR)
            async with PageClient(DOOR, port, secret) as page:
                await page.until(lambda parts: parts.get("stage") == "door")
            print("in", flush=True)
        except (OSError, EOFError, WebSocketException, AssertionError) as error:
            print("out", repr(error), flush=True)


def on(host: int, *words: object) -> Program:
    module = [sys.executable, "-m", "tests.client.phones.lan_flood"]
    return Program(*at(f"h{host}"), *module, *map(str, words))


def main(folder: Path, neighbours: int) -> None:
    with ExitStack() as stack:
        door = stack.enter_context(on(1, "door", folder))
        port, secret = door.wait(r"^(\d+) (\S+)$").groups()
        crowd = [stack.enter_context(on(3 + number, "flood", port)) for number in range(neighbours)]
        for eve in crowd:
            eve.wait("filled")
        ben = stack.enter_context(on(2, "visit", port, secret))
        for _ in range(VISITS):
            assert ben.wait("^(in|out .*)$")[1] == "in", ben.text
        for eve in crowd:
            eve.close_input()
            eve.wait("opened")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["door", folder]:
            asyncio.run(door(Path(folder)))
        case ["flood", port]:
            asyncio.run(flood(int(port)))
        case ["visit", port, secret]:
            asyncio.run(visit(int(port), secret))
        case [folder, neighbours]:
            main(Path(folder), int(neighbours))
