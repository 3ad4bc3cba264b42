"""Lines to a person who may be typing: what happens is told above the prompt, which is then shown again."""

import os
from typing import Final, TextIO

from quadrille.client.foreign import shown_lines

#: Takes the prompt away, so that the line can be used for what has happened.
_ERASE: Final = "\r\x1b[K"


class LiveConsole:
    """Says lines and shows a prompt. What comes from a pipe is repeated, so that the output reads as a session."""

    __slots__ = ("_away", "_shown", "_writer", "interactive")

    def __init__(self, reader: TextIO | None, writer: TextIO | None) -> None:
        self._writer = writer
        self._shown: str | None = None
        self.interactive = bool(reader and writer and reader.isatty() and writer.isatty())
        self._away = _ERASE if os.environ.get("TERM", "dumb") != "dumb" else "\n"

    def say(self, text: str = "") -> None:
        """Lines of text."""
        self._write((self._away if self._shown is not None else "") + shown_lines(text) + "\n")
        self._shown = None

    def ask(self, prompt: str) -> None:
        """Show the prompt, if a person looks and it is not shown yet."""
        if self.interactive and prompt != self._shown:
            self._write((self._away if self._shown is not None else "") + prompt)
            self._shown = prompt

    def answered(self, prompt: str, line: str) -> None:
        """A line was typed."""
        if not self.interactive:
            self._write(f"{prompt}{line}\n")
        self._shown = None

    def close(self) -> None:
        """Leave the cursor at the beginning of a line."""
        if self._shown is not None:
            self._write("\n")
            self._shown = None

    def _write(self, text: str) -> None:
        if self._writer is not None:
            self._writer.write(text)
            self._writer.flush()
