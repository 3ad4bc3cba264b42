"""The meeting of a ticket: the overlay of a far room (net/link/overlay.py), on the relays that the ticket names.

A thread of its own talks to the relays. It hands its results to the node's thread, which has all the state.
Specification: extras/far/docs/relay.md, "Members".
"""

import asyncio
import contextlib
import ipaddress
import secrets
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from nacl.bindings import crypto_secretbox, crypto_secretbox_open
from nacl.exceptions import CryptoError

from quadrille.extras.far.relay import Relay, RelayLimits, listener, now
from quadrille.extras.far.relay_line import TROUBLES, opened, told, trouble
from quadrille.extras.far.ticket import MeetingPlace, Ticket
from quadrille.net.core.limits import Bucket, a_second

#: Seconds of a relay's silence after which it counts as gone; of the first pause before another call, and the longest.
SILENT: Final = 15.0
FIRST_RETRY: Final = 0.5
LAST_RETRY: Final = 20.0
#: Bytes a second, and at once, that a relay may say in its lines, and those that each line costs beside its own.
TALK: Final = (1 << 12, 1 << 16)
LINE_PRICE: Final = 16
#: Milliseconds in which a second call of a member goes by its next place.
AGAIN: Final = 30_000
#: Milliseconds at a place after which a missing member counts as absent.
ALONE: Final = 3000
#: Maximum members at a place, remembered members, and calls of others that are being taken.
MOST_THERE: Final = 32
MOST_MEMBERS: Final = 128
MOST_TAKEN: Final = 64
_NONCE_BYTES: Final = 24
#: Limits of a relay for one table: fewer connections than those of a program that is nothing else.
OWN_RELAY: Final = RelayLimits(connections=512, of_an_address=128)

Joined = Callable[[socket.socket | None, int], None]


@dataclass(slots=True, eq=False)
class _Place:
    """A relay of the ticket, as our place among those there: `own` is our number, `there` has the others' beacons."""

    place: MeetingPlace
    at: MeetingPlace
    room: str
    own: str = ""
    since: int = 0
    trouble: str = ""
    there: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class _Member:
    """Another member: its address on the overlay, and the calls in short succession."""

    host: str
    called_at: int = -AGAIN
    turn: int = 0


