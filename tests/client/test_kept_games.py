"""Games that are kept: what is written when, how it is found and listed again, and what is in its way."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.bots.names import kind_of, named
from quadrille.client.cli import main
from quadrille.client.commands.resume import choose
from quadrille.client.files import keep, load
from quadrille.client.kept import games
from quadrille.client.kept.games import KeptGame, forgotten, left_games, local_games
from quadrille.client.kept.own_games import played_games
from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.network.options import NetworkOptions
from quadrille.client.picture.records import told
from quadrille.client.presence.place import StationPresence, keep_log, stage_of
from quadrille.client.screen.evening_stage import games_left
from quadrille.client.screen.lobby.model import Errand, LeftGames
from quadrille.client.screen.network.news import TableRow
from quadrille.client.screen.table.model import Model, SitDown
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import About, Fact, GameKept, ProposedHere, ShownMotion
from quadrille.client.table.players import Players
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import (
    Against,
    BareWish,
    Keep,
    Kept,
    Loaded,
    PlayMove,
    PlayOn,
    Return,
    Save,
    Takeback,
    TextWish,
    Verb,
    Wish,
    WrittenDown,
)
from quadrille.client.words.kept import of_record
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import STORE_FILE
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.motions import HandMotion
from quadrille.net.entries.terms import NOBODY, Chair, TimeControl
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Took
from quadrille.net.program.stored_tables import tables_at
from quadrille.net.seating.own_table import own_table
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from quadrille.rules.match import Deal
from quadrille.rules.record import read, read_with_table, write
from quadrille.value import value
from tests.client.conftest import Run
from tests.client.programs import COMMAND, at_home
from tests.client.screen.keyboard import after, played, press, sitting_behind, text
from tests.client.screen.network.scenes import EMPTY, evening
from tests.client.sittings import Begin, Sitting
from tests.net.by_hand import agreed
from tests.net.ports import udp_port
from tests.net.tables import KEYS, TABLE, beginning, identity, terms
from tests.waiting import soon

# Games at one keyboard that are kept by themselves


NAMES = ("Ann", "Ben")
SMALL = "play barons --set width=3 --set height=2 --seats 2 --seed s"


def table(*bots: str, clock: TimeControl | None = None, names: tuple[str, ...] = NAMES) -> GameSetup:
    match = played("barons", options={"width": 3, "height": 3}, seats=len(bots))
    return GameSetup.of(match, bots, clock, (*names, *[""] * (len(bots) - len(names))))


class Keyboard:
    """A face without a screen: wishes come in, and its tables are written."""

    def __init__(self, home: Path, *, now: int = 0) -> None:
        self.told: list[WrittenDown] = []
        self.now = now
        self.tables = OwnTables(str(home), now=lambda: self.now, tell=self.told.append)
        self.seat: TableSeat | None = None

    def plays(self, setup: GameSetup | None, *wishes: Wish) -> TableSeat:
        """Go on at the table, or at another one that is set up."""
        if setup is not None or self.seat is None:
            assert setup is not None
            self.seat = self.tables.sit(setup, lambda _: None)
            self.seat.begin()
        for wish in wishes:
            self.seat.wish(wish)
            self.tables.look(self.seat)
        return self.seat


def play(home: Path, *wishes: Wish, bots: tuple[str, ...] = ("", "")) -> Keyboard:
    """Play at a table, and leave it."""
    face = Keyboard(home)
    face.plays(table(*bots), *wishes)
    face.tables.close()
    return face


def moves(at_home: Path) -> list[int]:
    return [kept.about.entries for kept in local_games(str(at_home))]


def unfinished_local_games(at_home: str) -> list[KeptGame]:
    return [kept for kept in left_games(at_home) if kept.is_own]


def test_a_game_is_kept_after_each_move_and_goes_on_as_it_was(tmp_path: Path) -> None:
    face = Keyboard(tmp_path, now=5)
    face.plays(table("", "", "3", clock=TimeControl(60_000, 5000)))
    assert local_games(str(tmp_path)) == []
    face.plays(None, PlayMove("a1"))
    face.now = 1005
    seat = face.plays(None, PlayMove("b2"))
    [kept] = local_games(str(tmp_path))
    assert kept.about.players.names == (*NAMES, "Cleo")
    face.tables.close()
    assert face.tables.unfinished and face.tables.lost is None
    assert [one.table for one in unfinished_local_games(str(tmp_path))] == [kept.table]
    other = Keyboard(tmp_path)
    setup = other.tables.take(kept.table)
    assert setup.match.entries == seat.match.entries and setup.match.deal == Deal("s")
    assert (setup.names, setup.bots) == ((*NAMES, "Cleo"), ("", "", "3"))
    assert setup.clocks is not None and setup.clocks.left == (65_000, 64_000, 60_000)
    other.plays(setup, Takeback(2), PlayMove("b2"))
    other.tables.close()
    [after] = local_games(str(tmp_path))
    assert after.table == kept.table and after.about.entries == 1


def test_a_game_at_one_keyboard_makes_a_key_and_tells_nobody(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    seat = face.plays(table("", ""), PlayMove("a1"))
    log, key = seat.table.log, Identity.open(tmp_path).key
    assert {*log.now.keys} == {key} and all(entry.author in (key, NOBODY) for entry in log.entries)
    assert seat.table.outgoing == [] and {path.name for path in tmp_path.iterdir()} >= {"identity.key", STORE_FILE}
    face.tables.close()


def test_nothing_is_written_while_only_time_goes_by(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    seat = face.plays(table("", "", clock=TimeControl(60_000, 5000)), PlayMove("a1"))
    assert face.tables._kept is not None
    store = face.tables._kept.store
    before = store._file.total_changes
    for face.now in range(0, 9000, 50):
        seat.tick()
        face.tables.look(seat)
    assert store._file.total_changes == before
    face.tables.close()


def test_a_game_whose_end_is_taken_back_goes_on_in_a_log_of_its_own(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    first = face.plays(table("", ""), PlayMove("a1"), PlayMove("b2"), BareWish.RESIGN).table.log.table
    seat = face.plays(None, PlayOn(1), PlayMove("c3"))
    assert seat.table.log.table != first and replayed(seat.table.log.table, seat.table.log.entries)
    face.tables.close()
    [kept] = unfinished_local_games(str(tmp_path))
    assert (kept.table, kept.about.entries) == (seat.table.log.table, 2) and len(local_games(str(tmp_path))) == 1


def test_nothing_is_kept_of_a_game_in_which_nothing_was_played(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    face.plays(table("", ""), PlayMove("a1"), Takeback())
    assert moves(tmp_path) == []
    face.plays(GameSetup.of(played("barons", "a1", {"width": 3, "height": 3}, 2), ("", "")))
    face.tables.close()
    assert moves(tmp_path) == [] and not list((tmp_path / "games").iterdir())


def test_the_bots_of_a_game_play_on_when_it_is_opened_to_the_room_and_after_a_restart(tmp_path: Path) -> None:
    play(tmp_path, PlayMove("a1"), bots=("", "random"))
    with back_at(tmp_path, opens=True) as opened:
        assert opened.seat.people == (0,)
        assert soon(opened.is_my_turn) and opened.seat.match.ply == 2
        opened.seat.wish(PlayMove(str(next(iter(opened.seat.view.moves)))))
    with back_at(tmp_path) as opened:
        assert soon(opened.is_my_turn) and opened.seat.match.ply == 4
        log, own = opened.seat.table.log, opened.place.station.identity
        log.take(agreed(log, HandMotion(1, identity(2).key, "Ben"), {**KEYS, own.key: own}))
        opened.seat.hear_here(Took(log.entries[-1]))
        assert not opened.place.deputies.bots, "a seat that was handed on has no bot, also if it comes back"


DRAWS = """
from quadrille.ai import Bot
class Mine(Bot):
    def choose(self, view, clock, rng):
        return next(iter(view.moves))
    def offered(self, offer, by, view):
        return True
