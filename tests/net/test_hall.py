"""Postings, what a peer keeps of them, whole halls in the simulated network, and what neighbours do there."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as clock
from quadrille.net.core.shapes import pack
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Advert, Offer
from quadrille.net.hall import hall as hall_module
from quadrille.net.hall.hall import HOST_PACE, MOST_BYTES, MOST_POSTINGS, Hall, Listed, Origin
from quadrille.net.hall.posting import (
    MOST_OF_PART,
    MOST_PARTS,
    PASSED,
    POSTED,
    advert_of,
    content_of,
    parts_of,
    passed,
    read_part,
    read_passed,
)
from quadrille.net.neighbours.neighbour import CallEnd, Dial, Endpoint, LossReason
from quadrille.net.neighbours.neighbours import LONGEST_BEACON, MOST_HEARD, BeaconLog
from quadrille.net.program.hall_desk import FIRST, LISTENS, LOOK, SAID, SMALL, UNPOSTED
from quadrille.net.program.station import Station
from quadrille.net.seating.gathering import PATIENCE, ChairRefused
from quadrille.net.seating.lobby import At
from quadrille.net.trust import known
from quadrille.net.trust.guard import BAN
from quadrille.net.trust.identity import SIGNATURE_BYTES, Identity
from quadrille.net.zeromq.zre import Beacon
from tests.documents import values
from tests.net.network import Network, signatures_checked_once
from tests.net.street import House, Street
from tests.net.tables import identity, terms

# A simulated network of many peers that know each other by postings: real machines, virtual time, one seed. A datagram
# reaches everybody else, but for those that lose it. Liars say what they like.
# `python -m tests.net.test_hall 1000` prints what a hall of so many does.

PORT = 50_000
TERMS, NINTH = terms("maze", 2, {"size": 3}), identity(9)


def offer(key: bytes, number: int = 0, state: str = "open") -> Offer:
    return Offer(number.to_bytes(16, "big"), key, TERMS, (Chair(key, "host", "bot"),), state, 0)


class Own(Hall):
    """A hall that says `said`, and posts as often as it is told."""

    def __init__(self, author: Identity = NINTH, realm: bytes = b"", serial: int = 1000) -> None:
        self.said, self.pace, self.author = Advert("", "person", ()), 1000, author
        super().__init__(
            author,
            Random(author.key),
            serial=serial,
            port=lambda: PORT,
            advert=lambda: self.said,
            pace=lambda _: self.pace,
            realm=realm,
        )


class Resident:
    """An honest peer: its machine, and what its desk and its node do with that."""

    def __init__(self, world: "HallWorld", number: int, address: str, tables: int = 0) -> None:
        self.world, self.address = world, address
        self.identity = Identity(number.to_bytes(32, "big"))
        self.key = self.identity.key
        self.hall = Own(self.identity, serial=world.now)
        self.hall.said = Advert(f"p{number}", "bot", tuple(offer(self.key, one) for one in range(tables)))
        self.shown: dict[bytes, Advert] = {}
        self.refused = self.sent = self.bytes = 0
        self.is_up = True
        self._due = -1
        self._beat_due = world.now + world.random.randrange(50)
        self._counted = 0  # others by their beacons, as at the last beat
        self.wake()

    def say(self, *tables: int) -> None:
        self.hall.said = replace(self.hall.said, tables=tuple(offer(self.key, one) for one in tables))
        self.wake()

    def hear(self, origin: Origin, data: bytes) -> None:
        if self.is_up:
            try:
                self.hall.receive(origin, data, self.world.now)
            except PeerError:
                self.refused += 1
            self._settle()

    def wake(self) -> None:
        now = self.world.now
        if not self.is_up:
            return
        if now >= self._beat_due:
            pace = self.hall.pace = max(1000, 40 * self._counted)
            self._beat_due = now + pace + self.world.random.randrange(-pace // 10, 99)
            self._counted = len(self.world.residents) - 1
            self.hall.outgoing += [(None, data) for data in self.hall.beat(now)]
        if now >= self.hall.deadline:
            self.hall.wake(now)
        self._settle()

    def _settle(self) -> None:
        for _, data in drain(self.hall.outgoing):
            self.sent, self.bytes = self.sent + 1, self.bytes + len(data)
            self.world.send(self.address, data, self)
        for event in drain(self.hall.events):
            if event.advert is None:
                del self.shown[event.key]
            else:
                self.shown[event.key] = event.advert
        due = min(self._beat_due, self.hall.deadline)
        if due != self._due:
            self._due = due
            self.world.later(max(1, due - self.world.now), lambda: self.wake() if self._due == due else None)

    @property
    def tables(self) -> set[bytes]:
        """All tables that it knows."""
        return {table.table + key for key, advert in self.shown.items() for table in advert.tables}


class HallWorld(Network):
    """All peers of one network."""

    def __init__(self, seed: str, loss: int = 0) -> None:
        """`loss`: thousandths of datagrams, for each receiver."""
        super().__init__(seed)
        self.random, self.loss = Random(seed), loss
        self.now = 1_000_000
        self.residents: dict[bytes, Resident] = {}
        self.heard: list[bytes] = []  # by liars

    def enter(self, count: int, hosts_every: int = 10) -> list[Resident]:
        """So many come at once; every tenth, or so, hosts a table."""
        found = []
        for number in range(len(self.residents) + 1, len(self.residents) + count + 1):
            address = f"10.0.{number // 250}.{number % 250 + 1}"
            one = Resident(self, number, address, tables=int(number % hosts_every == 0))
            self.residents[one.key] = one
            found.append(one)
        return found

    def kill(self, one: Resident) -> None:
        one.is_up = False
        del self.residents[one.key]

    def send(self, address: str, data: bytes, sender: Resident | None = None) -> None:
        self.heard.append(data)
        receivers = [one for one in self.residents.values() if one is not sender]
        if self.loss:
            receivers = [one for one in receivers if self.random.randrange(1000) >= self.loss]
        origin = Origin(address)
        self.later(2, lambda: [one.hear(origin, data) for one in receivers] and None)

    def until(self, condition: Callable[[], bool], most: int) -> int:
        """Let time pass until it is so; how long it took."""
        return self.run_until(condition, most, step=50)

    def all_tables_known(self) -> bool:
        tables = {table.table + one.key for one in self.people() for table in one.hall.said.tables}
        return all(one.tables >= {table for table in tables if not table.endswith(one.key)} for one in self.people())

    def people(self) -> list[Resident]:
        return list(self.residents.values())

    # Liars: each is called every 200 ms

    def lie(self, how: Callable[["HallWorld", int], None]) -> None:
        def again(count: int) -> None:
            how(self, count)
            self.later(200, lambda: again(count + 1))

        again(0)


MALLORY = "10.0.9.9"


def replays(world: HallWorld, count: int) -> None:
    """What was heard is said again, by another address."""
    for data in world.heard[-200 : -200 + 20] + world.heard[count * 5 % len(world.heard) :][:5]:
        world.send(MALLORY, data)


def forges(world: HallWorld, count: int) -> None:
    """An honest peer's posting with a higher serial, and a signature of another key."""
    victim = world.people()[count % len(world.residents)]
    [mine] = parts_of(Identity(b"m" * 32), b"", world.now + 10**9, 3000, PORT, content_of(Advert("liar", "bot", ())))
    [theirs] = parts_of(victim.identity, b"", world.now + 10**9, 3000, PORT, content_of(Advert("liar", "bot", ())))
    start = len(POSTED) + SIGNATURE_BYTES
    world.send(MALLORY, mine[:start] + theirs[start:])


