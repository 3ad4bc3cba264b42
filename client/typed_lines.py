"""Lines that are typed while the network goes on: a thread reads them, one other thread takes them.

The thread reads the file descriptor itself: it may be waiting there when the program ends, and must not hold a lock of
Python's own streams then.
"""

import codecs
import os
import queue
import threading
from collections.abc import Callable
from typing import Final, TextIO

#: How many lines wait at most before the one who types has to.
MOST_WAITING: Final = 1000
_PIECE: Final = 4096


class TypedLines:
    """Standard input, line by line; `wake` is called from the reading thread whenever there is something new."""

    def __init__(self, reader: TextIO | None, wake: Callable[[], None]) -> None:
        self._queue: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._wake = wake
        self._next: str | None = None
        self._ended = False
        try:
            self._file = reader.fileno() if reader else -1
        except OSError:  # no file at all: all its lines are there already
            self._file = -1
        if reader and self._file >= 0:
            coding = reader.encoding or "utf-8"
            self._decoder = codecs.getincrementaldecoder(coding)("replace")
            threading.Thread(target=self._read, daemon=True).start()
            return
        for line in reader.read().splitlines()[: MOST_WAITING - 1] if reader else ():
            self._queue.put(line)
        self._queue.put(None)

    def _read(self) -> None:
        rest = ""
        while True:
            try:
                piece = os.read(self._file, _PIECE)
            except OSError:
                piece = b""
            *lines, rest = (rest + self._decoder.decode(piece, not piece)).split("\n")
            for line in lines if piece else [*lines, *filter(None, [rest])]:
                self._queue.put(line)
                self._wake()
            if not piece:
                self._queue.put(None)
                self._wake()
                return

    def look(self) -> str | None:
        """The next line, which stays; None when there is none (yet)."""
        while self._next is None and not self._ended:
            try:
                line = self._queue.get_nowait()
            except queue.Empty:
                break
            self._ended = line is None
            self._next = None if line is None else line.strip()
        return self._next

    def take(self) -> None:
        """The next line is dealt with."""
        self._next = None

    @property
    def ended(self) -> bool:
        """Whether all lines have been taken and no other will come."""
        return self.look() is None and self._ended
