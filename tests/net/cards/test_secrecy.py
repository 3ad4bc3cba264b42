"""What a seat can tell about cards that it may not know: nothing, by all that it receives and stores.

Two deals are compared that differ in such cards alone. All seats have the same secrets in both and make the same moves;
only the order in which one seat that the observer does not know laid the cards is another, so that two cards are
exchanged which the observer never looked at and which never lay face up. A key fixes what a ciphertext holds, so the
bytes of the cards can't be the same in both: they hide by the decisional Diffie-Hellman problem. What is compared is
therefore, byte for byte,

1. **everything but points and proofs** (here, at a real table of three in the real group): all entries up to the
   shuffle in question as they are; after that the kinds, authors, places, moves, times and digests of all entries; the
   positions, the observer's view and what it has seen, the record, what its program tells it. Of what differs (cards,
   points, shares, proofs, and with them the hashes `before` and the signatures) all lengths and places are the same,
   in what comes, in what is sent, and on the shelf.
2. **the points**: no point of a look or a share comes twice, however often a card is looked at, and each look adds
   another blind to it. So nobody who can only add points and compare them can tell that two looks were at one card.

Proofs are of kinds that tell nothing (docs/protocols/cards.md, "Proofs"), as long as no nonce is used again
(test_group.py).

And all bytes are searched (TestBytes), of what every seat of a game in bad weather was told and stored, and
of the file of a real store: no card's point and no secret of another seat is in it, until a seat leaves or opens its
book.

What opens a seat's cards is random, on the shelf before the key is sent, and forgotten when the game is over. So who
steals the identity later reads no card of an earlier game, whatever logs there are.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from quadrille.net.cards import group
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import card_points, scalar_bytes, split
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import KeyBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DrawMotion, all_of
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Entries, Message, sealed
from quadrille.net.game_log import own_cards
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Took
from quadrille.net.game_log.own_cards import CARDS, OwnCards
from quadrille.net.program.station import Station
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from quadrille.rules import record
from tests.net.by_hand import CrashShelf, cut, drawn
from tests.net.cards.by_hand import decide, dotter, drop, faces_by, owner, play, seat_secrets, seated, serve, shelf_of
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.simulation import Peer, Weather
from tests.net.tables import TABLE, calls

#: Seat 0 observes. It sees the cards at 0, 1, 3 and 4; those at 6, 7 and 8 are turned up for all; seat 1 sees those at
#: 5, 9 and 10, seat 2 that at 5 too; nobody sees those from 11 on.
MOVES: Final = (
    *("draw", "draw", "draw", "peek p1 1a 1b", "peek p2 1b 1c", "peek p2 1a 1c", "peek p2 1a 1b", "peek p1 1a 1b"),
    *("score p3 1a 1b 1c", "draw", "peek p1 2a 2b", "draw", "draw"),
)
EXCHANGED: Final = {"cards that others have seen": (5, 9), "one that another has seen": (5, 40), "unseen": (12, 53)}


def dealt(exchanged: tuple[int, int] | None) -> Log:
    """The game, where the last seat to shuffle laid these two cards the other way round."""
    log = serve(dotter(3), "shuffle", 2)
    really = Draws.permutation

    def laid(draws: Draws, length: int) -> list[int]:
        order = really(draws, length)
        if exchanged:
            one, other = exchanged
            order[one], order[other] = order[other], order[one]
        return order

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draws, "permutation", laid)
        serve(log)
    return serve(play(log, *MOVES))


@cache
def deals() -> dict[str, Log]:
    return {"as it was": dealt(None), **{name: dealt(pair) for name, pair in EXCHANGED.items()}}


class Observed:
    """All that the program of one seat gets, keeps, says and tells, entry by entry."""

    def __init__(self, log: Log, seat: int, shelf: TableStore | None = None) -> None:
        self.shelf = CrashShelf(owner(seat).key)
        self.table = Table(cut(log, 1), owner(seat), shelf or self.shelf, 0)
        (shelf or self.shelf).keep_entry(log.entries[0])
        shelf_of(log, owner(seat), shelf or self.shelf)
        self.received: list[Message] = []
        self.views: list[Any] = []
        for entry in log.entries[1:]:
            message = Entries(log.table, (entry,))
            self.received.append(message)
            self.table.receive(entry.author, message, 0)
            state = self.table.view
            self.views.append((state.plain(), state.scene(), self.table.log.now.match.state.plain()))
        assert self.table.log.head == log.head

    def derived(self) -> list[Any]:
        """What its program tells, and what it can print."""
        log = self.table.log
        events = [event if not isinstance(event, Took) else public(event.entry) for event in self.table.events]
        faces = seat_secrets(log, self.table.seat or 0).faces(log.now.deck)
        standings = [(one.match.pending, one.owed, one.turn, one.remaining, one.keys) for one in log.standings]
        return [self.views, events, record.write(log.now.match), faces, standings, log.now.match.state.digest()]


def public(entry: Entry) -> tuple[Any, ...]:
    """An entry without what may differ: of bytes in the body only the length."""
    body = tuple(len(part) if isinstance(part, bytes) else part for part in entry.body.plain())
    return entry.table, entry.index, entry.author, entry.kind, body, entry.used, entry.digest, len(entry.data)


def lengths(value: Any) -> Any:
    """A message or a part of it, with bytes as their lengths only; what is packed in bytes is looked into."""
    match value:
        case bytes():
            try:
                return lengths(unpack(value)) if len(value) > 64 else len(value)
            except PeerError:
                return len(value)
        case tuple() | list():
            return [lengths(part) for part in value]
        case Entries(table, entries):
            return table, lengths([entry.data for entry in entries])
    return value


class TestTwoDeals:
    @pytest.mark.first(1)
    @pytest.mark.parametrize("name", EXCHANGED)
    def test_differ_in_what_the_others_know(self, name: str) -> None:
        """So that there is something to hide: seat 1 sees another card in one of them."""
        views = [seated(deals()[which], 1).view for which in ("as it was", name)]
        assert (views[0] != views[1]) == (name != "unseen")
        logs = [deals()[which] for which in ("as it was", name)]
        secrets = [[seat_secrets(log, seat).secret(0) for seat in range(3)] for log in logs]
        truths = [faces_by(log.now.deck, own) for log, own in zip(logs, secrets, strict=True)]
        one, other = EXCHANGED[name]
        swapped = {**truths[0], one: truths[0][other], other: truths[0][one]}
        assert truths[1] == swapped != truths[0]

    @pytest.mark.first(1)
    @pytest.mark.parametrize("name", EXCHANGED)
    def test_are_the_same_to_who_does_not(self, name: str) -> None:
        here, there = Observed(deals()["as it was"], 0), Observed(deals()[name], 0)
        assert here.derived() == there.derived()
        entries = [one.table.log.entries for one in (here, there)]
        last = next(e.index for e in entries[0] if e.kind == "shuffle" and e.author == owner(2).key)
        assert [e.data for e in entries[0][:last]] == [e.data for e in entries[1][:last]]
        assert list(map(public, entries[0])) == list(map(public, entries[1]))
        assert [lengths(m) for m in here.received] == [lengths(m) for m in there.received]
        assert [(key, lengths(m)) for key, m in here.table.outgoing] == [
            (key, lengths(m)) for key, m in there.table.outgoing
        ]
        assert [(t, i, len(data)) for t, i, data in here.shelf.kept] == [(t, i, len(d)) for t, i, d in there.shelf.kept]
        assert here.shelf.secrets == there.shelf.secrets and len(here.shelf.secrets) == 1


def test_two_looks_at_one_card_have_no_point_and_no_blind_in_common() -> None:
    """What comes back as one share or another is not that of the card, or all could tell who saw which."""
    log, said, blinds, slots = deals()["as it was"], list[bytes](), list[bytes](), list[int]()
    for entry, before in zip(log.entries[1:], log.standings, strict=False):
        if entry.kind in ("look", "share"):
            said += split(entry.body.plain()[0])
        if entry.kind == "look" and before.deck and before.deck.asked:
            looked = before.deck.asked.slots
            slots += looked
            pairs = zip(said[-len(looked) :], looked, strict=True)
            blinds += [group.minus(point, before.deck.cards[slot][0]) for point, slot in pairs]
    assert len({*slots}) < len(slots) and len({*said}) == len(said) and len({*blinds}) == len(blinds)


def secrets_of(log: Log, identity: Identity, random: bytes | None = None) -> dict[str, bytes]:
    """What a seat must keep to itself while it is in the game, by what it is; `random` is what is on its shelf."""
    seat = log.now.keys.index(identity.key)
    more = [random] if random is not None else []
    found = {"key file": identity._sign_key, "cards": identity.secret("cards", log.table, *more)}
    for standing in log.standings:
        deck = standing.deck
        if deck is None:
            continue
        own = SeatSecrets(deck.gid, seat, found["cards"])
        found[f"key {deck.epoch}"] = own.secret(deck.epoch)
        for look in deck.looked:
            if look.by == seat:
                blinds = {f"blind {look.before.hex()} {slot}": own._blind(look.before, slot) for slot in look.slots}
                found |= {name: scalar_bytes(blind) for name, blind in blinds.items()}
    return found


def leaked(where: bytes, what: dict[str, bytes]) -> set[str]:
    """What is found there, in either order of its bytes."""
    return {name for name, secret in what.items() if secret in where or secret[::-1] in where}


def points() -> dict[str, bytes]:
    return {f"card {value}": point for value, point in enumerate(card_points())}


class Wired(DotterWorld):
    """A world that keeps all that is said, and who was told."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self.told: dict[bytes, list[bytes]] = {}
        super().__init__(*given, **more)

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        self.told.setdefault(key, []).append(sealed(message, peer.identity))
        super().send(peer, key, message)

    def everything(self, peer: Peer) -> bytes:
        """All that a peer was told, and all that is on its shelf."""
        kept = [data for _, _, data in peer.shelf.kept] + list(peer.shelf.secrets.values())
        return b"|".join(self.told[peer.identity.key] + kept)

    def secrets_of(self, log: Log, peer: Peer) -> dict[str, bytes]:
        return secrets_of(log, peer.identity, peer.shelf.secret(log.table, CARDS))

    def leaks(self, log: Log) -> set[tuple[str, str]]:
        """Whose secrets are anywhere else than with them, by the names of seats and secrets."""
        found = set()
        for peer in self.seated:
            for other in self.seated:
                for name in leaked(self.everything(peer), self.secrets_of(log, other)):
                    found.add((other.name, name))
        return found


