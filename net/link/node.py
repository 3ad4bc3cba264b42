"""A node of the network: the only place where sockets, the clock and the machines meet.

One thread calls `turn` again and again. A `Switchboard` has the connections, and passes what they receive on unread;
broadcast.py sends and receives beacons. net/neighbours/neighbours.py decides what a message means, whom we
call, and whom we keep. Specification: docs/protocols/discovery.md, and docs/protocols/links.md, "Connections".
"""

import contextlib
import errno
import secrets
import selectors
import socket
import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, Self

from quadrille.net.core.doorkeeper import Doorkeeper, Full
from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import family_of, host_of, is_virtual, socket_address
from quadrille.net.core.limits import Pace, a_second
from quadrille.net.core.machine import NO_DEADLINE, drain
from quadrille.net.core.machine import now as clock
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.file_limit import raise_file_limit
from quadrille.net.link.interfaces import facing
from quadrille.net.link.overlay import Overlay
from quadrille.net.neighbours.neighbour import (
    Announce,
    CallEnd,
    Close,
    Dial,
    Endpoint,
    Event,
    NeighbourLimits,
    Send,
    Source,
    Trouble,
    Way,
)
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.neighbours.seeds import endpoints
from quadrille.net.private_room.room import RoomLock as RoomLock
from quadrille.net.trust.proof import Prover
from quadrille.net.zeromq.connection import Connection, Connections, FrameRates
from quadrille.net.zeromq.libzmq import DESCRIPTORS, Libzmq
from quadrille.net.zeromq.sockets import IN_PROGRESS, RECEIVE_BUFFER, prepare, refusal
from quadrille.net.zeromq.zre import ID_BYTES, KEY_BYTES

