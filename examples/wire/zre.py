"""Finding others, and bringing bytes to them: ZRE (RFC 36 of ZeroMQ) in the open network.

Specification: docs/protocols/discovery.md and docs/protocols/links.md. A real program also needs: most of "Limits"
(pauses between calls, floods, bans), a peer's second address, answers on the other's connection, rivals, private rooms.
"""

import contextlib
import io
import secrets
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import zmq

HELLO, WHISPER, PING, PING_OK = 1, 2, 6, 7
HEAD = struct.Struct(">HBBH")  # aa a1, command, version 2, number
BEACON = struct.Struct(">3sB16sH")  # ZRE, version 1, identity, TCP port
NUMBERS = 65536
#: "Limits", in seconds; but who says nothing is given up sooner, since nobody tells this program of a broken link.
BEACON_EVERY, PATIENCE, CROSSING, QUIET, SILENT, LAST_WORDS = 1.0, 3.0, 1.0, 5.0, 10.0, 0.5
HELD = 32
#: "Proof of a link": its first byte, and its length.
PROOF, PROOF_BYTES = 4, 65

Endpoint = tuple[str, int]


class Event(NamedTuple):
    """A peer was `met`, has `left`, or `said` something."""

    what: str
    peer: bytes
    headers: dict[str, str]
    content: bytes = b""


@dataclass
class Link:
    """A DEALER, which only writes, and the number of the last message that went that way."""

    dealer: "zmq.Socket[bytes]"
    since: float
    nonce: bytes
    number: int = 0


@dataclass
class Neighbour:
    """ "Neighbours": *greeted* while it has no headers, then *heard*, then *met*."""

    id: bytes
    at: Endpoint
    since: float
    headers: dict[str, str] | None = None
    ponged: bool = False
    proved: bool = False
    met: bool = False
    number: int = 1  # of its last message; HELLO is number 1
    heard_at: float = 0
    leaves_at: float = float("inf")
    held: list[bytes] = field(default_factory=list)


