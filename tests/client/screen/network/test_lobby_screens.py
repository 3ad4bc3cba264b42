"""Screens of the lobby and what belongs to it fill any window; to the letter they are in test_screens.py."""

import pytest

from quadrille.client.screen.draw.canvas import columns as columns_of
from tests.client.screen.network.scenes import SCENES, shown


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (10, 40), (16, 60), (24, 61), (24, 80), (17, 200), (60, 80)])
def test_any_size_is_drawn(name: str, rows: int, columns: int) -> None:
    picture = shown(name, rows, columns, plain=False)
    assert [columns_of("".join(text for _, text in row)) for row in picture.rows] == [columns] * rows
    if rows < 16 or columns < 60:
        assert name == "page" or rows * columns < 60 or "60 x 16" in " ".join(picture.lines)
