"""The host's consent to each guest, in the program that serves guests: questions go out, answers come in.

Both are lines of JSON, by the standard output and input of that program; presence/guest_door.py is at the other end.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Final

#: Maximum bytes of an answer.
_MOST_BYTES: Final = 256


class HostConsent:
    """The questions that the host has not answered. Unless the host `asks`, everybody may sit down."""

    def __init__(self, *, asks: bool, write: Callable[[str], None] | None = None) -> None:
        self.asks = asks
        self._write = write or _say
        self._numbers = count(1)
        self._open: dict[int, asyncio.Future[bool]] = {}

    async def ask(self, name: str, address: str) -> bool:
        """Return whether the host lets a guest of that name sit down. Cancelled, it takes the question back."""
        if not self.asks:
            return True
        number = next(self._numbers)
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._open[number] = answer
        self._write(json.dumps({"ask": number, "name": name, "from": address}))
        try:
            return await answer
        except asyncio.CancelledError:
            self._write(json.dumps({"gone": number}))
            raise
        finally:
            del self._open[number]

    def hear(self, line: bytes) -> None:
        """Take an answer of the host; anything else is nothing."""
        with suppress(ValueError):
            match json.loads(line):
                case {"answer": int(number), "yes": bool(yes)} if number in self._open:
                    if not self._open[number].done():
                        self._open[number].set_result(yes)

    def listen(self, loop: asyncio.AbstractEventLoop, ended: asyncio.Event, descriptor: int = 0) -> None:
        """Read the host's lines until they end, which sets `ended`. For a thread of its own."""
        rest = b""
        with suppress(RuntimeError):  # a signal has closed the loop already
            while piece := os.read(descriptor, 4096):
                *lines, rest = (rest + piece).split(b"\n")
                rest = rest[-_MOST_BYTES:]
                for line in lines:
                    loop.call_soon_threadsafe(self.hear, line)
            loop.call_soon_threadsafe(ended.set)


def _say(line: str) -> None:
    with suppress(OSError):  # the host has ended, and so does this program
        print(line, file=sys.stdout, flush=True)
