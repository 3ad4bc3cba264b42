"""The sockets of a meeting: connections to the relays of a ticket, and one end of a socket pair for each stream.

The node gets the other end, and reads and writes it like any connection of its own. net/relay/meeting.py decides what
passes. All is on the node's selector and in its thread. Specification: docs/protocols/relay.md, "Parcels".
"""

import contextlib
import errno
import ipaddress
import selectors
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from random import Random
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.link.relay_causes import cause, refusal
from quadrille.net.link.relay_server import RelayServer, keep_alive
from quadrille.net.relay import frames
from quadrille.net.relay.frames import Frame, FrameKind, FrameReader
from quadrille.net.relay.meeting import (
    BeaconHeard,
    Meeting,
    StreamBroken,
    StreamData,
    StreamEnded,
    StreamKey,
    StreamOpened,
)
from quadrille.net.relay.ticket import MeetingPlace
from quadrille.net.zeromq.connection import IN_PROGRESS, look

#: Bytes read at once.
CHUNK: Final = 1 << 16
#: Unsent bytes to a relay above which nothing more is read from streams; unread bytes of a stream above which it is
#: given up.
MOST_UNSENT: Final = 1 << 18
MOST_UNREAD: Final = 1 << 20
#: Milliseconds: timeout for a connection and a relay's first word; silence before a PING, and before a relay is gone.
PATIENCE: Final = 6000
QUIET: Final = 2_500
SILENT: Final = 7_500
#: Milliseconds of the first pause before another call, and of the longest; each is 20 % more or less.
FIRST_RETRY: Final = 500
LAST_RETRY: Final = 20_000

#: Milliseconds at a place after which a missing member counts as absent.
ALONE: Final = 3000

#: The address of a relay in this program.
LOOPBACK: Final = ipaddress.IPv4Address("127.0.0.1")


class PlaceState(Enum):
    """How far a program is with a relay."""

    AWAY = "away"
    CALLED = "called"
    ENTERED = "entered"


@dataclass(frozen=True, slots=True)
class PlaceReport:
    """A relay of the ticket for the person: whether we are there, or why not."""

    place: MeetingPlace
    state: PlaceState
    trouble: str = ""


class _RelayLink:
    """The connection to one relay."""

    __slots__ = (
        "connected", "entered_at", "failures", "heard_at", "number", "place", "reader", "retry_at", "since", "socket",
        "state", "trouble", "unsent", "watched",
    )  # fmt: skip

    def __init__(self, number: int, place: MeetingPlace) -> None:
        self.number = number
        self.place = place
        self.state = PlaceState.AWAY
        self.socket: socket.socket | None = None
        self.reader = FrameReader(of_relay=True)
        self.unsent = bytearray()
        self.watched = 0
        self.connected = False
        self.since = self.heard_at = self.retry_at = self.entered_at = 0
        self.failures = 0
        self.trouble = ""


class _Pipe:
    """Our end of a socket pair, for one stream."""

    __slots__ = ("key", "socket", "unread", "watched", "writes")

    def __init__(self, key: StreamKey, end: socket.socket) -> None:
        self.key = key
        self.socket = end
        self.unread = bytearray()
        self.watched = 0
        #: Whether bytes may still follow towards the node.
        self.writes = True


