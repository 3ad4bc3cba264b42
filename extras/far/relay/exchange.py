"""The machine of a relay: it passes parcels between the members of a meeting, within limits, and reads none.

A machine without sockets and clock. It knows connections by their numbers, meetings by the number that their tickets
give, and nothing else; nothing is kept once a connection is closed. Driver: extras/far/link/relay_server.py.
Specification: extras/far/docs/relay.md, "Relays".
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from quadrille.extras.far.relay.frames import (
    MAGIC,
    PONG,
    VERSION,
    Frame,
    FrameKind,
    FrameReader,
    RefusalReason,
    came,
    entered,
    parcel_from,
    refused,
    went,
)
from quadrille.net.core.doorkeeper import Doorkeeper, Full
from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.pace import Bucket, a_second

#: Bytes that a frame costs at least.
_LEAST_PRICE: Final = 256
#: Member numbers of a meeting are drawn in turn, so that a number is not soon another's.
_MOST_NUMBER: Final = (1 << 16) - 1
#: Maximum remembered addresses that have no connection now.
_MOST_ADDRESSES: Final = 4096


@dataclass(frozen=True, slots=True)
class RelayLimits:
    """Limits of a relay. Times are in milliseconds, rates in bytes a second with the bytes of a burst."""

    connections: int = 4096
    of_an_address: int = 64
    members: int = 16
    silence: int = 45_000
    member_rate: tuple[int, int] = (128 << 10, 1 << 20)
    meeting_rate: tuple[int, int] = (256 << 10, 2 << 20)
    address_rate: tuple[int, int] = (1 << 20, 8 << 20)
    unsent: int = 1 << 20
    unsent_in_all: int = 64 << 20


@dataclass(slots=True)
class _Address:
    """All that comes from one address."""

    traffic: Bucket
    connections: int = 0


@dataclass(slots=True)
class _Meeting:
    """The members of one meeting, by their numbers."""

    traffic: Bucket
    members: dict[int, "_Member"] = field(default_factory=dict)
    last: int = 0


@dataclass(slots=True)
class _Member:
    """A connection, and its place in a meeting once it has entered."""

    connection: int
    address: str
    heard_at: int
    traffic: Bucket
    reader: FrameReader
    key: bytes = b""
    number: int = 0


@dataclass(frozen=True, slots=True)
class PassOn:
    """Send these bytes."""

    connection: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Close:
    """Close a connection, once all that is queued for it is sent."""

    connection: int


class RelayExchange:
    """One relay."""

    def __init__(self, limits: RelayLimits | None = None, only: bytes | None = None) -> None:
        """With `only`, the relay serves the meeting of that number and no other."""
        self._only = only
        self.limits = limits or RelayLimits()
        self.outgoing: list[PassOn | Close] = []
        #: Refused connections and broken limits, by reason: nothing that could tell of a person.
        self.counts: Counter[str] = Counter()
        #: Number of meetings so far.
        self.served = 0
        self._members: dict[int, _Member] = {}
        self._meetings: dict[bytes, _Meeting] = {}
        self._addresses: dict[str, _Address] = {}
        self._doors = Doorkeeper(self.limits.connections, self._give_way, of_an_address=self.limits.of_an_address)
        self._deadline = NO_DEADLINE

    @property
    def connections(self) -> int:
        return len(self._members)

    @property
    def meetings(self) -> int:
        return len(self._meetings)

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        return min(self._deadline, self._doors.deadline)

    def connected(self, connection: int, address: str, now: int) -> bool:
        """Somebody has connected from an address; False if that connection is refused, and is to be closed."""
        if (full := self._doors.admit(connection, address, now)) is not None:
            return self._turn_away(connection, RefusalReason.FULL if full is Full.ALL else RefusalReason.ADDRESS_FULL)
        self._address(address, now).connections += 1
        account = Bucket(a_second(*self.limits.member_rate))
        self._members[connection] = _Member(connection, address, now, account, FrameReader(of_relay=False))
        return True

    def _give_way(self, connection: int, _: int) -> None:
        self.counts["gave way"] += 1
        self._close(self._members[connection])

    def read(self, connection: int, data: bytes, now: int) -> int:
        """Bytes have come; return the milliseconds for which no more may be read from there."""
        member = self._members.get(connection)
        if member is None:
            return 0
        try:
            frames = member.reader.feed(data)
        except PeerError as error:
            self.counts[str(error)] += 1
            self._close(member)
            return 0
        price = len(data)
        for frame in frames:
            price += max(0, _LEAST_PRICE - len(frame.body))
            if not self._take(member, frame, now):
                return 0
        return self._charge(member, price, now)

    def closed(self, connection: int) -> None:
        """A connection is gone."""
        member = self._members.pop(connection, None)
        if member is None:
            return
        self._doors.left(connection)
        source = self._addresses[member.address]
        source.connections -= 1
        if not source.connections and len(self._addresses) > _MOST_ADDRESSES:
            del self._addresses[member.address]
        meeting = self._meetings.get(member.key)
        if meeting is None or meeting.members.pop(member.number, None) is None:
            return
        if not meeting.members:
            del self._meetings[member.key]
        for other in meeting.members.values():
            self.outgoing.append(PassOn(other.connection, went(member.number)))

    def wake(self, now: int) -> None:
        """Close the connections that say nothing."""
        silent = self._doors.late(now)
        if now >= self._deadline:
            due = {number: one.heard_at + self.limits.silence for number, one in self._members.items() if one.number}
            silent += [number for number in due if now >= due[number]]
            self._deadline = min((at for at in due.values() if now < at), default=NO_DEADLINE)
        for number in silent:
            self.counts["said nothing"] += 1
            self._close(self._members[number])

    def ends(self) -> None:
        """Tell all members that this relay ends."""
        for member in self._members.values():
            self.outgoing.append(PassOn(member.connection, refused(RefusalReason.ENDING)))
            self.outgoing.append(Close(member.connection))

    # Frames

    def _take(self, member: _Member, frame: Frame, now: int) -> bool:
        """Do what a frame asks for; False if its connection is closed for it."""
        match frame.kind:
            case FrameKind.ENTER if not member.number:
                if not self._enter(member, frame.body, now):
                    return False
            case FrameKind.POST if member.number:
                self._post(member, frame)
            case FrameKind.PING if member.number:
                self.outgoing.append(PassOn(member.connection, PONG))
            case _:
                self.counts["a frame out of turn"] += 1
                self._close(member)
                return False
        member.heard_at = now
        return True

    def _enter(self, member: _Member, body: bytes, now: int) -> bool:
        version, key = body[len(MAGIC)], body[len(MAGIC) + 1 :]
        if not body.startswith(MAGIC):
            self.counts["no greeting of ours"] += 1
            self._close(member)
            return False
        if version != VERSION:
            return self._refuse(member, RefusalReason.VERSION)
        if self._only is not None and key != self._only:
            return self._refuse(member, RefusalReason.FULL)
        meeting = self._meetings.get(key)
        if meeting is None:
            self.served += 1
            meeting = self._meetings[key] = _Meeting(Bucket(a_second(*self.limits.meeting_rate)))
        if len(meeting.members) >= self.limits.members:
            return self._refuse(member, RefusalReason.MEETING_FULL)
        while not meeting.last or meeting.last in meeting.members:
            meeting.last = meeting.last % _MOST_NUMBER + 1
        member.key, member.number = key, meeting.last
        meeting.last = meeting.last % _MOST_NUMBER + 1
        self.outgoing.append(PassOn(member.connection, entered(member.number)))
        for other in meeting.members.values():
            self.outgoing.append(PassOn(other.connection, came(member.number)))
            self.outgoing.append(PassOn(member.connection, came(other.number)))
        meeting.members[member.number] = member
        self._doors.spoke(member.connection)
        self._deadline = min(self._deadline, now + self.limits.silence)
        return True

    def _post(self, member: _Member, frame: Frame) -> None:
        members = self._meetings[member.key].members
        words = parcel_from(member.number, frame.parcel)
        if frame.member:
            if (to := members.get(frame.member)) is not None:
                self.outgoing.append(PassOn(to.connection, words))
            return
        for number, to in members.items():
            if number != member.number:
                self.outgoing.append(PassOn(to.connection, words))

    # Limits

    def _address(self, address: str, now: int) -> _Address:
        if (known := self._addresses.get(address)) is not None:
            return known
        if len(self._addresses) > _MOST_ADDRESSES:
            for idle in [name for name, one in self._addresses.items() if not one.connections]:
                del self._addresses[idle]
        made = self._addresses[address] = _Address(Bucket(a_second(*self.limits.address_rate)))
        return made

    def _charge(self, member: _Member, price: int, now: int) -> int:
        """Charge bytes to a member, its address and its meeting. A parcel to all costs a meeting no more: its members
        are few.
        """
        accounts = [member.traffic, self._addresses[member.address].traffic]
        if (meeting := self._meetings.get(member.key)) is not None:
            accounts.append(meeting.traffic)
        for account in accounts:
            account.pay(now, price)
        return max(account.rest(now) for account in accounts)

    def _turn_away(self, connection: int, why: RefusalReason) -> bool:
        self.counts[why.name] += 1
        self.outgoing.append(PassOn(connection, refused(why)))
        return False

    def _refuse(self, member: _Member, why: RefusalReason) -> bool:
        self._turn_away(member.connection, why)
        self._close(member)
        return False

    def _close(self, member: _Member) -> None:
        self.outgoing.append(Close(member.connection))
        self.closed(member.connection)
