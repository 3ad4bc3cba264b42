"""The table of an evening: what counts, what is kept of it, and the page to take home."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.evening.kept import LULL, KeptEvening
from quadrille.client.evening.page import evening_page
from quadrille.client.evening.scores import Bet, EndedGame, Scoreboard, known_by, may_bet
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.place import StationPresence
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import TextWish, Verb
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from quadrille.rules.match import Match
from quadrille.rules.record import write
from quadrille.rules.registry import game, own_keys
from tests.client.phones.browser import browser
from tests.client.phones.doors import HOST
from tests.client.phones.served import NINE, play_by_touch, play_to_the_end, served
from tests.client.phones.served import seated as at_the_door
from tests.client.phones.test_page import judge
from tests.client.pictures.test_pages import self_contained
from tests.net.ports import udp_port
from tests.net.tables import TABLE, beginning, begun, identity, mover, terms

#: Three people; Eve's key looks like nobody's.
ANN, BEN, CLEO, EVE = (bytes([number] * 32).hex() for number in range(4))
NAMES = {ANN: "Ann", BEN: "Ben", CLEO: "Cleo", EVE: "Eve"}
HOSTILE = '<img src=x onerror="alert(1)">\u202e</title>{{ 7 * 7 }}'


def ended(places: Sequence[int], keys: Sequence[str] = (ANN, BEN, CLEO), table: str = "01", **more: str) -> EndedGame:
    """A game that ended with these places. Its record is no game, unless one is given."""
    given, names = tuple(keys[: len(places)]), tuple(NAMES[key] for key in keys[: len(places)])
    record = more.get("record", "")
    return EndedGame(table, 1_800_000_000_000, more.get("title", "Maze"), given, names, tuple(places), record)


def bet(key: str, seat: int, table: str = "01") -> Bet:
    return Bet(table, key, NAMES[key], seat)


def board(*of: EndedGame | Bet) -> Scoreboard:
    found = Scoreboard()
    for line in of:
        found = found.after(line)
    return found


def played(key: str) -> Match:
    return random_match(setting(key, game(key).lesson.options, game(key).usual_seats), "an evening")


# What counts


#: A second game of Ann and Ben, which she won under another name.
ANEW = EndedGame("02", 0, "Maze", (ANN, BEN), ("Anna", "Ben"), (1, 2), "")
#: What ended and what was bet, and the points.
COUNTS: dict[str, tuple[tuple[EndedGame | Bet, ...], dict[str, float]]] = {
    "a point for each who is left behind": ((ended((1, 2, 3)),), {"Ann": 2, "Ben": 1, "Cleo": 0}),
    "half a point for each beside": ((ended((2, 1, 2)),), {"Ben": 2, "Ann": 0.5, "Cleo": 0.5}),
    "two share the first place": ((ended((1, 1)),), {"Ann": 0.5, "Ben": 0.5}),
    "all share the first place": ((ended((1, 1, 1)),), {"Ann": 1, "Ben": 1, "Cleo": 1}),
    "a table counts once": ((ended((1, 2)), ended((1, 2)), ended((2, 1))), {"Ann": 1, "Ben": 0}),
    "a rematch counts anew": ((ended((1, 2)), ended((2, 1), table="02")), {"Ann": 1, "Ben": 1}),
    "whoever changes the name keeps the points": ((ended((1, 2)), ANEW), {"Anna": 2, "Ben": 0}),
    "a right bet of somebody who never played": (
        (bet(CLEO, 0), bet(EVE, 1), ended((1, 2))), {"Ann": 1, "Cleo": 1, "Ben": 0, "Eve": 0},
    ),
    "a bet on one of several winners": ((bet(CLEO, 1), ended((1, 1))), {"Ann": 0.5, "Ben": 0.5, "Cleo": 1}),
    "the last bet alone": ((bet(CLEO, 0), bet(CLEO, 1), ended((1, 2))), {"Ann": 1, "Ben": 0, "Cleo": 0}),
    "one bet forty times": ((*[bet(CLEO, 0)] * 40, ended((1, 2))), {"Ann": 1, "Ben": 0, "Cleo": 1}),
    "bets of the players": ((bet(ANN, 0), bet(BEN, 0), ended((1, 2))), {"Ann": 1, "Ben": 0}),
    "a bet at another table": (
        (bet(CLEO, 0, "02"), ended((1, 2)), ended((2, 1), table="02")), {"Ann": 1, "Ben": 1, "Cleo": 0},
    ),
    "a bet after the end": ((ended((1, 2)), bet(CLEO, 0)), {"Ann": 1, "Ben": 0}),
    "bets on seats that are not there": ((bet(CLEO, 7), bet(EVE, -1), ended((1, 2))), {"Ann": 1, "Ben": 0}),
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTS)
def test_what_counts(what: str) -> None:
    lines, points = COUNTS[what]
    assert {score.name: score.halves / 2 for score in board(*lines).scores().values()} == points


def test_every_game_gives_as_many_points_as_it_has_pairs_of_players() -> None:
    for places in ((1, 2, 3, 4), (1, 1, 3, 3), (1, 2, 2, 2), (1, 1, 1, 1)):
        assert sum(ended(places, (ANN, BEN, CLEO, EVE)).halves) == 2 * 6


def test_a_guest_who_comes_again_or_is_handed_a_seat_goes_on_with_the_points() -> None:
    """Also two people at one keyboard, who have one key: both had the points of either."""
    found = Scoreboard()
    for number, kind in enumerate(("guest", "person")):
        keys = (known_by(Chair(bytes([number] * 32), "Ben", kind, "Ann")), ANN)
        found = found.after(EndedGame(f"{number}", 0, "Maze", keys, ("Ben", "Ann"), (1, 2), ""))
    assert [(score.name, score.games) for score in found.scores().values()] == [("Ben", 2), ("Ann", 2)]


def over(table: bytes = b"table number one") -> Log:
    log = begun(terms("maze", 2, {"size": 2}), table)
    while log.now.over is None:
        log.take(log.write(MoveBody(next(iter(log.now.match.state.moves)).text), mover(log)))
    return log


# Bets


@pytest.mark.parametrize("key", own_keys())
def test_bets_are_open_at_first_and_closed_before_half_of_the_game(key: str) -> None:
    match = played(key)
    is_open = [may_bet(match.before(number), (), b"cleo") for number in range(match.length)]
    assert is_open[0]
    assert is_open == sorted(is_open, reverse=True)
    assert sum(is_open) <= max(1, match.length // 2)


def test_no_bet_for_a_seat_that_is_not_there_by_a_player_or_after_the_end() -> None:
    match, keys = Match(game("maze"), {"size": 5}), (b"ann", b"ben")
    assert [may_bet(match, keys, b"cleo", seat) for seat in (-1, 0, 1, 2)] == [False, True, True, False]
    assert not may_bet(match, keys, b"ann", 1)
    match.leave(0)
    assert not may_bet(match, keys, b"cleo", 1)


# In the store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, Identity.open(tmp_path).key)) as kept:
        yield kept


def test_an_evening_goes_on_after_a_crash_and_a_new_one_begins_after_a_lull(store: Store) -> None:
    time = [1_800_000_000.0]
    first = KeptEvening(store, lambda: time[0])
    for _ in range(40):
        first.add(bet(CLEO, 0))
    first.add(ended((1, 2), title=HOSTILE, record="a\nb\n"))
    first.add(ended((1, 2)))
    assert (len(first.board.games), len(first.board.bets)) == (1, 1)
    time[0] += LULL - 1
    assert KeptEvening(store, lambda: time[0]).board == first.board
    time[0] += 1
    assert KeptEvening(store, lambda: time[0]).board == Scoreboard()
    first.add(ended((2, 1), table="02"))
    assert [game.table for game in first.board.games] == ["02"]
    assert KeptEvening(store, lambda: time[0]).board == first.board


def test_a_game_counts_though_it_can_t_be_kept_and_that_is_said(store: Store) -> None:
    store.rows("PRAGMA query_only = 1")
    evening = KeptEvening(store)
    evening.add(ended((1, 2)))
    assert len(evening.board.games) == 1
    assert len(evening.said) == 1
    assert evening.said[0].startswith("The table of the evening can't be kept: ")


# In words, and as a page


def test_the_table_in_lines() -> None:
    assert Scoreboard().lines() == ["No game has ended this evening."]
    assert board(bet(CLEO, 0), ended((1, 2)), ended((1, 1), table="02")).lines() == [
        "After 2 games:",
        "          points  games  won  right bets",
        "1.  Ann      1.5      2    2           0",
        "2.  Cleo       1      0    0           1",
        "3.  Ben      0.5      2    1           0",
    ]


def test_a_first_game_without_a_bet_needs_no_sentence_about_the_evening() -> None:
    assert board(ended((1, 2))).sentence() == ""
    assert board(bet(CLEO, 1), bet(EVE, 0), ended((1, 2))).sentence() == (
        "The evening so far: Ann 1, Eve 1, Ben 0 and Cleo 0. Bets: Cleo was wrong and Eve was right."
    )
    assert board(ended((1, 2)), ended((1, 2), table="02")).sentence() == "The evening so far: Ann 2 and Ben 0."


@pytest.mark.slow
def test_the_page_has_the_board_of_each_game_and_needs_nothing_else() -> None:
    games = []
    for number, key in enumerate(own_keys()):
        match = played(key)
        assert match.over is not None
        keys = [ANN, BEN, CLEO, EVE][: match.state.seats]
        games.append(ended(match.over.places, keys, f"0{number}", record=write(match), title=match.game.title))
    text = evening_page(board(*games))
    assert text.count("<section") == text.count("at the end</title>") == len(own_keys())
    for one in games:
        assert f"<h2>{one.title}</h2>" in text
    tags = self_contained(text).tags
    names = {given.get("id") for _, given in tags}
    assert {str(given["href"])[1:] for tag, given in tags if tag == "use"} <= names
    assert "script" not in {tag for tag, _ in tags}


def test_on_the_page_names_of_strangers_are_text() -> None:
    match = played("maze")
    assert match.over is not None
    hostile = EndedGame("01", 0, HOSTILE, (ANN, BEN), (HOSTILE, "Ben"), match.over.places, write(match))
    text = evening_page(board(Bet("01", CLEO, HOSTILE, 0), hostile))
    assert "<img" not in text
    assert "\u202e" not in text
    assert "49" not in re.findall(r"<h2>.*", text)[0]
    assert text.count("&lt;img") >= 4


def test_a_game_that_can_t_be_read_any_more_has_no_board_and_its_points() -> None:
    text = evening_page(board(ended((1, 2), record="quadrille record 2\n")))
    assert "This program can&#39;t read the game any more." in text
    assert '<li value="1"><strong>Ann</strong>: 1 point</li>' in text
    assert "No game has ended this evening." in evening_page(Scoreboard())


# The host's tables


@pytest.fixture
def place(tmp_path: Path) -> Any:
    with StationPresence(NetworkOptions(None, str(tmp_path / "home"), (HOST,), (), udp_port(), 0, None)) as here:
        yield here


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
        place.door._list.give(name, name)
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
    for named in ("", "maze"):
        stage.wish(TextWish(Verb.NEXT, named))
    told = [str(refused.why) for refused in stage.drain()]
    assert "Write next and" in told[0] and "others decide too" in told[1] and not place.context.leads(log)
    alone = replace(log.now, keys=(own.key,) * 2, chairs=(Chair(own.key, "Ann", "person"),) * 2)
    assert place.context.leads(SimpleNamespace(now=alone))


# In a real browser


@pytest.mark.slow
def test_a_watcher_bets_by_touch_and_the_points_are_read_by_all(tmp_path: Path) -> None:
    with browser() as chromium, served(tmp_path, *NINE) as table:
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
        table.host.enter("evening", f"evening {notes}", f"evening {tmp_path}/./ours.html")
        table.host.wait("After 1 game:")
        for _ in range(2):  # its own page is written anew, however its path is spelled
            table.host.wait("Saved to ")
        ben.open(notes.as_uri())
        ben.until('document.querySelectorAll("svg[role=img]").length === 1')
        assert ben.run("document.documentElement.scrollWidth <= innerWidth")
        assert not ben.run("performance.getEntriesByType('resource').length"), "it needs no other file and no network"
        judge(ben, "the page to take home")
