"""Lines typed while something else goes on: one thread reads them, another takes them. A terminal whose lines are
edited here has no such thread: what was typed and ended by Enter is read when somebody looks.

The reading thread uses the file descriptor itself: it may be waiting there when the program ends, and must then hold
no lock of Python's own streams.
"""

import codecs
import os
import queue
import select
import threading
from collections import deque
from collections.abc import Callable
from typing import Final, TextIO

#: Maximum unread chunks; above it the writer blocks.
MOST_WAITING: Final = 1000
_PIECE: Final = 4096
#: Maximum seconds for the thread to bring what the system has: unless another program reads the same input.
_SOON: Final = 5.0
#: Ends the input if it was typed while the line was still edited here, and not by the terminal.
_CTRL_D: Final = b"\x04"


class TypedLines:
    """Standard input, line by line; the reading thread calls `wake` whenever something new has come."""

    def __init__(
        self, reader: TextIO | None, wake: Callable[[], None] = lambda: None, *, threaded: bool = True
    ) -> None:
        self._pieces: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._wake = wake
        self._lines: deque[str] = deque()
        self._rest = ""
        self._ended = False
        self._threaded = True
        self._brings = False  # what the thread has read may not be among the pieces yet
        try:
            self._file = reader.fileno() if reader else -1
        except OSError:  # no file at all: there will be no lines
            self._file = -1
        if reader and self._file >= 0:
            self._decoder = codecs.getincrementaldecoder(reader.encoding or "utf-8")("replace")
            self._threaded = threaded
            if threaded:
                threading.Thread(target=self._read, daemon=True).start()
            return
        if reader:
            self._pieces.put(reader.read())
        self._pieces.put(None)

    def _read(self) -> None:
        more = True
        while more:
            self._brings = self._has_input(None)
            more = self._bring()
            self._brings = False
            self._wake()

    def _bring(self) -> bool:
        """Read a piece; return whether another may follow."""
        try:
            piece = os.read(self._file, _PIECE)
        except OSError:
            piece = b""
        end = not piece or (not self._threaded and _CTRL_D in piece)
        self._pieces.put(self._decoder.decode(piece.partition(_CTRL_D)[0] if end else piece, end))
        if end:
            self._pieces.put(None)
        return not end

    def look(self, *, waits: bool = False) -> str | None:
        """Return the next line without taking it; None if there is none (yet), or at the end to one who `waits`."""
        while not self._lines and not self._ended:
            # in this order: what is not in the system any more the thread brings, or has brought
            is_ready = self._has_input(0) or self._brings
            if not self._threaded:
                if not is_ready:
                    break
                self._bring()
            try:
                piece = self._pieces.get(waits or is_ready, None if waits else _SOON)
            except queue.Empty:
                self._brings = False
                break
            self._hear(piece)
        return self._lines[0] if self._lines else None

    def _has_input(self, timeout: float | None) -> bool:
        """Return whether the system has something that the thread has not read yet: it brings that at once."""
        try:
            return self._file >= 0 and bool(select.select([self._file], [], [], timeout)[0])
        except (OSError, ValueError):  # closed, or no socket on Windows
            return False

    def _hear(self, piece: str | None) -> None:
        if piece is not None:
            *whole, self._rest = (self._rest + piece).split("\n")
            self._lines += [line.strip() for line in whole]
        else:
            self._ended = True
            self._lines += filter(None, [self._rest.strip()])

    def take(self) -> None:
        self._lines.popleft()

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was found at any look that is not taken yet, not even the end."""
        return not self._lines and not self._ended

    @property
    def ended(self) -> bool:
        return self.look() is None and self._ended
