"""A table before its first move: chairs, agreement on the terms, and the joint seed.

A machine without sockets and clock: `now` comes in (milliseconds), messages go out through `outgoing`. It ends when
`begun` holds entry 0 of the log. Until then the host decides who sits; from then on nobody is special. `TABLE` has a
peer's action for each input. joint_seed.py has the round in which the chairs draw the seed. Specification:
docs/protocols/gathering.md, which prints `TABLE`.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from quadrille.net.core.errors import LocalError
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.transitions import transitions
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.terms import PEOPLE, Chair, Terms, chairs_objection, peers
from quadrille.net.entries.wire import Accept, Answer, Ask, Chat, Entries, Gone, Invite, Message, Offer, Propose, Reveal
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import ChatLine
from quadrille.net.seating.joint_seed import SECRET_BYTES, Equivocation, SeedRound
from quadrille.net.tables.said_lines import SaidLines
from quadrille.net.tables.table import IN_LINE, PlacesInLine
from quadrille.net.trust.identity import Identity

#: Milliseconds until messages are repeated.
AGAIN: Final = 500
#: Milliseconds for a chair's answer and for the return of an absent host: at least, and at most where links are slow.
PATIENCE: Final = 10_000
MOST_PATIENCE: Final = 60_000
#: Multiple of the slowest link's lag that a chair has for its answer.
LAGS: Final = 8
#: Maximum chairs that a guest forgives for keeping a secret back once: a host may have any number of keys.
FORGIVEN: Final = 3
#: The reason given to a chair that kept its secret back and so could retry until it liked the deal.
KEPT_BACK: Final = "you withheld your secret after the others had revealed theirs"
HOST_GONE: Final = "the host is gone"
#: A source of unpredictable random bytes; tests pass their own.
Entropy: TypeAlias = Callable[[int], bytes]


class GatheringPhase(StrEnum):
    """The phase of a table that has not begun, as offers state it."""

    OPEN = "open"  # it waits for players
    AGREEING = "agreeing"  # a round: all chairs commit, then reveal their secrets
    BEGUN = "playing"  # entry 0 is here
    CLOSED = "over"


OPEN, AGREEING, BEGUN, CLOSED = GatheringPhase


class GatheringStage(Enum):
    """A phase from one peer's side."""

    HOST_OPEN = "host, open"
    GUEST_OPEN = "guest, open"
    HOST_AGREEING = "host, agreeing"
    GUEST_AGREEING = "guest, agreeing"
    DONE = "begun or closed"


class Occasion(Enum):
    """An input that is not a message."""

    LOST = "a peer is lost"
    BACK = "a peer is back"
    LATE = "time is up"


class GatheringReaction(Enum):
    """The effect of an input."""

    SEAT = "seat"  # give a chair, or refuse it with a reason
    RESTART = "restart"  # end the round, because the chair has committed and forgotten; then as `SEAT`
    VACATE = "vacate"  # free its chair
    NOTE = "note"  # an invited peer does not come
    OBEY = "obey"  # the host gives a chair, or takes it away
    JOIN = "join"  # commit to the host's proposal
    COUNT = "count"  # a chair commits, or reveals its secret
    HEAR = "hear"  # a line of the host, or of a peer with a chair
    BEGIN = "begin"  # take entry 0 from a chair that was quicker
    MISS = "miss"  # the host is gone: give it time to come back
    ASK = "ask"  # ask the host for a chair again
    REOPEN = "reopen"  # take away the chairs that have not answered
    CLOSE = "close"  # give the table up
    DROP = "drop"


