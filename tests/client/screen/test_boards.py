"""How boards look: large where there is room, compact where not, badges and coins by value, and what signs mean."""

from dataclasses import replace

import pytest

from quadrille.client.screen.draw.canvas import Canvas
from quadrille.client.screen.draw.sheet import Marked, SheetView, pitch_for, pitches
from quadrille.client.screen.draw.theme import ALL_COLOURS, FEW_COLOURS, NO_COLOURS, TABLE_OF_COLOURS, THEMES, styles
from quadrille.client.screen.table.draw import draw, scene_of
from quadrille.client.screen.table.model import Model, ShownChair
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys
from quadrille.rules.scene import Sheet, cell, mark
from tests.client.screen.keyboard import begun, press, sized
from tests.client.screen.positions import match_of, model_of

DEPTHS = (NO_COLOURS, FEW_COLOURS, TABLE_OF_COLOURS, ALL_COLOURS)


def screen(match: Match, rows: int = 24, columns: int = 80) -> Model:
    return sized(begun(model_of(match)), rows, columns)


def shown(model: Model) -> str:
    return "\n".join(draw(model).lines)


def style_at(model: Model, row: int, column: int) -> str:
    at = 0
    for style, text in draw(model).rows[row]:
        at += len(text)
        if column < at:
            return style
    raise AssertionError


def square(model: Model, name: str) -> tuple[int, int, int, int]:
    """The row, column, width and height of a square."""
    spot = next(spot for spot in draw(model).spots if (spot.does, spot.name) == ("pick", name))
    return spot.row, spot.column, spot.width, spot.height


def test_rows_without_room_between_them_are_joined_by_brackets() -> None:
    match = Match(game("barons"), {"width": 10, "height": 10}, 2)
    for move in ("a1", "c1", "b1", "c2", "b2", "e5"):
        match.play(move)
    model = screen(match, 20, 60)
    lines = [line[:14].rstrip() for line in draw(model).lines]
    assert lines[lines.index("  2  ·  A┐ B┓") + 1] == "  1  A──A┘ B┛"
    plain = draw(replace(model, look=replace(model.look, plain=True))).lines
    assert any(line.startswith("  1  A--A+ B+") for line in plain)


@pytest.mark.parametrize(("key", "options"), [("barons", {"width": 4, "height": 4}), ("maze", {"size": 4})])
def test_a_small_board_is_drawn_large_on_a_large_screen(key: str, options: dict[str, object]) -> None:
    match = match_of(key, 2, 3, options)
    sizes = [square(screen(match, *size), "a1")[2:] for size in ((20, 60), (24, 80), (40, 120))]
    assert sizes[0] < sizes[1] < sizes[2] and sizes[2] == (12, 6)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_sign_of_a_square_to_pick_stands_apart_from_an_unknown_mark(columns: int) -> None:
    """It was `○o`."""
    sheet = Sheet(3, 1, tuple(cell(name, (mark("stick", "o"),)) for name in ("a1", "b1", "c1")))
    canvas = Canvas(columns, 12, plain=False)
    pitch = pitch_for(sheet, 8, columns // 3)
    assert pitch is not None
    SheetView(canvas, 0, 0, sheet, pitch, Marked(nexts=frozenset({"b1"}))).draw()
    text = "\n".join(canvas.picture().lines)
    assert "○ o" in text and "○o" not in text


def test_a_legend_never_takes_the_place_of_moves() -> None:
    assert "new since" not in shown(screen(match_of("barons", 8, 40), 20, 60))


def test_figures_keep_a_margin_and_all_of_them_have_room_on_a_wide_screen() -> None:
    for rows, columns in ((24, 80), (40, 120)):
        lines = draw(screen(match_of("barons", 4, 20), rows, columns)).lines
        assert max(len(line) for line in lines[1:7]) < columns
    assert any("points connections rows columns" in line for line in lines)


def test_the_cursor_leaves_lines_their_colour() -> None:
    model = press(screen(match_of("maze", 2, 12, seed="s")), "up")[0]
    row, column, width, high = square(model, model.cursor)
    places = [(row + down, column + at) for down in range(high) for at in range(width)]
    assert any("cursor" in style_at(model, *place) for place in places)
    for theme in ("night", "paper", "contrast"):
        assert "reverse" not in styles(theme, ALL_COLOURS)["cursor"]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colours", DEPTHS)
def test_badges_and_the_cursor_are_seen_in_every_theme(theme: str, colours: int) -> None:
    found = styles(theme, colours)
    for name in ("badge-a", "badge-h", "cursor", "held", "chosen", "turn", "win"):
        assert "bg:" in found[name] or "reverse" in found[name], name
    assert ("tint-a" in found) == (THEMES[theme] is not None and colours > FEW_COLOURS)


def test_a_coin_too_wide_for_its_square_is_told_by_its_letter() -> None:
    model = screen(match_of("coin-isolation", 4, 18, seed="b"), 20, 60)
    assert min(pitch.columns for pitch in pitches(scene_of(model.table.match.state).sheet)) == 3  # type: ignore[arg-type]
    assert "needs a window" not in shown(model)


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize(("rows", "columns"), [(20, 60), (24, 80), (40, 120)])
@pytest.mark.parametrize("kind", ["level 2", "level 2 of Ann"])
def test_the_level_of_each_bot_is_seen_beside_all_figures(key: str, rows: int, columns: int, kind: str) -> None:
    """It gave way to figures: Ben had a level and Cleo had none, or nobody had one."""
    seats = game(key).usual_seats
    model = screen(match_of(key, seats, 7), rows, columns)
    names = ("you", "Ben", "Cleo", "Dan")[:seats]
    chairs = tuple(ShownChair(name, "2" if at else "", kind if at else "") for at, name in enumerate(names))
    lines = draw(replace(model, table=replace(model.table, chairs=chairs))).lines
    there = [" ".join(line.split()) for line in lines]
    beside = [any(f" {name}, level 2" in line for line in there) for name in names[1:]]
    assert all(beside) or any(f"{name}: level 2" in line for name in (*names, "Bots") for line in there)
    assert all(beside) or not any(beside)
