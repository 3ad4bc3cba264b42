"""The tests tested: a bug is planted in the machines, and the simulation or the tests of liars must find it.

Each bug is one that a tired person could write. Games are played from one seed after another until one shows it; the
same games without the bug show nothing.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.faults import Desync, Late
from quadrille.net.entries.standing import Standing
from quadrille.net.entries.terms import Terms
from quadrille.net.game_log import ruling
from quadrille.net.game_log.log import Log
from quadrille.net.tables import accord as accord_module
from quadrille.net.tables.log_exchange import LogExchange
from quadrille.net.tables.promises import Promises
from tests.net import test_forgeries, test_log, test_simulation
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


def caught(monkeypatch: pytest.MonkeyPatch, where: object, name: str, bug: object, test: Callable[[], Any]) -> None:
    """A test that passes fails with the bug."""
    test()
    with monkeypatch.context() as patch:
        patch.setattr(where, name, bug)
        with pytest.raises((AssertionError, PeerError, pytest.fail.Exception)):
            test()


def test_the_signature_of_an_entry_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    test = test_simulation.TestLiars().test_entries_of_others_that_it_made_up_are_blamed_on_it
    caught(monkeypatch, Entry, "is_signed", lambda entry: True, test)


def test_the_signature_of_a_resignation_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    test = test_log.TestLeaving().test_nobody_resigns_for_another
    caught(monkeypatch, ruling, "verified", lambda *_: True, test)


def test_the_signature_of_a_motion_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    test = test_simulation.TestLiars().test_a_flood_of_motions_of_others_is_blamed
    caught(monkeypatch, ruling, "verified", lambda *_: True, test)


def test_no_signature_of_a_resignation_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    test = test_simulation.TestLiars().test_a_flood_of_resignations_of_others_is_blamed
    with monkeypatch.context() as patch:
        patch.setattr(ruling, "verified", lambda *_: True)
        caught(monkeypatch, accord_module, "verified", lambda *_: True, test)


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


def test_an_own_entry_does_not_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(shelf: MemoryShelf, entry: Entry) -> None:
        if (kept := (entry.table, entry.index, entry.data)) not in shelf.kept:
            shelf.kept.append(kept)

    planted(monkeypatch, MemoryShelf, "keep_entry", keep, THREE)


def test_the_time_that_a_seat_states_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    def trusting(standing: Standing, seat: int, used: int, **_: bool) -> tuple[int, ...]:
        return standing.remaining

    test = test_log.TestClocks().test_a_move_after_the_time_is_up_can_not_stand
    caught(monkeypatch, ruling, "_timed", trusting, test)


@pytest.mark.slow
def test_an_entry_of_a_seat_that_was_given_up_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, Promises, "refuses", lambda *_: False, THREE)


@pytest.mark.slow
def test_a_promise_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, accord_module.Accord, "_remember_promise", lambda _: None, FOUR)


def test_what_is_handed_on_is_not_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    test = test_forgeries.test_what_is_handed_on_is_on_the_disk_first
    caught(monkeypatch, LogExchange, "_settle", lambda _: None, test)


def test_two_entries_in_one_place_are_not_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def replaces(log: Log, entry: Entry) -> None:
        raise Late("another stands there")

    test = test_log.TestMoves().test_two_entries_of_one_author_in_one_place_prove_cheating
    caught(monkeypatch, Log, "_check_replaces", replaces, test)


def test_the_digest_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    after = Log._after

    def trusting(log: Log, entry: Entry, kept: int) -> Standing:
        try:
            return after(log, entry, kept)
        except Desync:
            return ruling.continued(log.standings[kept - 1], entry, log.checker)

    caught(monkeypatch, Log, "_after", trusting, test_log.TestMoves().test_another_position_is_a_desync)


@pytest.mark.slow
def test_who_falls_behind_does_not_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    take = LogExchange.take

    def only_in_order(exchange: LogExchange, sender: bytes, entries: tuple[Entry, ...], now: int) -> None:
        if entries[0].index == len(exchange._log.entries):
            take(exchange, sender, entries, now)

    planted(monkeypatch, LogExchange, "take", only_in_order, THREE)
