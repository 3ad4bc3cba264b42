"""What opens a seat's cards is random, on the shelf before the key is sent, and forgotten when the game is over.

So who steals the identity later reads no card of an earlier game, whatever logs there are.
"""

from pathlib import Path

import pytest

from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.core.shapes import pack
from quadrille.net.entries.bodies import KeyBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DrawMotion, all_of
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import CARDS, OwnCards, seat_secrets
from quadrille.net.program.station import Station
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.tables.table import Table
from quadrille.net.trust.store import Store
from tests.net.cards.by_hand import decide, dotter, drop, owner, play, seated, serve
from tests.net.cards.stub import STUB
from tests.net.tables import TABLE, MemoryShelf, cut


class Watched(MemoryShelf):
    """A shelf that remembers in what order things came."""

    def __init__(self, owner: bytes) -> None:
        super().__init__(owner)
        self.order: list[str] = []

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        self.order.append(label)
        super().keep_secret(table, label, data)

    def keep_entry(self, entry: Entry) -> None:
        self.order.append(entry.kind)
        super().keep_entry(entry)


def keyed(shelf: MemoryShelf) -> Table:
    """The first seat's program, which owes the deck its key and gives it."""
    table = seated(dotter(3, STUB), 0, shelf)
    table.wake(0)
    assert [entry.kind for entry in table.log.entries] == ["begin", "key"]
    return table


def test_the_random_secret_is_kept_before_the_key_is_sent() -> None:
    shelf = Watched(owner(0).key)
    keyed(shelf)
    assert shelf.order == [CARDS, "key"]
    assert len(shelf.secrets[TABLE, CARDS]) == 32


def test_the_key_does_not_follow_from_the_identity() -> None:
    table = keyed(MemoryShelf(owner(0).key))
    x = SeatSecrets(STUB, table.log.now.deck.gid, 0, owner(0).secret(CARDS, TABLE)).secret(0)
    assert STUB.base(int.from_bytes(x, "little")) != table.log.now.deck.keys[0]
    assert seat_secrets(table.log, 0, owner(0), MemoryShelf(owner(0).key)) is None, "without what is on the shelf"


def test_after_a_crash_the_same_secret_is_read_again() -> None:
    shelf = MemoryShelf(owner(0).key)
    table = keyed(shelf)
    shelf.lose_power()
    again = seated(cut(table.log, 1), 0, shelf)
    again.wake(0)
    assert again.log.entries[1].body == table.log.entries[1].body
    mine = seat_secrets(table.log, 0, owner(0), shelf)
    assert STUB.base(int.from_bytes(mine.secret(0), "little")) == table.log.now.deck.keys[0]


def test_who_lost_its_secret_gives_nothing_false_and_has_cards_again_with_the_next_deal() -> None:
    """Others refuse a share by another secret, and blame its seat; a new key needs no old one."""
    log = serve(play(dotter(3, STUB), "draw", "draw", "draw", "peek p2 1a 1b", "peek p1 1a 1b"), "share", 0)
    shelf = MemoryShelf(owner(0).key)
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
    shelf = MemoryShelf(owner(0).key)
    table = keyed(shelf)
    ended(table)
    table.open_book()
    assert table.log.books.keys() == {(0, 0)}
    again = keyed(other := MemoryShelf(owner(0).key))
    other.secrets.clear()
    later = Table(ended(again), owner(0), other, 0)
    later.open_book()
    assert later.log.books == {}, "who has forgotten opens nothing, and nothing false"


def test_promises_and_evidence_outlive_the_secret(tmp_path: Path) -> None:
    with Store(tmp_path, owner(0).key) as store:
        store.keep_table(TABLE, "dotter", b"", "seat", "over", 0)
        kept = ("proof", "fault/0", "promise/00", "book/0/0", "guest/00")
        for label in (*kept, CARDS):
            store.keep_secret(TABLE, label, b"x")
        store.forget_secrets(TABLE)
        assert [label for label in (*kept, CARDS) if store.secret(TABLE, label)] == list(kept)


@pytest.mark.parametrize("state", ["over", "playing"])
def test_the_next_start_forgets_what_a_crash_left(tmp_path: Path, state: str) -> None:
    """Also where the program was killed before it noted that the game was over."""
    station = Station("Ann", "person", folder=tmp_path, interfaces=["127.0.0.1"], resumes=False)
    store = station.store
    log = dotter(2, STUB)
    decide(log, all_of("draw"))
    assert log.now.over
    store.keep_table(TABLE, "dotter", pack(log.now.terms.plain()), "seat", state, 0)
    for entry in log.entries:
        store.keep_entry(TABLE, entry.index, entry.data)
    store.keep_secret(TABLE, CARDS, bytes(32))
    assert isinstance(station.shelf, StoredTables)
    with station:
        assert store.secret(TABLE, CARDS) is None
        kept = store.table(TABLE)
        assert kept is not None and kept.state == state, "it is resumed: others may not have heard of the last entry"
