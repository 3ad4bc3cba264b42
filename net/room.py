"""Private rooms: who knows the passphrase, and how two peers show it to each other without saying it.

Pure functions (port and key of a room), and `Door`, a machine without sockets and clock that says for one peer whom it
has let in. Links are CURVE; a peer is its CURVE key; what proves the passphrase is CPace (net/pake.py). Specification,
with what an impostor can do: protocols.md, "Identity and rooms". What the door does with what it hears:

| state      | HELLO   | SHARE               | SHARE, bad | CONFIRM, right | CONFIRM, wrong | REFUSAL | other  |
| ---------- | ------- | ------------------- | ---------- | -------------- | -------------- | ------- | ------ |
| unknown    | waiting | drop                | drop       | drop           | drop           | drop    | drop   |
| waiting    | waiting | confirming, confirm | banned     | drop           | drop           | banned  | banned |
| queued     | waiting | banned              | banned     | keep           | keep           | banned  | banned |
| confirming | waiting | banned              | banned     | inside         | banned         | banned  | banned |
| inside     | waiting | inside, again       | banned     | drop           | drop           | drop    | node   |
| banned     | drop    | drop                | drop       | drop           | drop           | drop    | drop   |

On HELLO each side sends its SHARE, and on SHARE its CONFIRM: nobody goes first. A CONFIRM to a peer that does not
answer it rightly is a guess that was given away; `Guesses` counts those, and when none is left a peer is queued.
"""

import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from quadrille.net.cards.group import Group, best_group
from quadrille.net.errors import LocalError
from quadrille.net.guesses import Bans, Guesses
from quadrille.net.identity import KEY_BYTES, Identity, owner_of
from quadrille.net.pake import TAG_BYTES, PakeMessage, PakeRun, lv_cat

#: The header of HELLO that carries its sender's nonce, in hexadecimal digits.
HEADER: Final = "X-ROOM"
NONCE_BYTES: Final = 32
LONGEST_WORDS: Final = 256
PORTS: Final = range(49152, 65536)

#: The header of HELLO that carries the version of the door, and ours. Doors of version 1 send none.
VERSION_HEADER: Final = "X-DOOR"
VERSION: Final = "2"

#: First bytes of a door's messages. Version 1 used 1 and 2, and a REFUSAL of ours is one for it.
REFUSAL, SHARE, CONFIRM = 3, 4, 5
#: Second bytes of a REFUSAL: not with this passphrase or program, and not now.
NEVER, LATER = 0, 1
_LABEL: Final = b"quadrille/room/2"

UNKNOWN, WAITING, QUEUED, CONFIRMING, INSIDE, BANNED = "unknown", "waiting", "queued", "confirming", "inside", "banned"
#: Time in which a peer has to prove itself, in milliseconds.
PATIENCE: Final = 5_000
#: Peers of one standing (strangers, known keys, members) that may wait at a time.
MOST_WAITING: Final = 32
MOST_MEMBERS: Final = 1024


def port(name: str) -> int:
    """The UDP port of a room's beacons. Of its name only: nobody can try passphrases on a port."""
    digest = hashlib.blake2b(b"quadrille/port/1" + _plain(name, "name of a room")).digest()
    return PORTS[int.from_bytes(digest[:2], "big") % len(PORTS)]


def room_key(name: str, passphrase: str) -> bytes:
    """The secret of all who know a room's passphrase: slow to compute, so that a stolen one tells no passphrase."""
    salt = b"quadrille/room/1" + _plain(name, "name of a room")
    return hashlib.scrypt(_plain(passphrase, "passphrase"), salt=salt, n=2**14, r=8, p=1, dklen=32, maxmem=64 * 2**20)


def weakness(passphrase: str) -> str | None:
    """What a person should hear about a passphrase that is easily guessed; none is refused for it."""
    if len(passphrase) >= 16:
        return None
    return "a program that tries a guess every minute can find a short passphrase: take four words or more"


