"""The line at the prompt: typing goes there whatever the board does; editing, completion, lines from before."""

import pytest

from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.line_keys import LONGEST, edited, inserted
from quadrille.client.screen.table.model import Line, Pasted, Wheel
from tests.client.screen.keyboard import after, begun, pasted, press
from tests.client.screen.positions import match_of, model_of


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
    line: Line | None = Line()
    for key in keys:
        assert line is not None
        line = edited(line, key)
    assert line == Line(text, at)


def test_what_is_no_letter_is_none_of_the_lines() -> None:
    assert edited(Line("a", 1), "f13") is None and edited(Line("a", 1), "\x00") is None
    assert inserted(Line(), "a\x1b[2Jb\u202e").text == "a[2Jb"
    assert len(inserted(Line(), "a" * 9999).text) == LONGEST


def test_letters_are_typed_while_the_cursor_is_on_the_board() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    model = press(model, "down", "h", "j", "k", "l", "left")[0]
    assert model.line.text == "hjkl" and model.focus == "board"


def test_tab_completes_moves_and_words() -> None:
    model = begun(model_of(match_of("dotter", 2, 0), people=True))
    assert press(model, "d", "tab")[0].line.text == "draw"
    assert "Tab: takeback theme title" in "\n".join(draw(press(model, "t")[0]).lines)
    assert press(model, "t", "a", "tab")[0].line.text == "takeback"
    assert press(model, "z", "tab")[0].line.text == "z"


def test_lines_from_before_come_back() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    model = pasted(pasted(model, "bell")[0], "title")[0]
    assert press(model, "c-p")[0].line.text == "title"
    assert press(model, "c-p", "c-p", "c-p")[0].line.text == "bell"
    assert press(model, "c-p", "c-n")[0].line.text == ""


def test_only_the_first_line_of_what_is_pasted_is_taken() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    assert after(model, Pasted("resign\ny\ny"))[0].line.text == "resign"


def test_the_wheel_turns_pages_and_goes_through_a_game() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    assert after(press(model, "f1")[0], Wheel(up=False))[0].overlay.top == 3  # type: ignore[union-attr]
    assert after(press(model, "f5")[0], Wheel(up=True))[0].replay.at == 3  # type: ignore[union-attr]
    assert after(model, Wheel(up=True)) == (model, [])
