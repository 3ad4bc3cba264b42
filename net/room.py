"""Private rooms: who knows the passphrase, and how two peers show it to each other without saying it.

Pure functions (port, key and proofs of a room), and `Door`, a machine without sockets, clock and randomness that says
for one peer whom it has let in. Links are CURVE; a peer is its CURVE key. Specification, with what a proof can't do:
protocols.md, "Identity and rooms". What the door does with what it hears:

| state   | HELLO          | PROOF, right   | PROOF, wrong | ANSWER, right | ANSWER, wrong | REFUSAL | other   |
| ------- | -------------- | -------------- | ------------ | ------------- | ------------- | ------- | ------- |
| unknown | waiting        | drop           | drop         | drop          | drop          | drop    | drop    |
| waiting | waiting        | inside, answer | banned       | inside        | banned        | banned  | banned  |
| inside  | waiting        | inside, answer | banned       | drop          | drop          | drop    | node    |
| banned  | drop           | drop           | drop         | drop          | drop          | drop    | drop    |

On HELLO, one who has let nobody in yet proves itself at once: the joiner goes first. Who has let somebody in waits for
the other's proof. Where both do (two halves of a room meet), the one with the lower CURVE key goes first after YIELD.
"""

import hashlib
import hmac
import unicodedata
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.net.errors import LocalError
from quadrille.net.identity import KEY_BYTES, Identity, owner_of

#: The header of HELLO that carries its sender's nonce, in hexadecimal digits.
HEADER: Final = "X-ROOM"
NONCE_BYTES: Final = 32
LONGEST_WORDS: Final = 256
PORTS: Final = range(49152, 65536)

PROOF, ANSWER, REFUSAL = 1, 2, 3
_LABELS: Final = {PROOF: b"quadrille/join/1", ANSWER: b"quadrille/host/1"}

UNKNOWN, WAITING, INSIDE, BANNED = "unknown", "waiting", "inside", "banned"
#: Milliseconds: before we go first after all; for a proof to come; of the first ban and the longest, each twice the one
#: before; after which a ban is forgotten.
YIELD: Final = 250
PATIENCE: Final = 5_000
FIRST_BAN: Final = 2_000
LONGEST_BAN: Final = 600_000
PARDON: Final = 3_600_000
MOST_WAITING: Final = 32
MOST_BANNED: Final = 1024


def port(name: str) -> int:
    """The UDP port of a room's beacons. Of its name only: nobody can try passphrases on a port."""
    digest = hashlib.blake2b(b"quadrille/port/1" + _plain(name, "name of a room")).digest()
    return PORTS[int.from_bytes(digest[:2], "big") % len(PORTS)]


def room_key(name: str, passphrase: str) -> bytes:
    """What all share who know the passphrase of a room: slow to compute, so that guessing is."""
    salt = b"quadrille/room/1" + _plain(name, "name of a room")
    return hashlib.scrypt(_plain(passphrase, "passphrase"), salt=salt, n=2**14, r=8, p=1, dklen=32, maxmem=64 * 2**20)


def weakness(passphrase: str) -> str | None:
    """What a person should hear about a passphrase that is easily guessed; none is refused for it."""
    if len(passphrase) >= 16:
        return None
    return "a short passphrase can be guessed by a program that poses as a member: take four words or more"


def _plain(words: str, what: str) -> bytes:
    """What a person typed, as the same bytes on every keyboard."""
    plain = " ".join(unicodedata.normalize("NFC", words).split())
    if not plain or len(plain) > LONGEST_WORDS or not plain.isprintable():
        raise LocalError(f"the {what} should be a line of 1 to {LONGEST_WORDS} printable characters")
    return plain.encode()


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link as a proof binds it: its CURVE key, and the nonce of its HELLO."""

    curve: bytes
    nonce: bytes


def mac(key: bytes, kind: int, prover: End, verifier: End) -> bytes:
    """Shows that the prover has the room's key: to this verifier, for these two HELLOs, in this role."""
    return hmac.digest(key, _LABELS[kind] + prover.curve + verifier.curve + prover.nonce + verifier.nonce, "sha256")


def read_nonce(header: str | None) -> bytes | None:
    """The nonce in the header of a HELLO; None where it is no HELLO of a room."""
    if header is None or len(header) != 2 * NONCE_BYTES or not set(header) <= set("0123456789abcdef"):
        return None
    return bytes.fromhex(header)


# What the node is told


@dataclass(frozen=True, slots=True)
class Admitted:
    """A peer is one of us, and this is its identity's key: groups, names and adverts are for it too."""

    peer: bytes
    key: bytes


