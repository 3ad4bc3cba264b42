"""Whole screens of the lobby and what belongs to it, to the letter: 80 x 24 and 120 x 40, in Unicode and in ASCII.

After a wanted change: python -m tests.client.screen.network.make, then look at what git says has changed.
"""

from pathlib import Path

import pytest

from quadrille.client.screen.draw.canvas import columns as columns_of
from tests.client.screen.network.scenes import SCENES, shown

FOLDER = Path(__file__).parent / "golden"
SIZES = ((24, 80), (40, 120))
CASES = [(name, rows, columns, plain) for name in SCENES for rows, columns in SIZES for plain in (False, True)]


def page(name: str, rows: int, columns: int, *, plain: bool) -> str:
    return "\n".join(shown(name, rows, columns, plain=plain).lines) + "\n"


def name_of(name: str, rows: int, columns: int, *, plain: bool) -> str:
    return f"{name}-{columns}x{rows}-{'ascii' if plain else 'unicode'}.txt"


@pytest.mark.parametrize(("name", "rows", "columns", "plain"), CASES)
def test_a_screen_is_as_it_was(name: str, rows: int, columns: int, *, plain: bool) -> None:
    wanted = (FOLDER / name_of(name, rows, columns, plain=plain)).read_text("utf-8")
    assert page(name, rows, columns, plain=plain) == wanted


@pytest.mark.parametrize(("name", "rows", "columns", "plain"), CASES)
def test_every_row_fills_the_window(name: str, rows: int, columns: int, *, plain: bool) -> None:
    picture = shown(name, rows, columns, plain=plain)
    assert [columns_of("".join(text for _, text in row)) for row in picture.rows] == [columns] * rows
    assert not plain or "".join(picture.lines).isascii()


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (10, 40), (16, 60), (24, 61), (17, 200), (60, 80)])
def test_any_size_is_drawn(name: str, rows: int, columns: int) -> None:
    picture = shown(name, rows, columns, plain=False)
    assert [columns_of("".join(text for _, text in row)) for row in picture.rows] == [columns] * rows
    if rows < 16 or columns < 60:
        assert name == "page" or rows * columns < 60 or "60 x 16" in " ".join(picture.lines)


def test_tables_say_in_words_what_their_colour_says() -> None:
    lines = shown("lobby", 24, 80, plain=True).lines
    for words in ("YOUR TURN", "unfinished", "2 seats are free", "about to begin", "at play: look on"):
        assert any(words in line for line in lines)
