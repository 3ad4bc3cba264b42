"""The words of kept games: of tables from the store, and of records by their first and last lines."""

from contextlib import closing
from pathlib import Path

import pytest

from quadrille.client.network.played_games import of_tables
from quadrille.client.words.kept import of_record
from quadrille.net.core.home import own_folder
from quadrille.net.core.shapes import pack
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from quadrille.rules.match import Match
from quadrille.rules.record import write
from quadrille.rules.registry import game
from tests.net.tables import TABLE, beginning, identity, terms

GOLDEN = Path(__file__).parents[1] / "golden"


def keep_game(home: Path, *, mine_first: bool) -> None:
    """Keep a game of Maze, 2 by 2, that is over: three segments with two X's, so that the second seat wins."""
    folder = own_folder(home)
    mine = Identity.open(folder)
    seats = [mine, identity(2)] if mine_first else [identity(2), mine]
    with closing(Store(folder, mine.key)) as store:
        shelf, log = StoredTables(store, mine), Log(TABLE)
        agreed = terms("maze", 2, {"size": 2}, lot=False)
        shelf.keep_entry(entry := log.write(beginning(agreed, sitting=seats), None))
        log.take(entry)
        for ply, move in enumerate(("a2-b2", "b2-b1", "b1-a1")):
            shelf.keep_entry(entry := log.write(MoveBody(move), seats[ply % 2]))
            log.take(entry)
        shelf.catch_up()
        assert log.now.match.over
        store.keep_table(TABLE, "maze", pack(agreed.plain()), "seat", "over", 1)


@pytest.mark.parametrize("mine_first", [True, False])
def test_a_table_says_who_played_and_who_won(tmp_path: Path, *, mine_first: bool) -> None:
    keep_game(tmp_path, mine_first=mine_first)
    match = Match(game("maze"), {"size": 2}, 2)
    for move in ("a2-b2", "b2-b1", "b1-a1"):
        match.play(move)
    assert match.over
    i_win = (match.over.places[0] == 1) == mine_first
    names, other = ("you and name 1", "name 1") if mine_first else ("name 0 and you", "name 0")
    result = "you win" if i_win else f"{other} wins"
    assert list(of_tables(str(tmp_path), 5, 60)) == [(TABLE.hex(), f"{names}: {result}")]


def test_no_more_tables_are_looked_up_than_there_is_time_for(tmp_path: Path) -> None:
    keep_game(tmp_path, mine_first=True)
    assert list(of_tables(str(tmp_path), 5, -1)) == [] == list(of_tables(str(tmp_path), 0, 60))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("barons-usual", "Barons, 4 players: player 2 wins"),
        ("maze-resigned", "Maze, 2 players: player 2 wins"),
        ("dotter-view-p2", "Dotter, "),
    ],
)
def test_a_record_says_what_was_played_and_who_won(name: str, words: str) -> None:
    assert of_record((GOLDEN / f"{name}.txt").read_text("utf-8")).startswith(words)


def test_records_without_an_end_or_with_several_winners() -> None:
    match = Match(game("barons"), {"width": 3, "height": 3}, 3)
    match.play("a1")
    assert of_record(write(match)) == "Barons, 3 players: not finished"
    match.adjudicate((1, 1, 3), "the lamp went out")
    assert of_record(write(match)) == "Barons, 3 players: player 1 and player 2 share the first place"


@pytest.mark.parametrize(
    "text", ["", "quadrille record 1", "game chess #0\nseats 2 #0\n", "game barons #0\nseats x #0\n", "\xff\0" * 99]
)
def test_what_is_no_record_has_no_words(text: str) -> None:
    assert of_record(text) == ""
