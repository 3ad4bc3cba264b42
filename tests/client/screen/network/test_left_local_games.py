"""Local games that were left, in the lobby: they stand among the tables, and Enter continues it with them."""

from dataclasses import replace
from pathlib import Path

from quadrille.client.kept.writer import GameWriter
from quadrille.client.screen.evening_events import Continued
from quadrille.client.screen.evening_stage import left_games
from quadrille.client.screen.lobby.model import GoOn, LeftGames
from quadrille.client.screen.network.news import TableRow
from quadrille.client.screen.table.model import Model
from quadrille.client.table.course import grant
from quadrille.client.table.local import LocalTable
from quadrille.client.table.wishes import PlayMove
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.screen.network.scenes import AROUND, EMPTY, evening
from tests.client.screen.network.test_lobby import after, press, text


def played() -> LocalTable:
    match = Match(game("barons"), {"width": 3, "height": 3}, 2, deal=Deal("s"))
    return grant(LocalTable.of(match, ("", "1"), TimeControl(60_000, 0)), PlayMove("a1")).table


def row(home: Path) -> TableRow:
    """The row of a game that was left."""
    writer, sits = GameWriter(str(home)), played()
    writer.look(replace(sits, match=sits.match.before(0), brought=()))
    writer.look(sits)
    assert writer.close()[0].endswith(f"--home {home} continues it.")
    [found] = left_games(str(home)).rows
    return found


def test_the_lobby_offers_a_local_game_that_was_left(tmp_path: Path) -> None:
    found = row(tmp_path)
    there, _ = after(evening(EMPTY), LeftGames((found,)))
    assert "1 Barons" in text(there) and "Ben" in text(there) and "unfinished" in text(there)
    assert "Enter continues it. Barons, 2 players; 1 move; with Ben." in text(there)
    assert GoOn(found.id) in press(there, "enter")[1] and GoOn(found.id) in press(there, "1", "enter")[1]
    assert "Tables on this network" in text(after(there, LeftGames(()))[0])


def test_it_stands_behind_the_tables_where_one_plays_and_before_those_of_others(tmp_path: Path) -> None:
    lobby = after(evening(AROUND), LeftGames((row(tmp_path),)))[0].lobby
    states = [table.state for table in lobby.tables]
    at = states.index("left")
    assert all(state == "mine" for state in states[:at]) and "mine" not in states[at:] and len(states) > at + 1


def test_a_game_that_goes_on_is_the_table_that_it_was() -> None:
    there, effects = after(evening(EMPTY), Continued(replace(played(), brought=())))
    assert isinstance(there.front, Model) and there.front.own is not None and there.front.own.keeps
    assert there.front.table.called(1) == "Ben" and there.front.table.chairs[1].kind == "level 1"
    assert any(type(effect).__name__ == "Think" for effect in effects)
