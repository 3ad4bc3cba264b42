"""Somebody with nothing but telnet: a real connection to loopback, and the screen that comes of it, read from pyte's.

Whatever is waited for is a condition on the screen, never a time; the deadline is for failing tests alone.
"""

import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

import pyte

from tests.client.screen.terminal import KEYS
from tests.waiting import DEADLINE

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
TERMINAL_TYPE, WINDOW = 24, 31


def details(option: int, data: bytes) -> bytes:
    """A subnegotiation."""
    return bytes((IAC, SB, option)) + data.replace(b"\xff", b"\xff\xff") + bytes((IAC, SE))


def window(rows: int, columns: int) -> bytes:
    """The size of a window."""
    return details(WINDOW, columns.to_bytes(2, "big") + rows.to_bytes(2, "big"))


class Caller:
    """A telnet client that answers as Linux' does; a `dumb` one answers nothing, as nc does."""

    def __init__(self, port: int, rows: int = 24, columns: int = 80, *, dumb: bool = False) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), DEADLINE)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.heard = b""  # all letters that came, without the protocol's own
        self.asked: list[tuple[int, int]] = []
        self.ended = False
        self._dumb = dumb
        self._rest = b""

    def send(self, data: bytes) -> None:
        """Bytes as they are."""
        self.line.sendall(data)

    def press(self, *keys: str) -> None:
        """Keys by their names; anything else is typed as it is."""
        self.send("".join("\r\0" if key == "enter" else KEYS.get(key, key) for key in keys).encode())

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, there: Callable[["Caller"], bool]) -> str:
        """Read until it is so."""
        end = time.monotonic() + DEADLINE
        while not there(self):
            self.line.settimeout(max(0.01, end - time.monotonic()))
            try:
                data = self.line.recv(4096)
            except TimeoutError:
                raise AssertionError(f"it did not come:\n{self.text}") from None
            except ConnectionError:
                data = b""
            if not data:
                self.ended = True
                assert there(self), f"the connection has ended:\n{self.text}"
                break
            self._hear(self._rest + data)
        return self.text

    def sees(self, *texts: str) -> str:
        """Wait until all these texts are to be seen."""
        return self.until(lambda one: all(text in one.text for text in texts))

    def no_longer_sees(self, text: str) -> str:
        """Wait until this is gone."""
        return self.until(lambda one: text not in one.text)

    def end(self) -> str:
        """Read to the end of the connection; what stands on the screen then."""
        return self.until(lambda one: one.ended)

    def comes(self, name: str) -> str:
        """Give a name, and go to the seat; gives the code."""
        self.sees("Your name")
        self.press(name, "enter")
        text = self.sees("Its code is", "Enter sits down.")
        found = re.search("^ ([a-z0-9]{4}-[a-z0-9]{4})$", text, re.MULTILINE)
        assert found, text
        self.press("enter")
        return found[1]

    def _hear(self, data: bytes) -> None:
        """Take the protocol out of it, and answer."""
        text, at = bytearray(), 0
        self._rest = b""
        while at < len(data):
            if data[at] != IAC:
                text.append(data[at])
                at += 1
                continue
            size = 6 if data[at + 1 : at + 2] == bytes((SB,)) else 3
            if len(data) - at < size:
                self._rest = data[at:]
                break
            with suppress(ConnectionError):  # the other end has hung up meanwhile
                self._answer(data[at : at + size])
            at += size
        self.heard += bytes(text)
        self.stream.feed(bytes(text))

    def _answer(self, said: bytes) -> None:
        self.asked.append((said[1], said[2]))
        if self._dumb:
            return
        command, option = said[1], said[2]
        if command == SB:
            self.send(details(TERMINAL_TYPE, b"\0XTERM-256COLOR"))
        elif command == DO and option == WINDOW:
            self.send(bytes((IAC, WILL, option)) + window(self.screen.lines, self.screen.columns))
        elif command in (DO, WILL):
            self.send(bytes((IAC, WILL if command == DO else DO, option)))

    def close(self) -> None:
        """Hang up."""
        self.line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