SEAT, RESTART, VACATE, NOTE, OBEY, JOIN, COUNT, HEAR, BEGIN, MISS, ASK, REOPEN, CLOSE, DROP = GatheringReaction
#: The reaction to each input at each stage. docs/protocols/gathering.md prints this table.
TABLE: Final[Mapping[type[Message] | Occasion, Mapping[GatheringStage, GatheringReaction]]] = transitions(
    GatheringStage,
    {
        # HOST_OPEN GUEST_OPEN HOST_AGREEING GUEST_AGREEING DONE
        Ask: (SEAT, DROP, RESTART, DROP, DROP),
        Gone: (VACATE, DROP, DROP, DROP, DROP),
        Answer: (NOTE, OBEY, NOTE, OBEY, DROP),
        Propose: (DROP, JOIN, DROP, JOIN, DROP),
        Accept: (DROP, DROP, COUNT, COUNT, DROP),
        Reveal: (DROP, DROP, COUNT, COUNT, DROP),
        Chat: (HEAR, HEAR, HEAR, HEAR, DROP),
        Entries: (BEGIN, BEGIN, BEGIN, BEGIN, DROP),
        Occasion.LOST: (VACATE, MISS, DROP, DROP, DROP),
        Occasion.BACK: (DROP, ASK, DROP, DROP, DROP),
        Occasion.LATE: (DROP, CLOSE, REOPEN, CLOSE, DROP),
    },
)


_STAGES: Final = {
    (OPEN, True): GatheringStage.HOST_OPEN,
    (OPEN, False): GatheringStage.GUEST_OPEN,
    (AGREEING, True): GatheringStage.HOST_AGREEING,
    (AGREEING, False): GatheringStage.GUEST_AGREEING,
}


