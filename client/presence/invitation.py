"""The invitation to an evening for phones: the port, the secret that opens it, and the short code for those who type.

The secret stands in a QR code, in the fragment of an address, which no browser sends to anybody. The program that
serves guests makes an invitation, keeps it in a private file until the evening ends, and tells it to the host's
program by a pipe: never on a command line, which others can read.
"""

import json
import os
import secrets
import time
from pathlib import Path
from typing import Final, Self

from quadrille.value import value

#: The letters of a code (38 bits in 8): no vowels, so that no code is a word or a name.
_CODE_LETTERS: Final = "bcdfghjkmnpqrstvwxyz23456789"
#: The letters of a secret: 5 bits each, and none that is easily taken for another.
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_SECRET: Final = 16
_CODE: Final = 8
#: Seconds for which an invitation outlives a program that was killed.
_LASTS: Final = 24 * 3600


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

    @classmethod
    def kept(cls, file: Path) -> Self | None:
        """Return the invitation of an evening that was cut off, after a day with new secrets; None if there is none."""
        try:
            found = cls.from_json(file.read_bytes())
            return found if time.time() - file.stat().st_mtime < _LASTS else cls.new(found.port)
        except (OSError, ValueError):
            return None

    def keep(self, file: Path) -> None:
        """Write the invitation to a file that nobody else can read; it replaces an older one whole."""
        part = file.with_suffix(".part")
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
            written.write(self.to_json())
        part.replace(file)

    def address(self, host: str) -> str:
        """Return what a person types into a browser."""
        return f"http://{host}:{self.port}/"

    def link(self, host: str) -> str:
        """Return what the QR code says: the address, and the secret in its fragment."""
        return f"{self.address(host)}#{_dashed(self.secret)}"

    def to_json(self) -> str:
        return json.dumps({"port": self.port, "secret": self.secret, "code": self.code})

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """Read `to_json`; raise ValueError for anything else."""
        match json.loads(line):
            case {"port": int(port), "secret": str(secret), "code": str(code)}:
                if 0 < port < 1 << 16 and _is_made_of(secret, _LETTERS, _SECRET) and _is_code(code):
                    return cls(port, secret, code)
        raise ValueError("this is no invitation")

    def __repr__(self) -> str:
        """Leave the secret out: it never gets into a log or a report of a crash."""
        return f"PhoneInvitation(port={self.port})"


def _dashed(letters: str) -> str:
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def _is_made_of(text: str, letters: str, length: int) -> bool:
    return len(text) == length and set(text) <= set(letters)


def _is_code(text: str) -> bool:
    return len(text) == _CODE + 1 and text[4] == "-" and _is_made_of(text.replace("-", ""), _CODE_LETTERS, _CODE)
