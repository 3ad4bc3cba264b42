"""Postings, their directory and the bytes of a hall, one by one; tests/net/test_hall_world.py has whole halls."""

import contextlib
import re
from dataclasses import fields, replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import pack
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Offer
from quadrille.net.hall.directory import DirectoryLimits, PostingDirectory, Taken
from quadrille.net.hall.few_links import FEW, FewLinks
from quadrille.net.hall.hall import Hall
from quadrille.net.hall.hall_events import Listed, Unlisted
from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.hall.hall_wire import (
    HALL,
    HALL_TYPES,
    Beats,
    Digest,
    HallMessage,
    Lack,
    Marks,
    Missed,
    Postings,
    Spare,
    hall_bytes,
    hall_message,
)
from quadrille.net.hall.posting import MOST_CONTENT, HallPlace, Posting, content_of
from quadrille.net.trust.identity import Identity
from tests.documents import section, table, values
from tests.net.tables import identity, terms

TERMS = terms("maze", 2, {"size": 3})


def offers(own: Identity, count: int = 1, state: str = "open") -> tuple[tuple[object, ...], ...]:
    chair = Chair(own.key, "a name", "bot")
    return tuple(Offer(bytes([n]) * 16, own.key, TERMS, (chair,), state, 0).plain() for n in range(count))


def posting(own: Identity, serial: int = 1, tables: int = 0, host: str = "10.0.0.1", beat: int = 1) -> Posting:
    content = content_of((HallPlace(host, 50_000),), "a name", "bot", offers(own, tables))
    return Posting(own.key, serial, content).signed(own, beat, 120)


def directory(seen: dict[bytes, str] | None = None, limits: DirectoryLimits | None = None) -> PostingDirectory:
    return PostingDirectory((seen or {}).get, limits)


def test_the_vector_of_the_document() -> None:
    told = values("posting")
    made = Posting(identity(1).key, 7, bytes.fromhex(told["content"])).signed(identity(1), 3, 120)
    assert made.content == content_of((HallPlace("10.0.0.1", 50_000),), "a name", "bot", ())
    signed = {"hash": made.hash, "mark": made.mark, "signature": made.signature}
    assert signed == {name: bytes.fromhex(told[name]) for name in signed}
    assert hall_bytes(Postings(((made, 5),))).hex() == told["message"]


def test_the_messages_of_the_document() -> None:
    told = [
        (int(number), name, [] if listed == "" else re.split(", ", listed))
        for number, name, listed, _ in table(section("Messages of a hall"), "number")[1:]
    ]
    named = [(number, kind.__name__, [field.name for field in fields(kind)]) for number, kind in HALL_TYPES.items()]
    assert told == named and {*HALL_TYPES.values()} == {*get_args(HallMessage)}


