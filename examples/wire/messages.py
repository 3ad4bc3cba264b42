"""The messages of peers at tables: bytes to values and back, and their authors.

Specification: docs/protocols/tables.md, "Hashes", "Messages" and "Terms", and docs/protocols/log.md, "The log" (one
entry). Foreign bytes become values here and nowhere else; whatever is wrong with them is a ValueError.
"""

import hashlib
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import msgpack
from ed25519 import key_of, sign, verified

VERSION = 3
NOBODY, UNSIGNED = bytes(32), bytes(64)
#: The prefix of the signed bytes of a message.
PREFIX = b"quadrille/message/3"
MOST_BYTES = 65536
Kind = IntEnum(
    "Kind",
    "ASK ANSWER INVITE PROPOSE ACCEPT REVEAL ENTRIES HEAD WANT MOTION DECLINE RESIGN CHAT GONE UNUSED BOOK "
    "ENGAGE ENGAGED WORDS VOUCH",
    start=1,
)

# A shape: a number is that many bytes, a type a value of it, [shape] a list, (shape, …) just these, a set one of these,
# ANY anything.
ANY = object()
# Terms may grow: those of a table are compared with these where somebody means to sit down.
TERMS = (str, int, [(str, ANY)], int, ANY, str, bool, bool, int, frozenset({int, type(None)}))
CHAIR = frozenset({(32, str, str), (32, str, str, str)})  # one of a guest names the peer that it is at
#: The messages that this peer listens to, and the entries that can stand at a table of two without hidden cards.
SHAPES: dict[int, Any] = {
    Kind.ASK: frozenset({(16, str, str, str), (16, str, str, str, ANY)}),
    Kind.ANSWER: (16, bool, str),
    Kind.PROPOSE: (16, int, ANY, [CHAIR]),
    Kind.ACCEPT: (16, int, 32, 32, 64),
    Kind.REVEAL: (16, int, 32, [(32, 64)], 64),
    Kind.ENTRIES: (16, [bytes]),
    Kind.HEAD: (16, int, 32),
    Kind.WANT: (16, int),
    Kind.MOTION: (16, 32, (str, int, 32, str), int, 64),
    Kind.RESIGN: (16, int, 64, bytes),
}
#: "Postings": a part without its signature, and the content of a whole one. Halls also pass parts on.
POSTED = b"QDP\x01"
PART = (32, int, int, int, int, int, bytes)
WORDS = (str, str, [(16, 32, ANY, [CHAIR], str, int)])
CORE = (16, int, 32, 32, str, ANY, int, 32)
BODIES = {
    "begin": (ANY, [CHAIR], int, [32], [64], [32], [64]),
    "move": (str,),
    "left": (int, str, bytes, bytes),
}


def fits(value: Any, shape: Any) -> bool:
    """Return whether a value has that shape; no number here is below 0."""
    if isinstance(shape, int):
        return isinstance(value, bytes) and len(value) == shape
    if shape is int:
        return type(value) is int and value >= 0
    if isinstance(shape, type):
        return type(value) is shape
    if isinstance(shape, frozenset):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, tuple) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return isinstance(value, tuple) and len(value) == len(shape) and all(map(fits, value, shape))
    return True


def shaped(value: Any, shape: Any) -> Any:
    """Return the value; raise a ValueError if it has another shape."""
    if not fits(value, shape):
        raise ValueError("a message or an entry of another shape")
    return value


def hashed(tag: str, *parts: bytes) -> bytes:
    """Return H, 64 bytes ("Hashes"); `lp` is the length in 4 bytes before each part."""
    row = (b"dotter/v1/" + tag.encode(), *parts)
    return hashlib.sha512(b"".join(len(part).to_bytes(4, "big") + part for part in row)).digest()


def short(tag: str, *parts: bytes) -> bytes:
    """Return h, the first 32 of them ("Hashes")."""
    return hashed(tag, *parts)[:32]


def pack(value: Any) -> bytes:
    """Pack a value by msgpack, each thing in its shortest form ("Hashes")."""
    packed: bytes = msgpack.packb(value)
    return packed


