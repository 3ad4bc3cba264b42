"""The sockets of a meeting: connections to the relays of a ticket.

It is the overlay of a node (net/link/overlay.py). extras/far/relay/meeting.py decides what passes, relay_pipes.py hands
it to the node. Specification: extras/far/docs/relay.md, "Parcels".
"""

import contextlib
import errno
import ipaddress
import selectors
import socket
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final

from quadrille.extras.far.link.relay_causes import cause, refusal
from quadrille.extras.far.link.relay_link import PATIENCE, QUIET, SILENT, PlaceReport, PlaceState, RelayLink
from quadrille.extras.far.link.relay_pipes import RelayPipes
from quadrille.extras.far.link.relay_server import RelayServer, keep_alive
from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.frames import Frame, FrameKind, FrameReader
from quadrille.extras.far.relay.meeting import BeaconHeard, Meeting, StreamBroken, StreamData, StreamEnded, StreamOpened
from quadrille.extras.far.relay.ticket import MeetingPlace
from quadrille.extras.far.sentences import absent_at_relays
from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.zeromq.sockets import CHUNK, IN_PROGRESS, look

#: Milliseconds at a place after which a missing member counts as absent.
ALONE: Final = 3000

#: The address of a relay in this program.
LOOPBACK: Final = ipaddress.IPv4Address("127.0.0.1")


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
        self._links = {at: RelayLink(at, place) for at, place in enumerate(places)}
        self._pipes: RelayPipes | None = None
        self._selector: selectors.BaseSelector | None = None
        self._accept: Callable[[socket.socket, str, int], None] = _nobody
        self._heard: Callable[[str, bytes, int], None] = _nobody

    # Called by the node

    def open(
        self,
        selector: selectors.BaseSelector,
        accept: Callable[[socket.socket, str, int], None],
        heard: Callable[[str, bytes, int], None],
    ) -> None:
        """Begin: `accept` gets a connection that another member has made, `heard` a beacon."""
        self._selector, self._accept, self._heard = selector, accept, heard
        self._pipes = RelayPipes(self._meeting, selector, self._perform)
        if self._own is not None:
            self._own.start(selector)

    def announce(self, datagram: bytes, now: int) -> None:
        """Send our beacon."""
        self._meeting.announce(datagram, now)
        self._perform(now)

    def dial(self, host: str) -> socket.socket | None:
        """A connection to a member; None if it is not there any more."""
        key = self._meeting.dial(host)
        return None if key is None or self._pipes is None else self._pipes.open(key)

    def unreached(self) -> list[str]:
        """Return a sentence for each relay that can't be used."""
        return absent_at_relays(self.reports(), alone=False)

    def missing(self, now: int) -> list[str]:
        """Return these sentences, and one for a meeting where nobody else is."""
        return absent_at_relays(self.reports(), alone=self.is_alone(now))

    def reports(self) -> list[PlaceReport]:
        """Each place of the ticket."""
        return [PlaceReport(link.place, link.state, link.trouble) for link in self._links.values()]

    def is_alone(self, now: int) -> bool:
        """Whether we have been at a place for a while and have never heard of another member."""
        entered = [link.entered_at for link in self._links.values() if link.state is PlaceState.ENTERED]
        return bool(entered) and now - min(entered) >= ALONE and not self._meeting.has_heard

    # Time

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        due = self._meeting.deadline if self._own is None else min(self._meeting.deadline, self._own.deadline)
        for link in self._links.values():
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
        for link in self._links.values():
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
        if self._pipes is not None:
            self._pipes.close()
        for link in self._links.values():
            if link.socket is not None:
                with contextlib.suppress(OSError):
                    link.socket.send(link.unsent)
                self._watch(link, 0)
                link.socket.close()
                link.socket = None
        if self._own is not None:
            self._own.close()

    # Relays

    def _call(self, link: RelayLink, now: int) -> None:
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

    def _lose(self, link: RelayLink, why: str, now: int) -> None:
        """The relay is gone, or never was there; call again later."""
        if link.socket is not None:
            self._watch(link, 0)
            link.socket.close()
            link.socket = None
        if link.state is PlaceState.ENTERED:
            link.failures = 0
        link.state = PlaceState.AWAY
        link.trouble = why
        pause = link.failed()
        link.retry_at = now + pause + self._random.randrange(-pause // 5, pause // 5 + 1)
        self._meeting.left(link.number, now)

    def _ready(self, link: RelayLink, mask: int, now: int) -> None:
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

    def _read(self, link: RelayLink, now: int) -> None:
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

    def _take(self, link: RelayLink, frame: Frame, now: int) -> None:
        match frame.kind:
            case FrameKind.ENTERED if link.state is PlaceState.CALLED:
                link.state, link.trouble = PlaceState.ENTERED, ""
                link.since = link.entered_at = now
                self._meeting.entered(link.number, now)
            case FrameKind.REFUSED:
                link.trouble = refusal(frame.body)
            case _ if link.state is PlaceState.ENTERED:
                self._meeting.frame(link.number, frame, now)

    def _send(self, link: RelayLink, data: bytes, now: int) -> None:
        if link.socket is not None:
            link.unsent += data
            self._flush(link, now)

    def _flush(self, link: RelayLink, now: int) -> None:
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
        return None

    def _watch(self, link: RelayLink, wanted: int) -> None:
        assert link.socket is not None
        assert self._selector is not None
        look(self._selector, link.socket, link.watched, wanted, partial(self._ready, link))
        link.watched = wanted

    # Streams

    def _perform(self, now: int) -> None:
        """Carry out what the machine asks for."""
        assert self._pipes is not None
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
                        self._accept(self._pipes.open(key), host, now)
                    case StreamData(key, data):
                        self._pipes.give(key, data)
                    case StreamEnded(key):
                        self._pipes.end(key)
                    case StreamBroken(key):
                        self._pipes.drop(key)
        self._pipes.go_on()


def _nobody(*_: object) -> None:
    """Nobody is interested."""