def floods(world: HallWorld, count: int) -> None:
    """Twenty datagrams at once of bytes that are no posting."""
    for number in range(20):
        world.send(MALLORY, POSTED + world.random.randbytes(64 + number))


def invents(world: HallWorld, count: int) -> None:
    """Eight new keys at once, each with tables, all by one address."""
    for number in range(8):
        made = Identity((10**9 + 8 * count + number).to_bytes(32, "big"))
        advert = Advert(f"nobody {number}", "bot", tuple(offer(made.key, one) for one in range(3)))
        for part in parts_of(made, b"", world.now, 3600, 1 + number, content_of(advert)):
            world.send(MALLORY, part)


LIARS: tuple[Callable[[HallWorld, int], None], ...] = (replays, forges, floods, invents)


def story(count: int, *, loss: int = 0, liars: bool = False, idle: int = 10_000) -> tuple[HallWorld, dict[str, float]]:
    """An evening of a hall of so many, and what it took: seconds, and what an idle peer posts in one."""
    with signatures_checked_once():
        world = HallWorld(f"{count}", loss)
        people = world.enter(count)
        known = world.until(world.all_tables_known, 60_000)
        world.until(lambda: all(one.shown.keys() >= {*world.residents} - {one.key} for one in people), 120_000)
        for liar in LIARS if liars else ():
            world.lie(liar)
        world.run(idle // 5)
        people[0].say(77)
        new = world.until(world.all_tables_known, 10_000)
        [newcomer] = world.enter(1)
        knows = world.until(lambda: newcomer.shown.keys() >= world.residents.keys() - {newcomer.key}, 60_000)
        before = [(one.sent, one.bytes) for one in people]
        world.run(idle)
        sent = [(one.sent - was[0], one.bytes - was[1]) for one, was in zip(people, before, strict=True)]
        victim = [one for one in world.people() if one.hall.said.tables][-1]
        world.kill(victim)
        gone = world.until(lambda: not any(victim.key in one.shown for one in world.people()), 60_000)
    return world, {
        "all tables known": known / 1000,
        "a new table": new / 1000,
        "a newcomer knows all": knows / 1000,
        "a killed host's table is gone": gone / 1000,
        "postings a second": sum(one for one, _ in sent) * 1000 / idle / count,
        "bytes a second": sum(one for _, one in sent) * 1000 / idle / count,
    }


HERE = Origin("10.0.0.2")


def words(name: str = "a name", tables: int = 0) -> Advert:
    return Advert(name, "bot", tuple(offer(identity(1).key, number) for number in range(tables)))


def posted(serial: int = 7, name: str = "a name", *, author: int = 1, lives: int = 28, tables: int = 0) -> list[bytes]:
    content = content_of(words(name, tables)) if name else b""
    return parts_of(identity(author), b"", serial, lives, 50_000, content)


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
    assert read.is_signed(b"") and not read.is_signed(b"another room") and advert_of(read.piece) == words()


def test_a_posting_in_parts_fits_datagrams_and_tables_that_need_players_come_first() -> None:
    many = Advert("n", "bot", tuple(offer(identity(1).key, one, "playing" if one % 2 else "open") for one in range(32)))
    content = content_of(many)
    parts = parts_of(identity(1), b"", 2**53, 3600, 65_535, content)
    assert 1 < len(parts) <= MOST_PARTS and max(map(len, parts)) <= 1400
    assert [table.state for table in advert_of(content).tables] == ["open"] * 16 + ["playing"] * 16
    chairs = tuple(Chair(bytes([n]) * 32, "x" * 40, "person") for n in range(26))
    large = Advert("n", "bot", tuple(replace(table, chairs=chairs) for table in many.tables))
    assert len(content_of(large)) <= MOST_OF_PART * MOST_PARTS and advert_of(content_of(large)).tables


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
    assert part.startswith(POSTED) and message.startswith(PASSED)
    assert read_passed(message) == (Endpoint("10.0.0.9", 50_000), read_part(part))


# What one peer keeps


def test_a_peer_is_listed_once_and_again_when_it_says_something_new() -> None:
    own, key = Own(), identity(1).key
    assert hear(own, posted(7)) == [Listed(key, words())]
    assert hear(own, posted(8)) == [] and hear(own, posted(9, "another")) == [Listed(key, words("another"))]
    assert own.get(key).places == [Endpoint("10.0.0.2", 50_000)]  # type: ignore[union-attr]
    assert own.of(identity(1).peer) and not own.of(identity(2).peer)


def test_an_older_posting_and_the_same_one_again_change_nothing() -> None:
    own, key = Own(), identity(1).key
    hear(own, posted(9, "new"))
    assert hear(own, posted(8, "old"), now=1) == []
    assert hear(own, posted(9, "new"), Origin("10.0.0.3"), 20_000) == []
    found = own.get(key)
    assert found is not None and found.advert.name == "new" and found.until == 28_000
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


def test_sixteen_unfinished_postings_of_an_address_wait_and_no_crowd_of_one_takes_the_places_of_others() -> None:
    own, honest = Own(), posted(7, tables=20)
    hear(own, honest[:-1])
    half = {author: posted(7, tables=20, author=author) for author in range(100, 117)}
    for parts in half.values():
        hear(own, parts[:1], Origin(MALLORY))
    assert hear(own, honest[-1:]) == [Listed(identity(1).key, words(tables=20))]
    assert [one.key for one in hear(own, half[101][1:], Origin(MALLORY))] == [identity(101).key]
    assert hear(own, half[100][1:], Origin(MALLORY)) == [], "its first part gave way to the seventeenth posting"


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
        Own(identity(1)).receive(HERE, data, 0)
    other = Own(identity(1), b"a room")
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


def test_words_that_change_300_times_a_second_are_few_events_and_the_last_are_heard_when_they_are_said_again() -> None:
    own, key, link, found = Own(), identity(1).key, Origin("10.0.0.2", identity(1).key), list[Listed]()
    for now in range(0, 3000, 3):
        found += hear(own, posted(now + 7, f"name {now}"), link, now)
        found += hear(own, posted(now + 8, "") if now % 2 else [], link, now)  # to go and come back gains nothing
    assert [one.advert for one in found[:2]] == [words("name 0"), words("name 3")]
    assert len([one for one in found if one.advert is not None]) <= hall_module.NEWS.burst + 6
    assert hear(own, posted(4000, "the last"), link, 4000) == [Listed(key, words("the last"))]


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


def test_no_crowd_of_false_addresses_displaces_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "MOST_POSTINGS", 100)
    own, host = Own(), identity(1).key
    for number in range(240):
        if number % 70 == 0:
            hear(own, posted(8 + number, tables=1), now=100 * number)
        hear(own, posted(name="x", author=number + 2, lives=3600), Origin(f"10.1.{number}.1"), 100 * number)
        assert own.get(host) and len(own) <= 100
    hear(own, posted(author=250), Origin("10.0.0.9"), 60_000)
    assert own.get(identity(250).key), "whoever says something takes the place of one that is silent"


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
        for author in range(40, 40 + count):
            hear(own, posted(name="x", author=author), Origin(MALLORY), author * 200)
        for author in range(40, 40 + count):
            hear(own, posted(8, tables=32, author=author), Origin(MALLORY), author * 200 + 10_000)
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
@pytest.mark.parametrize(
    ("count", "loss", "liars"), [(14, 0, False), (20, 100, False), (6, 0, True), (100, 0, False), (30, 0, True)]
)
def test_a_hall_keeps_the_promises_of_its_document_also_with_losses_and_liars(
    count: int, loss: int, *, liars: bool
) -> None:
    world, took = story(count, loss=loss, liars=liars)
    assert took["all tables known"] <= 2 and took["a new table"] <= 1 and took["a newcomer knows all"] <= 3.5
    assert took["a killed host's table is gone"] <= 30
    assert took["postings a second"] < 1.3, "an idle peer says about one a second"
    for one in world.people() if not loss else ():
        honest = {other.key: other.hall.said for other in world.people() if other is not one}
        assert {key: one.shown.get(key) for key in honest} == honest
    assert not liars or all(one.refused for one in world.people()), "forgeries were heard"


