"""Sessions at the plain table, typed line by line and compared on what matters in the answers."""

import re
import sys
from pathlib import Path
from typing import Final

import pytest

from quadrille.client.picture.film import FilmedMatch
from quadrille.client.screen.table.shown import replay_of
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, keys
from tests.client.conftest import Run
from tests.client.screen.keyboard import press, prose
from tests.client.sittings import Typist, moves_of, plain_table
from tests.programs import Program
from tests.waiting import soon

SMALL = "play barons --seats 2 --set width=3 --set height=2 --seed s"


def said(out: str, *lines: str) -> None:
    """These lines stand in the output in this order, perhaps with others between them."""
    rest = iter(out.splitlines())
    for line in lines:
        assert any(found.strip().rstrip(".") == line.rstrip(".") for found in rest), f"{line!r} is missing in\n{out}"


def moves_in(name: str) -> list[str]:
    return moves_of(read(Path(name).read_bytes()))


def test_a_game_at_one_keyboard(run: Run) -> None:
    ran = run(SMALL, "a1", "board", "a2", "B1", "board", " b2 ", "c1", "c2", "board")
    assert (ran.code, ran.err) == (0, "")
    said(
        ran.out,
        "Barons, 2 players, 3 x 2, seed s",
        "Type a move such as a1, or help.",
        "2  .   .   .",
        "1  .   .   .",
        "> A  player 1       0            0     0        0",
        "player 1> a1",
        "player 2> board",
        "1 >A   .   .",
        "player 2> a2",
        "player 1> B1",
        "player 1: b1; scores 2 for 1 connection",
        "player 2> board",
        "1  A-->A   .",
        "player 2> b2",
        "player 1> c1",
        "player 1: c1; scores 2 for 1 connection; scores 40 for the whole of row 1",
        "player 2> c2",
        "The game is over: every square is claimed.",
        "Player 1 and player 2 share the first place.",
        "over> board",
        "2  B---B-->B",
        "1  A---A---A",
        "The game is over: every square is claimed.",
        "Player 1 and player 2 share the first place.",
        "points  connections  rows  columns",
        "1.  player 1      44            2     1        0",
        "1.  player 2      44            2     1        0",
        "over>",
    )


def test_without_a_seed_each_game_has_its_own_and_says_so(run: Run) -> None:
    assert len({re.findall("seed (.+)", run("play coin-isolation --seats 2").out)[0] for _ in range(2)}) == 2


def test_a_long_list_of_moves_is_cut_and_says_how_long_it_is(run: Run) -> None:
    out = run("play barons --set width=26 --set height=26", "moves").out
    said(out, "and 376 more; moves START lists those that begin so, as in moves z26")
    listed = [line for line in out.splitlines() if re.fullmatch(r"( {2,}[a-z]\d+){2,}", line)]
    assert [len(line.split()) for line in listed] == [15] * 20
    assert max(map(len, listed)) <= 80


def test_the_board_is_drawn_at_the_start_and_when_it_is_asked_for(run: Run) -> None:
    """For a screen reader each line counts: what happens is a line, and the board is asked for."""
    assert run(SMALL, "a1", "a2", "b1", "undo").out.count("points  connections") == 1
    assert run(SMALL, "a1", "board", "a2", "b1").out.count("points  connections") == 2


LOST = "This game has not been saved: save FILE saves it, quit once more leaves it."


