"""Sessions at the plain table, typed line by line and compared on what matters in the answers."""

import io
import re
from pathlib import Path

import pytest

from quadrille.ai.opponents import opponent
from quadrille.client.commands.play import Program
from quadrille.client.console import Console
from quadrille.client.plain_table import PlainTable
from quadrille.rules.match import Deal, Match, Played
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, keys
from tests.client.conftest import Run

SMALL = "play barons --seats 2 --set width=3 --set height=2 --seed s"
THREE = "play barons --seats 3 --set width=3 --set height=3 --seed s"


def said(out: str, *lines: str) -> None:
    """These lines stand in the output in this order, perhaps with others between them."""
    rest = iter(out.splitlines())
    for line in lines:
        assert any(found.strip() == line for found in rest), f"{line!r} is missing in\n{out}"


def moves_in(name: str) -> list[str]:
    """The moves of a record in a file."""
    entries = read(Path(name).read_bytes()).entries
    return [str(entry.move) for entry in entries if isinstance(entry, Played)]


def test_a_game_at_one_keyboard(run: Run) -> None:
    ran = run(SMALL, "a1", "a2", "B1", " b2 ", "c1", "c2")
    assert (ran.code, ran.err) == (0, "")
    said(
        ran.out,
        "Barons, 2 players, width=3 height=2, seed s",
        "Type a move such as a1, or help.",
        "2  .   .   .",
        "1  .   .   .",
        "> A  player 1       0            0     0        0",
        "player 1> a1",
        "1 >A   .   .",
        "player 2> a2",
        "player 1> B1",
        "player 1: b1",
        "1  A-->A   .",
        "player 2> b2",
        "player 1> c1",
        "player 2> c2",
        "2  B---B-->B",
        "1  A---A---A",
        "The game is over: every square is claimed.",
        "Players 1 and 2 share the first place.",
        "points  connections  rows  columns",
        "1.  player 1      44            2     1        0",
        "1.  player 2      44            2     1        0",
        "over>",
    )


def test_refusals_are_said_and_one_is_asked_again(run: Run) -> None:
    said(
        run(SMALL, "a1", "a1", "zz", "mvoes", "", "board").out,
        "player 2> a1",
        "a1 belongs to player 1: nothing is ever taken over",
        "player 2> zz",
        '"zz" is no square: write a letter and a number, such as c2 (help tells what can be typed)',
        "player 2> mvoes",
        '"mvoes" is no square: write a letter and a number, such as c2 (or did you mean moves?)',
        "player 2>",
        "player 2> board",
    )


def test_help_names_every_command_and_a_legal_move(run: Run) -> None:
    out = run(SMALL, "help").out
    said(out, "Type a move such as a1, or one of these:")
    for command in ("moves", "board", "undo", "resign", "agree", "save", "load", "rules", "quit"):
        assert re.search(f"^  {command} ", out, re.MULTILINE), command
    assert max(map(len, out.splitlines())) <= 80


def test_the_advice_of_the_game_comes_first(run: Run) -> None:
    said(
        run("play barons --seats 2 --seed s").out,
        "Barons, 2 players, seed s",
        "Note: with two players on an even number of squares the second can always tie by",
        "turning the board round.",
        "player 1>",
    )


def test_without_a_seed_each_game_has_its_own_and_says_so(run: Run) -> None:
    seeds = {re.findall("seed (.+)", run("play coin-isolation").out)[0] for _ in range(3)}
    assert len(seeds) == 3


def test_legal_moves(run: Run) -> None:
    said(run(SMALL, "b1", "moves").out, "a1  a2  b2  c1  c2")
    said(run(SMALL, "moves C").out, "c1  c2")
    said(run(SMALL, "moves x").out, "no legal move begins with 'x'")
    said(run(SMALL, "resign", "moves").out, "there is no legal move")


def test_a_long_list_of_moves_is_cut_and_says_how_long_it_is(run: Run) -> None:
    out = run("play barons --set width=26 --set height=26", "moves").out
    said(out, "and 376 more; moves START lists those that begin so, as in moves z26")
    listed = [line for line in out.splitlines() if re.fullmatch(r"( {2,}[a-z]\d+){2,}", line)]
    assert [len(line.split()) for line in listed] == [15] * 20
    assert max(map(len, listed)) <= 80