class RelayLinks:
    """All relays and streams of one node."""

    def __init__(
        self,
        places: Sequence[MeetingPlace],
        number: bytes,
        meeting: Meeting,
        random: Random,
        own: tuple[int, RelayServer] | None = None,
    ) -> None:
        """`number` is that of the meeting, as its ticket's keys have it. `own` is a place of the ticket and the relay
        there that this program runs, so that others reach it directly.
        """
        self._own_place = own[0] if own else None
        self._own = own[1] if own else None
        self._number = number
        self._meeting = meeting
        self._random = random
        self._links = [_RelayLink(at, place) for at, place in enumerate(places)]
        self._pipes: dict[StreamKey, _Pipe] = {}
        self._selector: selectors.BaseSelector | None = None
        self._accept: Callable[[socket.socket, str, int], None] = _nobody
        self._heard: Callable[[str, bytes, int], None] = _nobody
        self._full = False

    # Called by the node

    def open(
        self,
        selector: selectors.BaseSelector,
        accept: Callable[[socket.socket, str, int], None],
        heard: Callable[[str, bytes, int], None],
    ) -> None:
        """Begin: `accept` gets a connection that another member has made, `heard` a beacon."""
        self._selector, self._accept, self._heard = selector, accept, heard
        if self._own is not None:
            self._own.start(selector)

    def announce(self, datagram: bytes, now: int) -> None:
        """Send our beacon."""
        self._meeting.announce(datagram, now)
        self._perform(now)

    def dial(self, host: str) -> socket.socket | None:
        """A connection to a member; None if it is not there any more."""
        key = self._meeting.dial(host)
        return None if key is None else self._pipe(key)

    def reports(self) -> list[PlaceReport]:
        """Each place of the ticket, for the person."""
        return [PlaceReport(link.place, link.state, link.trouble) for link in self._links]

    def is_alone(self, now: int) -> bool:
        """Whether we have been at a place for a while and have never heard of another member."""
        entered = [link.entered_at for link in self._links if link.state is PlaceState.ENTERED]
        return bool(entered) and now - min(entered) >= ALONE and not self._meeting.has_heard

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        due = self._meeting.deadline if self._own is None else min(self._meeting.deadline, self._own.deadline)
        for link in self._links:
            match link.state:
                case PlaceState.AWAY:
                    due = min(due, link.retry_at)
                case PlaceState.CALLED:
                    due = min(due, link.since + PATIENCE)
                case PlaceState.ENTERED:
                    due = min(due, max(link.since, link.heard_at) + QUIET, link.heard_at + SILENT)
        return due

    def wake(self, now: int) -> None:
        """Do what is due."""
        if self._own is not None:
            self._own.wake(now)
        for link in self._links:
            if link.state is PlaceState.AWAY and now >= link.retry_at:
                self._call(link, now)
            elif link.state is PlaceState.CALLED and now >= link.since + PATIENCE:
                self._lose(link, "it does not answer", now)
            elif link.state is PlaceState.ENTERED and now >= link.heard_at + SILENT:
                self._lose(link, "it has fallen silent", now)
            elif link.state is PlaceState.ENTERED and now >= max(link.since, link.heard_at) + QUIET:
                link.since = now
                self._send(link, frames.PING, now)
        self._meeting.wake(now)
        self._perform(now)

    def close(self) -> None:
        """Close everything; what the system takes at once is still sent."""
        for pipe in list(self._pipes.values()):
            self._drop(pipe)
        for link in self._links:
            if link.socket is not None:
                with contextlib.suppress(OSError):
                    link.socket.send(link.unsent)
                self._watch(link, 0)
                link.socket.close()
                link.socket = None
        if self._own is not None:
            self._own.close()

    # Relays

    def _call(self, link: _RelayLink, now: int) -> None:
        place = link.place
        if self._own is not None and link.number == self._own_place:  # by a router's address we may not come back
            place = MeetingPlace(LOOPBACK, self._own.port)
        family = socket.AF_INET6 if place.address.version == 6 else socket.AF_INET
        try:
            calling = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            return self._lose(link, str(error.strerror), now)
        calling.setblocking(False)
        with contextlib.suppress(OSError):
            calling.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        keep_alive(calling)
        link.socket, link.connected, link.since = calling, False, now
        link.state = PlaceState.CALLED
        link.reader = FrameReader(of_relay=True)
        link.unsent = bytearray(frames.enter(self._number))
        try:
            code = calling.connect_ex((str(place.address), place.port))
        except OSError as error:
            code = error.errno or errno.EINVAL
        if code not in IN_PROGRESS:
            return self._lose(link, cause(code), now)
        return self._watch(link, selectors.EVENT_WRITE)

    def _lose(self, link: _RelayLink, why: str, now: int) -> None:
        """The relay is gone, or never was there; call again later."""
        if link.socket is not None:
            self._watch(link, 0)
            link.socket.close()
            link.socket = None
        if link.state is PlaceState.ENTERED:
            link.failures = 0
        link.state = PlaceState.AWAY
        link.trouble = why
        pause = min(FIRST_RETRY << min(link.failures, 16), LAST_RETRY)
        link.failures += 1
        link.retry_at = now + pause + self._random.randrange(-pause // 5, pause // 5 + 1)
        self._meeting.left(link.number)

    def _ready(self, link: _RelayLink, mask: int, now: int) -> None:
        if link.socket is None:
            return None
        if mask & selectors.EVENT_WRITE:
            if not link.connected:
                if code := link.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    return self._lose(link, cause(code), now)
                link.connected = True
            self._flush(link, now)
        if mask & selectors.EVENT_READ and link.socket is not None:
            self._read(link, now)
        return self._perform(now)

    def _read(self, link: _RelayLink, now: int) -> None:
        assert link.socket is not None
        try:
            data = link.socket.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            return self._lose(link, link.trouble or "it closes the connection", now)
        link.heard_at = now
        try:
            for frame in link.reader.feed(data):
                self._take(link, frame, now)
        except PeerError:
            return self._lose(link, "what listens there is no relay", now)
        return None

    def _take(self, link: _RelayLink, frame: Frame, now: int) -> None:
        match frame.kind:
            case FrameKind.ENTERED if link.state is PlaceState.CALLED:
                link.state, link.trouble = PlaceState.ENTERED, ""
                link.since = link.entered_at = now
                self._meeting.entered(link.number, now)
            case FrameKind.REFUSED:
                link.trouble = refusal(frame.body)
            case _ if link.state is PlaceState.ENTERED:
                self._meeting.frame(link.number, frame, now)

    def _send(self, link: _RelayLink, data: bytes, now: int) -> None:
        if link.socket is not None:
            link.unsent += data
            self._flush(link, now)

    def _flush(self, link: _RelayLink, now: int) -> None:
        if link.socket is None or not link.connected:
            return None
        try:
            while link.unsent:
                del link.unsent[: link.socket.send(link.unsent)]
        except BlockingIOError:
            pass
        except OSError:
            return self._lose(link, link.trouble or "it closes the connection", now)
        self._watch(link, selectors.EVENT_READ | (selectors.EVENT_WRITE if link.unsent else 0))
        return self._let_streams_flow()

    def _let_streams_flow(self) -> None:
        """Read from streams only while relays take what they say."""
        full = any(len(link.unsent) > MOST_UNSENT for link in self._links)
        if full != self._full:
            self._full = full
            for pipe in self._pipes.values():
                self._want(pipe)

    def _watch(self, link: _RelayLink, wanted: int) -> None:
        assert link.socket is not None
        self._look(link.socket, link.watched, wanted, partial(self._ready, link))
        link.watched = wanted

    # Streams

    def _perform(self, now: int) -> None:
        """Carry out what the machine asks for."""
        while self._meeting.outgoing or self._meeting.events:
            posts: dict[int, list[bytes]] = {}
            for post in drain(self._meeting.outgoing):
                posts.setdefault(post.place, []).append(frames.post(post.to, post.parcel))
            for place, words in posts.items():
                self._send(self._links[place], b"".join(words), now)
            for event in drain(self._meeting.events):
                match event:
                    case BeaconHeard(host, datagram):
                        self._heard(host, datagram, now)
                    case StreamOpened(key, host):
                        self._accept(self._pipe(key), host, now)
                    case StreamData(key, data) if (pipe := self._pipes.get(key)) is not None:
                        self._give(pipe, data)
                    case StreamEnded(key) if (pipe := self._pipes.get(key)) is not None:
                        pipe.writes = False
                        self._give(pipe, b"")
                    case StreamBroken(key) if (pipe := self._pipes.get(key)) is not None:
                        self._drop(pipe)

    def _pipe(self, key: StreamKey) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        pipe = self._pipes[key] = _Pipe(key, ours)
        self._want(pipe)
        return theirs

    def _give(self, pipe: _Pipe, data: bytes) -> None:
        """Pass bytes on to the node, and then the end."""
        pipe.unread += data
        try:
            while pipe.unread:
                del pipe.unread[: pipe.socket.send(pipe.unread)]
            if not pipe.writes:
                pipe.socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            if len(pipe.unread) > MOST_UNREAD:
                return self._give_up(pipe)
        except OSError:
            return self._give_up(pipe)
        return self._want(pipe)

    def _moved(self, pipe: _Pipe, mask: int, now: int) -> None:
        if mask & selectors.EVENT_WRITE:
            self._give(pipe, b"")
        if mask & selectors.EVENT_READ and pipe.key in self._pipes:
            try:
                data = pipe.socket.recv(CHUNK)
            except BlockingIOError:
                return None
            except OSError:
                return self._give_up(pipe)
            if data:
                self._meeting.send(pipe.key, data)
            else:
                self._meeting.end(pipe.key)
                self._drop(pipe)
        return self._perform(now)

    def _give_up(self, pipe: _Pipe) -> None:
        self._meeting.reset(pipe.key)
        self._drop(pipe)

    def _drop(self, pipe: _Pipe) -> None:
        self._look(pipe.socket, pipe.watched, 0, _nobody)
        pipe.watched = 0
        pipe.socket.close()
        self._pipes.pop(pipe.key, None)

    def _want(self, pipe: _Pipe) -> None:
        wanted = (0 if self._full else selectors.EVENT_READ) | (selectors.EVENT_WRITE if pipe.unread else 0)
        self._look(pipe.socket, pipe.watched, wanted, partial(self._moved, pipe))
        pipe.watched = wanted

    def _look(self, at: socket.socket, before: int, after: int, turn: Callable[[int, int], None]) -> None:
        """Change what the selector waits for."""
        assert self._selector is not None
        look(self._selector, at, before, after, turn)


def _nobody(*_: object) -> None:
    """Nobody is interested."""