class Network:
    """A node. `turn` does all the work, again and again, in one thread."""

    def __init__(
        self,
        id: bytes,
        name: str,
        headers: dict[str, str],
        *,
        port: int,
        broadcast: str,
        seeds: list[Endpoint],
        prove: Callable[[bytes, dict[str, str]], bytes | None],
        is_proof: Callable[[bytes, bytes, dict[str, str]], bool],
    ) -> None:
        """Open the sockets. `prove(nonce, headers)` signs our nonce for the sender of these headers, if it is of our
        kind; `is_proof` says whether a signature is right for our nonce and those headers.
        """
        self.prove, self.is_proof = prove, is_proof
        self.id, self.name, self.headers, self.seeds = id, name, headers, seeds
        self.neighbours: dict[bytes, Neighbour] = {}
        self.links: dict[Endpoint, Link] = {}  # "MUST NOT have two DEALERs to one peer, nor to one endpoint"
        self.events: list[Event] = []
        self.due = 0.0
        # "Links": one ROUTER, which only reads. A peer that comes back takes its own place there (handover).
        self.context = zmq.Context()
        self.router = self._socket(zmq.ROUTER)
        self.router.router_handover = True
        self.port = self.router.bind_to_random_port("tcp://*", 49152, NUMBERS, 1000)
        # "Beacons": all programs of a machine share the port.
        self.target = (broadcast, port)
        self.beacons_heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for option in ("SO_REUSEADDR", "SO_REUSEPORT", "SO_BROADCAST"):
            if hasattr(socket, option):
                self.beacons_heard.setsockopt(socket.SOL_SOCKET, getattr(socket, option), 1)
        self.beacons_heard.bind(("", port))
        self.beacons_heard.setblocking(False)
        self.poller = zmq.Poller()
        self.poller.register(self.router, zmq.POLLIN)
        self.poller.register(self.beacons_heard, zmq.POLLIN)

    def _socket(self, kind: int) -> "zmq.Socket[bytes]":
        new = self.context.socket(kind)
        new.linger, new.maxmsgsize, new.handshake_ivl = 200, 65536, 5000
        new.heartbeat_ivl, new.heartbeat_timeout = 1000, 3000
        return new

    def whisper(self, peer: bytes, content: bytes) -> None:
        """Send to a peer that is met."""
        one = self.neighbours.get(peer)
        if one is not None and one.met:
            self._send(one.at, WHISPER, b"", content)

    def introduce(self, peer: bytes, at: Endpoint) -> None:
        """Call a peer that a beacon or another peer names ("Who is called")."""
        if peer != self.id and peer not in self.neighbours:
            self.neighbours[peer] = Neighbour(peer, at, time.monotonic())
            self._call(at)

    def turn(self, seconds: float) -> list[Event]:
        """Wait for so long at most; return what has happened, as soon as something has."""
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + BEACON_EVERY
            self._beacon(self.port)
            self._tend()
        wait = min(seconds, self.due - time.monotonic())
        for ready, _ in self.poller.poll(max(0, int(wait * 1000))):
            if ready == self.router:
                sender, *frames = self.router.recv_multipart(copy=False)
                if len(sender.bytes) == 17 and sender.bytes[0] == 1 and frames:
                    with contextlib.suppress(zmq.ZMQError):  # its link is gone before it could be asked
                        host = str(frames[0].get("Peer-Address"))
                        self._hear(sender.bytes[1:], host, [frame.bytes for frame in frames])
            else:
                with contextlib.suppress(OSError):  # on some systems, news of an earlier sending
                    datagram, (host, _) = self.beacons_heard.recvfrom(2048)
                    self._hear_beacon(host, datagram)
        events, self.events = self.events, []
        return events

    def close(self) -> None:
        """Say good-bye; what was sent before is still delivered."""
        self._beacon(0)
        self.beacons_heard.close()
        self.context.destroy(linger=200)

    # "Beacons"

    def _beacon(self, port: int) -> None:
        with contextlib.suppress(OSError):  # no network now; it may come
            self.beacons_heard.sendto(BEACON.pack(b"ZRE", 1, self.id, port), self.target)

    def _hear_beacon(self, host: str, datagram: bytes) -> None:
        """Hear a beacon. "A datagram that is not exactly this is dropped"; "a peer is where its beacon came from"."""
        if len(datagram) != BEACON.size or datagram[:4] != b"ZRE\x01":
            return
        _, _, peer, port = BEACON.unpack(datagram)
        if port:
            self.introduce(peer, (host, port))
        elif peer in self.neighbours and self.neighbours[peer].at[0] == host:
            self.neighbours[peer].leaves_at = time.monotonic() + LAST_WORDS

    # "Links", "Messages of a link"

    def _call(self, at: Endpoint) -> None:
        """Call a peer. "A new DEALER begins with HELLO (number 1) and PING (number 2)"."""
        if at in self.links:
            return
        dealer = self._socket(zmq.DEALER)
        dealer.routing_id = b"\x01" + self.id
        dealer.reconnect_ivl = -1  # "When a link breaks, its DEALER is closed, never reused"
        nonce = secrets.token_bytes(16)
        try:
            greeting = self._hello(at, nonce)
            dealer.connect(f"tcp://{at[0]}:{at[1]}")
        except (OSError, zmq.ZMQError):  # there is no way there
            dealer.close()
            return
        self.links[at] = Link(dealer, time.monotonic(), nonce)
        self._send(at, HELLO, greeting)
        self._send(at, PING)

    def _hello(self, to: Endpoint, nonce: bytes) -> bytes:
        """Return the fields of HELLO: endpoint, no groups, status 0, name, headers."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(to)  # sends nothing; it tells our own address "as the receiver sees it"
            endpoint = f"tcp://{probe.getsockname()[0]}:{self.port}"
        told = self.headers | {"X-NONCE": nonce.hex()}
        headers = [string(name, 1) + string(value, 4) for name, value in told.items()]
        count = len(headers).to_bytes(4, "big")
        return b"".join([string(endpoint, 1), bytes(4), b"\0", string(self.name, 1), count, *headers])

    def _send(self, at: Endpoint, command: int, fields: bytes = b"", *content: bytes) -> None:
        """Send a message. "Every message has a number"; 0 comes after 65535."""
        link = self.links.get(at)
        if link is None:
            return
        link.number = (link.number + 1) % NUMBERS
        head = HEAD.pack(0xAAA1, command, 2, link.number)
        try:
            link.dealer.send_multipart([head + fields, *content], zmq.NOBLOCK)
        except zmq.Again:  # the link is broken, or its queue is full
            self._hang_up(at)

    def _hang_up(self, at: Endpoint) -> None:
        if link := self.links.pop(at, None):
            link.dealer.close()

    # "Neighbours"

    def _hear(self, peer: bytes, host: str, frames: list[bytes]) -> None:
        """Process a message as the table says: what it does in which state."""
        one = self.neighbours.get(peer)
        try:
            signature, command, version, number = HEAD.unpack_from(frames[0])
            if (signature, version) != (0xAAA1, 2) or (command == HELLO and (number != 1 or len(frames) > 1)):
                raise ValueError("malformed")
            if command == HELLO:
                self._greeted(peer, host, *hello(frames[0][HEAD.size :]))
                return
        except (ValueError, struct.error):
            command, number = 0, -1  # as if the next number were missing
        if one is None or one.headers is None:
            return  # away, greeted: drop
        one.number = (one.number + 1) % NUMBERS
        if number != one.number:
            self._part(one)  # "a message whose number is not the next one ends both streams"
            return
        one.heard_at = time.monotonic()
        if command == PING:
            self._send(one.at, PING_OK)
        elif command == PING_OK:
            one.ponged = True
            self._meet_if_proved(one)
        elif command == WHISPER and len(frames) == 2 and len(frames[1]) == PROOF_BYTES and frames[1][0] == PROOF:
            link = self.links.get(one.at)
            if link is not None and self.is_proof(frames[1][1:], link.nonce, one.headers):
                one.proved = True
            self._meet_if_proved(one)
        elif command == WHISPER and len(frames) == 2:  # "Content of none or several is … ignored"
            if one.met:
                self.events.append(Event("said", peer, one.headers, frames[1]))
            elif len(one.held) < HELD:
                one.held.append(frames[1])

    def _meet_if_proved(self, one: Neighbour) -> None:
        """Meet a peer, "only when it has answered a PING and its proof is right"."""
        if one.ponged and one.proved and not one.met and one.headers is not None:
            one.met = True
            held = [Event("said", one.id, one.headers, content) for content in one.held]
            self.events += [Event("met", one.id, one.headers), *held]

    def _greeted(self, peer: bytes, host: str, port: int, headers: dict[str, str]) -> None:
        """Begin a peer's stream (*open*), again if it had begun (*reopen*)."""
        now, one, at = time.monotonic(), self.neighbours.get(peer), (host, port)
        if one is not None and one.headers is not None:
            link = self.links.get(one.at)
            has_crossed = link is not None and one.at == at and now - link.since < CROSSING
            self._part(one, hang_up=not has_crossed)
        # It may be called already: where its beacon said, or as a seed, which may answer from another address.
        called = [one.at if one else at, at, *(seed for seed in self.seeds if seed[1] == port)]
        at = next((known for known in called if known in self.links), at)
        if peer != self.id:
            self.neighbours[peer] = Neighbour(peer, at, now, headers, heard_at=now)
            self._call(at)
            link = self.links.get(at)
            if link is not None and (proof := self.prove(link.nonce, headers)):
                self._send(at, WHISPER, b"", bytes([PROOF]) + proof)
            self._send(at, PING)

    def _part(self, one: Neighbour, *, hang_up: bool = True) -> None:
        """Part from a peer that is gone. Its next beacon or HELLO begins anew."""
        del self.neighbours[one.id]
        if hang_up:
            self._hang_up(one.at)
        if one.met and one.headers is not None:
            self.events.append(Event("left", one.id, one.headers))

    def _tend(self) -> None:
        """Ask a silent peer (PING), then give it up; call seeds again and again: "never forgotten"."""
        now = time.monotonic()
        for one in list(self.neighbours.values()):
            is_silent = now - one.heard_at >= SILENT if one.met else now - one.since >= PATIENCE
            if is_silent or now >= one.leaves_at or one.at not in self.links:
                self._part(one)
            elif one.headers is not None and (not one.met or now - one.heard_at >= QUIET):
                self._send(one.at, PING)
        owned = {one.at for one in self.neighbours.values()}
        for at, link in list(self.links.items()):
            if at not in owned and now - link.since >= PATIENCE:
                self._hang_up(at)
        for seed in self.seeds:
            self._call(seed)


def string(text: str, size: int) -> bytes:
    """Pack a text. "A string has a length of 1 byte, a longstr of 4"."""
    return len(text.encode()).to_bytes(size, "big") + text.encode()


def hello(fields: bytes) -> tuple[int, dict[str, str]]:
    """Return the port and the headers that a HELLO tells; raise a ValueError if it is malformed."""
    rest = io.BytesIO(fields)

    def take(length: int) -> bytes:
        piece = rest.read(length)
        if len(piece) < length:
            raise ValueError("a HELLO that ends too early")
        return piece

    def number(length: int) -> int:
        return int.from_bytes(take(length), "big")

    endpoint = take(number(1)).decode()
    for _ in range(number(4)):
        take(number(4))  # a group
    take(1)  # status
    take(number(1))  # name
    headers = {take(number(1)).decode(): take(number(4)).decode() for _ in range(number(4))}
    port = int(endpoint.rpartition(":")[2])
    if not endpoint.startswith("tcp://") or not 0 < port < 65536 or rest.read():
        raise ValueError("an endpoint that is none, or bytes after the end")
    return port, headers
