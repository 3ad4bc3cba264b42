"""Lines over the pipes of a program: non-blocking writes, and reads as they come, both bounded.

program.py owns the process; the meaning of lines is unknown here.
"""

import os
import queue
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import IO, Final

from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import LONGEST_LINE

if sys.platform != "win32":
    import fcntl
    import termios

#: Maximum bytes that wait for a program that does not read.
MOST_UNREAD: Final = 2 << 20
#: Bytes read or written at once.
PIECE: Final = 1 << 16
#: Maximum unread pieces; above it the program blocks.
_PIECES: Final = 32
#: Maximum seconds for the end of a thread, and from the end of a program's output to the report of how it ended. Busy
#: machines are slow, and whether somebody else ended a program decides whether its game is lost.
LAST_WORDS: Final = 1.0
#: Seconds between two polls.
_LOOK: Final = 0.01


class LineWriter:
    """Writes lines at once, or by a thread while the program does not read."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._pipe = stream.fileno()
        self._unsent = bytearray()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._thread: threading.Thread | None = None
        self._closed = False
        if sys.platform != "win32":
            os.set_blocking(self._pipe, False)

    def send(self, line: bytes) -> None:
        """Write a line, now or as soon as the program reads; a program that reads nothing for long stalls."""
        with self._lock:  # a condition would take three times as long
            if self._closed:
                return
            if sys.platform != "win32" and not self._unsent:  # otherwise the thread is at work
                if (written := self._written(line)) == len(line):
                    return
                line = line[written:]
            self._unsent += line
            if len(self._unsent) > MOST_UNREAD:
                raise BotFault("stall", "does not read its input")
            if self._unsent and self._thread is None:
                self._thread = threading.Thread(target=self._write, daemon=True)
                self._thread.start()
            self._changed.notify()

    def unread(self) -> int | None:
        """Count the bytes that the program has not read; None if nobody can read them any more."""
        with self._lock:
            count = len(self._unsent)
            if sys.platform != "win32" and not self._stream.closed:
                poll = select.poll()
                poll.register(self._pipe, 0)  # POLLERR comes unasked once the other end is closed
                if poll.poll(0):
                    return None
                count += int.from_bytes(fcntl.ioctl(self._pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
            return count

    def _written(self, piece: bytes) -> int:
        """Write without waiting; return the number of bytes. The reader notices the end of the program."""
        try:
            return os.write(self._pipe, piece)
        except BlockingIOError:
            return 0
        except OSError:
            return len(piece)

    def _write(self) -> None:
        """Write what was not written at once, in a thread that waits for the program to read."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._unsent or self._closed)
                if self._closed:
                    return
                piece = bytes(self._unsent[:PIECE])
            if sys.platform != "win32":
                ready(self._pipe, select.POLLOUT, 0.1)
            written = self._written(piece)
            with self._changed:
                del self._unsent[:written]

    def close(self) -> None:
        """Stop writing; close the pipe unless the thread hangs in it."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            join(self._thread)
        if self._thread is None or not self._thread.is_alive():
            self._stream.close()


class LineReader:
    """Reads lines while they are awaited, which is faster; or in a thread that calls `wake` for new ones."""

    def __init__(
        self, stream: IO[bytes], how_it_ended: Callable[[str], BotFault], wake: Callable[[], None] | None
    ) -> None:
        """`how_it_ended` is called at the end of the output; its argument is an incomplete last line."""
        self._stream = stream
        self._pipe = stream.fileno()
        self._how_it_ended = how_it_ended
        self._wake = wake
        self._lines: deque[bytes] = deque()
        self._pieces: queue.SimpleQueue[list[bytes] | BotFault] = queue.SimpleQueue()
        self._room = threading.Semaphore(_PIECES)
        self._rest = b""
        self._closed = False
        self._thread: threading.Thread | None = None
        #: The fault for the end of the output, once all lines before it were read.
        self.end: BotFault | None = None
        if sys.platform != "win32" and wake is None:
            self._poll = select.poll()
            self._poll.register(self._pipe, select.POLLIN)
        else:
            self._thread = threading.Thread(target=self._read, daemon=True)
            self._thread.start()

    def line(self, timeout: float | None = 0) -> bytes | None:
        """Return the next line, without its end; None after `timeout` seconds (None: wait forever).

        If a program has ended, or its output is no line, a `BotFault` follows the lines before that.
        """
        end = time.monotonic() + timeout if timeout else None
        while not self._lines:
            if self.end is not None:
                raise self.end
            if self._thread is not None:
                line = self._from_thread(timeout)
            elif not self._poll.poll(None if timeout is None else 1000 * timeout):
                return None
            elif not (piece := piece_of(self._pipe)):
                line = self._ended()
            elif not self._rest and piece.find(b"\n") == len(piece) - 1:  # one line, as nearly always
                return piece[:-1]
            else:
                line = self._cut(piece)
            if line is None:
                return None
            if isinstance(line, BotFault):
                self.end = line
            elif line:
                self._lines += line
            elif end is not None:
                timeout = max(0.0, end - time.monotonic())
        return self._lines.popleft()

    def _from_thread(self, timeout: float | None) -> list[bytes] | BotFault | None:
        """Take the lines from the reading thread."""
        try:
            lines = self._pieces.get(timeout != 0, timeout)
        except queue.Empty:
            return None
        if not isinstance(lines, BotFault):
            self._room.release()
        return lines

    def _read(self) -> None:
        """Read pieces of output, in a thread, and pass on their lines."""
        with self._stream:
            while piece := piece_of(self._pipe):
                if (lines := self._cut(piece)) == []:
                    continue
                self._tell(lines)
                if isinstance(lines, BotFault):
                    return
        self._tell(self._ended())

    def _ended(self) -> BotFault:
        return self._how_it_ended(", in the middle of a line" if self._rest else "")

    def _cut(self, piece: bytes) -> list[bytes] | BotFault:
        """Return the lines that a piece of output completes; a fault if a line is too long."""
        *lines, self._rest = (self._rest + piece).split(b"\n") if b"\n" in piece else [self._rest + piece]
        if len(self._rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            return BotFault("protocol", f"wrote a line of more than {LONGEST_LINE} bytes")
        return lines

    def _tell(self, lines: list[bytes] | BotFault) -> None:
        """Pass lines on when there is room; after closing they are dropped."""
        if isinstance(lines, list):
            self._room.acquire()
            if self._closed:
                self._room.release()
                return
        self._pieces.put(lines)
        if self._wake is not None:
            self._wake()

    @property
    def half(self) -> bytes:
        """The incomplete last line so far."""
        return self._rest

    def stop(self) -> None:
        """Stop reading. A thread that waits for room goes on to the end of the output."""
        self._closed = True
        self._room.release()

    def await_end(self, grace: float) -> None:
        """Wait at most `grace` seconds for the end of the output, which is dropped."""
        if self._thread is not None:
            self._thread.join(grace)
            return
        end = time.monotonic() + grace
        while self.end is None and self._poll.poll(1000 * max(0.0, end - time.monotonic())):
            if not piece_of(self._pipe):
                return

    def close(self) -> bool:
        """Close the pipe; return whether it is closed, and no thread hangs in it."""
        if self._thread is None:
            self._stream.close()
            return True
        join(self._thread)
        return not self._thread.is_alive()


def ready(pipe: int, event: int, timeout: float) -> bool:
    """POSIX: return whether a pipe is readable or writable within that many seconds."""
    assert sys.platform != "win32"
    poll = select.poll()  # `select.select` fails for files above 1023, and a tournament has many
    poll.register(pipe, event)
    return bool(poll.poll(1000 * timeout))


def within(seconds: float, is_so: Callable[[], bool], wait: Callable[[float], object] = time.sleep) -> bool:
    """Return whether the condition becomes true within that many seconds of polling; `wait` may return early.

    The timeout counts polls: while the machine sleeps nobody polls, so no program is penalised.
    """
    for _ in range(round(seconds / _LOOK)):
        if is_so():
            return True
        wait(_LOOK)
    return is_so()


def join(thread: threading.Thread) -> None:
    """Wait for the end of a thread, but not for ever: processes left behind by a program may hold its pipe."""
    within(LAST_WORDS, lambda: not thread.is_alive(), thread.join)


def piece_of(pipe: int) -> bytes:
    """Read the next piece of output; empty at its end."""
    try:
        return os.read(pipe, PIECE)
    except OSError:
        return b""
