"""A node of the network: the one place where sockets meet the machines, and the only file that imports zmq.

One thread calls `turn` again and again; everything else is in net/neighbourhood.py (what to do) and net/broadcast.py
(beacons). Nothing here decides anything; what it adds are bounds: messages, frames and datagrams a turn, bytes a frame,
queues, time for a handshake. Specification: protocols.md, "Discovery".
"""

import contextlib
import errno
import secrets
import selectors
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import zmq

from quadrille.net.broadcast import Broadcast
from quadrille.net.errors import LocalError
from quadrille.net.interfaces import facing
from quadrille.net.neighbour import Contact, Endpoint, Event, Limits, Peer
from quadrille.net.neighbourhood import Crowd, Halfway, Neighbourhood
from quadrille.net.proof import Prover
from quadrille.net.seeds import endpoints
from quadrille.net.switchboard import Announce, Dial, HangUp, Send
from quadrille.net.zre import ID_BYTES, KEY_BYTES, MOST_CONTENT_FRAMES, MOST_FRAME_BYTES, TAIL_BYTES

OPEN_PORT: Final = 5670
#: RFC 36: "an ephemeral TCP port (in the range %C000x - %FFFFx)".
TCP_PORTS: Final = range(0xC000, 0x10000)
MESSAGES_A_TURN: Final = 100
FRAMES_A_TURN: Final = 2000
QUEUE: Final = 1000
#: Milliseconds: between looks at the links while one is being made, and while all stand; between looks at the
#: interfaces; for the last words of a node that closes.
WATCH_EVERY: Final = 100
WATCH_CALMLY: Final = 400
REFRESH_EVERY: Final = 3000
LAST_WORDS: Final = 200

_GONE = zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED
_FAILED = zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
_WATCHED = zmq.EVENT_CONNECTED | zmq.EVENT_HANDSHAKE_SUCCEEDED | _GONE | _FAILED
#: How news of a link begins (zmq_socket_monitor): an event and its value; a frame with the endpoint follows.
_NEWS = struct.Struct("=HI")
_MORE = zmq.NOBLOCK | zmq.SNDMORE


@dataclass(frozen=True, slots=True, repr=False)
class Lock:
    """What makes a room private: a CURVE key pair (32 bytes each), and who may come in.

    `allows(key)` is asked before anything of a stranger is read. `certify(id, key)`, if there is one, says whether an
    identity is the one that goes with a key; without it the first key that uses an identity has it.
    """

    public: bytes
    secret: bytes
    allows: Callable[[bytes], bool]
    certify: Callable[[bytes, bytes], bool] | None = None


@dataclass(frozen=True, slots=True)
class _Link:
    dealer: zmq.Socket[bytes]
    monitor: zmq.Socket[bytes]


