"""A member's side of a meeting: beacons and streams of bytes, by whatever relays its ticket names.

To the rest of the program a relay is one more network, on which each other member has an address (`240.…`, which no
machine has): beacons come from there, and connections lead there. A machine without sockets and clock. Driver:
net/link/relay_links.py. Specification: docs/protocols/relay.md, "Parcels".
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.relay.frames import Frame, FrameKind
from quadrille.net.relay.parcels import ALL, ID_BYTES, MOST_DATA, MemberParcel, ParcelKind, StreamName, opened, sealed

#: Milliseconds between two beacons by a relay, unless somebody has come or the beacon has changed.
BEACON_EVERY: Final = 3000
#: Milliseconds for which a member that is heard at one place may still be heard at a better one.
BETTER_PLACE: Final = 700
#: Maximum members that are remembered, streams of one, and parcels of a stream that wait for one before them.
MOST_MEMBERS: Final = 64
MOST_STREAMS: Final = 32
MOST_EARLY: Final = 256
#: Milliseconds for which a missing parcel may still come, before its stream is broken.
MISSING: Final = 2000
#: Numbers of streams that are remembered, so that a parcel said again opens none.
_MOST_NUMBERS: Final = 256


class StreamKey(NamedTuple):
    """One stream, as this member knows it."""

    place: int
    member: bytes
    number: int
    is_own: bool


@dataclass(slots=True)
class _Stream:
    """Both directions of a stream."""

    sent: int = 0
    due: int = 0
    last: int | None = None
    early: dict[int, bytes] = field(default_factory=dict)
    ended: bool = False
    is_heard_out: bool = False
    stuck_at: int | None = None  # since when a parcel is missing


@dataclass(slots=True)
class _Other:
    """Another member. Its parcels come under `numbers` at each place."""

    host: int
    heard_at: int
    numbers: dict[int, int] = field(default_factory=dict)
    opened: dict[int, None] = field(default_factory=dict)
    forgotten: int = -1
    beacons: dict[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Post:
    """Give a relay a parcel, for the member with that number there; 0 for all."""

    place: int
    to: int
    parcel: bytes


@dataclass(frozen=True, slots=True)
class BeaconHeard:
    """A beacon has come from the address of a member."""

    host: str
    datagram: bytes


@dataclass(frozen=True, slots=True)
class StreamOpened:
    """A member has opened a stream to us."""

    stream: StreamKey
    host: str


@dataclass(frozen=True, slots=True)
class StreamData:
    """The next bytes of a stream."""

    stream: StreamKey
    data: bytes


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """No more bytes come; those that we send still arrive."""

    stream: StreamKey


@dataclass(frozen=True, slots=True)
class StreamBroken:
    """The stream is gone, in both directions."""

    stream: StreamKey


MeetingEvent: TypeAlias = BeaconHeard | StreamOpened | StreamData | StreamEnded | StreamBroken


class Meeting:
    """One program's part in the meeting of a ticket."""

    def __init__(self, key: bytes, draw: Callable[[int], bytes]) -> None:
        self.me = draw(ID_BYTES)
        self.outgoing: list[Post] = []
        self.events: list[MeetingEvent] = []
        #: Parcels that were dropped, by reason.
        self.counts: Counter[str] = Counter()
        self._key = key
        self._draw = draw
        self._others: dict[bytes, _Other] = {}
        self._streams: dict[StreamKey, _Stream] = {}
        self._places: dict[int, int] = {}  # those entered, each with the time of its last beacon
        self._beacon = b""
        self._hosts = 0
        self._numbers = 0
        self._held: dict[tuple[bytes, int], int] = {}  # beacons that wait for a better place, until when

    # Places

    def entered(self, place: int, now: int) -> None:
        """A relay has let us in."""
        self._places[place] = now
        if self._beacon:
            self._tell(place, 0)

    def left(self, place: int) -> None:
        """A relay is gone, with all that led over it."""
        self._places.pop(place, None)
        for other in self._others.values():
            other.numbers.pop(place, None)
            other.beacons.pop(place, None)
        for stream in [stream for stream in self._streams if stream.place == place]:
            self._break(stream)

    def frame(self, place: int, frame: Frame, now: int) -> None:
        """A frame of a relay."""
        match frame.kind:
            case FrameKind.CAME if self._beacon:
                self._tell(place, frame.member)
            case FrameKind.WENT:
                self._gone(place, frame.member)
            case FrameKind.PARCEL:
                try:
                    parcel = opened(frame.parcel, self._key)
                except PeerError as error:
                    self.counts[str(error)] += 1
                else:
                    self._take(place, frame.member, parcel, now)

    def is_at(self, place: int) -> bool:
        return place in self._places

    @property
    def has_heard(self) -> bool:
        """Whether any other member has ever been heard."""
        return bool(self._others)

    # Beacons

    def announce(self, datagram: bytes, now: int) -> None:
        """Send our beacon to all, if it has changed or is due."""
        changed, self._beacon = datagram != self._beacon, datagram
        for place, last in self._places.items():
            if changed or now - last >= BEACON_EVERY:
                self._places[place] = now
                self._tell(place, 0)

    def _tell(self, place: int, to: int) -> None:
        parcel = MemberParcel(ParcelKind.BEACON, self.me, ALL, self._beacon)
        self.outgoing.append(Post(place, to, sealed(parcel, self._key, self._draw)))

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        stuck = (one.stuck_at + MISSING for one in self._streams.values() if one.stuck_at is not None)
        return min((*self._held.values(), *stuck), default=NO_DEADLINE)

    def wake(self, now: int) -> None:
        """Report the beacons that have waited for a better place, and break the streams that miss a parcel."""
        for key, stream in list(self._streams.items()):
            if stream.stuck_at is not None and now >= stream.stuck_at + MISSING:
                self._give_up(key)
        for (member, place), until in list(self._held.items()):
            if now >= until:
                del self._held[member, place]
                if (other := self._others.get(member)) is not None and place in other.beacons:
                    self.events.append(BeaconHeard(_host(place, other), other.beacons[place]))

    # Streams

    def dial(self, host: str) -> StreamKey | None:
        """Open a stream to the member at an address; None if it is not there."""
        for member, other in self._others.items():
            for place in other.numbers:
                if _host(place, other) == host and self._may_open(place, member):
                    self._numbers += 1
                    key = StreamKey(place, member, self._numbers, is_own=True)
                    self._streams[key] = _Stream()
                    return key
        return None

    def send(self, key: StreamKey, data: bytes) -> None:
        """Send bytes by a stream."""
        stream = self._streams.get(key)
        for at in range(0, len(data) if stream is not None else 0, MOST_DATA):
            assert stream is not None
            self._post(key, ParcelKind.DATA, stream.sent, data[at : at + MOST_DATA])
            stream.sent += 1

    def end(self, key: StreamKey) -> None:
        """Send no more by a stream."""
        stream = self._streams.get(key)
        if stream is not None and not stream.ended:
            stream.ended = True
            self._post(key, ParcelKind.END, stream.sent)
            self._finish(key, stream)

    def reset(self, key: StreamKey) -> None:
        """Give a stream up."""
        if self._streams.pop(key, None) is not None:
            self._post(key, ParcelKind.RESET, 0)

    def _post(self, key: StreamKey, kind: ParcelKind, sequence: int, data: bytes = b"") -> None:
        to = self._others[key.member].numbers.get(key.place) if key.member in self._others else None
        if to is not None:
            name = StreamName(key.number, is_own=key.is_own)
            parcel = MemberParcel(kind, self.me, key.member, data, name, sequence)
            self.outgoing.append(Post(key.place, to, sealed(parcel, self._key, self._draw)))

    # Parcels

    def _take(self, place: int, number: int, parcel: MemberParcel, now: int) -> None:
        if parcel.sender == self.me or parcel.receiver not in (ALL, self.me):
            self.counts["a parcel for another"] += 1
            return
        other = self._others.get(parcel.sender) or self._new(parcel.sender, now)
        if other is None:
            return
        if other.numbers.get(place) != number:
            other.numbers[place] = number
        if parcel.kind is ParcelKind.BEACON:
            self._hear(place, parcel, other, now)
        elif parcel.receiver == self.me:
            self._take_of_stream(place, parcel, other, now)

    def _new(self, member: bytes, now: int) -> _Other | None:
        """Remember a member; the one without streams that was heard of first makes room."""
        if len(self._others) >= MOST_MEMBERS:
            busy = {stream.member for stream in self._streams}
            idle = next((one for one in self._others if one not in busy), None)
            if idle is None:
                self.counts["too many members"] += 1
                return None
            del self._others[idle]
        self._hosts = self._hosts % ((1 << 16) - 2) + 1
        made = self._others[member] = _Other(self._hosts, now)
        return made

    def _hear(self, place: int, parcel: MemberParcel, other: _Other, now: int) -> None:
        """Report a beacon; at a place that is not the best only once the better ones have had their time."""
        other.beacons[place] = parcel.body
        until = other.heard_at + BETTER_PLACE
        if place and now < until:
            self._held.setdefault((parcel.sender, place), until)
        else:
            self.events.append(BeaconHeard(_host(place, other), parcel.body))

    def _take_of_stream(self, place: int, parcel: MemberParcel, other: _Other, now: int) -> None:
        key = StreamKey(place, parcel.sender, parcel.stream.number, is_own=not parcel.stream.is_own)
        stream = self._streams.get(key)
        if stream is None:
            if key.is_own or parcel.kind is ParcelKind.RESET or not self._opens(key, other):
                self.counts["a parcel of no stream"] += 1
                if parcel.kind is ParcelKind.DATA:  # our END or RESET may have been lost
                    self._post(key, ParcelKind.RESET, 0)
                return
            stream = self._streams[key] = _Stream()
            self.events.append(StreamOpened(key, _host(place, other)))
        match parcel.kind:
            case ParcelKind.RESET:
                self._break(key)
            case ParcelKind.END:
                stream.last = parcel.sequence
                self._go_on(key, stream, now)
            case ParcelKind.DATA if parcel.sequence >= stream.due:
                stream.early.setdefault(parcel.sequence, parcel.body)
                self._go_on(key, stream, now)

    def _go_on(self, key: StreamKey, stream: _Stream, now: int) -> None:
        """Report the bytes whose turn it is. A relay may have exchanged parcels; one that it drops breaks the
        stream.
        """
        while stream.due in stream.early:
            self.events.append(StreamData(key, stream.early.pop(stream.due)))
            stream.due += 1
            stream.stuck_at = None
        if stream.early or (stream.last is not None and stream.due < stream.last):
            stream.stuck_at = now if stream.stuck_at is None else stream.stuck_at
        if len(stream.early) > MOST_EARLY:
            self._give_up(key)
        elif stream.last is not None and stream.due >= stream.last and not stream.is_heard_out:
            stream.is_heard_out = True
            self.events.append(StreamEnded(key))
            self._finish(key, stream)

    def _give_up(self, key: StreamKey) -> None:
        """A parcel is missing for too long."""
        self.counts["a parcel that is missing"] += 1
        self._post(key, ParcelKind.RESET, 0)
        self._break(key)

    def _opens(self, key: StreamKey, other: _Other) -> bool:
        """Whether a number has opened no stream yet."""
        if key.number in other.opened or key.number <= other.forgotten or not self._may_open(key.place, key.member):
            return False
        other.opened[key.number] = None
        if len(other.opened) > _MOST_NUMBERS:
            oldest = min(other.opened)
            del other.opened[oldest]
            other.forgotten = oldest
        return True

    def _may_open(self, place: int, member: bytes) -> bool:
        return sum(key[:2] == (place, member) for key in self._streams) < MOST_STREAMS

    def _finish(self, key: StreamKey, stream: _Stream) -> None:
        """Forget a stream that has ended in both directions."""
        if stream.ended and stream.is_heard_out:
            del self._streams[key]

    def _break(self, key: StreamKey) -> None:
        del self._streams[key]
        self.events.append(StreamBroken(key))

    def _gone(self, place: int, number: int) -> None:
        """A relay says that a member is gone. If it lies, that member is heard again."""
        for member, other in self._others.items():
            if other.numbers.get(place) == number:
                del other.numbers[place]
                other.beacons.pop(place, None)
                for key in [key for key in self._streams if key[:2] == (place, member)]:
                    self._break(key)


def _host(place: int, other: _Other) -> str:
    """The address of a member at a place, among those that no machine can have (240.0.0.0/4)."""
    return f"240.{place + 1}.{other.host >> 8}.{other.host & 255}"


def is_virtual(host: str) -> bool:
    """Whether it is the address of a member of a meeting."""
    return host.startswith("240.")
