"""Pictures of a window as one PNG that moves (APNG): each frame after the first holds only what has changed.

A viewer that knows no moving PNG shows the first frame. All frames share the 256 colours that are there most. See
the PNG specification, third edition.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Bytes of a colour, and of a pixel in the two kinds that are read, by their number in the header.
_DEPTH = 3
_KINDS = {2: 3, 6: 4}
_MOST_COLOURS = 256


#: The rows of a picture, each of red, green and blue.
Pixels = list[bytes]


def read(png: bytes) -> Pixels:
    """The pixels of a PNG as browsers write them: 8 bits a colour, not interlaced."""
    parts = list(_parts(png))
    wide, high, bits, kind, *_, woven = struct.unpack(">IIBBBBB", parts[0][1])
    assert (bits, woven) == (8, 0)
    depth, data = _KINDS[kind], zlib.decompress(b"".join(content for name, content in parts if name == b"IDAT"))
    rows, above, step = [], bytearray(wide * depth), wide * depth + 1
    for start in range(0, high * step, step):
        above = _unfiltered(data[start], bytearray(data[start + 1 : start + step]), above, depth)
        rows.append(b"".join(bytes(above[at : at + _DEPTH]) for at in range(0, len(above), depth)))
    return rows


def moving(frames: Sequence[tuple[Pixels, int]]) -> bytes:
    """The PNG of frames, each with how many milliseconds it is there."""
    wide, high = len(frames[0][0][0]) // _DEPTH, len(frames[0][0])
    colours, pictures = _painted([pixels for pixels, _ in frames])
    parts = [_part(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)), _part(b"PLTE", b"".join(colours))]
    parts.append(_part(b"acTL", struct.pack(">II", len(frames), 0)))
    number, before = 0, pictures[0]
    for (_, lasts), rows in zip(frames, pictures, strict=True):
        left, top, changed = _change(before, rows) if number else (0, 0, rows)
        size = len(changed[0]), len(changed)
        data = zlib.compress(b"".join(b"\0" + row for row in changed), 9)
        parts.append(_part(b"fcTL", struct.pack(">IIIIIHHBB", number, *size, left, top, lasts, 1000, 0, 0)))
        parts.append(_part(b"fdAT", struct.pack(">I", number + 1) + data) if number else _part(b"IDAT", data))
        number, before = number + (2 if number else 1), rows
    return b"".join([_SIGNATURE, *parts, _part(b"IEND", b"")])


def _painted(frames: Sequence[Pixels]) -> tuple[list[bytes], list[list[bytes]]]:
    """The colours that are there most, and all rows by numbers of colours: each pixel has the nearest one."""
    split = [[[row[at : at + _DEPTH] for at in range(0, len(row), _DEPTH)] for row in one] for one in frames]
    counted = Counter(colour for rows in split for row in rows for colour in row)
    colours = [colour for colour, _ in counted.most_common(_MOST_COLOURS)]

    def nearest(colour: bytes) -> int:
        away = [sum((one - other) ** 2 for one, other in zip(known, colour, strict=True)) for known in colours]
        return away.index(min(away))

    numbers = {colour: nearest(colour) for colour in counted}
    return colours, [[bytes(numbers[colour] for colour in row) for row in rows] for rows in split]


def _change(old: list[bytes], new: list[bytes]) -> tuple[int, int, list[bytes]]:
    """The smallest rectangle that holds all that is different: its left, its top, its rows; a pixel if nothing is."""
    lines = [at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other] or [0]
    pairs = [(old[at], new[at]) for at in range(lines[0], lines[-1] + 1)]
    columns = [at for at in range(len(new[0])) if any(one[at] != other[at] for one, other in pairs)] or [0]
    return columns[0], lines[0], [row[columns[0] : columns[-1] + 1] for _, row in pairs]


def _unfiltered(kind: int, row: bytearray, above: bytearray, depth: int) -> bytearray:
    for at in range(len(row)):
        left = row[at - depth] if at >= depth else 0
        corner = above[at - depth] if at >= depth else 0
        guess = (0, left, above[at], (left + above[at]) // 2, _nearest(left, above[at], corner))[kind]
        row[at] = (row[at] + guess) & 255
    return row


def _nearest(left: int, up: int, corner: int) -> int:
    """Paeth's choice."""
    about = left + up - corner
    return min((left, up, corner), key=lambda one: abs(about - one))


def _parts(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(png):
        size, name = struct.unpack_from(">I4s", png, at)
        yield name, png[at + 8 : at + 8 + size]
        at += size + 12


def _part(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