def _plain(words: str, what: str) -> bytes:
    """What a person typed, as the same bytes on every keyboard."""
    plain = " ".join(unicodedata.normalize("NFC", words).split())
    if not plain or len(plain) > LONGEST_WORDS or not plain.isprintable():
        raise LocalError(f"the {what} should be a line of 1 to {LONGEST_WORDS} printable characters")
    return plain.encode()


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link as a proof binds it: its CURVE key, its ZRE identity, and the nonce of its HELLO."""

    curve: bytes
    peer: bytes
    nonce: bytes

    @property
    def data(self) -> bytes:
        """What a run authenticates beside this end's share (AD)."""
        return self.curve + self.peer + self.nonce


def run_between(group: Group, key: bytes, mine: End, theirs: End, draw: Callable[[int], bytes]) -> PakeRun:
    """A run of CPace over one link: good between these two ends and their two HELLOs, and nowhere else."""
    low, high = sorted((mine, theirs), key=lambda end: end.curve)
    channel = lv_cat(_LABEL, low.curve, low.peer, high.curve, high.peer)
    return PakeRun(group, key, channel=channel, session=low.nonce + high.nonce, data=mine.data, draw=draw)


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


@dataclass(frozen=True, slots=True)
class Outdated:
    """A peer's program has another version of the door, so that neither can let the other in."""

    peer: bytes
    newer: bool


@dataclass(frozen=True, slots=True)
class Busy:
    """Strangers have used up the guesses at this door, or at that of a peer: somebody new could not come in now."""

    peer: bytes
    ours: bool


Event: TypeAlias = Admitted | ShutOut | Mismatch | Outdated | Busy


@dataclass(slots=True)
class _Guest:
    """Somebody who said HELLO. `guesses` is the budget that its run takes from, None for a member: one knows it."""

    end: End
    peer: bytes
    key: bytes
    until: int
    run: PakeRun = field(repr=False)
    guesses: Guesses | None
    state: str = WAITING
    claim: bytes | None = None


