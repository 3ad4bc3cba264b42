"""The shelf of a table on the store: what waits for the disk, and what waits for the next thing that does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.trust.store import Store
from tests.net.tables import TABLE, begun, identity, mover, terms

MINE = identity(2)


def game(moves: int) -> Log:
    """A log of so many moves; the first seat is identity 1's, the second is ours."""
    log = begun(terms(options={"width": 3, "height": 3}, lot=False))
    for move in ("a1", "a2", "b1", "b2", "c1", "c2")[:moves]:
        log.take(log.write(MoveBody(move), mover(log)))
    return log


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path, MINE.key) as it:
        yield it


def commits(shelf: StoredTables, *entries: Entry) -> list[str]:
    """Keep entries; how each commit of that was made."""
    done: list[str] = []
    shelf.store._file.set_trace_callback(done.append)
    for entry in entries:
        shelf.keep_entry(entry)
    shelf.store._file.set_trace_callback(None)
    [(synced,)] = shelf.store.rows("PRAGMA synchronous")
    return [f"synchronous {synced}" for sql in done if sql == "COMMIT"]


def test_a_move_and_the_answer_to_it_are_one_commit(store: Store) -> None:
    begin, *moves = game(4).entries
    shelf = StoredTables(store, MINE)
    assert commits(shelf, begin) == ["synchronous 2"]
    for first in (0, 2):
        theirs, mine = moves[first : first + 2]
        assert commits(shelf, theirs) == []
        assert commits(shelf, mine) == ["synchronous 2"]
        assert store.entries(TABLE) == [begin.data, *(move.data for move in moves[: first + 2])]


def test_what_no_answer_follows_is_kept_all_the_same(store: Store) -> None:
    begin, theirs = game(1).entries
    shelf = StoredTables(store, MINE)
    commits(shelf, begin, theirs)
    assert store.entries(TABLE) == [begin.data]
    shelf.catch_up()
    shelf.catch_up()
    assert store.entries(TABLE) == [begin.data, theirs.data]


@pytest.mark.parametrize("then", ["promise", "settle"])
def test_what_a_promise_is_about_is_on_the_disk_with_it(store: Store, then: str) -> None:
    shelf = StoredTables(store, MINE)
    entries = game(1).entries
    commits(shelf, *entries)
    if then == "promise":
        shelf.keep_secret(TABLE, "promise", b"")
    else:
        shelf.settle(TABLE)
    assert store.entries(TABLE) == [entry.data for entry in entries]
    assert store.rows("PRAGMA synchronous") == [(2,)]
    done: list[str] = []
    store._file.set_trace_callback(done.append)
    shelf.settle(TABLE)
    assert not done, "all is there"


def test_what_the_disk_had_no_room_for_is_kept_later(store: Store) -> None:
    shelf = StoredTables(store, MINE)
    begin, theirs, mine = game(2).entries
    commits(shelf, begin, theirs)
    store.rows("PRAGMA query_only = 1")
    for keep in (shelf.catch_up, lambda: shelf.keep_entry(mine)):
        with pytest.raises(LocalError, match="read-only"):
            keep()
    store.rows("PRAGMA query_only = 0")
    shelf.keep_entry(mine)
    assert store.entries(TABLE) == [begin.data, theirs.data, mine.data]