class TestBytes:
    def test_no_secret_and_no_card_leaves_a_seat(self) -> None:
        """In bad weather, with crashes, power cuts and a seat that dies: to nobody, and onto no shelf."""
        weather = Weather(loss=50, twice=20, delay=200, cuts=4, crashes=8, power=True, deaths=4)
        world = Wired("leaks 4", small(3), weather)
        world.run(world.settled)
        log = world.logs()[0]
        assert log.now.deck.epoch > 0 and log.now.deck.looked
        assert world.leaks(log) == set()
        for peer in world.seated:
            assert leaked(world.everything(peer), points()) == set()
        for peer in world.honest():
            assert log.entries[-2].data in world.everything(peer), "it was told of the game"

    def test_who_leaves_tells_the_secret_of_its_key_and_no_other(self) -> None:
        world = Wired("leaves", small(3))
        world.run(lambda: any(log.now.owed == "move" and len(log.entries) > 20 for log in world.logs()))
        leaver = world.seated[1]
        [table] = leaver.lobby.tables.values()
        table.resign(world.clock(leaver))
        world.after(leaver)
        world.run(lambda: all(len(log.now.seats_in()) == 2 for log in world.logs()))
        assert world.leaks(table.log) == {(leaver.name, "key 0")}

    def test_a_book_tells_the_secrets_of_keys_and_no_other(self) -> None:
        world = Wired("book", small(2))
        world.run(world.settled)
        assert world.leaks(world.logs()[0]) == set()
        opener = world.seated[0]
        [table] = opener.lobby.tables.values()
        table.open_book()
        world.after(opener)
        world.run(lambda: all(log.books for log in world.logs()))
        assert world.leaks(table.log) == {(opener.name, "key 0")}

    def test_the_file_of_a_store_holds_no_secret_and_no_card(self, tmp_path: Path) -> None:
        log = deals()["as it was"]
        with Store(tmp_path, owner(0).key) as store:
            Observed(log, 0, StoredTables(store, owner(0)))
            names = [name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
            values = [value for name in names for row in store.rows(f"SELECT * FROM {name}") for value in row]
            rows = b"|".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
            files = b"|".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))
        assert {path.name for path in tmp_path.iterdir()} >= {"store.sqlite"}
        for where in (rows, files):
            assert log.entries[-1].signature in where, "the game is there"
            assert leaked(where, points()) == set()
            for seat in range(3):
                found = leaked(where, secrets_of(log, owner(seat), drawn(owner(seat).key, log.table)))
                assert found <= {"key file"}  # by chance: chairs of tests reveal the bytes of their identities
        texts = " ".join(value for value in values if isinstance(value, str))
        assert not [face for face in log.now.match.state.sealed().pile.faces if face in texts.split()]


