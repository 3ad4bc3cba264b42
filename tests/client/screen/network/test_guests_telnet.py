"""What strangers may send by telnet: the protocol and the keys, in pieces of any size, and whatever else there is."""

import asyncio
import itertools
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as some
from prompt_toolkit.keys import Keys

from quadrille.client.guests.telnet import MOST_COLUMNS, MOST_ROWS, Telnet
from quadrille.client.guests.terminal import MOST_UNREAD, Keyboard, _Letters
from quadrille.client.screen.table.line_keys import LONGEST
from tests.client.screen.network.telnet_client import (
    DO,
    DONT,
    IAC,
    SB,
    SE,
    TERMINAL_TYPE,
    WILL,
    WINDOW,
    WONT,
    details,
    window,
)

#: Bytes that mean something are frequent among them.
WIRE = some.lists(
    some.one_of(
        some.binary(max_size=8),
        some.sampled_from([bytes((IAC, command)) for command in (SB, SE, DO, DONT, WILL, WONT, IAC, 244)]),
        some.sampled_from(
            [window(30, 100), window(65535, 65535), details(TERMINAL_TYPE, b"\0vt100"), b"\r\0", b"\r\n"]
        ),
    ),
    max_size=30,
).map(b"".join)
TYPED = some.lists(
    some.one_of(
        some.binary(max_size=6),
        some.sampled_from(
            [b"\x1b", b"\x1b[A", b"\x1b[200~", b"\x1b[201~", b"\x1b[<0;5;5M", b"\x1b[999999999999", "é▸".encode()]
        ),
    ),
    max_size=30,
).map(b"".join)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """The same bytes, cut anywhere."""
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[first:last] for first, last in itertools.pairwise(at)]


def names(keyboard: Keyboard) -> list[str]:
    """The keys that have come."""
    return [press.key.value if isinstance(press.key, Keys) else press.key for press in keyboard.read_keys()]


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        (b"a1\r\0b", b"a1\rb"), (b"a1\r\nb", b"a1\rb"), (b"a1\rb", b"a1\rb"), (b"a1\nb", b"a1\nb"),
        (b"a\0b", b"ab"), (b"a\xff\xf1b", b"ab"), (b"\xff\xff", b""), (b"\xff\xf4", b"\x03"), (b"\xff\xf7", b"\x7f"),
        (bytes((IAC, SB, WINDOW)), b""), (bytes((IAC, WILL)), b""), (details(99, b"x" * 999) + b"y", b"y"),
    ],
)  # fmt: skip
def test_what_was_typed(sent: bytes, typed: bytes) -> None:
    assert Telnet().feed(sent) == typed


@pytest.mark.parametrize(
    ("rows", "columns", "drawn"),
    [
        (24, 80, (24, 80)), (50, 255, (50, 255)), (0, 0, (24, 80)), (1, 1, (1, 1)),
        (65535, 65535, (MOST_ROWS, MOST_COLUMNS)),
    ],
)  # fmt: skip
def test_the_size_of_the_window(rows: int, columns: int, drawn: tuple[int, int]) -> None:
    telnet = Telnet()
    assert telnet.feed(window(rows, columns)) == b""
    assert (telnet.rows, telnet.columns) == drawn


def test_a_size_of_another_length_is_none() -> None:
    telnet = Telnet()
    telnet.feed(details(WINDOW, b"\0\1\0") + details(WINDOW, b"\0\1\0\1\0"))
    assert (telnet.rows, telnet.columns) == (24, 80)


@pytest.mark.parametrize(
    ("said", "known"), [(b"\0XTERM-256COLOR", "xterm-256color"), (b"\0", ""), (b"\1XTERM", ""), (b"\0\x1b[2J", "")]
)
def test_the_terminal(said: bytes, known: str) -> None:
    telnet = Telnet()
    telnet.feed(details(TERMINAL_TYPE, said))
    assert telnet.terminal == known


