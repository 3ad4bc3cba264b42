"""The invitation to an evening for phones: the port, the secret that opens it, and the short code for those who type.

The secret stands in a QR code, in the fragment of an address, which no browser sends to anybody. The host's store keeps
the invitation until the evening ends.
"""

import re
import secrets
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Self

from quadrille.value import value

#: The letters of a code (38 bits in 8): no vowels, so that no code is a word or a name.
_CODE_LETTERS: Final = "bcdfghjkmnpqrstvwxyz23456789"
#: The letters of a secret: 5 bits each, and none that is easily taken for another.
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_SECRET: Final = 16
_CODE: Final = 8
#: Bytes of the token by which a phone comes back to its seat.
TOKEN: Final = 16


def short_code() -> str:
    """Return a new short code, such as k7m2-9xqd, for somebody to type."""
    return _dashed("".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE)))


@value
class PhoneInvitation:
    """The invitation that lets phones come to one evening. `secret` has 80 bits and no dashes; `code` has a dash."""

    port: int
    secret: str
    code: str

    @classmethod
    def new(cls, port: int) -> Self:
        return cls(port, "".join(secrets.choice(_LETTERS) for _ in range(_SECRET)), short_code())

    def address(self, host: str) -> str:
        """Return what a person types into a browser."""
        return f"http://{host}:{self.port}/"

    def link(self, host: str) -> str:
        """Return what the QR code says: the address, and the secret in its fragment."""
        return f"{self.address(host)}#{_dashed(self.secret)}"

    def __repr__(self) -> str:
        """Leave the secret out: it never gets into a log or a report of a crash."""
        return f"PhoneInvitation(port={self.port})"


def _dashed(letters: str) -> str:
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


#: Empty cells on every side, without which no camera finds the code (ISO/IEC 18004).
QUIET: Final = 4
#: Signs for two cells, one over the other: (upper, lower), dark or not.
_BLOCKS: Final = {("0", "0"): " ", ("1", "0"): "▀", ("0", "1"): "▄", ("1", "1"): "█"}


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
    return re.sub(r'([\\;,":])', r"\\\1", text)
