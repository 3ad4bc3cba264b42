"""A node of the network: the only place where sockets, the clock and the machines meet.

One thread calls `turn` again and again. The rest is in net/neighbours/neighbours.py (decisions), broadcast.py
(beacons), acceptor.py and caller.py (connections). Nothing here decides anything. Specification:
docs/protocols/discovery.md.
"""

import contextlib
import secrets
import selectors
import socket
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Final, Self

from quadrille.net.core.errors import LocalError
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as clock
from quadrille.net.core.pace import Pace, a_second
from quadrille.net.link.acceptor import SWEEP_EVERY, Acceptor
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.caller import Caller
from quadrille.net.link.file_limit import raise_file_limit
from quadrille.net.link.interfaces import facing
from quadrille.net.link.overlay import Overlay
from quadrille.net.neighbours.neighbour import NOWHERE, Announce, Close, Dial, Event, NeighbourLimits, Send, Way
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.neighbours.seeds import endpoints
from quadrille.net.private_room.room import RoomLock as RoomLock
from quadrille.net.trust.proof import Prover
from quadrille.net.zeromq.connection import Connections, Work
from quadrille.net.zeromq.libzmq import DESCRIPTORS, Libzmq
from quadrille.net.zeromq.zre import ID_BYTES, KEY_BYTES

OPEN_PORT: Final = 5670
#: RFC 36: "an ephemeral TCP port (in the range %C000x - %FFFFx)".
TCP_PORTS: Final = range(0xC000, 0x10000)
#: Milliseconds between two reads of the interfaces.
REFRESH_EVERY: Final = 3000
#: Files of this program that are no connections of the node.
OTHER_FILES: Final = 96
#: Milliseconds that a closing node gives its peers to read its last messages.
LAST_LOOK: Final = 1000
#: Work allowed for each message within the limits: its frames, and its bytes counted as frames.
WORK_FOR_A_MESSAGE: Final = 4


