"""Private rooms: the port and key derived from a room's name and passphrase, and the run that proves them on a link.

Pure functions. Links are CURVE; a peer is its CURVE key; CPace (pake.py) proves the passphrase without revealing it.
door.py says which peers are inside. Specification: docs/protocols/rooms.md.
"""

import hashlib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from quadrille.net.core.errors import LocalError
from quadrille.net.private_room.pake import PakeRun, lv_cat

#: The header of HELLO that carries its sender's nonce, in hexadecimal digits.
HEADER: Final = "X-ROOM"
NONCE_BYTES: Final = 32
LONGEST_WORDS: Final = 256
PORTS: Final = range(49152, 65536)

_LABEL: Final = b"quadrille/room/2"


@dataclass(frozen=True, slots=True)
class PrivateRoom:
    """A separate network for people who share a passphrase."""

    name: str
    passphrase: str


def port(name: str) -> int:
    """Derive the UDP port of a room's beacons from its name alone, so nobody can test passphrases against a port."""
    digest = hashlib.blake2b(b"quadrille/port/1" + _plain(name, "name of a room")).digest()
    return PORTS[int.from_bytes(digest[:2], "big") % len(PORTS)]


def room_key(name: str, passphrase: str) -> bytes:
    """Derive the secret of all who know a room's passphrase: slowly, so that a stolen key hides the passphrase."""
    salt = b"quadrille/room/1" + _plain(name, "name of a room")
    return hashlib.scrypt(_plain(passphrase, "passphrase"), salt=salt, n=2**14, r=8, p=1, dklen=32, maxmem=64 * 2**20)


def weakness(passphrase: str) -> str | None:
    """Warn of a passphrase that is easily guessed; none is refused for it."""
    if len(passphrase) >= 16:
        return None
    return "a program that tries a guess every minute can find a short passphrase: take four words or more"


def _plain(words: str, what: str) -> bytes:
    """Normalise typed words to the same bytes on every keyboard."""
    plain = " ".join(unicodedata.normalize("NFC", words).split())
    if not plain or len(plain) > LONGEST_WORDS or not plain.isprintable():
        raise LocalError(f"the {what} should be a line of 1 to {LONGEST_WORDS} printable characters")
    return plain.encode()


@dataclass(frozen=True, slots=True, repr=False)
class RoomLock:
    """The part of a private room that a node asks before it reads anything: a CURVE key pair (32 bytes each), and the
    keys that may connect.

    `allows(key)` is called before anything from a stranger is read. `certify(id, key)`, if given, says whether an
    identity belongs to a key; without it the first key that uses an identity owns it.
    """

    public: bytes
    secret: bytes
    allows: Callable[[bytes], bool]
    certify: Callable[[bytes, bytes], bool] | None = None


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link as a proof binds it: its CURVE key, its ZRE identity, and the nonce of its HELLO."""

    curve: bytes
    peer: bytes
    nonce: bytes

    @property
    def data(self) -> bytes:
        """The data that a run authenticates with this end's share (AD)."""
        return self.curve + self.peer + self.nonce


def run_between(key: bytes, mine: LinkEnd, theirs: LinkEnd, draw: Callable[[int], bytes]) -> PakeRun:
    """Begin a run of CPace over one link: valid only between these two ends and their two HELLOs."""
    low, high = sorted((mine, theirs), key=lambda end: end.curve)
    channel = lv_cat(_LABEL, low.curve, low.peer, high.curve, high.peer)
    return PakeRun(key, channel=channel, session=low.nonce + high.nonce, data=mine.data, draw=draw)


def read_nonce(header: str | None) -> bytes | None:
    """Read the nonce in the header of a HELLO; None if it is not a room's HELLO."""
    if header is None or len(header) != 2 * NONCE_BYTES or not set(header) <= set("0123456789abcdef"):
        return None
    return bytes.fromhex(header)
