"""The sockets of a meeting: connections to the relays of a ticket, and to those that members run for direct ways.

net/relay/meeting.py decides what passes, relay_pipes.py hands it to the node. All is on the node's selector and in its
thread. Specification: docs/protocols/relay.md, "Parcels" and "Direct ways".
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

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.machine import drain
from quadrille.net.link.relay_causes import cause, refusal
from quadrille.net.link.relay_link import QUIET, SILENT, PlaceReport, PlaceState, RelayLink
from quadrille.net.link.relay_pipes import RelayPipes
from quadrille.net.link.relay_server import RelayServer, keep_alive
from quadrille.net.relay import frames
from quadrille.net.relay.exchange import RelayLimits
from quadrille.net.relay.frames import Frame, FrameKind, FrameReader
from quadrille.net.relay.meeting import BeaconHeard, Meeting, StreamBroken, StreamData, StreamEnded, StreamOpened
from quadrille.net.relay.reachable import CALL_EVERY, FIRST_PAUSE, MOST_REACHABLE, NEWS_EVERY, callable_places
from quadrille.net.relay.ticket import MeetingPlace
from quadrille.net.zeromq.connection import CHUNK, IN_PROGRESS, look

#: Maximum members that are called; failed rounds of calls after which one is forgotten that is nowhere else.
MOST_CALLED: Final = 16
MOST_FAILURES: Final = 6
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
        limits: RelayLimits | None = None,
    ) -> None:
        """`number` is that of the meeting, as its ticket's keys have it. `own` is a place of the ticket and the relay
        there that this program runs, so that others reach it directly. `limits` are those of a relay that it runs
        without that, for direct ways.
        """
        self._own_place = own[0] if own else None
        self._own = own[1] if own else None
        self._limits = limits
        self._number = number
        self._meeting = meeting
        self._random = random
        self._places = len(places)
        self._links = {at: RelayLink(at, place) for at, place in enumerate(places)}
        self._numbers = self._places  # of our own direct place; those of others follow
        self._by_member: dict[bytes, RelayLink] = {}
        self._addresses: tuple[str, ...] = ()
        self._may_call_at = 0
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

    def reports(self) -> list[PlaceReport]:
        """Each place of the ticket, for the person."""
        return [PlaceReport(link.place, link.state, link.trouble) for link in self._relays()]

    def is_alone(self, now: int) -> bool:
        """Whether we have been at a place for a while and have never heard of another member."""
        entered = [link.entered_at for link in self._relays() if link.state is PlaceState.ENTERED]
        return bool(entered) and now - min(entered) >= ALONE and not self._meeting.has_heard

    def _relays(self) -> list[RelayLink]:
        """The links to the relays of the ticket."""
        return [self._links[at] for at in range(self._places)]

    # Direct ways

    def reachable(self, host: str, addresses: Sequence[str]) -> tuple[tuple[tuple[str, int], ...], bytes] | None:
        """Where the member at that address of the meeting may reach us directly, and the key for that; None if it is
        not there, or can't. We listen at all these addresses of ours from then on.
        """
        self._addresses = tuple(addresses)
        member = self._meeting.member_at(host)
        if member is None or not self._serves():
            return None
        assert self._own is not None
        named = [(address, self._own.port) for address in self._addresses]
        if self._own_place is not None:
            place = self._links[self._own_place].place
            named.insert(0, (str(place.address), place.port))
        return tuple(dict.fromkeys(named))[:MOST_REACHABLE], self._meeting.share(self._places, member)

    def _serves(self) -> bool:
        """Whether a relay of our own runs; the first time it is started."""
        if self._places in self._links:
            return True
        if self._selector is None or not (self._addresses or self._own):
            return False
        if self._own is None:
            server = RelayServer(0, limits=self._limits, only=self._number, listens=self._listens)
            try:
                self._own = server.start(self._selector)
            except LocalError:
                return False
        self._links[self._places] = RelayLink(self._places, MeetingPlace(LOOPBACK, self._own.port))
        return True

    def _listens(self, address: str) -> bool:
        return address in self._addresses or address == str(LOOPBACK)

    def may_reach(self, host: str, named: Sequence[tuple[str, int]], seal: bytes, now: int) -> None:
        """The member at that address of the meeting says where it may be reached, with the key for that."""
        member = self._meeting.member_at(host)
        if member is None:
            return
        link = self._by_member.get(member)
        if link is not None and now - link.news_at < NEWS_EVERY:
            return
        own = {(address, self._own.port) for address in self._addresses} if self._own is not None else ()
        places = callable_places(named, own)
        if link is None:
            if not places or len(self._by_member) >= MOST_CALLED:
                return
            self._numbers += 1
            link = self._links[self._numbers] = self._by_member[member] = RelayLink(
                self._numbers, *places, member=member
            )
            link.retry_at = now
        elif places and places != link.places:
            link.turn = places.index(link.place) if link.place in places else 0
            link.places = places
            link.retry_at = min(link.retry_at, now + FIRST_PAUSE)
        link.news_at = now
        self._meeting.trust(link.number, member, seal)

    def is_direct(self, host: str) -> bool:
        """Whether the member at that address of the meeting is reached without a relay of the ticket."""
        member = self._meeting.member_at(host)
        return member is not None and self._meeting.is_direct(member)

    def _call_member(self, link: RelayLink, now: int) -> None:
        """Call a member at the next of its addresses, unless it has called us or is gone."""
        assert link.member is not None
        if self._meeting.is_direct(link.member):
            link.retry_at = now + FIRST_PAUSE
        elif not self._meeting.knows(link.member) and link.failures >= MOST_FAILURES:
            self._meeting.distrust(link.number, now)
            del self._links[link.number], self._by_member[link.member]
        elif now < self._may_call_at:
            link.retry_at = self._may_call_at
        else:
            self._may_call_at = now + CALL_EVERY
            self._call(link, now)

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
                    due = min(due, link.since + link.patience)
                case PlaceState.ENTERED:
                    due = min(due, max(link.since, link.heard_at) + QUIET, link.heard_at + SILENT)
        return due

    def wake(self, now: int) -> None:
        """Do what is due."""
        if self._own is not None:
            self._own.wake(now)
        for link in list(self._links.values()):
            if link.state is PlaceState.AWAY and now >= link.retry_at:
                (self._call if link.member is None else self._call_member)(link, now)
            elif link.state is PlaceState.CALLED and now >= link.since + link.patience:
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
                if (link := self._links.get(place)) is not None:
                    self._send(link, b"".join(words), now)
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
