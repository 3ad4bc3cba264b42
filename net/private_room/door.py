"""The door of a private room: who is inside, and how two peers prove to each other that they know the passphrase.

A machine without sockets and clock; `TABLE` is its transition table. On HELLO each side sends its SHARE, and on SHARE
its CONFIRM, so that neither goes first. A CONFIRM to a peer that does not answer it correctly gives away a guess.
A bucket counts those, and a peer for which none is left is queued. Specification, with what an impostor can do:
docs/protocols/rooms.md.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from quadrille.net.core.ip_addresses import subnet_of
from quadrille.net.core.limits import Bucket, Pace
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.transitions import transitions
from quadrille.net.private_room.guesses import GUESS_EVERY, GUESSES, Bans
from quadrille.net.private_room.pake import TAG_BYTES, PakeMessage, PakeRun
from quadrille.net.private_room.room import HEADER, LinkEnd, RoomLock, read_nonce, run_between
from quadrille.net.trust.identity import KEY_BYTES, Identity, owner_of

#: First bytes of a door's messages.
REFUSAL, SHARE, CONFIRM = 3, 4, 5
#: Second bytes of a REFUSAL: not with this passphrase; not now.
NEVER, LATER = b"\x00", b"\x01"
#: Timeout for a peer to prove itself, in milliseconds.
PATIENCE: Final = 5_000
#: Maximum waiting peers of one standing (strangers, known keys, members).
MOST_WAITING: Final = 32
MOST_MEMBERS: Final = 1024


class DoorState(Enum):
    """A peer's progress in proving that it knows the passphrase."""

    UNKNOWN = "unknown"  # has sent no HELLO
    WAITING = "waiting"  # our SHARE is sent, its own has not come
    QUEUED = "queued"  # its SHARE is here, and no guess is left for our CONFIRM
    CONFIRMING = "confirming"  # our CONFIRM is sent
    INSIDE = "inside"  # its CONFIRM was correct
    BANNED = "banned"


UNKNOWN, WAITING, QUEUED, CONFIRMING, INSIDE, BANNED = DoorState


class DoorWord(Enum):
    """Inputs of the door. OTHER: JOIN, LEAVE, SHOUT and any WHISPER for the node."""

    HELLO = "HELLO"
    SHARE = "SHARE"
    BAD_SHARE = "SHARE, bad"
    RIGHT = "CONFIRM, right"
    WRONG = "CONFIRM, wrong"
    REFUSAL = "REFUSAL"
    OTHER = "other"


class DoorReaction(Enum):
    """The effect of a message; most values name the next state of its sender."""

    BEGIN = "waiting"  # begin a new run, and send SHARE
    QUEUE = "confirming, confirm"  # send CONFIRM as soon as there is a guess for it
    REPEAT = "inside, again"  # answer with a SHARE of a new run and a CONFIRM
    KEEP = "keep"  # look at it once there is a guess
    ADMIT = "inside"
    BAN = "banned"
    NODE = "node"  # leave it to the node
    DROP = "drop"


BEGIN, QUEUE, REPEAT, KEEP, ADMIT, BAN, NODE, DROP = DoorReaction
#: The reaction to each input, by the state of its sender. docs/protocols/rooms.md prints this table.
TABLE: Final = transitions(
    DoorWord,
    {
        # state    HELLO SHARE BAD_SHARE RIGHT WRONG REFUSAL OTHER
        UNKNOWN: (BEGIN, DROP, DROP, DROP, DROP, DROP, DROP),
        WAITING: (BEGIN, QUEUE, BAN, DROP, DROP, BAN, BAN),
        QUEUED: (BEGIN, BAN, BAN, KEEP, KEEP, BAN, BAN),
        CONFIRMING: (BEGIN, BAN, BAN, ADMIT, BAN, BAN, BAN),
        INSIDE: (BEGIN, REPEAT, BAN, DROP, DROP, DROP, NODE),
        BANNED: (DROP, DROP, DROP, DROP, DROP, DROP, DROP),
    },
)
#: The words for a first byte: right, and wrong.
_HEARD: Final = {
    SHARE: (DoorWord.SHARE, DoorWord.BAD_SHARE),
    CONFIRM: (DoorWord.RIGHT, DoorWord.WRONG),
    REFUSAL: (DoorWord.REFUSAL, DoorWord.REFUSAL),
}


class Obstacle(Enum):
    """Why a peer and we do not let each other in, for the person."""

    MISMATCH = "somebody in this room has another passphrase than you"
    GUESSED_HERE = (
        "strangers guess at the passphrase of this room: newcomers may have to wait, members come in as always"
    )
    GUESSED_THERE = (
        "strangers guess at the passphrase of this room, and its members take nobody new for now: keep waiting"
    )


@dataclass(frozen=True, slots=True)
class Admitted:
    """A peer is admitted, with the key of its identity: it may see names and adverts."""

    peer: bytes
    key: bytes


@dataclass(frozen=True, slots=True)
class ShutOut:
    """Close all links with this peer. If something is in the way that a person can remove, `why` says what."""

    peer: bytes
    why: Obstacle | None = None


