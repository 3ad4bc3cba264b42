"""Outlets: sockets in files, which a bot's box shows if the bot's command names them (ai/bots/process/isolation.py).

One leads to a host and a port, and nowhere else: the box has no other network. What goes through is not read; a TLS
connection is encrypted at both ends.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.isolation import OUTLET, is_shared
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

_PIECE: Final = 1 << 16
#: Maximum bytes of a line.
_LINE: Final = 2 << 20


def free_outlet(name: str) -> Path:
    """Return the path of an outlet that can be opened here: none is open there, and no box shows its folder."""
    path = Path(name).expanduser()
    if path.suffix != OUTLET:
        raise RulesError(f"the name of an outlet ends in {OUTLET}, unlike {quoted(name)}")
    if not hasattr(socket, "AF_UNIX"):
        raise RulesError("an outlet is for the boxes of bots, and this system has none")
    if not is_shared(str(path.parent)):
        raise RulesError(f"a box may show the folder of {quoted(name)}: open the outlet in your home, as ~/{path.name}")
    with socket.socket(socket.AF_UNIX) as line:
        if line.connect_ex(str(path)) == 0:
            raise RulesError(f"the outlet {quoted(name)} is open already")
    return path


@asynccontextmanager
async def listening(
    path: Path, taken: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
) -> AsyncIterator[None]:
    """Open an outlet for this user alone; its file goes when it is closed."""

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(asyncio.CancelledError):
                await taken(reader, writer)
        finally:
            writer.close()

    before = os.umask(0o177)
    try:
        server = await asyncio.start_unix_server(served, path, limit=_LINE)
    finally:
        os.umask(before)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def lead(path: Path, host: str, port: int) -> None:
    """Connect every caller of an outlet to a host, until this is cancelled."""

    async def taken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(host, port)
            with suppress(OSError):
                await asyncio.gather(_carry(reader, back), _carry(there, writer))
            back.close()
        except (OSError, UnicodeError) as error:  # the latter of a name that no host can have
            print(f"{host}:{port} can't be reached: {error}", flush=True)

    async with listening(path, taken):
        print(f"The outlet to {host}:{port} is open: {path.absolute()}", flush=True)
        await asyncio.Event().wait()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(_PIECE):
        writer.write(piece)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
