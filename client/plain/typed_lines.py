"""Lines that are typed while the network goes on: a thread reads them, one other thread takes them.

The thread reads the file descriptor itself: it may be waiting there when the program ends, and must not hold a lock of
Python's own streams then.
"""

import codecs
import os
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Final, TextIO

#: How many pieces wait at most before the one who types has to.
MOST_WAITING: Final = 1000
_PIECE: Final = 4096


class TypedLines:
    """Standard input, line by line; `wake` is called from the reading thread whenever there is something new."""

    def __init__(self, reader: TextIO | None, wake: Callable[[], None]) -> None:
        self._pieces: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._wake = wake
        self._lines: deque[str] = deque()
        self._rest = ""
        self._ended = False
        try:
            self._file = reader.fileno() if reader else -1
        except OSError:  # no file at all: all its lines are there already
            self._file = -1
        if reader and self._file >= 0:
            self._decoder = codecs.getincrementaldecoder(reader.encoding or "utf-8")("replace")
            threading.Thread(target=self._read, daemon=True).start()
            return
        if reader:
            self._pieces.put(reader.read())
        self._pieces.put(None)

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._file, _PIECE)
            except OSError:
                piece = b""
            self._pieces.put(self._decoder.decode(piece, not piece))
            if not piece:
                self._pieces.put(None)
            self._wake()
            if not piece:
                return

    def look(self) -> str | None:
        """The next line, which stays; None when there is none (yet)."""
        while not self._lines and not self._ended:
            try:
                piece = self._pieces.get_nowait()
            except queue.Empty:
                break
            self._hear(piece)
        return self._lines[0] if self._lines else None

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
    def ended(self) -> bool:
        """Whether all lines have been taken and no other will come."""
        return self.look() is None and self._ended
