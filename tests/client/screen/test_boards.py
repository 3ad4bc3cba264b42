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


@pytest.mark.parametrize("key", keys())
def test_a9_every_game_fits_60_by_20(key: str) -> None:
    """Barons needed 70 x 24."""
    model = screen(match_of(key, game(key).usual_seats, 30), 20, 60)
    assert "needs a window" not in shown(model)


def test_a9_rows_without_room_between_them_are_joined_by_brackets() -> None:
    match = Match(game("barons"), {"width": 10, "height": 10}, 2)
    for move in ("a1", "c1", "b1", "c2", "b2", "e5"):
        match.play(move)
    model = screen(match, 20, 60)
    lines = [line[:14].rstrip() for line in draw(model).lines]
    assert lines[lines.index("  2  ·  A┐ B┓") + 1] == "  1  A──A┘ B┛"
    plain = draw(replace(model, look=replace(model.look, plain=True))).lines
    assert any(line.startswith("  1  A--A+ B+") for line in plain)


@pytest.mark.parametrize(("key", "options"), [("barons", {"width": 4, "height": 4}), ("maze", {"size": 4})])
def test_a9_a_small_board_is_drawn_large_on_a_large_screen(key: str, options: dict[str, object]) -> None:
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


def test_a17_signs_are_explained_where_they_are() -> None:
    match = Match(game("dollar-draw"), {"width": 5, "height": 5}, 2)
    start = shown(screen(match))
    assert all(words in start for words in ("A B the tokens", "|| S claimed by A and B", "○ a square to pick"))
    assert "‹ ›" not in start and "a dollar" not in start
    match.play(str(next(iter(match.state.moves))))
    after = shown(screen(match))
    assert "‹ › new since your move" in after and "a dollar" not in after
    assert "‹ › the last move" in shown(press(screen(match), "f5")[0])
    dotter = shown(screen(match_of("dotter", 6, 45, seed="b"), 40, 120))
    assert "( ) only you see it" in dotter and "c on a card: C has looked" in dotter
    assert "2 on a card: so many have looked" in dotter


def test_a17_a_legend_never_takes_the_place_of_moves() -> None:
    assert "new since" not in shown(screen(match_of("barons", 8, 40), 20, 60))


def test_a23_coins_are_told_by_their_values() -> None:
    """The letters p, d, q, n are mirror images of each other in many fonts."""
    model = screen(match_of("coin-isolation", 2, 17, seed="e"))
    row, column, width, _ = square(model, "d8")
    assert draw(model).lines[row][column : column + width].strip() == "25"
    styles_there = {style_at(model, row, column + at) for at in range(width)}
    assert any("coin-q" in style for style in styles_there)
    assert "2×1" in shown(model) and "cents: p 1 n 5 d 10 q 25" in shown(model)


def test_a24_a_token_stands_apart_from_the_mark_below_it() -> None:
    match = Match(game("dollar-draw"), {"width": 5, "height": 5}, 2)
    match.play(str(next(iter(match.state.moves))))
    model = screen(match)
    assert "‹A ||›" in shown(model) and "A||" not in shown(model)
    row = next(number for number, line in enumerate(draw(model).lines) if "‹A ||›" in line)
    column = draw(model).lines[row].index("A ||")
    assert "badge-a" in style_at(model, row, column) and "seat-a" in style_at(model, row, column + 2)


def test_c5_figures_keep_a_margin_and_all_of_them_have_room_on_a_wide_screen() -> None:
    for rows, columns in ((24, 80), (40, 120)):
        lines = draw(screen(match_of("barons", 4, 20), rows, columns)).lines
        assert max(len(line) for line in lines[1:7]) < columns
    assert any("points connections rows columns" in line for line in lines)


def test_c12_the_cursor_leaves_lines_their_colour() -> None:
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


@pytest.mark.parametrize("theme", ["night", "paper", "contrast"])
def test_letters_stand_out_from_the_colour_of_their_squares(theme: str) -> None:
    """WCAG AA for text: 4.5 to 1."""
    palette = THEMES[theme]
    assert palette
    pairs = [
        ("ink", "paper"),
        ("ink", "sheet"),
        ("faint", "paper"),
        ("faint", "sheet"),
        ("ink", "bar"),
        ("ink", "chosen"),
    ]
    pairs += [("onaccent", "accent"), ("ongold", "gold"), ("wrong", "paper"), ("ink", "bar"), ("ink", "chosen")]
    pairs += [("coined", coin) for coin in "pndq"]
    for seat in range(8):
        pairs += [(f"ink{seat}", ground) for ground in ("paper", "sheet", f"tint{seat}")]
        pairs += [(f"on{seat}", f"fill{seat}")]
    for ink, ground in pairs:
        dim, bright = sorted(map(luminance, (palette[ink], palette[ground])))
        assert (bright + 0.05) / (dim + 0.05) >= 4.5, (ink, ground)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_coin_too_wide_for_its_square_is_told_by_its_letter() -> None:
    model = screen(match_of("coin-isolation", 4, 18, seed="b"), 20, 60)
    assert min(pitch.columns for pitch in pitches(scene_of(model.table.match.state).sheet)) == 3  # type: ignore[arg-type]
    assert "needs a window" not in shown(model)


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize(("rows", "columns"), [(20, 60), (24, 80), (40, 120)])
@pytest.mark.parametrize("kind", ["level 2", "level 2 of Ann"])
def test_a2_the_level_of_each_bot_is_seen_beside_all_figures(key: str, rows: int, columns: int, kind: str) -> None:
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