def test_other_options_are_refused_once() -> None:
    telnet = Telnet()
    telnet.take()
    for _ in range(100):
        telnet.feed(bytes((IAC, DO, 5, IAC, WILL, 6, IAC, DO, 1, IAC, WILL, WINDOW, IAC, DONT, 1, IAC, WONT, 3)))
    assert telnet.take() == bytes((IAC, WONT, 5, IAC, DONT, 6))


@given(WIRE, some.lists(some.integers(0, 500)))
def test_any_bytes_in_any_pieces(data: bytes, cuts: list[int]) -> None:
    whole, cut = Telnet(), Telnet()
    typed = whole.feed(data)
    assert b"".join(cut.feed(piece) for piece in pieces(data, cuts)) == typed
    assert (cut.rows, cut.columns, cut.terminal, cut.outgoing) == (
        whole.rows,
        whole.columns,
        whole.terminal,
        whole.outgoing,
    )
    assert IAC not in typed and len(whole.outgoing) < 3000
    assert 1 <= whole.rows <= MOST_ROWS and 1 <= whole.columns <= MOST_COLUMNS


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("a1\r", ["a", "1", "c-m"]), ("\x1b[A\x1bOP", ["up", "f1"]), ("é", ["é"]), ("\x7f", ["c-h"]),
        ("\x1b[999;999X", []), ("\x1bx", ["escape", "x"]), ("\x1b\x1b[A", ["escape", "up"]),
        ("\x1b[<0;5;6M", ["<vt100-mouse-event>"]),
    ],
)  # fmt: skip
def test_keys(typed: str, keys: list[str]) -> None:
    for cuts in ([], list(range(20))):
        keyboard = Keyboard()
        for piece in pieces(typed.encode(), cuts):
            keyboard.feed(piece)
        assert names(keyboard) == keys


def test_an_escape_that_nothing_follows_is_the_key() -> None:
    keyboard = Keyboard()
    keyboard.feed(b"\x1b")
    assert names(keyboard) == []
    assert [press.key for press in keyboard.flush_keys()] == [Keys.Escape]


def test_what_is_pasted_comes_whole_and_not_without_end() -> None:
    keyboard = Keyboard()
    for piece in (b"\x1b[200", b"~a1, ", "é".encode()[:1], "é".encode()[1:], b"\x1b[20", b"x\x1b[201", b"~b"):
        keyboard.feed(piece)
    first, second = keyboard.read_keys()
    assert (first.key, first.data) == (Keys.BracketedPaste, "a1, é\x1b[20x") and second.key == "b"
    keyboard.feed(b"\x1b[200~")
    for _ in range(100):
        keyboard.feed(b"x" * 1000)
    assert keyboard._pasted is not None and len(keyboard._pasted) == LONGEST
    keyboard.feed(b"\x1b[201~")
    assert len(keyboard.read_keys()[0].data) == LONGEST


@given(TYPED, some.lists(some.integers(0, 500)))
def test_any_keys_in_any_pieces(data: bytes, cuts: list[int]) -> None:
    whole, cut = Keyboard(), Keyboard()
    whole.feed(data)
    for piece in pieces(data, cuts):
        cut.feed(piece)
    assert [(one.key, one.data) for one in cut.read_keys()] == [(one.key, one.data) for one in whole.read_keys()]
    assert len(whole._begun) < 32


def test_who_does_not_read_is_cut_off() -> None:
    class Transport:
        waiting, closing = 0, False

        def write(self, data: bytes) -> None:
            self.waiting += len(data)

        def get_write_buffer_size(self) -> int:
            return self.waiting

        def is_closing(self) -> bool:
            return self.closing

        def abort(self) -> None:
            self.closing = True

    class Writer:
        transport = Transport()

    letters, transport = _Letters(cast(asyncio.StreamWriter, Writer())), Writer.transport
    for _ in range(1000):
        letters.write("▸" * 1000)
    assert transport.closing and MOST_UNREAD < transport.waiting < MOST_UNREAD + 4000
