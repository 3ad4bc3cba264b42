"""A member's side of a meeting: parcels, streams and places. docs/protocols/relay.md, "Parcels"."""

from collections import deque
from random import Random

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.relay import frames
from quadrille.net.relay.frames import Frame, FrameKind, FrameReader
from quadrille.net.relay.meeting import (
    BEACON_EVERY,
    BETTER_PLACE,
    MISSING,
    MOST_EARLY,
    MOST_MEMBERS,
    MOST_STREAMS,
    BeaconHeard,
    Meeting,
    StreamBroken,
    StreamData,
    StreamEnded,
    StreamKey,
    StreamOpened,
    is_virtual,
)
from quadrille.net.relay.parcels import ALL, MOST_DATA, MemberParcel, ParcelKind, StreamName, opened, sealed

KEY = b"k" * 32


class Pair:
    """Two members at one relay, which passes on what a test lets it."""

    def __init__(self, places: int = 1) -> None:
        self.now = 0
        self.members = [Meeting(KEY, Random(number).randbytes) for number in (1, 2)]
        self.parcels: deque[tuple[int, int, bytes]] = deque()  # (place, receiver, parcel)
        for place in range(places):
            for number, member in enumerate(self.members):
                member.announce(b"beacon of %d" % number, self.now)
                member.entered(place, self.now)
        self.collect()

    def collect(self) -> None:
        for number, member in enumerate(self.members):
            self.parcels += [(post.place, 1 - number, post.parcel) for post in drain(member.outgoing)]

    def give(self, place: int, receiver: int, parcel: bytes, sender: int | None = None) -> None:
        number = 2 - receiver if sender is None else sender
        frame = Frame(FrameKind.PARCEL, number.to_bytes(2, "big") + parcel)
        self.members[receiver].frame(place, frame, self.now)
        self.collect()

    def pass_all(self) -> None:
        while self.parcels:
            self.give(*self.parcels.popleft())

    def events(self, number: int) -> list[object]:
        return drain(self.members[number].events)

    def met(self) -> "Pair":
        self.pass_all()
        for number in (0, 1):
            self.events(number)
        return self

    def stream(self) -> tuple[StreamKey, StreamKey]:
        """A stream from the first to the second, as each knows it."""
        mine = self.members[0].dial("240.1.0.1")
        assert mine is not None
        self.members[0].send(mine, b"?")
        self.collect()
        self.pass_all()
        first = self.events(1)[0]
        assert isinstance(first, StreamOpened)
        return mine, first.stream


def test_beacons_come_from_addresses_that_no_machine_has() -> None:
    pair = Pair()
    pair.pass_all()
    assert pair.events(0) == [BeaconHeard("240.1.0.1", b"beacon of 1")]
    assert pair.events(1) == [BeaconHeard("240.1.0.1", b"beacon of 0")] and is_virtual("240.1.0.1")


def test_a_beacon_is_sent_when_it_changes_when_it_is_due_and_to_newcomers() -> None:
    member = Meeting(KEY, Random(1).randbytes)
    member.announce(b"one", 0)
    member.entered(0, 0)
    assert [post.to for post in drain(member.outgoing)] == [0]
    for now in (1000, BEACON_EVERY - 1):
        member.announce(b"one", now)
    assert drain(member.outgoing) == []
    member.announce(b"one", BEACON_EVERY)
    member.announce(b"two", BEACON_EVERY + 1)
    member.frame(0, Frame(FrameKind.CAME, b"\0\7"), BEACON_EVERY + 2)
    assert [post.to for post in drain(member.outgoing)] == [0, 0, 7]


def test_bytes_pass_both_ways_and_both_ends_close() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    sent = Random(3).randbytes(3 * MOST_DATA + 5)
    pair.members[0].send(mine, sent)
    pair.members[1].send(theirs, b"back")
    pair.members[0].end(mine)
    pair.collect()
    pair.pass_all()
    got = pair.events(1)
    assert b"".join(one.data for one in got if isinstance(one, StreamData)) == sent and got[-1] == StreamEnded(theirs)
    assert pair.events(0) == [StreamData(mine, b"back")]
    pair.members[1].end(theirs)
    pair.collect()
    pair.pass_all()
    assert pair.events(0) == [StreamEnded(mine)]
    assert not pair.members[0]._streams and not pair.members[1]._streams