# What neighbours do in a hall: beacons heard without a link, calls only where a link is wanted, links that end


def beside(count: int) -> tuple[Street, list[House]]:
    """Where everybody is known to post."""
    street = Street()
    ours = {identity(number).peer for number in range(1, count + 1)}
    for number in range(1, count + 1):
        street.build(
            f"h{number}", f"10.0.0.{number}", identity=identity(number), calls=lambda peer, _: peer not in ours
        )
    return street, street.houses


def test_who_posts_is_heard_and_not_called_until_a_link_is_wanted() -> None:
    street, houses = beside(20)
    street.run(5000)
    assert street.dials == 0 and all(house.machine.beacons_heard.count(street.now) == 19 for house in houses)
    one, other = houses[0], houses[7]
    one.machine._calls = lambda peer, _: peer == other.id
    one.machine.seek(other.id, [Endpoint(other.addresses[0], other.machine.port)], street.now)
    street.settle(one)
    street.run(500)
    assert one.peers() == {other.name} and other.peers() == {one.name}
    assert street.dials == 1, "a peer that calls is answered on its own connection"
    one.machine._calls = lambda *_: False
    one.machine.spare(other.id, street.now)
    street.settle(one)
    street.run(10_000)
    assert not one.peers() and not other.peers() and street.dials == 1
    assert one.losses() == [LossReason.SPARED]