def test_letters_or_another_quit_answer_whether_a_game_is_left_in_plain_lines(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("file").touch()
    monkeypatch.setenv("QUADRILLE_HOME", "file")  # where no game can be kept
    monkeypatch.setattr("tempfile.tempdir", str(Path().resolve()))  # so each is kept here
    out = run(SMALL, "a1", "quit", "n", "quit", "no", "y", "quit", "y", "a2").out
    said(out, "player 2> quit", LOST, "player 2> n", "player 2> quit", LOST, "player 2> no", "player 2> y", LOST)
    assert "player 2> y\nThis game is kept in " in out and out.count(LOST) == 3
    assert run(SMALL, "a1", "quit", "quit now", "a2").out.count("player 2>") == 2
    assert len([*Path().glob("quadrille-barons-*.txt")]) == 2


def test_keeping_and_going_on(run: Run) -> None:
    kept = f"Saved to {Path('f').resolve()}"
    said(
        run(SMALL, "a1", "save f", "a2", "save ./f", "undo", "load f", "b2").out,
        "player 2> save f",
        kept,
        "player 1> save ./f",
        kept,
        "player 2> load f",
        "Barons, 2 players, 3 x 2, seed s",
        "player 1> b2",
    )
    assert moves_in("f") == ["a1", "a2"]
    match = read(Path("f").read_bytes())
    assert match.state.options.width == 3 and match.deal == Deal("s")
    said(run("play --load f", "c1").out, "Barons, 2 players, 3 x 2, seed s", "player 1> c1", "player 2>")
    assert run("play barons --load f").code == 0


def test_nothing_is_written_over_unasked(run: Run) -> None:
    Path("f").write_text("mine")
    said(
        run(SMALL, "save f", "save", "save!").out,
        "player 1> save f",
        "There is a file f already: save! f writes over it.",
        "player 1> save",
        "A file is missing: write save FILE.",
        "player 1> save!",
        "A file is missing: write save! FILE.",
    )
    assert Path("f").read_text() == "mine"
    run(SMALL, "a1", "save! f")
    assert moves_in("f") == ["a1"]
    assert [path.name for path in Path().iterdir()] == ["f"]


def test_who_saves_in_a_folder_that_was_deleted_reads_that(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (gone := tmp_path / "gone").mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    refused = "The folder that you are in is gone."
    said(run(SMALL, "a1", "save f", "load f").out, "player 2> save f", refused, "player 2> load f", refused)


def test_what_can_not_be_loaded_leaves_the_game(run: Run) -> None:
    Path("cut").write_text(write(Match(game("dotter"), deal=Deal("s")))[:-30])
    coins, judged = Match(game("coin-isolation")), Match(game("maze"))
    for face in Match(coins.game, deal=Deal("s")).opening:
        coins.answer(face)
    judged.adjudicate((1, 2), "the lamp fell")
    seen, faces = Match(game("dotter"), viewer=1), Match(game("dotter"))
    records = {"seen": seen, "faces": faces, "coins": coins, "judged": judged}
    for name, match in records.items():
        Path(name).write_text(write(match))
    assert "can be replayed, not played on" in prose(press(replay_of(FilmedMatch(coins)), "enter")[0])
    said(
        run(SMALL, "a1", *(f"load {name}".strip() for name in ("", "nothing", ".", "cut", *records, "\0")), "a2").out,
        "player 2> load",
        "A file is missing: write load FILE.",
        "There is no file nothing",
        "Is a directory: .",
        "Line 6: the record is cut off: its last line should be the one that begins with end",
        *["Nothing here says how all of its cards lie: this game can be replayed, not played on"] * 3,
        "An arbiter decided this game: it can be replayed, not played on",
        "'\\x00' can't be the name of a file",
        "player 2> a2",
        "player 1>",
    )


def test_against_the_program(run: Run) -> None:
    first = run("play maze --set size=3 --against random --seed s", "moves").out
    assert "player 2:" not in first and "player 2 (Ben):" not in first
    said(first, "player 1> moves", "a3-a2  a3-b3")
    words = "play maze --set size=3 --against random --seat 2 --seed s"
    second = run(words, "agree").out
    said(second, "Player 1 is Ada (random) and 2 is you.")
    assert re.search(r"^player 1 \(Ada\): a3-(a2|b3)$", second, re.MULTILINE)
    offered = "You propose a draw. player 1 (Ada) must agree too."
    said(second, "player 2> agree", offered, "player 1 (Ada) declines the draw.")
    first, second = (re.sub("resume [0-9a-f]{8}", "", out) for out in (second, run(words, "agree").out))
    assert first == second


def test_what_a_program_has_seen_is_not_shown_to_the_person(run: Run) -> None:
    out = run("play dotter --seed 3 --against random", *["draw"] * 4).out
    peeks = [line for line in out.splitlines() if line.startswith("player 2 (Ben): peek")]
    assert peeks and not any("=" in line for line in peeks)


@pytest.mark.parametrize("seats", [pytest.param("least", marks=pytest.mark.slow), "most"])
@pytest.mark.parametrize("key", keys())
def test_every_game_can_be_played_to_its_end(key: str, seats: str) -> None:
    options = {"dotter": {"laps": 1, "lap_points": 21}, "coin-isolation": {"layout": "pnd/qpn/ddp"}}
    chosen = game(key)
    match = Match(chosen, options.get(key), chosen.seats[0 if seats == "least" else -1], deal=Deal("s"))
    console = Typist(lambda _: next(map(str, () if table.match.over else table.match.state.moves), None))
    table = plain_table(match, console, "", "random")
    table.run()
    assert table.match.over is not None
    out = console.said.getvalue()
    assert "The game is over" in out and out.isascii()
    assert re.search(r"^1\.  player \d", out, re.MULTILINE)
    assert max(len(line.partition(";")[0]) for line in out.splitlines()) <= 120, "only a story may be longer"


# Different bots in different seats

OFFERED = """
import os
from quadrille.ai import Bot

class Offered(Bot):
    def choose(self, view, clock, rng):
        return next(iter(view.moves))

    def offered(self, offer, by, view):
        return {answer}
"""


@pytest.mark.slow
def test_each_seat_has_its_own_bot(run: Run) -> None:
    Path("first.py").write_text(OFFERED.format(answer="True"))
    words = "play barons --set width=3 --set height=3 --seed s --against first.py --against random,greedy:3 --seat 2"
    out = run(words, "c3", "save f").out
    said(out, "Barons, 4 players, 3 x 3, seed s", "player 1 (first): a1", "player 2> c3")
    assert re.search(
        r"^player 3 \(Cleo\): ..(;.*)?$\n^player 4 \(Dan\): ..(;.*)?$\n^player 1 \(first\): ..(;.*)?$",
        out,
        re.MULTILINE,
    )
    assert moves_in("f")[0] == "a1" and len(moves_in("f")) == 5


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("True", "The game is over: a draw was agreed."),
        ("False", "player 1 (offered) declines the draw."),
        ("os._exit(3)", "player 1 (offered) declines the draw."),
    ],
)
def test_a_draw_is_offered_to_a_bot_which_agrees_plays_on_or_ends(run: Run, answer: str, says: str) -> None:
    Path("offered.py").write_text(OFFERED.format(answer=answer))
    out = run("play maze --set size=3 --against offered.py --seat 2", "draw", "quit").out
    said(out, "You propose a draw. player 1 (offered) must agree too.", says)


