"""QR codes: read again by a decoder that shares nothing with what made them, from the terminal's own signs."""

from typing import Any

import pytest

from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.presence.qr import QUIET, half_blocks, matrix, wifi_text

_HALVES = {" ": "00", "▀": "10", "▄": "01", "█": "11"}
SECRET, CODE = "k7m29xqd4tzrw8bh", "bcdf-2345"
LINK = PhoneInvitation(65535, SECRET, CODE).link("192.168.178.123")


def decoded(lines: tuple[str, ...]) -> Any:
    """Read what stands in a terminal, black on white."""
    zxing = pytest.importorskip("zxingcpp")
    numpy = pytest.importorskip("numpy")
    rows = [[_HALVES[sign][half] == "0" for sign in line] for line in lines for half in (0, 1)]
    picture = numpy.kron(numpy.array(rows, dtype="uint8") * 255, numpy.ones((4, 4), dtype="uint8"))
    [found] = zxing.read_barcodes(picture)
    return found


@pytest.mark.parametrize("link", [LINK, PhoneInvitation(4080, SECRET, CODE).link("10.0.0.7")])
def test_the_terminal_shows_a_code_that_a_decoder_reads(link: str) -> None:
    assert decoded(half_blocks(matrix(link))).text == link


def test_every_link_fits_beside_the_seats_of_a_small_terminal() -> None:
    lines = half_blocks(matrix(PhoneInvitation.new(65535).link("255.255.255.255")))
    assert len(lines) == 19 and {len(line) for line in lines} == {37}


def test_the_quiet_zone_is_white_on_all_sides() -> None:
    rows = matrix(LINK)
    turned = ["".join(column) for column in zip(*rows, strict=True)]
    for edge in (rows[:QUIET], rows[-QUIET:], turned[:QUIET], turned[-QUIET:]):
        assert "1" not in "".join(edge)
    for line in (rows[QUIET], turned[QUIET]):
        assert line[QUIET : QUIET + 7] == "1111111"  # the finder pattern begins at once


def test_half_blocks_hold_every_cell() -> None:
    assert half_blocks(("101", "011")) == ("▀▄█",)
    assert half_blocks(("101",)) == ("▀ ▀",), "the row that is missing is light"


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("Home", "open sesame", "WIFI:T:WPA;S:Home;P:open sesame;;"),
        ("Café", "", "WIFI:T:nopass;S:Café;;"),
        (r"a;b,c:d\e", r'"x"', r"WIFI:T:WPA;S:a\;b\,c\:d\\e;P:\"x\";;"),
    ],
)
def test_a_wifi_is_said_as_phones_read_it(name: str, key: str, text: str) -> None:
    assert wifi_text(name, key) == text
    assert decoded(half_blocks(matrix(text))).text == text
