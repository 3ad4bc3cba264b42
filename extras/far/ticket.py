"""A ticket: the words by which two people far from each other meet. They hold a secret, and the places to meet at.

`Ticket.text` is to be said aloud, `read` takes it back and names the word that is wrong. The secret becomes the
number of the meeting, the key that hides it from its relays, and a private room (net/private_room/). Its door lets in
those alone who have the ticket. Specification: extras/far/docs/relay.md, "Tickets".
"""

import contextlib
import difflib
import functools
import hashlib
import ipaddress
import itertools
import re
import secrets
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from quadrille.extras.far.words import WORDS
from quadrille.net.core.errors import LocalError
from quadrille.net.private_room.room import PrivateRoom
from quadrille.rules.squares import quoted

#: Bits of a word, and number of check words.
_BITS: Final = 10
_CHECKS: Final = 2
#: The version of this chapter.
VERSION: Final = 1
SECRET_BITS: Final = 60
#: The TCP port of a relay unless it has another.
RELAY_PORT: Final = 4696
#: Maximum places of one ticket; more would be more words than anybody wants to say.
MOST_PLACES: Final = 4

#: Kinds of places, two bits each.
_END, _IPV4, _IPV4_PORT, _IPV6_PORT = range(4)
_MOST_WORDS: Final = 80
#: Words of a ticket are parted by anything that no word has.
_PARTING: Final = re.compile(r"[\s\-_,.;:/+]+")
_NUMBERS: Final = {word: number for number, word in enumerate(WORDS)}

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class MeetingPlace:
    """Address and TCP port of a relay."""

    address: Address
    port: int = RELAY_PORT

    def __str__(self) -> str:
        host = f"[{self.address}]" if self.address.version == 6 else str(self.address)
        return host if self.port == RELAY_PORT else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class MeetingKeys:
    """All that a program needs to meet the others, made of a ticket's secret."""

    number: bytes = field(repr=False)
    seal: bytes = field(repr=False)
    room: PrivateRoom = field(repr=False)

    def room_at(self, place: MeetingPlace) -> str:
        """Return the name of the meeting at a relay. At another relay it has another name."""
        return hashlib.blake2b(f"{place.address} {place.port}".encode(), key=self.number, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Ticket:
    """Where to meet, in the order of preference, and a secret of 60 bits."""

    places: tuple[MeetingPlace, ...]
    secret: int = field(repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        bits = f"{VERSION:04b}{self.secret:060b}"
        for address, port in ((place.address, place.port) for place in self.places):
            six = address.version == 6
            kind = _IPV6_PORT if six else _IPV4 if port == RELAY_PORT else _IPV4_PORT
            bits += f"{kind:02b}{int(address):0{address.max_prefixlen}b}" + (f"{port:016b}" if kind != _IPV4 else "")
        bits += "00"
        bits += "0" * (-len(bits) % _BITS)
        numbers = [int(bits[at : at + _BITS], 2) for at in range(0, len(bits), _BITS)]
        return tuple(WORDS[number] for number in (*numbers, *checks(numbers)))

    @property
    def text(self) -> str:
        """One word of a command line, easily read aloud."""
        return "-".join(self.words)

    @property
    def keys(self) -> MeetingKeys:
        """Return the keys, which are slow to compute: nobody can try secrets on what a relay sees."""
        return _keys(self.secret)


def new_ticket(places: Sequence[MeetingPlace], draw: Callable[[int], int] = secrets.randbits) -> Ticket:
    """Make a ticket with a fresh secret."""
    if not places:
        raise LocalError("a ticket needs a place to meet at: name a relay with --relay HOST")
    if len(places) > MOST_PLACES:
        raise LocalError(f"a ticket of {len(places)} places is too long to say: at most {MOST_PLACES} fit in")
    return Ticket(tuple(places), draw(SECRET_BITS))


@functools.lru_cache(maxsize=8)
def _keys(secret: int) -> MeetingKeys:
    plain = secret.to_bytes((SECRET_BITS + 7) // 8, "big")
    made = hashlib.scrypt(plain, salt=b"quadrille/ticket/1", n=2**14, r=8, p=1, dklen=80, maxmem=64 * 2**20)
    number = made[:16]
    return MeetingKeys(number, made[16:48], PrivateRoom(f"ticket {number.hex()}", made[48:].hex()))


# Reading


def is_ticket(words: Sequence[str]) -> bool:
    """Return True if a person means a ticket: several words, most of them those of tickets."""
    typed = _typed(words)
    return len(typed) > 3 and 2 * sum(word in _NUMBERS for word in typed) > len(typed)


def read(words: Sequence[str]) -> Ticket:
    """Read the ticket that somebody has typed; a LocalError names the word that is wrong."""
    typed = _typed(words)
    if len(typed) > _MOST_WORDS:
        raise LocalError(f"a ticket has at most {_MOST_WORDS} words, and these are {len(typed)}")
    for place, word in enumerate(typed):
        if word not in _NUMBERS:
            raise LocalError(_no_word(place, word))
    numbers = [_NUMBERS[word] for word in typed]
    if len(numbers) <= _CHECKS:
        raise LocalError("a ticket has a dozen words or more: say all of them")
    if not is_right(numbers):
        raise LocalError(_slip(numbers))
    return _meant(numbers[:-_CHECKS])


def checks(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the check words of a row: the first 20 bits of its CRC-32."""
    first = zlib.crc32(struct.pack(f">{len(numbers)}H", *numbers)) >> 32 - 2 * _BITS
    return first >> _BITS, first & (1 << _BITS) - 1


def is_right(numbers: Sequence[int]) -> bool:
    return checks(numbers[:-_CHECKS]) == tuple(numbers[-_CHECKS:])


def _meant(numbers: Sequence[int]) -> Ticket:
    """Return the ticket of words that are right, without the check words."""
    bits = iter("".join(f"{number:010b}" for number in numbers))

    def take(count: int) -> int:
        if len(taken := "".join(itertools.islice(bits, count))) < count:
            raise LocalError(_NONE)
        return int(taken, 2)

    if (version := take(4)) != VERSION:
        which = "this program is older" if version > VERSION else "this program is newer"
        raise LocalError(
            f"this ticket is of version {version}, and this program reads version {VERSION}: {which} than the one that "
            "made it, so both need the same"
        )
    secret = take(SECRET_BITS)
    places: list[MeetingPlace] = []
    while kind := take(2):
        address: Address = ipaddress.IPv6Address(take(128)) if kind == _IPV6_PORT else ipaddress.IPv4Address(take(32))
        port = RELAY_PORT if kind == _IPV4 else take(16)
        if not port or address.is_multicast or address.is_unspecified:
            raise LocalError(f"this ticket leads to {address} port {port}, where nobody can be: ask for a new one")
        places.append(MeetingPlace(address, port))
    rest = "".join(bits)
    if not 0 < len(places) <= MOST_PLACES or len(rest) >= _BITS or "1" in rest:
        raise LocalError(_NONE)
    return Ticket(tuple(places), secret)


_NONE: Final = "this is no ticket: its words are right, and what they hold is not. Ask for a new one"


def _typed(words: Sequence[str]) -> list[str]:
    return [word for word in _PARTING.split(" ".join(words).lower()) if word]


def _no_word(place: int, word: str) -> str:
    near = difflib.get_close_matches(word, WORDS, n=1, cutoff=0.6)
    hint = f": perhaps {quoted(near[0])}" if near else ": ask for this word again"
    return f"word {place + 1} of the ticket, {quoted(word)}, is none that tickets have{hint}"


def _slip(numbers: Sequence[int]) -> str:
    """Return words for the slip after which a ticket would read like this. A repaired row has to be a ticket, so that
    another slip seldom looks like it.
    """
    for repaired, words, right in _repairs(numbers):
        if is_right(repaired):
            with contextlib.suppress(LocalError):
                _meant(repaired[:-_CHECKS])
                return words if right is None else f"{words}: perhaps {quoted(WORDS[right])}"
    return "several words of the ticket are wrong, or some are missing: ask for all of them again"


def _repairs(numbers: Sequence[int]) -> Iterator[tuple[list[int], str, int | None]]:
    """Yield the rows of words that one slip leads away from, each with words for that slip and with the right word."""
    words = [quoted(WORDS[number]) for number in numbers]
    for at in range(len(numbers) - 1):
        both = f"words {at + 1} and {at + 2} of the ticket, {words[at]} and {words[at + 1]}"
        swapped = [*numbers[:at], numbers[at + 1], numbers[at], *numbers[at + 2 :]]
        yield swapped, f"{both}, are the wrong way round", None
    for at in range(len(numbers)):
        added = f"word {at + 1} of the ticket, {words[at]}, is one too many"
        yield [*numbers[:at], *numbers[at + 1 :]], added, None
    for at in range(len(numbers)):
        wrong = f"word {at + 1} of the ticket, {words[at]}, is wrong"
        for right in range(len(WORDS)):
            yield [*numbers[:at], right, *numbers[at + 1 :]], wrong, right
    for at in range(len(numbers) + 1):
        missing = f"a word of the ticket is missing {f'after {words[at - 1]}' if at else 'before the first'}"
        for right in range(len(WORDS)):
            yield [*numbers[:at], right, *numbers[at:]], missing, right
