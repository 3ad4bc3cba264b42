"""A simulated network of many peers that know each other by postings: real machines, virtual time, one seed.

A datagram reaches everybody on its sender's cable, but for those that lose it. Liars say what they like.
`python -m tests.net.hall_world 1000` prints what a hall of so many does.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Advert, Offer
from quadrille.net.hall.hall import Hall, Origin
from quadrille.net.hall.posting import POSTED, content_of, parts_of
from quadrille.net.trust.identity import SIGNATURE_BYTES, Identity
from tests.net.tables import terms
from tests.net.virtual_time import VirtualTime, signatures_checked_once

PORT = 50_000
TERMS = terms("maze", 2, {"size": 3})


def offer(key: bytes, number: int = 0, state: str = "open") -> Offer:
    return Offer(number.to_bytes(16, "big"), key, TERMS, (Chair(key, "host", "bot"),), state, 0)


class Resident:
    """An honest peer: its machine, and what its desk and its node do with that."""

    def __init__(self, world: "HallWorld", number: int, address: str, tables: int = 0) -> None:
        self.world, self.address, self.cable = world, address, 0
        self.identity = Identity(number.to_bytes(32, "big"))
        self.key = self.identity.key
        self.hall = Hall(
            self.identity,
            Random(number),
            serial=world.now,
            port=lambda: PORT,
            words=lambda: self.words,
            pace=lambda: self._pace,
        )
        self.words = Advert(f"p{number}", "bot", tuple(offer(self.key, one) for one in range(tables)))
        self.shown: dict[bytes, Advert] = {}
        self.refused = self.sent = self.bytes = 0
        self.is_up = True
        self._due, self._pace = -1, 1000
        self._beat_due = world.now + world.random.randrange(50)
        self._counted = 0  # others by their beacons, as at the last beat
        self.wake()

    def say(self, *tables: int) -> None:
        self.words = replace(self.words, tables=tuple(offer(self.key, one) for one in tables))
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
            self._pace = max(1000, 40 * self._counted)
            self._beat_due = now + self._pace + self.world.random.randrange(-self._pace // 10, 99)
            self._counted = len(self.world.near(self)) - 1
            self.hall.outgoing += [(None, data) for data in self.hall.beat(now)]
        if now >= self.hall.deadline:
            self.hall.wake(now)
        self._settle()

    def _settle(self) -> None:
        for key, data in drain(self.hall.outgoing):
            self.sent, self.bytes = self.sent + 1, self.bytes + len(data)
            if key is None:
                self.world.send(self.cable, self.address, data, self)
            else:
                there = self.world.residents[key]
                self.world.later(2, lambda there=there, data=data: there.hear(Origin(self.address, self.key), data))
        for event in drain(self.hall.events):
            if event.words is None:
                del self.shown[event.key]
            else:
                self.shown[event.key] = event.words
        due = min(self._beat_due, self.hall.deadline)
        if due != self._due:
            self._due = due
            self.world.later(max(1, due - self.world.now), lambda: self.wake() if self._due == due else None)

    @property
    def tables(self) -> set[bytes]:
        """All tables that it knows."""
        return {table.table + key for key, words in self.shown.items() for table in words.tables}


class HallWorld:
    """All peers of one network, whose cables are numbered."""

    def __init__(self, seed: str, loss: int = 0) -> None:
        """`loss`: thousandths of datagrams, for each receiver."""
        self.random, self.loss = Random(seed), loss
        self.time = VirtualTime()
        self.time.now = 1_000_000
        self.residents: dict[bytes, Resident] = {}
        self.heard: list[bytes] = []  # by liars
        self.counts = Counter[str]()

    @property
    def now(self) -> int:
        return self.time.now

    def later(self, delay: int, action: Callable[[], None]) -> None:
        self.time.later(delay, action)

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

    def near(self, one: Resident) -> list[Resident]:
        return [other for other in self.residents.values() if other.cable == one.cable]

    def send(self, cable: int, address: str, data: bytes, sender: Resident | None = None) -> None:
        self.counts["datagrams"] += 1
        self.heard.append(data)
        receivers = [one for one in self.residents.values() if one.cable == cable and one is not sender]
        if self.loss:
            receivers = [one for one in receivers if self.random.randrange(1000) >= self.loss]
        origin = Origin(address)
        self.later(2, lambda: [one.hear(origin, data) for one in receivers] and None)

    def link(self, one: Resident, other: Resident) -> None:
        for here, there in ((one, other), (other, one)):
            here.hall.came(there.key, self.now)
            here.wake()

    def run(self, milliseconds: int) -> None:
        end = self.now + milliseconds
        while self.time.step(end):
            pass
        self.time.now = end

    def until(self, condition: Callable[[], bool], most: int) -> int:
        """Let time pass until it is so; how long it took."""
        start = self.now
        while not condition():
            assert self.now - start < most, f"not within {most} ms"
            self.run(50)
        return self.now - start

    def all_known(self) -> bool:
        """Everybody shows everybody on its cable."""
        return all(one.shown.keys() >= {other.key for other in self.near(one)} - {one.key} for one in self.people())

    def all_tables_known(self) -> bool:
        tables = {table.table + one.key for one in self.people() for table in one.words.tables}
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
        _liar_sends(world, data)


def forges(world: HallWorld, count: int) -> None:
    """An honest peer's posting with a higher serial, and a signature of another key."""
    victim = world.people()[count % len(world.residents)]
    [mine] = parts_of(Identity(b"m" * 32), b"", world.now + 10**9, 3000, PORT, content_of(Advert("liar", "bot", ())))
    [theirs] = parts_of(victim.identity, b"", world.now + 10**9, 3000, PORT, content_of(Advert("liar", "bot", ())))
    start = len(POSTED) + SIGNATURE_BYTES
    _liar_sends(world, mine[:start] + theirs[start:])


def floods(world: HallWorld, count: int) -> None:
    """Twenty datagrams at once of bytes that are no posting."""
    for number in range(20):
        _liar_sends(world, POSTED + world.random.randbytes(64 + number))


def invents(world: HallWorld, count: int) -> None:
    """Eight new keys at once, each with tables, all by one address."""
    for number in range(8):
        made = Identity((10**9 + 8 * count + number).to_bytes(32, "big"))
        words = Advert(f"nobody {number}", "bot", tuple(offer(made.key, one) for one in range(3)))
        for part in parts_of(made, b"", world.now, 3600, 1 + number, content_of(words)):
            _liar_sends(world, part)


def _liar_sends(world: HallWorld, data: bytes) -> None:
    receivers = [one for one in world.people() if one.cable == 0]
    world.later(2, lambda: [one.hear(Origin(MALLORY), data) for one in receivers] and None)


LIARS: tuple[Callable[[HallWorld, int], None], ...] = (replays, forges, floods, invents)


def story(count: int, *, loss: int = 0, liars: bool = False, idle: int = 10_000) -> tuple[HallWorld, dict[str, float]]:
    """An evening of a hall of so many, and what it took: seconds, and what an idle peer posts in one."""
    with signatures_checked_once():
        world = HallWorld(f"{count}", loss)
        people = world.enter(count)
        known = world.until(world.all_tables_known, 60_000)
        world.until(world.all_known, 120_000)
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
        victim = [one for one in world.people() if one.words.tables][-1]
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


if __name__ == "__main__":
    for what, value in story(int(sys.argv[1]), idle=30_000)[1].items():
        print(f"{what:32} {value:8.2f}")
