"""One neighbour as we know it: in which phase it is, what is owed to it, what it may do now.

A value that neighbourhood.py turns; no socket, no clock. Specification: protocols.md, "Discovery".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from quadrille.net.core.transitions import printed, transitions
from quadrille.net.trust.proof import SenderClaim
from quadrille.net.zeromq.zre import SEQUENCES, Hello, Join, Leave, Message, Ping, PingOk, Shout, Unknown, Whisper

MOST_CONTACTS = 8


class Phase(Enum):
    """How far we are with a neighbour. Of one that we have never heard of we are AWAY."""

    AWAY = "away"  # not called
    GREETED = "greeted"  # called; our HELLO is on its way, its own has not come
    HEARD = "heard"  # its HELLO is here; whether ours arrived there is not known
    MET = "met"  # it has answered a PING: traffic goes both ways


class Deed(Enum):
    """What a message does."""

    OPEN = "open"  # its stream begins; call it if it is not called
    REOPEN = "reopen"  # its stream begins again: part with it, and call it anew
    JOIN = "join"  # it is in one more group
    LEAVE = "leave"  # it is in one group less
    HOLD = "hold"  # keep the content until the peer is met
    SAY = "say"  # the content goes to the program
    ANSWER = "answer"  # send PING-OK
    MEET = "meet"  # now it is met
    COUNT = "count"  # the number is counted, and nothing else happens
    DROP = "drop"  # nothing happens, the number is not counted either


#: What is acceptable in which phase. protocols.md prints this table.
TABLE: Final = transitions(
    Phase,
    {
        # message  AWAY       GREETED    HEARD        MET
        Hello: (Deed.OPEN, Deed.OPEN, Deed.REOPEN, Deed.REOPEN),
        Whisper: (Deed.DROP, Deed.DROP, Deed.HOLD, Deed.SAY),
        Shout: (Deed.DROP, Deed.DROP, Deed.HOLD, Deed.SAY),
        Join: (Deed.DROP, Deed.DROP, Deed.JOIN, Deed.JOIN),
        Leave: (Deed.DROP, Deed.DROP, Deed.LEAVE, Deed.LEAVE),
        Ping: (Deed.DROP, Deed.DROP, Deed.ANSWER, Deed.ANSWER),
        PingOk: (Deed.DROP, Deed.DROP, Deed.MEET, Deed.COUNT),
        Unknown: (Deed.DROP, Deed.DROP, Deed.COUNT, Deed.COUNT),
    },
)
COMMANDS: Final[Mapping[type[Message], str]] = {
    Hello: "HELLO",
    Whisper: "WHISPER",
    Shout: "SHOUT",
    Join: "JOIN",
    Leave: "LEAVE",
    Ping: "PING",
    PingOk: "PING-OK",
    Unknown: "any other",
}


def rows() -> list[list[str]]:
    """The table as text, for the documentation: a row for each message, a column for each phase."""
    return printed(TABLE, COMMANDS)


@dataclass(frozen=True, slots=True)
class NeighbourLimits:
    """How much of everything; times are in milliseconds."""

    peers: int = 64  # how many may have greeted us
    calls: int = 64  # how many may be known besides: beacons of whom nobody knows whether they are true
    beacon_every: int = 1000
    patience: int = 3000  # for the TCP connection of a link
    slowness: int = 6000  # for a handshake, for a HELLO after ours, and for the answer to a PING, on a link that stands
    crossing: int = 1000  # a HELLO so soon after ours is the answer to it
    quiet: int = 2000  # without a sign of life: PING
    silent: int = 5000  # without a sign of life: gone
    ping_every: int = 1000
    first_retry: int = 500  # doubled with each try
    last_retry: int = 30000
    tries: int = 6  # then a neighbour whose beacons are not heard either is forgotten
    settled: int = 10000  # a meeting that lasted so long has made good for all failed tries
    messages_a_second: int = 2000
    burst: int = 4000
    strangers_a_second: int = 100  # from all peers that do not matter together, in the long run
    strangers_burst: int = 500  # and at once
    stranger_a_second: int = 4  # from each of them, whatever the others say
    stranger_burst: int = 50
    hello_price: int = 40  # a HELLO costs more than to hear it: it makes us call
    strikes: int = 3  # for so many offences a peer is banned
    ban: int = 60000
    held: int = 32  # contents kept of a peer that is not met yet
    alone: int = 400  # until a peer of our kind that we can't call is answered on its own connection
    unanswered: int = 1500  # until a call without an answer is said to be one
    doubt: int = 1500  # for a proved peer to answer, when a second stream has proved the same key
    rivals: int = 16  # streams that wait to prove an identity whose place is taken
    rivals_each: int = 4  # of these for one identity, and from one address
    turnover: int = 10000  # between two strangers that lose their places to others no better than they
    introductions: int = 16  # from one peer at once
    introduction_every: int = 5000  # until a peer may introduce one more


class Endpoint(NamedTuple):
    """Where a neighbour's TCP socket is."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"tcp://{self.host}:{self.port}"