class Node:
    """Our node on the network. Use it from one thread; only `wake_up` may be called from others."""

    def __init__(
        self,
        identity: bytes,
        name: str,
        headers: Mapping[str, str],
        *,
        port: int = OPEN_PORT,
        tcp_port: int = 0,
        interfaces: Sequence[str] | None = None,
        seeds: Sequence[str] = (),
        limits: NeighbourLimits | None = None,
        security: RoomLock | None = None,
        prover: Prover | None = None,
        mattering: Callable[[], Container[bytes]] | None = None,
        overlay: Overlay | None = None,
        calls: Callable[[bytes, int], bool] = lambda _peer, _now: True,
        posting: Callable[[int], Iterable[bytes]] = lambda _now: (),
        heard: Callable[[str, bytes, int], bool] = lambda _host, _datagram, _now: False,
    ) -> None:
        """Prepare a node; `port` is the UDP port of the beacons; TCP port 0 means any. A seed is HOST:PORT, or a HOST
        that only receives our beacons. `security` makes this a private room. It needs a UDP port of its own, because
        beacons with a key crash some programs of the open network. A `prover` proves our links in the open network.
        Peers that are `mattering()` keep their places against strangers and may send much more than they; without it
        all may. With an `overlay` its peers are met too. `calls(id, now)` says whether to call a peer that is heard of.
        `posting(now)` goes before each beacon; `heard(address, datagram, now)` says whether it took a datagram that is
        no beacon, of a host in a network of ours or of a seed.
        """
        if len(identity) != ID_BYTES:
            raise LocalError(f"a ZRE identity has {ID_BYTES} bytes, not {len(identity)}")
        if security and port == OPEN_PORT:
            raise LocalError(f"a private room needs a UDP port of its own; {OPEN_PORT} belongs to the open network")
        if security and not len(security.public) == len(security.secret) == KEY_BYTES:
            raise LocalError(f"a CURVE key has {KEY_BYTES} bytes")
        self._tcp_port = tcp_port
        self._limits = limits or NeighbourLimits()
        self._seeds = seeds
        self._random = secrets.SystemRandom()
        #: To ask, and to tell what to do: `perform` does it.
        self.neighbours = Neighbours(
            identity,
            name,
            headers,
            port=tcp_port,
            facing=facing,
            random=self._random,
            limits=self._limits,
            key=security.public if security else None,
            certify=security.certify if security else None,
            prover=prover,
            near=lambda host: self._broadcast.is_near(host),
            mattering=mattering or frozenset,
            calls=calls,
            posting=posting,
        )
        self._heard = heard
        self._broadcast = Broadcast(port, interfaces)
        self._selector = selectors.DefaultSelector()
        libzmq = Libzmq(
            b"\x01" + identity,
            (security.public, security.secret) if security else None,
            security.allows if security else lambda _: False,
        )
        most = 2 * (self._limits.peers + self._limits.calls)
        files = raise_file_limit(OTHER_FILES + DESCRIPTORS * 2 * most)
        work = _work(self._limits, tells_apart=mattering is not None)
        self._exchange = Connections(self._selector, work, libzmq, (files - OTHER_FILES) // DESCRIPTORS)
        most = min(most, self._exchange.most // 2)
        self._acceptor = Acceptor(self.neighbours, self._exchange, self._broadcast.admits, most)
        self.overlay = overlay
        self._caller = Caller(self.neighbours, self._exchange, overlay)
        self._alarm, self._bell = socket.socketpair()
        self._woken = False
        self._accepts = False
        self._sweep_due = self._refresh_due = 0
        self.is_open = False

    # Start and end

    def start(self) -> Self:
        """Begin to listen and to announce ourselves; a LocalError explains a failure."""
        try:
            for seed in self._seeds:
                self.seed(seed)
            self._broadcast.open()
            self.neighbours.port = self._acceptor.bind(self._ports())
            self._alarm.setblocking(False)
            self._bell.setblocking(False)
            for ear in self._broadcast.ears:
                self._selector.register(ear, selectors.EVENT_READ, self._hear_beacons)
            self._selector.register(self._alarm, selectors.EVENT_READ, self._hear_alarm)
            if self.overlay:
                self.overlay.open(self._selector, self._acceptor.adopt, self.neighbours.heard_beacon)
            self.is_open = True
        except LocalError:
            self.close()
            raise
        self._refresh_due = clock() + REFRESH_EVERY
        return self

    def _ports(self) -> Iterable[int]:
        return [self._tcp_port] if self._tcp_port else self._random.sample(TCP_PORTS, 100)

    def close(self) -> None:
        """Say good-bye and close everything. Messages already sent are delivered if that takes only a moment."""
        if self.is_open:
            self.is_open = False
            self.neighbours.close()
            self.perform(clock())
            self._take_leave()
        self._exchange.close()
        if self.overlay:
            self.overlay.close()
        self._selector.close()
        self._acceptor.close()
        self._broadcast.close()
        self._alarm.close()
        self._bell.close()

    def _take_leave(self) -> None:
        """Send what is queued, then wait briefly until all peers have read it."""
        listeners = self._acceptor.listeners if self._accepts else ()
        for deaf in (self._alarm, *self._broadcast.ears, *listeners):
            self._selector.unregister(deaf)
        end = clock.look() + LAST_LOOK
        while self._exchange.part() and (now := clock.look()) < end:
            for key, mask in self._selector.select((end - now) / 1000):
                key.data(mask, now)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # Called by programs

    @property
    def tcp_port(self) -> int:
        return self.neighbours.port

    @property
    def troubles(self) -> Mapping[str, str]:
        """The interfaces that send no beacons, each with the reason."""
        return self._broadcast.troubles

    def _admits(self, host: str) -> bool:
        """Return True for a host in a network of ours, and for a seed."""
        return self._broadcast.is_near(host) or host in self.neighbours.seed_hosts

    def rest(self, peer: bytes, time: int) -> None:
        """Read nothing of a peer for `time` milliseconds: its messages wait."""
        way = one.way if (one := self.neighbours.get(peer)) is not None else NOWHERE
        if connection := self._caller.on(way.link) or self._acceptor.on(way.connection):
            self._exchange.rest(connection, clock() + time)

    def seed(self, text: str) -> None:
        """Look for a peer at HOST:PORT; send beacons to a bare HOST. A LocalError if there is no such machine."""
        self.neighbours.seed(endpoints(text)[0])

    def wake_up(self) -> None:
        """Make `turn` return at once. For other threads."""
        with contextlib.suppress(OSError):  # full: `turn` returns anyway; closed: nobody waits
            self._bell.send(b"!")

    def turn(self, timeout: int) -> list[Event]:
        """Work for at most `timeout` milliseconds; return the events as soon as there are any."""
        end = clock.look() + timeout
        while True:
            now = clock()
            self._do_what_is_due(now)
            now = self._read(0 if self.neighbours.events else self._deadline(end) - now)
            self.perform(now)
            if self.neighbours.events or self._woken or now >= end:
                self._woken = False
                return drain(self.neighbours.events)

    # The I/O loop

    def _deadline(self, end: int) -> int:
        more = (self._exchange.deadline, self._caller.deadline)
        due = (self.neighbours.deadline, self._sweep_due, self._refresh_due, *(one for one in more if one is not None))
        return min(end, *due)

    def _do_what_is_due(self, now: int) -> None:
        if now >= self._refresh_due:
            self._refresh_due = now + REFRESH_EVERY
            if self._broadcast.refresh():
                self.neighbours.announce()
        if now >= self._sweep_due:
            self._sweep_due = now + SWEEP_EVERY
            self._acceptor.sweep(now)
            if not self._accepts:
                for listener in self._acceptor.listeners:
                    self._selector.register(listener, selectors.EVENT_READ, self._accept)
                self._accepts = True
        self._caller.wake(now)
        if now >= self.neighbours.deadline:
            self.neighbours.wake(now)
        self.perform(now)

    def perform(self, now: int) -> None:
        """Carry out what the neighbours ask for; that may make them ask for more. Each turn does this too."""
        for action in self.neighbours.outgoing:
            match action:
                case Send(Way(connection), frames) if connection:
                    self._acceptor.send(connection, frames, now)
                case Send(Way(_, link), frames):
                    self._caller.send(link, frames, now)
                case Dial(link, endpoint, key):
                    self._caller.dial(link, endpoint, key, now)
                case Close(Way(connection)) if connection:
                    self._acceptor.cut(connection)
                case Close(Way(_, link)):
                    self._caller.hang_up(link)
                case Announce(datagram, hosts, by_ipv6):
                    self._broadcast.announce(datagram, hosts, by_ipv6=by_ipv6)
                    if self.overlay:
                        self.overlay.announce(datagram, now)
        self.neighbours.outgoing.clear()

    def _read(self, wait: int) -> int:
        """Wait up to `wait` milliseconds for input and read it; return the time afterwards."""
        found = self._selector.select(max(wait, 0) / 1000)
        now = clock.look()
        self._exchange.turn(len(found))
        for key, mask in found:
            key.data(mask, now)
        self._exchange.wake(now)
        return now

    def _accept(self, mask: int, now: int) -> None:
        """Accept connections. If the system has no room for more, pause and try again."""
        if mask and self._accepts and not self._acceptor.accept(now):
            for listener in self._acceptor.listeners:
                self._selector.unregister(listener)
            self._accepts = False

    def _hear_alarm(self, mask: int, _: int) -> None:
        if mask:
            with contextlib.suppress(BlockingIOError):
                self._woken = bool(self._alarm.recv(4096))

    def _hear_beacons(self, mask: int, now: int) -> None:
        for address, datagram in self._broadcast.heard() if mask else ():
            if not (self._admits(address) and self._heard(address, datagram, now)):
                self.neighbours.heard_beacon(address, datagram, now)


def _work(limits: NeighbourLimits, *, tells_apart: bool) -> Work:
    """Count the frames that connections may send under these limits of messages."""

    def of(rate: int, burst: int) -> Pace:
        return a_second(WORK_FOR_A_MESSAGE * rate, WORK_FOR_A_MESSAGE * burst)

    return Work(
        of(limits.messages_a_second, limits.burst),
        of(limits.stranger_a_second, limits.stranger_burst),
        of(limits.strangers_a_second, limits.strangers_burst),
        tells_apart,
    )
