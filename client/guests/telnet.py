"""The server's side of the telnet protocol: a machine without sockets, bounded for any input.

Bytes from the other end go in; typed text, the size of the window and the name of the terminal come out. The server
reads single letters and echoes them (SUPPRESS-GO-AHEAD, ECHO), uses eight bits (BINARY), and asks for size and terminal
(NAWS, TERMINAL-TYPE). It refuses every other option once. Specification: RFC 854, 855, 856, 857, 858, 1073, 1091.
"""

import re
from enum import Enum, auto
from typing import Final

from quadrille.client.screen.table import terminal

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
BINARY, ECHO, SUPPRESS_GO_AHEAD, TERMINAL_TYPE, WINDOW = 0, 1, 3, 24, 31
_OURS: Final = (ECHO, SUPPRESS_GO_AHEAD, BINARY)
_THEIRS: Final = (SUPPRESS_GO_AHEAD, BINARY, WINDOW, TERMINAL_TYPE)
#: Telnet commands that act as keys: interrupt and break, erase a letter, erase the line.
_KEYS: Final = {244: b"\x03", 243: b"\x03", 247: b"\x7f", 248: b"\x15"}
#: Maximum rows and columns of a window. A window of millions of letters would exhaust the machine's memory.
MOST_ROWS: Final = 120
MOST_COLUMNS: Final = 320
_LONGEST: Final = 64
_TERMINAL: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
_CR, _LF = 13, 10


class _At(Enum):
    """The parser's state within the stream."""

    TEXT = auto()
    RETURN = auto()
    COMMAND = auto()
    OPTION = auto()
    DETAILS = auto()
    DETAILS_COMMAND = auto()


class Telnet:
    """The server's end of a connection."""

    __slots__ = ("_answered", "_at", "_command", "_details", "columns", "outgoing", "rows", "terminal")

    def __init__(self) -> None:
        self.rows = terminal.ROWS
        self.columns = terminal.COLUMNS
        self.terminal = ""  # in lower case; "" until the other end has sent it
        self.outgoing = b"".join(
            [bytes((IAC, WILL, option)) for option in _OURS] + [bytes((IAC, DO, option)) for option in _THEIRS]
        )
        self._at = _At.TEXT
        self._command = 0
        self._details = bytearray()
        self._answered: set[tuple[int, int]] = set()

    def take(self) -> bytes:
        """Take the bytes that are to be sent."""
        said, self.outgoing = self.outgoing, b""
        return said

    def feed(self, data: bytes) -> bytes:
        """Take received bytes; return the typed ones."""
        typed = bytearray()
        for byte in data:
            self._feed(byte, typed)
        return bytes(typed)

    def _feed(self, byte: int, typed: bytearray) -> None:
        match self._at:
            case _At.TEXT | _At.RETURN if byte == IAC:
                self._at = _At.COMMAND
            case _At.RETURN if byte in (0, _LF):  # a line ends with CR LF, and a bare return is CR NUL
                self._at = _At.TEXT
            case _At.TEXT | _At.RETURN:
                self._at = _At.RETURN if byte == _CR else _At.TEXT
                if byte:
                    typed.append(byte)
            case _At.COMMAND:
                self._hear_command(byte, typed)
            case _At.OPTION:
                self._at = _At.TEXT
                self._answer(self._command, byte)
            case _At.DETAILS if byte == IAC:
                self._at = _At.DETAILS_COMMAND
            case _At.DETAILS_COMMAND if byte != IAC:  # SE, or a command that does not belong here
                self._at = _At.TEXT
                self._hear_details(bytes(self._details))
            case _:
                self._at = _At.DETAILS
                if len(self._details) < _LONGEST:
                    self._details.append(byte)

    def _hear_command(self, byte: int, typed: bytearray) -> None:
        self._at = _At.TEXT
        if byte in (DO, DONT, WILL, WONT):
            self._at, self._command = _At.OPTION, byte
        elif byte == SB:
            self._at = _At.DETAILS
            self._details.clear()
        elif byte != IAC:  # UTF-8 never contains 255
            typed += _KEYS.get(byte, b"")

    def _answer(self, command: int, option: int) -> None:
        """Accept our own requests silently and refuse all else, each once, so that two programs never loop."""
        if (command, option) in self._answered:
            return
        self._answered.add((command, option))
        if command == WILL and option == TERMINAL_TYPE:
            self.outgoing += bytes((IAC, SB, TERMINAL_TYPE, 1, IAC, SE))
        elif command == WILL and option not in _THEIRS:
            self.outgoing += bytes((IAC, DONT, option))
        elif command == DO and option not in _OURS:
            self.outgoing += bytes((IAC, WONT, option))

    def _hear_details(self, details: bytes) -> None:
        option, rest = details[:1], details[1:]
        if option == bytes((WINDOW,)) and len(rest) == 4:
            columns, rows = int.from_bytes(rest[:2], "big"), int.from_bytes(rest[2:], "big")
            self.rows = min(rows, MOST_ROWS) or terminal.ROWS  # 0 means unknown
            self.columns = min(columns, MOST_COLUMNS) or terminal.COLUMNS
        elif option == bytes((TERMINAL_TYPE,)) and rest[:1] == b"\x00" and _TERMINAL.fullmatch(rest[1:]):
            self.terminal = rest[1:].decode("ascii").lower()
