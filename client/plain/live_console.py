"""Output to a person who may be typing: events are printed below the prompt, which is then shown again.

Append-only, without bytes that move the cursor: a pipe, a dumb terminal and a screen reader get the same.
client/screen does this otherwise.
"""

from typing import TextIO

from quadrille.client.foreign import shown_lines


class LiveConsole:
    """Prints lines and shows a prompt. Input from a pipe is echoed, to read as a session."""

    __slots__ = ("_shown", "_writer", "interactive")

    def __init__(self, reader: TextIO | None, writer: TextIO | None) -> None:
        self._writer = writer
        self._shown: str | None = None
        self.interactive = bool(reader and writer and reader.isatty() and writer.isatty())

    def say(self, text: str = "") -> None:
        self._write(("\n" if self._shown is not None else "") + shown_lines(text) + "\n")
        self._shown = None

    def ask(self, prompt: str) -> None:
        """Show the prompt, if a person looks and it is not shown yet."""
        if self.interactive and prompt != self._shown:
            self._write(("\n" if self._shown is not None else "") + prompt)
            self._shown = prompt

    def answered(self, prompt: str, line: str) -> None:
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
