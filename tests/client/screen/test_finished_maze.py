"""A game of Maze ends with its maze on the screen: the walls between the squares, and dots along the way through."""

from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.screen.stage import begin_model
from quadrille.client.screen.table.draw import draw, needs, scene_of
from quadrille.client.screen.table.model import Model, Replay
from quadrille.client.settings import Settings
from quadrille.rules.match import Match
from quadrille.rules.record import read
from quadrille.rules.registry import game
from tests.client.screen.keyboard import sized

GOLDEN = Path(__file__).parents[2] / "golden"
#: From one line more on, 6 x 6 squares have room for walls between them.
_LINES_OF_WALLS = 17
MOVES = ("a3-b3", "b3-b2", "b2-b1", "b1-a1", "a1-a2", "b1-c1", "c1-c2", "c2-c3")


def table(count: int = len(MOVES)) -> Model:
    match = Match(game("maze"), {"size": 3}, 2)
    for move in MOVES[:count]:
        match.play(move)
    return sized(begin_model(match, ("", ""), Settings()), 18, 60)


def board(model: Model) -> list[str]:
    """The part of the screen that has the sheet, without the numbers of rows."""
    return [line[4:29].rstrip() for line in draw(model).lines[1:14]]


def test_the_walls_stand_at_the_end_with_the_way_through() -> None:
    assert board(table()) == [
        "╶───────────────┬───────┐",
        "                │       │",
        "•   ◉───•───┐   │  ‹X›  │",
        "            ┃   │   ┃   │",
        "┌───────┐   •   │   ┃   │",
        "│       │   ┃   │   ┃   │",
        "│   X   │   │   │   │   │",
        "│   │   │   │   │   │   │",
        "│   │   ╵   •   ╵   │   ╵",
        "│   │       │       │",
        "│   └━━━━━━━┴━━━•━━━┘   •",
        "│",
        "└───────────────────────╴",
    ]


def test_no_wall_stands_before_the_end() -> None:
    assert not set("".join(board(table(7)))) & set("┬╷╵╴╶•")
    replayed = replace(table(), replay=Replay(3))
    assert not set("".join(board(replayed))) & set("┬╷╵╴╶•")


@pytest.mark.parametrize("name", ["maze-usual", "maze-resigned"])
def test_the_lines_below_the_board_stay_in_any_window(name: str) -> None:
    """A game that was given up before a way led through shows no walls."""
    match = read((GOLDEN / f"{name}.txt").read_bytes())
    model = begin_model(match, ("", ""), Settings())
    rows, columns = needs(scene_of(match.state))
    for high in range(rows, rows + 30):
        for wide in (columns, columns + 20, columns + 70):
            lines = draw(sized(model, high, wide)).lines
            text = "\n".join(lines)
            assert len(lines) == high and "wins" in text
            has_walls = name == "maze-usual" and high > _LINES_OF_WALLS
            assert ("•" in text) == has_walls
            lower = [line for line in lines if line.startswith("    └──") and "┴" in line and "╴" in line]
            assert len(lower) == has_walls


@pytest.mark.parametrize(("plain", "sign"), [(False, "•"), (True, "*")])
def test_the_way_is_in_the_legend(plain: bool, sign: str) -> None:
    model = sized(table(), 24, 80)
    lines = draw(replace(model, look=replace(model.look, plain=plain))).lines
    assert any(f"{sign} the way through" in line for line in lines)
    assert not any("the way through" in line for line in draw(sized(table(len(MOVES) - 1), 24, 80)).lines)