OPEN_PORT: Final = 5670
#: RFC 36: "an ephemeral TCP port (in the range %C000x - %FFFFx)".
TCP_PORTS: Final = range(0xC000, 0x10000)
#: Milliseconds between two reads of the interfaces.
REFRESH_EVERY: Final = 3000
#: Files of this program that are no connections of the node: a guess; with phones and 2 bots 39 are open in all.
OTHER_FILES: Final = 96
#: Errors of a system that has no room for a connection, and of one where nobody listens. The count of the former among
#: those of the neighbours, and milliseconds for which one counts.
FULL_SYSTEM: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
REFUSED: Final = (errno.ECONNREFUSED, getattr(errno, "WSAECONNREFUSED", errno.ECONNREFUSED))
NO_ROOM: Final = "no room in the system"
NO_ROOM_COUNTS: Final = 10_000
#: Milliseconds that a closing node gives its peers to read its last messages.
LAST_LOOK: Final = 1000
#: Work allowed for each message within the limits, counted as frames: two that it has, and 2 KiB.
WORK_FOR_A_MESSAGE: Final = 4
#: The listen backlog, and the maximum connections accepted in one turn: links are read between two floods of calls.
BACKLOG: Final = 128
ACCEPTS_A_TURN: Final = 16
#: Milliseconds between two looks for connections that said nothing.
SWEEP_EVERY: Final = 1000
#: Milliseconds between the end of a link and its report. The peer's last messages come by another connection
#: meanwhile.
LAST_WORDS_OF_OTHERS: Final = 100


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
        priority_peers: Callable[[], Container[bytes]] | None = None,
        overlay: Overlay | None = None,
        calls: Callable[[bytes, int], bool] = lambda _peer, _now: True,
        posting: Callable[[int], Iterable[bytes]] = lambda _now: (),
        heard: Callable[[str, bytes, int], bool] = lambda _host, _datagram, _now: False,
    ) -> None:
        """Prepare a node; `port` is the UDP port of the beacons; TCP port 0 means any. A seed is HOST:PORT, or a HOST
        that only receives our beacons. `security` makes this a private room. It needs a UDP port of its own, because
        beacons with a key crash some programs of the open network. A `prover` proves our links in the open network.
        The `priority_peers()` keep their places against strangers and may send much more than they; without it
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
            near=lambda host: self.broadcast.is_near(host),
            priority_peers=priority_peers or frozenset,
            calls=calls,
            posting=posting,
        )
        self._heard = heard
        #: The interfaces: which send no beacons, where nothing comes in, and if there are any.
        self.broadcast = Broadcast(port, interfaces)
        self._selector = selectors.DefaultSelector()
        libzmq = Libzmq(
            b"\x01" + identity,
            (security.public, security.secret) if security else None,
            security.allows if security else lambda _: False,
        )
        most = 2 * (self._limits.peers + self._limits.calls)  # of each, a link and an accepted connection
        files = raise_file_limit(OTHER_FILES + DESCRIPTORS * 2 * most)
        rates = _frame_rates(self._limits, tells_apart=priority_peers is not None)
        self._exchange = Connections(self._selector, rates, libzmq, (files - OTHER_FILES) // DESCRIPTORS)
        most = min(most, self._exchange.most // 2)
        self.overlay = overlay
        self._lines = Switchboard(self.neighbours, self._exchange, overlay, self.broadcast.admits, most)
        self._alarm, self._bell = socket.socketpair()
        self._woken = False
        self._accepts = False
        self._sweep_due = self._refresh_due = 0
        self._refused = self._full_until = 0  # for lack of room in the system, and how long the last one counts
        self.is_open = False

    # Start and end

    def start(self) -> Self:
        """Begin to listen and to announce ourselves; a LocalError explains a failure."""
        try:
            for seed in self._seeds:
                self.seed(seed)
            self.broadcast.open()
            self.neighbours.port = self._lines.bind(self._ports())
            self._alarm.setblocking(False)
            self._bell.setblocking(False)
            for ear in self.broadcast.ears:
                self._selector.register(ear, selectors.EVENT_READ, self._hear_beacons)
            self._selector.register(self._alarm, selectors.EVENT_READ, self._hear_alarm)
            if self.overlay:
                self.overlay.open(self._selector, self._lines.adopt, self.neighbours.heard_beacon)
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
        self._lines.close()
        self.broadcast.close()
        self._alarm.close()
        self._bell.close()

    def _take_leave(self) -> None:
        """Send what is queued, then wait briefly until all peers have read it."""
        listeners = self._lines.listeners if self._accepts else ()
        for deaf in (self._alarm, *self.broadcast.ears, *listeners):
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

    def own_troubles(self) -> list[tuple[Trouble, str]]:
        """Return why others may not be met because of this machine, each cause with the interfaces."""
        troubles = [(Trouble.SHUT, where) for where in self.broadcast.shut()]
        troubles += [(Trouble.CUT_OFF, "")] if self.broadcast.is_cut_off else []
        return troubles + ([(Trouble.NO_ROOM, "")] if clock() < self._full_until else [])

    def _admits(self, host: str) -> bool:
        """Return True for a host in a network of ours, and for a seed."""
        return self.broadcast.is_near(host) or host in self.neighbours.seed_hosts

    def rest(self, peer: bytes, time: int) -> None:
        """Read nothing of a peer for `time` milliseconds: its messages wait."""
        neighbour = self.neighbours.get(peer)
        if neighbour is not None and (connection := self._lines.on(neighbour.way)):
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
        elsewhere = self.neighbours.deadline, self._exchange.deadline, self._lines.deadline
        return min(end, self._sweep_due, self._refresh_due, *elsewhere)

    def _do_what_is_due(self, now: int) -> None:
        if now >= self._refresh_due:
            self._refresh_due = now + REFRESH_EVERY
            if self.broadcast.refresh():
                self.neighbours.announce()
        if now >= self._sweep_due:
            self._sweep_due = now + SWEEP_EVERY
            self._lines.sweep(now)
            if (refused := self.neighbours.counts[NO_ROOM]) != self._refused:
                self._refused, self._full_until = refused, now + NO_ROOM_COUNTS
            if not self._accepts:
                for listener in self._lines.listeners:
                    self._selector.register(listener, selectors.EVENT_READ, self._accept)
                self._accepts = True
        self._lines.wake(now)
        if now >= self.neighbours.deadline:
            self.neighbours.wake(now)
        self.perform(now)

    def perform(self, now: int) -> None:
        """Carry out what the neighbours ask for; that may make them ask for more. Each turn does this too."""
        for action in self.neighbours.outgoing:
            match action:
                case Send(way, frames):
                    self._lines.send(way, frames, now)
                case Dial(link, endpoint, key):
                    self._lines.dial(link, endpoint, key, now)
                case Close(way):
                    self._lines.hang_up(way)
                case Announce(datagram, hosts, by_ipv6):
                    self.broadcast.announce(datagram, hosts, by_ipv6=by_ipv6)
                    if self.overlay:
                        self.overlay.announce(datagram, now)
        self.neighbours.outgoing.clear()

    def _read(self, wait: int) -> int:
        """Wait up to `wait` milliseconds for input and read it; return the time afterwards."""
        ready = self._selector.select(max(wait, 0) / 1000)
        now = clock.look()
        for key, mask in ready:
            key.data(mask, now)
        self._exchange.wake(now)
        return now

    def _accept(self, _: int, now: int) -> None:
        """Accept connections. If the system has no room for more, pause and try again."""
        if self._accepts and not self._lines.accept(now):
            self.neighbours.counts[NO_ROOM] += 1
            for listener in self._lines.listeners:
                self._selector.unregister(listener)
            self._accepts = False

    def _hear_alarm(self, *_: int) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken = bool(self._alarm.recv(4096))

    def _hear_beacons(self, _: int, now: int) -> None:
        for address, datagram in self.broadcast.heard():
            if not (self._admits(address) and self._heard(address, datagram, now)):
                self.neighbours.heard_beacon(address, datagram, now)


class Switchboard:
    """All connections of a node: those that its listening sockets accept, and one for each link that it calls.

    Everybody who can reach our port may connect, as far as net/core/doorkeeper.py lets them. If a connection breaks a
    limit, others of its address stay open, because several programs or a whole household can share an address.
    """

    def __init__(
        self,
        neighbours: Neighbours,
        exchange: Connections,
        overlay: Overlay | None,
        admits: Callable[[str], bool],
        most: int,
    ) -> None:
        """Accept addresses that `admits`, at most `most` at a time; neighbours keep their places."""
        self._neighbours = neighbours
        self._exchange = exchange
        self._overlay = overlay
        self._admits = admits
        self._doors = Doorkeeper(most, self._dismiss, proved=neighbours.streams)
        #: The sockets of IPv4 and of IPv6, if there is IPv6.
        self.listeners: list[socket.socket] = []
        self._open: dict[Way, Connection] = {}
        self._accepted = 0
        self._awaited: dict[Way, list[list[bytes]]] = {}  # links that the overlay makes, each with what waits for it
        self._lost: dict[Way, tuple[int, CallEnd]] = {}  # ended links, each with the time to report it, and its end

    def bind(self, ports: Iterable[int]) -> int:
        """Listen with IPv4 and IPv6 on the first of these ports that is free; a LocalError explains a failure."""
        for port in ports:
            try:
                self.listeners.append(_listener(socket.AF_INET, port))
                if socket.has_ipv6:
                    self.listeners.append(_listener(socket.AF_INET6, port))
            except OSError as error:
                if self.listeners and error.errno != errno.EADDRINUSE:  # this machine has no IPv6
                    return port
                refused = error
                self.close()
            else:
                return port
        taken = "another program: choose another, or none for any that is free"
        raise refusal(f"TCP port {port}", refused, taken=taken, nobody="nobody can reach us")

    def close(self) -> None:
        """Stop listening. `Connections` closes the connections."""
        for listener in self.listeners:
            listener.close()
        self.listeners.clear()

    def on(self, way: Way) -> Connection | None:
        return self._open.get(way)

    def send(self, way: Way, frames: list[bytes], now: int) -> None:
        """Send a message. Messages sent before a link stands wait; a connection whose peer does not read is closed."""
        if way in self._awaited:
            self._awaited[way].append(frames)
        connection = self.on(way)
        if connection is not None and not connection.send(frames, now):
            self._neighbours.choked(way, now)
            connection.close(now, "does not read")

    def hang_up(self, way: Way) -> None:
        """Close a connection without telling the neighbours."""
        self._lost.pop(way, None)
        self._awaited.pop(way, None)
        self._doors.left(way)
        if connection := self._open.pop(way, None):
            self._exchange.leave(connection)

    # Accepted connections

    def accept(self, now: int) -> bool:
        """Accept waiting connections. Return False if the system has no room for more, so that accepting must pause."""
        return all(self._accept_at(listener, now) for listener in self.listeners)

    def _accept_at(self, listener: socket.socket, now: int) -> bool:
        for _ in range(ACCEPTS_A_TURN):
            try:
                accepted, whence = listener.accept()
            except (BlockingIOError, ConnectionError):
                return True
            except OSError as error:
                return error.errno not in FULL_SYSTEM
            address = host_of(whence)
            if address is not None and self._admits(address):
                prepare(accepted)
                self.adopt(accepted, address, now)
            else:
                accepted.close()
        return True

    def adopt(self, accepted: socket.socket, address: str, now: int) -> None:
        """Take a connection from this address, if the limits allow it."""
        self._accepted += 1
        if (full := self._doors.admit(self._accepted, address, now)) is not None:
            reason = "connected too often" if full is Full.PACE else "no room for a connection"
            self._neighbours.counts[reason] += 1
            return accepted.close()
        made = self._exchange.begin(accepted, self, self._accepted, address, now)
        if made is None:
            self._doors.left(self._accepted)
            self._neighbours.counts[NO_ROOM] += 1
        else:
            self._open[self._accepted] = made
        return None

    def _dismiss(self, number: int, now: int) -> None:
        self._open[number].close(now)

    def sweep(self, now: int) -> None:
        """Close connections that missed the deadline of the first message."""
        for number in self._neighbours.streams():
            self._doors.spoke(number)
        for number in self._doors.late(now):
            late = self._open[number]
            if late.has_spoken:
                self._doors.spoke(number)
            else:
                late.close(now, "said nothing" if late.is_joined else "")

    # Links

    def dial(self, link: Way, endpoint: Endpoint, key: bytes | None, now: int) -> None:
        self._awaited[link] = []
        joined = partial(self._joined, link, endpoint, key)
        if self._overlay is None or not is_virtual(endpoint.host):
            return joined(_called(endpoint), now)
        self._neighbours.reached(link)
        return self._overlay.dial(endpoint.host, now, joined)

    def _joined(
        self, link: Way, endpoint: Endpoint, key: bytes | None, calling: socket.socket | CallEnd | None, now: int
    ) -> None:
        waiting = self._awaited.pop(link, None)
        if waiting is None:  # nobody wants it any more
            return calling.close() if isinstance(calling, socket.socket) else None
        if isinstance(calling, socket.socket):
            reached = partial(self._neighbours.reached, link)
            made = self._exchange.begin(calling, self, link, endpoint.host, now, key=key, connecting=reached)
            if made is not None:
                self._open[link] = made
                for frames in waiting:
                    self.send(link, frames, now)
                return None
            calling = CallEnd.FAILED
        self._lost[link] = now, calling or CallEnd.UNANSWERED
        return None

    @property
    def deadline(self) -> int:
        return min((due for due, _ in self._lost.values()), default=NO_DEADLINE)

    def wake(self, now: int) -> None:
        """Report lost links to the neighbours."""
        for link, call in [(link, call) for link, (due, call) in self._lost.items() if now >= due]:
            del self._lost[link]
            if call is CallEnd.FAILED:
                self._neighbours.counts[NO_ROOM] += 1
            self._neighbours.lost(link, now, call)

    # Called by connections

    def opened(self, connection: Connection) -> None:
        """Tell that a called end speaks; one that called says by its HELLO who it is."""
        if connection.number < 0:
            self._neighbours.connected(connection.number)

    def came(self, connection: Connection, frames: list[bytes], now: int) -> None:
        """Pass a message and its source on."""
        end = connection.end
        self._neighbours.receive(Source(connection.address, connection.number, end.identity, end.key), frames, now)

    def matters(self, connection: Connection) -> bool:
        """Return True if a peer that matters uses this connection."""
        return self._neighbours.matters(connection.number)

    def closed(self, connection: Connection, fault: str, now: int) -> None:
        """Give up a connection whose other end is gone or broke a limit; a link a moment later, for last messages."""
        number, neighbours = connection.number, self._neighbours
        self._open.pop(number, None)
        neighbours.counts.update([fault] if fault else ())
        if number < 0:
            stood = connection.is_ready and not fault
            self._lost[number] = now + (LAST_WORDS_OF_OTHERS if stood else 0), _ended(connection.error)
            return
        if fault:
            self._doors.failed(number, now)
            neighbours.broke(number, now)
        elif not connection.is_joined:
            neighbours.counts[NO_ROOM] += 1
        self._doors.left(number)
        neighbours.cut(number, now)


def _called(endpoint: Endpoint) -> socket.socket | CallEnd:
    """Begin a call, or say how it ended at once."""
    with contextlib.ExitStack() as unless_begun:
        try:
            calling = unless_begun.enter_context(socket.socket(family_of(endpoint.host), socket.SOCK_STREAM))
            prepare(calling)
            error = calling.connect_ex(socket_address(*endpoint))
        except (OSError, OverflowError) as refused:  # no descriptor, no IPv6, or no address to call
            error = getattr(refused, "errno", None) or errno.EINVAL
        if error in IN_PROGRESS:
            unless_begun.pop_all()
            return calling
    return _ended(error)


def _ended(error: int) -> CallEnd:
    """Say how far a call got that ended with this error, 0 for none."""
    if error in FULL_SYSTEM:
        return CallEnd.FAILED
    return CallEnd.REFUSED if error in REFUSED else CallEnd.UNANSWERED


def _frame_rates(limits: NeighbourLimits, *, tells_apart: bool) -> FrameRates:
    """Count the frames that connections may send under these limits of messages."""

    def of(rate: int, burst: int) -> Pace:
        return a_second(WORK_FOR_A_MESSAGE * rate, WORK_FOR_A_MESSAGE * burst)

    return FrameRates(
        of(limits.messages_a_second, limits.burst),
        of(limits.stranger_a_second, limits.stranger_burst),
        of(limits.strangers_a_second, limits.strangers_burst),
        tells_apart,
    )


def _listener(family: socket.AddressFamily, port: int) -> socket.socket:
    with contextlib.ExitStack() as unless_listening:
        listener = unless_listening.enter_context(socket.socket(family, socket.SOCK_STREAM))
        if sys.platform != "win32":  # there this would share the port with other programs
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        listener.bind(("", port))
        listener.listen(BACKLOG)
        listener.setblocking(False)
        unless_listening.pop_all()
    return listener
