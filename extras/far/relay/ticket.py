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
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from quadrille.extras.far.relay.word_code import BITS, CHECKS, checked, is_right, wrong_place
from quadrille.extras.far.relay.words import WORDS
from quadrille.net.core.errors import LocalError
from quadrille.net.private_room.room import PrivateRoom
from quadrille.rules.squares import quoted

#: The version of this chapter, and its bits.
VERSION: Final = 1
_VERSION_BITS: Final = 4
SECRET_BITS: Final = 60
#: The TCP port of a relay unless it has another.
RELAY_PORT: Final = 4696
#: Maximum places of one ticket; more would be more words than anybody wants to say.
MOST_PLACES: Final = 4

#: Kinds of places, two bits each.
_END, _IPV4, _IPV4_PORT, _IPV6_PORT = range(4)
_KIND_BITS: Final = 2
_PORT_BITS: Final = 16
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

    number: bytes
    seal: bytes = field(repr=False)
    room: PrivateRoom = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ticket:
    """Where to meet, in the order of preference, and a secret of 60 bits."""

    places: tuple[MeetingPlace, ...]
    secret: int = field(repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        bits = _Bits()
        bits.put(VERSION, _VERSION_BITS)
        bits.put(self.secret, SECRET_BITS)
        for place in self.places:
            if place.address.version == 6:
                bits.put(_IPV6_PORT, _KIND_BITS)
            else:
                bits.put(_IPV4 if place.port == RELAY_PORT else _IPV4_PORT, _KIND_BITS)
            bits.put(int(place.address), place.address.max_prefixlen)
            if place.address.version == 6 or place.port != RELAY_PORT:
                bits.put(place.port, _PORT_BITS)
        bits.put(_END, _KIND_BITS)
        return tuple(WORDS[number] for number in checked(bits.numbers()))

    @property
    def text(self) -> str:
        """One word of a command line, easily read aloud."""
        return "-".join(self.words)

    @property
    def keys(self) -> MeetingKeys:
        """Slow to compute, so that nobody can try secrets on what a relay sees."""
        return _keys(self.secret)


def new_ticket(places: Sequence[MeetingPlace], draw: Callable[[int], int] = secrets.randbits) -> Ticket:
    """A ticket with a fresh secret."""
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
    """Whether a person means a ticket: several words, most of them those of tickets."""
    typed = _typed(words)
    return len(typed) > 3 and 2 * sum(word in _NUMBERS for word in typed) > len(typed)


def read(words: Sequence[str]) -> Ticket:
    """The ticket that somebody has typed; a LocalError names the word that is wrong."""
    typed = _typed(words)
    if len(typed) > _MOST_WORDS:
        raise LocalError(f"a ticket has at most {_MOST_WORDS} words, and these are {len(typed)}")
    for place, word in enumerate(typed):
        if word not in _NUMBERS:
            raise LocalError(_no_word(place, word))
    numbers = [_NUMBERS[word] for word in typed]
    if len(numbers) <= CHECKS:
        raise LocalError("a ticket has a dozen words or more: say all of them")
    if not is_right(numbers):
        raise LocalError(_slip(numbers))
    return _meant(numbers)


def _meant(numbers: Sequence[int]) -> Ticket:
    """The ticket of words that are right."""
    bits = _Bits(numbers[:-CHECKS])
    if (version := bits.take(_VERSION_BITS)) != VERSION:
        which = "this program is older" if version > VERSION else "this program is newer"
        raise LocalError(
            f"this ticket is of version {version}, and this program reads version {VERSION}: {which} than the one that "
            "made it, so both need the same"
        )
    secret = bits.take(SECRET_BITS)
    places: list[MeetingPlace] = []
    while (kind := bits.take(_KIND_BITS)) != _END and len(places) < MOST_PLACES:
        places.append(_place(kind, bits))
    if kind != _END or not places or not bits.ends():
        raise LocalError("this is no ticket: its words are right, and what they hold is not. Ask for a new one")
    return Ticket(tuple(places), secret)


def _place(kind: int, bits: "_Bits") -> MeetingPlace:
    six = kind == _IPV6_PORT
    address: Address = ipaddress.IPv6Address(bits.take(128)) if six else ipaddress.IPv4Address(bits.take(32))
    port = RELAY_PORT if kind == _IPV4 else bits.take(_PORT_BITS)
    if not port or address.is_multicast or address.is_unspecified:
        raise LocalError(f"this ticket leads to {address} port {port}, where nobody can be: ask for a new one")
    return MeetingPlace(address, port)


def _typed(words: Sequence[str]) -> list[str]:
    return [word for word in _PARTING.split(" ".join(words).lower()) if word]


def _no_word(place: int, word: str) -> str:
    near = difflib.get_close_matches(word, WORDS, n=1, cutoff=0.6)
    hint = f": perhaps {quoted(near[0])}" if near else ": ask for this word again"
    return f"word {place + 1} of the ticket, {quoted(word)}, is none that tickets have{hint}"


def _slip(numbers: Sequence[int]) -> str:
    """The words for the slip after which a ticket would read like this. A repaired row has to be a ticket, so that
    another slip seldom looks like it.
    """
    for repaired, words in _repairs(numbers):
        with contextlib.suppress(LocalError):
            _meant(repaired)
            return words
    return "several words of the ticket are wrong, or some are missing: ask for all of them again"


def _repairs(numbers: Sequence[int]) -> Iterator[tuple[Sequence[int], str]]:
    """The rows of words with right checks that one slip leads away from, each with words for that slip."""
    said = [quoted(WORDS[number]) for number in numbers]
    if (found := wrong_place(numbers)) is not None:
        at, right = found
        repaired = [*numbers[:at], right, *numbers[at + 1 :]]
        yield repaired, f"word {at + 1} of the ticket, {said[at]}, is wrong: perhaps {quoted(WORDS[right])}"
    for at in range(len(numbers) - 1):
        if is_right(repaired := [*numbers[:at], numbers[at + 1], numbers[at], *numbers[at + 2 :]]):
            both = f"words {at + 1} and {at + 2} of the ticket, {said[at]} and {said[at + 1]}"
            yield repaired, f"{both}, are the wrong way round"
    for at in range(len(numbers)):
        if is_right(repaired := [*numbers[:at], *numbers[at + 1 :]]):
            yield repaired, f"word {at + 1} of the ticket, {said[at]}, is one too many"
    for at in range(len(numbers) + 1):
        # A guess in the gap is the wrong word there, unless it is right by chance.
        for guess in (0, 1):
            found = wrong_place([*numbers[:at], guess, *numbers[at:]])
            if found is not None and found[0] == at:
                after = f"after {said[at - 1]}" if at else "before the first"
                repaired = [*numbers[:at], found[1], *numbers[at:]]
                yield repaired, f"a word of the ticket is missing {after}: perhaps {quoted(WORDS[found[1]])}"
                break


class _Bits:
    """A row of bits, the highest first, as numbers of ten bits."""

    __slots__ = ("_left", "_number")

    def __init__(self, numbers: Sequence[int] = ()) -> None:
        self._number = functools.reduce(lambda before, number: before << BITS | number, numbers, 0)
        self._left = BITS * len(numbers)

    def put(self, value: int, bits: int) -> None:
        self._number = self._number << bits | value
        self._left += bits

    def numbers(self) -> list[int]:
        """All of them, with zeros up to a whole word."""
        filled = self._number << -self._left % BITS
        count = -(-self._left // BITS)
        return [filled >> BITS * place & (1 << BITS) - 1 for place in reversed(range(count))]

    def take(self, bits: int) -> int:
        """The next bits; zeros beyond the end."""
        self._left -= bits
        return self._number >> self._left & (1 << bits) - 1 if self._left >= 0 else 0

    def ends(self) -> bool:
        """Whether only the zeros that fill the last word are left."""
        return 0 <= self._left < BITS and not self._number & (1 << self._left) - 1
