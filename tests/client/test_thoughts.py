"""The thoughts of bots where people see them: at a table after its game, in records, in replays, in a tournament."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.bots.notes import KeptTalk, has_thoughts, kept_games
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.files import keep
from quadrille.client.kept.games import local_games
from quadrille.client.kept.own_games import own_games
from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.network.options import NetworkOptions
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.picture.page import page
from quadrille.client.picture.records import told
from quadrille.client.presence.bot_processes import BotProcesses
from quadrille.client.screen.evening_stage import opened
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Replay
from quadrille.client.screen.table.shown import looking_back
from quadrille.client.screen.table.shown import seated as shown
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.players import Players, with_opening, with_thoughts
from quadrille.client.table.wishes import BareWish, Keep, PlayMove, Wish
from quadrille.client.tournament.report import page as report
from quadrille.client.words.thoughts import courses_text, thought_text, thoughts_kept
from quadrille.rules.core.thoughts import Thought, Thoughts
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read_with_table, write
from quadrille.rules.registry import game
from tests.ai.inside import Anything, Inside, Noting, talk
from tests.ai.inside import play as play_match
from tests.ai.tournament.programs import FIRST, LAST, program
from tests.client.conftest import Run, output
from tests.client.pictures.test_pages import data_of, in_a_browser
from tests.client.screen.keyboard import after, press, shown_at
from tests.client.screen.keyboard import text as screen_text
from tests.client.screen.network.scenes import evening
from tests.client.sittings import Moved, Puppets, Sitting, Step
from tests.client.test_tournament import league_of

GOLDEN = Path(__file__).parent / "screen" / "golden" / "thoughts" / "after-the-game.txt"
SECRET = Thought(-0.5, 4, "my secret plan", (("b1", "!"), ("c3", "?")), (("value", "it takes"),))


def table(*wishes: Step) -> Sitting:
    return Sitting.of(small(), ("", "3"), names=("Ann", "Ben")).begun().after(*wishes)


def small() -> Match:
    return Match(game("barons"), {"width": 3, "height": 3}, 2, deal=Deal("s"))


def bots(move: str, thought: Thought | None = SECRET) -> Moved:
    return Moved(move, thought)


THREE = (PlayMove("a1"), bots("b2"), PlayMove("c3"))


# At a local table


def test_nobody_sees_a_thought_before_the_game_is_over() -> None:
    sits = table(*THREE)
    assert sits.seat.setup.thoughts.by_entry == {1: SECRET} and not sits.thoughts and not shown(sits.seat).thoughts
    model = shown_at(sits)
    for screen in (model, looking_back(model)):
        assert not any("secret" in line or "thought" in line for line in draw(screen).lines)
    over = sits.after(BareWish.RESIGN)
    assert over.thoughts.by_entry == {1: SECRET} == shown(over.seat).thoughts.by_entry


def after_the_game() -> str:
    model = replace(shown_at(table(*THREE, BareWish.RESIGN)), replay=Replay(2), notice="")
    return "\n".join(draw(model).lines) + "\n"


def test_the_screen_after_a_game_has_the_thought_of_each_move_and_its_signs() -> None:
    assert after_the_game() == GOLDEN.read_text("utf-8"), "wanted? python -m tests.client.test_thoughts writes it anew"
    there = draw(shown_at(table(*THREE, BareWish.RESIGN))).lines
    assert not any("thought" in line for line in there)  # of the last move there is none


def test_in_lines_the_courses_follow_the_result() -> None:
    sits = table(
        *THREE, bots("a3", Thought(0.5)), PlayMove("b1"), bots("c1", Thought(note="two\x1b[2J")), BareWish.RESIGN
    )
    said = courses_text(sits.thoughts, sits.match, ["player 1 (Ann)", "player 2 (Ben)"])
    assert said.splitlines() == [
        "How bots saw their own chances, move by move:",
        "  player 2 (Ben): 25 % 75 %",
        "  player 2 (Ben), last note: two\\x1b[2J",
    ]
    assert courses_text(Thoughts(), sits.match, ["A", "B"]) == ""
    many = Thoughts({number: Thought(0) for number in range(1, 6, 2)})
    assert courses_text(many, sits.match, ["A", "B"]).endswith("B: 50 % 50 % 50 %")


# In files


def test_a_kept_game_has_its_thoughts_and_a_saved_one_has_none(tmp_path: Path) -> None:
    home = str(tmp_path)
    own, bots = OwnTables(home), Puppets()
    seat = own.sit(GameSetup.of(small(), ("", "3"), names=("Ann", "Ben")), lambda _: None, bots)
    seat.begin()
    for wish in THREE:
        bots.does = [wish] if isinstance(wish, Moved) else []
        seat.wish(wish) if isinstance(wish, Wish) else seat.tick()
        own.look(seat)
    own.close()
    [kept] = local_games(home)
    assert kept.about.players.names == ("Ann", "Ben")
    assert not told(kept.table.hex(), at_home=home).thoughts  # the game goes on
    again = OwnTables(home)
    setup = again.take(kept.table)
    assert setup.thoughts.plain() == seat.setup.thoughts.plain()
    seat = again.sit(setup, lambda _: None)
    seat.wish(BareWish.RESIGN)
    again.look(seat)
    again.close()
    thoughts = told(kept.table.hex(), at_home=home).thoughts.plain()
    assert thoughts == next(iter(own_games(home))).opened().thoughts.plain() != {}
    saved = tmp_path / "saved.txt"
    keep(Keep(str(saved), seat.match, seat.setup.players))
    assert "thoughts" not in saved.read_text("ascii")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a game that is over, with thoughts."""
    sits = table(*THREE, bots("a3", Thought(0.5)), BareWish.RESIGN)
    path = tmp_path / "thoughts.txt"
    path.write_text(write(sits.match, with_thoughts(sits.setup.players.told(private=False), sits.thoughts)), "ascii")
    return path


