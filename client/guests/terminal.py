"""A telnet connection as a terminal of prompt-toolkit: keys come in, and letters go out.

prompt-toolkit's own key parser caches every prefix of a sequence that it has met, and waits for the end of a sequence
that never ends. Its telnet server waits for clients that do not read. Neither is fit for strangers.
"""

import codecs
import re
from asyncio import StreamWriter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TextIO, cast

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output.vt100 import Vt100_Output

from quadrille.client.guests.telnet import Telnet
from quadrille.client.screen.table.line_keys import LONGEST

#: Maximum unread bytes. A client with more unread is dead or hostile.
MOST_UNREAD: Final = 1 << 20
_PASTE: Final = "\x1b[200~"
_PASTED: Final = "\x1b[201~"
#: A complete sequence, the beginning of one, and a sequence of the mouse.
_WHOLE: Final = re.compile(r"\x1b(?:\[[0-?]{0,16}[ -/]{0,2}[@-~]|O[ -~]|[^\[O\x1b])", re.DOTALL)
_BEGUN: Final = re.compile(r"\x1b(?:\[[0-?]{0,16}[ -/]{0,2}|O)?")
_MOUSE: Final = re.compile(r"\x1b\[<[0-9]{1,3};[0-9]{1,4};[0-9]{1,4}[mM]")


class Keyboard(DummyInput):
    """The keys typed at the other end, which the protocol has put into raw mode. There is no file."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._keys: list[KeyPress] = []
        self._begun = ""  # an incomplete sequence
        self._pasted: str | None = None
        self._ready: Callable[[], None] = lambda: None
        self._closed = False

    def feed(self, typed: bytes) -> None:
        """Take typed bytes."""
        text = self._begun + self._decoder.decode(typed)
        self._begun = ""
        while text and not self._begun:
            text = self._read(text)
        self._ready()

    def _read(self, text: str) -> str:
        """Take the first key; return the rest."""
        if self._pasted is not None:
            return self._paste(text)
        if text[0] != "\x1b":
            self._keys.append(KeyPress(_single(text[0]), text[0]))
            return text[1:]
        if found := _WHOLE.match(text):
            self._take(found[0])
            return text[found.end() :]
        if _BEGUN.fullmatch(text):
            self._begun = text
        else:
            self._keys.append(KeyPress(Keys.Escape, "\x1b"))
        return text[1:]

    def _take(self, sequence: str) -> None:
        """Take a complete sequence; ignore one that no terminal sends."""
        if sequence == _PASTE:
            self._pasted = ""
        elif _MOUSE.fullmatch(sequence):
            self._keys.append(KeyPress(Keys.Vt100MouseEvent, sequence))
        elif known := ANSI_SEQUENCES.get(sequence):
            keys = known if isinstance(known, tuple) else (known,)
            self._keys += [KeyPress(key, "" if number else sequence) for number, key in enumerate(keys)]
        elif len(sequence) == 2:
            self._keys += [KeyPress(Keys.Escape, "\x1b"), KeyPress(_single(sequence[1]), sequence[1])]

    def _paste(self, text: str) -> str:
        """Take pasted text up to its end mark, which may come in parts; drop text beyond the length of a line."""
        assert self._pasted is not None
        before, mark, rest = text.partition(_PASTED)
        if mark:
            self._keys.append(KeyPress(Keys.BracketedPaste, (self._pasted + before)[:LONGEST]))
            self._pasted = None
            return rest
        cut = next(
            (at for at in range(max(0, len(text) - len(_PASTED) + 1), len(text)) if _PASTED.startswith(text[at:])),
            len(text),
        )
        self._pasted = (self._pasted + text[:cut])[:LONGEST]
        self._begun = text[cut:]
        return ""

    # The interface of prompt-toolkit

    def read_keys(self) -> list[KeyPress]:
        """Take the keys that have come."""
        keys, self._keys = self._keys, []
        return keys

    def flush_keys(self) -> list[KeyPress]:
        """Take a pending escape as the key itself, because nothing followed it."""
        if self._begun and self._pasted is None:
            begun, self._begun = self._begun, ""
            self._keys.append(KeyPress(Keys.Escape, "\x1b"))
            self._keys += [KeyPress(_single(sign), sign) for sign in begun[1:]]
        return self.read_keys()

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def close(self) -> None:
        """Note that the other end has gone."""
        self._closed = True
        self._ready()

    @contextmanager
    def _attached(self, ready: Callable[[], None]) -> Iterator[None]:
        before, self._ready = self._ready, ready
        try:
            ready()
            yield
        finally:
            self._ready = before

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        """Set the callback for arriving keys."""
        return self._attached(input_ready_callback)

    def detach(self) -> AbstractContextManager[None]:
        """Suspend the callback."""
        return self._attached(lambda: None)

    def forget(self) -> None:
        """Drop the keys that nobody has read."""
        clear_typeahead(self)


def _single(sign: str) -> Keys | str:
    known = ANSI_SEQUENCES.get(sign)
    return known if isinstance(known, Keys) else sign


class _Letters:
    """A text stream that never blocks."""

    encoding = "utf-8"

    def __init__(self, writer: StreamWriter) -> None:
        self._writer = writer

    def write(self, text: str) -> int:
        """Send text. A terminal behind telnet is raw, so a line feed needs a carriage return."""
        data = text.replace("\r\n", "\n").replace("\n", "\r\n").encode("utf-8", "replace")
        transport = self._writer.transport
        if not transport.is_closing():
            transport.write(data)
            if transport.get_write_buffer_size() > MOST_UNREAD:
                transport.abort()
        return len(text)

    def flush(self) -> None:
        """Do nothing: `write` has sent everything."""

    def isatty(self) -> bool:
        """Say yes: the other end is a terminal."""
        return True


def paper(writer: StreamWriter, telnet: Telnet) -> Vt100_Output:
    """Return the output that a screen is drawn on."""
    return Vt100_Output(
        cast(TextIO, _Letters(writer)),
        lambda: Size(rows=telnet.rows, columns=telnet.columns),
        term="xterm-256color",
        enable_cpr=False,
    )
