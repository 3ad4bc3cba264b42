"""The last lines of a table: what is told never hides the keys, which are the mouse's, too."""

from dataclasses import replace

import pytest

from quadrille.client.screen.table.draw import draw, needs, scene_of
from quadrille.client.screen.table.model import Model
from quadrille.rules.registry import game, keys
from tests.client.screen.keyboard import begun, sized
from tests.client.screen.positions import match_of, model_of

LONG = " ".join(f"word{number}" for number in range(40))


def told(key: str, text: str, rows: int = 24, columns: int = 80) -> Model:
    model = begun(model_of(match_of(key, game(key).usual_seats, 7)))
    return replace(sized(model, rows, columns), notice=text)


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("text", ["", "short", LONG[:110], LONG])
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
def test_keys_and_prompt_keep_their_places(key: str, text: str, rows: int, columns: int) -> None:
    model = told(key, text, rows, columns)
    lines = draw(model).lines
    assert lines[-1].startswith(" F1 Help") and ">" in lines[-2][:6]
    assert [spot.row for spot in draw(model).spots if (spot.does, spot.name) == ("key", "f1")] == [rows - 1]
    if text:
        assert text.split()[0] in lines[-3] + lines[-4]


def test_a_long_message_takes_the_free_line_above() -> None:
    lines = draw(told("barons", LONG[:110], 40, 120)).lines
    assert LONG[:110] in " ".join([lines[-4].strip(), lines[-3].strip()])
    full = draw(told("barons", LONG[:110], 24, 80))
    free = not draw(told("barons", "", 24, 80)).lines[-4][:50].strip()
    assert free == (LONG[:110] in " ".join([full.lines[-4].strip(), full.lines[-3].strip()]))


def test_a_board_is_never_drawn_over() -> None:
    """In the least window that a board has room in the message is cut, with a sign that there is more."""
    model = told("barons", LONG)
    model = sized(model, *needs(scene_of(model.table.match.state)))
    before, lines = draw(replace(model, notice="")).lines, draw(model).lines
    assert before[-4][:40].strip() and lines[-4] == before[-4]
    assert lines[-3].endswith("…")
