"""A table before its first move: who may sit, and how all who sit come to agree and draw a joint seed.

A machine without sockets and without a clock of its own: time comes in as `now` (milliseconds), messages go out through
`outgoing`. It ends when `begun` holds entry 0 of the log. Until then the host decides who sits; from then on nobody is
special. Specification: protocols.md, "Gathering"; PHASES is its table.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from quadrille.net.entry import Entry, acceptance, proposal_hash, read_entry
from quadrille.net.errors import PeerError
from quadrille.net.hashing import committed
from quadrille.net.identity import Identity, verified
from quadrille.net.log import Log
from quadrille.net.terms import Chair, Terms
from quadrille.net.wire import Accept, Answer, Ask, Entries, Gone, Invite, Message, Offer, Propose, Reveal

OPEN, AGREEING, BEGUN, CLOSED = "open", "agreeing", "begun", "closed"
#: What is listened to in which phase; anything else is dropped.
PHASES: Final[dict[str, tuple[type, ...]]] = {
    OPEN: (Ask, Answer, Gone, Propose, Entries),
    AGREEING: (Ask, Answer, Gone, Propose, Accept, Reveal, Entries),
    BEGUN: (),
    CLOSED: (),
}
#: How often what was said is said again, and how long a chair may take to agree, or a host to come back, in
#: milliseconds.
AGAIN: Final = 500
PATIENCE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Seated:
    """I have a chair."""


@dataclass(frozen=True, slots=True)
class Refused:
    """I have none (any more), and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Changed:
    """The host's offer reads otherwise now."""


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """Somebody whom I invited does not come, and why."""

    key: bytes
    why: str


Event = Seated | Refused | Changed | TurnedDown


@dataclass(frozen=True, slots=True)
class _Round:
    """One proposal, and what the chairs answered to it."""

    turn: int
    terms: Terms
    chairs: tuple[Chair, ...]
    since: int
    accepted: tuple[tuple[bytes, bytes] | None, ...]
    revealed: tuple[bytes | None, ...]

    @property
    def hash(self) -> bytes:
        return proposal_hash(self.terms.plain(), tuple(chair.plain() for chair in self.chairs))

    def place(self, key: bytes) -> int | None:
        """Which chair that key has."""
        keys = [chair.key for chair in self.chairs]
        return keys.index(key) if key in keys else None

    def missing(self) -> tuple[Chair, ...]:
        """The chairs that have not answered all they were asked."""
        answers: tuple[Any, ...] = self.accepted if None in self.accepted else self.revealed
        return tuple(chair for chair, answer in zip(self.chairs, answers, strict=True) if answer is None)


