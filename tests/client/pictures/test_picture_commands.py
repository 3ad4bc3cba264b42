"""`quadrille picture` and `quadrille replay --html`: what they write, through whose eyes, what they refuse."""

from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from quadrille.net.entries.bodies import MoveBody
from quadrille.net.game_log import archive
from quadrille.rules.record import write
from tests.client.conftest import Run
from tests.client.pictures.test_pictures import FOLDER, shown
from tests.client.screen.positions import played
from tests.net.tables import begun, mover, terms

SVG = "{http://www.w3.org/2000/svg}"


def test_a_new_game_after_some_moves(run: Run) -> None:
    ran = run("picture barons --seats 3 --set width=4 --set height=3 --moves a1,b2,c1,a2,b3,d1,a3,c2,c3 -o f.svg")
    assert ran == (0, "", "")
    assert Path("f.svg").read_text("utf-8") == (FOLDER / "barons.svg").read_text("utf-8")
    assert run("picture barons --set width=4 --set height=3 --seats 3").out.startswith("<svg ")
    words = ["picture", "coin-isolation", "--seats", "2", "--set", "layout=ppn/npp/pdp", "--set", "collect=transplant"]
    assert "after 2 moves" in run([*words, "--moves", "side east; a3-b3-b2 to a3,b3"]).out


def test_a_position_of_a_record(run: Run) -> None:
    Path("f").write_text(write(shown("maze").match))
    assert run("picture f").out == (FOLDER / "maze.svg").read_text("utf-8")
    title = Xml.fromstring(run("picture f --at 1").out).findtext(f"{SVG}title")
    assert title == "Maze, 2 players, size 3, after 1 move"
    start = Xml.fromstring(run("picture f --at 0").out)
    assert start.findtext(f"{SVG}title") == "Maze, 2 players, size 3, at the start"


def test_through_the_eyes_of_a_seat(run: Run) -> None:
    Path("f").write_text(write(shown("dotter").match))
    assert run("picture f --seat 1").out == (FOLDER / "dotter.svg").read_text("utf-8")
    seen = {who: run(f"replay f --ply 3{who}").out for who in ("", " --seat 1", " --seat 2")}
    assert "player 1: peek p2 1a 1b = " in seen[""]
    assert "player 1: peek p2 1a 1b = " in seen[" --seat 1"]
    assert "player 1: peek p2 1a 1b\n" in seen[" --seat 2"]


def test_a_page(run: Run) -> None:
    Path("f").write_text(write(shown("dotter").match))
    assert run("replay --html f -o f.html --seat 2") == (0, "", "")
    assert Path("f.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert run("replay f --html --seat 2").out == Path("f.html").read_text("utf-8")


def test_a_log_has_names(run: Run) -> None:
    log = begun(terms(options={"width": 3, "height": 3}, lot=False))
    log.take(log.write(MoveBody("a1"), mover(log)))
    Path("f").write_text(archive.write(log))
    assert "player 1 (name 0)" in run("picture f").out
    assert "1. player 1 (name 0): a1\n" in run("replay f").out


@pytest.mark.parametrize("words", ["replay f", "play --load f --plain"])
def test_lines_end_with_the_maze_and_its_way_before_the_result(run: Run, words: str) -> None:
    match = played("maze", "a2-b2, b2-b1", {"size": 2})
    Path("f").write_text(write(match))
    assert "The maze, and" not in run(words).out
    match.play("b1-a1")
    Path("f").write_text(write(match))
    told = run(words).out
    drawn = "+---+---+\n* * * * |\n+---+ * +\n|     * *\n+---+---+\n"
    assert f"\nThe maze, and the way through it:\n\n{drawn}\nThe game is over: " in told
    assert told.count("The maze, and") == 1


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ("picture nothing", 2, "nothing: No such file or directory"),
        (
            "picture chess",
            2,
            'chess: No such file or directory, and there is no game "chess": the games are coin-isolation, ',
        ),
        ("picture dottr", 2, 'dottr: No such file or directory, and there is no game "dottr": did you mean dotter?'),
        ("picture f --at 7", 2, "this record has 6 moves: there is no position after 7"),
        ("picture f --at -1", 2, "there is no position after -1"),
        ("picture f --seat 3", 2, "there is no player 3: the players here are 1 to 2"),
        ("picture f --seat 0", 2, "there is no player 0"),
        ("picture f --moves a1", 2, "f is no game (there are coin-isolation, "),
        ("picture baron --set width=6", 2, "baron is no game (there are coin-isolation, "),
        ("picture barons --moves zz", 2, '"zz" is no square'),
        ("picture f -o f", 2, "f is the record: name another file for the picture"),
        ("replay f --html -o ./f", 2, "./f is the record"),
        ("replay f -o g", 2, "--output is for the page: add --html"),
        ("replay f --html --ply 2", 2, "the page has every position"),
        ("replay f --html --json", 2, "not allowed with argument"),
        ("replay f --json --seat 1", 2, "give --json without --seat"),
        ("replay view --seat 1", 2, "this record tells what player 2 saw, not what player 1 did"),
    ],
)
def test_refusals(run: Run, words: str, code: int, why: str) -> None:
    Path("f").write_text(write(shown("maze").match))
    view = Path(__file__).parents[2] / "golden" / "dotter-view-p2.txt"
    Path("view").write_bytes(view.read_bytes())
    ran = run(words)
    assert (ran.code, ran.out) == (code, "")
    assert why in ran.err
    assert Path("f").read_text() == write(shown("maze").match)
