"""Input and output of lines; either end may be a terminal, a pipe or a file.

A caller can ask for a line and wait, or poll for one while something else goes on. Or it shows a prompt and reads lines
by itself: events are then printed below the prompt, which is shown again. Output is only appended, without bytes that
move the cursor: a pipe, a dumb terminal and a screen reader get the same.
"""

import os
import sys
import threading
from collections import deque
from typing import Final, TextIO

from quadrille.client.foreign import shown_lines
from quadrille.client.plain.typed_lines import TypedLines

_SCREENFUL: Final = 60
_PIECE: Final = 4096
#: Ends the input if it was typed while the line was still edited here, and not by the terminal.
_CTRL_D: Final = b"\x04"


class Console:
    """Asks and prints. Input from a pipe is echoed after its prompt, so that the output reads as a session."""

    __slots__ = ("_came", "_ended", "_lines", "_piped", "_reader", "_shown", "_writer", "interactive")

    def __init__(self, reader: TextIO | None, writer: TextIO | None) -> None:
        self._reader = reader
        self._writer = writer
        self.interactive = bool(reader and writer and reader.isatty() and writer.isatty())
        self._came = threading.Event()
        self._piped: TypedLines | None = None  # source of lines, unless a terminal is read directly
        self._lines: deque[str] = deque()  # from a terminal, typed while nobody asked
        self._ended = False
        self._shown: str | None = None  # the prompt at the end of the output

    def ask(self, prompt: str) -> str | None:
        """Read a line, stripped; None at the end of input."""
        if self.interactive and not self._lines and not self._ended:
            import_editing()
            try:
                return input(prompt).strip()
            except EOFError:
                self.say()
                return None
            except KeyboardInterrupt:
                self.say()
                raise
        self.write(prompt)
        while self._reader and self.next_line() is None and not self.ended:
            self._came.wait()
            self._came.clear()
        text = self.next_line()
        if text is None:
            self.say()
            return None
        self._take()
        if self._reader and not self._reader.isatty():
            self.say(text)
        return text

    @property
    def looks(self) -> bool:
        """Return whether lines can be polled; not so in a terminal of Windows."""
        return self._reader is not None and not (self.interactive and sys.platform == "win32")

    def next_line(self) -> str | None:
        """Return the next line without taking it; None if there is none yet."""
        if not self.interactive:
            return self._pipe().look()
        if not self._lines and not self._ended:
            self._look_at_terminal()
        return self._lines[0] if self._lines else None

    @property
    def ended(self) -> bool:
        """Return whether all lines have been taken and no other will come, as far as is known."""
        return self._ended and not self._lines if self.interactive else self._pipe().ended

    def _take(self) -> None:
        if self.interactive:
            self._lines.popleft()
        else:
            self._pipe().take()

    def _pipe(self) -> TypedLines:
        if self._piped is None:  # the reading thread is not started before somebody asks
            self._piped = TypedLines(self._reader, self._came.set)
        return self._piped

    def _look_at_terminal(self) -> None:
        """Read what was typed and ended by Enter: the terminal itself edits the line before that."""
        import select

        assert self._reader is not None
        file = self._reader.fileno()
        if not self.looks or not select.select([file], [], [], 0)[0]:
            return
        try:
            piece = os.read(file, _PIECE)
        except OSError:
            piece = b""
        piece, end, _ = piece.partition(_CTRL_D)
        self._ended = bool(end) or not piece
        self._lines += [line.strip() for line in piece.decode(self._reader.encoding or "utf-8", "replace").splitlines()]

    def say(self, text: str = "") -> None:
        self.write(("\n" if self._shown is not None else "") + shown_lines(text) + "\n")
        self._shown = None

    def write(self, text: str) -> None:
        """Write a part of a line, such as a prompt whose line is polled for."""
        if self._writer is not None:
            self._writer.write(text)
            self._writer.flush()

    def show(self, prompt: str) -> None:
        """Show the prompt below all that was printed, if a person looks and it is not there yet."""
        if self.interactive and prompt != self._shown:
            self.write(("\n" if self._shown is not None else "") + prompt)
            self._shown = prompt

    def answered(self, prompt: str, line: str) -> None:
        """Go on after a line that was typed at the shown prompt."""
        if not self.interactive:
            self.write(f"{prompt}{line}\n")
        self._shown = None

    def close(self) -> None:
        """Leave the cursor at the beginning of a line."""
        if self._shown is not None:
            self.write("\n")
            self._shown = None

    def cover(self) -> None:
        if self.interactive:
            self.say("\n" * _SCREENFUL)


def import_editing() -> None:
    """Enable line editing and history where the machine has them: the import is enough."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
