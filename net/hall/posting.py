"""A posting: a peer's name, kind and offered tables, signed with its key, in parts that each fit a datagram.

Values and their bytes; hall.py keeps them. Specification with vectors: docs/protocols/hall.md, "Postings".
"""

from dataclasses import dataclass, replace
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import binary_up_to, pack, row, text, unpack, whole
from quadrille.net.entries.terms import KEY
from quadrille.net.entries.wire import Advert
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.trust.identity import SIGNATURE_BYTES, Identity, verified

#: The first bytes of a part, as a datagram and on a link, and of a part that somebody else passes on.
POSTED: Final = b"QDP\x01"
PASSED: Final = b"QDP\x02"
POSTINGS: Final = (POSTED, PASSED)
#: Maximum bytes of content in one part, whose datagram of at most 1,330 Ethernet does not split; and maximum parts.
MOST_OF_PART: Final = 1200
MOST_PARTS: Final = 8
#: Larger than any serial. Serials are milliseconds since 1970 when a program starts, so a restart has a higher one.
MOST_SERIAL: Final = 2**53
#: Maximum seconds for which a posting holds after it came.
LONGEST_LIFE: Final = 3600
_BODY: Final = row(
    KEY, whole(MOST_SERIAL), whole(LONGEST_LIFE), whole(65535, 1), whole(MOST_PARTS - 1), whole(MOST_PARTS, 1),
    binary_up_to(MOST_OF_PART),
)  # fmt: skip
_PASSED: Final = row(text(64), whole(65535, 1), binary_up_to(2 * MOST_OF_PART))
_LABEL: Final = b"quadrille/posting/1"


@dataclass(frozen=True, slots=True)
class PostingPart:
    """One part of a posting. `port` is the TCP port where its author listens; its address is the datagram's."""

    body: bytes
    signature: bytes
    key: bytes
    serial: int
    lives: int
    port: int
    number: int
    parts: int
    piece: bytes

    def is_signed(self, realm: bytes) -> bool:
        return verified(self.key, self.signature, _LABEL + realm + self.body)


def parts_of(identity: Identity, realm: bytes, serial: int, lives: int, port: int, content: bytes) -> list[bytes]:
    """Write all parts. `realm` is the private room in which they hold; empty in the open network."""
    pieces = [content[at : at + MOST_OF_PART] for at in range(0, len(content), MOST_OF_PART)] or [b""]
    bodies = [
        pack((identity.key, serial, lives, port, number, len(pieces), piece)) for number, piece in enumerate(pieces)
    ]
    return [POSTED + identity.sign(_LABEL + realm + body) + body for body in bodies]


def read_part(data: bytes) -> PostingPart:
    """Read a part from foreign bytes; its signature is not checked yet."""
    start = len(POSTED) + SIGNATURE_BYTES
    if data[: len(POSTED)] != POSTED or len(data) < start:
        raise PeerError("a datagram that is no posting")
    value = unpack(data[start:])
    if not _BODY.fits(value) or value[4] >= value[5]:
        raise PeerError(f"a part of a posting is {_BODY.says}")
    return PostingPart(data[start:], data[len(POSTED) : start], *value)


def passed(host: str, port: int, data: bytes) -> bytes:
    """Write the message that passes a part on, with the place where its author was met."""
    return PASSED + pack((host, port, data))


def read_passed(message: bytes) -> tuple[Endpoint, PostingPart]:
    """Read the place and the part that a peer passes on."""
    value = unpack(message[len(PASSED) :])
    if not _PASSED.fits(value):
        raise PeerError(f"a posting that is passed on is {_PASSED.says}")
    host, port, data = value
    return Endpoint(host, port), read_part(data)


def content_of(advert: Advert) -> bytes:
    """Write the content of an advert. Put tables that need players first; leave out those that do not fit."""
    tables = tuple(sorted(advert.tables, key=lambda offer: offer.state != "open"))
    while len(content := pack(replace(advert, tables=tables).plain())) > MOST_OF_PART * MOST_PARTS:
        tables = tables[:-1]
    return content


def advert_of(content: bytes) -> Advert:
    return Advert.read(unpack(content))
