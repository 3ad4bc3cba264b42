"""The values of neighbours.py: phases, limits, places, and what it reports to its node and to programs.

Specification: docs/protocols/discovery.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from quadrille.net.core.ip_addresses import bracketed
from quadrille.net.core.transitions import transitions
from quadrille.net.zeromq.zre import Hello, Ping, PingOk, Unused, Whisper


class Phase(Enum):
    """The state of our acquaintance. An unknown neighbour is AWAY."""

    AWAY = "away"  # not called
    GREETED = "greeted"  # called; our HELLO is sent, its own has not come
    HEARD = "heard"  # its HELLO is here; ours may not have arrived
    MET = "met"  # it has answered a PING: traffic flows both ways


class NeighbourReaction(Enum):
    """The effect of a message."""

    OPEN = "open"  # its stream begins; call it if it is not called
    REOPEN = "reopen"  # its stream begins again: drop it and call it again
    HOLD = "hold"  # keep the content until the peer is met
    SAY = "say"  # pass the content to the program
    ANSWER = "answer"  # send PING-OK
    MEET = "meet"  # the peer is met
    COUNT = "count"  # count the number and do nothing else
    DROP = "drop"  # do nothing, not even count the number


OPEN, REOPEN, HOLD, SAY, ANSWER, MEET, COUNT, DROP = NeighbourReaction
#: The reaction to each message in each phase. docs/protocols/discovery.md prints this table.
TABLE: Final = transitions(
    Phase,
    {
        # message AWAY GREETED HEARD MET
        Hello: (OPEN, OPEN, REOPEN, REOPEN),
        Whisper: (DROP, DROP, HOLD, SAY),
        Ping: (DROP, DROP, ANSWER, ANSWER),
        PingOk: (DROP, DROP, MEET, COUNT),
        Unused: (DROP, DROP, COUNT, COUNT),
    },
)


@dataclass(frozen=True, slots=True)
class NeighbourLimits:
    """Limits and timeouts of neighbours; times are in milliseconds."""

    peers: int = 64  # maximum neighbours that greeted us
    calls: int = 64  # maximum other known neighbours: beacons that may be false
    beacon_every: int = 1000
    patience: int = 3000  # timeout of a link's TCP connection
    slowness: int = 6000  # timeout of a handshake, of a HELLO after ours, and of the answer to a PING, on an open link
    crossing: int = 1000  # a HELLO this soon after ours is its answer
    quiet: int = 2000  # silence before a PING
    silent: int = 5000  # silence before a peer counts as gone
    ping_every: int = 1000
    first_retry: int = 500  # doubled with each retry
    last_retry: int = 30000
    tries: int = 6  # retries after which a neighbour without beacons is forgotten
    settled: int = 10000  # length of a meeting that resets the retries
    messages_a_second: int = 2000
    burst: int = 4000
    strangers_a_second: int = 100  # rate limit of all peers together that do not matter
    strangers_burst: int = 500  # burst of all of them
    stranger_a_second: int = 4  # rate that each of them always has
    stranger_burst: int = 50
    hello_price: int = 40  # a HELLO costs more than to read it: it makes us call
    strikes: int = 3  # offences that lead to a ban
    ban: int = 60000
    held: int = 32  # contents kept of a peer that is not met yet
    alone: int = 400  # delay before a peer of our kind that we can't call is answered on its own connection
    unanswered: int = 1500  # delay before a call without an answer is reported
    doubt: int = 1500  # time for a proved peer to answer when a second stream has proved the same key
    rivals: int = 16  # streams that wait to prove an identity whose place is taken
    rivals_each: int = 4  # of these, for one identity and from one address
    turnover: int = 10000  # interval at which a stranger may lose its place to one that is no better
    patient: int = 2  # doublings of these timeouts for a peer that was reached and did not answer in time
    lags: int = 4  # multiple of the lag of a peer for which it may be silent, if that is longer
    most_silent: int = 20000  # and at most


class Endpoint(NamedTuple):
    """The address of a neighbour's TCP socket; net/core/ip_addresses.py says how its host is written."""

    host: str
    port: int

    def __str__(self) -> str:
        """Write the endpoint as in HELLO, without the index of our interface, which means nothing to others."""
        return f"tcp://{bracketed(self.host.partition('%')[0])}:{self.port}"


