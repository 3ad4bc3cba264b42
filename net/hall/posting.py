"""A posting: a peer's own words to a whole hall, signed with its key, so that any peer may pass them on.

Its content says who the peer is, where it listens and which tables it hosts. A beat says that the content still holds.
Values and their shapes; directory.py keeps them. Specification: docs/protocols/hall.md, "Postings".
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.core.shapes import binary, binary_up_to, listed, pack, row, text, unpack, whole, word
from quadrille.net.entries.terms import KEY, KINDS, LOOKOUT
from quadrille.net.entries.wire import Offer
from quadrille.net.trust.identity import Identity, peer_of, verified

#: Maximum bytes of a content; a host with more tables than fit posts the first of them.
MOST_CONTENT: Final = 12_000
MOST_PLACES: Final = 4
MOST_TABLES: Final = 32
#: Maximum seconds for which one beat keeps a posting alive.
LONGEST_LIFE: Final = 3600
#: Bytes of a mark, by which peers compare what they keep.
MARK_BYTES: Final = 8
#: Larger than any serial or beat.
MOST_SERIALS: Final = 2**53
MARK: Final = binary(MARK_BYTES)
LIFE: Final = whole(LONGEST_LIFE)
SIGNED: Final = binary(64)
_PLACE: Final = row(text(64), whole(65535, 1))
_CONTENT: Final = row(listed(_PLACE, MOST_PLACES), text(40), word(*KINDS, LOOKOUT), listed(Offer.SHAPE, MOST_TABLES))
POSTING: Final = row(KEY, whole(MOST_SERIALS), binary_up_to(MOST_CONTENT), whole(MOST_SERIALS), LIFE, SIGNED)
_LABEL: Final = b"quadrille/posting"


class HallPlace(NamedTuple):
    """An address at which a peer says that it listens."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class PostedWords:
    """The content of a posting."""

    places: tuple[HallPlace, ...]
    name: str
    kind: str
    tables: tuple[tuple[Any, ...], ...]

    def packed(self) -> bytes:
        return pack((tuple(tuple(place) for place in self.places), self.name, self.kind, self.tables))


@dataclass(frozen=True)
class Posting:
    """A peer's content, its newest beat, and the signature over both.

    A content with a higher `serial` replaces one with a lower. An empty content is a farewell. After a beat the content
    holds for `lives` seconds.
    """

    key: bytes
    serial: int
    content: bytes
    beat: int = 0
    lives: int = 0
    signature: bytes = bytes(64)

    @cached_property
    def hash(self) -> bytes:
        """The hash of all but the beat."""
        return short("hall/posting", self.key, self.serial.to_bytes(8, "big"), self.content)

    @property
    def mark(self) -> bytes:
        """The short name of this content among those that peers compare."""
        return self.hash[:MARK_BYTES]

    @cached_property
    def peer(self) -> bytes:
        """The ZRE identity of its author."""
        return peer_of(self.key)

    @cached_property
    def words(self) -> PostedWords:
        """The content decoded; a `PeerError` if it has another shape."""
        if self.is_farewell:
            return PostedWords((), "", "person", ())
        value = unpack(self.content)
        if not _CONTENT.fits(value):
            raise PeerError(f"the content of a posting is {_CONTENT.says}")
        places, name, kind, tables = value
        return PostedWords(tuple(HallPlace(*place) for place in places), name, kind, tables)

    @property
    def is_farewell(self) -> bool:
        return not self.content

    @property
    def version(self) -> tuple[int, bytes]:
        """The order in which contents stand; two of one serial are ordered alike everywhere."""
        return (self.serial, self.mark)

    def statement(self, beat: int, lives: int) -> bytes:
        """The statement that its author signs with a beat."""
        return _LABEL + self.hash + beat.to_bytes(8, "big") + lives.to_bytes(4, "big")

    def signed(self, identity: Identity, beat: int, lives: int) -> "Posting":
        """The same content with a new beat by its author."""
        return self.renewed(beat, lives, identity.sign(self.statement(beat, lives)))

    def renewed(self, beat: int, lives: int, signature: bytes) -> "Posting":
        """The same content with a newer beat."""
        renewed = replace(self, beat=beat, lives=lives, signature=signature)
        renewed.__dict__["hash"] = self.hash  # the content is the same
        if "words" in self.__dict__:
            renewed.__dict__["words"] = self.words
        return renewed

    def is_signed(self) -> bool:
        return self._is_signed

    @cached_property
    def _is_signed(self) -> bool:
        return verified(self.key, self.signature, self.statement(self.beat, self.lives))

    def plain(self) -> tuple[Any, ...]:
        """The posting in messages."""
        return (self.key, self.serial, self.content, self.beat, self.lives, self.signature)


def read_posting(value: tuple[Any, ...]) -> Posting:
    """A posting from a value of the right shape."""
    return Posting(*value)


def hosted_first(offer: tuple[Any, ...]) -> bool:
    """Sort key: tables that need players come before all others."""
    return bool(offer[4] != "open")


def content_of(places: tuple[HallPlace, ...], name: str, kind: str, tables: tuple[tuple[Any, ...], ...]) -> bytes:
    """The bytes of a content; open tables come first, and tables that do not fit are left out."""
    chosen = tuple(sorted(tables, key=hosted_first)[:MOST_TABLES])
    while len(content := PostedWords(places[:MOST_PLACES], name, kind, chosen).packed()) > MOST_CONTENT:
        chosen = chosen[:-1]
    return content
