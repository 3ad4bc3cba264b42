"""Peers that lie in a hall: they withhold, forge, invent peers and tables, replay, and babble."""

from random import Random

from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Offer
from quadrille.net.hall.hall_wire import (
    MOST_ROWS_TOLD,
    Beats,
    Digest,
    HallMessage,
    Lack,
    Marks,
    Missed,
    Postings,
)
from quadrille.net.hall.posting import HallPlace, Posting, content_of
from quadrille.net.trust.identity import Identity
from tests.net.hall_world import TERMS, HallPeer, HallWorld


class Liar(HallPeer):
    """Says what it likes to every link, whenever it would have said something; but two liars don't drive each other to
    ever more.
    """

    EVERY = 20

    def __init__(self, world: HallWorld, number: int, *rest: object) -> None:
        super().__init__(world, number, *rest)  # type: ignore[arg-type]
        self.honest = False
        self.dice = Random(number)
        self.lied_at = -self.EVERY

    def lies(self, key: bytes) -> list[HallMessage]:
        return []

    def told(self) -> list[tuple[bytes, HallMessage]]:
        said = super().told()
        if self.world.now - self.lied_at < self.EVERY:
            return said
        self.lied_at = self.world.now
        return [*said, *((key, lie) for key in sorted(self.links) for lie in self.lies(key))]

    def posting_by(self, own: Identity, tables: int, host: str) -> Posting:
        chair = Chair(own.key, "somebody", "person")
        names = [bytes([index]) + own.key[:15] for index in range(tables)]
        offers = tuple(Offer(name, own.key, TERMS, (chair,), "open", 0).plain() for name in names)
        return Posting(own.key, 7, content_of((HallPlace(host, 50_000),), "somebody", "person", offers))


class Withholder(Liar):
    """Hears everything and passes nothing on; its digest is always that of the asker."""

    def receive(self, key: bytes, message: HallMessage) -> None:
        if isinstance(message, Postings):
            super().receive(key, message)

    def told(self) -> list[tuple[bytes, HallMessage]]:
        super().told()
        return []


class Forger(Liar):
    """Posts in the names of others."""

    def lies(self, key: bytes) -> list[HallMessage]:
        victims = [peer.identity for peer in self.world.honest()]
        victim = victims[self.dice.randrange(len(victims))]
        forged = self.posting_by(Identity(bytes([9]) * 32), 3, "10.9.9.9")
        known = self.world.peers[victim.key].hall.directory.get(victim.key)
        lies = [Posting(victim.key, 2**40, forged.content, 1, 120, self.dice.randbytes(64))]
        if known is not None:  # a farewell with a true signature over something else
            lies.append(Posting(victim.key, known.serial + 1, b"", known.beat, known.lives, known.signature))
        return [Postings(((lie, 0),)) for lie in lies[self.dice.randrange(len(lies)) :][:1]]


class Inventor(Liar):
    """Posts peers and tables that are not there, from addresses of its own and of nobody."""

    INVENTED = 40

    def __init__(self, world: HallWorld, number: int, *rest: object) -> None:
        super().__init__(world, number, *rest)
        self.invented = []
        for index in range(self.INVENTED):
            own = Identity((number * 1000 + index).to_bytes(31, "big") + b"x")
            host = (
                self.own_places[0].host if index % 2 else f"10.77.{self.dice.randrange(256)}.{self.dice.randrange(256)}"
            )
            self.invented.append((self.posting_by(own, 4, host).signed(own, 1, 120), 0))
        self.asked: dict[bytes, int] = {}

    def lies(self, key: bytes) -> list[HallMessage]:
        if self.asked.get(key, 0) > self.world.now - 5000:
            return []
        self.asked[key] = self.world.now
        return [Postings(tuple(self.invented[:MOST_ROWS_TOLD]))]


class Replayer(Liar):
    """Tells the first that it heard of everybody for ever, as if it were fresh."""

    def __init__(self, world: HallWorld, number: int, *rest: object) -> None:
        super().__init__(world, number, *rest)
        self.heard: dict[bytes, Posting] = {}

    def receive(self, key: bytes, message: HallMessage) -> None:
        if isinstance(message, Postings):
            for posting, _ in message.rows:
                self.heard.setdefault(posting.key, posting)
        super().receive(key, message)

    def lies(self, key: bytes) -> list[HallMessage]:
        old = list(self.heard.values())[: MOST_ROWS_TOLD // 8]
        beats = tuple((one.mark, one.beat, one.lives, one.signature, 0) for one in old)
        return [Postings(tuple((one, 0) for one in old)), Beats(beats)] if self.dice.random() < 0.1 else []


class Babbler(Liar):
    """Answers everything with marks of nothing, and asks for everything."""

    def receive(self, key: bytes, message: HallMessage) -> None:
        super().receive(key, message)
        if isinstance(message, Digest):
            parts = tuple((part, self.dice.randbytes(128)) for part in range(64))
            marks = b"".join(one.mark for one in self.hall.directory.all_shown())
            self.hall.outgoing += [(key, Marks(parts)), (key, Lack(marks[: 8 * 1024])), (key, Digest(bytes(512)))]


class Accuser(Liar):
    """Has lost sight of everybody, again and again."""

    def lies(self, key: bytes) -> list[HallMessage]:
        known = tuple((one.mark, one.beat, one.lives, one.signature, 0) for one in self.hall.directory.all_shown())
        return [Missed(known)] if self.dice.random() < 0.1 else []


LIARS = (Withholder, Forger, Inventor, Replayer, Babbler, Accuser)