class Way(NamedTuple):
    """The source of a stream of messages: a connection that we accepted, or a link of ours by which it is answered."""

    connection: int = 0  # 0: not known
    link: int = 0
    identity: bytes = b""


NOWHERE = Way()


class Source(NamedTuple):
    """Where a message comes from; in a private room, `key` is the key of the other end of an accepted connection.

    Connection 0 is none that can be answered or told from others.
    """

    address: str
    way: Way
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Contact:
    """Who is said to be where; in a private room, with its key."""

    id: bytes
    endpoint: Endpoint
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody we have met, as programs see it. In the open network all but the address are claims, unless the peer
    has proved that it holds the key of its identity.
    """

    id: bytes
    name: str
    headers: Mapping[str, str]
    groups: frozenset[str]
    address: str
    key: bytes | None
    proved: bool = False


class LossReason(Enum):
    """How a peer was lost."""

    LEFT = "it left"
    LOST = "the connection broke"
    SILENT = "nothing was heard of it any more"
    RESTARTED = "it began anew"
    GAPS = "messages were lost on the way"
    BROKE = "it broke the protocol"
    FLOODED = "it sent too much"
    CHOKED = "it did not take what was sent to it"
    BANNED = "it is not wanted here"
    CROWDED = "another took its place"


class Trouble(Enum):
    """Why somebody that is called is not met."""

    REFUSED = "nobody listens there"
    UNREACHABLE = "there is no way there"
    SILENT = "there is no answer"
    STRANGE = "another program answers"
    FOREIGN = "another program of the same network answers"
    FULL = "it has no place for us"
    WALLED = "neither machine lets the other in"


# What programs are told.


@dataclass(frozen=True, slots=True)
class PeerMet:
    """A peer is there, and traffic goes both ways."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerLeft:
    """A peer that was met is not there any more, nor in any group."""

    peer: Peer
    why: LossReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """A peer that was met is in a group."""

    peer: Peer
    group: str


@dataclass(frozen=True, slots=True)
class LeftGroup:
    """A peer is no longer in a group."""

    peer: Peer
    group: str


@dataclass(frozen=True, slots=True)
class Said:
    """One frame of content, to us alone (no group) or to a group."""

    peer: Peer
    group: str | None
    payload: bytes


@dataclass(frozen=True, slots=True)
class Doubled:
    """Two programs have proved the same identity: the one that is met, and one at this address that is kept out."""

    id: bytes
    name: str
    address: str
    endpoint: Endpoint


Event = PeerMet | PeerLeft | Joined | LeftGroup | Said | Doubled


