"""The neighbours of a node and the streams between them: calls, answers, partings, places.

The lowest part of neighbourhood.py; meetings.py and conversations.py stand between. No socket, no clock.
Specification: docs/protocols/discovery.md.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from quadrille.net.core.per_key import PerKey
from quadrille.net.neighbours.ear import Ear
from quadrille.net.neighbours.link_queue import Action, LinkQueue
from quadrille.net.neighbours.neighbour import (
    Endpoint,
    Event,
    LossReason,
    Neighbour,
    NeighbourLimits,
    PeerLeft,
    Phase,
    Trouble,
    Way,
)
from quadrille.net.neighbours.peer_directory import Newcomer, PeerDirectory
from quadrille.net.neighbours.rivals import Rivals
from quadrille.net.trust.proof import FIRST_PROVING, FULL_HEADER, HALL_HEADER, NONCE_BYTES, NONCE_HEADER, Prover, spoken
from quadrille.net.zeromq.zre import Hello, check_names

TICK = 250
#: Missed beacons after which a neighbour counts as silent; twice as many, and it counts as gone.
MISSED = 5
#: Maximum remembered refusals; half of them of one address.
MOST_REFUSED = 256


class Streams:
    """All neighbours of one node and their streams."""

    def __init__(
        self,
        me: bytes,
        name: str,
        headers: Mapping[str, str],
        *,
        port: int,
        facing: Callable[[str], str],
        random: Random,
        limits: NeighbourLimits | None = None,
        key: bytes | None = None,
        certify: Callable[[bytes, bytes], bool] | None = None,
        prover: Prover | None = None,
        near: Callable[[str], bool] = lambda _: True,
        matters: Callable[[bytes], bool] = lambda _: False,
    ) -> None:
        """We listen at TCP `port`; `facing(host)` is our own address as that host sees it. With a `key` this is a
        private room, and `certify(id, key)` says whether both belong to one peer. A `prover` proves our links in the
        open network. `near(host)` says whether an address is in one of our networks, `matters(id)` whether a peer
        keeps its place against strangers.
        """
        check_names(name, (), headers.items())
        self.me = me
        self.name = name
        self.headers = tuple(headers.items())
        self.port = port
        self.groups: dict[str, None] = {}
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        #: The claimed id of the peer whose message is being processed.
        self.speaker: bytes | None = None
        self.limits = limits or NeighbourLimits()
        self._facing = facing
        self._random = random
        self._key = key
        self._prover = prover
        self._near = near
        self._board = LinkQueue(self._greeting, self.limits, prover)
        self._rivals = Rivals(self.limits)
        self._doubled: dict[tuple[bytes, Endpoint], None] = {}
        self._refused = PerKey[str, bytes, int](MOST_REFUSED // 2, MOST_REFUSED)
        self._beacon_due = 0
        self._beacons = 0
        self._tick_due = 0
        self._seed_hosts: tuple[str, ...] = ()
        self._known = PeerDirectory(self.limits, key, certify, matters)
        self._ear = Ear(self.limits.beacon_every)
        #: Whether there are too many here to link with everybody; then only with these, and these share a table.
        self.is_hall = False
        #: Maximum others of a room in which everybody is called; None: any number.
        self.small: int | None = None
        self._listens_since: int | None = None
        self._has_listened = False  # for as long as everybody needs for a beacon
        self.wanted: frozenset[bytes] = frozenset()
        self.at_tables: frozenset[bytes] = frozenset()

    @property
    def outgoing(self) -> list[Action]:
        """Actions to carry out in order. The driver clears the list."""
        return self._board.outgoing

    # Links

    def reached(self, link: int) -> None:
        """The other end accepted the TCP connection."""
        if (neighbour := self._board.owner(link)) is not None:
            neighbour.reached = True

    def connected(self, link: int) -> None:
        """The other end speaks ZMTP."""
        neighbour = self._board.owner(link)
        if neighbour is not None:
            neighbour.connected = True

    def lost(self, link: int, now: int, trouble: Trouble | None = None) -> None:
        """The connection failed or broke; `trouble` is the system's reason if known."""
        neighbour = self._board.owner(link)
        if neighbour is None:
            return
        if neighbour.hello is None and not neighbour.connected:
            soon = now - neighbour.dialled_at < self.limits.unanswered
            why = Trouble.STRANGE if neighbour.reached else Trouble.REFUSED if soon else Trouble.SILENT
            neighbour.trouble = trouble or why
            if neighbour.beacon_at is not None and neighbour.trouble in (Trouble.REFUSED, Trouble.SILENT):
                neighbour.trouble = Trouble.WALLED if neighbour.failures else None  # its own call may be on the way
        self._broken(neighbour, now)

    def cut(self, connection: int, now: int) -> None:
        """A connection that we accepted is closed."""
        rival = self._rivals.on(connection)
        if rival is not None:
            self._rivals.remove(rival)
        neighbour = rival or next((one for one in self._known if one.hello and one.way.connection == connection), None)
        if neighbour is None or not connection:
            return
        if neighbour.back == connection:
            self._board.forget_back(neighbour)
        if rival is None:
            if neighbour.peer is not None:
                self._broken(neighbour, now)
            neighbour.end()
            if not neighbour.is_called and neighbour.retry_at < now:
                self._later(neighbour, now)

    def _broken(self, neighbour: Neighbour, now: int) -> None:
        """A connection with it is closed."""
        if neighbour.leaving_at is not None:
            self._part(neighbour, LossReason.LEFT, now)
            self._forget(neighbour)
        elif neighbour.peer is None:
            self._failed(neighbour, now)
        else:
            self._part(neighbour, LossReason.LOST, now)

    def streams(self) -> set[int]:
        """The accepted connections that carry neighbours: fewer than `peers` and `rivals` of `NeighbourLimits`
        together.
        """
        return {one.way.connection for one in (*self._known, *self._rivals) if one.hello is not None}

    def matters(self, way: Way) -> bool:
        """Whether a genuine peer that matters uses it."""
        return any(
            one.proved and one.id is not None and (one.way.connection, one.way.link) == (way.connection, way.link)
            and self._known.matters(one.id)
            for one in self._known
        )  # fmt: skip

    def broke(self, connection: int, detail: str, now: int) -> None:
        """An accepted connection was closed, because the other end broke the protocol."""
        for one in [one for one in (*self._known, *self._rivals) if one.hello and one.way.connection == connection]:
            self._broke(one, detail, "", now)

    def choked(self, link: int, now: int) -> None:
        """RFC 36: "a full send buffer can be detected and treated as 'peer not responding'"."""
        neighbour = self._board.owner(link)
        if neighbour is not None:
            self._part(neighbour, LossReason.CHOKED, now)

    def _greeting(self, endpoint: Endpoint) -> tuple[Hello, bytes]:
        here = Endpoint(self._facing(endpoint.host), self.port)
        groups = tuple(self.groups) if self._key is None else ()
        nonce = self._random.randbytes(NONCE_BYTES) if self._prover is not None else b""
        proving = ((NONCE_HEADER, nonce.hex()),) if nonce else ()
        return Hello(1, str(here), groups, 0, self.name, self.headers + proving), nonce

    def _call(self, neighbour: Neighbour, now: int) -> None:
        """Call it at its next contact where nobody else is called; pause after all were tried."""
        if self._board.may_call(now):
            while neighbour.turn < len(neighbour.contacts):
                endpoint = neighbour.contacts[neighbour.turn]
                neighbour.turn += 1
                if self._board.at(endpoint) is None:
                    self._board.dial(neighbour, endpoint, now)
                    return
        if self._can_answer(neighbour):
            self._answer(neighbour, now)
        elif neighbour.turn < len(neighbour.contacts):
            neighbour.retry_at = now + self.limits.first_retry
        else:
            self._later(neighbour, now)

    def _can_answer(self, neighbour: Neighbour) -> bool:
        """Whether it reads answers on the connection that it made, as peers of our kind do."""
        connection = neighbour.way.connection
        if neighbour.hello is None or neighbour.back or not connection or self._board.is_answered(connection):
            return False
        return (neighbour.claim is not None or self._key is not None) and reads(neighbour.hello)

    def _answer(self, neighbour: Neighbour, now: int) -> None:
        """Answer on its connection, because one is enough."""
        assert neighbour.came_from is not None
        self._board.answer(neighbour, neighbour.came_from, now)

    def _may_call(self, peer: bytes | None) -> bool:
        """Whether we want a link: in a hall only with a few, unless somebody named the address."""
        if peer is None or peer in self.wanted or not self._calls_few():
            return True
        known = self._known.get(peer)
        if known is not None and known.seed is not None:
            return True
        few = sum(one.hello is None or HALL_HEADER in dict(one.hello.headers) for one in self._board.called())
        return few < (self.limits.few if self._has_listened or self.small is None else self.limits.first)

    def _calls_few(self) -> bool:
        """Whether this is a hall, or may turn out to be one: when many start at once, nobody calls all of them."""
        if self.is_hall or self.small is None:
            return self.is_hall
        return not self._has_listened or self._ear.size > self.small

    def _failed(self, neighbour: Neighbour, now: int) -> None:
        """There was no answer at this contact."""
        self._hang_up(neighbour)
        if self._can_answer(neighbour):
            self._answer(neighbour, now)
        else:
            self._call(neighbour, now)

    def _hang_up(self, neighbour: Neighbour) -> None:
        """End our stream; its own ends too if it uses the same connection."""
        shared = bool(neighbour.back or (neighbour.link is not None and neighbour.way.link == neighbour.link))
        self._board.hang_up(neighbour)
        if shared:
            neighbour.end()

    def _later(self, neighbour: Neighbour, now: int) -> None:
        """Retry later with a growing backoff; forget it if there is no reason to hope."""
        limits = self.limits
        neighbour.turn = 0
        wait = min(limits.last_retry, limits.first_retry << min(neighbour.failures, 16))
        neighbour.failures += 1
        neighbour.retry_at = now + wait + self._random.randrange(-wait // 5, wait // 5 + 1)
        heard = 2 * MISSED * self._ear.beacon_every(now)
        beacons = neighbour.beacon_at is not None and now - neighbour.beacon_at < heard
        if neighbour.failures > limits.tries and not beacons and neighbour.seed is None:
            self._forget(neighbour)

    def _trouble(self, neighbour: Neighbour) -> Trouble:
        """The likely reason why a call is not answered."""
        if neighbour.connected or neighbour.reached:
            return Trouble.STRANGE
        return Trouble.SILENT if neighbour.beacon_at is None else Trouble.WALLED

    # Partings

    def ban(self, peer: bytes, now: int, time: int, why: LossReason = LossReason.BANNED, detail: str = "") -> None:
        """Drop a peer, and ignore it for `time` milliseconds."""
        neighbour = self._known.get(peer)
        self._known.ban(peer, now + time)
        if neighbour is not None:
            self._part(neighbour, why, now, detail)
            self._forget(neighbour)

    def _put_out(self, neighbour: Neighbour, host: str, why: LossReason, now: int, detail: str = "") -> None:
        """Ban a peer for an offence. An unproved one is banned only from that host: otherwise anybody could get
        anybody banned.
        """
        if self._rivals.get(neighbour.way) is neighbour:
            return self._dismiss(neighbour)
        assert neighbour.id is not None
        if neighbour.proved:
            return self.ban(neighbour.id, now, self.limits.ban, why, detail)
        self._known.ban(neighbour.id, now + self.limits.ban, host)
        self._part(neighbour, why, now, detail)
        return self._forget(neighbour)

    def _broke(self, neighbour: Neighbour | None, detail: str, host: str, now: int) -> None:
        """Handle a violation of ZRE: count it for a stranger, end the conversation with a peer."""
        self._drop("malformed")
        if neighbour is None or neighbour.hello is None:
            return
        neighbour.strikes += 1
        if neighbour.strikes >= self.limits.strikes and neighbour.id is not None:
            self._put_out(neighbour, host or (neighbour.came_from or ("",))[0], LossReason.BROKE, now, detail)
        else:
            self._part(neighbour, LossReason.BROKE, now, detail)

    def _part(self, neighbour: Neighbour, why: LossReason, now: int, detail: str = "") -> None:
        """End both streams. The peer may be called again later."""
        if self._rivals.get(neighbour.way) is neighbour:
            return self._dismiss(neighbour)
        if neighbour.peer is not None:
            self._left(neighbour, why, now, detail)
        self._hang_up(neighbour)
        neighbour.end()
        return self._later(neighbour, now)

    def _left(self, neighbour: Neighbour, why: LossReason, now: int, detail: str = "") -> None:
        assert neighbour.peer is not None
        self.events.append(PeerLeft(neighbour.peer, why, detail))
        neighbour.peer = None
        neighbour.admitted = self._key is None
        if now - neighbour.met_at >= self.limits.settled:
            neighbour.failures = neighbour.strikes = 0

    def _dismiss(self, rival: Neighbour) -> None:
        self._rivals.remove(rival)
        self._board.hang_up(rival)

    # Places

    def _turned_away(self, owner: Neighbour, now: int) -> None:
        """The other end has no place for us."""
        if owner.peer is None:
            owner.trouble = Trouble.FULL
            self._hang_up(owner)
            self._later(owner, now)

    def _refuse(self, way: Way, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        """Refuse one more stream for lack of room, and say so if it is of our kind."""
        self._drop("no room")
        self._refused.put(endpoint.host, sender, now)
        if way.connection and reads(hello):
            ours, _ = self._greeting(endpoint)
            full = (FULL_HEADER, str(self.limits.peers))
            self._board.turn_away(way.connection, replace(ours, groups=(), headers=(*ours.headers, full)))

    def _forget(self, neighbour: Neighbour) -> None:
        self._hang_up(neighbour)
        self._known.forget(neighbour)

    def _make_room(self, phase: Phase, newcomer: Newcomer, now: int, known: Neighbour | None = None) -> bool:
        if self._known.is_full(phase, known) and (weakest := self._known.weakest(phase, newcomer, now)) is not None:
            if weakest.peer is not None:
                self._left(weakest, LossReason.CROWDED, now)
            self._forget(weakest)
        return not self._known.is_full(phase, known)

    def _drop(self, reason: str) -> None:
        self.counts[reason] += 1


def reads(hello: Hello) -> bool:
    """Whether its sender reads answers on the connection that carried this."""
    return spoken(dict(hello.headers)) >= FIRST_PROVING
