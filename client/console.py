"""Lines from a person and lines to a person; either end may be a terminal, a pipe or a file."""

from typing import Final, TextIO

_SCREENFUL: Final = 60


class Console:
    """Asks and says. What comes from a pipe is repeated behind its prompt, so that the output reads as a session."""

    __slots__ = ("_reader", "_writer", "interactive")

    def __init__(self, reader: TextIO | None, writer: TextIO) -> None:
        self._reader = reader
        self._writer = writer
        self.interactive = reader is not None and reader.isatty() and writer.isatty()
        if self.interactive:
            import_editing()

    def ask(self, prompt: str) -> str | None:
        """A line, without blanks around it; None at the end of input."""
        if self.interactive:
            try:
                return input(prompt).strip()
            except EOFError:
                self.say()
                return None
            except KeyboardInterrupt:
                self.say()
                raise
        self._writer.write(prompt)
        self._writer.flush()
        line = self._reader.readline() if self._reader else ""
        if not line:
            self.say()
            return None
        text = line.strip()
        if self._reader and not self._reader.isatty():
            self.say(text)
        return text

    def say(self, text: str = "") -> None:
        """Lines of text."""
        self._writer.write(text + "\n")
        self._writer.flush()

    def cover(self) -> None:
        """Push what the screen shows out of sight."""
        if self.interactive:
            self.say("\n" * _SCREENFUL)


def import_editing() -> None:
    """Let lines be edited and recalled where the machine can do that: importing it is enough."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