@dataclass(slots=True)
class _Guest:
    """A peer that sent HELLO. `guesses` is the budget that its run uses; None for a member, who needs none."""

    end: LinkEnd
    key: bytes
    subnet: str
    until: int
    run: PakeRun = field(repr=False)
    guesses: Bucket | None
    state: DoorState = WAITING
    claim: bytes | None = None


class Door:
    """One peer's door to a room. Send what is in `outgoing` (peer, WHISPER) first, then act on `events`.

    Incoming messages are identified by their CURVE key, which cannot be forged, outgoing ones by their ZRE identity.
    `now` is in milliseconds of a monotonic clock; `nonce` is fresh for each run of the program; `named()` are
    the keys that this person has a name for; `draw` gives random bytes.
    """

    def __init__(
        self,
        identity: Identity,
        key: bytes,
        nonce: bytes,
        *,
        named: Callable[[], Container[bytes]] = frozenset,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        is_guessable: bool = True,
    ) -> None:
        """Guard the room of this key. A key that is not guessable, as that of a ticket, needs no limit of guesses."""
        self._key = key
        self._curve = identity.curve()
        self._end = LinkEnd(self._curve.public, identity.peer, nonce)
        self._named = named
        self._draw = draw
        self._guests: dict[bytes, _Guest] = {}
        self._bans = Bans()
        self._members: dict[bytes, None] = {}  # CURVE keys that have been inside since this program began
        pace = Pace(GUESSES if is_guessable else 1 << 60, GUESS_EVERY)
        self._strangers, self._known = Bucket(pace), Bucket(pace)
        self.outgoing: list[tuple[bytes, bytes]] = []
        self.events: list[Admitted | ShutOut] = []

    @property
    def headers(self) -> dict[str, str]:
        """Our HELLO's headers about the door. The protocol is in another (net/trust/proof.py)."""
        return {HEADER: self._end.nonce.hex()}

    def lock(self, now: Callable[[], int]) -> RoomLock:
        """Make the lock for a node: our CURVE keys, and the peers that may connect to prove themselves."""
        return RoomLock(
            self._curve.public,
            self._curve.secret,
            allows=lambda theirs: self.allows(theirs, now()),
            certify=lambda peer, theirs: owner_of(peer, theirs) is not None,
        )

    def allows(self, curve: bytes, now: int) -> bool:
        """Let the owner of a CURVE key connect to prove itself, unless it is banned."""
        reaction = TABLE[self.state(curve, now)][DoorWord.HELLO]
        return len(curve) == KEY_BYTES and curve != self._end.curve and reaction is BEGIN

    def state(self, curve: bytes, now: int) -> DoorState:
        if (guest := self._guests.get(curve)) is not None:
            return guest.state
        return BANNED if self._bans.holds(curve, now) else UNKNOWN

    # Inputs

    def hello(self, curve: bytes, peer: bytes, headers: Mapping[str, str], now: int, address: str = "") -> None:
        """Begin the run of a peer again: its HELLO came on a link with this CURVE key from this address."""
        if not self.allows(curve, now):
            return None
        key, nonce = owner_of(peer, curve), read_nonce(headers.get(HEADER))
        if key is None or nonce is None:
            return self._ban(curve, peer, now)
        before = self._guests.pop(curve, None)
        until = before.until if before is not None and before.state is not INSIDE else now + PATIENCE
        budget = self._known if key in self._named() else self._strangers
        end = LinkEnd(curve, peer, nonce)
        allowance = None if curve in self._members else budget  # a member has proved the passphrase
        guest = _Guest(end, key, subnet_of(address), until, self._begun(end), allowance)
        self._make_room(guest)
        self._guests[curve] = guest
        self._say(peer, SHARE, guest.run.sent.share)
        return None

    def receive(self, curve: bytes, content: bytes, now: int) -> bool:
        """Take a WHISPER, or b"" for any other message but PING and PING-OK. Return True if the node should read it."""
        if (guest := self._guests.get(curve)) is None:
            return False
        reaction = self._hear(guest, content, now)
        self._serve(now)
        return reaction is NODE

    def gone(self, curve: bytes) -> None:
        """Forget a peer whose link is lost: if it returns, it proves itself again. Its guess is not refunded."""
        self._guests.pop(curve, None)

    @property
    def deadline(self) -> int:
        waiting = self._waiting()
        refills = {guest.guesses.due for guest in waiting if guest.state is QUEUED and guest.guesses}
        return min([*refills, *(guest.until for guest in waiting)], default=NO_DEADLINE)

    def wake(self, now: int) -> None:
        for guest in [late for late in self._waiting() if now >= late.until]:
            if guest.state is QUEUED:  # no fault of its own
                self._say(guest.end.peer, REFUSAL, LATER)
                self._shut_out(guest.end.curve, guest.end.peer, Obstacle.GUESSED_HERE)
            else:  # it does not prove itself
                self._ban(guest.end.curve, guest.end.peer, now)
        self._serve(now)

    # Actions

    def _hear(self, guest: _Guest, content: bytes, now: int) -> DoorReaction:
        """Do what the table says."""
        body = content[1:]
        heard = self._heard(guest, content[0] if content else 0, body)
        reaction = TABLE[guest.state][heard]
        match reaction:
            case DoorReaction.QUEUE:
                guest.state = QUEUED
            case DoorReaction.REPEAT:  # its side of the link was lost
                self._say(guest.end.peer, SHARE, guest.run.sent.share)
                self._say(guest.end.peer, CONFIRM, guest.run.tag)
            case DoorReaction.KEEP:
                guest.claim = guest.claim or content[: TAG_BYTES + 2]
            case DoorReaction.ADMIT:
                self._admit(guest)
            case DoorReaction.BAN:
                self._turn_out(guest, heard, body, now)
        return reaction

    def _heard(self, guest: _Guest, kind: int, body: bytes) -> DoorWord:
        """Classify a message. Check it only where the result matters: the duration of a check, and the reaction, would
        tell a queued peer whether its guess was right.
        """
        right, wrong = _HEARD.get(kind, (DoorWord.OTHER, DoorWord.OTHER))
        if TABLE[guest.state][right] is TABLE[guest.state][wrong]:
            return wrong
        if right is DoorWord.RIGHT:
            return right if guest.run.is_right(body) else wrong
        if guest.state is INSIDE:
            guest.run = self._begun(guest.end)
        return right if guest.run.hears(PakeMessage(body, guest.end.data)) else wrong

    def _serve(self, now: int) -> None:
        """Send CONFIRM to peers in turn, while guesses are left for them."""
        while (guest := self._next(now)) is not None:
            if guest.guesses is not None:
                guest.guesses.pay(now, 1)
            guest.state = CONFIRMING
            self._say(guest.end.peer, CONFIRM, guest.run.tag)
            if guest.claim is not None:
                self._hear(guest, guest.claim, now)

    def _next(self, now: int) -> _Guest | None:
        """Draw who gets the next guess: first an address, so that no crowd gets more than one who is alone."""
        queued = [guest for guest in self._guests.values() if guest.state is QUEUED]
        able = [guest for guest in queued if guest.guesses is None or guest.guesses.has(now)]
        if not able:
            return None
        subnets, lot = sorted({guest.subnet for guest in able}), int.from_bytes(self._draw(8), "big")
        guests = [guest for guest in able if guest.subnet == subnets[lot % len(subnets)]]
        return guests[lot // len(subnets) % len(guests)]

    def _admit(self, guest: _Guest) -> None:
        """Admit a peer. Nothing else admits anybody."""
        if guest.guesses is not None:
            guest.guesses.give_back()
        guest.state, guest.guesses = INSIDE, None
        self._members.pop(guest.end.curve, None)
        if len(self._members) >= MOST_MEMBERS:
            del self._members[next(iter(self._members))]
        self._members[guest.end.curve] = None
        self.events.append(Admitted(guest.end.peer, guest.key))

    def _turn_out(self, guest: _Guest, heard: DoorWord, body: bytes, now: int) -> None:
        """Drop a peer that refuses us, has another passphrase, or breaks the protocol."""
        if heard is DoorWord.REFUSAL and body == LATER:  # no fault of its own
            return self._shut_out(guest.end.curve, guest.end.peer, Obstacle.GUESSED_THERE)
        if heard is DoorWord.WRONG:
            self._say(guest.end.peer, REFUSAL, NEVER)
            self._members.pop(guest.end.curve, None)
        mismatch = heard is DoorWord.WRONG or (heard is DoorWord.REFUSAL and guest.state is CONFIRMING)
        return self._ban(guest.end.curve, guest.end.peer, now, Obstacle.MISMATCH if mismatch else None)

    def _begun(self, end: LinkEnd) -> PakeRun:
        return run_between(self._key, self._end, end, self._draw)

    def _say(self, peer: bytes, kind: int, body: bytes) -> None:
        self.outgoing.append((peer, bytes([kind]) + body))

    def _waiting(self) -> list[_Guest]:
        return [guest for guest in self._guests.values() if guest.state is not INSIDE]

    def _make_room(self, newcomer: _Guest) -> None:
        """If the queue is full, shut out the oldest of the address from which most peers of the newcomer's standing
        wait.

        So strangers take no place from members or from people we know, and one machine takes none from others.
        """
        alike = [guest for guest in self._waiting() if guest.guesses is newcomer.guesses]
        if len(alike) >= MOST_WAITING:
            subnets = Counter(guest.subnet for guest in (*alike, newcomer))
            oldest = max(alike, key=lambda guest: (subnets[guest.subnet], -guest.until))
            self._shut_out(oldest.end.curve, oldest.end.peer)

    def _ban(self, curve: bytes, peer: bytes, now: int, obstacle: Obstacle | None = None) -> None:
        self._bans.add(curve, now)
        self._shut_out(curve, peer, obstacle)

    def _shut_out(self, curve: bytes, peer: bytes, obstacle: Obstacle | None = None) -> None:
        self._guests.pop(curve, None)
        self.events.append(ShutOut(peer, obstacle))
