"""One neighbour as we know it: in which phase it is, what is owed to it, what it may do now.

A value that net/neighbourhood.py turns; no socket, no clock. Specification: protocols.md, "Discovery".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from quadrille.net.zre import SEQUENCES, Hello, Join, Leave, Message, Ping, PingOk, Shout, Unknown, Whisper

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
TABLE: Mapping[type[Message], Mapping[Phase, Deed]] = MappingProxyType(
    {
        message: dict(zip(Phase, deeds, strict=True))
        for message, *deeds in (
            # message  AWAY       GREETED    HEARD        MET
            (Hello, Deed.OPEN, Deed.OPEN, Deed.REOPEN, Deed.REOPEN),
            (Whisper, Deed.DROP, Deed.DROP, Deed.HOLD, Deed.SAY),
            (Shout, Deed.DROP, Deed.DROP, Deed.HOLD, Deed.SAY),
            (Join, Deed.DROP, Deed.DROP, Deed.JOIN, Deed.JOIN),
            (Leave, Deed.DROP, Deed.DROP, Deed.LEAVE, Deed.LEAVE),
            (Ping, Deed.DROP, Deed.DROP, Deed.ANSWER, Deed.ANSWER),
            (PingOk, Deed.DROP, Deed.DROP, Deed.MEET, Deed.COUNT),
            (Unknown, Deed.DROP, Deed.DROP, Deed.COUNT, Deed.COUNT),
        )
    }
)
COMMANDS: Mapping[type[Message], str] = MappingProxyType(
    {
        Hello: "HELLO",
        Whisper: "WHISPER",
        Shout: "SHOUT",
        Join: "JOIN",
        Leave: "LEAVE",
        Ping: "PING",
        PingOk: "PING-OK",
        Unknown: "any other",
    }
)


def rows() -> list[list[str]]:
    """The table as text, for the documentation: a row for each message, a column for each phase."""
    head = ["", *(phase.value for phase in Phase)]
    return [head, *([COMMANDS[message], *(deed.value for deed in deeds.values())] for message, deeds in TABLE.items())]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of everything; times are in milliseconds."""

    peers: int = 64  # how many may have greeted us
    calls: int = 64  # how many may be known besides: beacons of whom nobody knows whether they are true
    beacon_every: int = 1000
    patience: int = 3000  # for the connection of a link
    slowness: int = 6000  # for a HELLO after ours, and for the answer to a PING, on a link that stands
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
    hello_price: int = 40  # a HELLO costs more than to hear it: it makes us call
    strikes: int = 3  # for so many offences a peer is banned
    ban: int = 60000
    held: int = 32  # contents kept of a peer that is not met yet


class Endpoint(NamedTuple):
    """Where a neighbour's TCP socket is."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"tcp://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Contact:
    """Who is said to be where; in a private room, with its key."""

    id: bytes
    endpoint: Endpoint
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody we have met, as programs see it. In the open network all but the address are claims."""

    id: bytes
    name: str
    headers: Mapping[str, str]
    groups: frozenset[str]
    address: str
    key: bytes | None


class Why(Enum):
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


# What programs are told.


@dataclass(frozen=True, slots=True)
class Met:
    """A peer is there, and traffic goes both ways."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Left:
    """A peer that was met is not there any more, nor in any group."""

    peer: Peer
    why: Why
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


Event = Met | Left | Joined | LeftGroup | Said


@dataclass(slots=True, eq=False)
class Neighbour:
    """What is known of a neighbour, and how far we are with it.

    Two streams: ours on a `link`, which begins with our HELLO, and its own, which begins with its `hello`. Either can
    be there without the other; the phase is read from both.
    """

    id: bytes | None  # None: a seed that has not answered yet
    key: bytes | None = None
    admitted: bool = True  # may know what a stranger may not; in a private room only once it has proved itself
    seed: Endpoint | None = None  # a person told us of it: never forgotten
    contacts: list[Endpoint] = field(default_factory=list)
    turn: int = 0  # which contact is next

    link: int | None = None
    at: Endpoint | None = None  # where the link leads
    connected: bool = False
    sent: int = 0
    told: dict[str, None] = field(default_factory=dict)  # the groups that it has been told we are in
    told_status: int = 0
    dialled_at: int = 0
    since: int = 0  # when the link or the stream began, whichever was later

    hello: Hello | None = None
    stream: tuple[bytes, int] = b"", 0  # the identity of the end that it comes from, and the connection's number
    want: int = 0
    groups: dict[str, None] = field(default_factory=dict)
    status: int = 0
    held: list[tuple[str | None, bytes]] = field(default_factory=list)
    peer: Peer | None = None  # as programs know it, once it is met

    heard_at: int = 0
    met_at: int = 0
    pinged_at: int = 0
    beacon_at: int | None = None
    leaving_at: int | None = None  # when its beacon said so
    failures: int = 0
    retry_at: int = 0
    strikes: int = 0
    tokens: int = 0  # in thousandths of a message
    paid_at: int = 0

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

    def pay(self, price: int, now: int, limits: Limits) -> bool:
        """Take the price of a message from what it may send; False if that is used up."""
        earned = (now - self.paid_at) * limits.messages_a_second
        self.tokens = min(limits.burst * 1000, self.tokens + earned) - price * 1000
        self.paid_at = now
        return self.tokens >= 0

    def begin(self, hello: Hello, stream: tuple[bytes, int], now: int) -> None:
        """Its stream begins."""
        self.hello = hello
        self.stream = stream
        self.want = hello.sequence
        self.groups = dict.fromkeys(hello.groups)
        self.status = hello.status
        self.held = []
        self.heard_at = self.since = now
        self.leaving_at = None

    def snapshot(self) -> Peer:
        """What programs may know of it now."""
        assert self.id is not None and self.hello is not None and self.at is not None
        headers = MappingProxyType(dict(self.hello.headers))
        return Peer(self.id, self.hello.name, headers, frozenset(self.groups), self.at.host, self.key)