def test_exchanged_parcels_are_put_in_order_and_repeated_ones_change_nothing() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    for number in range(20):
        pair.members[0].send(mine, b"%d " % number)
    pair.members[0].end(mine)
    pair.collect()
    row = list(pair.parcels) * 3
    pair.parcels.clear()
    Random(4).shuffle(row)
    for one in row:
        pair.give(*one)
    got = pair.events(1)
    assert b"".join(one.data for one in got if isinstance(one, StreamData)) == b"".join(b"%d " % n for n in range(20))
    assert got[-1] == StreamEnded(theirs) and sum(isinstance(one, StreamEnded) for one in got) == 1


def test_a_closed_stream_is_not_opened_by_its_own_parcels_said_again() -> None:
    pair = Pair().met()
    mine = pair.members[0].dial("240.1.0.1")
    assert mine is not None
    pair.members[0].send(mine, b"once")
    pair.collect()
    [first] = pair.parcels
    pair.pass_all()
    pair.members[0].reset(mine)
    pair.collect()
    pair.pass_all()
    assert isinstance(pair.events(1)[-1], StreamBroken)
    pair.give(*first)
    assert pair.events(1) == [] and pair.members[1].counts["a parcel of no stream"] == 1


def test_parcels_of_another_run_of_a_program_count_for_nothing() -> None:
    old = Pair().met()
    mine = old.members[0].dial("240.1.0.1")
    assert mine is not None
    old.members[0].send(mine, b"old")
    old.collect()
    again = Meeting(KEY, Random(9).randbytes)  # the receiver has been started again
    for _, _, parcel in old.parcels:
        again.frame(0, Frame(FrameKind.PARCEL, b"\0\1" + parcel), 0)
    assert again.events == [] and again.counts["a parcel for another"] == 1


def test_a_parcel_that_is_missing_breaks_its_stream_at_last() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    for _ in range(MOST_EARLY + 2):
        pair.members[0].send(mine, b"x")
    pair.collect()
    pair.parcels.popleft()
    pair.pass_all()
    assert pair.events(1) == [StreamBroken(theirs)] and pair.events(0) == [StreamBroken(mine)]


@pytest.mark.parametrize("ends", [True, False])
def test_a_parcel_that_does_not_come_for_a_while_breaks_its_stream(ends: bool) -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    for words in (b"lost", b"here"):
        pair.members[0].send(mine, words)
    if ends:
        pair.members[0].end(mine)
    pair.collect()
    lost = pair.parcels.popleft()
    pair.pass_all()
    late = pair.members[1]
    assert late.deadline == MISSING and pair.events(1) == []
    late.wake(MISSING - 1)
    pair.give(*lost)
    got = pair.events(1)
    assert [one.data for one in got if isinstance(one, StreamData)] == [b"lost", b"here"]
    assert late.deadline > MISSING and (got[-1] == StreamEnded(theirs)) == ends
    if not ends:
        for words in (b"lost", b"here"):
            pair.members[0].send(mine, words)
        pair.collect()
        pair.parcels.popleft()
        pair.pass_all()
        late.wake(MISSING)
        pair.collect()
        pair.pass_all()
        assert pair.events(1) == [StreamBroken(theirs)] and pair.events(0) == [StreamBroken(mine)]


def test_a_lost_reset_is_said_again() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    pair.members[1].reset(theirs)
    pair.collect()
    pair.parcels.clear()
    pair.members[0].send(mine, b"still there?")
    pair.collect()
    pair.pass_all()
    assert pair.events(0) == [StreamBroken(mine)]


