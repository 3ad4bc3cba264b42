"""The points of an evening on all faces, and bets of those who watch: honest ones and others."""

from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.evening.scores import Bet
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.place import StationPresence
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import TextWish, Verb
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import Identity
from tests.client.phones.browser import browser
from tests.client.phones.doors import HOST
from tests.client.phones.served import play_by_touch, play_to_the_end, served
from tests.client.phones.served import seated as at_the_door
from tests.client.phones.test_page import judge
from tests.client.test_evening_scores import over
from tests.net.ports import udp_port
from tests.net.tables import TABLE, beginning, begun, identity, terms

SMALL = ("--seats", "2", "--set", "width=3", "--set", "height=3")


# The host's tables


@pytest.fixture
def place(tmp_path: Path) -> Any:
    with at_home(tmp_path / "home") as here:
        yield here


def at_home(home: Path) -> StationPresence:
    return StationPresence(NetworkOptions(None, str(home), (HOST,), (), udp_port(), 0, None))


def seated(own: Identity, table: bytes = TABLE) -> Log:
    log = Log(table)
    log.take(log.write(beginning(terms("maze", 2, {"size": 5}), table, sitting=(own, identity(7))), None))
    return log


def lies(place: Any, log: Log) -> None:
    place.station.lobby.tables[log.table] = SimpleNamespace(log=log, over=log.now.over, is_silent=False)


def test_a_bet_counts_of_a_guest_who_is_there_and_does_not_play_on_a_seat_and_at_a_table_that_are_there(
    place: Any,
) -> None:
    begun = seated(place.station.identity)
    chairs = (begun.now.chairs[0], Chair(place.station.identity.key, "Ben", GUEST, "Ann"))
    log = SimpleNamespace(table=begun.table, now=replace(begun.now, chairs=chairs))
    lies(place, log)
    for name in ("Cleo", "Ben"):
        place.door._list.give(name)
    here = log.table.hex()
    # a player, nobody, seats and tables that are not there
    for bets in (("Ben", here, 0), ("Eve", here, 0), ("Cleo", here, 2), ("Cleo", here, -1), ("Cleo", "00", 0)):
        place.door.bet(*bets)
    assert place.evening.board.bets == ()
    place.door.bet("Cleo", here, 0)
    place.door.bet("Cleo", here, 1)
    assert place.evening.board.bets == (Bet(here, "guest Cleo", "Cleo", 1),)


def test_a_game_at_a_table_of_this_home_counts_once_when_it_ends_and_one_of_strangers_does_not(place: Any) -> None:
    own = place.station.identity
    lies(place, over(b"another table !!"))
    place.ended()
    place.station.identity = identity(1)
    running = begun(terms("maze", 2, {"size": 2}))
    lies(place, running)
    place.ended()
    assert own != identity(1) and place.evening.board.games == ()
    for table in (running.table, b"the rematch here", b"the rematch here"):
        lies(place, over(table))
        place.ended()
    assert [game.table for game in place.evening.board.games] == [running.table.hex(), b"the rematch here".hex()]


def test_with_somebody_on_another_machine_no_host_leads_to_the_next_game_alone(place: Any) -> None:
    own = place.station.identity
    log = seated(own)
    stage = TableSeat(place.context, SimpleNamespace(log=log, over=None))
    stage.wish(TextWish(Verb.NEXT, "maze"))
    [refused] = stage.drain()
    assert "others decide too" in str(refused.why) and not place.context.leads(log)
    alone = replace(log.now, keys=(own.key,) * 2, chairs=(Chair(own.key, "Ann", "person"),) * 2)
    assert place.context.leads(SimpleNamespace(now=alone))


# In a real browser


@pytest.mark.slow
def test_a_watcher_bets_by_touch_and_the_points_are_read_by_all(tmp_path: Path) -> None:
    with browser() as chromium, served(tmp_path, "barons", *SMALL) as table:
        ben, cleo = at_the_door(chromium, table, "Ben"), at_the_door(chromium, table, "Cleo")
        cleo.until('!document.querySelector("#bet").hidden')
        cleo.touch("#winner button:nth-child(2)")
        cleo.until('document.querySelector("#betting").textContent === "You bet on Ben."')
        assert ben.run('document.querySelector("#bet").hidden')
        judge(cleo, "a bet")
        screen = chromium.page()
        screen.open(f"{table.address}tv#{table.code}")
        play_to_the_end(table, play_by_touch, Random(1), ben)
        for page in (ben, cleo, screen):
            page.until('document.querySelector("#over #points li") !== null')
            told = page.run('document.querySelector("#evening").textContent')
            assert "Cleo bet on Ben" in told and "1. " in told
        assert cleo.run('document.querySelector("#bet").hidden')
        judge(ben, "the points of the evening")
        notes = tmp_path / "ours.html"
        table.host.wait("The evening so far: .*Bets: Cleo ")
        table.host.enter("evening", f"evening {notes}")
        table.host.wait("After 1 game:")
        table.host.wait("Saved to ")
        ben.open(notes.as_uri())
        ben.until('document.querySelectorAll("svg[role=img]").length === 1')
        assert ben.run("document.documentElement.scrollWidth <= innerWidth")
        assert not ben.run("performance.getEntriesByType('resource').length"), "it needs no other file and no network"
        judge(ben, "the page to take home")