class Gathering:
    """One peer's part in it: the host's, or a guest's who asked for a chair."""

    __slots__ = (
        "_again",
        "_missed",
        "_request",
        "_round",
        "begun",
        "chairs",
        "coming",
        "events",
        "host",
        "identity",
        "invited",
        "kept",
        "kicked",
        "outgoing",
        "phase",
        "reserved",
        "since",
        "table",
        "terms",
        "turn",
    )

    def __init__(self, table: bytes, host: bytes, terms: Terms, identity: Identity, now: int) -> None:
        self.table = table
        self.host = host
        self.terms = terms
        self.identity = identity
        self.since = now
        self.phase = OPEN
        self.chairs: list[Chair] = []
        #: Chairs that the host keeps for somebody, and who of them is still on the way.
        self.kept: dict[bytes, Chair] = {}
        self.coming: set[bytes] = set()
        self.invited: set[bytes] = set()
        self.kicked: set[bytes] = set()
        self.reserved: tuple[bytes, ...] = ()
        self.turn = 0
        self.begun: Entry | None = None
        self.outgoing: list[tuple[bytes | None, Message]] = []
        self.events: list[Event] = []
        self._round: _Round | None = None
        self._again = now
        self._request: Ask | None = None
        self._missed: int | None = None  # since when a guest can't reach the host

    @property
    def hosts(self) -> bool:
        """Whether this peer is the host."""
        return self.host == self.identity.key

    def offer(self) -> Offer:
        """The table as the host's advert has it."""
        state = {OPEN: "open", AGREEING: "agreeing", BEGUN: "playing", CLOSED: "over"}[self.phase]
        return Offer(self.table, self.host, self.terms, tuple(self.chairs), state, self.since)

    # What a person does

    def sit(self, chair: Chair) -> None:
        """The host takes a chair itself, or gives one."""
        if len(self.chairs) < self.terms.seats and all(chair.key != other.key for other in self.chairs):
            self.chairs.append(chair)
            self.events.append(Changed())

    def keep(self, chair: Chair) -> None:
        """The host keeps a chair for somebody who is on the way; others see it taken. The table waits for them."""
        if len(self.chairs) < self.terms.seats:
            self.kept[chair.key] = chair
            self.coming.add(chair.key)
            self.sit(chair)

    def take_back(self, key: bytes) -> None:
        """A chair is not kept any more: whom it was for does not come, or is gone."""
        if self.kept.pop(key, None):
            self.coming.discard(key)
            self._stand_up(key)

    def ask(self, name: str, kind: str) -> None:
        """A guest asks for a chair."""
        self._request = Ask(self.table, "seat", name, kind)
        self.outgoing.append((self.host, self._request))

    def invite(self, key: bytes) -> None:
        """The host asks somebody to come."""
        self.invited.add(key)
        self.outgoing.append((key, Invite(self.table, self.terms.plain())))

    def kick(self, key: bytes, why: str) -> None:
        """The host takes a chair away, for good."""
        self.kicked.add(key)
        self.kept.pop(key, None)
        self.coming.discard(key)
        self._stand_up(key)
        self.outgoing.append((key, Answer(self.table, False, why)))

    def leave(self) -> None:
        """Go before the game begins; with the host the table closes."""
        others = [chair.key for chair in self.chairs if chair.key != self.identity.key]
        if self.hosts:
            self.outgoing += [(key, Answer(self.table, False, "the host closed the table")) for key in others]
        else:
            self.outgoing.append((self.host, Gone(self.table)))
        self.phase = CLOSED
        self.events.append(Changed())

    def fail(self) -> None:
        """Go on no more, by a fault of this program (net/guard.py)."""
        self.phase = CLOSED
        self.events.append(Refused("this program made a mistake here"))

    def start(self, now: int) -> None:
        """The host proposes: all chairs are taken."""
        if not (self.hosts and self.phase == OPEN and len(self.chairs) == self.terms.seats) or self.coming:
            return
        self.turn += 1
        if self.reserved:
            self.chairs.sort(key=lambda chair: self.reserved.index(chair.key))
        self._propose(_fresh(self.turn, self.terms, tuple(self.chairs), now), now)
        self.events.append(Changed())

    # What others do

    def went(self, key: bytes, now: int) -> None:
        """A peer is gone from the network."""
        if self.hosts and self.phase == OPEN:
            self._stand_up(key)
        elif not self.hosts and key == self.host and self.phase == OPEN:
            self._missed = now

    def came(self, key: bytes) -> None:
        """A peer is back. A host has given the chair away meanwhile, or has never heard of who asked for it."""
        if self._missed is not None and key == self.host:
            self._missed = None
            if self.phase == OPEN and self._request is not None:
                self.outgoing.append((self.host, self._request))

    def receive(self, author: bytes, message: Message, now: int) -> None:
        """A message about this table; what does not fit the phase is dropped."""
        if not isinstance(message, PHASES[self.phase]):
            return
        match message:
            case Ask() if self.hosts:
                self._asked(author, message, now)
            case Gone() if self.hosts and self.phase == OPEN:
                self._stand_up(author)
            case Answer(_, yes, why) if author == self.host and not self.hosts:
                self._answered(why, yes=yes)
            case Answer(_, False, why) if self.hosts and author in self.invited:
                self.invited.remove(author)
                self.events.append(TurnedDown(author, why))
            case Propose() if author == self.host and not self.hosts:
                self._proposed(message, now)
            case Accept():
                self._accepted(author, message)
            case Reveal():
                self._revealed(author, message)
            case Entries(_, entries) if entries:
                self._adopt(entries[0])

    def _asked(self, author: bytes, ask: Ask, now: int) -> None:
        if ask.role != "seat":
            return
        seated = any(chair.key == author for chair in self.chairs)
        why = ""
        if author in self.kicked:
            why = "the host does not want you at this table"
        elif self.reserved and author not in self.reserved:
            why = "the seats are kept for those who played before"
        elif self.phase != OPEN and not seated:
            why = "the game is about to begin"
        elif len(self.chairs) == self.terms.seats and not seated:
            why = "all seats are taken"
        if not why and author in self.coming:
            self.coming.remove(author)
            self._rename(Chair(author, ask.name, ask.kind))
        elif not why and not seated:
            self.chairs.append(Chair(author, ask.name, ask.kind))
            self.events.append(Changed())
        self.outgoing.append((author, Answer(self.table, not why, why)))

    def _answered(self, why: str, *, yes: bool) -> None:
        if yes:
            self.events.append(Seated())
        else:
            self.phase = CLOSED
            self.events.append(Refused(why))

    def _rename(self, chair: Chair) -> None:
        """Who comes to a chair that was kept, or leaves it, changes its name and not its place."""
        self.chairs = [chair if other.key == chair.key else other for other in self.chairs]
        self.events.append(Changed())

    def _stand_up(self, key: bytes) -> None:
        if key in self.kept:
            self.coming.add(key)
            self._rename(self.kept[key])
            return
        staying = [chair for chair in self.chairs if chair.key != key]
        if len(staying) < len(self.chairs):
            self.chairs = staying
            self.events.append(Changed())

    # Agreeing

    def _propose(self, proposal: _Round, now: int) -> None:
        """One's own part of a proposal that it made or got."""
        self.phase = AGREEING
        self._round = proposal
        place = proposal.place(self.identity.key)
        if place is not None:
            commitment = committed(self.table, proposal.turn, place, self._secret(proposal.turn))
            said = acceptance(self.table, proposal.turn, proposal.hash, commitment)
            self._accept(place, commitment, self.identity.sign(said))
        self._say_again(now)

    def _secret(self, turn: int) -> bytes:
        """The chair's share of the joint seed: the same after a crash."""
        return self.identity.secret("seed", self.table, turn.to_bytes(4, "big"))

    def _proposed(self, message: Propose, now: int) -> None:
        chairs = tuple(Chair(*plain) for plain in message.chairs)
        known = self._round
        if known and message.turn <= known.turn:
            return
        if message.terms != self.terms.plain():
            self.outgoing.append((self.host, Gone(self.table)))
            self.phase = CLOSED
            self.events.append(Refused("the host proposed other terms than it had offered"))
            return
        if self.identity.key not in [chair.key for chair in chairs] or len(chairs) != self.terms.seats:
            return
        self._propose(_fresh(message.turn, self.terms, chairs, now), now)

    def _accepted(self, author: bytes, message: Accept) -> None:
        known = self._round
        if known is None or message.turn != known.turn or message.proposal != known.hash:
            return
        place = known.place(author)
        said = acceptance(self.table, known.turn, known.hash, message.commitment)
        if place is None or not verified(author, message.signature, said):
            raise PeerError("an acceptance that is not its author's")
        self._accept(place, message.commitment, message.signature)

    def _accept(self, place: int, commitment: bytes, signature: bytes) -> None:
        known = self._round
        assert known is not None
        if known.accepted[place] is not None:
            return
        if any(other and other[0] == commitment for other in known.accepted):
            raise PeerError("two chairs with one commitment: the second copied it")
        self._round = replace(known, accepted=_with(known.accepted, place, (commitment, signature)))
        if None not in self._round.accepted:
            mine = known.place(self.identity.key)
            if mine is not None:
                self._reveal(mine, self._secret(known.turn))
            self._say()

    def _revealed(self, author: bytes, message: Reveal) -> None:
        known = self._round
        place = known.place(author) if known else None
        if known is None or place is None or message.turn != known.turn:
            return
        accepted = known.accepted[place]
        if accepted is None or None in known.accepted:
            return  # "Reveals before the last commit are refused": it will be said again
        if committed(self.table, known.turn, place, message.secret) != accepted[0]:
            raise PeerError("revealed something else than it had committed to")
        self._reveal(place, message.secret)

    def _reveal(self, place: int, secret: bytes) -> None:
        known = self._round
        assert known is not None
        self._round = known = replace(known, revealed=_with(known.revealed, place, secret))
        if None in known.revealed or None in known.accepted:
            return
        accepted = [pair for pair in known.accepted if pair]
        body = (
            known.terms.plain(),
            tuple(chair.plain() for chair in known.chairs),
            known.turn,
            tuple(commitment for commitment, _ in accepted),
            tuple(signature for _, signature in accepted),
            tuple(known.revealed),
        )
        self._say()
        self._begin(Log(self.table).write("begin", body, None))

    def _adopt(self, data: bytes) -> None:
        """Another chair was quicker: its entry 0 has this peer's own signature, or is no business of ours."""
        entry = read_entry(data)
        log = Log(self.table)
        log.take(entry)
        if log.now.terms == self.terms and self.identity.key in [chair.key for chair in log.now.chairs]:
            self._begin(entry)

    def _begin(self, entry: Entry) -> None:
        self.begun = entry
        self.phase = BEGUN
        self.events.append(Changed())

    # Time

    @property
    def deadline(self) -> int:
        """When `wake` is wanted."""
        if self.phase == OPEN and self._missed is not None:
            return self._missed + PATIENCE
        return self._again if self.phase == AGREEING else 2**60

    def wake(self, now: int) -> None:
        """Say again what may have been lost; give up on chairs that do not answer, and on a host who stays away."""
        if now < self.deadline:
            return
        if self.phase == OPEN:
            self.phase = CLOSED
            self.events.append(Refused("the host is gone"))
            return
        known = self._round
        assert known is not None
        if not self.hosts and now - known.since >= 2 * PATIENCE:
            self.phase = CLOSED
            self.events.append(Refused("the table did not begin"))
            return
        if self.hosts and now - known.since >= PATIENCE:
            for chair in known.missing():
                self._stand_up(chair.key)
                self.outgoing.append((chair.key, Answer(self.table, False, "you did not answer in time")))
            self.phase = OPEN
            self.events.append(Changed())
            return
        self._say_again(now)

    def _say_again(self, now: int) -> None:
        self._again = now + AGAIN
        self._say()

    def _say(self) -> None:
        """All that this peer has to say about the proposal so far, to all its chairs, and to a host who has none."""
        known = self._round
        assert known is not None
        said: list[Message] = []
        if self.hosts:
            chairs = tuple(chair.plain() for chair in known.chairs)
            said.append(Propose(self.table, known.turn, known.terms.plain(), chairs))
        place = known.place(self.identity.key)
        if place is not None and (own := known.accepted[place]):
            said.append(Accept(self.table, known.turn, known.hash, *own))
            if (secret := known.revealed[place]) is not None:
                said.append(Reveal(self.table, known.turn, secret))
        for key in dict.fromkeys((self.host, *(chair.key for chair in known.chairs))):
            if key != self.identity.key:
                self.outgoing += [(key, message) for message in said]


def _fresh(turn: int, terms: Terms, chairs: tuple[Chair, ...], now: int) -> _Round:
    nothing = (None,) * len(chairs)
    return _Round(turn, terms, chairs, now, nothing, nothing)


def _with(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])