def test_programs_of_another_kind_are_met_in_a_hall() -> None:
    street, houses = beside(3)
    foreign = [street.build(f"z{number}", f"10.0.0.{number}") for number in range(10, 22)]
    street.run(3000)
    assert all({one.name for one in foreign} == house.peers() for house in houses[:3])


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    with Station("me", "bot", folder=tmp_path, interfaces=["127.0.0.1"], port=0) as station:
        yield station


def test_whom_a_program_calls(station: Station) -> None:
    desk, machine, began = station._hall, station.node.neighbours, clock()
    machine.limits = machine.limits.__class__(calls=0)

    def hear(number: int) -> bytes:
        peer = identity(number).peer
        machine.heard_beacon(f"10.0.0.{number}", Beacon(peer, 50_000).encode(), began)
        return peer

    def calls(peer: bytes, after: int) -> bool:
        return desk.calls(peer, began + after)

    desk.beat(began)
    first = [hear(number) for number in range(1, FIRST + 1)]
    assert all(calls(peer, 0) for peer in first), "two programs call each other at once"
    third = hear(FIRST + 1)
    assert not calls(third, 0) and calls(third, LISTENS), "nobody knows yet how many there are"
    for number in range(FIRST + 2, SMALL + 2):
        hear(number)
    assert not calls(third, LISTENS), "it may post"
    assert calls(third, UNPOSTED), "it does not"
    [part] = posted(author=FIRST + 1)
    assert desk.heard("10.0.0.3", part, began)
    assert not calls(third, UNPOSTED)
    desk.need(identity(FIRST + 1).key, began)
    desk._look(began)
    assert calls(third, UNPOSTED)
    desk.need(identity(FIRST + 1).key, began - SAID)
    desk._look(began)
    assert not calls(third, UNPOSTED)