#: The number of a connection that we accepted, or below 0 that of a link of ours. Its peer sends on it. We send on it
#: too if it is a link, or if the peer reads answers. NOWHERE cannot be answered and is not distinguished from others.
Way: TypeAlias = int
NOWHERE: Final[Way] = 0


class Source(NamedTuple):
    """The origin of a message. Of an accepted connection, `identity` is what its other end claims; `key`, in a private
    room, is what that has proved.
    """

    address: str
    way: Way
    identity: bytes = b""
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer we have met, as programs see it. In the open network all but the address are claims, unless the peer has
    proved the key of its identity.
    """

    id: bytes
    name: str
    headers: Mapping[str, str]
    address: str
    key: bytes | None
    proved: bool = False


class LossReason(Enum):
    """Why a peer was lost."""

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
    SPARED = "the link is not needed"


class CallEnd(Enum):
    """How far a call of ours got that ended without a HELLO."""

    UNANSWERED = "nothing came back"
    REFUSED = "the system there refused it"
    ACCEPTED = "the system there accepted it"
    FAILED = "this system has no room for it"


class Trouble(Enum):
    """Why a called neighbour is not met, or why nobody is."""

    REFUSED = "nobody listens there"
    SILENT = "there is no answer"
    STRANGE = "another program answers"
    FOREIGN = "another program of the same network answers"
    FULL = "it has no place for us"
    WALLED = "it is heard and lets nobody in"
    DEAF = "it is heard and lets us in, and does not answer"
    NO_ROOM = "this system has no room for a connection"
    SHUT = "nothing gets into this machine, its own beacons included"
    CUT_OFF = "this machine has lost its network"


#: The cause, from how far a call got and from the beacons of the called neighbour, which come or do not. The last two
#: causes are of this machine: `Broadcast` (net/link/broadcast.py) notices what reaches it.
CAUSES: Final[Mapping[CallEnd, tuple[Trouble, Trouble]]] = {
    # no beacons come, beacons come
    CallEnd.UNANSWERED: (Trouble.SILENT, Trouble.WALLED),
    CallEnd.REFUSED: (Trouble.REFUSED, Trouble.WALLED),
    CallEnd.ACCEPTED: (Trouble.STRANGE, Trouble.DEAF),
    CallEnd.FAILED: (Trouble.NO_ROOM, Trouble.NO_ROOM),
}


# Events for programs.


@dataclass(frozen=True, slots=True)
class PeerMet:
    """A peer is there, and traffic flows both ways."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerLeft:
    """A met peer is gone."""

    peer: Peer
    why: LossReason


@dataclass(frozen=True, slots=True)
class Said:
    """One frame of content for us."""

    peer: Peer
    payload: bytes


@dataclass(frozen=True, slots=True)
class Doubled:
    """Two programs have proved the same identity: the peer we met, and one at this address that is kept out."""

    id: bytes
    name: str
    address: str
    endpoint: Endpoint


Event = PeerMet | PeerLeft | Said | Doubled


# Actions for the node: what to do with sockets.


@dataclass(frozen=True, slots=True)
class Dial:
    """Open a link to this endpoint; in a private room to the owner of this key."""

    link: Way
    endpoint: Endpoint
    key: bytes | None


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message by a link, or back on a connection that we accepted."""

    way: Way
    frames: list[bytes]


@dataclass(frozen=True, slots=True)
class Close:
    """Close a link or an accepted connection; messages in flight may be lost."""

    way: Way


@dataclass(frozen=True, slots=True)
class Announce:
    """Send a datagram: broadcast by every interface, and to each of these hosts; `by_ipv6` multicast as well where IPv4
    broadcasts.
    """

    datagram: bytes
    hosts: tuple[str, ...]
    by_ipv6: bool = True


Action = Dial | Send | Close | Announce


# Answers to programs.


@dataclass(frozen=True, slots=True)
class Halfway:
    """A known peer that is not met yet, shown when a person looks for a missing peer. Its endpoint is the address that
    a person gave, or one of IPv4, if either is known. `tries` counts the rounds of calls in vain. `name` is that of
    its posting.
    """

    endpoint: Endpoint
    phase: Phase
    trouble: Trouble | None = None
    named: bool = False  # a person gave us this address
    peer: bytes | None = None
    tries: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Census:
    """Number of peers met, maximum, and number refused in the last minute for lack of room; and in a hall the number
    known to be there, and the maximum that can be listed.
    """

    met: int
    limit: int
    refused: int
    there: int = 0
    listed: int = 0