# Bots that do not move


def test_a_bot_that_hangs_is_asked_about_and_can_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.ai.peer.seated.LONG", 500)
    (tmp_path / "hangs.py").write_text(HANGS)
    match = Match(game("maze"), {"size": 3}, deal=Deal("s"))
    console = Typist(["a2", "b3", "hint", "wait", "stand-in", "stand-in clever", "stand-in random", "wait"])
    table = plain_table(match, console, "", str(tmp_path / "hangs.py"))
    table.run()
    person, bot, *_ = prompts = [prompt for prompt, _ in console.asked]
    assert (person, bot) == ("player 1> ", "player 2 (hangs)> ") and prompts[:8] == [person, *[bot] * 6, person]
    said(
        console.said.getvalue(),
        "player 2 (hangs) has been thinking for 0.5 seconds. What now?",
        "wait            keep waiting; a bot that has ended starts again",
        "It is the bot's turn: wait, stand-in BOT, undo or quit",
        "You can ask for a hint when it is your turn.",
        "Write stand-in and a bot, such as stand-in 2",
    )
    assert 'There is no bot "clever"' in console.said.getvalue()
    assert table.match.ply == 2 and console.said.getvalue().endswith("No bot is to move here.\n")


#: Never asks what is to become of a bot that thinks for long.
PATIENT = "from quadrille.ai.peer import seated; from quadrille.client import cli; seated.LONG = 1e9; exit(cli.main())"


def beside(folder: Path, bot: str) -> Program:
    """A program in plain lines, in which this bot has the second seat."""
    (folder / "bot.py").write_text(bot)
    words = ("play", "maze", "--set", "size=3", "--plain", "--isolate", "none", "--against", str(folder / "bot.py"))
    return Program(sys.executable, "-c", PATIENT, *words)


@pytest.mark.slow
def test_commands_and_the_end_of_input_are_noticed_beside_a_bot_that_hangs(tmp_path: Path) -> None:
    with beside(tmp_path, HANGS) as play:
        play.enter("a3-a2")
        play.wait(r"^player 1> a3-a2")
        for line, told in (("moves", r"moves|a2-"), ("takeback", r"^Taken back: a3-a2"), ("a3-b3", r"a3-b3")):
            play.enter(line)
            play.wait(told)
        play.close_input()
        play.wait(r"This game is kept: quadrille resume")
        assert play.end() == 0