# What opens a seat's cards


def keyed(shelf: CrashShelf) -> Table:
    """The first seat's program, which owes the deck its key and gives it."""
    table = seated(dotter(3), 0, shelf)
    table.wake(0)
    assert [entry.kind for entry in table.log.entries] == ["begin", "key"]
    return table


def test_the_random_secret_is_kept_before_the_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = CrashShelf(owner(0).key)
    kept = calls(monkeypatch, CrashShelf, "keep_secret", "keep_entry")
    keyed(shelf)
    assert kept == ["keep_secret", "keep_entry"] and [*shelf.secrets] == [(TABLE, CARDS)]
    assert len(shelf.secrets[TABLE, CARDS]) == 32


@pytest.mark.usefixtures("numbers")
def test_the_key_does_not_follow_from_the_identity() -> None:
    table = keyed(CrashShelf(owner(0).key))
    x = SeatSecrets(table.log.now.deck.gid, 0, owner(0).secret(CARDS, TABLE)).secret(0)
    assert group.base(int.from_bytes(x, "little")) != table.log.now.deck.keys[0]
    assert own_cards.seat_secrets(table.log, 0, owner(0), CrashShelf(owner(0).key)) is None, (
        "without what is on the shelf"
    )


@pytest.mark.usefixtures("numbers")
def test_after_a_crash_the_same_secret_is_read_again() -> None:
    shelf = CrashShelf(owner(0).key)
    table = keyed(shelf)
    shelf.lose_power()
    again = seated(cut(table.log, 1), 0, shelf)
    again.wake(0)
    assert again.log.entries[1].body == table.log.entries[1].body
    mine = own_cards.seat_secrets(table.log, 0, owner(0), shelf)
    assert group.base(int.from_bytes(mine.secret(0), "little")) == table.log.now.deck.keys[0]


