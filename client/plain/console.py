"""Input and output of lines; either end may be a terminal, a pipe or a file.

A caller can ask for a line and wait, or poll for one while something else goes on, below a prompt that is shown again
after all that is printed. Output is only appended, without bytes that move the cursor: a pipe, a dumb terminal and a
screen reader get the same. A hidden hand alone is taken away again (`cover`).
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from quadrille.client.foreign import shown_lines
from quadrille.client.plain.typed_lines import TypedLines
from quadrille.client.settings import takes_codes

_SCREENFUL: Final = 60
#: Clears a terminal, and what it scrolls back to. Some take no notice of the last code.
_FORGET: Final = "\x1b[H\x1b[2J\x1b[3J"


class Console:
    """Asks and prints. Input from a pipe is echoed after its prompt, so that the output reads as a session."""

    __slots__ = ("_edits", "_reader", "_shown", "_typed", "_writer", "interactive")

    def __init__(self, reader: TextIO | None, writer: TextIO | None, wake: Callable[[], None] | None = None) -> None:
        """`wake` is called whenever something was typed: then a thread reads the terminal too, which edits no line."""
        self._reader = reader
        self._writer = writer
        self.interactive = bool(reader and writer and reader.isatty() and writer.isatty())
        self._edits = self.interactive and wake is None
        self._typed = TypedLines(reader, wake or (lambda: None), threaded=not self._edits)
        self._shown: str | None = None  # the prompt at the end of the output

    def ask(self, prompt: str) -> str | None:
        """Read a line, stripped; None at the end of input."""
        if self._edits and self._typed.is_empty:
            with suppress(ImportError):
                import readline  # noqa: F401 - line editing and history, where the machine has them
            self.write("\r" if self._shown == prompt else "\n" if self._shown is not None else "")
            self._shown = None
            try:
                return input(prompt).strip()
            except EOFError:
                self.say()
                return None
            except KeyboardInterrupt:
                self.say()
                raise
        if not self.interactive or self.next_line() is None:  # what a terminal shows already needs no prompt
            self.write(prompt)
        self._shown = None
        text = self._typed.look(waits=True)
        if text is None:
            self.say()
            return None
        self._typed.take()
        if self._reader and not self.interactive:
            self.say(text)
        return text

    @property
    def looks(self) -> bool:
        """Return whether lines can be polled; not so where a terminal of Windows is read directly."""
        return self._reader is not None and not (self._edits and sys.platform == "win32")

    def next_line(self) -> str | None:
        """Return the next line without taking it; None if there is none yet."""
        return self._typed.look()

    @property
    def ended(self) -> bool:
        """Return whether all lines have been taken and no other will come, as far as is known."""
        return self._typed.ended

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
        if self.interactive and prompt and prompt != self._shown:
            self.write(("\n" if self._shown is not None else "") + prompt)
            self._shown = prompt

    def close(self) -> None:
        """Leave the cursor at the beginning of a line."""
        if self._shown is not None:
            self.write("\n")
            self._shown = None

    def cover(self) -> None:
        """Hide what was printed from the next person: what a terminal keeps or logs against these codes stays there."""
        if self.interactive:
            self.write(_FORGET if takes_codes() else "")
            self.say("\n" * _SCREENFUL)
