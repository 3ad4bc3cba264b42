"""Moving pictures: each frame of a film is what was drawn, and a PNG that moves holds what it was made of."""

import re
import struct
import zlib
from xml.etree import ElementTree

from tests.look.film import Frame, film
from tests.look.moving import Pixels, moving, read
from tests.look.svg import Cell, drawn

INK, PAPER = "#eeeeee", "#111111"


def screen(*lines: str) -> list[list[Cell]]:
    return [[Cell(sign, INK, "#334455" if sign == "#" else PAPER) for sign in line] for line in lines]


def parts(svg: str) -> set[str]:
    return set(re.findall(r"<(?:text|path|rect x).*", svg))


def test_each_frame_of_a_film_shows_what_the_screen_had() -> None:
    screens = [screen("ab ─ #", "one   "), screen("ab ─  ", "two   "), screen("ab │ #", "one   ")]
    whole = film([Frame(rows, lasts) for rows, lasts in zip(screens, (100, 200, 700), strict=True)], "A & B", PAPER)
    ElementTree.fromstring(whole)
    groups = re.findall(r'<g class="(\w+)">\n(.*?)\n</g>', whole, re.DOTALL)
    steady = parts(re.sub(r"<g class.*?</g>", "", whole, flags=re.DOTALL))
    for time, rows in zip((0, 10, 30), screens, strict=True):
        seen = set(steady)
        for name, inside in groups:
            [steps] = re.findall(rf"@keyframes {name}{{(.*?)}}}}", whole)
            told = [(float(at), word) for at, word in re.findall(r"([\d.]+)%{visibility:(\w+)", steps)]
            if [word for at, word in told if at <= time][-1] == "visible":
                seen |= parts(inside)
        assert seen == parts(drawn(rows, "", PAPER))


def test_without_motion_the_last_frame_stands() -> None:
    whole = film([Frame(screen("a"), 10), Frame(screen("b"), 10)], "", PAPER)
    hidden = dict(re.findall(r"\.(\w+){(visibility:hidden;)?animation", whole))
    shown = {
        inside for name, inside in re.findall(r'<g class="(\w+)">\n(.*?)\n</g>', whole, re.DOTALL) if not hidden[name]
    }
    assert len(shown) == 1 and ">b<" in shown.pop()
    assert "prefers-reduced-motion" in whole


def pixels(*rows: str) -> Pixels:
    colours = {".": b"\x00\x10\x20", "x": b"\xff\x80\x01", "o": b"\x12\x34\x56"}
    return Pixels(tuple(b"".join(colours[sign] for sign in row) for row in rows))


def test_a_png_that_moves_holds_its_frames() -> None:
    frames = [
        (pixels("....", "....", "...."), 100),
        (pixels("....", ".xo.", "...."), 200),
        (pixels("....", ".xo.", "...."), 9),
    ]
    made = moving(frames)
    chunks, at = [], 8
    while at < len(made):
        size, name = struct.unpack_from(">I4s", made, at)
        assert struct.unpack_from(">I", made, at + 8 + size)[0] == zlib.crc32(made[at + 4 : at + 8 + size])
        chunks.append((name, made[at + 8 : at + 8 + size]))
        at += size + 12
    names = [name for name, _ in chunks]
    assert names == [b"IHDR", b"PLTE", b"acTL", b"fcTL", b"IDAT", *[b"fcTL", b"fdAT"] * 2, b"IEND"]
    controls = [struct.unpack(">IIIIIHHBB", content) for name, content in chunks if name == b"fcTL"]
    assert controls == [
        (0, 4, 3, 0, 0, 100, 1000, 0, 0),
        (1, 2, 1, 1, 1, 200, 1000, 0, 0),
        (3, 1, 1, 0, 0, 9, 1000, 0, 0),
    ]
    colours = dict(chunks)[b"PLTE"]
    changed = zlib.decompress(next(content for name, content in chunks if name == b"fdAT")[4:])
    assert [colours[3 * at : 3 * at + 3] for at in changed[1:]] == [b"\xff\x80\x01", b"\x12\x34\x56"]


def test_a_browser_s_png_is_read_with_every_filter() -> None:
    rows = [bytes((17 * row + 31 * at) % 256 for at in range(12)) for row in range(5)]
    data, above = b"", bytes(12)
    for kind, row in enumerate(rows):
        data += bytes([kind]) + bytes((row[at] - guess(kind, row, above, at)) % 256 for at in range(12))
        above = row
    chunk = lambda name, content: struct.pack(">I4s", len(content), name) + content + bytes(4)  # noqa: E731
    head = struct.pack(">IIBBBBB", 3, 5, 8, 6, 0, 0, 0)
    png = bytes(8) + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    assert read(png).rows == tuple(b"".join(row[at : at + 3] for at in (0, 4, 8)) for row in rows)
    assert read(png).size == (3, 5)


def guess(kind: int, row: bytes, above: bytes, at: int) -> int:
    left, up, corner = (row[at - 4] if at >= 4 else 0), above[at], (above[at - 4] if at >= 4 else 0)
    near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
    return (0, left, up, (left + up) // 2, near)[kind]