def test_a_move_typed_too_early_waits_for_its_turn_in_a_pipe(tmp_path: Path) -> None:
    """A script plays against a bot that takes its time; its lines stay in their order."""
    with beside(tmp_path, WAITS) as play:
        play.enter("a3-a2", "resign")
        assert soon((tmp_path / "thinks").exists)
        (tmp_path / "go").touch()
        play.wait(r"^player 2 \(\w+\): a2-")
        play.wait(r"^player 1> resign")
        play.wait(r"^player 1 (has )?resign|^The game is over")
        play.close_input()
        assert play.end() == 0


# Clocks


def test_a_word_typed_in_a_pause_is_obeyed_or_refused_and_enter_continues(run: Run) -> None:
    ran = run(f"{SMALL} --clock 5m", "pause", "", "a1", "pause", "b1", "resign")
    paused = "Paused. Enter continues"
    assert ran.out.count(paused) == 3, "it ends with the game"
    said(ran.out, f"{paused} b1", "The game is paused: type pause (F8) to continue.", f"{paused} resign", "over>")


def test_each_pays_for_the_own_turns_and_gets_the_increment() -> None:
    match = Match(game("barons"), seats=2, deal=Deal("s"))
    typed = (
        ("player 1 1:00> ", "a1", 20), ("player 2 1:00> ", "zz", 10), ("player 2 0:50> ", "b2", 30),
        ("player 1 0:45> ", "c3", 1), ("player 2 0:25> ", "undo", 5), ("player 1 0:49> ", "quit", 0),
        ("player 1 0:49> ", "quit", 0),
    )  # fmt: skip
    console = Typist([line for _, line, _ in typed])

    def now() -> int:
        """When each line is typed: its seconds go by before that."""
        return 1000 + 1000 * sum(seconds for *_, seconds in typed[: len(console.asked)])

    plain_table(match, console, clock=TimeControl(60_000, 5000), now=now).run()
    assert [prompt for prompt, _ in console.asked] == [prompt for prompt, *_ in typed]
    said(console.said.getvalue(), "Barons, 2 players, clock 1m+5s, seed s")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("maze --preset starter", "Player 1 is you and 2 is Ben (level 2)."),
        ("maze --clock 5m+10s --seat 2", "Player 1 is Ada (level 2) and 2 is you."),
        ("barons --set width=5", "Player 1 is you, 2 is Ben (level 2), 3 is Cleo (level 2) and 4 is Dan (level 2)."),
        ("maze --two-people", "Players 1 and 2 are at this keyboard."),
        ("maze --names Ann", "Players 1 (Ann) and 2 are at this keyboard."),
        ("barons --seats 3 --bots 1", "Players 1 and 2 are at this keyboard and 3 is Cleo (level 2)."),
    ],
)
def test_bots_sit_opposite_unless_an_option_says_who_does(run: Run, words: str, told: str) -> None:
    assert run(f"play {words}", "quit").out.splitlines()[1] == told


@pytest.mark.parametrize("key", ["barons", "dotter"])
def test_a_game_without_options_is_the_short_first_one_against_beginners(run: Run, key: str) -> None:
    first = run(f"play {key} --seed s", "quit").out
    options = "".join(f" --set {name}={value}" for name, value in game(key).lesson.options.items())
    other = run(f"play {key} --seed s --level 1{options}", "quit").out
    assert first.partition(" resume ")[0] == other.partition(" resume ")[0]
    assert "(level 1)" in first and game(key).lesson.goal in first


HANGS: Final = """
import time
from quadrille.ai import Bot

class Hangs(Bot):
    def choose(self, view, clock, rng):
        time.sleep(3600)
"""
#: When it begins to think there is a file `thinks` beside it; it moves when there is a file `go`.
WAITS: Final = """
import time
from pathlib import Path
from quadrille.ai import Bot

class Waits(Bot):
    def choose(self, view, clock, rng):
        Path(__file__).with_name("thinks").touch()
        while not Path(__file__).with_name("go").exists():
            time.sleep(0.01)
        return next(iter(view.moves))
"""