class Meeting:
    """One program's part in the meeting of a ticket."""

    def __init__(self, ticket: Ticket, own: MeetingPlace | None = None) -> None:
        """At `own`, a place of the ticket, this program runs the relay itself."""
        self._key = ticket.keys.seal
        self._places = [_Place(one, one, ticket.keys.room_at(one)) for one in ticket.places]
        self._own = next((place for place in self._places if place.place == own), None)
        self._listener: socket.socket | None = None
        self._members: dict[bytes, _Member] = {}
        self._numbers = 0
        self._taken = 0
        self._datagram = b""
        self._todo: deque[Callable[[int], None]] = deque()
        self._joined: set[socket.socket] = set()  # those that the node's thread has not got yet
        self._loop = asyncio.SelectorEventLoop()
        self._ends = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="relays", daemon=True)
        self._alarm, self._bell = socket.socketpair()

    # Called by the node, in its thread

    def open(
        self,
        selector: selectors.BaseSelector,
        accept: Callable[[socket.socket, str, int], None],
        heard: Callable[[str, bytes, int], None],
    ) -> None:
        """Begin: `accept` gets a connection that another member has made, `heard` a beacon."""
        self._accept, self._heard = accept, heard
        if self._own is not None:
            self._listener = listener(self._own.place.port)
            self._own.at = MeetingPlace(ipaddress.IPv4Address("127.0.0.1"), self._own.place.port)
        for end in (self._alarm, self._bell):
            end.setblocking(False)
        selector.register(self._alarm, selectors.EVENT_READ, self._do)

    def announce(self, datagram: bytes, now: int) -> None:
        """Wait at the relays with our beacon, and report the beacons of those there: they still wait."""
        if not self._datagram:
            self._datagram = datagram
            self._thread.start()
        if datagram == self._datagram:  # and not our farewell
            for place in self._places:
                for beacon in place.there.values():
                    self._heard(self._members[beacon].host, beacon, now)

    def dial(self, host: str, now: int, joined: Joined) -> None:
        """Call a member, by its places in turn if that is done again and again."""
        member = next((known for known in self._members.values() if known.host == host), None)
        ways = [
            (place, number)
            for place in self._places
            for number, beacon in place.there.items()
            if self._members[beacon] is member
        ]
        if member is None or not ways:
            return joined(None, now)
        member.turn = member.turn + 1 if now - member.called_at < AGAIN else 0
        member.called_at = now
        place, number = ways[member.turn % len(ways)]
        return self._join(place, f"CALL {place.room} {number} {place.own}", joined)

    def unreached(self) -> dict[str, str]:
        """Return the relays that can't be used, each with the reason."""
        return {f"The relay at {place.place}": place.trouble for place in self._places if place.trouble}

    def missing(self, now: int) -> list[str]:
        """Return a sentence for a meeting where nobody else has been for a while."""
        since = [place.since for place in self._places if place.own]
        if not since or now - min(since) < ALONE or self._members:
            return []
        return [
            "Nobody else is where this ticket leads: its table may be closed by now, or there is a newer ticket. Ask "
            "the one who gave it to you",
        ]

    def close(self) -> None:
        """Close everything."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ends.set)
            self._thread.join()
        self._loop.close()
        for end in (*self._joined, self._alarm, self._bell, *([self._listener] if self._listener else ())):
            end.close()

    # Done in the node's thread

    def _do(self, mask: int, now: int) -> None:
        if mask:
            with contextlib.suppress(BlockingIOError):
                self._alarm.recv(4096)
        while mask and self._todo:
            self._todo.popleft()(now)

    def _entered(self, place: _Place, own: str, now: int) -> None:
        place.own, place.since, place.trouble = own, now, ""

    def _lost(self, place: _Place, reason: str, _: int) -> None:
        place.own, place.trouble = "", reason
        place.there.clear()

    def _told(self, place: _Place, words: list[str], now: int) -> None:
        match words:
            case ["HERE", number, beacon] if len(place.there) < MOST_THERE:
                self._came(place, number, beacon, now)
            case ["GONE", number]:
                place.there.pop(number, None)
            case ["RING", token, caller] if self._taken < MOST_TAKEN:
                self._taken += 1
                known = place.there.get(caller)
                host = f"240.0.0.{1 + self._places.index(place)}" if known is None else self._members[known].host
                self._join(place, f"TAKE {token}", partial(self._accepted, host))

    def _came(self, place: _Place, number: str, sealed: str, now: int) -> None:
        """Note a member that is there. A beacon that a relay has made does not open."""
        try:
            whole = bytes.fromhex(sealed)
            beacon = crypto_secretbox_open(whole[_NONCE_BYTES:], whole[:_NONCE_BYTES], self._key)
        except (CryptoError, ValueError, TypeError):
            return
        if beacon not in self._members:
            if len(self._members) >= MOST_MEMBERS:
                there = {name for other in self._places for name in other.there.values()}
                del self._members[next(name for name in self._members if name not in there)]
            self._numbers = self._numbers % 0xFFFE + 1
            self._members[beacon] = _Member(f"240.1.{self._numbers >> 8}.{self._numbers & 255}")
        place.there[number] = beacon
        self._heard(self._members[beacon].host, beacon, now)

    def _join(self, place: _Place, first: str, joined: Joined) -> None:
        asyncio.run_coroutine_threadsafe(self._open(place, first, joined), self._loop)

    def _accepted(self, host: str, line: socket.socket | None, now: int) -> None:
        self._taken -= 1
        if line is not None:
            self._accept(line, host, now)

    def _hand_over(self, line: socket.socket | None, joined: Joined, now: int) -> None:
        if line is not None:
            self._joined.discard(line)
        joined(line, now)

    # Done in the thread of the relays

    def _run(self) -> None:
        whole = crypto_secretbox(self._datagram, nonce := secrets.token_bytes(_NONCE_BYTES), self._key)
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve((nonce + whole).hex()))

    async def _serve(self, beacon: str) -> None:
        tasks = [asyncio.create_task(self._attend(place, beacon)) for place in self._places]
        if self._listener is not None and self._own is not None:
            relay = Relay(OWN_RELAY, only=self._own.room)
            tasks.append(asyncio.create_task(relay.serve(self._listener)))
        await self._ends.wait()  # then the runner cancels the tasks

    def _post(self, what: Callable[[int], None]) -> None:
        """Have the node's thread do something."""
        self._todo.append(what)
        with contextlib.suppress(OSError):  # it is full, so that the node comes anyway
            self._bell.send(b"!")

    async def _attend(self, place: _Place, beacon: str) -> None:
        """Wait at a relay; come back where it is gone."""
        pause = FIRST_RETRY
        while True:
            try:
                line, answer = await opened(place.at, f"WAIT {place.room} {beacon}")
                with line:
                    [own] = answer
                    pause = FIRST_RETRY
                    self._post(partial(self._entered, place, own))
                    account = Bucket(a_second(*TALK))
                    while not account.rest(now()):
                        async with asyncio.timeout(SILENT):
                            words = await told(line)
                        account.pay(now(), LINE_PRICE + len(" ".join(words)))
                        if words:
                            self._post(partial(self._told, place, words))
                    raise ValueError("a relay that says too much")
            except TROUBLES as error:
                self._post(partial(self._lost, place, trouble(error)))
            await asyncio.sleep(pause * (0.8 + secrets.randbelow(400) / 1000))
            pause = min(2 * pause, LAST_RETRY)

    async def _open(self, place: _Place, first: str, joined: Joined) -> None:
        """Have a relay splice a connection, for the node's thread."""
        line = None
        with contextlib.suppress(*TROUBLES):
            line, _ = await opened(place.at, first)
            self._joined.add(line)
        self._post(partial(self._hand_over, line, joined))
