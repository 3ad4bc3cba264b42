"""A member's side of a meeting: parcels, streams and places. extras/far/docs/relay.md, "Parcels"."""

from collections import deque
from random import Random

import pytest

from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.frames import Frame, FrameKind, FrameReader
from quadrille.extras.far.relay.meeting import (
    BEACON_EVERY,
    DOUBT,
    MOST_MEMBERS,
    MOST_STREAMS,
    BeaconHeard,
    Meeting,
    StreamBroken,
    StreamData,
    StreamEnded,
    StreamKey,
    StreamOpened,
)
from quadrille.extras.far.relay.parcels import ALL, MOST_DATA, MemberParcel, ParcelKind, StreamName, opened, sealed
from quadrille.extras.far.relay.stream import (
    ACKNOWLEDGE_AFTER,
    GIVE_UP,
    MISSING,
    MOST_EARLY,
    MOST_PARTS,
    MOST_UNHEARD,
    SAY_AGAIN,
)
from quadrille.net.core.errors import PeerError
from quadrille.net.core.ip_addresses import is_virtual
from quadrille.net.core.machine import drain

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

    def wait(self, milliseconds: int) -> None:
        """Let time pass; each member does what is due."""
        end = self.now + milliseconds
        while (due := min(member.deadline for member in self.members)) <= end:
            assert due > self.now or self.now == 0, "a deadline that does not move"
            self.now = due
            for member in self.members:
                member.wake(self.now)
            self.collect()
            self.pass_all()
        self.now = end

    def said(self, number: int) -> bytes:
        """The bytes that a member has heard."""
        return b"".join(one.data for one in self.events(number) if isinstance(one, StreamData))

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
        self.members[0].send(mine, b"?", self.now)
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
    pair.members[0].send(mine, sent, pair.now)
    pair.members[1].send(theirs, b"back", pair.now)
    pair.members[0].end(mine, pair.now)
    pair.collect()
    pair.pass_all()
    got = pair.events(1)
    assert b"".join(one.data for one in got if isinstance(one, StreamData)) == sent and got[-1] == StreamEnded(theirs)
    assert pair.events(0) == [StreamData(mine, b"back")]
    pair.members[1].end(theirs, pair.now)
    pair.collect()
    pair.pass_all()
    assert pair.events(0) == [StreamEnded(mine)]
    pair.wait(2 * ACKNOWLEDGE_AFTER)
    assert not pair.members[0]._streams and not pair.members[1]._streams


def test_exchanged_parcels_are_put_in_order_and_repeated_ones_change_nothing() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    for number in range(20):
        pair.members[0].send(mine, b"%d " % number, pair.now)
    pair.members[0].end(mine, pair.now)
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
    pair.members[0].send(mine, b"once", pair.now)
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
    old.members[0].send(mine, b"old", 0)
    old.collect()
    again = Meeting(KEY, Random(9).randbytes)  # the receiver has been started again
    for _, _, parcel in old.parcels:
        again.frame(0, Frame(FrameKind.PARCEL, b"\0\1" + parcel), 0)
    assert again.events == [] and again.counts["a parcel for another"] == 1


def test_a_member_that_sends_too_much_too_early_is_given_up() -> None:
    pair = Pair().met()
    _, theirs = pair.stream()
    for number in range(MOST_EARLY + 2):
        parcel = MemberParcel(
            ParcelKind.DATA, pair.members[0].me, pair.members[1].me, b"x", StreamName(1, True), number + 2
        )
        pair.give(0, 1, sealed(parcel, KEY))
    assert pair.events(1) == [StreamBroken(theirs)]


@pytest.mark.parametrize("ends", [True, False])
def test_a_parcel_that_is_lost_is_said_again(ends: bool) -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    for words in (b"lost", b"here"):
        pair.members[0].send(mine, words, pair.now)
    if ends:
        pair.members[0].end(mine, pair.now)
    pair.collect()
    pair.parcels.popleft()
    pair.pass_all()
    assert pair.events(1) == []
    pair.wait(SAY_AGAIN + ACKNOWLEDGE_AFTER)
    got = pair.events(1)
    assert [one.data for one in got if isinstance(one, StreamData)] == [b"lost", b"here"]
    assert (got[-1] == StreamEnded(theirs)) == ends
    pair.wait(GIVE_UP)
    assert pair.events(1) == pair.events(0) == []