def test_undo(run: Run) -> None:
    said(
        run(SMALL, "undo", "a1", "a2", "b1", "undo 2", "undo 9", "undo x", "undo 0", "undo", "save f").out,
        "player 1> undo",
        "no move of yours has been made yet",
        "player 1> b1",
        "player 2> undo 2",
        "player 2> undo 9",
        "you have not made so many moves",
        "player 2> undo x",
        "undo takes the number of moves to take back, not 'x'",
        "player 2> undo 0",
        "undo takes the number of moves to take back, not '0'",
        "player 2> undo",
        "player 1> save f",
    )
    assert moves_in("f") == []


def test_resign_and_agree(run: Run) -> None:
    said(
        run(SMALL, "resign", "a1", "undo", "agree").out,
        "player 1> resign",
        "player 1 has resigned",
        "A  player 1 (has left)       0            0     0        0",
        "The game is over: everybody else has left.",
        "Player 2 wins.",
        "over> a1",
        "the game is over: everybody else has left",
        "over> undo",
        "player 1> agree",
        "The game is over: a draw was agreed.",
        "Players 1 and 2 share the first place.",
    )
    said(run(SMALL, "draw").out, "The game is over: a draw was agreed.")
    said(run(THREE, "resign", "a1", "a2").out, "player 1> resign", "player 2> a1", "player 3> a2", "player 2>")


def test_a_line_that_the_game_reads_as_a_move_is_one(run: Run) -> None:
    """Dotter has a move `draw`; there a draw is agreed on with `agree`."""
    said(
        run("play dotter", "draw", "agree").out,
        "player 1> draw",
        "player 2> agree",
        "The game is over: a draw was agreed.",
    )


LOST = "this game is not kept: save FILE keeps it, quit once more leaves it"


def test_to_quit_is_asked_twice_where_a_game_would_be_lost(run: Run) -> None:
    out = run(SMALL, "a1", "quit", "board", "quit", "QUIT", "a2").out
    said(out, "player 2> quit", LOST, "player 2> board", "player 2> quit", LOST, "player 2> QUIT")
    assert out.endswith("> QUIT\n")


@pytest.mark.parametrize("typed", [["quit"], ["a1", "save f", "quit"], ["resign", "quit"], ["a1", "undo", "quit"]])
def test_to_quit_is_not_asked_twice_where_nothing_would_be_lost(run: Run, typed: list[str]) -> None:
    out = run(SMALL, *typed, "board").out
    assert LOST not in out and out.endswith("> quit\n")


def test_keeping_and_going_on(run: Run) -> None:
    kept = f"kept in {Path('f').resolve()}"
    said(
        run(SMALL, "a1", "save f", "a2", "save", "undo", "load f", "b2").out,
        "player 2> save f",
        kept,
        "player 1> save",
        kept,
        "player 2> load f",
        "Barons, 2 players, width=3 height=2, seed s",
        "player 1> b2",
    )
    assert moves_in("f") == ["a1", "a2"]
    match = read(Path("f").read_bytes())
    assert match.state.options.width == 3 and match.deal == Deal("s")
    said(run("play --load f", "c1").out, "Barons, 2 players, width=3 height=2, seed s", "player 1> c1", "player 2>")
    assert run("play barons --load f").code == 0


def test_nothing_is_written_over_unasked(run: Run) -> None:
    Path("f").write_text("mine")
    said(
        run(SMALL, "save f", "save", "save!").out,
        "player 1> save f",
        "f is there already: save! f writes over it",
        "player 1> save",
        "a file is missing: write save FILE",
        "player 1> save!",
        "a file is missing: write save! FILE",
    )
    assert Path("f").read_text() == "mine"
    run(SMALL, "a1", "save! f")
    assert moves_in("f") == ["a1"]
    assert [path.name for path in Path().iterdir()] == ["f"]