MESSAGES: list[HallMessage] = [
    Digest(bytes(range(256)) * 2),
    Marks(((0, bytes(8)), (63, b"\xff" * 24))),
    Lack(bytes(16)),
    Postings(((posting(identity(1)), 0), (posting(identity(2), 5, 2), 3600))),
    Beats(((bytes(8), 2, 120, bytes(64), 9),)),
    Spare(),
    Missed(((bytes(8), 2, 120, bytes(64), 9),)),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_comes_back(message: HallMessage) -> None:
    assert hall_message(hall_bytes(message)) == message


@given(st.binary(max_size=200), st.sampled_from(MESSAGES), st.integers(0, 300), st.integers(0, 255))
def test_any_bytes_are_a_message_of_a_hall_or_a_named_refusal(
    junk: bytes, message: HallMessage, place: int, byte: int
) -> None:
    data = bytearray(hall_bytes(message))
    data[1 + place % (len(data) - 1)] = byte
    for content in (bytes([HALL]) + junk, bytes(data)):
        machine = Hall(identity(3), Random(1), 0)
        machine.others = 100
        machine.came(identity(4).key, 0)
        with contextlib.suppress(PeerError):
            machine.receive(identity(4).key, hall_message(content), 5)
        assert len(machine.directory) <= 2


@given(st.recursive(st.integers() | st.binary() | st.text() | st.none(), st.lists, max_leaves=20))
def test_any_values_are_a_message_of_a_hall_or_a_named_refusal(value: object) -> None:
    with contextlib.suppress(OverflowError, UnicodeEncodeError):  # msgpack has no bytes for it
        packed = bytes([HALL]) + pack(value)
        with contextlib.suppress(PeerError):
            assert isinstance(hall_message(packed), HallMessage)


@pytest.mark.parametrize(
    "forged",
    [
        replace(posting(identity(1)), serial=2),
        replace(posting(identity(1)), lives=121),
        replace(posting(identity(1)), content=b""),
        replace(posting(identity(1)), beat=2),
        replace(posting(identity(1)), key=identity(2).key),
        posting(identity(1)).renewed(9, 120, bytes(64)),
        Posting(identity(1).key, 1, b"\xc0").signed(identity(1), 1, 120),
        Posting(identity(1).key, 1, content_of((), "x", "bot", offers(identity(2)))).signed(identity(1), 1, 120),
    ],
)
def test_what_its_author_has_not_signed_or_may_not_say_is_refused(forged: Posting) -> None:
    machine = Hall(identity(3), Random(1), 0)
    machine.came(identity(4).key, 0)
    with pytest.raises(PeerError):
        machine.receive(identity(4).key, Postings(((forged, 0),)), 5)
    assert len(machine.directory) == 0 and not machine.events


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_new_beat_goes_as_news_to_who_asked_and_to_all_others_in_their_turn(*, is_ours: bool) -> None:
    """It went as news to all links, so that a few liars made every peer say four messages a second."""
    missing, asker, teller, other = (identity(number) for number in (3 if is_ours else 2, 4, 5, 6))
    machine = Hall(identity(3), Random(1), 0)
    machine.others = 100
    for linked in (asker, teller, other):
        machine.came(linked.key, 0)
    machine.post((HallPlace("10.0.0.3", 50_000),), "a name", "bot", offers(identity(3)), 0)
    if not is_ours:
        machine.receive(teller.key, Postings(((posting(missing, tables=1), 0),)), 0)
    known = machine.directory.get(missing.key)
    assert known is not None
    while machine.deadline < 9_000:
        machine.wake(machine.deadline)
    row = (known.mark, known.beat, known.lives, known.signature, 0)
    machine.receive(asker.key, Missed((row,)), 10_000)
    machine.outgoing.clear()
    if not is_ours:
        newer = posting(missing, tables=1, beat=2)
        machine.receive(teller.key, Beats(((newer.mark, 2, newer.lives, newer.signature, 0),)), 10_000)
    machine.wake(10_000)
    machine.wake(10_200)
    assert [key for key, message in machine.outgoing if isinstance(message, Postings)] == [asker.key]
    assert missing.key in machine.links[other.key].beats and not machine.links[asker.key].asks


def test_a_newer_content_stands_and_an_older_one_comes_never_again() -> None:
    machine = Hall(identity(3), Random(1), 0)
    machine.came(identity(4).key, 0)
    old, new = posting(identity(1), 1, 1), posting(identity(1), 2, 2)
    bye = Posting(identity(1).key, 3, b"").signed(identity(1), 1, 120)
    for one in (old, new, old, bye, new, old):
        machine.receive(identity(4).key, Postings(((one, 0),)), 5)
    assert [type(event) for event in machine.events] == [Listed, Listed, Unlisted]
    assert machine.directory.shown(identity(1).key) is None
    machine.wake(400_000)
    machine.receive(identity(4).key, Postings(((new, 0),)), 400_001)
    assert len(machine.directory) == 0


def test_a_false_age_ends_nothing_early_and_a_posting_ends_in_time() -> None:
    there = directory()
    one = posting(identity(1))
    there.put(one, 100, 0)
    there.hear_age(one.key, 10, 0)
    there.hear_age(one.key, 119, 0)
    assert there.deadline <= 110_000
    assert there.expire(109_999) == [] and there.expire(110_000) == [one.key]
    assert there.judge(one, 110_001) is Taken.KNOWN, "nobody brings it back"
    assert there.judge(one.signed(identity(1), 2, 120), 110_001) is Taken.NEWS


def test_who_was_met_here_stays_and_strangers_of_one_address_go_first() -> None:
    known = {identity(n).peer: f"10.0.1.{n}" for n in range(1, 5)}
    there = directory(known, DirectoryLimits(postings=6))
    for number in range(11, 17):
        assert there.judge(posting(identity(number), host="10.9.9.9"), 0) is Taken.NEWS
        there.put(posting(identity(number), host="10.9.9.9"), 0, 0)
    assert there.judge(posting(identity(20), host="10.9.9.9"), 0) is Taken.FULL
    assert there.judge(posting(identity(21), host="10.8.8.8"), 2000) is Taken.NEWS, "another address"
    for number in range(1, 5):
        assert there.judge(posting(identity(number)), 2000) is Taken.NEWS
        there.put(posting(identity(number)), 0, 2000)
    assert len(there) == 6 and all(there.get(identity(number).key) for number in range(1, 5))


def test_the_bytes_are_bounded_too() -> None:
    there = directory(limits=DirectoryLimits(bytes=3000))
    for number in range(1, 30):
        if there.judge(one := posting(identity(number), tables=3), number * 2000) is Taken.NEWS:
            there.put(one, 0, number * 2000)
    assert sum(len(one.content) for one in there.all_shown()) <= 3000


def test_a_host_of_many_tables_posts_those_that_need_players_first() -> None:
    own = identity(1)
    playing, waiting = offers(own, 60, "playing"), offers(own, 2)
    content = content_of((), "a name", "runner", playing + waiting)
    assert len(content) <= MOST_CONTENT
    told = Posting(own.key, 1, content).words.tables
    assert [offer[4] for offer in told[:2]] == ["open", "open"] and len(told) == 32


def test_one_that_starts_anew_outbids_its_former_life() -> None:
    machine = Hall(identity(1), Random(1), 0)
    machine.post((), "a name", "bot", (), 0)
    machine.came(identity(4).key, 0)
    machine.receive(identity(4).key, Postings(((posting(identity(1), 90, 1), 0),)), 5)
    own = machine.directory.get(identity(1).key)
    assert own is not None and own.serial == 91 and own.words.tables == () and own.is_signed()


def test_a_small_room_hears_nothing_of_halls_and_answers() -> None:
    machine = Hall(identity(1), Random(1), 0)
    machine.post((), "a name", "bot", offers(identity(1)), 0)
    for number in range(2, 2 + SMALL):
        machine.came(identity(number).key, 0)
    for now in range(0, 100_000, 500):
        machine.wake(now)
    assert machine.outgoing == [] and machine.chosen == frozenset()
    machine.receive(identity(2).key, Digest(bytes(512)), 100_000)
    assert [type(message) for _, message in machine.outgoing] == [Marks]


def test_the_next_two_on_the_ring_are_chosen_and_random_others_up_to_six() -> None:
    there = sorted((posting(identity(number)) for number in range(1, 30)), key=lambda one: one.peer)
    me = there[-1].peer
    few = FewLinks(me, Random(3))
    few.choose(there[:-1], (), 0)
    assert {there[0].key, there[1].key} < few.chosen and len(few.chosen) == FEW
    few.unreachable(there[0].key, 0)
    few.choose(there[:-1], few.chosen, 10)
    assert {there[1].key, there[2].key} < few.chosen and there[0].key not in few.chosen
    few.choose(there[:-1], few.chosen, 70_000)
    assert there[0].key in few.chosen


def test_a_living_peer_that_was_too_busy_for_a_call_stays_shown() -> None:
    machine = Hall(identity(1), Random(1), 0)
    machine.others = 50
    teller, busy = identity(2).key, identity(3)
    machine.came(teller, 0)
    machine.receive(teller, Postings(((posting(busy), 0),)), 0)
    machine.unreachable(busy.key, 5_000, may_live=True)
    machine.wake(59_999)
    assert machine.directory.shown(busy.key) is not None
    machine.receive(teller, Postings(((posting(busy, beat=2), 1),)), 59_999)
    machine.wake(110_000)
    assert machine.directory.shown(busy.key) is not None, "its beat is newer than the call"
    assert Unlisted(busy.key) not in machine.events


def test_a_peer_that_does_not_answer_vanishes_when_its_beats_do_not_come() -> None:
    machine = Hall(identity(1), Random(1), 0)
    machine.others = 50
    teller, dead, gone = identity(2).key, identity(3), identity(4)
    machine.came(teller, 0)
    machine.receive(teller, Postings(((posting(dead), 10), (posting(gone), 0))), 0)
    machine.unreachable(gone.key, 5_000)
    assert Unlisted(gone.key) in machine.events, "nobody listens there"
    machine.unreachable(dead.key, 5_000, may_live=True)
    assert machine.deadline <= 50_000
    machine.wake(50_000)
    assert machine.events[-1] == Unlisted(dead.key) and machine.directory.shown(dead.key) is None
    assert machine.directory.get(dead.key) is not None, "it may come back"
    machine.unreachable(dead.key, 51_000, may_live=True)
    machine.wake(51_000)
    assert machine.events.count(Unlisted(dead.key)) == 1
    machine.receive(teller, Postings(((posting(dead, beat=2), 0),)), 52_000)
    assert machine.directory.shown(dead.key) is not None


def test_both_ends_have_to_spare_a_link() -> None:
    machine = Hall(identity(1), Random(1), 0)
    machine.others = 50
    keys = [identity(number).key for number in range(2, 10)]
    for number, key in enumerate(keys, 2):
        machine.came(key, 0)
        if number > 2 + 1:
            machine.receive(key, Postings(((posting(identity(number)), 0),)), 1)
    machine.needed = frozenset(keys[7:])
    machine.outgoing.clear()
    for key in (keys[0], keys[7], keys[3]):
        machine.receive(key, Spare(), 10)
    assert machine.outgoing == [(keys[3], Spare())], "one is known by this link alone, and one is needed"
    assert not machine.is_spare(keys[3]), "the other end closes"
    machine.receive(keys[3], Spare(), 20)
    assert machine.is_spare(keys[3])


def test_a_peer_with_too_many_links_offers_again_what_nobody_could_spare_before() -> None:
    machine = Hall(identity(1), Random(1), 0)
    machine.others = 50
    for number in range(2, 26):
        machine.came(identity(number).key, 0)
        machine.receive(identity(number).key, Postings(((posting(identity(number)), 0),)), 1)
    offered: list[bytes] = []
    for now in range(0, 60_000, 100):
        machine.outgoing.clear()
        machine.wake(now)
        offered += [key for key, message in machine.outgoing if message == Spare()]
    assert 2 * len(set(offered)) <= len(offered) <= 6 * len(set(offered))


def test_a_peer_that_all_others_have_chosen_can_spare_their_links() -> None:
    """On a slow machine all who come at once choose the few that they have heard of by then."""
    there = sorted((identity(number) for number in range(1, 12)), key=lambda one: one.peer)
    me, ring, hub, others = there[0], there[1:3], there[3], there[4:]
    machine = Hall(me, Random(1), 0)
    machine.others = 50
    machine.came(ring[0].key, 0)
    machine.receive(ring[0].key, Postings(tuple((posting(one), 0) for one in (*ring, hub))), 1)
    machine.wake(10_000)
    assert machine.chosen == {one.key for one in (*ring, hub)}
    for one in (ring[1], hub):
        machine.came(one.key, 10_000)
    machine.outgoing.clear()
    machine.receive(hub.key, Spare(), 10_001)
    assert machine.outgoing == [], "with so few links it keeps this one"
    for one in others:
        machine.came(one.key, 10_002)
        machine.receive(one.key, Postings(((posting(one), 0),)), 10_003)
    machine.outgoing.clear()
    for one in (*ring, hub):
        machine.receive(one.key, Spare(), 10_004)
    assert machine.outgoing == [(hub.key, Spare())], "the ring needs its links"
    machine.went(hub.key, 10_005, broke=False)
    machine.wake(30_000)
    assert hub.key not in machine.chosen, "and it is not called again"
