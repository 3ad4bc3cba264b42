"""A member's side of a meeting: beacons and streams of bytes, by whatever places the members share.

To the rest of the program the meeting is one more network, on which each other member has an address (`240.…`, which no
machine has): beacons come from there, and connections lead there. A place is a relay that the ticket names. A machine
without sockets and clock. Driver: extras/far/link/relay_links.py. Specification: extras/far/docs/relay.md, "Parcels".
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from quadrille.extras.far.relay.frames import Frame, FrameKind
from quadrille.extras.far.relay.parcels import ALL, ID_BYTES, MemberParcel, ParcelKind, StreamName, opened, sealed
from quadrille.extras.far.relay.stream import ParcelStream, StreamPart
from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE

#: Milliseconds between two beacons by a place, unless somebody has come or the beacon has changed.
BEACON_EVERY: Final = 3000
#: Maximum members that are remembered, and streams of one.
MOST_MEMBERS: Final = 64
MOST_STREAMS: Final = 32
#: Milliseconds for which a place is avoided where nothing was acknowledged; and how often that is doubled.
DOUBT: Final = 20_000
MOST_DOUBLINGS: Final = 4
#: Numbers of streams that are remembered, so that a parcel said again opens none.
_MOST_NUMBERS: Final = 256


class StreamKey(NamedTuple):
    """One stream, as this member knows it."""

    member: bytes
    number: int
    is_own: bool


@dataclass(slots=True)
class _Other:
    """Another member. Its parcels come under `numbers` at each place."""

    host: str
    numbers: dict[int, int] = field(default_factory=dict)
    opened: dict[int, None] = field(default_factory=dict)
    forgotten: int = -1
    #: Places where nothing was acknowledged, each with the end of its doubt; and how often each has been in doubt.
    doubts: dict[int, int] = field(default_factory=dict)
    failures: Counter[int] = field(default_factory=Counter)


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
        self._streams: dict[StreamKey, ParcelStream] = {}
        self._places: dict[int, int] = {}  # those entered, each with the time of its last beacon
        self._beacon = b""
        self._hosts = 0
        self._numbers = 0

    # Places

    def entered(self, place: int, now: int) -> None:
        """A relay has let us in."""
        self._places[place] = now
        if self._beacon:
            self._tell(place, 0)

    def left(self, place: int, now: int) -> None:
        """A relay is gone."""
        self._places.pop(place, None)
        for member, other in self._others.items():
            if other.numbers.pop(place, None) is not None:
                self._settle(member, now)

    def frame(self, place: int, frame: Frame, now: int) -> None:
        """A frame of a relay."""
        match frame.kind:
            case FrameKind.CAME if self._beacon:
                self._tell(place, frame.member)
            case FrameKind.WENT:
                self._gone(place, frame.member, now)
            case FrameKind.PARCEL:
                try:
                    parcel = opened(frame.parcel, self._key)
                except PeerError as error:
                    self.counts[str(error)] += 1
                else:
                    self._take(place, frame.member, parcel, now)

    @property
    def has_heard(self) -> bool:
        """Whether any other member has ever been heard."""
        return bool(self._others)

    def _member_at(self, host: str) -> bytes | None:
        return next((member for member, other in self._others.items() if other.host == host), None)

    # Beacons

    def announce(self, datagram: bytes, now: int) -> None:
        """Send our beacon to all, if it has changed or is due."""
        changed, self._beacon = datagram != self._beacon, datagram
        for place, last in self._places.items():
            if changed or now - last >= BEACON_EVERY:
                self._places[place] = now
                self._tell(place, 0)

    def _tell(self, place: int, to: int) -> None:
        """Send our beacon to a member, or to all."""
        parcel = MemberParcel(ParcelKind.BEACON, self.me, ALL, self._beacon)
        self.outgoing.append(Post(place, to, sealed(parcel, self._key, self._draw)))

    # Time

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        streams = (stream.deadline for stream in self._streams.values())
        doubts = (until for other in self._others.values() for until in other.doubts.values())
        return min((*streams, *doubts), default=NO_DEADLINE)

    def wake(self, now: int) -> None:
        """Acknowledge what has come, and say again what nobody acknowledges, by another place if there is one."""
        for member, other in self._others.items():
            for place in [place for place, until in other.doubts.items() if now >= until]:
                del other.doubts[place]
                self._settle(member, now)
        for key, stream in list(self._streams.items()):
            if stream.owes_acknowledgement(now):
                self._post(key, stream.acknowledgement())
            if stream.is_hopeless(now):
                self._give_up(key)
            elif stream.is_unanswered(now):
                before = stream.place
                self._doubt(self._others[key.member], before, now)
                self._settle(key.member, now)
                if stream.place == before:
                    self._post_all(key, stream.again(now))

    def _doubt(self, other: _Other, place: int, now: int) -> None:
        """Nothing comes back by that place."""
        other.doubts[place] = now + (DOUBT << min(other.failures[place], MOST_DOUBLINGS))
        other.failures[place] += 1

    def _way(self, other: _Other) -> int | None:
        """Return the first place of the ticket where a member is; one that is in doubt only if there is no other."""
        return min(other.numbers, key=lambda place: (place in other.doubts, place), default=None)

    def _settle(self, member: bytes, now: int) -> None:
        """Have the streams of a member go by its best place. All parts without an ACK are said again there."""
        way = self._way(self._others[member])
        for key, stream in [(key, one) for key, one in self._streams.items() if key.member == member]:
            if way is None:
                self._break(key)
            elif way != stream.place:
                stream.place = way
                self._post_all(key, stream.again(now))

    # Streams

    def dial(self, host: str) -> StreamKey | None:
        """Open a stream to the member at an address; None if it is not there."""
        member = self._member_at(host)
        way = None if member is None else self._way(self._others[member])
        if member is None or way is None or not self._may_open(member):
            return None
        self._numbers += 1
        key = StreamKey(member, self._numbers, is_own=True)
        self._streams[key] = ParcelStream(way)
        return key

    def send(self, key: StreamKey, data: bytes, now: int) -> None:
        """Send bytes by a stream."""
        if (stream := self._streams.get(key)) is not None:
            self._post_all(key, stream.send(data, now))

    def is_full(self, key: StreamKey) -> bool:
        """Whether a stream takes no more for now."""
        return (stream := self._streams.get(key)) is not None and stream.is_full

    def end(self, key: StreamKey, now: int) -> None:
        """Send no more by a stream."""
        stream = self._streams.get(key)
        if stream is not None and not stream.ended:
            self._post_all(key, stream.end(now))

    def reset(self, key: StreamKey) -> None:
        """Give a stream up."""
        if key in self._streams:
            self._post(key, StreamPart(ParcelKind.RESET, 0))
            del self._streams[key]

    def _post_all(self, key: StreamKey, parts: list[StreamPart]) -> None:
        for part in parts:
            self._post(key, part)

    def _post(self, key: StreamKey, part: StreamPart) -> None:
        """Say a part of a stream to its other end."""
        other = self._others[key.member]
        if (place := self._way(other)) is None:
            return
        name = StreamName(key.number, is_own=key.is_own)
        parcel = MemberParcel(part.kind, self.me, key.member, part.body, name, part.sequence)
        self.outgoing.append(Post(place, other.numbers[place], sealed(parcel, self._key, self._draw)))

    # Parcels

    def _take(self, place: int, number: int, parcel: MemberParcel, now: int) -> None:
        if parcel.sender == self.me or parcel.receiver not in (ALL, self.me):
            self.counts["a parcel for another"] += 1
            return
        other = self._others.get(parcel.sender) or self._new(parcel.sender)
        if other is None:
            return
        if other.numbers.get(place) != number:
            other.numbers[place] = number
            self._settle(parcel.sender, now)
        if parcel.kind is ParcelKind.BEACON:
            self.events.append(BeaconHeard(other.host, parcel.body))
        elif parcel.receiver == self.me:
            self._take_of_stream(parcel, other, now)

    def _new(self, member: bytes) -> _Other | None:
        """Remember a member; the one without streams that was heard of first makes room."""
        if len(self._others) >= MOST_MEMBERS:
            busy = {stream.member for stream in self._streams}
            idle = next((one for one in self._others if one not in busy), None)
            if idle is None:
                self.counts["too many members"] += 1
                return None
            del self._others[idle]
        self._hosts = self._hosts % ((1 << 16) - 2) + 1
        made = self._others[member] = _Other(f"240.1.{self._hosts >> 8}.{self._hosts & 255}")
        return made

    def _take_of_stream(self, parcel: MemberParcel, other: _Other, now: int) -> None:
        key = StreamKey(parcel.sender, parcel.stream.number, is_own=not parcel.stream.is_own)
        stream = self._streams.get(key)
        if stream is None:
            starts = parcel.kind in (ParcelKind.DATA, ParcelKind.END)
            way = self._way(other)
            if key.is_own or not starts or way is None or not self._opens(key, other):
                self.counts["a parcel of no stream"] += 1
                if starts:  # our ACK or RESET may have been lost
                    self._post(key, StreamPart(ParcelKind.RESET, 0))
                return
            stream = self._streams[key] = ParcelStream(way)
            self.events.append(StreamOpened(key, other.host))
        match parcel.kind:
            case ParcelKind.RESET:
                self._break(key)
            case ParcelKind.ACK:
                stream.acknowledged(parcel.sequence, now)
                self._finish(key, stream)
            case ParcelKind.DATA | ParcelKind.END:
                self._go_on(key, stream, StreamPart(parcel.kind, parcel.sequence, parcel.body), now)

    def _go_on(self, key: StreamKey, stream: ParcelStream, part: StreamPart, now: int) -> None:
        """Report the bytes whose turn it is."""
        self.events += [StreamData(key, data) for data in stream.take(part, now)]
        if stream.is_flooded:
            self._give_up(key)
        elif stream.ends_now and not stream.is_heard_out:
            stream.is_heard_out = True
            self.events.append(StreamEnded(key))
            self._finish(key, stream)

    def _give_up(self, key: StreamKey) -> None:
        """A part is missing for too long."""
        self.counts["a parcel that is missing"] += 1
        self._post(key, StreamPart(ParcelKind.RESET, 0))
        self._break(key)

    def _opens(self, key: StreamKey, other: _Other) -> bool:
        """Whether a number has opened no stream yet."""
        if key.number in other.opened or key.number <= other.forgotten or not self._may_open(key.member):
            return False
        other.opened[key.number] = None
        if len(other.opened) > _MOST_NUMBERS:
            oldest = min(other.opened)
            del other.opened[oldest]
            other.forgotten = oldest
        return True

    def _may_open(self, member: bytes) -> bool:
        return sum(key.member == member for key in self._streams) < MOST_STREAMS

    def _finish(self, key: StreamKey, stream: ParcelStream) -> None:
        """Forget a stream that has ended in both directions, once the other knows."""
        if stream.is_done:
            if stream.has_news:
                self._post(key, stream.acknowledgement())
            del self._streams[key]

    def _break(self, key: StreamKey) -> None:
        del self._streams[key]
        self.events.append(StreamBroken(key))

    def _gone(self, place: int, number: int, now: int) -> None:
        """A relay says that a member is gone. If it lies, that member is heard again."""
        for member, other in self._others.items():
            if other.numbers.get(place) == number:
                del other.numbers[place]
                self._settle(member, now)