class Node:
    """We on the network. Use it from one thread; only `wake_up` may be called from others."""

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
        limits: Limits | None = None,
        security: Lock | None = None,
        prover: Prover | None = None,
        matters: Callable[[bytes], bool] = lambda _: False,
    ) -> None:
        """`port` is the UDP port of the beacons; TCP port 0 is any. Seeds are HOST:PORT, or HOST, which is only told of
        us. With `security` this is a private room, which has a UDP port of its own: beacons with a key would end the
        programs of others in the open network; a `prover` proves our links there. A peer that `matters(id)` keeps its
        place against strangers.
        """
        if len(identity) != ID_BYTES:
            raise LocalError(f"a ZRE identity has {ID_BYTES} bytes, not {len(identity)}")
        if security and port == OPEN_PORT:
            raise LocalError(f"a private room needs a UDP port of its own; {OPEN_PORT} belongs to the open network")
        if security and not len(security.public) == len(security.secret) == KEY_BYTES:
            raise LocalError(f"a CURVE key has {KEY_BYTES} bytes")
        self._tcp_port = tcp_port
        self._security = security
        self._limits = limits or Limits()
        self._seeds = seeds
        self._random = secrets.SystemRandom()
        self._machine = Neighbourhood(
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
            matters=matters,
        )
        self._identity = b"\x01" + identity
        self._broadcast = Broadcast(port, interfaces)
        self._context = zmq.Context()
        self._selector = selectors.DefaultSelector()
        self._listeners: list[zmq.Socket[bytes]] = []
        self._links: dict[int, _Link] = {}
        self._monitors = zmq.Poller()
        self._by_monitor: dict[zmq.Socket[bytes], int] = {}
        self._dialling: set[int] = set()
        self._alarm, self._bell = socket.socketpair()
        self._skipping = False
        self._unread = True
        self._woken = False
        self._watch_due = self._refresh_due = 0
        self._is_open = False

    # Start and end

    def start(self) -> Self:
        """Begin to listen and to be heard; a LocalError says why that is not possible."""
        try:
            for seed in self._seeds:
                self.seed(seed)
            _raise_file_limit(8 * (self._limits.peers + self._limits.calls))
            self._context.set(zmq.MAX_SOCKETS, 4 * (self._limits.peers + self._limits.calls) + 16)
            self._broadcast.open()
            if self._security:
                self._zap = self._context.socket(zmq.REP)
                self._listeners.append(self._zap)
                self._zap.bind("inproc://zeromq.zap.01")
                self._selector.register(self._zap, selectors.EVENT_READ, None)
            self._router = self._socket(zmq.ROUTER)
            self._listeners.append(self._router)
            self._machine.port = self._bind()
            self._alarm.setblocking(False)
            self._bell.setblocking(False)
            self._selector.register(self._router, selectors.EVENT_READ, None)
            self._selector.register(self._broadcast, selectors.EVENT_READ, self._hear_beacons)
            self._selector.register(self._alarm, selectors.EVENT_READ, self._hear_alarm)
            self._is_open = True
        except LocalError:
            self.close()
            raise
        self._refresh_due = _now() + REFRESH_EVERY
        return self

    def _socket(self, kind: int) -> zmq.Socket[bytes]:
        """A socket with our bounds. A ROUTER is a CURVE server, a DEALER a client that is told of whom."""
        new = self._context.socket(kind)
        new.linger = 0
        new.maxmsgsize = MOST_FRAME_BYTES
        new.handshake_ivl = 5000
        new.heartbeat_ivl = 1000
        new.heartbeat_timeout = 3000
        new.sndhwm = QUEUE
        new.rcvhwm = QUEUE
        if kind == zmq.ROUTER:
            new.router_handover = True
        if self._security:
            new.curve_secretkey = self._security.secret
            new.curve_publickey = self._security.public
            if kind == zmq.ROUTER:
                new.curve_server = True
                new.zap_domain = b"quadrille"
        return new

    def _bind(self) -> int:
        ports = [self._tcp_port] if self._tcp_port else self._random.sample(TCP_PORTS, 100)
        for port in ports:
            try:
                self._router.bind(f"tcp://*:{port}")
            except zmq.ZMQError as error:
                refused = error
            else:
                return port
        if refused.errno == errno.EADDRINUSE:
            raise LocalError(
                f"TCP port {port} is taken by another program: choose another, or none for any that is free"
            )
        if refused.errno in (errno.EACCES, errno.EPERM):
            raise LocalError(f"this system does not let us listen at TCP port {port}: choose a port from 1024 up")
        raise LocalError(f"nobody can reach us at TCP port {port}: {refused.strerror}")

    def close(self) -> None:
        """Say good-bye and close everything. What was sent before is still delivered, if that is quickly done."""
        if self._is_open:
            self._is_open = False
            self._machine.close()
            self._perform(_now())
        for link in list(self._links):
            self._hang_up(link, LAST_WORDS)
        self._selector.close()
        for listener in self._listeners:
            listener.close()
        self._broadcast.close()
        self._alarm.close()
        self._bell.close()
        self._context.term()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # What programs ask for

    @property
    def tcp_port(self) -> int:
        """Where peers reach us."""
        return self._machine.port

    @property
    def speaker(self) -> bytes | None:
        """Who said what was looked at last, by its own word."""
        return self._machine.speaker

    @property
    def counts(self) -> Counter[str]:
        """What was dropped, and how often."""
        return self._machine.counts

    @property
    def troubles(self) -> Mapping[str, str]:
        """By which interfaces no beacon leaves, and why."""
        return self._broadcast.troubles

    def peers(self) -> list[Peer]:
        """Everybody who is there."""
        return self._machine.peers()

    def halfway(self) -> list[Halfway]:
        """Everybody we know of and have not met."""
        return self._machine.halfway()

    def met_at_seeds(self) -> list[tuple[Endpoint, Peer]]:
        """The peers that answered where a person said that somebody is."""
        return self._machine.met_at_seeds()

    def crowd(self) -> Crowd:
        """How many are met, how many can be, how many found no room."""
        return self._machine.crowd(_now())

    def join(self, group: str) -> None:
        """Be in a group from now on."""
        self._machine.join(group)
        self._perform(_now())

    def leave(self, group: str) -> None:
        """Be in a group no longer."""
        self._machine.leave(group)
        self._perform(_now())

    def whisper(self, peer: bytes, payload: bytes) -> bool:
        """Send to one peer; False if it is not there (any more)."""
        sent = self._machine.whisper(peer, payload)
        self._perform(_now())
        return sent

    def shout(self, group: str, payload: bytes) -> int:
        """Send to everybody in a group; how many that were."""
        sent = self._machine.shout(group, payload)
        self._perform(_now())
        return sent

    def admit(self, peer: bytes) -> None:
        """A peer has proved that it belongs to the private room: it may know our groups."""
        self._machine.admit(peer)
        self._perform(_now())

    def ban(self, peer: bytes, time: int) -> None:
        """Take nothing from a peer for so many milliseconds."""
        self._machine.ban(peer, _now(), time)
        self._perform(_now())

    def seed(self, text: str) -> None:
        """Look for a peer at HOST:PORT; a HOST alone is told of us. A LocalError if there is no such machine."""
        self._machine.seed(endpoints(text)[0])

    def contacts(self, to: bytes) -> list[Contact]:
        """Whom we have met, to be passed on to a peer of our own kind."""
        return self._machine.contacts(to)

    def is_at(self, peer: bytes, endpoint: Endpoint) -> bool:
        """Whether a peer can be found there, as far as we know."""
        return self._machine.is_at(peer, endpoint)

    def hears(self, peer: bytes) -> bool:
        """Whether a peer's beacons come here."""
        return self._machine.hears(peer)

    def introduce(self, contact: Contact, by: bytes) -> None:
        """Take a peer's word for where another is. A PeerError if it cannot be there."""
        self._machine.introduce(contact, by, _now())
        self._perform(_now())

    def wake_up(self) -> None:
        """Let `turn` return at once. For other threads."""
        with contextlib.suppress(OSError):  # full: it will return anyway; closed: nobody waits
            self._bell.send(b"!")

    def turn(self, timeout: int) -> list[Event]:
        """Do what is to be done, for at most so many milliseconds; what has happened, as soon as something has."""
        end = _now() + timeout
        while True:
            now = _now()
            self._do_what_is_due(now)
            wait = min(end, self._machine.deadline, self._watch_due, self._refresh_due) - now
            now = self._read(0 if self._machine.events else wait)
            self._perform(now)
            if self._machine.events or self._woken or now >= end:
                self._woken = False
                events = self._machine.events[:]
                self._machine.events.clear()
                return events

    # Sockets

    def _do_what_is_due(self, now: int) -> None:
        if now >= self._refresh_due:
            self._refresh_due = now + REFRESH_EVERY
            if self._broadcast.refresh():
                self._machine.announce()
        if now >= self._watch_due:
            self._watch_links(now)
            self._watch_due = now + (WATCH_EVERY if self._dialling else WATCH_CALMLY)
        if now >= self._machine.deadline:
            self._machine.wake(now)
        self._perform(now)

    def _perform(self, now: int) -> None:
        """Do what the machine wants done; doing it may add to it."""
        for action in self._machine.outgoing:
            match action:
                case Send(link, frames):
                    self._send(link, frames, now)
                case Dial(link, endpoint, key):
                    self._dial(link, endpoint, key, now)
                case HangUp(link):
                    self._hang_up(link, 0)
                case Announce(datagram, hosts):
                    self._broadcast.announce(datagram, hosts)
        self._machine.outgoing.clear()

    def _send(self, link: int, frames: list[bytes], now: int) -> None:
        if found := self._links.get(link):
            *first, last = frames
            try:
                for frame in first:
                    found.dealer.send(frame, _MORE)
                found.dealer.send(last, zmq.NOBLOCK)
            except zmq.Again:  # at the first frame: a message that is begun can be ended
                self._machine.choked(link, now)

    def _dial(self, link: int, endpoint: Endpoint, key: bytes | None, now: int) -> None:
        opened: list[zmq.Socket[bytes]] = []
        try:
            dealer = self._socket(zmq.DEALER)
            opened.append(dealer)
            dealer.routing_id = self._identity + (secrets.token_bytes(TAIL_BYTES) if self._security else b"")
            dealer.rcvhwm = 1  # nothing comes back by a DEALER
            dealer.reconnect_ivl = -1  # whether and when to try again, the machine decides
            dealer.connect_timeout = 3000
            if key is not None:
                dealer.curve_serverkey = key
            monitor = dealer.get_monitor_socket(_WATCHED)
            opened.append(monitor)
            dealer.connect(str(endpoint))
        except zmq.ZMQError:  # no descriptors left, or an address that no connection can be made to
            for each in opened:
                each.close(0)
            self._machine.lost(link, now)
            return
        self._links[link] = _Link(dealer, monitor)
        self._by_monitor[monitor] = link
        self._monitors.register(monitor, zmq.POLLIN)
        self._dialling.add(link)
        self._watch_due = min(self._watch_due, now + WATCH_EVERY)

    def _hang_up(self, link: int, linger: int) -> None:
        found = self._links.pop(link, None)
        self._dialling.discard(link)
        if found is not None:
            self._monitors.unregister(found.monitor)
            del self._by_monitor[found.monitor]
            found.dealer.disable_monitor()
            found.monitor.close(0)
            found.dealer.close(linger)

    def _watch_links(self, now: int) -> None:
        """News of all links. They are not polled with the rest, whose cost would grow with the number of peers."""
        for monitor, _ in self._monitors.poll(0):
            link = self._by_monitor[monitor]
            with contextlib.suppress(zmq.Again):
                while True:
                    event, _ = _NEWS.unpack(monitor.recv_multipart(zmq.NOBLOCK)[0])
                    if event == zmq.EVENT_CONNECTED:
                        self._machine.reached(link)
                        continue
                    self._dialling.discard(link)
                    if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                        self._machine.connected(link)
                    else:
                        self._machine.lost(link, now)

    def _read(self, wait: int) -> int:
        """Wait for something to read, for so many milliseconds at most, and read it; what time it is then.

        That a zmq socket can be read shows at its descriptor only until it was looked at, so what was left for later
        is not waited for.
        """
        found = self._selector.select(0 if self._unread or wait <= 0 else wait / 1000)
        now = _now()
        for key, _ in found:
            if key.data is not None:
                key.data(now)
        self._unread = self._listen(now)
        if self._security:
            self._unread |= self._answer_zap(self._security)
        return now

    def _hear_alarm(self, _: int) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken = bool(self._alarm.recv(4096))

    def _hear_beacons(self, now: int) -> None:
        for address, datagram in self._broadcast.heard():
            self._machine.heard_beacon(address, datagram, now)

    def _listen(self, now: int) -> bool:
        """Read the messages that have come, though not more than is good for one turn; whether there are more."""
        for _ in range(MESSAGES_A_TURN):
            if not int(self._router.get(zmq.EVENTS)) & zmq.POLLIN:
                return False
            self._receive(now)
        return True

    def _answer_zap(self, security: Lock) -> bool:
        """ZAP (RFC 27): whether the owner of a key may connect. Its key becomes the `User-Id` of all it sends."""
        for _ in range(MESSAGES_A_TURN):
            if not int(self._zap.get(zmq.EVENTS)) & zmq.POLLIN:
                return False
            _, request, _, address, _, mechanism, *credentials = self._zap.recv_multipart(zmq.NOBLOCK)
            key = credentials[0] if mechanism == b"CURVE" else b""
            welcome = self._broadcast.admits(address.decode()) and security.allows(key)
            verdict = [b"200", b"welcome", key.hex().encode()] if welcome else [b"400", b"not welcome", b""]
            self._zap.send_multipart([b"1.0", request, *verdict, b""])
        return True

    def _receive(self, now: int) -> None:
        """Read one message, or go on discarding one that has too many frames."""
        if self._skipping:
            self._skip()
            return
        identity = self._router.recv(zmq.NOBLOCK)
        first = frame = self._router.recv(zmq.NOBLOCK, copy=False)
        frames = [first.bytes]
        while frame.more and len(frames) <= 1 + MOST_CONTENT_FRAMES:
            frame = self._router.recv(zmq.NOBLOCK, copy=False)
            frames.append(frame.bytes)
        self._skipping = frame.more
        address = _property(first, "Peer-Address")
        key = bytes.fromhex(_property(first, "User-Id")) if self._security else None
        if address and self._broadcast.admits(address):
            self._machine.received(identity, frames, address, now, key)

    def _skip(self) -> None:
        """A message of a million frames is queued whole before its first one can be read, but not read at one go."""
        for _ in range(FRAMES_A_TURN // MESSAGES_A_TURN):
            if not self._router.recv(zmq.NOBLOCK, copy=False).more:
                self._skipping = False
                return


def _property(frame: zmq.Frame, name: str) -> str:
    """What the connection knows of its other end; nothing, if that was gone before it could be asked."""
    try:
        return str(frame.get(name))
    except zmq.ZMQError:
        return ""


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


def _raise_file_limit(needed: int) -> None:
    """Every link takes a few file descriptors, and some systems allow a program only 256."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < needed:
            with contextlib.suppress(ValueError, OSError):
                most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
                resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