def test_a_banned_or_blocked_peer_is_not_listed_by_its_postings_either(station: Station) -> None:
    """Banned ones were: only a block by the person ended that, and a tournament of strangers stayed on the screen."""
    desk, began, eve = station._hall, clock(), identity(1)

    def is_listed(serial: int, after: int) -> bool:
        [part] = posted(serial, lives=3600)
        desk.heard("10.0.0.1", part, began + after)
        for _ in range(2):  # what it forgets it tells the lobby at its next turn
            desk.wake(began + after)
        return eve.key in station.lobby.peers

    assert is_listed(1, 0)
    station.node.neighbours.ban(eve.peer, began, BAN)
    desk.went(eve.key, LossReason.BANNED, began)
    desk.wake(began)
    assert eve.key not in station.lobby.peers
    assert not is_listed(2, 1000) and not is_listed(3, BAN - 1)
    assert is_listed(4, BAN)
    known.meet(station.store, eve.key, "Eve", 1)
    station.block(eve.key)
    station._welcome(eve.peer, eve.key)
    assert not {eve.key} & {*station.lobby.peers, *station.lobby.here} and not is_listed(5, BAN)


def test_all_beacons_together_stay_few() -> None:
    ear = BeaconLog(1000)
    for number in range(1000):
        ear.note(number.to_bytes(16, "big"), Endpoint("10.0.0.1", 5000), 0)
    assert ear.beacon_every(1) == 40_000
    assert ear.count(60_000) == 1000 and ear.count(500_000) == 0 and ear.beacon_every(500_000) == 1000
    for number in range(MOST_HEARD + 10):
        ear.note(number.to_bytes(16, "big"), Endpoint(f"10.0.{number % 4}.1", 5000), 600_000)
    assert ear.count(601_000) == MOST_HEARD and ear.beacon_every(601_000) == LONGEST_BEACON
    assert ear.where(bytes(16)) is None and ear.where((12).to_bytes(16, "big")) == Endpoint("10.0.0.1", 5000)