def test_a_parcel_that_never_comes_breaks_its_stream() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    for words in (b"lost", b"here"):
        pair.members[0].send(mine, words, pair.now)
    pair.collect()
    pair.parcels.popleft()
    pair.pass_all()
    late = pair.members[1]
    late.wake(MISSING - 1)
    assert pair.events(1) == []
    late.wake(MISSING)
    pair.collect()
    pair.pass_all()
    assert pair.events(1) == [StreamBroken(theirs)] and pair.events(0) == [StreamBroken(mine)]


def test_a_stream_that_nobody_acknowledges_is_given_up() -> None:
    pair = Pair().met()
    mine, _ = pair.stream()
    pair.wait(2 * ACKNOWLEDGE_AFTER)
    member, said = pair.members[0], 0
    member.send(mine, b"hello?", pair.now)
    while not (events := drain(member.events)):
        said += len(drain(member.outgoing))
        member.wake(member.deadline)
    assert events == [StreamBroken(mine)] and 3 <= said <= GIVE_UP // SAY_AGAIN


def test_a_stream_takes_only_so_much_before_it_is_acknowledged() -> None:
    pair = Pair().met()
    mine, _ = pair.stream()
    member = pair.members[0]
    for _ in range(MOST_PARTS - 2):
        member.send(mine, b"x", pair.now)
    assert not member.is_full(mine)
    member.send(mine, b"x", pair.now)
    assert member.is_full(mine)
    pair.collect()
    pair.pass_all()
    pair.wait(ACKNOWLEDGE_AFTER)
    assert not member.is_full(mine)
    member.send(mine, bytes(MOST_UNHEARD), pair.now)
    assert member.is_full(mine)


def test_a_lost_reset_is_said_again() -> None:
    pair = Pair().met()
    mine, theirs = pair.stream()
    pair.members[1].reset(theirs)
    pair.collect()
    pair.parcels.clear()
    pair.members[0].send(mine, b"still there?", pair.now)
    pair.collect()
    pair.pass_all()
    assert pair.events(0) == [StreamBroken(mine)]


def test_a_member_has_one_address_whatever_the_place() -> None:
    pair = Pair(places=2)
    pair.pass_all()
    assert pair.events(0) == [BeaconHeard("240.1.0.1", b"beacon of 1")] * 2


def test_a_stream_goes_on_by_another_place_when_its_own_is_lost() -> None:
    """What was on its way is said again, and what had come counts once."""
    pair = Pair(places=2).met()
    mine, _ = pair.stream()
    for words in (b"came ", b"lost "):
        pair.members[0].send(mine, words, pair.now)
    pair.collect()
    pair.give(*pair.parcels.popleft())
    pair.parcels.clear()
    for member in pair.members:
        member.left(0, pair.now)
    pair.members[0].send(mine, b"then", pair.now)
    pair.collect()
    assert {place for place, *_ in pair.parcels} == {1}
    pair.pass_all()
    assert pair.said(1) == b"came lost then"
    for member in pair.members:
        member.left(1, pair.now)
    assert pair.events(0) == [StreamBroken(mine)] and pair.members[0].dial("240.1.0.1") is None


def test_a_stream_leaves_a_place_that_passes_nothing_on() -> None:
    """And comes back to it after a while."""
    pair = Pair(places=2).met()
    mine, _ = pair.stream()
    pair.wait(2 * ACKNOWLEDGE_AFTER)
    pair.members[0].send(mine, b"lost", pair.now)
    pair.collect()
    pair.parcels.clear()
    pair.wait(SAY_AGAIN)
    assert pair.said(1) == b"lost" and pair.members[0]._streams[mine].place == 1
    pair.wait(DOUBT)
    assert pair.members[0]._streams[mine].place == 0
    for wait in (DOUBT, 2 * DOUBT):  # each time it is avoided for longer
        pair.members[0].send(mine, b"again", pair.now)
        pair.collect()
        pair.parcels.clear()
        pair.wait(SAY_AGAIN + wait)
        assert pair.members[0]._streams[mine].place == 1
        pair.wait(wait)
        assert pair.members[0]._streams[mine].place == 0


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
