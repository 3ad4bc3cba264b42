"""QR codes as rows of cells and as lines of a terminal."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

#: Empty cells on every side, without which no camera finds the code (ISO/IEC 18004).
QUIET: Final = 4
#: Signs for two cells, one over the other: (upper, lower), dark or not.
_BLOCKS: Final = {("0", "0"): " ", ("1", "0"): "▀", ("0", "1"): "▄", ("1", "1"): "█"}
#: Characters of a Wi-Fi's name or key that need a backslash before them.
_ESCAPED: Final = '\\;,":'


@lru_cache(maxsize=8)
def matrix(text: str) -> tuple[str, ...]:
    """Return the rows of a text's QR code, "1" for a dark cell and "0" for a light one, with the quiet zone."""
    import segno  # here, because only hosts with guests need it, and it takes a tenth of a second

    cells = segno.make(text, error="l", micro=False, encoding="utf-8").matrix
    side = "0" * QUIET
    empty = ["0" * (len(cells) + 2 * QUIET)] * QUIET
    return (*empty, *(side + "".join("01"[cell & 1] for cell in row) + side for row in cells), *empty)


def half_blocks(matrix: Sequence[str]) -> tuple[str, ...]:
    """Return a terminal's lines, two rows of cells in each, to be drawn black on white."""
    rows = [*matrix, "0" * len(matrix[0])] if len(matrix) % 2 else [*matrix]
    return tuple(
        "".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


def wifi_text(name: str, key: str) -> str:
    """Return what a phone reads as "join this Wi-Fi"; an open network has the key ""."""
    kind = f"T:WPA;S:{_escaped(name)};P:{_escaped(key)}" if key else f"T:nopass;S:{_escaped(name)}"
    return f"WIFI:{kind};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in _ESCAPED else sign for sign in text)
