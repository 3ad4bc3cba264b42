"""Which neighbour is called, where, and on which link: the outgoing half of net/neighbourhood.py.

It holds the two promises about links (at most one to a neighbour, at most one to an endpoint) and the one about how
many calls are made in a second. What is to be done with sockets is in `outgoing`; here are none.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from quadrille.net.neighbour import Endpoint, Limits, Neighbour
from quadrille.net.zre import STATUSES, Hello, Join, Leave, Message, Ping, encode


@dataclass(frozen=True, slots=True)
class Dial:
    """Open a link: a connection with our identity, to this endpoint; in a private room to the owner of this key."""

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
    """Close a link; what was sent by it may be lost."""

    link: int


@dataclass(frozen=True, slots=True)
class SendBack:
    """Send a message to the end that has called us: by an accepted connection, of this number."""

    connection: int
    frames: list[bytes]


@dataclass(frozen=True, slots=True)
class Cut:
    """Close an accepted connection."""

    connection: int


@dataclass(frozen=True, slots=True)
class Announce:
    """Send a beacon: broadcast by every interface, and to each of these hosts."""

    datagram: bytes
    hosts: tuple[str, ...]


Action = Dial | Send | HangUp | SendBack | Cut | Announce


class Switchboard:
    """All links of one node."""

    def __init__(self, greeting: Callable[[Endpoint], Hello], limits: Limits) -> None:
        """`greeting(endpoint)` is the HELLO with which a stream to there begins."""
        self.outgoing: list[Action] = []
        self._greeting = greeting
        self._limits = limits
        self._links = 0
        self._by_link: dict[int, Neighbour] = {}
        self._by_endpoint: dict[Endpoint, Neighbour] = {}
        self._calls = limits.calls * 1000  # thousandths of a call that may be made now
        self._calls_at = 0

    def owner(self, link: int) -> Neighbour | None:
        """Who is called on a link."""
        return self._by_link.get(link)

    def at(self, endpoint: Endpoint) -> Neighbour | None:
        """Who is called at an endpoint."""
        return self._by_endpoint.get(endpoint)

    def called(self) -> Iterable[Neighbour]:
        """Everybody who has or will get our HELLO."""
        return self._by_link.values()

    def may_call(self, now: int) -> bool:
        """Whether one more call can be afforded now."""
        earned = (now - self._calls_at) * self._limits.calls
        self._calls = min(self._limits.calls * 1000, self._calls + earned)
        self._calls_at = now
        return self._calls >= 1000

    def dial(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Open a link and begin our stream on it: HELLO, and a PING whose answer proves that both have arrived."""
        assert neighbour.link is None and endpoint not in self._by_endpoint
        self._calls -= 1000
        self._links += 1
        neighbour.link, neighbour.at, neighbour.connected = self._links, endpoint, False
        neighbour.dialled_at = neighbour.since = now
        neighbour.leaving_at = None
        self._by_link[self._links] = self._by_endpoint[endpoint] = neighbour
        self.outgoing.append(Dial(self._links, endpoint, neighbour.key))
        hello = self._greeting(endpoint)
        neighbour.sent, neighbour.told, neighbour.told_status = (
            hello.sequence,
            dict.fromkeys(hello.groups),
            hello.status,
        )
        self.send(neighbour, hello)
        self.ping(neighbour, now)

    def hand_over(self, caller: Neighbour, neighbour: Neighbour) -> None:
        """The link of one turns out to lead to the other, who has none. They are of one key, if any."""
        assert caller.link is not None and caller.at is not None and neighbour.link is None
        neighbour.link, neighbour.at, neighbour.connected = caller.link, caller.at, caller.connected
        neighbour.sent, neighbour.told, neighbour.told_status = caller.sent, caller.told, caller.told_status
        neighbour.dialled_at, neighbour.pinged_at = caller.dialled_at, caller.pinged_at
        self._by_link[caller.link] = self._by_endpoint[caller.at] = neighbour
        caller.link, caller.at, caller.connected = None, None, False

    def hang_up(self, neighbour: Neighbour) -> None:
        """Close its link, if it has one."""
        if neighbour.link is not None and neighbour.at is not None:
            self.outgoing.append(HangUp(neighbour.link))
            del self._by_link[neighbour.link], self._by_endpoint[neighbour.at]
            neighbour.link, neighbour.at, neighbour.connected = None, None, False

    def send(self, neighbour: Neighbour, message: Message) -> None:
        """Send to a neighbour that is called."""
        assert neighbour.link is not None
        self.outgoing.append(Send(neighbour.link, encode(message)))

    def ping(self, neighbour: Neighbour, now: int) -> None:
        """Ask for a sign of life."""
        neighbour.pinged_at = now
        self.send(neighbour, Ping(neighbour.number()))

    def tell_groups(self, neighbour: Neighbour, groups: Iterable[str]) -> None:
        """JOIN and LEAVE until it knows that these are the groups we are in."""
        here = dict.fromkeys(groups)
        changes: list[tuple[type[Join | Leave], str]] = [
            (Leave, group) for group in neighbour.told if group not in here
        ]
        changes += [(Join, group) for group in here if group not in neighbour.told]
        for kind, group in changes:
            neighbour.told_status = (neighbour.told_status + 1) % STATUSES
            self.send(neighbour, kind(neighbour.number(), group, neighbour.told_status))
        neighbour.told = here
