"""Links to neighbours: whom we call, where, and on which link. The outgoing half of neighbourhood.py.

It guarantees at most one link to a neighbour, at most one to an endpoint, and the rate limit of calls. `outgoing`
says what to do with sockets; there are none here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from quadrille.net.core.pace import Bucket, a_second
from quadrille.net.neighbours.neighbour import Endpoint, Neighbour, NeighbourLimits
from quadrille.net.trust.proof import Prover
from quadrille.net.zeromq.zre import STATUSES, Hello, Join, Leave, Message, Ping, Whisper, encode


@dataclass(frozen=True, slots=True)
class Dial:
    """Open a link to this endpoint; in a private room to the owner of this key."""

    link: int
    endpoint: Endpoint
    key: bytes | None


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message by a link."""

    link: int
    frames: list[bytes]


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close a link; messages in flight may be lost."""

    link: int


@dataclass(frozen=True, slots=True)
class SendBack:
    """Send a message back on a connection that we accepted."""

    connection: int
    frames: list[bytes]


@dataclass(frozen=True, slots=True)
class Cut:
    """Close a connection that we accepted."""

    connection: int


@dataclass(frozen=True, slots=True)
class Announce:
    """Send a beacon: broadcast by every interface, and to each of these hosts; `by_ipv6` multicast as well where IPv4
    broadcasts.
    """

    datagram: bytes
    hosts: tuple[str, ...]
    by_ipv6: bool = True


Action = Dial | Send | HangUp | SendBack | Cut | Announce


class LinkQueue:
    """All links of one node."""

    def __init__(
        self, greeting: Callable[[Endpoint], tuple[Hello, bytes]], limits: NeighbourLimits, prover: Prover | None
    ) -> None:
        """`greeting(endpoint)` is the HELLO that begins a stream to there, and its nonce."""
        self.outgoing: list[Action] = []
        self._greeting = greeting
        self._prover = prover
        self._links = 0
        self._by_link: dict[int, Neighbour] = {}
        self._by_endpoint: dict[Endpoint, Neighbour] = {}
        self._by_back: dict[int, Neighbour] = {}
        self._calls = Bucket(a_second(limits.calls, limits.calls))

    def owner(self, link: int) -> Neighbour | None:
        """The neighbour called on a link."""
        return self._by_link.get(link)

    def at(self, endpoint: Endpoint) -> Neighbour | None:
        """The neighbour called at an endpoint."""
        return self._by_endpoint.get(endpoint)

    def called(self) -> Iterable[Neighbour]:
        """All neighbours that got our HELLO or will get it."""
        return chain(self._by_link.values(), self._by_back.values())

    def is_answered(self, connection: int) -> bool:
        """Whether a neighbour is answered on that connection; two neighbours can't share one."""
        return connection in self._by_back

    def may_call(self, now: int) -> bool:
        """Whether the rate limit allows one more call now."""
        return self._calls.due <= now

    def dial(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Open a link and begin our stream on it with a HELLO and a PING; its answer proves that both arrived."""
        assert not neighbour.is_called and endpoint not in self._by_endpoint
        self._calls.pay(now, 1)
        self._links += 1
        neighbour.link, neighbour.at, neighbour.connected = self._links, endpoint, False
        neighbour.reached = False
        neighbour.dialled_at = now
        self._by_link[self._links] = self._by_endpoint[endpoint] = neighbour
        self.outgoing.append(Dial(self._links, endpoint, neighbour.key))
        self._begin(neighbour, endpoint, now)

    def answer(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Begin our stream on the connection that the neighbour's own uses, instead of calling."""
        assert neighbour.way.connection and neighbour.way.connection not in self._by_back
        self.hang_up(neighbour)
        neighbour.back, neighbour.connected = neighbour.way.connection, True
        self._by_back[neighbour.back] = neighbour
        self._begin(neighbour, endpoint, now)

    def _begin(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        neighbour.since = now
        neighbour.leaving_at = neighbour.asked_at = None
        hello, neighbour.nonce = self._greeting(endpoint)
        neighbour.sent, neighbour.told, neighbour.told_status = (
            hello.sequence,
            dict.fromkeys(hello.groups),
            hello.status,
        )
        self.send(neighbour, hello)
        self.ping(neighbour, now)
        self.prove(neighbour)

    def prove(self, neighbour: Neighbour) -> None:
        """Sign both nonces once both HELLOs are there."""
        if self._prover is not None and neighbour.claim is not None and neighbour.is_called:
            self.send(neighbour, Whisper(neighbour.number(), (self._prover.proof(neighbour.nonce, neighbour.claim),)))

    def hand_over(self, caller: Neighbour, neighbour: Neighbour) -> None:
        """Give the link of one neighbour to the other, who has none: it leads there. If they have keys, the keys are
        equal.
        """
        assert caller.link is not None and caller.at is not None and not neighbour.is_called
        neighbour.link, neighbour.at, neighbour.connected = caller.link, caller.at, caller.connected
        neighbour.sent, neighbour.told, neighbour.told_status = caller.sent, caller.told, caller.told_status
        neighbour.dialled_at, neighbour.pinged_at = caller.dialled_at, caller.pinged_at
        neighbour.nonce, neighbour.asked_at = caller.nonce, caller.asked_at
        self._by_link[caller.link] = self._by_endpoint[caller.at] = neighbour
        caller.link, caller.at, caller.connected = None, None, False

    def hang_up(self, neighbour: Neighbour) -> None:
        """Close its link, or the connection on which we answer."""
        if neighbour.back:
            self.outgoing.append(Cut(neighbour.back))
            self.forget_back(neighbour)
        if neighbour.link is not None and neighbour.at is not None:
            self.outgoing.append(HangUp(neighbour.link))
            del self._by_link[neighbour.link], self._by_endpoint[neighbour.at]
            neighbour.link, neighbour.at, neighbour.connected = None, None, False

    def forget_back(self, neighbour: Neighbour) -> None:
        """The connection on which we answered is closed."""
        del self._by_back[neighbour.back]
        neighbour.back, neighbour.connected = 0, False

    def turn_away(self, connection: int, hello: Hello) -> None:
        """Say on an accepted connection why nothing follows."""
        self.outgoing.append(SendBack(connection, encode(hello)))

    def cut(self, connection: int) -> None:
        """Close an accepted connection on which nobody is answered."""
        if connection:
            self.outgoing.append(Cut(connection))

    def send(self, neighbour: Neighbour, message: Message) -> None:
        """Send to a called neighbour."""
        if neighbour.back:
            self.outgoing.append(SendBack(neighbour.back, encode(message)))
        else:
            assert neighbour.link is not None
            self.outgoing.append(Send(neighbour.link, encode(message)))

    def ping(self, neighbour: Neighbour, now: int) -> None:
        """Ask for a sign of life."""
        neighbour.pinged_at = now
        if neighbour.asked_at is None:
            neighbour.asked_at = now
        self.send(neighbour, Ping(neighbour.number()))

    def tell_groups(self, neighbour: Neighbour, groups: Iterable[str]) -> None:
        """Send JOIN and LEAVE until it knows all our groups."""
        here = dict.fromkeys(groups)
        changes: list[tuple[type[Join | Leave], str]] = [
            (Leave, group) for group in neighbour.told if group not in here
        ]
        changes += [(Join, group) for group in here if group not in neighbour.told]
        for kind, group in changes:
            neighbour.told_status = (neighbour.told_status + 1) % STATUSES
            self.send(neighbour, kind(neighbour.number(), group, neighbour.told_status))
        neighbour.told = here
