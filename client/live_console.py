"""Lines to a person who may be typing: what happens is told above the prompt, which is then shown again."""

import os
import shutil
from typing import Final, TextIO

from quadrille.client.foreign import shown_lines
from quadrille.client.line_editor import LineEditor

#: Takes the prompt away, so that the line can be used for what has happened.
_ERASE: Final = "\r\x1b[K"


class LiveConsole:
    """Says lines, shows a prompt and what is half typed. What comes from a pipe is repeated, to read as a session."""

    __slots__ = ("_away", "_shown", "_writer", "editor", "interactive")

    def __init__(self, reader: TextIO | None, writer: TextIO | None) -> None:
        self._writer = writer
        self._shown: str | None = None
        self.editor: LineEditor | None = None
        self.interactive = bool(reader and writer and reader.isatty() and writer.isatty())
        self._away = _ERASE if os.environ.get("TERM", "dumb") != "dumb" else "\n"

    def say(self, text: str = "") -> None:
        """Lines of text."""
        self._write((self._away if self._shown is not None else "") + shown_lines(text) + "\n")
        self._shown = None

    def ask(self, prompt: str) -> None:
        """Show the prompt and what is half typed, if a person looks and it is not shown yet."""
        wanted = prompt + self._typed(len(prompt))
        if self.interactive and wanted != self._shown:
            self._write((self._away if self._shown is not None else "") + wanted)
            self._shown = wanted

    def _typed(self, taken: int) -> str:
        """As much of the half-typed line as has room behind the prompt, with the cursor in its place."""
        if self.editor is None:
            return ""
        room = max(1, shutil.get_terminal_size().columns - taken - 1)
        start = max(0, self.editor.cursor - room)
        part = self.editor.text[start : start + room]
        left = len(part) - (self.editor.cursor - start)
        return part + (f"\x1b[{left}D" if left else "")

    def answered(self, prompt: str, line: str) -> None:
        """A line was typed."""
        if self.editor is not None:
            self._write(f"{_ERASE if self._shown is not None else ''}{prompt}{line}\n")
        elif not self.interactive:
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
