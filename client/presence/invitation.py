"""The invitation to an evening for phones: the port, the secret that opens it, and the short code for those who type.

The secret stands in a QR code, in the fragment of an address, which no browser sends to anybody. The host's store keeps
the invitation until the evening ends.
"""

import secrets
from typing import Final, Self

from quadrille.value import value

#: The letters of a code (38 bits in 8): no vowels, so that no code is a word or a name.
_CODE_LETTERS: Final = "bcdfghjkmnpqrstvwxyz23456789"
#: The letters of a secret: 5 bits each, and none that is easily taken for another.
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_SECRET: Final = 16
_CODE: Final = 8


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