def test_what_can_not_be_loaded_leaves_the_game(run: Run) -> None:
    Path("cut").write_text(write(Match(game("dotter"), deal=Deal("s")))[:-30])
    Path("seen").write_text(write(Match(game("dotter"), viewer=1)))
    Path("faces").write_text(write(Match(game("dotter"))))
    said(
        run(SMALL, "a1", "load", "load nothing", "load .", "load cut", "load seen", "load faces", "load \0", "a2").out,
        "player 2> load",
        "a file is missing: write load FILE",
        "nothing: No such file or directory",
        ".: Is a directory",
        "line 6: the record is cut off: its last line should be the one that begins with end",
        "this record tells only what one who looked on saw: it can be replayed, not played on",
        "this record does not say how its cards lie: it can be replayed, not played on",
        "'\\x00' can't be the name of a file",
        "player 2> a2",
        "player 1>",
    )


def test_against_the_program(run: Run) -> None:
    first = run("play maze --set size=3 --against random --seed s", "moves").out
    assert "player 2:" not in first
    said(first, "player 1> moves", "a3-a2  a3-b3")
    words = "play maze --set size=3 --against random --seat 2 --seed s"
    second = run(words, "agree").out
    assert re.search("^player 1: a3-(a2|b3)$", second, re.MULTILINE)
    said(second, "player 2> agree", "a program agrees on nothing: play on, or resign")
    assert second == run(words, "agree").out


def test_undo_against_programs_goes_back_to_the_person(run: Run) -> None:
    words = THREE + " --against random --seat 2"
    out = run(words, "save f", "moves", "undo").out
    assert len(moves_in("f")) == 1
    said(out, "player 2> undo", "no move of yours has been made yet")
    free = out.split("> moves\n")[1].split()[0]
    run(words, free, "save g", "undo", "save h")
    assert len(moves_in("g")) == 4
    assert Path("h").read_text() == Path("f").read_text()


def test_a_person_who_has_left_is_spared_the_rest(run: Run) -> None:
    out = run(THREE + " --against random", "resign").out
    said(out, "player 1> resign", "player 1 has resigned")
    assert "The game is over: " in out and "player 2:" not in out
    assert re.search(r"^3\.  player 1 \(you\) ", out, re.MULTILINE)


def test_a_forced_pass_is_played_and_said(run: Run) -> None:
    """Player 2 takes its only coin first; then no path begins at the pawn."""
    words = "play coin-isolation --seats 2 --set layout=p./pp"
    out = run(words, "side north", "a1", "a2", "b1", "save f").out
    assert ": pass, there is no other move" in out
    assert "pass" in moves_in("f")


def test_what_one_player_has_seen_is_not_shown_to_the_next(run: Run) -> None:
    looked, other = run("play dotter --seed q", "draw", "peek p1 1a 1b", "board").out.split("player 2: ")
    assert "?" in looked
    first, _, rest = other.partition("\n")
    assert re.fullmatch(r"peek p1 1a 1b = \w+ \w+", first)
    faces = first.split(" = ")[1].split()
    assert not any(face in rest for face in faces)
    again = run("play dotter --seed q", "draw", "peek p1 1a 1b", "draw").out.rsplit("player 2>", 1)[0]
    assert f"p1 1: a {faces[0]}" in again


def test_what_a_program_has_seen_is_not_shown_to_the_person(run: Run) -> None:
    out = run("play dotter --seed 3 --against random", *["draw"] * 4).out
    peeks = [line for line in out.splitlines() if line.startswith("player 2: peek")]
    assert peeks and not any("=" in line for line in peeks)


class FirstMove(Console):
    """Somebody who always plays the first move of the list, till the game is over."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.said = io.StringIO()
        super().__init__(None, self.said)

    def ask(self, prompt: str) -> str | None:
        moves = () if self.match.over else self.match.state.moves
        return next(map(str, moves), None)


@pytest.mark.parametrize("seats", ["least", "most"])
@pytest.mark.parametrize("key", keys())
def test_every_game_can_be_played_to_its_end(key: str, seats: str) -> None:
    options = {"dotter": {"laps": 1, "lap_points": 21}, "coin-isolation": {"layout": "pnd/qpn/ddp"}}
    chosen = game(key)
    match = Match(chosen, options.get(key), chosen.seats[0 if seats == "least" else -1], deal=Deal("s"))
    console = FirstMove(match)
    PlainTable(match, lambda _: {1: Program(opponent("random"), "s")}, console).run()
    assert match.over is not None
    out = console.said.getvalue()
    assert "The game is over" in out and out.isascii()
    assert re.search(r"^1\.  player \d", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 120
