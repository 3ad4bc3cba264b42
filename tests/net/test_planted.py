"""The tests tested: a bug is planted in the machines, and the simulation or the tests of liars must find it.

Each bug is one that a tired person could write. Games are played from one seed after another until one shows it; the
same games without the bug show nothing.
"""

from itertools import count

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.terms import Terms
from quadrille.net.tables.accord import Accord
from quadrille.net.tables.table import Table
from tests.net.simulation import MemoryShelf, Weather, World, gather
from tests.net.tables import terms

MOST_GAMES = 200
THREE = terms("barons", 3, {"width": 3, "height": 3}, grace=1000)
FOUR = terms("barons", 4, {"width": 3, "height": 3}, grace=1000)
#: So slow that seats are given up that are still there, and programs die in the middle of it.
SLOW = Weather(loss=200, delay=2500, crashes=15, cuts=15, power=True)


def found_in(agreed: Terms, weather: Weather, seed: int) -> bool:
    """Whether something is wrong with that game."""
    world = World(str(seed), agreed, weather)
    gather(world)
    try:
        world.run(world.settled, 15_000)
        assert not world.blamed
    except (AssertionError, PeerError):
        return True
    return False


def games_until_found(agreed: Terms, weather: Weather) -> int:
    """How many games it takes."""
    return next(seed for seed in count() if seed == MOST_GAMES or found_in(agreed, weather, seed))


def planted(monkeypatch: pytest.MonkeyPatch, where: object, name: str, bug: object, agreed: Terms) -> None:
    """The bug is found, in a game in which there is nothing without it."""
    with monkeypatch.context() as patch:
        patch.setattr(where, name, bug)
        seed = games_until_found(agreed, SLOW)
    assert seed < MOST_GAMES
    assert not found_in(agreed, SLOW, seed)


@pytest.mark.slow
def test_an_entry_is_sent_before_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be kept is kept with the next thing: a program that dies has told what it does not know any more."""
    late: dict[MemoryShelf, Entry] = {}
    keep = MemoryShelf.keep_entry

    def keep_later(shelf: MemoryShelf, entry: Entry) -> None:
        if shelf in late:
            keep(shelf, late.pop(shelf))
        if entry.index > 0 and entry.author == shelf.owner:
            late[shelf] = entry
        else:
            keep(shelf, entry)

    planted(monkeypatch, MemoryShelf, "keep_entry", keep_later, THREE)


@pytest.mark.slow
def test_an_own_entry_does_not_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(shelf: MemoryShelf, entry: Entry) -> None:
        if (kept := (entry.table, entry.index, entry.data)) not in shelf.kept:
            shelf.kept.append(kept)

    planted(monkeypatch, MemoryShelf, "keep_entry", keep, THREE)


@pytest.mark.slow
def test_an_entry_of_a_seat_that_was_given_up_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, Accord, "refuses", lambda *_: False, THREE)


@pytest.mark.slow
def test_a_promise_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, Accord, "_remember_promise", lambda _: None, FOUR)


@pytest.mark.slow
def test_who_falls_behind_does_not_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    take = Table._take_all

    def only_in_order(table: Table, sender: bytes, entries: tuple[Entry, ...], now: int) -> None:
        if entries[0].index == len(table.log.entries):
            take(table, sender, entries, now)

    planted(monkeypatch, Table, "_take_all", only_in_order, THREE)