class Door:
    """One peer's door to a room. Send what is in `outgoing` (peer, WHISPER) first, then act on `events`.

    What comes in is known by its CURVE key, which cannot be forged; what goes out, by its ZRE identity. `now` is in
    milliseconds of a clock that is never set; `nonce` is fresh for each run of the program; `knows` says of an
    identity's key whether this person has a name for it; `draw` gives random bytes.
    """

    __slots__ = (
        "_bans",
        "_curve",
        "_draw",
        "_end",
        "_group",
        "_guests",
        "_key",
        "_known",
        "_knows",
        "_members",
        "_strangers",
        "events",
        "outgoing",
    )

    def __init__(
        self,
        identity: Identity,
        key: bytes,
        nonce: bytes,
        *,
        knows: Callable[[bytes], bool] = lambda _: False,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        group: Group | None = None,
    ) -> None:
        self._key = key
        self._curve = identity.curve()
        self._end = End(self._curve.public, identity.peer, nonce)
        self._knows = knows
        self._draw = draw
        self._group = group or best_group()
        self._guests: dict[bytes, _Guest] = {}
        self._bans = Bans()
        self._members: dict[bytes, None] = {}  # CURVE keys that were inside since this program began
        self._strangers = Guesses()
        self._known = Guesses()
        self.outgoing: list[tuple[bytes, bytes]] = []
        self.events: list[Event] = []

    @property
    def headers(self) -> dict[str, str]:
        """What our HELLO says of the door."""
        return {HEADER: self._end.nonce.hex(), VERSION_HEADER: VERSION}

    def allows(self, curve: bytes, now: int) -> bool:
        """Whether the owner of a CURVE key may connect, and prove itself: everybody who is not banned."""
        return len(curve) == KEY_BYTES and curve != self._end.curve and self.state(curve, now) != BANNED

    def state(self, curve: bytes, now: int) -> str:
        """Where a peer stands."""
        guest = self._guests.get(curve)
        if guest is not None:
            return guest.state
        return BANNED if self._bans.holds(curve, now) else UNKNOWN

    # What comes in

    def hello(self, curve: bytes, peer: bytes, headers: Mapping[str, str], now: int) -> None:
        """HELLO from a ZRE identity on a link whose CURVE key is this: everything with it begins anew."""
        if not self.allows(curve, now):
            return None
        key, nonce = owner_of(peer, curve), read_nonce(headers.get(HEADER))
        if key is None or nonce is None:
            return self._ban(curve, peer, "its HELLO is none of a room", now)
        if (version := headers.get(VERSION_HEADER, "1")) != VERSION:
            newer = version.isascii() and version.isdecimal() and int(version[:9]) > int(VERSION)
            self._refuse(peer, NEVER)
            self.events.append(Outdated(peer, newer))
            return self._ban(curve, peer, "its program has another version of the door", now)
        before = self._guests.pop(curve, None)
        until = before.until if before is not None and before.state != INSIDE else now + PATIENCE
        end = End(curve, peer, nonce)
        guest = _Guest(end, peer, key, until, self._begun(end), self._budget(curve, key))
        self._make_room(guest)
        self._guests[curve] = guest
        self._say(SHARE, guest, guest.run.sent.share)
        return None

    def receive(self, curve: bytes, content: bytes, now: int) -> bool:
        """A WHISPER; True when it is for the node to look at."""
        kind, rest = content[0] if content else 0, content[1:]
        if kind not in (SHARE, CONFIRM, REFUSAL):
            return self.other(curve, now)
        guest = self._guests.get(curve)
        if guest is not None:
            if kind == SHARE:
                self._hear_share(guest, rest, now)
            elif kind == CONFIRM:
                self._hear_claim(guest, rest, now)
            elif guest.state != INSIDE:
                self._hear_refusal(guest, rest, now)
        return False

    def other(self, curve: bytes, now: int) -> bool:
        """JOIN, SHOUT and whatever else says something (PING and PING-OK don't); True when it is for the node.

        One who has not proved itself has nothing to say here.
        """
        guest = self._guests.get(curve)
        if guest is not None and guest.state != INSIDE:
            self._ban(curve, guest.peer, "it spoke of other things before it proved itself", now)
        return guest is not None and guest.state == INSIDE

    def gone(self, curve: bytes) -> None:
        """The link is lost: a peer that comes back proves itself again. The guess that it took is not given back."""
        self._guests.pop(curve, None)

    @property
    def deadline(self) -> int | None:
        """When to wake next."""
        waiting = self._waiting()
        refills = {guest.guesses.due() for guest in waiting if guest.state == QUEUED and guest.guesses}
        return min([*refills, *(guest.until for guest in waiting)], default=None)

    def wake(self, now: int) -> None:
        """Time has passed."""
        for guest in self._waiting():
            if now < guest.until:
                continue
            if guest.state == QUEUED:  # no fault of its own
                self._refuse(guest.peer, LATER)
                self.events.append(Busy(guest.peer, ours=True))
                self._shut_out(guest.end.curve, guest.peer, "no guess is left for it")
            else:
                self._ban(guest.end.curve, guest.peer, "it does not prove itself", now)
        self._serve(now)

    # What follows

    def _hear_share(self, guest: _Guest, share: bytes, now: int) -> None:
        """The other half of a run. A member may begin one anew, because its side of the link may have been lost."""
        again = guest.state == INSIDE
        if again:
            guest.run = self._begun(guest.end)
        if guest.state not in (WAITING, INSIDE) or not guest.run.hears(PakeMessage(share, guest.end.data)):
            self._ban(guest.end.curve, guest.peer, "its share is none, or none of this run", now)
        elif again:
            self._say(SHARE, guest, guest.run.sent.share)
            self._say(CONFIRM, guest, guest.run.tag)
        else:
            guest.state = QUEUED
            self._serve(now)

    def _serve(self, now: int) -> None:
        """Confirm to those whose turn it is, as long as guesses are left for them."""
        while (guest := self._next(now)) is not None:
            if guest.guesses is not None:
                guest.guesses.take()
            guest.state = CONFIRMING
            self._say(CONFIRM, guest, guest.run.tag)
            if guest.claim is not None:
                self._judge(guest, guest.claim, now)

    def _next(self, now: int) -> _Guest | None:
        """Which one gets a guess is drawn, so that none can stand in front of the others."""
        queued = [guest for guest in self._guests.values() if guest.state == QUEUED]
        able = [guest for guest in queued if guest.guesses is None or guest.guesses.are_left(now)]
        return able[int.from_bytes(self._draw(8), "big") % len(able)] if able else None

    def _hear_claim(self, guest: _Guest, claim: bytes, now: int) -> None:
        if guest.state == CONFIRMING:
            self._judge(guest, claim, now)
            self._serve(now)
        elif guest.state == QUEUED and guest.claim is None:
            guest.claim = claim[: TAG_BYTES + 1]  # to look at it would tell whether the guess was right

    def _judge(self, guest: _Guest, claim: bytes, now: int) -> None:
        """Only here does anybody come in."""
        curve = guest.end.curve
        if not guest.run.is_right(claim):
            self._refuse(guest.peer, NEVER)
            self.events.append(Mismatch(guest.peer))
            self._members.pop(curve, None)
            return self._ban(curve, guest.peer, "it has another passphrase", now)
        if guest.guesses is not None:
            guest.guesses.give_back()
        guest.state, guest.guesses = INSIDE, None
        self._members.pop(curve, None)
        if len(self._members) >= MOST_MEMBERS:
            del self._members[next(iter(self._members))]
        self._members[curve] = None
        return self.events.append(Admitted(guest.peer, guest.key))

    def _hear_refusal(self, guest: _Guest, why: bytes, now: int) -> None:
        if why == bytes([LATER]):
            self.events.append(Busy(guest.peer, ours=False))
            self._shut_out(guest.end.curve, guest.peer, "it can let nobody in now")
            return
        if guest.state == CONFIRMING:
            self.events.append(Mismatch(guest.peer))
        self._ban(guest.end.curve, guest.peer, "it refuses us", now)

    def _begun(self, end: End) -> PakeRun:
        return run_between(self._group, self._key, self._end, end, self._draw)

    def _budget(self, curve: bytes, key: bytes) -> Guesses | None:
        """Where the guess of a peer comes from: a member has shown that it needs none."""
        if curve in self._members:
            return None
        return self._known if self._knows(key) else self._strangers

    def _say(self, kind: int, guest: _Guest, words: bytes) -> None:
        self.outgoing.append((guest.peer, bytes([kind]) + words))

    def _refuse(self, peer: bytes, why: int) -> None:
        self.outgoing.append((peer, bytes([REFUSAL, why])))

    def _waiting(self) -> list[_Guest]:
        return [guest for guest in self._guests.values() if guest.state != INSIDE]

    def _make_room(self, newcomer: _Guest) -> None:
        """However many come at once, few are kept waiting: of the newcomer's standing, the first one goes.

        So strangers take no place from members and from those whom the person knows.
        """
        alike = [guest for guest in self._waiting() if guest.guesses is newcomer.guesses]
        if len(alike) >= MOST_WAITING:
            self._shut_out(alike[0].end.curve, alike[0].peer, "too many wait")

    def _ban(self, curve: bytes, peer: bytes, why: str, now: int) -> None:
        self._bans.add(curve, now)
        self._shut_out(curve, peer, why)

    def _shut_out(self, curve: bytes, peer: bytes, why: str) -> None:
        self._guests.pop(curve, None)
        self.events.append(ShutOut(peer, why))