def test_invented_beacons_of_one_address_push_nobody_out_who_is_heard_elsewhere() -> None:
    ear, honest = BeaconLog(1000), Endpoint("10.0.0.2", 5000)
    ear.note(b"honest", honest, 0)
    for number in range(2 * MOST_HEARD):
        ear.note(number.to_bytes(16, "big"), Endpoint("10.0.0.1", 5000), 1)
    assert ear.where(b"honest") == honest and ear.count(2) == MOST_HEARD // 2 + 1


def test_what_is_said_to_a_peer_that_answers_slowly_waits_for_a_second_call_and_not_for_ever(
    station: Station,
) -> None:
    """Twenty-four programs on a busy machine: the first call was not answered in time, and the host counted as gone."""
    desk, machine, began = station._hall, station.node.neighbours, clock()
    slow, gone = identity(1), list[bytes]()
    station.lobby.went = lambda key, _, is_gone: gone.append(key)  # type: ignore[method-assign]
    [part] = posted(lives=3600)
    desk.hall.receive(Origin("10.0.0.1"), part, began)
    desk.hold(slow.key, b"may I sit down?", began)
    at, dials = began, 0
    while not gone:
        desk._look(at)
        for dial in [one for one in machine.outgoing if isinstance(one, Dial)]:
            machine.reached(dial.link)
            dials += 1
        machine.outgoing.clear()
        machine.wake(at)
        at += LOOK
        assert at < began + 60_000
    assert gone == [slow.key] and dials > 1 and not desk._held


@pytest.mark.parametrize("is_heard", [False, True])
def test_a_host_that_was_killed_is_gone_and_one_whose_firewall_refuses_calls_is_not(
    station: Station, *, is_heard: bool
) -> None:
    """The system refuses a call in both cases. Only the next beacons tell the two apart."""
    desk, machine, lobby, host, began = station._hall, station.node.neighbours, station.lobby, identity(1), clock()
    offer = Offer(bytes(16), host.key, terms("maze", 2), (Chair(host.key, "Ann", "person"),), "open", 0)
    [part] = parts_of(host, b"", 7, 3600, 50_000, content_of(Advert("Ann", "person", (offer,))))
    desk.hall.receive(Origin("10.0.0.1"), part, began)
    desk.wake(began)
    gathering, at, told = lobby.join(lobby.peers[host.key].tables[0], began), began, list[str]()
    station.flush()
    while not told and at < began + 6 * PATIENCE:
        at += LOOK
        if is_heard:
            machine.heard_beacon("10.0.0.1", Beacon(host.peer, 50_000).encode(), at)
        for dial in [one for one in machine.outgoing if isinstance(one, Dial)]:
            machine.lost(dial.link, at, CallEnd.REFUSED)
        machine.wake(at)
        desk.wake(at)
        lobby.wake(at)
        told = [one.event.why for one in lobby.events if isinstance(one, At) and isinstance(one.event, ChairRefused)]
    if is_heard:
        assert not told and host.key in lobby.peers and gathering.table in lobby.gatherings
    else:
        desk.wake(at)
        assert told == ["the host is gone"] and host.key not in lobby.peers
        assert 2 * machine.limits.beacon_every <= at - began < PATIENCE


if __name__ == "__main__":
    for what, value in story(int(sys.argv[1]), idle=30_000)[1].items():
        print(f"{what:32} {value:8.2f}")
