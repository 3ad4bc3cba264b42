"""The estimate of a proof that is too large."""

from typing import Any

import pytest

from quadrille.extras.study.solving.outlook import outlook
from quadrille.rules.search import Position


@pytest.mark.parametrize(
    ("key", "options", "seats", "least", "most"),
    [
        pytest.param("maze", {"size": 6}, 2, 4, 6, marks=pytest.mark.slow),
        ("barons", {"width": 4, "height": 4}, 2, 3, 5),
        pytest.param("barons", {"width": 10, "height": 10}, 4, 30, 99, marks=pytest.mark.slow),
    ],
)
def test_the_outlook_is_too_high_rather_than_too_low(
    key: str, options: dict[str, Any], seats: int, least: int, most: int
) -> None:
    """Maze 6 takes 15,000 positions and Barons 4 x 4 168; the same effort sees the same."""
    position = Position.start(key, options, seats)
    found = outlook(position, 0, 3000)
    assert least <= found.power <= most and found == outlook(position, 0, 3000)
    longest = 35 if key == "maze" else options["width"] * options["height"]
    assert 0 < found.moves < longest