@pytest.mark.usefixtures("numbers")
def test_who_lost_its_secret_gives_nothing_false_and_has_cards_again_with_the_next_deal() -> None:
    """Others refuse a share by another secret, and blame its seat; a new key needs no old one."""
    log = serve(play(dotter(3), "draw", "draw", "draw", "peek p2 1a 1b", "peek p1 1a 1b"), "share", 0)
    shelf = CrashShelf(owner(0).key)
    hand = OwnCards(log, owner(0), shelf)
    assert hand.owed() is None and hand.secret(0) == b"" and not shelf.secrets
    shelf.secrets[TABLE, CARDS] = bytes(32)
    assert hand.view(0) == log.now.match.state.told(0, {}), "not even what it had seen"
    assert hand.owed() is None and hand.secret(0) == b""
    drop(serve(log, "share", 2), 2)
    key = hand.owed()
    assert isinstance(key, KeyBody) and log.take(log.write(key, owner(0))) and hand.secret(0)


def ended(table: Table) -> Log:
    """All agree that the game is over, though the others never gave a key."""
    log = table.log
    log.now = log.standings[-1] = DrawMotion().done(log.now, log.head)
    return log


def test_a_book_can_be_opened_until_the_secret_is_forgotten() -> None:
    shelf = CrashShelf(owner(0).key)
    table = keyed(shelf)
    ended(table)
    table.open_book()
    assert table.log.books.keys() == {(0, 0)}
    again = keyed(other := CrashShelf(owner(0).key))
    other.secrets.clear()
    later = Table(ended(again), owner(0), other, 0)
    later.open_book()
    assert later.log.books == {}, "who has forgotten opens nothing, and nothing false"


def test_promises_and_evidence_outlive_the_secret(tmp_path: Path) -> None:
    with Store(tmp_path, owner(0).key) as store:
        store.keep_table(TABLE, "dotter", "seat", 0)
        kept = ("proof", "fault/0", "promise/00", "book/0/0", "guest/00")
        for label in (*kept, CARDS):
            store.keep_secret(TABLE, label, b"x")
        store.forget_secrets(TABLE)
        assert [label for label in (*kept, CARDS) if store.secret(TABLE, label)] == list(kept)


@pytest.mark.parametrize("state", ["over", "playing"])
@pytest.mark.usefixtures("numbers")
def test_the_next_start_forgets_what_a_crash_left(tmp_path: Path, state: str) -> None:
    """Also where the program was killed before it noted that the game was over."""
    station = Station("Ann", "person", folder=tmp_path, interfaces=["127.0.0.1"], resumes=False)
    store = station.store
    log = dotter(2)
    decide(log, all_of("draw"))
    assert log.now.over
    store.keep_table(TABLE, "dotter", "seat", 0)
    store.mark_table(TABLE, state=state)
    for entry in log.entries:
        store.keep_entry(TABLE, entry.index, entry.data)
    store.keep_secret(TABLE, CARDS, bytes(32))
    with station:
        assert store.secret(TABLE, CARDS) is None
        kept = store.table(TABLE)
        assert kept is not None and kept.state == state, "it is resumed: others may not have heard of the last entry"
