"""The line at the prompt: typing goes there whatever the board does; editing, completion, lines from before."""

from functools import reduce

import pytest

from quadrille.client.screen.table.draw import current_draft, draw
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.terminal import Line, Pasted, Wheel, edited
from quadrille.rules.registry import keys as games
from tests.client.screen.keyboard import after, begun, pasted, press, text, typed
from tests.client.screen.positions import match_of, model_of
from tests.client.sittings import Moved


def maze() -> Model:
    """Two people at the start of a game in which "c3" is refused."""
    return begun(model_of(match_of("maze", 2, 0), people=True))


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        (["a", "4"], "a4", 2),
        (["a", "4", "backspace"], "a", 1),
        (["a", "b", "c", "c-b", "c-b", "delete"], "ac", 1),
        (["a", "b", "home", "c"], "cab", 1),
        (["a", "b", "c-a", "c-f", "x", "c-e", "y"], "axby", 4),
        (["a", "b", "c-b", "c-u"], "b", 0),
        (["a", "b", "c-b", "c-k"], "a", 1),
        (["o", "n", "e", " ", "t", "w", "o", "c-w"], "one ", 4),
        (["c-left", "backspace", "delete", "c-right"], "", 0),
    ],
)
def test_editing(keys: list[str], text: str, at: int) -> None:
    assert reduce(edited, keys, Line()) == Line(text, at)


def test_tab_completes_moves_and_words() -> None:
    model = begun(model_of(match_of("dotter", 2, 0), people=True))
    assert press(model, "d", "tab")[0].line.text == "draw"
    assert "Tab: takeback, theme, title" in text(press(model, "t")[0])
    assert press(model, "t", "a", "tab")[0].line.text == "takeback"
    assert press(model, "z", "tab")[0].line.text == "z"
    model = begun(model_of(match_of("dotter", 2, 19, {"looks": 0}, "a"), people=True))
    for line in ("score p2 2a", "score p2, 2a,", "SCORE  p 2 2A "):
        assert press(model, *line, "tab")[0].line.text in ("score p2 2a 2", "score p2 2a 2b")


def test_lines_from_before_come_back() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    model = pasted(pasted(model, "bell")[0], "title")[0]
    assert press(model, "c-p")[0].line.text == "title"
    assert press(model, "c-p", "c-p", "c-p")[0].line.text == "bell"
    assert press(model, "c-p", "c-n")[0].line.text == ""
    assert after(model, Pasted("resign\ny\ny"))[0].line.text == "resign", "the first line of what is pasted"


def test_the_wheel_turns_pages_and_goes_through_a_game() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    assert after(press(model, "f1")[0], Wheel(up=False))[0].overlay.top == 3
    assert after(press(model, "f5")[0], Wheel(up=True))[0].replay.at == 3
    assert after(model, Wheel(up=True)) == (model, [])


#: By game a line that the game refuses at its start.
REFUSED = {"barons": "z9", "coin-isolation": "a1", "dollar-draw": "z9", "dotter": "peek p1 1a", "maze": "c3"}


@pytest.mark.parametrize("key", games())
def test_the_next_letter_replaces_a_refused_line(key: str) -> None:
    model = begun(model_of(match_of(key, 2, 0), people=True))
    for _ in range(2):
        model = typed(model, REFUSED[key])[0]
        assert model.line.text == REFUSED[key] and model.alarm
        assert REFUSED[key] in draw(model).lines[-2]
    move = str(next(iter(model.table.match.state.moves)))
    assert typed(model, move)[0].table.match.ply == 1
    assert pasted(model, move)[0].table.match.ply == 1


@pytest.mark.parametrize(
    ("key", "text"),
    [("backspace", "c"), ("c-h", "c"), ("home", "c3"), ("c-b", "c3"), ("c-left", "c3"), ("end", "c3"), ("c-w", "")],
)
def test_keys_that_edit_keep_a_refused_line(key: str, text: str) -> None:
    model = press(typed(maze(), "c3")[0], key)[0]
    assert model.line.text == text and not model.line.selected
    assert sorted(press(model, "x")[0].line.text) == sorted(text + "x")


def test_arrows_are_the_board_s_and_leave_a_refused_line_as_it_is() -> None:
    letters = press(maze(), "down", "h", "j", "k", "l", "left")[0]
    assert letters.line.text == "hjkl" and letters.focus == "board"
    model = press(typed(maze(), "c3")[0], "down")[0]
    assert model.line.text == "c3" and model.cursor
    assert ("chosen", "c3") in [(style, text.strip()) for style, text in draw(model).rows[-2]]
    edited = press(model, "backspace")[0]
    assert edited.line.text == "c" and "chosen" not in [style for style, _ in draw(edited).rows[-2]]
    assert press(model, *"b6", "enter")[0].table.match.ply == 1


def test_a_blank_or_a_dash_goes_on_with_a_line_that_was_only_begun() -> None:
    model = typed(maze(), "a6")[0]
    assert model.line.text == "a6" and model.alarm
    assert press(model, *"-b6", "enter")[0].table.match.ply == 1
    assert press(model, " ")[0].line.text == "a6 "


def test_a_line_that_waits_for_the_turn_stays_legal_and_gives_way() -> None:
    model = pasted(begun(model_of(match_of("barons", 2, 0), bots="random")), "a1")[0]
    model = after(typed(model, "c3")[0], Moved("b2"))[0]
    assert current_draft(model).stage == "legal"
    assert press(model, "d")[0].line.text == "d" and press(model, "enter")[0].table.match.ply == 3


def test_a_letter_after_a_whole_move_was_picked_begins_another_and_other_signs_go_on() -> None:
    model = press(begun(model_of(match_of("barons", 2, 0), people=True)), "right", "enter")[0]
    assert current_draft(model).stage == "legal" and model.line.text
    assert press(model, "a", "1")[0].line.text == "a1"
    model = press(begun(model_of(match_of("dotter", 2, 9, {"looks": 0}), people=True)), "right", "enter")[0]
    assert current_draft(model).stage == "begun"
    assert press(model, "a")[0].line.text == f"{model.line.text}a"
