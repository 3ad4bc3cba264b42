"""The last lines of a table: what is told never hides the keys, which are the mouse's, too."""

import re
from dataclasses import replace

import pytest

from quadrille.client.screen.draw.canvas import Canvas
from quadrille.client.screen.draw.frame import draw_foot
from quadrille.client.screen.lobby.dialog import draw_new
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen, draw_waiting
from quadrille.client.screen.table.draw import draw, needs, scene_of
from quadrille.client.screen.table.model import Model, Question, ShownChair, ShownTable
from quadrille.client.screen.table.page import Page
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys
from tests.client.screen.keyboard import begun, press, sized, typed
from tests.client.screen.network.scenes import ROOM
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
def test_s11_the_foot_says_offer_draw_and_keeps_the_ways_out(columns: int) -> None:
    """`F4 Draw` was pressed for cards."""
    foot = draw(told("dotter" if columns > 70 else "barons", "", 24, columns, people=True)).lines[-1]
    assert "F4 Offer draw" in foot and foot.rstrip().endswith("F10 Menu ^Q Quit")
    assert ("F7 Save" in foot) is ("F7" in foot) is (columns == 120)


@pytest.mark.parametrize("columns", [60, 70, 80, 120])
def test_u_annoying_2_no_key_of_the_foot_is_without_its_label(columns: int) -> None:
    """It was `F5 Replay F7  F9 Resign`; F10 lists what has no room."""
    foot = draw(told("maze", "", 24, columns)).lines[-1]
    assert re.fullmatch(r"( (F[0-9]+|\^[A-Z]) [A-Z][a-z]+( draw)?)+ *", foot)


@pytest.mark.parametrize(("key", "people"), [("maze", True), ("dollar-draw", True), ("barons", False)])
def test_no_draw_is_offered_to_bots_alone_or_where_somebody_always_wins(key: str, *, people: bool) -> None:
    model = told(key, "", 24, 120, people=people)
    assert "draw" not in draw(model).lines[-1] and "offer a draw" not in "\n".join(draw(press(model, "f10")[0]).lines)


def test_s11_in_dotter_the_word_draw_is_a_move_alone() -> None:
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


def test_c7_after_the_end_the_foot_has_what_can_be_done_then() -> None:
    """It kept Hint, Draw and Resign, and had no Rematch."""
    model = told("maze", "", 24, 120)
    over = replace(model, table=replace(model.table, match=_ended(model.table.match)))
    assert draw(over).lines[-1].strip() == "F1 Help F5 Replay F6 Rematch F7 Save F10 Menu ^Q Leave"
    assert "F6 rematch, F5 replay, F7 save." in " ".join(line.strip() for line in draw(over).lines[-4:])


@pytest.mark.parametrize("local", [True, False])
def test_c7_one_who_only_looks_on_is_told_of_no_rematch(local: bool) -> None:
    match = _ended(match_of("barons", 2, 3))
    chairs = (ShownChair("Ann"), ShownChair("Ben"))
    lines = draw(Model(ShownTable(match, chairs, (), None, local=local))).lines
    assert "F5 replay, F7 save." in " ".join(lines[-4:]) and not any("ematch" in line for line in lines)
    assert not any(word in lines[-1] for word in ("Hint", "Resign", "Offer draw"))


def _ended(match: Match) -> Match:
    ended = match.copy()
    ended.agree()
    return ended


def test_a_long_message_takes_the_free_line_above() -> None:
    lines = draw(told("barons", LONG[:110], 40, 120)).lines
    assert LONG[:110] in " ".join([lines[-4].strip(), lines[-3].strip()])
    full = draw(told("barons", LONG[:110], 24, 80))
    free = not draw(told("barons", "", 24, 80)).lines[-4][:50].strip()
    assert free == (LONG[:110] in " ".join([full.lines[-4].strip(), full.lines[-3].strip()]))


def test_a_long_message_hides_the_last_rows_of_the_board_and_their_click_targets() -> None:
    model = told("barons", LONG)
    model = sized(model, *needs(scene_of(model.table.match.state)))
    before, after = draw(replace(model, notice="")), draw(model)
    hidden = {spot.row for spot in before.spots if spot.does == "pick"} - {
        spot.row for spot in after.spots if spot.does == "pick"
    }
    assert hidden and min(hidden) > 2 and "word0 " in after.lines[min(hidden)]


def test_a10_what_is_told_in_two_lines_leaves_the_ways_out() -> None:
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


def test_a10_what_is_told_in_two_lines_rises_where_there_is_room() -> None:
    """A room that waits lost "F1 Help F6 Rules" as long as it stood."""
    for size in ((80, 24), (60, 16)):
        waiting = replace(WaitingRoomScreen(ROOM), rows=size[1], columns=size[0])
        lines = draw_waiting(waiting).lines
        assert lines[-1] == " F1 Help F6 Rules ^T Say Enter Invite ^Q Leave".ljust(size[0]).rstrip() or size[1] == 16
        assert all(key in " ".join(lines[-2:]) for key in ("F1 Help", "F6 Rules", "Enter Invite", "^Q Leave"))


def test_a10_the_form_s_keys_are_whole_in_60_columns() -> None:
    for columns, arrows in ((60, ("↑↓ line ←→ value")), (76, "up, down: line left, right: value")):
        form = NewTable("maze", local=True, columns=columns)
        assert draw_new(form).lines[-1].strip() == f"Enter Play Esc Back F1 Rules {arrows} or type"
