"""The sheet of pictures can be drawn: every screen, in every theme, is a picture of the window's size."""

from itertools import islice
from xml.etree import ElementTree

import pytest

from tests.look.__main__ import LOOKS
from tests.look.painted import painted
from tests.look.screens import screens
from tests.look.svg import drawn


@pytest.mark.first(1)
@pytest.mark.parametrize("look", LOOKS)
def test_every_screen_becomes_a_picture(look: str) -> None:
    """All screens in the first look; the others take turns: they differ in colours and letters alone."""
    theme, number, plain = LOOKS[look]
    place = list(LOOKS).index(look)
    for name, screen in islice(screens().items(), place, None, len(LOOKS) if place else 1):
        cells = painted(screen(24, 80, plain), theme, number)
        assert [len(row) for row in cells] == [80] * 24, name
        ElementTree.fromstring(drawn(cells, name, cells[0][0].paper))
