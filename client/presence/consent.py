"""The words between a host's program and the program that serves its guests: lines of JSON by the latter's standard
input and output.

The host says where it leads its guests (`Lead` in guest_seats.py). The other program tells who is here, and asks the
host about each guest if the host wants it. presence/guest_door.py is the host's end.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count

from quadrille.client.presence.guest_seats import LONGEST_LINE


class HostConsent:
    """The questions that the host has not answered. Unless the host `asks`, everybody may sit down."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self.asks = False
        self._write = write
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

    def follow(self, *, asks: bool) -> None:
        """Ask the host from now on, or let everybody sit down, also those who wait for an answer."""
        self.asks = asks
        for number in () if asks else tuple(self._open):
            self._write(json.dumps({"gone": number}))
            self.hear(number, yes=True)

    def hear(self, number: int, *, yes: bool) -> None:
        """Take an answer of the host."""
        if number in self._open and not self._open[number].done():
            self._open[number].set_result(yes)


def listen(
    hear: Callable[[bytes], None], loop: asyncio.AbstractEventLoop, ended: asyncio.Event, descriptor: int = 0
) -> None:
    """Pass the host's lines on until they end, which sets `ended`. For a thread of its own."""
    rest = b""
    with suppress(RuntimeError):  # a signal has closed the loop already
        while piece := os.read(descriptor, 4096):
            *lines, rest = (rest + piece).split(b"\n")
            rest = rest[-LONGEST_LINE:]
            for line in lines:
                loop.call_soon_threadsafe(hear, line)
        loop.call_soon_threadsafe(ended.set)


def say(line: str) -> None:
    """Say a line to the host."""
    with suppress(OSError):  # the host has ended, and so does this program
        print(line, file=sys.stdout, flush=True)
