"""Whole screens of every game and of the lobby, to the letter: 80 x 24, also through a terminal, and 120 x 40, in
Unicode and in ASCII.

After a wanted change: python -m tests.client.screen.test_screens, then look at what git says has changed.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.screen.draw.canvas import columns as columns_of
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.terminal import Line
from quadrille.rules.registry import keys
from tests.client.conftest import bare_lobby
from tests.client.screen.keyboard import match_of, model_of
from tests.client.screen.network.scenes import SCENES, shown
from tests.client.screen.terminal import at_screen

FOLDER = Path(__file__).parent
SIZES = ((24, 80), (40, 120))
#: What is shown: game, seats, moves played, their seed, the line that is half typed.
POSITIONS = {
    "barons": ("barons", 6, 60, "s", "c6"),
    "coin-isolation": ("coin-isolation", 4, 18, "b", "a7-b7-c7"),
    "coin-isolation-2": ("coin-isolation", 2, 17, "e", "f7-f6-"),
    "dollar-draw": ("dollar-draw", 2, 60, "j", "j3"),
    "dotter": ("dotter", 2, 19, "a", "score p2 2a 2b 2c"),
    "dotter-6": ("dotter", 6, 45, "b", ""),
    "maze": ("maze", 2, 12, "s", ""),
}


def position(name: str, *, plain: bool) -> Model:
    key, seats, moves, seed, _ = POSITIONS[name]
    return model_of(match_of(key, seats, moves, seed=seed), plain=plain)


def page(name: str, rows: int, columns: int, *, plain: bool) -> str:
    if name in SCENES:
        return "\n".join(shown(name, rows, columns, plain=plain).lines) + "\n"
    model = replace(position(name, plain=plain), rows=rows, columns=columns, line=Line.of(POSITIONS[name][-1]))
    return "\n".join(draw(model).lines) + "\n"


def path_of(name: str, rows: int, columns: int, *, plain: bool) -> Path:
    folder = FOLDER / ("network/golden" if name in SCENES else "golden")
    return folder / f"{name}-{columns}x{rows}-{'ascii' if plain else 'unicode'}.txt"


NAMES = (*POSITIONS, *SCENES)
CASES = [(name, rows, columns, plain) for name in NAMES for rows, columns in SIZES for plain in (False, True)]


@pytest.mark.parametrize(("name", "rows", "columns", "plain"), CASES)
def test_a_screen_is_as_it_was(name: str, rows: int, columns: int, *, plain: bool) -> None:
    shown = page(name, rows, columns, plain=plain)
    golden = path_of(name, rows, columns, plain=plain).read_text("utf-8")
    assert shown == golden and (shown.isascii() or not plain), "wanted? python -m tests.client.screen.test_screens"


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (10, 40), (16, 60), (24, 61), (17, 200), (60, 80)])
def test_a_scene_fills_any_window(name: str, rows: int, columns: int) -> None:
    picture = shown(name, rows, columns, plain=False)
    assert [columns_of("".join(text for _, text in row)) for row in picture.rows] == [columns] * rows
    if rows < 16 or columns < 60:
        assert name == "page" or rows * columns < 60 or "60 x 16" in " ".join(picture.lines)


def test_a_terminal_shows_it() -> None:
    wanted = path_of("dotter", *SIZES[0], plain=False).read_text("utf-8")

    async def look() -> list[str]:
        async with at_screen(position("dotter", plain=False)) as person:
            person.press(POSITIONS["dotter"][-1])
            with suppress(AssertionError):  # the comparison below says more
                await person.until(lambda who: who.emulator.lines == wanted.splitlines())
            return person.emulator.lines

    assert "\n".join(asyncio.run(look())) + "\n" == wanted


def test_every_game_has_a_screen() -> None:
    assert {key for key, *_ in POSITIONS.values()} == set(keys())


if __name__ == "__main__":
    with bare_lobby():
        for folder in ("golden", "network/golden"):
            for path in (FOLDER / folder).glob("*.txt"):
                path.unlink()
        for name, rows, columns, plain in CASES:
            path_of(name, rows, columns, plain=plain).write_text(page(name, rows, columns, plain=plain), "utf-8")