def test_the_better_place_is_heard_first() -> None:
    pair = Pair(places=2)
    for place, receiver, parcel in sorted(pair.parcels, key=lambda one: -one[0]):
        pair.give(place, receiver, parcel)
    assert pair.events(0) == [BeaconHeard("240.1.0.1", b"beacon of 1")]
    assert pair.members[0].deadline == BETTER_PLACE
    pair.members[0].wake(BETTER_PLACE)
    assert pair.events(0) == [BeaconHeard("240.2.0.1", b"beacon of 1")]


def test_a_place_that_is_lost_breaks_what_led_over_it_alone() -> None:
    pair = Pair(places=2).met()
    pair.members[0].wake(BETTER_PLACE)
    first, second = (pair.members[0].dial(f"240.{place}.0.1") for place in (1, 2))
    assert first is not None and second is not None
    pair.events(0)
    pair.members[0].left(0)
    assert pair.events(0) == [StreamBroken(first)]
    assert pair.members[0].dial("240.1.0.1") is None and pair.members[0].dial("240.2.0.1") is not None


def test_a_member_that_went_is_not_called_and_is_heard_again() -> None:
    pair = Pair().met()
    mine, _ = pair.stream()
    pair.members[0].frame(0, Frame(FrameKind.WENT, b"\0\2"), 0)
    assert pair.events(0) == [StreamBroken(mine)] and pair.members[0].dial("240.1.0.1") is None
    pair.members[1].announce(b"again", 0)
    pair.collect()
    pair.pass_all()
    assert pair.events(0) == [BeaconHeard("240.1.0.1", b"again")] and pair.members[0].dial("240.1.0.1") is not None


def test_members_and_streams_without_end_have_a_limit() -> None:
    pair = Pair().met()
    for number in range(MOST_STREAMS + 5):
        parcel = MemberParcel(
            ParcelKind.DATA, pair.members[1].me, pair.members[0].me, b"x", StreamName(number, True), 0
        )
        pair.give(0, 0, sealed(parcel, KEY))
    assert sum(isinstance(one, StreamOpened) for one in pair.events(0)) == MOST_STREAMS
    for number in range(3 * MOST_MEMBERS):
        pair.give(0, 0, sealed(MemberParcel(ParcelKind.BEACON, number.to_bytes(8, "big"), ALL, b"b"), KEY), number)
    assert len(pair.members[0]._others) <= MOST_MEMBERS and len(pair.members[0]._streams) == MOST_STREAMS


@pytest.mark.parametrize("size", [0, 1, 40, 41, 57, 90, 9000])
def test_bytes_that_no_member_has_sealed_are_dropped(size: int) -> None:
    random = Random(size)
    with pytest.raises(PeerError, match="not sealed with this ticket"):
        opened(random.randbytes(size), KEY)


def test_sealed_nonsense_is_refused_by_its_form() -> None:
    """A member of the meeting can seal anything."""
    from nacl.bindings import crypto_secretbox

    random, nonce = Random(6), bytes(24)
    refused = taken = 0
    for size in range(200):
        plain = bytes([random.randrange(7)]) + random.randbytes(size) if size else b""
        data = nonce + crypto_secretbox(plain, nonce, KEY)
        try:
            parcel = opened(data, KEY)
        except PeerError:
            refused += 1
        else:
            taken += 1
            assert opened(sealed(parcel, KEY), KEY) == parcel
    assert refused > 100 and taken > 10


def test_any_bit_of_a_parcel_matters() -> None:
    parcel = MemberParcel(ParcelKind.DATA, b"s" * 8, b"r" * 8, b"data", StreamName(1, is_own=True), 2)
    data = sealed(parcel, KEY)
    assert opened(data, KEY) == parcel
    for at in range(0, 8 * len(data), 7):
        wrong = bytearray(data)
        wrong[at // 8] ^= 1 << at % 8
        with pytest.raises(PeerError):
            opened(bytes(wrong), KEY)


def test_frames_of_a_relay_are_not_those_of_a_member() -> None:
    with pytest.raises(PeerError):
        FrameReader(of_relay=True).feed(frames.post(1, b"x"))