def unpack(data: bytes) -> Any:
    """Unpack, and "refuse any other form, maps, fractions, extensions, and arrays more than 16 deep"."""

    def is_plain(value: Any, depth: int) -> bool:
        if type(value) is tuple:
            return depth > 0 and all(is_plain(item, depth - 1) for item in value)
        return value is None or type(value) in (int, str, bytes, bool)

    try:
        value = msgpack.unpackb(data, use_list=False)
        if len(data) > MOST_BYTES or not is_plain(value, 16) or pack(value) != data:
            raise ValueError("msgpack that is not as we write it")
    except (TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise ValueError("no msgpack") from error
    return value


def sealed(secret: bytes, number: int, *fields: Any) -> bytes:
    """Seal an envelope: version, author, body, signature ("Messages")."""
    body = pack((int(number), fields))
    return pack((VERSION, key_of(secret), body, sign(secret, PREFIX + body)))


def opened(data: bytes) -> tuple[bytes, int, Any]:
    """Return author, number and fields of a message; fields of any shape if nobody here listens to it. "A single entry
    that its author sends needs no envelope, since it is signed already".
    """
    value = unpack(data)
    if fits(value, (int, 32, bytes, 64)):
        version, author, body, signature = value
        number, fields = shaped(unpack(body), (int, ANY))
        if version != VERSION or not verified(author, signature, PREFIX + body):
            raise ValueError("another version, or a signature that is not its author's")
        return author, number, shaped(fields, SHAPES.get(number, ANY))
    version, number, (table, (data,)) = shaped(value, (int, int, (16, (bytes,))))
    entry = read_entry(data)
    if (
        (version, number, table) != (VERSION, Kind.ENTRIES, entry.table)
        or entry.author == NOBODY
        or not entry.is_signed
    ):
        raise ValueError("without an envelope, and no entry that proves whose it is")
    return entry.author, number, (table, (data,))


def posting(secret: bytes, serial: int, port: int, name: str) -> bytes:
    """Make a posting of one part that offers nothing, and holds for a minute ("Postings")."""
    body = pack((key_of(secret), serial, 60, port, 0, 1, pack((name, "bot", ()))))
    return POSTED + sign(secret, b"quadrille/posting/1" + body) + body


def read_part(data: bytes) -> tuple[bytes, int, int, bytes]:
    """Return author, serial, number of parts, and this part's piece of the content; refuse a forged part."""
    signature, body = data[len(POSTED) : len(POSTED) + 64], data[len(POSTED) + 64 :]
    key, serial, _, _, _, parts, piece = shaped(unpack(body), PART)
    if not verified(key, signature, b"quadrille/posting/1" + body):
        raise ValueError("a posting that its author did not sign")
    return key, serial, parts, piece


@dataclass(frozen=True)
class Entry:
    """ "The log": what was done at a table, by whom, after what, and the position that it led to."""

    table: bytes
    index: int
    before: bytes
    author: bytes
    kind: str
    body: Any
    used: int
    digest: bytes
    signature: bytes = UNSIGNED

    @cached_property
    def core(self) -> bytes:
        """All but the signature."""
        values = (self.table, self.index, self.before, self.author, self.kind, self.body, self.used, self.digest)
        return pack(values)

    @cached_property
    def hash(self) -> bytes:
        """The hash by which the next entry names this one."""
        return short("entry", self.core)

    @property
    def data(self) -> bytes:
        """The entry as it is sent and kept."""
        return pack((self.core, self.signature))

    @cached_property
    def is_signed(self) -> bool:
        """ "What all seats made together has the author and the signature zero"."""
        if self.author == NOBODY:
            return self.signature == UNSIGNED
        return verified(self.author, self.signature, b"quadrille/entry" + self.hash)

    def signed(self, secret: bytes) -> "Entry":
        return replace(self, signature=sign(secret, b"quadrille/entry" + self.hash))


def read_entry(data: bytes) -> Entry:
    """Read an entry, checked for its shape only."""
    core, signature = shaped(unpack(data), (bytes, 64))
    entry = Entry(*(*shaped(unpack(core), CORE), signature))
    shaped(entry.body, BODIES.get(entry.kind, ANY))
    return entry