@dataclass(frozen=True, slots=True)
class ChairGranted:
    """The host has given us the chairs that we asked for; or leaves us those that we have, and refuses others."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class ChairRefused:
    """The host refused us a chair, or took it away."""

    why: str


@dataclass(frozen=True, slots=True)
class OfferChanged:
    """The host has changed its offer; as these chairs `withheld` their secrets, if there are any."""

    withheld: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """An invited peer does not come, for this reason; `again`: it played before, and wants no rematch."""

    key: bytes
    why: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class InLine:
    """We are in line for a seat of a table, before its game or at play."""

    why: str


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """A peer is in line for a seat of a table here."""

    key: bytes


Event: TypeAlias = ChairGranted | ChairRefused | InLine | OfferChanged | SeatWanted | TurnedDown | ChatLine


class Gathering:
    """One peer's part in a gathering: the host's, or that of a guest who asked for a chair."""

    def __init__(
        self,
        table: bytes,
        host: bytes,
        terms: Terms,
        identity: Identity,
        now: int,
        *,
        name: str = "",
        entropy: Entropy = secrets.token_bytes,
        lags: Callable[[bytes], int] = lambda _: 0,
        offered_as: Callable[[], str] = lambda: "",
    ) -> None:
        """Gather as the host or a guest, by that name. `lags(key)` is the milliseconds that the link with a peer lately
        took there and back. `offered_as()` is the state in which the host posts the table, linked or not.
        """
        self.table = table
        self.name = name
        self.host = host
        self.terms = terms
        self._offered = terms
        self.identity = identity
        self.since = now
        self.phase: GatheringPhase = OPEN
        self.chairs: list[Chair] = []
        #: Chairs that the host reserves for bots that it starts, and the keys of those still on the way.
        self.kept: dict[bytes, Chair] = {}
        self.coming: set[bytes] = set()
        self.invited: set[bytes] = set()
        self.kicked: set[bytes] = set()
        #: The names of this peer's own chairs whose players are still on the way.
        self.expected: set[str] = set()
        #: The chairs of a rematch, in their order.
        self.reserved: tuple[Chair, ...] = ()
        #: Those who wait for a chair at the host, and whether the host has put this guest there.
        self.line = PlacesInLine()
        self.in_line = False
        self.turn = 0
        #: The chat lines here; the table takes them over.
        self.lines = SaidLines(table, identity.key)
        self.begun: Entry | None = None
        self.outgoing: list[tuple[bytes, Message]] = []
        self.events: list[Event] = []
        self._entropy = entropy
        self._lags = lags
        self._offered_as = offered_as
        self._slowest = 0
        self._round: SeedRound | None = None
        self._told: tuple[bytes, ...] | None = None  # all commitments of the last round in which I told my secret
        self._kept_back: frozenset[bytes] = frozenset()
        self._again = now
        self._request: Ask | None = None
        self._granted: Ask | None = None  # the last request that the host has granted
        self._missed: int | None = None  # when a guest lost the host

    @property
    def hosts(self) -> bool:
        return self.host == self.identity.key

    def offer(self) -> Offer:
        """Write the table as the host's advert states it."""
        return Offer(self.table, self.host, self.terms, tuple(self.chairs), self.phase.value, self.since)

    # Called for a person

    def sit(self, chair: Chair) -> None:
        """Give a chair to the host itself, or to another."""
        if not self._crowded((chair,)):
            self._seat_all([*self.chairs, chair])

    def _seat_all(self, chairs: list[Chair]) -> None:
        if chairs != self.chairs:
            self.chairs = chairs
            self.events.append(OfferChanged())

    def _crowded(self, more: tuple[Chair, ...], *, instead: tuple[Chair, ...] = ()) -> str:
        """Say why these chairs do not fit, in place of others."""
        chairs = [*(chair for chair in self.chairs if chair not in instead), *more]
        if len(chairs) <= self.terms.seats:
            return chairs_objection(self.terms, chairs)
        free = self.terms.seats - len(chairs) + len(more)
        return "all seats are taken" if not free else f"of the {len(more)} seats asked for {free} can be had"

    def add(self, name: str, kind: str, *, comes: bool = False) -> None:
        """Take a further chair for somebody who plays at this program; a `LocalError` says why not. The table waits for
        a player who only `comes`. A guest asks the host, who may say why not.
        """
        if self.phase is not OPEN:
            raise LocalError("the game is about to begin")
        if self.hosts:
            chair = Chair(self.identity.key, name, kind, self.name if name != self.name else "")
            if objection := self._crowded((chair,)):
                raise LocalError(objection)
            self.reserved += (chair,) if self.reserved else ()
            self.expected |= {name} if comes else set()
            self._seat_all([*self.chairs, chair])
        else:
            self._ask_again((*self._others(), (name, kind)))

    def remove(self, name: str) -> None:
        """Free a chair of this peer: its player goes, or does not come."""
        self.expected.discard(name)
        if self.hosts:
            mine = (self.identity.key, name)
            self._seat_all([chair for chair in self.chairs if (chair.key, chair.name) != mine])
        elif self._request is not None and self.phase is OPEN:
            self._ask_again(tuple(pair for pair in self._others() if pair[0] != name))

    def came_to(self, name: str, player: str) -> None:
        """Give a chair that the host expects a player for to one of that name; a `LocalError` says why not."""
        mine = (self.identity.key, name)
        chairs = [replace(chair, name=player) if (chair.key, chair.name) == mine else chair for chair in self.chairs]
        if objection := chairs_objection(self.terms, chairs):
            raise LocalError(objection)
        self.expected.discard(name)
        self._seat_all(chairs)

    def _others(self) -> tuple[tuple[str, str], ...]:
        return self._request.others if self._request is not None else ()

    def _ask_again(self, others: tuple[tuple[str, str], ...]) -> None:
        if self._request is None or self._request != self._granted:
            raise LocalError("the host has not answered the last question yet: ask again then")
        if others != self._request.others:  # two questions that are alike would get each other's answers
            self.ask(self._request.name, self._request.kind, others)

    def keep(self, chair: Chair) -> None:
        """Reserve a chair for a peer that is on the way. Others see it taken, and the table waits for that peer."""
        if len(self.chairs) < self.terms.seats and chair.key not in peers(self.chairs):  # who sits is not on the way
            self.kept[chair.key] = chair
            self.coming.add(chair.key)
            self.reserved += (chair,) if self.reserved else ()
            self.sit(chair)

    def take_back(self, key: bytes) -> None:
        """Cancel a reservation. A peer that has come keeps the chair until it goes: nobody would tell it otherwise."""
        if self.kept.pop(key, None) and key in self.coming:
            self.coming.discard(key)
            self._stand_up(key)

    def ask(self, name: str, kind: str, others: tuple[tuple[str, str], ...] = ()) -> None:
        self._request = Ask(self.table, "seat", name, kind, others)
        self.outgoing.append((self.host, self._request))

    def invite(self, key: bytes) -> None:
        self.invited.add(key)
        self.outgoing.append((key, Invite(self.table, self.terms)))

    def kick(self, key: bytes, reason: str) -> None:
        """Take a chair away for good."""
        self.kicked.add(key)
        self.take_back(key)
        self._stand_up(key)
        self.outgoing.append((key, Answer(self.table, False, reason)))

    def say(self, line: str, others: Iterable[bytes]) -> None:
        """Say something to those who sit here, as far as this peer knows."""
        chat = self.lines.say(line)
        self.events.append(ChatLine(self.identity.key, line))
        self.outgoing += [(key, chat) for key in sorted(others) if key != self.identity.key]

    def leave(self) -> None:
        """Leave before the game begins; if the host leaves, the table closes."""
        others = [key for key in (*peers(self.chairs), *self.line.asks) if key != self.identity.key]
        if self.hosts:
            self.outgoing += [(key, Answer(self.table, False, "the host closed the table")) for key in others]
        else:
            self.outgoing.append((self.host, Gone(self.table)))
        self.phase = CLOSED
        self.events.append(OfferChanged())

    def fail(self) -> None:
        """Stop because of a fault in this program (net/trust/guard.py)."""
        self._close("this program made a mistake here")

    def drop_free_chairs(self) -> None:
        """As the host of an open table, play with those who sit or wait in line; a `PeerError` if they are too few."""
        if not (self.hosts and self.phase is OPEN):
            return
        waiting = min(len(self.line.asks), self.terms.seats - len(self.chairs))
        seats = len(self.chairs) + waiting
        replace(self.terms, seats=seats).check(alone=len(peers(self.chairs)) == 1)
        self.reserved = tuple(chair for chair in self.reserved if chair in self.chairs)
        self.serve()
        self.terms = replace(self.terms, seats=len(self.chairs))
        self.events.append(OfferChanged())

    def start(self, now: int) -> None:
        """As the host of a full table, propose."""
        is_full = len(self.chairs) == self.terms.seats and not (self.coming or self.expected)
        if not (self.hosts and self.phase is OPEN and is_full):
            return
        self.turn += 1
        order = [(chair.key, chair.name) for chair in self.reserved]
        if order:  # who has another name now takes the place of the peer's first chair
            keys = [key for key, _ in order]
            at = {pair: place for place, pair in enumerate(order)}
            self.chairs.sort(key=lambda one: at.get((one.key, one.name), [*keys, one.key].index(one.key)))
        self._propose(self.turn, self.terms, tuple(self.chairs), now)
        self.events.append(OfferChanged())

    # Called for other peers

    def went(self, key: bytes, now: int, *, is_gone: bool = False) -> None:
        match self._reaction(Occasion.LOST):
            case GatheringReaction.VACATE:
                self.line.asks.pop(key, None)
                self._stand_up(key)
            case GatheringReaction.MISS if key == self.host and is_gone:
                self._close(HOST_GONE)  # nobody else remembers the table
            case GatheringReaction.MISS if key == self.host:
                self._follow(key)
                self._missed = now

    def came(self, key: bytes) -> None:
        """Ask for a chair again if the host is back: it has freed the chair meanwhile, or never got the request."""
        if self._reaction(Occasion.BACK) is GatheringReaction.ASK and key == self.host and self._missed is not None:
            self._repeat()

    def _repeat(self) -> None:
        self._missed = self._granted = None  # an answer is to this question, and not to one asked before it
        if self._request is not None:
            self.outgoing.append((self.host, self._request))

    def receive(self, author: bytes, message: Message, now: int) -> None:
        """Process a message about this table. Drop one that does not fit the stage, or that a false host sent."""
        match self._reaction(type(message)), message:
            case GatheringReaction.SEAT, Ask(_, "seat"):
                self.serve()  # a chair that has become free since the last turn is for those in line
                self._seat(author, message)
            case GatheringReaction.RESTART, Ask(_, "seat"):
                self._seat(author, message, restarts=True)
            case GatheringReaction.VACATE, _:
                self.line.asks.pop(author, None)
                self._stand_up(author)
            case GatheringReaction.NOTE, Answer(_, False, why) if author in self.invited:
                self.invited.remove(author)
                self.events.append(TurnedDown(author, why, author in peers(self.reserved)))
                self.reserved = tuple(chair for chair in self.reserved if chair.key != author or chair in self.chairs)
            # any other reason comes with chairs that it keeps, though it may not remember them after a crash
            case GatheringReaction.OBEY, Answer(_, True, why) if author == self.host and why.endswith(IN_LINE):
                self.in_line = True
                self.events.append(InLine(why))
            case GatheringReaction.OBEY, Answer(_, True, why) if author == self.host:
                self._request = self._granted if why else self._request
                self._granted = self._request
                self.events.append(ChairGranted(why))
            case GatheringReaction.OBEY, Answer(_, False, why) if author == self.host:
                self._close(why)
            case GatheringReaction.JOIN, Propose() if author == self.host:
                self._proposed(message, now)
            case GatheringReaction.COUNT, Accept() | Reveal():
                self._answer(author, message, now)
            case GatheringReaction.HEAR, Chat() if self.lines.hear(author, message):
                self.events.append(ChatLine(author, message.line))
            case GatheringReaction.BEGIN, Entries(_, entries) if entries:
                self._adopt(entries[0])

    def _reaction(self, what: type[Message] | Occasion) -> GatheringReaction:
        """Look up a peer's action in this phase, as host or guest. Other messages are for tables at play."""
        stage = _STAGES.get((self.phase, self.hosts), GatheringStage.DONE)
        return TABLE[what][stage] if what in TABLE else DROP

    def _close(self, reason: str) -> None:
        self.phase = CLOSED
        self.events.append(ChairRefused(reason))

    def _seat(self, key: bytes, ask: Ask, *, restarts: bool = False) -> None:
        """Give the chairs that a peer asks for, or say why not. It keeps those that it has."""
        held = tuple(chair for chair in self.chairs if chair.key == key)
        if held and restarts:
            self._began_anew(key)
        wanted = ask.chairs(key)
        objection = self._objection(key, wanted, held)
        if not objection and key in self.coming:  # who was on the way has come, perhaps by the very name that is kept
            self.coming.discard(key)
            self.events.append(OfferChanged())
        if not objection:
            self._put(held, wanted)
        keeps = bool(held) and key not in self.coming
        most = self.terms.seats - sum(chair.key == self.host and not chair.at for chair in self.chairs)
        never = key in self.kicked or keeps or len(wanted) > most or chairs_objection(self.terms, wanted)
        if objection and not never and ask.kind in PEOPLE and (place := self.line.take(key, ask)):
            self.events.append(SeatWanted(key))
            keeps, objection = True, place
        self.outgoing.append((key, Answer(self.table, keeps or not objection, objection)))

    def serve(self) -> None:
        """As the host of an open table, give free chairs to those in line, in the order in which they asked."""
        for key in self.line.keys if self.phase is OPEN else ():
            ask = self.line.asks[key]
            if not self._objection(key, ask.chairs(key), ()):
                del self.line.asks[key]
                self._seat(key, ask)

    def _objection(self, key: bytes, wanted: tuple[Chair, ...], held: tuple[Chair, ...]) -> str:
        if key in self.kicked:
            return "the host does not want you at this table"
        kept, keys = sum(chair.key == key for chair in self.reserved), peers(self.reserved)
        others = sum(chair.key not in (key, *keys) for chair in self.chairs)
        if self.reserved and len(wanted) > kept + max(0, self.terms.seats - len(self.reserved) - others):
            return "the seats are kept for those who played before"
        if self.phase is not OPEN and wanted != held:
            return "the game is about to begin"
        return self._crowded(wanted, instead=held)

    def _put(self, held: tuple[Chair, ...], wanted: tuple[Chair, ...]) -> None:
        """Replace a peer's chairs in their places, and append further ones."""
        if wanted != held:
            instead = {before: wanted[place : place + 1] for place, before in enumerate(held)}
            staying = [chair for old in self.chairs for chair in instead.get(old, (old,))]
            self._seat_all([*staying, *wanted[len(held) :]])

    def _stand_up(self, key: bytes) -> None:
        if key in self.kept:
            self.coming.add(key)
            self._put(tuple(chair for chair in self.chairs if chair.key == key), (self.kept[key],))
            return
        self._seat_all([chair for chair in self.chairs if chair.key != key])

    # Agreeing

    def _propose(self, turn: int, terms: Terms, chairs: tuple[Chair, ...], now: int) -> None:
        """Take part in a proposal that this peer made or received."""
        # a secret of an earlier round, which another peer may know, is never used again
        share = self._entropy(SECRET_BYTES)
        self.phase = AGREEING
        self._round = SeedRound(self.table, turn, terms, chairs, share, now).agreed(self.identity, now)
        self._say_again(now)
        self._go_on(now)

    def _proposed(self, message: Propose, now: int) -> None:
        known, there = self._round, {self.host, *(chair.key for chair in message.chairs)}
        if known and message.turn <= known.turn:
            return
        if not self._was_offered(message.terms):
            self._turn_away("the host proposed other terms than it had offered")
        elif known and (self._kept_back_again(known.withheld()) & there or len(self._kept_back) > FORGIVEN):
            self._turn_away("somebody kept its secret back after it had heard yours, and could choose the deal so")
        elif not self._is_wanted(message.chairs):
            self._turn_away("the host proposed other seats for this program than it had asked for")
        elif objection := chairs_objection(message.terms, message.chairs):
            self._turn_away(f"the host proposed seats that can't be: {objection}")
        elif len(message.chairs) == message.terms.seats:
            self.terms = message.terms
            self._propose(message.turn, self.terms, message.chairs, now)

    def _is_wanted(self, chairs: tuple[Chair, ...]) -> bool:
        """Return True if a proposal gives this peer the chairs that it has asked for, now or before."""
        mine = {chair for chair in chairs if chair.key == self.identity.key}
        asked = [ask for ask in (self._request, self._granted) if ask is not None]
        return bool(mine) and any({*ask.chairs(self.identity.key)} == mine for ask in asked)

    def _was_offered(self, terms: Terms) -> bool:
        """Return True for the terms of the offer, also with fewer seats: the host may begin with those who are here."""
        fewer = terms.seats < self._offered.seats and terms.objection() is None
        return terms == (replace(self._offered, seats=terms.seats) if fewer else self._offered)

    def _turn_away(self, reason: str) -> None:
        self.outgoing.append((self.host, Gone(self.table)))
        self._close(reason)

    def _answer(self, author: bytes, message: Accept | Reveal, now: int) -> None:
        """Count a chair's commitment or its secret."""
        known = self._round
        if known is None or message.turn != known.turn:
            return
        try:
            match message:
                case Accept(_, _, proposal) if proposal == known.hash:
                    self._round = known.hear_accept(author, message, now)
                case Reveal():
                    self._round = known.hear_reveal(author, message, now)
        except Equivocation as error:
            self._caught(error)
            if self.phase is AGREEING and error.key == author:
                raise  # where the proof ends the round, nothing was refused
            self._round = replace(known, excused=known.excused | {author})
        self._go_on(now)

    def _caught(self, error: Equivocation) -> None:
        """End the round of a chair that signed two commitments: a host takes it away, a guest leaves a guilty host."""
        if self.hosts:
            self.kick(error.key, "you committed to two secrets in one round")
            self._reopen()
        elif error.key == self.host:
            self._turn_away("the host committed to two secrets in one round")

    def _go_on(self, now: int) -> None:
        """Reveal this chair's secret once all have committed, and begin once all secrets are here."""
        known = self._round
        assert known is not None
        opened = known.opened(self.identity, now)
        self._round = opened
        self._told = opened.commitments if self.identity.key in opened.revealed else self._told
        body = opened.body()
        if opened is not known or body:
            self._say()
        if body:
            self._begin(Log(self.table).write(body, None))

    def stands(self, entry: Entry) -> bool:
        """Accept a beginning by the terms of the offer that holds the last secret that this peer revealed.

        Otherwise the others could choose between two beginnings once they know both seeds.
        """
        match entry.body:
            case BeginBody(terms, commitments=commitments) if self._was_offered(terms.offered):
                return self._told in (None, commitments)
        return False

    def _adopt(self, entry: Entry) -> None:
        """Begin with the entry 0 of a chair that was quicker. It has this peer's own signature, or does not concern
        this peer.
        """
        if entry.index:
            return
        log = Log(self.table)
        log.take(entry)
        proposed = self._round is not None and {*self._round.keys} == {*log.now.keys}
        concerned = self.identity.key in log.now.keys or (self.hosts and proposed)
        if concerned and self.stands(entry):
            self._begin(entry)

    def _begin(self, entry: Entry) -> None:
        self.begun = entry
        self.phase = BEGUN
        self.events.append(OfferChanged())

    # Time

    @property
    def deadline(self) -> int:
        if self.phase is OPEN and self._missed is not None:
            return self._missed + self._patience
        return self._again if self.phase is AGREEING else NO_DEADLINE

    @property
    def _patience(self) -> int:
        """Milliseconds for an answer: they follow the slowest link."""
        return max(PATIENCE, min(MOST_PATIENCE, LAGS * self._slowest))

    def _follow(self, *others: bytes) -> None:
        """Note the lags of these links. A link that breaks shows none any more, so the longest lag stays."""
        self._slowest = max(self._slowest, *map(self._lags, others), 0)

    def wake(self, now: int) -> None:
        """Repeat what may have been lost; give up on chairs that do not answer, and on a host that stays away."""
        if now < self.deadline:
            return
        self._follow(self.host, *(self._round.keys if self._round else ()))
        patience = self._patience if self.hosts else 2 * self._patience
        late = self.phase is OPEN or (self._round is not None and now - self._round.progress >= patience)
        match self._reaction(Occasion.LATE) if late else None:
            case None:
                self._say_again(now)
            case GatheringReaction.REOPEN:
                self._give_up()
            case GatheringReaction.CLOSE if self.phase is OPEN and self._offered_as():
                self._missed = now  # a firewall keeps us apart, and may be opened
            case GatheringReaction.CLOSE if self._offered_as() == "open":
                self._reopen()  # the host has taken chairs from others, and waits for somebody else
                self._repeat()
            case GatheringReaction.CLOSE:
                self._turn_away("the table did not begin" if self._offered_as() else HOST_GONE)

    def _give_up(self) -> None:
        """As the host, end a round that has stalled.

        A chair that kept its secret back knew the others' secrets, and saw the deal before they did. Its program may
        have been killed just then, which is forgiven once; otherwise it could retry until it liked the deal.
        """
        known = self._round
        assert known is not None
        again = self._kept_back_again(known.withheld())
        for key in known.missing():
            if key in again:
                self.kick(key, KEPT_BACK)
            else:
                self._stand_up(key)
                self.outgoing.append((key, Answer(self.table, False, "you did not answer in time")))
        self._reopen(known.withheld())

    def _began_anew(self, key: bytes) -> None:
        """End the round if the chair that asks again has committed: its program was killed since then and has lost its
        secret.
        """
        known = self._round
        if known is None or key not in known.accepted:
            return
        held = known.withheld() & {key}  # the others had no time yet
        if self._kept_back_again(held):
            self.kick(key, KEPT_BACK)
        self._reopen(held)

    def _reopen(self, withheld: Iterable[bytes] = ()) -> None:
        self.phase = OPEN
        self.events.append(OfferChanged(tuple(sorted(withheld))))

    def _kept_back_again(self, held: frozenset[bytes]) -> frozenset[bytes]:
        """Note the chairs that kept their secrets back in a round, and return those that did so in an earlier one."""
        again = held & self._kept_back
        self._kept_back |= held
        return again

    def _say_again(self, now: int) -> None:
        self._again = now + AGAIN
        self._say()

    def _say(self) -> None:
        """Send this peer's messages about the proposal to all its chairs, and to a host without one."""
        known = self._round
        assert known is not None
        messages: list[Message] = []
        if self.hosts:
            messages.append(Propose(self.table, known.turn, known.terms, known.chairs))
        if own := known.accepted.get(self.identity.key):
            messages.append(Accept(self.table, known.turn, known.hash, *own))
        if own_revelation := known.revealed.get(self.identity.key):
            secret, signature = own_revelation
            messages.append(Reveal(self.table, known.turn, secret, known.row, signature))
        for key in dict.fromkeys((self.host, *known.keys)):
            if key != self.identity.key:
                self.outgoing += [(key, message) for message in messages]