@dataclass(slots=True, eq=False)
class Neighbour:
    """What is known of a neighbour, and how far we are with it.

    Two streams: ours, on a `link` or `back` on a connection that it made, begins with our HELLO; its own comes by some
    `way` and begins with its `hello`. Either can be there without the other; the phase is read from both.
    """

    id: bytes | None  # None: a seed that has not answered yet
    key: bytes | None = None
    admitted: bool = True  # may know what a stranger may not; in a private room only once it has proved itself
    seed: Endpoint | None = None  # a person told us of it: never forgotten
    contacts: list[Endpoint] = field(default_factory=list)
    turn: int = 0  # which contact is next

    link: int | None = None
    at: Endpoint | None = None  # where the link leads
    back: int = 0  # the accepted connection on which we answer, if our own call does not get there
    reached: bool = False  # somebody takes connections there
    connected: bool = False  # and speaks ZMTP
    nonce: bytes = b""  # of our HELLO
    sent: int = 0
    told: dict[str, None] = field(default_factory=dict)  # the groups that it has been told we are in
    told_status: int = 0
    dialled_at: int = 0
    since: int = 0  # when the link or the stream began, whichever was later

    hello: Hello | None = None
    way: Way = NOWHERE
    came_from: Endpoint | None = None  # the address its stream comes from, and the port it names
    claim: SenderClaim | None = None  # what it has to prove
    proved: bool = False  # its stream is that of the owner of its key
    ponged: bool = False  # it has answered a PING
    want: int = 0
    groups: dict[str, None] = field(default_factory=dict)
    status: int = 0
    held: list[tuple[str | None, bytes]] = field(default_factory=list)
    peer: Peer | None = None  # as programs know it, once it is met

    heard_at: int = 0
    spoke_at: int = 0  # a beacon can be anybody's, a message of its stream can't
    contested_at: int | None = None  # when a second stream has proved the same key
    met_at: int = 0
    pinged_at: int = 0
    beacon_at: int | None = None
    leaving_at: int | None = None  # when its beacon said so
    failures: int = 0
    retry_at: int = 0
    strikes: int = 0
    tokens: int = 0  # in thousandths of a message
    paid_at: int = 0
    trouble: Trouble | None = None
    introductions: int = 0  # in thousandths of an introduction that it may make
    introduced_at: int = 0

    @property
    def is_called(self) -> bool:
        """Whether our stream to it has begun."""
        return self.link is not None or self.back != 0

    @property
    def place(self) -> Endpoint | None:
        """Where it is: where we called it, or where it says that it listens."""
        return self.at or self.came_from

    @property
    def phase(self) -> Phase:
        """How far we are with it."""
        if self.hello is None:
            return Phase.AWAY if self.link is None else Phase.GREETED
        return Phase.HEARD if self.peer is None else Phase.MET

    def learn(self, endpoint: Endpoint, *, hearsay: bool) -> bool:
        """Another place where it may be found, to be tried next; whether it is news. Hearsay replaces nothing."""
        if endpoint in self.contacts or (hearsay and len(self.contacts) == MOST_CONTACTS):
            return False
        self.contacts = [endpoint, *self.contacts[: MOST_CONTACTS - 1]]
        self.turn = 0
        return True

    def number(self) -> int:
        """The number of the next message to it. Every message has one, sent or not."""
        self.sent = (self.sent + 1) % SEQUENCES
        return self.sent

    def counts(self, sequence: int) -> bool:
        """Take the number of its next message; False if others before it are missing."""
        self.want = (self.want + 1) % SEQUENCES
        return sequence == self.want

    def pay(self, price: int, now: int, limits: NeighbourLimits) -> bool:
        """Take the price of a message from what it may send; False if that is used up."""
        earned = (now - self.paid_at) * limits.messages_a_second
        self.tokens = min(limits.burst * 1000, self.tokens + earned) - price * 1000
        self.paid_at = now
        return self.tokens >= 0

    def begin(self, hello: Hello, way: Way, came_from: Endpoint, claim: SenderClaim | None, now: int) -> None:
        """Its stream begins."""
        self.hello = hello
        self.way = way
        self.came_from = came_from
        self.claim = claim
        self.proved = self.key is not None  # in a private room CURVE has proved it
        self.ponged = False
        self.trouble = None
        self.want = hello.sequence
        self.groups = dict.fromkeys(hello.groups)
        self.status = hello.status
        self.held = []
        self.heard_at = self.spoke_at = self.since = now
        self.leaving_at = None

    def end(self) -> None:
        """Its stream ends."""
        self.hello = self.claim = None
        self.way = NOWHERE
        self.proved = self.ponged = False
        self.held = []

    def snapshot(self) -> Peer:
        """What programs may know of it now."""
        assert self.id is not None and self.hello is not None and self.place is not None
        headers = MappingProxyType(dict(self.hello.headers))
        groups = frozenset(self.groups)
        return Peer(self.id, self.hello.name, headers, groups, self.place.host, self.key, self.proved)