"""


def test_a_bot_of_an_opened_game_is_asked_about_a_draw_as_at_its_keyboard(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(DRAWS, "utf-8")
    play(tmp_path, PlayMove("a1"), bots=("", str(bot)))
    with back_at(tmp_path, opens=True) as opened:
        assert soon(opened.is_my_turn) and opened.seat.match.ply == 2 and opened.seat.reader == 0
        opened.seat.drain()
        opened.seat.wish(BareWish.DRAW)
        assert opened.seat.drain() == [ProposedHere(ShownMotion("draw"), (1,))] and not opened.seat.match.over
        assert soon(lambda: (opened.is_my_turn(), opened.seat.match.over)[1])


def test_another_bot_plays_on_in_an_opened_game_for_one_that_fails(tmp_path: Path) -> None:
    play(tmp_path, PlayMove("a1"), bots=("", "./no-such-bot"))
    with back_at(tmp_path, opens=True) as opened:
        missing = About(Fact.STAND_IN_MISSING, seat=1)
        assert soon(lambda: opened.is_my_turn() or opened.seat.concern() == missing)
        opened.seat.wish(TextWish(Verb.STAND_IN, "random"))
        assert soon(opened.is_my_turn) and opened.seat.match.ply == 2


@value
class Opened:
    """A table of the network at which a game goes on that was begun at one keyboard."""

    place: StationPresence
    seat: TableSeat

    def is_my_turn(self) -> bool:
        """Let the network do what is due; return whether the person is to move then."""
        for event in self.place.turn(0):
            self.seat.hear(event)
        self.seat.tick()
        return self.seat.is_my_turn


@contextmanager
def back_at(home: Path, *, opens: bool = False) -> Iterator[Opened]:
    [kept] = left_games(str(home))
    options = NetworkOptions("Ann", str(home), ("127.0.0.1",), (), udp_port(), 0, None, isolate="none")
    with StationPresence(options) as place:
        seat, _ = stage_of(place, Return(kept.table.hex(), opens=opens), {})
        assert isinstance(seat, TableSeat)
        seat.begin()
        yield Opened(place, seat)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a program is killed as POSIX does it")
@pytest.mark.parametrize("moment", range(1, 9))
def test_a_game_goes_on_after_its_program_was_killed_at_any_commit(tmp_path: Path, moment: int) -> None:
    """It dies before or after one of its commits; what was committed goes on, and the lock is free."""
    if (child := os.fork()) == 0:
        do, left = Store._do, [moment]

        def dies(store: Store, sql: str, *values: object) -> object:
            left[0] -= sql == "COMMIT"
            done = do(store, sql, *values) if left[0] or moment % 2 else None
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        Store._do = dies  # type: ignore[assignment]
        play(tmp_path, *map(PlayMove, ("a1", "b2", "c3", "a2", "b1", "c1", "a3", "b3")))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    written = moment - 1 + moment % 2
    assert moves(tmp_path) == [written] * bool(written)
    for kept in unfinished_local_games(str(tmp_path)):
        own = OwnTables(str(tmp_path))
        seat = own.sit(own.take(kept.table), lambda _: None)
        assert seat.match.length == written and seat.table.is_my_turn
        own.close()


def test_two_programs_do_not_play_one_game_and_play_two_in_one_home(tmp_path: Path) -> None:
    face = Keyboard(tmp_path)
    face.plays(table("", ""), PlayMove("a1"))
    [kept] = local_games(str(tmp_path))
    assert unfinished_local_games(str(tmp_path)) == []
    with pytest.raises(LocalError, match="is open in another program: close it there first"):
        OwnTables(str(tmp_path)).take(kept.table)
    play(tmp_path, PlayMove("b2"))
    face.plays(None, PlayMove("c3"))
    face.plays(table("", ""), PlayMove("a1"))
    face.tables.close()
    assert len(unfinished_local_games(str(tmp_path))) == 3, "a game that another one follows at its face is kept"


def test_a_game_that_another_program_plays_is_open_there_by_whatever_words_it_is_meant(
    tmp_path: Path, run: Run
) -> None:
    face = Keyboard(tmp_path)
    table_number = face.plays(table("", ""), PlayMove("a1")).table.log.table.hex()
    for wanted in ([], ["barons"], ["ann"], [table_number[:8]]):
        ran = run(["resume", *wanted, "--home", str(tmp_path)])
        assert f"game {table_number[:8]} is open in another program" in ran.err
    face.tables.close()


@pytest.mark.skipif(os.name == "nt", reason="folders are closed otherwise there")
def test_where_nothing_can_be_written_it_is_said_once_and_the_game_goes_on(tmp_path: Path) -> None:
    """Also in another log, and in one more: none of the earlier ones stays."""
    home = tmp_path / "home"
    face = Keyboard(home)
    seat = face.plays(table("", ""), PlayMove("a1"), PlayMove("b2"), BareWish.RESIGN)
    (home / "games").rename(home / "locks")
    (home / "games").touch()
    face.plays(None, *[PlayOn(1), PlayMove("b2"), BareWish.RESIGN] * 2, PlayOn(2))
    [said] = face.told
    assert "a file stands where a folder is needed" in said.why and not seat.would_be_lost
    seat.wish(said)
    assert seat.would_be_lost
    (home / "games").unlink()
    face.plays(None, PlayMove("c3"))
    assert face.told == [said, WrittenDown()] and moves(home) == [3]
    seat.wish(WrittenDown())
    assert not seat.would_be_lost
    face.tables.close()
    assert face.tables.lost is None


def test_the_newest_games_alone_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ends in ([], [BareWish.RESIGN], [BareWish.RESIGN]):
        play(tmp_path, PlayMove("a1"), *ends)
    held = Keyboard(tmp_path)
    held.plays(table("", ""), PlayMove("a1"))
    monkeypatch.setattr(games, "MOST", 1)
    play(tmp_path, PlayMove("b2"))
    after = local_games(str(tmp_path))
    assert sum(bool(kept.about.places) for kept in after) == 1
    assert sum(not kept.about.places for kept in after) == 2, "the newest, and the one that is played"
    held.tables.close()


def test_a_game_is_found_by_its_number_its_game_and_its_names(tmp_path: Path) -> None:
    assert left_games(str(tmp_path)) == [] and not list(tmp_path.iterdir()), "a store has the lock of the network"
    play(tmp_path, PlayMove("a1"))
    [left] = left_games(str(tmp_path))
    for wanted in ("", left.table.hex()[:3], "barons", "ann", "ben"):
        assert left.fits(wanted), wanted
    assert not left.fits("maze") and not left.fits("z")
    forgotten(str(tmp_path), left.table)
    assert local_games(str(tmp_path)) == [] and not list((tmp_path / "games").iterdir())


def test_a_game_that_is_left_says_how_it_goes_on(run: Run) -> None:
    for ends in (["quit"], []):
        out = run(SMALL, "a1", *ends).out
        [number] = re.findall("kept: quadrille resume ([0-9a-f]{8}) continues it.$", out)
        again = run(["resume", number, "--plain"], "board").out
        assert "Barons, 2 players, 3 x 2, seed s" in again and "> B  player 2" in again
    assert "resume" not in run(SMALL, "quit").out and "resume" not in run(SMALL, "a1", "resign", "quit").out


def test_a_game_in_which_only_bots_play_on_is_not_offered_as_unfinished(tmp_path: Path) -> None:
    play(tmp_path, PlayMove("a1"), BareWish.RESIGN, bots=("", "1", "1"))
    assert local_games(str(tmp_path)) and unfinished_local_games(str(tmp_path)) == []


def test_several_games_are_a_list_and_one_is_found_by_a_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUADRILLE_HOME", str(tmp_path))
    for names in ("Ann,Ben", "Ida"):
        assert run(f"{SMALL} --names {names}", "a1").code == 0
    ran = run("resume")
    assert ran.code == 1 and ran.err.startswith(
        "quadrille: these games are unfinished; each continues by its command, and --forget after it "
    )
    commands = re.findall(
        "^  quadrille resume ([0-9a-f]{8})  Barons, 2 players; 1 move; with (.*); 2", ran.err, re.MULTILINE
    )
    assert sorted(who for _, who in commands) == ["Ann and Ben", "Ida and player 2"]
    assert 'none of the games that were left is "zoe": these games are unfinished' in run("resume zoe").err
    assert "player 2 (Ben)> " in run("resume ann --plain", "b1").out
    [ida] = [number for number, who in commands if who.startswith("Ida")]
    assert run(f"resume {ida} --forget").out == f"Game {ida} is deleted.\n"
    assert "player 1 (Ann)> " in run("resume --plain", "resign").out
    [over] = {number for number, _ in commands} - {ida}
    assert f"game {over} is over: quadrille replay {over} shows it" in run(f"resume {over}").err
    assert "player 1 (Ann) has resigned" in run(f"replay {over} --plain").out


# What a record says of those who play


def test_a_record_keeps_names_and_bots_and_older_records_stay_the_same() -> None:
    sits = table("", "2")
    plain, named_too = write(sits.match), write(sits.match, sits.players.told(0, private=False))
    assert "table " not in plain and read(plain).state == read(named_too).state
    assert "seats 2 #" in named_too and '\ntable {"names":["Ann","Ben"],"bots":["","2"]} #' in named_too
    assert Players.read(read_with_table(named_too)[1], 2) == Players(NAMES, ("", "2"))


def test_a_name_from_the_right_stays_in_its_place_in_lists() -> None:
    sits = table("", "", names=("\u05d0\u05d1", "Ben"))
    assert ", \u2068\u05d0\u05d1\u2069 and Ben: " in of_record(write(sits.match, sits.players.told(0, private=False)))


def test_a_record_names_no_program_that_it_could_start() -> None:
    players = Players(("", ""), ("", "/home/ann/bots/mine.py"))
    assert players.told(0, private=True) == {"bots": ["", "/home/ann/bots/mine.py"]}
    assert players.told(0, private=False) == {"bots": ["", "./mine"]}
    assert Players((), ("", "./mine", "3")).seatable == Players((), ("", "", "3"))


@pytest.mark.parametrize(
    "line",
    [
        {"names": ["a"]}, {"names": "ab"}, {"names": [1, 2]}, {"bots": ["", "\x1b[2J"]}, {"bots": [None, None]},
        {"clock": [0, 0]}, {"clock": [True, 1]}, {"clock": [-1, 1]}, {"clock": 5}, {"later": {"deep": []}},
    ],
)  # fmt: skip
def test_what_a_record_says_otherwise_than_it_should_is_passed_over(line: dict[str, object]) -> None:
    assert Players.read(line, 2) == Players()
    assert Players.read({"names": ["\x1b[2JAnn\u202e", ""]}, 2).names == ("?[2JAnn", "")


# Names


def test_bots_have_names_of_their_own_by_their_seats() -> None:
    assert named(("", "1", "1", "mcts:4")) == ("", "Ben", "Cleo", "Dan")
    assert named(("", "1", "1"), ("ben", "", "")) == ("ben", "Cleo", "Dan")
    assert named(("", "/x/mine.py", "/x/mine.py", "1")) == ("", "mine", "mine #2", "Dan")
    assert kind_of("2") == "level 2" and kind_of("mcts:4") == "mcts 4" and kind_of("/x/mine.py") == kind_of("") == ""


def saved(sits: Sitting, path: Path) -> Kept:
    [asked] = sits.after(Save(str(path))).effects
    assert isinstance(asked, Keep)
    return keep(asked)


def test_a_saved_game_gives_its_players_back(tmp_path: Path) -> None:
    sits = Sitting(table("", "2", names=("Ann", ""))).after(Begin(), PlayMove("a1"))
    saved(sits, tmp_path / "x.txt")
    match, players = load(str(tmp_path / "x.txt"))
    assert players == Players(("Ann", "Ben"), ("", "2")) and match.entries == sits.match.entries
    again = Sitting(table("", "", names=("", ""))).after(Begin(), Loaded("x.txt", match, players))
    assert (again.names, again.bots) == (("Ann", "Ben"), ("", "2"))
    assert told(str(tmp_path / "x.txt")).safe_names == ["Ann", "Ben"]


def test_a_game_is_saved_as_a_page_to_share_and_is_still_not_saved_as_a_game(tmp_path: Path) -> None:
    sits = Sitting(replace(table("", "2", names=("Ann", "")), file="mine.txt")).after(Begin(), PlayMove("a1"))
    told_of = sits.after(saved(sits, tmp_path / "x.html"))
    assert told_of.said == (GameKept(str(tmp_path / "x.html")),)
    assert saved(told_of, tmp_path / "x.html").path, "its own page is written anew"
    assert (told_of.file, told_of.kept) == (sits.file, sits.kept) == ("mine.txt", ())
    page = (tmp_path / "x.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and "player 1 (Ann)" in page and "player 2 (Ben)" in page


def test_a_saved_game_starts_no_program(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    sits = table("", str(tmp_path / "mine.py"), names=("Ann", ""))
    keep(Keep(str(tmp_path / "x.txt"), sits.match, sits.players))
    assert str(tmp_path) not in (tmp_path / "x.txt").read_text("ascii")
    assert load(str(tmp_path / "x.txt"))[1] == Players(("Ann", "mine"), ("", ""))


def test_whoever_loads_a_game_of_bots_alone_plays_on_for_one(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(write(played("barons", "a1, b2", seats=2), {"bots": ["2", "3"]}))
    match, players = load(str(tmp_path / "x.txt"))
    there, _ = after(evening(EMPTY), SitDown(GameSetup.loaded(match, players)))
    assert there.front.table.is_mine and "YOUR TURN" in text(there)


# In the lobby they stand among the tables, and Enter continues them


def row(home: Path) -> TableRow:
    face = Keyboard(home)
    face.plays(table("", "1", clock=TimeControl(60_000, 0), names=()), PlayMove("a1"))
    assert face.tables.close()[0].endswith(f"--home {home} continues it.")
    [found] = games_left(str(home)).rows
    return found


def test_the_lobby_offers_a_local_game_that_was_left(tmp_path: Path) -> None:
    found = row(tmp_path)
    there, _ = after(evening(EMPTY), LeftGames((found,)))
    assert "1 Barons" in text(there) and "Ben" in text(there) and "unfinished" in text(there)
    there = replace(there, lobby=replace(there.lobby, chosen=f"table {found.id}"))
    assert "Enter continues it. Del forgets it. Barons, 2 players; 1 move; with Ben;" in text(there)
    for keys in (("enter",), ("1", "enter")):
        assert Errand("resume", found.id) in press(there, *keys)[1]
    assert "Unfinished" not in text(after(there, LeftGames(()))[0])


def test_a_game_that_goes_on_is_the_table_that_it_was(tmp_path: Path) -> None:
    setup = OwnTables(str(tmp_path)).take(bytes.fromhex(row(tmp_path).id))
    there, _ = after(evening(EMPTY), SitDown(setup))
    assert isinstance(there.front, Model) and there.front.table.keeps
    assert there.front.table.called(1) == "Ben" and there.front.table.chairs[1].kind == "level 1"
    assert sitting_behind(there.front).thinks


# The words of games that were played: of tables from the store, and of records


def keep_game(home: Path, *, mine_first: bool, with_guest: bool) -> None:
    """Keep a game of Maze, 2 by 2, that is over: the first seat wins. The other one is a peer's, or a guest's here."""
    with tables_at(home) as shelf:
        mine = shelf.identity
        other, log = mine if with_guest else identity(2), Log(TABLE)
        seats, guest = [mine, other] if mine_first else [other, mine], int(mine_first) if with_guest else -1
        agreed = terms("maze", 2, {"size": 2}, lot=False)
        shelf.keep_entry(entry := log.write(beginning(agreed, sitting=seats, guest=guest), None))
        log.take(entry)
        for ply, move in enumerate(("a2-b2", "b2-b1", "b1-a1")):
            shelf.keep_entry(entry := log.write(MoveBody(move), seats[ply % 2]))
            log.take(entry)
        shelf.catch_up()
        shelf.mark_over(TABLE)
        shelf.store.mark_table(TABLE, 1)


@pytest.mark.parametrize("with_guest", [True, False])
@pytest.mark.parametrize("mine_first", [True, False])
def test_a_table_says_who_played_and_who_won(tmp_path: Path, *, mine_first: bool, with_guest: bool) -> None:
    keep_game(tmp_path, mine_first=mine_first, with_guest=with_guest)
    told = "you and name 1: you win" if mine_first else "name 0 and you: name 0 wins"
    [(number, line)] = played_games(str(tmp_path), 5, 60)
    assert number == TABLE.hex() and line.endswith(f"  Maze, {told}")
    assert played_games(str(tmp_path), 5, -1)[0][1].endswith(f"  Maze, table {TABLE.hex()[:8]}"), "there is no time"
    assert played_games(str(tmp_path), 0, 60) == []


def test_a_game_names_its_players_alike_in_the_store_in_its_log_and_on_its_page(tmp_path: Path) -> None:
    with tables_at(tmp_path) as shelf:
        key, agreed = shelf.identity.key, terms("maze", 2, {"size": 2}, lot=False)
        chairs = (Chair(key, "Vic (level 2 of Ann)", "bot"), Chair(key, "Ann", "person"))
        log = own_table(shelf.identity, shelf, agreed, chairs, 0).log
    keep_log(str(tmp_path / "log"), log, over=False)
    keep_log(str(tmp_path / "page.html"), log, over=False)
    for name in (str(tmp_path / "log"), log.table.hex()):
        assert told(name, at_home=str(tmp_path)).names == ("Vic", "Ann")
    assert "level 2 of Ann" not in (tmp_path / "page.html").read_text("utf-8")


def test_records_without_an_end_with_several_winners_or_of_nothing() -> None:
    match = played("barons", "a1", {"width": 3, "height": 3}, 3)
    assert of_record(write(match)) == "Barons, 3 players: not finished"
    match.adjudicate((1, 1, 3), "the lamp went out")
    assert of_record(write(match)) == "Barons, 3 players: player 1 and player 2 share the first place"
    for odd in ("", "quadrille record 1", "game chess #0\nseats 2 #0\n", "game barons #0\nseats x #0\n", "\xff\0" * 99):
        assert of_record(odd) == ""


def test_files_of_all_kinds_are_listed_each_by_what_it_is(tmp_path: Path) -> None:
    record = write(played("maze", options={"size": 2}))
    for name, content in (("good", record), ("bad", record.replace("maze", "mazy")), ("log", "quadrille log 1\nx\n")):
        (tmp_path / f"{name}.txt").write_text(content, "utf-8")
    said = {Path(name).stem: line.split("  ")[1] for name, line in played_games(str(tmp_path), 5, 60)}
    assert said == {"good": "Maze, 2 players: not finished", "bad": "a record that can't be read", "log": "a log"}


# Several tables that were left: a choice on a terminal, else the list of them


def leave(home: Path, *keys: str) -> list[str]:
    """Leave a game of each of these names in the middle; return the first digits of their tables."""
    with tables_at(home) as shelf:
        for number, key in enumerate(keys):
            log = Log(table := bytes([0xA0 + number]) * 16)
            body = beginning(terms(key, lot=False), table, sitting=(shelf.identity, identity(2 + number)))
            shelf.keep_entry(log.write(body, None))
    return [bytes([0xA0 + number]).hex() * 4 for number in range(len(keys))]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
@pytest.mark.parametrize("plain", [(), ("--plain",)])
@pytest.mark.slow
def test_a_terminal_lets_choose_one_of_several_games(tmp_path: Path, plain: tuple[str, ...]) -> None:
    """The last one stands first; Enter alone takes it."""
    from tests.client.screen.pseudo_terminal import Program

    barons, maze = leave(tmp_path, "barons", "maze")
    with Program(*COMMAND, "resume", *plain, *at_home(tmp_path, udp_port(), "Ann"), home=tmp_path) as shown:
        shown.sees(f"1  {maze}  Maze", f"2  {barons}  Barons", "Enter for 1")
        shown.press("3", "enter")
        shown.sees('There is no "3" in this list.')
        shown.press("2", "enter")
        shown.sees("columns" if plain else "Barons, 2 players")


@pytest.mark.parametrize(
    ("typed", "place"),
    [(("",), 0), (("1",), 0), ((" 2 ",), 1), (("q",), None), (("Quit",), None), (("\x1b",), None), ((None,), None),
     (("0", "3", "1x", "²", "9" * 99, "2"), 1)],
)  # fmt: skip
def test_what_is_typed_chooses_and_what_is_no_number_of_the_list_is_asked_again(
    typed: tuple[str | None, ...], place: int | None
) -> None:
    said, lines = list[str](), iter(typed)
    assert choose(["one", "two"], lambda _: next(lines), said.append) == place
    assert said[:2] == ["  1  one", "  2  two"] and len(said) == 1 + len(typed)


def test_a_game_goes_on_under_the_name_of_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    monkeypatch.setattr("quadrille.client.commands.resume.spend", lambda settings, _: names.append(settings.name) or 0)
    [barons] = leave(tmp_path, "barons")
    for words in (["resume"], ["resume", barons], ["resume", "--name", "Eve"]):
        assert main([*words, "--home", str(tmp_path)]) == 0
    assert main(["resume", "beef", "--home", str(tmp_path)]) == 1  # nobody has to be asked for that on the network
    assert names == ["name 0", "name 0", "Eve"]


def test_names_go_with_their_players() -> None:
    sits = Sitting(table("", "1", names=("", ""))).after(Begin(), BareWish.RESIGN)
    assert sits.names == ("", "Ben")
    again = sits.after(BareWish.REMATCH)
    assert (again.bots, again.names) == (("1", ""), ("Ben", ""))
    assert again.after(TextWish(Verb.STAND_IN, "3")).names == ("Ben", "")
    assert Sitting(table("", "1", names=("Ann", ""))).after(Begin(), Against(())).names == ("Ann", "")
