"""A coarse hall: only who has heard of which table, so that ten thousand fit. No message, no signature, no directory.

Each peer has the links that net/hall/few_links.py chooses. Time goes in steps of 50 ms. A peer that has heard of new
tables tells each link in its next step, at most once a second, all at once, and at the pace of net/hall/hall.py. Liars
tell nothing. What each peer knows is a number, a bit for each table.
"""

from random import Random
from typing import Any

from quadrille.net.core.pace import Bucket
from quadrille.net.hall.few_links import FEW, NEXT
from quadrille.net.hall.hall_limits import NEWS
from quadrille.net.hall.hall_link import NEWS_OF_LINK

STEP = 50
#: Tables that one message has room for.
MOST_TOLD_OF = 120


class CoarseHall:
    """Peers in the order of the ring, and the tables that each has heard of."""

    def __init__(self, count: int, seed: str, liars: int = 0) -> None:
        dice = Random(seed)
        self.links: list[set[int]] = [set() for _ in range(count)]
        for peer in range(count):
            others = {(peer + step) % count for step in range(1, NEXT + 1)}
            others |= {dice.randrange(count) for _ in range(FEW - NEXT)} - {peer}
            for other in others:
                self.links[peer].add(other)
                self.links[other].add(peer)
        self.lies = set(dice.sample(range(count), count * liars // 100))
        self.knows = [0] * count
        self.told: list[dict[int, int]] = [dict.fromkeys(links, 0) for links in self.links]
        self.paces = [Bucket(NEWS) for _ in range(count)]
        self.of_links = [{other: Bucket(NEWS_OF_LINK) for other in links} for links in self.links]
        self.restless = set[int]()
        self.now = 0
        self.messages = 0
        self.most = [0] * count

    def open(self, host: int, table: int) -> None:
        self.knows[host] |= 1 << table
        self.restless.add(host)

    def step(self) -> None:
        """Everybody who has news tells them, and hears those of this step afterwards."""
        self.now += STEP
        heard: dict[int, int] = {}
        for peer in sorted(self.restless):
            if peer in self.lies or not self._tell(peer, heard):
                self.restless.discard(peer)
        for peer, tables in heard.items():
            if tables & ~self.knows[peer]:
                self.knows[peer] |= tables
                self.restless.add(peer)

    def _tell(self, peer: int, heard: dict[int, int]) -> bool:
        """Tell its links what they may lack; whether something is still owed."""
        owes = False
        for other, told in self.told[peer].items():
            new = self.knows[peer] & ~told & ~self.told[other][peer]
            if not new:
                continue
            if self.of_links[peer][other].due <= self.now and self.paces[peer].take(self.now):
                self.of_links[peer][other].take(self.now)
                new = some_of(new)
                owes = owes or bool(self.knows[peer] & ~told & ~self.told[other][peer] & ~new)
                self.told[peer][other] |= new
                heard[other] = heard.get(other, 0) | new
                self.messages += 1
                self.most[peer] += 1
            else:
                owes = True
        return owes

    def known(self, tables: int) -> bool:
        every = (1 << tables) - 1
        return all(every & ~self.knows[peer] == 0 for peer in range(len(self.knows)) if peer not in self.lies)


def some_of(tables: int) -> int:
    """As many of these as a message has room for."""
    low, high = 0, tables.bit_length()
    while low < high:
        middle = (low + high + 1) // 2
        if (tables & ((1 << middle) - 1)).bit_count() <= MOST_TOLD_OF:
            low = middle
        else:
            high = middle - 1
    return tables & ((1 << low) - 1)


def coarse(count: int, at_once: int = 100, liars: int = 10) -> dict[str, Any]:
    """A hall in which so many tables are opened at one moment, and one more a minute later, among liars."""
    hall = CoarseHall(count, "coarse", liars)
    hosts = [peer for peer in range(count) if peer not in hall.lies][:: count // (2 * at_once)][:at_once]
    for table, host in enumerate(hosts):
        hall.open(host, table)
    while not hall.known(len(hosts)):
        hall.step()
        assert hall.now < 60_000
    all_at_once, messages = hall.now, hall.messages
    hall.now += 60_000
    hall.open(hosts[0], len(hosts))
    since = hall.now
    while not hall.known(len(hosts) + 1):
        hall.step()
        assert hall.now - since < 60_000
    return {
        "peers": count,
        "tables at once": len(hosts),
        "all known after ms": all_at_once,
        "messages of each": round(messages / count, 1),
        "at most": max(hall.most),
        "one more table after ms": hall.now - since,
        "messages of each for it": round((hall.messages - messages) / count, 1),
    }
