"""Postings, what a peer keeps of them, and whole halls in the simulated network (hall_world.py)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.core.shapes import pack
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Advert
from quadrille.net.hall import hall as hall_module
from quadrille.net.hall.hall import HOST_PACE, MOST_BYTES, MOST_POSTINGS, Hall, Listed, Origin
from quadrille.net.hall.posting import (
    MOST_OF_PART,
    MOST_PARTS,
    PASSED,
    POSTED,
    content_of,
    is_posting,
    parts_of,
    passed,
    read_part,
    read_passed,
    words_of,
)
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.trust.identity import Identity
from tests.documents import values
from tests.net.hall_world import MALLORY, HallWorld, offer, story
from tests.net.tables import identity
from tests.net.virtual_time import signatures_checked_once

HERE = Origin("10.0.0.2")


def words(name: str = "a name", tables: int = 0) -> Advert:
    return Advert(name, "bot", tuple(offer(identity(1).key, number) for number in range(tables)))


def posted(serial: int = 7, name: str = "a name", *, author: int = 1, lives: int = 28, tables: int = 0) -> list[bytes]:
    content = content_of(words(name, tables)) if name else b""
    return parts_of(identity(author), b"", serial, lives, 50_000, content)


class Own(Hall):
    """A hall that says `said`, and posts as often as it is told."""

    def __init__(self, author: int = 9, realm: bytes = b"") -> None:
        self.said, self.pace, self.author = Advert("", "person", ()), 1000, identity(author)
        super().__init__(
            self.author,
            Random(1),
            serial=1000,
            port=lambda: 50_009,
            words=lambda: self.said,
            pace=lambda _: self.pace,
            realm=realm,
        )


def hear(own: Hall, parts: list[bytes], origin: Origin = HERE, now: int = 0) -> list[Listed]:
    for part in parts:
        own.receive(origin, part, now)
    return drain(own.events)


def during(own: Hall, start: int, stop: int) -> list[Listed]:
    """What it notices by itself in this time."""
    for now in range(start, stop, 500):
        own.wake(now)
    return drain(own.events)


# Bytes


def test_the_vector_of_the_document() -> None:
    told = values("posting")
    [part] = posted()
    assert part.hex() == told["part"] and content_of(words()).hex() == told["content"]
    read = read_part(part)
    assert (read.key, read.serial, read.lives, read.port, read.number, read.parts) == (
        identity(1).key, 7, 28, 50_000, 0, 1,
    )  # fmt: skip
    assert read.is_signed(b"") and not read.is_signed(b"another room") and words_of(read.piece) == words()


def test_a_posting_in_parts_fits_datagrams_and_tables_that_need_players_come_first() -> None:
    many = Advert("n", "bot", tuple(offer(identity(1).key, one, "playing" if one % 2 else "open") for one in range(32)))
    content = content_of(many)
    parts = parts_of(identity(1), b"", 2**53, 3600, 65_535, content)
    assert 1 < len(parts) <= MOST_PARTS and max(map(len, parts)) <= 1400
    assert [table.state for table in words_of(content).tables] == ["open"] * 16 + ["playing"] * 16
    chairs = tuple(Chair(bytes([n]) * 32, "x" * 40, "person") for n in range(26))
    large = Advert("n", "bot", tuple(replace(table, chairs=chairs) for table in many.tables))
    assert len(content_of(large)) <= MOST_OF_PART * MOST_PARTS and words_of(content_of(large)).tables


@given(st.binary(max_size=300))
def test_bytes_that_are_no_posting_are_refused(junk: bytes) -> None:
    own = Own()
    for data in (junk, POSTED + junk, posted()[0] + junk[:1] + b"\x00", posted()[0][: len(junk)]):
        with pytest.raises(PeerError):
            own.receive(HERE, data, 0)
    with pytest.raises(PeerError):
        read_passed(PASSED + junk)
    assert len(own) == 0 and not own.events


def test_a_part_of_another_shape_is_refused_and_so_is_one_beyond_the_last() -> None:
    fields: list[object] = [identity(1).key, 7, 28, 50_000, 0, 1, b"x"]
    wrong = [
        [*fields[:place], strange, *fields[place + 1 :]]
        for place in range(7)
        for strange in (None, -1, 2**60, b"z" * (MOST_OF_PART + 1))
    ]
    for shape in (*wrong, [identity(1).key, 7, 28, 50_000, 1, 1, b"x"]):
        with pytest.raises(PeerError):
            read_part(POSTED + bytes(64) + pack(tuple(shape)))


def test_what_is_passed_on_is_told_apart() -> None:
    [part] = posted()
    message = passed("10.0.0.9", 50_000, part)
    assert is_posting(part) and is_posting(message) and not is_posting(b"ZRE\x01")
    assert read_passed(message) == (Endpoint("10.0.0.9", 50_000), read_part(part))


# What one peer keeps


def test_a_peer_is_listed_once_and_again_when_it_says_something_new() -> None:
    own, key = Own(), identity(1).key
    assert hear(own, posted(7)) == [Listed(key, words())]
    assert hear(own, posted(8)) == [] and hear(own, posted(9, "another")) == [Listed(key, words("another"))]
    assert own.get(key).places == [Endpoint("10.0.0.2", 50_000)]  # type: ignore[union-attr]
    assert own.posts(identity(1).peer) and not own.posts(identity(2).peer)


def test_an_older_posting_and_the_same_one_again_change_nothing() -> None:
    own, key = Own(), identity(1).key
    hear(own, posted(9, "new"))
    assert hear(own, posted(8, "old"), now=1) == []
    assert hear(own, posted(9, "new"), Origin("10.0.0.3"), 20_000) == []
    found = own.get(key)
    assert found is not None and found.words.name == "new" and found.until == 28_000
    assert [place.host for place in found.places] == ["10.0.0.2", "10.0.0.3"], "a host with two addresses, or a liar"


def test_a_posting_holds_as_long_as_it_says_or_until_a_farewell_and_a_recording_revives_nobody() -> None:
    own, key = Own(), identity(1).key
    hear(own, posted(7))
    hear(own, posted(8), now=20_000)
    assert during(own, 500, 48_000) == [] and during(own, 48_000, 49_000) == [Listed(key, None)] and len(own) == 0
    assert hear(own, posted(8), now=49_000) == hear(own, posted(7, "old"), now=49_000) == []
    assert hear(own, posted(10), now=50_000) == [Listed(key, words())]
    assert hear(own, posted(11, ""), now=50_000) == [Listed(key, None)]
    assert hear(own, posted(10), now=50_000) == [] and hear(own, posted(12), now=50_000) == [Listed(key, words())]


def test_what_was_on_its_way_by_the_link_when_the_farewell_came_by_a_datagram_shows_nobody_again() -> None:
    own, key = Own(), identity(1).key
    link = Origin("10.0.0.2", key)
    own.came(key, 0)
    hear(own, posted(7), link)
    assert hear(own, posted(9, ""), now=1) == [Listed(key, None)]
    assert hear(own, posted(8, "late"), link, 2) == [] and len(own) == 0
    assert hear(own, posted(10), link, 3) == [Listed(key, words())], "it stays after all"
    own.went(key, 4)
    own.came(key, 5)
    assert hear(own, posted(3), link, 6)[-1] == Listed(key, words()), "another program, whose clock was set back"


def test_a_recorded_farewell_from_before_its_clock_was_set_back_silences_nobody_who_is_linked() -> None:
    own, key = Own(), identity(1).key
    link = Origin("10.0.0.2", key)
    own.came(key, 0)
    hear(own, posted(3), link, 1)
    assert hear(own, posted(3_600_000, ""), Origin("10.0.0.66"), 2) == [Listed(key, None)]
    assert hear(own, posted(4), link, 3) == [Listed(key, words())]


def test_parts_come_in_any_order_and_a_newer_posting_drops_those_that_wait() -> None:
    own, many = Own(), posted(7, tables=20)
    assert len(many) > 2
    for _ in range(1000):
        assert hear(own, many[:-1]) == [], "a part that is there is not checked again"
    assert hear(own, [*reversed(posted(8, tables=21))]) == [Listed(identity(1).key, words(tables=21))]
    assert hear(own, many[-1:]) == []


def test_what_its_author_has_not_signed_or_may_not_say_is_refused() -> None:
    own = Own()
    [part] = posted()
    start = len(POSTED) + 64
    for forged in (part[:start] + posted(8)[0][start:], part[: len(POSTED)] + bytes(64) + part[start:]):
        with pytest.raises(PeerError, match="did not sign"):
            own.receive(HERE, forged, 0)
    for content in (b"x", pack(("n", "nobody", ())), pack(("n\n", "bot", ())), pack(("n", "bot", ((1,),)))):
        [strange] = parts_of(identity(1), b"", 9, 28, 50_000, content)
        with pytest.raises(PeerError):
            own.receive(HERE, strange, 0)
    assert len(own) == 0 and own.get(identity(1).key) is None


def test_in_a_private_room_postings_go_by_links_alone_and_mean_nothing_outside_it() -> None:
    own = Own(realm=b"a room")
    own.said = words()
    own.came(identity(1).key, 0)
    [(to, data)] = drain(own.outgoing)
    assert to == identity(1).key
    with pytest.raises(PeerError, match="did not sign"):
        Own(1).receive(HERE, data, 0)
    other = Own(1, b"a room")
    assert hear(other, [data], Origin("10.0.0.9", own.author.key)) == [Listed(own.author.key, words())]
    own.said = words(tables=1)
    own.wake(0)
    hear(own, parts_of(identity(2), b"a room", 7, 28, 50_000, content_of(words())), Origin("10.0.0.3", identity(2).key))
    during(own, 0, 60_000)
    assert own.beat(60_000) == [] and own.deadline > 59_500, "nothing is due for everybody"
    own.leave(60_000)
    assert own.outgoing and all(to == identity(1).key for to, _ in own.outgoing)


@pytest.mark.parametrize("stays", [False, True])
def test_a_linked_peer_stays_and_is_then_known_by_its_posting_if_the_link_was_not_needed(*, stays: bool) -> None:
    own, key = Own(), identity(1).key
    link = Origin("10.0.0.2", key)
    own.came(key, 0)
    hear(own, posted(9), link)
    assert during(own, 0, 100_000) == [] and own.get(key) is not None
    back = posted(3, "back in 1970")
    assert hear(own, back, link, 100_000) == [Listed(key, words("back in 1970"))], "an own link may set it back"
    own.went(key, 100_000, stays=stays)
    gone = [Listed(key, None)]
    assert drain(own.events) == ([] if stays else gone)
    assert during(own, 100_000, 128_000) == [] and during(own, 128_000, 129_000) == (gone if stays else [])


def test_who_is_flooded_checks_few_signatures_of_strangers_and_still_hears_those_it_knows() -> None:
    own = Own()
    hear(own, posted(7))
    [forged] = posted(10**6, author=2)

    def checked(hosts: list[str], now: int) -> int:
        found = 0
        for number in range(3000):
            try:
                origin = Origin(hosts[number % len(hosts)])
                own.receive(origin, forged[:4] + number.to_bytes(64, "big") + forged[68:], now)
            except PeerError:
                found += 1
        return found

    everybody = checked([f"10.0.{number}.77" for number in range(50)], 0)
    assert everybody == hall_module.STRANGERS * hall_module.STRANGER[1] - 1, "one was the honest one's"
    assert hear(own, posted(8, "still here")) == [Listed(identity(1).key, words("still here"))]
    assert checked([MALLORY], 10) <= hall_module.STRANGER[1]


def test_a_full_directory_takes_the_oldest_of_the_address_with_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "MOST_POSTINGS", 40)
    own = Own()
    for author in range(1, 6):
        hear(own, posted(author=author), Origin(f"10.0.0.{author}"))
    for author in range(100, 160):
        hear(own, posted(author=author), Origin(MALLORY))
    assert len(own) == 40 and all(own.get(identity(author).key) for author in range(1, 6))
    assert own.get(identity(100).key) is None and own.get(identity(159).key) is not None
    own.came(identity(159).key, 0)
    for author in range(160, 220):
        hear(own, posted(author=author), Origin(MALLORY))
    assert own.get(identity(159).key) is not None, "who is linked stays"
    linked = [identity(author).key for author in range(160, 220) if own.get(identity(author).key)]
    for key in linked:
        own.came(key, 0)
    hear(own, posted(author=7), Origin("10.0.0.7"))
    assert len(own) == 40 and all(own.get(key) for key in linked), "the next address loses one"


def test_contents_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Own()
    content = content_of(words(tables=32))
    assert MOST_BYTES // len(content) < MOST_POSTINGS
    monkeypatch.setattr(hall_module, "MOST_BYTES", 10 * len(content))
    count = 30
    with signatures_checked_once():
        for author in range(10, 10 + count):
            made = parts_of(Identity(author.to_bytes(32, "big")), b"", 7, 3600, 50_000, content)
            hear(own, made, Origin(MALLORY), author * 200)
    assert 0 < len(own) < count
    assert sum(len(one.content) for one in own._postings.values()) <= 10 * len(content)


# What one peer says


def test_a_change_is_said_at_once_and_twice_more_and_to_links() -> None:
    own = Own()
    own.beat(0)
    own.came(identity(1).key, 0)
    own.outgoing.clear()
    own.said = words(tables=1)
    assert own.deadline <= 10
    said: list[tuple[int, bytes | None]] = []
    for now in range(10, 2000, 10):
        own.wake(now)
        said += [(now, to) for to, _ in own.outgoing]
        own.outgoing.clear()
    assert said == [(10, None), (10, identity(1).key), (260, None), (760, None)]


def test_a_host_posts_every_seven_seconds_and_anybody_before_each_beacon() -> None:
    own = Own()
    own.pace = 40_000
    own.said = words(tables=1)
    [part] = own.beat(0)
    assert read_part(part).lives == 28
    own.wake(HOST_PACE - 1)
    assert own.outgoing == []
    own.wake(HOST_PACE)
    assert [to for to, _ in own.outgoing] == [None]
    own.said = words()
    own.wake(HOST_PACE + 1)
    [part] = own.beat(HOST_PACE + 2)
    assert read_part(part).lives == 160


def test_many_newcomers_cost_one_posting_in_two_seconds() -> None:
    own = Own()
    own.beat(0)
    said = 0
    for now in range(0, 20_000, 50):
        made = Identity((1000 + now).to_bytes(32, "big"))
        hear(own, parts_of(made, b"", 7, 28, 50_000, content_of(words())), Origin(f"10.0.1.{now // 100}"), now)
        if now >= own.deadline:
            own.wake(now)
        said += len(own.outgoing)
        own.outgoing.clear()
    assert 5 <= said <= 10


# Whole halls


@pytest.mark.first(1)
@pytest.mark.parametrize(("count", "loss", "liars"), [(14, 0, False), (20, 100, False), (6, 0, True), (100, 0, False)])
def test_a_hall_keeps_the_promises_of_its_document_also_with_losses_and_liars(
    count: int, loss: int, *, liars: bool
) -> None:
    world, took = story(count, loss=loss, liars=liars)
    assert took["all tables known"] <= 2 and took["a new table"] <= 1 and took["a newcomer knows all"] <= 3.5
    assert took["a killed host's table is gone"] <= 30
    assert took["postings a second"] < 1.3, "an idle peer says about one a second"
    for one in world.people() if not loss else ():
        honest = {other.key: other.words for other in world.people() if other is not one}
        assert {key: one.shown.get(key) for key in honest} == honest
    assert not liars or all(one.refused for one in world.people()), "forgeries were heard"


def test_two_halves_of_a_network_that_is_joined_again_know_each_other() -> None:
    with signatures_checked_once():
        world = HallWorld("split")
        people = world.enter(16)
        world.until(world.all_known, 5000)
        for one in people[8:]:
            one.cable = 1
        gone = people[15]
        world.until(lambda: all(other.key not in one.shown for one in people[:8] for other in people[8:]), 10_000)
        world.until(world.all_known, 5000)
        people[3].say(1, 2, 3)
        for one in people:
            one.cable = 0
        world.until(world.all_known, 5000)
        world.until(world.all_tables_known, 2000)
        assert gone.key in people[0].shown


def test_what_two_linked_peers_say_reaches_them_where_no_datagram_does() -> None:
    world = HallWorld("links")
    one, other = world.enter(2)
    other.cable = 1
    world.link(one, other)
    one.say(5)
    world.until(lambda: bool(other.tables) and one.shown.keys() == {other.key}, 1000)