@dataclass(frozen=True, slots=True)
class ShutOut:
    """Close all links with this peer; `why` is for whoever reads the log."""

    peer: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A peer has another passphrase than we. Where nobody has ours, the person mistyped it."""

    peer: bytes


Event: TypeAlias = Admitted | ShutOut | Mismatch


@dataclass(slots=True)
class _Guest:
    """Somebody who said HELLO. `speak` is when we go first after all, `proved` whether we have proved ourselves."""

    end: End
    peer: bytes
    key: bytes
    until: int
    inside: bool = False
    proved: bool = False
    speak: int | None = None


@dataclass(frozen=True, slots=True)
class _Ban:
    length: int
    until: int


class Door:
    """One peer's door to a room. Send what is in `outgoing` (peer, WHISPER) first, then act on `events`.

    What comes in is known by its CURVE key, which cannot be forged; what goes out, by its ZRE identity. `now` is in
    milliseconds of a clock that is never set; `nonce` is fresh for each run of the program.
    """

    __slots__ = ("_bans", "_curve", "_end", "_guests", "_identity", "_key", "events", "outgoing")

    def __init__(self, identity: Identity, key: bytes, nonce: bytes) -> None:
        self._identity = identity
        self._key = key
        self._curve = identity.curve()
        self._end = End(self._curve.public, nonce)
        self._guests: dict[bytes, _Guest] = {}
        self._bans: dict[bytes, _Ban] = {}
        self.outgoing: list[tuple[bytes, bytes]] = []
        self.events: list[Event] = []

    @property
    def header(self) -> str:
        """What our HELLO says under HEADER."""
        return self._end.nonce.hex()

    def allows(self, curve: bytes, now: int) -> bool:
        """Whether the owner of a CURVE key may connect, and prove itself: everybody who is not banned."""
        return len(curve) == KEY_BYTES and curve != self._end.curve and self.state(curve, now) != BANNED

    def state(self, curve: bytes, now: int) -> str:
        """Where a peer stands."""
        guest = self._guests.get(curve)
        if guest is not None:
            return INSIDE if guest.inside else WAITING
        ban = self._bans.get(curve)
        return BANNED if ban is not None and now < ban.until else UNKNOWN

    # What comes in

    def hello(self, curve: bytes, peer: bytes, header: str | None, now: int) -> None:
        """HELLO from a ZRE identity on a link whose CURVE key is this: everything with it begins anew."""
        if not self.allows(curve, now):
            return
        key, nonce = owner_of(peer, curve), read_nonce(header)
        if key is None or nonce is None:
            self._ban(curve, peer, "its HELLO is none of a room", now)
            return
        before = self._guests.pop(curve, None)
        until = before.until if before is not None and not before.inside else now + PATIENCE
        guest = _Guest(End(curve, nonce), peer, key, until)
        self._make_room()
        self._guests[curve] = guest
        if not any(other.inside for other in self._guests.values()):
            self._prove(guest)
        elif self._end.curve < curve:
            guest.speak = now + YIELD

    def receive(self, curve: bytes, content: bytes, now: int) -> bool:
        """A WHISPER; True when it is for the node to look at."""
        kind = content[0] if content else 0
        if kind not in (PROOF, ANSWER, REFUSAL):
            return self.other(curve, now)
        guest = self._guests.get(curve)
        if guest is None or (guest.inside and kind != PROOF):
            return False
        if kind == REFUSAL:
            if guest.proved:
                self.events.append(Mismatch(guest.peer))
            self._ban(curve, guest.peer, "it refuses us", now)
        elif not self._is_right(kind, guest, content[1:]):
            self.outgoing.append((guest.peer, bytes([REFUSAL])))
            self.events.append(Mismatch(guest.peer))
            self._ban(curve, guest.peer, "its proof is wrong", now)
        else:
            self._admit(kind, guest)
        return False

    def other(self, curve: bytes, now: int) -> bool:
        """JOIN, SHOUT and whatever else says something (PING and PING-OK don't); True when it is for the node.

        One who has not proved itself has nothing to say here.
        """
        guest = self._guests.get(curve)
        if guest is not None and not guest.inside:
            self._ban(curve, guest.peer, "it spoke of other things before it proved itself", now)
        return guest is not None and guest.inside

    def gone(self, curve: bytes) -> None:
        """The link is lost: should the peer come back, it proves itself again."""
        self._guests.pop(curve, None)

    @property
    def deadline(self) -> int | None:
        """When to wake next."""
        waiting = [guest for guest in self._guests.values() if not guest.inside]
        times = [guest.until for guest in waiting] + [guest.speak for guest in waiting if guest.speak is not None]
        return min(times, default=None)

    def wake(self, now: int) -> None:
        """Time has passed."""
        for guest in [guest for guest in self._guests.values() if not guest.inside]:
            if now >= guest.until:
                self._ban(guest.end.curve, guest.peer, "it does not prove itself", now)
            elif guest.speak is not None and now >= guest.speak:
                self._prove(guest)

    # What follows

    def _prove(self, guest: _Guest) -> None:
        guest.speak = None
        guest.proved = True
        self._say(PROOF, guest)

    def _say(self, kind: int, guest: _Guest) -> None:
        self.outgoing.append((guest.peer, bytes([kind]) + mac(self._key, kind, self._end, guest.end)))

    def _is_right(self, kind: int, guest: _Guest, proof: bytes) -> bool:
        """Whether it knows the passphrase. An answer must be one to a proof of ours."""
        expected = mac(self._key, kind, guest.end, self._end)
        return hmac.compare_digest(proof, expected) and (kind == PROOF or guest.proved)

    def _admit(self, kind: int, guest: _Guest) -> None:
        if kind == PROOF:
            guest.proved = True
            self._say(ANSWER, guest)
        if not guest.inside:
            guest.inside = True
            self.events.append(Admitted(guest.peer, guest.key))

    def _make_room(self) -> None:
        """However many come at once, few are kept waiting: the one that had the longest time to prove itself goes."""
        waiting = [guest for guest in self._guests.values() if not guest.inside]
        if len(waiting) >= MOST_WAITING:
            self._shut_out(waiting[0].end.curve, waiting[0].peer, "too many wait")

    def _ban(self, curve: bytes, peer: bytes, why: str, now: int) -> None:
        before = self._bans.pop(curve, None)
        again = before is not None and now < before.until + PARDON
        length = min(2 * before.length, LONGEST_BAN) if before is not None and again else FIRST_BAN
        if len(self._bans) >= MOST_BANNED:
            del self._bans[next(iter(self._bans))]
        self._bans[curve] = _Ban(length, now + length)
        self._shut_out(curve, peer, why)

    def _shut_out(self, curve: bytes, peer: bytes, why: str) -> None:
        self._guests.pop(curve, None)
        self.events.append(ShutOut(peer, why))
