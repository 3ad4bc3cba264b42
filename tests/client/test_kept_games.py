"""Local games that are kept by themselves: what is written when, how it is found again, and what is in its way."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.kept import games
from quadrille.client.kept.games import (
    damaged_games,
    forgotten,
    local_games,
    meant,
    opened,
    prune,
    unfinished_local_games,
)
from quadrille.client.kept.writer import GameWriter
from quadrille.client.table.course import grant
from quadrille.client.table.local import LocalTable
from quadrille.client.table.players import Players
from quadrille.client.table.wishes import Begin, PlayMove, Rematch, ResignSeat, Takeback, TimeIs, Wish, WrittenDown
from quadrille.net.core.errors import LocalError
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read, read_with_table, write
from quadrille.rules.registry import game

NAMES = ("Ann", "Ben")


def table(*bots: str, clock: TimeControl | None = None, names: tuple[str, ...] = NAMES) -> LocalTable:
    match = Match(game("barons"), {"width": 3, "height": 3}, len(bots), deal=Deal("s"))
    return LocalTable.of(match, bots, clock, names)


class Keyboard:
    """A face without a screen: wishes come in, and its writer looks on."""

    def __init__(self, home: Path, *, now: int = 0) -> None:
        self.told: list[WrittenDown] = []
        self.now = now
        self.writer = GameWriter(str(home), tell=self.told.append, now=lambda: self.now)

    def plays(self, sits: LocalTable, *wishes: Wish) -> LocalTable:
        for wish in (Begin(), *wishes):
            self.writer.look(sits)
            sits = grant(sits, wish).table
        self.writer.look(sits)
        return sits


def moves(at_home: Path) -> list[int]:
    return [one.about.entries for one in local_games(str(at_home))]


def test_s7_a_game_is_kept_after_each_move_with_all_who_play(tmp_path: Path) -> None:
    face, sits = Keyboard(tmp_path, now=5), table("", "", clock=TimeControl(60_000, 5000))
    face.plays(sits)
    assert local_games(str(tmp_path)) == []
    sits = face.plays(sits, TimeIs(5), PlayMove("a1"), TimeIs(5))
    face.now = 1005
    sits = face.plays(sits, PlayMove("b2"))
    [kept] = local_games(str(tmp_path))
    match, told = read_with_table((tmp_path / "games" / f"{kept.number}.txt").read_text("ascii"))
    assert match.entries == sits.match.entries and match.deal == Deal("s")
    assert told == {"names": ["Ann", "Ben"], "clock": [60_000, 5000], "left": [65_000, 64_000]}


def test_s7_a_game_that_was_left_goes_on_as_it_was(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    left = face.plays(table("", "3", clock=TimeControl(60_000, 5000)), TimeIs(0), PlayMove("a1"))
    face.writer.close()
    assert face.writer.unfinished and face.writer.lost is None
    [kept] = unfinished_local_games(str(tmp_path))
    again, lock = opened(str(tmp_path), kept.number)
    assert (again.names, again.bots) == (NAMES, ("", "3")) and again.match.entries == left.match.entries
    assert again.clocks is not None and again.clocks.left == (65_000, 60_000)
    other = Keyboard(tmp_path)
    other.writer.goes_on(kept.number, lock)
    other.plays(again, Takeback(), PlayMove("b2"))
    other.writer.close()
    [after] = local_games(str(tmp_path))
    assert after.number == kept.number and after.about.entries == 1


def test_s7_nothing_is_kept_of_a_game_in_which_nothing_was_played(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    face.plays(table("", ""), PlayMove("a1"), Takeback())
    assert moves(tmp_path) == []
    loaded = table("", "").match.copy()
    loaded.play("a1")
    face.plays(LocalTable.of(loaded, ("", "")))
    face.writer.close()
    assert moves(tmp_path) == [] and not list((tmp_path / "games").iterdir())


def test_s7_a_rematch_is_another_game_and_the_one_before_is_over(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    face.plays(table("", ""), PlayMove("a1"), ResignSeat(), Rematch(), PlayMove("b2"), PlayMove("a2"))
    face.writer.close()
    assert sorted(moves(tmp_path)) == [2, 2]
    assert [one.is_over for one in local_games(str(tmp_path))].count(True) == 1
    assert len(unfinished_local_games(str(tmp_path))) == 1


def test_s7_two_programs_do_not_play_one_game(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    face.plays(table("", ""), PlayMove("a1"))
    [kept] = local_games(str(tmp_path))
    assert unfinished_local_games(str(tmp_path)) == []
    with pytest.raises(LocalError, match="is open in another program: close it there first"):
        opened(str(tmp_path), kept.number)
    other = Keyboard(tmp_path)
    other.plays(table("", ""), PlayMove("b2"))
    other.writer.close()
    face.writer.close()
    assert len(unfinished_local_games(str(tmp_path))) == 2


@pytest.mark.skipif(os.name == "nt", reason="folders are closed otherwise there")
def test_s7_where_nothing_can_be_written_it_is_said_once_and_the_game_goes_on(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.touch()
    face = Keyboard(home)
    sits = replace(table("", ""), keeps=True)
    sits = face.plays(sits, PlayMove("a1"), PlayMove("b2"))
    [said] = face.told
    assert "a file stands where a folder is needed" in said.why
    told = grant(sits, said)
    assert told.table.would_be_lost and not sits.would_be_lost
    home.unlink()
    face.plays(told.table, PlayMove("c3"))
    assert face.told == [said, WrittenDown()] and moves(home) == [3]
    assert not grant(told.table, WrittenDown()).table.would_be_lost
    face.writer.close()
    assert face.writer.lost is None


def test_s7_what_could_not_be_written_is_handed_back_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "games").touch()
    face = Keyboard(tmp_path)
    sits = face.plays(table("", ""), PlayMove("a1"))
    face.writer.close()
    assert face.writer.lost is not None and face.writer.lost.match is sits.match and not face.writer.unfinished


def test_s7_a_damaged_game_says_what_is_wrong_and_hides_no_other(tmp_path: Path) -> None:
    for _ in range(4):
        face = Keyboard(tmp_path)
        face.plays(table("", ""), PlayMove("a1"))
        face.writer.close()
    first, second, third, fourth = sorted((tmp_path / "games").glob("*.txt"))
    first.write_bytes(b"\xff\0 nothing")
    second.write_text(first.with_name(second.name).read_text("ascii").replace("p1 a1", "p1 a2"), "ascii")
    third.write_text(fourth.read_text("ascii").replace("record 1 ", "record 2 "), "ascii")
    with pytest.raises(RulesError, match="can't go on: line 8: something was changed in this line"):
        opened(str(tmp_path), second.stem)
    with pytest.raises(RulesError, match="form 2, and this program reads form 1"):
        opened(str(tmp_path), third.stem)
    assert [game.number for game in local_games(str(tmp_path)) if game.number == fourth.stem] == [fourth.stem]
    [why] = damaged_games(str(tmp_path))
    assert why.startswith(str(first)) and "this is no record" in why
    assert opened(str(tmp_path), fourth.stem)[0].match.length == 1


def test_s7_the_newest_games_alone_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MOST", 2)
    for number in range(3):
        face = Keyboard(tmp_path)
        face.plays(table("", ""), PlayMove("a1"), *([ResignSeat()] if number else []))
        face.writer.close()
    held = Keyboard(tmp_path)
    held.plays(table("", ""), PlayMove("a1"))
    for age, path in enumerate(sorted((tmp_path / "games").glob("*.txt"))):
        os.utime(path, (1000 - age, 1000 - age))
    left = {game.number for game in local_games(str(tmp_path))}
    monkeypatch.setattr(games, "MOST", 1)
    prune(str(tmp_path))
    after = local_games(str(tmp_path))
    assert {game.number for game in after} < left and sum(game.is_over for game in after) == 1
    held.writer.close()
    assert any(not game.is_over for game in local_games(str(tmp_path)))


def test_s7_a_game_is_found_by_its_number_its_game_and_its_names(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    face.plays(table("", ""), PlayMove("a1"))
    face.writer.close()
    found = local_games(str(tmp_path))
    for wanted in ("", found[0].number[:3], "barons", "ann", "BEN"):
        assert meant(found, wanted) == found, wanted
    assert meant(found, "maze") == [] == meant(found, "A")[1:]
    forgotten(str(tmp_path), found[0].number)
    assert local_games(str(tmp_path)) == []


# What a record says of those who play


def test_a19_a_record_keeps_names_and_bots_and_older_records_stay_the_same() -> None:
    sits = table("", "2")
    plain, told = write(sits.match), write(sits.match, sits.players.told(0, private=False))
    assert "table " not in plain and read(plain).state == read(told).state
    assert "seats 2 #" in told and '\ntable {"names":["Ann","Ben"],"bots":["","2"]} #' in told
    assert Players.read(read_with_table(told)[1], 2) == Players(NAMES, ("", "2"))


def test_a19_a_record_names_no_program_that_it_could_start() -> None:
    players = Players(("", ""), ("", "/home/ann/bots/mine.py"))
    assert players.told(0, private=True) == {"bots": ["", "/home/ann/bots/mine.py"]}
    assert players.told(0, private=False) == {"bots": ["", "./mine"]}
    assert Players((), ("", "./mine", "3")).programs == ("./mine",)


@pytest.mark.parametrize(
    "told",
    [
        {"names": ["a"]}, {"names": "ab"}, {"names": [1, 2]}, {"bots": ["", "\x1b[2J"]}, {"bots": [None, None]},
        {"clock": [0, 0]}, {"clock": [True, 1]}, {"clock": [-1, 1]}, {"clock": 5}, {"later": {"deep": []}},
    ],
)  # fmt: skip
def test_a19_what_a_record_says_otherwise_than_it_should_is_passed_over(told: dict[str, object]) -> None:
    assert Players.read(told, 2) == Players()


def test_a19_names_of_a_record_are_fit_to_be_shown() -> None:
    assert Players.read({"names": ["\x1b[2JAnn\u202e", ""]}, 2).names == ("?[2JAnn?", "")


@pytest.mark.parametrize("line", ["table []", "table {}", "table 5", "table {", 'table {"a": 1}'])
def test_a19_a_line_that_is_no_object_is_refused_with_its_number(line: str) -> None:
    from quadrille.rules.record import _checked

    bare = [one.rpartition(" #")[0] for one in write(table("", "").match).splitlines()]
    with pytest.raises(BadRecord, match="line 6"):
        read("".join(_checked([*bare[:5], line, *bare[5:]])))
