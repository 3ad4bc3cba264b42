"""A relay: it joins two TCP connections, and copies bytes from one to the other.

It reads one short line of each connection, and nothing that follows. It knows rooms by names that say nothing, and
forgets a room with its last connection. Specification: extras/far/docs/relay.md, "Relays".
"""

import asyncio
import re
import secrets
import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, cast

from quadrille.net.core.doorkeeper import FIRST_WORDS, Doorkeeper, Full
from quadrille.net.core.ip_addresses import subnet_of
from quadrille.net.core.limits import Bucket, Buckets, a_second
from quadrille.net.link.file_limit import raise_file_limit
from quadrille.net.zeromq.sockets import prepare, refusal

VERSION: Final = 1
#: Maximum bytes of a line; bytes that a connection reads at once, so that hardly more wait for a slow reader.
MOST_LINE: Final = 512
CHUNK: Final = 1 << 13
#: Milliseconds between two empty lines to a waiting member; of a call that nobody takes; for reading a refusal.
BEAT: Final = 5000
PATIENCE: Final = 6000
LAST_WORDS: Final = 1000
#: Seconds between two looks at all connections.
_SWEEP_EVERY: Final = 0.5
#: Maximum refused connections that still hear why, bytes that wait for a member, and remembered addresses.
MOST_REFUSED: Final = 64
MOST_UNSENT: Final = 1 << 15
MOST_ADDRESSES: Final = 4096
#: Bytes that a first line costs.
_LINE_PRICE: Final = 4096
#: Seconds of idleness before a probe, between probes, and their number; milliseconds for sent bytes to be confirmed.
PROBES: Final = ((10, 5, 4), 20_000)
_FIRST: Final = re.compile(
    r"QRLY1 (?:WAIT ([0-9a-f]{32}) ([0-9a-f]{2,400})|CALL ([0-9a-f]{32}) (\d{1,15}) (\d{1,15})|TAKE ([0-9a-f]{32}))\n",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class RelayLimits:
    """Limits of a relay. Times are in milliseconds, rates in bytes a second with the bytes of a burst."""

    connections: int = 8192
    of_an_address: int = 256
    of_a_room: int = 512
    members: int = 16
    silence: int = 45_000
    rate: tuple[int, int] = (128 << 10, 1 << 20)
    address_rate: tuple[int, int] = (1 << 20, 8 << 20)


class _Phase(Enum):
    GREETING = auto()
    WAITING = auto()
    CALLING = auto()
    SPLICED = auto()
    REFUSED = auto()


@dataclass(slots=True)
class _Room:
    """The number of a room's connections, and its members, by the numbers of their connections."""

    connections: int = 0
    members: dict[int, "_Line"] = field(default_factory=dict)


class Relay:
    """A relay on its sockets."""

    def __init__(self, limits: RelayLimits | None = None, only: str = "") -> None:
        """With `only` it serves the room of that name and no other."""
        self.limits = limits or RelayLimits()
        #: Refused and closed connections, by reason: nothing that could tell of a person.
        self.counts: Counter[str] = Counter()
        self.served = 0
        self.lines: dict[int, _Line] = {}
        self.rooms: dict[str, _Room] = {}
        self.calls: dict[str, _Line] = {}
        self.buffer = bytearray(CHUNK)
        self.refusing = 0
        self.has_ended = False
        self.doors = Doorkeeper(self.limits.connections, self._give_way, of_an_address=self.limits.of_an_address)
        self._only = only
        self._numbers = 0
        self.accounts = Buckets[str](a_second(*self.limits.address_rate), most=MOST_ADDRESSES)

    async def serve(self, listener: socket.socket) -> None:
        """Serve those who come, until this is cancelled."""
        raise_file_limit(self.limits.connections + MOST_REFUSED + 64)
        server = await asyncio.get_running_loop().create_server(lambda: _Line(self), sock=listener, backlog=256)
        async with server:
            try:
                while True:
                    await asyncio.sleep(_SWEEP_EVERY)
                    for line in list(self.lines.values()):
                        line.tend(now())
            finally:
                self.has_ended = True
                for line in list(self.lines.values()):
                    if line.phase is _Phase.WAITING:
                        line.say("NO ending")
                    line.transport.close()

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def enter(self, line: "_Line", name: str, phase: _Phase) -> bool:
        """Count a connection in its room; False if it is refused."""
        room = self.rooms.setdefault(name, _Room())
        self.served += not room.connections
        line.room = name
        room.connections += 1
        if self._only and name != self._only:
            return line.refuse("full")
        is_full = phase is _Phase.WAITING and len(room.members) >= self.limits.members
        if is_full or room.connections > self.limits.of_a_room:
            return line.refuse("room")
        line.phase = phase
        return True

    def left(self, line: "_Line") -> None:
        """Take a connection out of everything that knows it."""
        self.doors.left(line.number)
        self.calls.pop(line.token, None)
        if (room := self.rooms.get(line.room)) is None:
            return
        room.connections -= 1
        if not room.connections:
            del self.rooms[line.room]
        line.room = ""
        if room.members.pop(line.number, None) is not None:
            for other in list(room.members.values()):
                other.say(f"GONE {line.number}")

    def _give_way(self, number: int, _: int) -> None:
        self.lines[number].drop("gave way")


class _Line(asyncio.BufferedProtocol):
    """One connection to a relay."""

    transport: asyncio.Transport

    def __init__(self, relay: Relay) -> None:
        self.phase = _Phase.GREETING
        self.number = relay.number()
        self.room = self.token = self.first = ""
        self.moved_at = now()
        self.other: _Line | None = None
        self._relay = relay
        self._ended = self._rests = False

    # Called by the loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, relay = cast("asyncio.Transport", transport), self._relay
        self.transport.set_write_buffer_limits(0)
        prepare(transport.get_extra_info("socket"), PROBES)
        relay.lines[self.number] = self
        if relay.has_ended:  # accepted in the last moment, when the others were closed
            self.transport.abort()
            return
        address = str((transport.get_extra_info("peername") or ("",))[0])
        self._accounts = Bucket(a_second(*relay.limits.rate)), relay.accounts.of(subnet_of(address))
        if (full := relay.doors.admit(self.number, address, now())) is not None:
            self.refuse("full" if full is Full.ALL else "address")

    def get_buffer(self, _: int) -> bytearray:
        return self._relay.buffer

    def buffer_updated(self, size: int) -> None:
        data = self._relay.buffer[:size]
        if self.other is not None:
            self.moved_at = self.other.moved_at = now()
            self.other.transport.write(data)
            self._charge(size)
        elif self.phase is _Phase.GREETING:
            self.first += data.decode("ascii", "replace")
            if "\n" in self.first or len(self.first) >= MOST_LINE:
                self._charge(_LINE_PRICE)
                self._begin()
        elif self.phase is not _Phase.REFUSED:
            self.refuse("malformed")  # nothing is said before an answer

    def eof_received(self) -> bool:
        """Pass on that one side has said all; the other may still speak."""
        self._ended = True
        if self.other is None or self.other._ended:
            return False
        self.other.transport.write_eof()
        return True

    def pause_writing(self) -> None:
        if self.other is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and not self.other._rests:
            self.other.transport.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        self._relay.lines.pop(self.number, None)
        self._relay.refusing -= self.phase is _Phase.REFUSED
        self._relay.left(self)
        if self.other is not None:
            self.other.transport.close()  # once it has what waits for it

    # Called by the relay

    def say(self, words: str) -> None:
        if self.transport.get_write_buffer_size() > MOST_UNSENT:
            self.drop("does not read")
        elif not self.transport.is_closing():
            self.transport.write(words.encode() + b"\n")

    def refuse(self, reason: str) -> bool:
        """Say why, and close the connection once that is read: unread bytes would make the system discard it."""
        self._relay.counts[reason] += 1
        self._relay.left(self)
        self.phase, self.moved_at = _Phase.REFUSED, now()
        self._relay.refusing += 1
        if self._relay.refusing > MOST_REFUSED:
            self.transport.abort()
        else:
            self.say(f"NO {reason}")
            self.transport.write_eof()
        return False

    def drop(self, reason: str) -> None:
        self._relay.counts[reason] += 1
        self.transport.abort()

    def tend(self, at: int) -> None:
        """Do what is due."""
        quiet = at - self.moved_at
        match self.phase:
            case _Phase.GREETING if quiet >= FIRST_WORDS:
                self.refuse("silence")
            case _Phase.WAITING if quiet >= BEAT:
                self.moved_at = at
                if self.transport.get_write_buffer_size():
                    self.drop("does not read")
                self.say("")
            case _Phase.CALLING if quiet >= PATIENCE:
                self.refuse("gone")
            case _Phase.SPLICED if quiet >= self._relay.limits.silence:
                self.drop("said nothing")
            case _Phase.REFUSED if quiet >= LAST_WORDS:
                self.transport.abort()

    def _charge(self, price: int) -> None:
        """Pay for bytes, and have the address pay. A connection in debt is not read until that is paid."""
        for account in self._accounts:
            account.pay(now(), price)
        if rest := max(account.rest(now()) for account in self._accounts):
            self._rests = True
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(rest / 1000, self._go_on)

    def _go_on(self) -> None:
        self._rests = False
        if self.other is None or not self.other.transport.get_write_buffer_size():
            self.transport.resume_reading()

    # First lines

    def _begin(self) -> None:
        if (request := _FIRST.fullmatch(self.first)) is None:
            is_other = re.match(r"QRLY(?!1 )\d+ ", self.first, re.ASCII)
            self.refuse(f"version {VERSION}" if is_other else "malformed")
            return
        self._relay.doors.spoke(self.number)
        waits, beacon, calls, callee, caller, token = request.groups()
        if waits:
            self._wait(waits, beacon)
        elif calls:
            self._call(calls, int(callee), int(caller))
        else:
            self._take(token)

    def _wait(self, name: str, beacon: str) -> None:
        if self._relay.enter(self, name, _Phase.WAITING):
            self.first = beacon
            self.say(f"OK {self.number}")
            members = self._relay.rooms[name].members
            for other in list(members.values()):
                other.say(f"HERE {self.number} {beacon}")
                self.say(f"HERE {other.number} {other.first}")
            members[self.number] = self

    def _call(self, name: str, callee: int, caller: int) -> None:
        """Tell a member that somebody calls it."""
        members = self._relay.rooms[name].members if name in self._relay.rooms else {}
        if callee not in members or caller not in members:
            self.refuse("gone")
        elif self._relay.enter(self, name, _Phase.CALLING):
            self.token = secrets.token_hex(16)
            self._relay.calls[self.token] = self
            members[callee].say(f"RING {self.token} {caller}")

    def _take(self, token: str) -> None:
        """Splice a connection to the one that it takes."""
        if (other := self._relay.calls.pop(token, None)) is None:
            self.refuse("gone")
        elif not self._relay.enter(self, other.room, _Phase.SPLICED):
            other.refuse("room")
        else:
            other.phase, other.moved_at = _Phase.SPLICED, now()
            for line in (self, other):
                line.say("OK")
            self.other, other.other = other, self


def listener(port: int) -> socket.socket:
    """Listen by IPv6 and IPv4, as far as the system has them; 0 means any port. A LocalError explains a failure."""
    try:
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except (OSError, ValueError):
            return socket.create_server(("", port))
    except OSError as error:
        taken = "another program: choose another port"
        raise refusal(f"TCP port {port}", error, taken=taken, nobody="nobody can reach a relay") from None


def now() -> int:
    return time.monotonic_ns() // 1_000_000