def test_replay_and_analyse_show_thoughts(record: Path, run: Run) -> None:
    said = output(run, "replay", record, "--plain")
    assert "2. player 2 (Ben): b2\n   chances 25 %, depth 4; b1 !, c3 ?; my secret plan\n" in said
    assert 'The "value" of player 2 (Ben) was dropped in move 2: it takes.' in said
    positions = json.loads(output(run, "replay", record, "--json"))["positions"]
    assert positions[2]["thought"] == {
        "value": -0.5, "depth": 4, "note": "my secret plan", "marks": {"b1": "!", "c3": "?"},
    }  # fmt: skip
    assert "thought" not in positions[1]
    rows = output(run, "analyse", record, "--simulations", 10).splitlines()
    assert re.search(r"move\s+said\s+before", rows[2]) and re.search(r"player 2 \(Ben\)\s+b2\s+-0.50 ", rows[4])
    moves = json.loads(output(run, "analyse", record, "--simulations", 10, "--json"))["moves"]
    assert [move.get("said") for move in moves] == [None, -0.5, None, 0.5]


@pytest.mark.parametrize("odd", [3, [], {"entries": [[99, 1, 1, "n", {}]]}, {"entries": [[1, "x"]], "remarks": [1]}])
def test_a_record_with_odd_thoughts_is_shown_without_them(odd: object, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "odd.txt"
    path.write_text(write(table(*THREE, BareWish.RESIGN).match, {"thoughts": odd}), "ascii")
    assert read_with_table(path.read_text("ascii"))[1] == {"thoughts": odd}
    assert "The game is over" in output(run, "replay", path, "--plain")
    output(run, "replay", path, "--html", "-o", tmp_path / "odd.html")


# In a page


def thinking() -> FilmedMatch:
    sits = table(PlayMove("a1"), bots("b2", Thought(-0.5, None, "</script><b>", (("b1", "<"),))), BareWish.RESIGN)
    return FilmedMatch(sits.match, sits.match.viewer, ("Ann", "Ben"), sits.thoughts)


def test_a_page_has_thoughts_as_data_and_nothing_of_them_without() -> None:
    text = page([thinking()])
    [one] = data_of(text)["games"]
    assert one["thoughts"] == [[2, 1, -0.5, "</script><b>", "b1", "<"]]
    assert set(data_of(text)["plans"][0]["squares"]) >= {"a1", "b1", "c3"}
    assert "<b>" not in text and 'id="courses"' in text
    bare = page([FilmedMatch(thinking().match, thinking().match.viewer)])
    assert 'id="courses"' not in bare and "squares" not in data_of(bare)["plans"][0]


@pytest.mark.slow
def test_a_page_draws_the_thoughts_of_the_move_that_is_shown(tmp_path: Path) -> None:
    at_start, at_move = in_a_browser(page([thinking()]), tmp_path / "page.html", "#1.0", "#1.2")
    assert re.search(r'points="[\d.]+,100"', at_start) and 'class="sign"' not in at_start
    assert re.search(r'class="sign"[^>]*>&lt;</text>', at_move)
    assert "Ben: chances 25 %; &lt;/script&gt;&lt;b&gt;</p>" in at_move


# In a tournament


def test_a_tournament_keeps_thoughts_and_its_records_only_if_somebody_asks(tmp_path: Path, run: Run) -> None:
    program(tmp_path, "noting", FIRST + ', value=-0.5, depth=1.5, note="my secret plan"')
    program(tmp_path, "last", LAST)
    path, records = league_of(tmp_path, ("noting", "last"), 1), tmp_path / "records"
    with Journal(path.with_suffix(".sqlite")) as journal:
        outcome = journal.outcome(0)
        assert outcome is not None and "secret" not in outcome.record
        [one] = data_of(report(journal))["games"][:1]
        assert {tuple(row[2:]) for row in one["thoughts"]} == {(-0.5, "my secret plan")}
        assert len(outcome.thoughts.remarks) == 1
    said = output(run, "tournament", "game", path, 0, "--kept", "-o", tmp_path / "bare.txt")
    assert "\n   chances 25 %; my secret plan\n" in said
    assert re.search(r'The "depth" of noting was dropped in move \d: it takes .*; so it was \d times\.', said)
    assert "secret" not in (tmp_path / "bare.txt").read_text("ascii")
    output(run, "tournament", "game", path, 0, "--kept", "--thoughts", "-o", tmp_path / "full.txt")
    assert "chances 25 %; my secret plan" in output(run, "replay", tmp_path / "full.txt", "--plain")
    output(run, "tournament", "show", path, "--records", records)
    assert "secret" not in "".join(one.read_text("ascii") for one in records.iterdir())
    output(run, "tournament", "show", path, "--records", tmp_path / "asked", "--thoughts")
    assert all("secret" in one.read_text("ascii") for one in (tmp_path / "asked").iterdir())


# A bot's owner


def test_the_owner_of_a_bot_replays_what_its_program_kept(tmp_path: Path, run: Run) -> None:
    said: list[str] = []
    owned = KeptTalk(Inside(Noting(value=0.5)), tmp_path, said.append, owned=True)
    match = small()
    play_match(match, [owned, talk()])
    owned.close()
    [path] = kept_games(tmp_path)
    assert said == [f"quadrille replay {path} shows the game with its thoughts"] and has_thoughts(path)
    one = told(str(path))
    assert [str(entry) for entry in one.match.entries] == [str(entry) for entry in match.entries]
    assert list(one.thoughts.by_entry) == list(range(0, match.length, 2))
    assert "   chances 75 %; secret plan of ply 0\n" in output(run, "replay", path, "--plain")


def test_a_host_who_leaves_is_told_where_the_thoughts_of_its_bots_are(tmp_path: Path) -> None:
    options = NetworkOptions("Ann", str(tmp_path), None, (), 1, 1, None)
    brought = BotProcesses(tmp_path, [], "Ann", options)
    table, quiet = bytes(16), bytes([1] * 16)
    for number, (name, bot) in enumerate((("noting-1", Noting()), ("level-2-1", Anything()))):
        folder = tmp_path / f"bot-{name}"
        talks = [KeptTalk(Inside(bot), folder / "games", print), talk()]
        play_match(small(), talks, table=(table, quiet)[number].hex())
        talks[0].close()
        (folder / "bot.txt").write_text("./noting.py", "utf-8")
        brought.sat[name, (table, quiet)[number]] = None
    [path] = kept_games(tmp_path / "bot-noting-1" / "games")
    assert brought.thoughts([table, quiet]) == [("noting of Ann", path)] and brought.thoughts([quiet]) == []
    assert thoughts_kept("Ben", Path("a b")) == "Ben told its thoughts: quadrille replay 'a b'"


def test_what_is_told_of_a_thought_is_short_and_has_chances_in_games_of_two_alone() -> None:
    assert thought_text(SECRET, 2, marks=False) == "chances 25 %, depth 4; my secret plan"
    assert [thought_text(Thought(-0.0, note="hm"), seats) for seats in (2, 4)] == ["chances 50 %; hm", "hm"]
    assert [thought_text(Thought(value), 2) for value in (-1.0, 1.0)] == ["chances none", "chances sure"]


def test_no_network_module_knows_of_thoughts() -> None:
    """Guests, phones and peers get what the network has, and the network has no thoughts."""
    root = Path(__file__).parents[2]
    rooms = ("net", "client/phones", "client/network", "client/screen/network",
             "client/table/network", "ai/peer")  # fmt: skip
    paths = [path for room in rooms for path in (root / room).rglob("*.py")]
    assert len(paths) > 100
    assert not [path for path in paths if "thought" in path.read_text("utf-8").lower()]


def test_a_replay_names_the_players_and_tells_the_opening_and_thoughts(tmp_path: Path, run: Run) -> None:
    match, _ = read_with_table((Path(__file__).parents[1] / "golden" / "maze-usual.txt").read_text("ascii"))
    names = Players(("mybot.py", "level-1")).told(private=False)
    path = tmp_path / "lost.txt"
    path.write_text(write(match, with_thoughts(with_opening(names, 3), Thoughts({4: SECRET}))), "ascii")
    said = output(run, "replay", path, "--plain")
    assert said.splitlines()[1] == "The first 3 moves are the opening."
    assert "\n5. player 1 (mybot.py): " in said and "my secret plan" in said
    assert told(str(path)).names == ("mybot.py", "level-1")
    for wrong in (True, 0, -1, 2.0, match.ply + 1, "3"):
        path.write_text(write(match, {"opening": wrong}), "ascii")
        assert told(str(path)).opening == 0


def test_a_record_opened_from_the_lobby_tells_the_opening_and_thoughts_as_replay_does(record: Path) -> None:
    match, line = read_with_table(record.read_text("ascii"))
    record.write_text(write(match, with_opening(line, 1)), "ascii")
    there = after(evening(), opened(str(record), None))[0]
    assert "The first move is the opening." in screen_text(there)
    assert "my secret plan" in screen_text(press(there, "right", "right")[0])
    assert "3 x 3. The first move is the opening.</p>" in page([told(str(record))])


if __name__ == "__main__":
    GOLDEN.write_text(after_the_game(), "utf-8")
