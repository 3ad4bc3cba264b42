"""The last lines of a table: what is told never hides the keys, which are the mouse's, too."""

from dataclasses import replace

import pytest

from quadrille.client.screen.draw.canvas import Canvas
from quadrille.client.screen.draw.frame import draw_foot
from quadrille.client.screen.table.draw import draw, needs, scene_of
from quadrille.client.screen.table.model import Model, Question, ShownChair, ShownTable
from quadrille.client.screen.table.page import Page
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys
from tests.client.screen.keyboard import begun, press, sized, typed
from tests.client.screen.positions import match_of, model_of

LONG = " ".join(f"word{number}" for number in range(40))


def told(key: str, text: str, rows: int = 24, columns: int = 80, *, people: bool = False) -> Model:
    model = begun(model_of(match_of(key, game(key).usual_seats, 7), people=people))
    return replace(sized(model, rows, columns), notice=text)


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("text", ["", "short", LONG[:110], LONG])
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
def test_keys_and_prompt_keep_their_places(key: str, text: str, rows: int, columns: int) -> None:
    model = told(key, text, rows, columns)
    lines = draw(model).lines
    assert lines[-1].startswith(" F1 Help") and ">" in lines[-2][:6]
    assert [spot.row for spot in draw(model).spots if (spot.does, spot.name) == ("key", "f1")] == [rows - 1]
    assert " ".join(text.split()) in " ".join(
        " ".join(lines[-8:-2]).split()
    )  # however long: over the board, if need be


@pytest.mark.parametrize("columns", [60, 70, 80, 120])
def test_the_foot_says_offer_draw_and_keeps_the_ways_out(columns: int) -> None:
    """`F4 Draw` was pressed for cards."""
    foot = draw(told("dotter" if columns > 70 else "barons", "", 24, columns, people=True)).lines[-1]
    assert "F4 Offer draw" in foot and foot.rstrip().endswith("F10 Menu ^Q Quit")
    assert ("F7 Save" in foot) is ("F7" in foot) is (columns == 120)


@pytest.mark.parametrize(("key", "people"), [("maze", True), ("dollar-draw", True), ("barons", False)])
def test_no_draw_is_offered_to_bots_alone_or_where_somebody_always_wins(key: str, *, people: bool) -> None:
    model = told(key, "", 24, 120, people=people)
    assert "draw" not in draw(model).lines[-1] and "offer a draw" not in "\n".join(draw(press(model, "f10")[0]).lines)


def test_in_dotter_the_word_draw_is_a_move_alone() -> None:
    model = told("dotter", "", people=True)
    keys = press(model, "f1", "tab")[0].overlay
    assert isinstance(keys, Page)
    assert [line.split() for line in keys.lines if "offer a draw" in line] == [["F4,", "offer", "offer", "a", "draw"]]
    assert any("offer     F4     offer a draw" in line for line in draw(press(model, "f10")[0]).lines)
    for line in ("offer", "agree"):
        assert isinstance(typed(model, line)[0].overlay, Question)
    keys = press(told("barons", ""), "f1", "tab")[0].overlay
    assert isinstance(keys, Page)
    assert [line.split()[:2] for line in keys.lines if "offer a draw" in line] == [["F4,", "draw"]]


def test_after_the_end_the_foot_has_what_can_be_done_then() -> None:
    """It kept Hint, Draw and Resign, and had no Rematch."""
    model = told("maze", "", 24, 120)
    over = replace(model, table=replace(model.table, match=_ended(model.table.match)))
    assert draw(over).lines[-1].strip() == "F1 Help F5 Replay F6 Rematch F7 Save F10 Menu ^Q Leave"
    assert "F6 rematch, F5 replay, F7 save." in " ".join(line.strip() for line in draw(over).lines[-4:])


@pytest.mark.parametrize("local", [True, False])
def test_one_who_only_looks_on_is_told_of_no_rematch(local: bool) -> None:
    match = _ended(match_of("barons", 2, 3))
    chairs = (ShownChair("Ann"), ShownChair("Ben"))
    lines = draw(Model(ShownTable(match, chairs, (), None, local=local))).lines
    assert "F5 replay, F7 save." in " ".join(lines[-4:]) and not any("ematch" in line for line in lines)
    assert not any(word in lines[-1] for word in ("Hint", "Resign", "Offer draw"))


def _ended(match: Match) -> Match:
    ended = match.copy()
    ended.agree()
    return ended


def test_a_long_message_hides_the_last_rows_of_the_board_and_their_click_targets() -> None:
    model = told("barons", LONG)
    model = sized(model, *needs(scene_of(model.table.match.state)))
    before, after = draw(replace(model, notice="")), draw(model)
    hidden = {spot.row for spot in before.spots if spot.does == "pick"} - {
        spot.row for spot in after.spots if spot.does == "pick"
    }
    assert hidden and min(hidden) > 2 and "word0 " in after.lines[min(hidden)]


def test_what_is_told_in_two_lines_leaves_the_ways_out() -> None:
    canvas = Canvas(60, 20, plain=False)
    canvas.put(16, 1, "the last line of a list")
    keys = (("f1", "F1", "Help"), ("enter", "Enter", "Invite"), ("c-q", "^Q", "Leave"))
    draw_foot(canvas, LONG[:100], "abc", 3, keys, alarm=False)
    picture = canvas.picture()
    assert picture.lines[-1].startswith(" > abc ") and picture.lines[-1].endswith(" F1 Help Enter Invite ^Q Leave")
    assert {(spot.name, spot.row) for spot in picture.spots} == {("f1", 19), ("enter", 19), ("c-q", 19)}
    canvas.wipe(19, 0, 60, 1)
    draw_foot(canvas, LONG[:100], "x" * 70 + "y", 71, keys, alarm=False)
    assert canvas.picture().lines[-1].endswith("xxxy  ^Q Leave")
