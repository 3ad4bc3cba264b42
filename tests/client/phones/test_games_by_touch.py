"""Whole games on a phone in a real browser, from the scan to the result, against the host's own terminal."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.client.phones.browser import Browser, browser
from tests.client.phones.served import play_by_touch, play_to_the_end, seated, served

pytestmark = pytest.mark.slow

SHORT = {
    "barons": ("--seats", "2", "--set", "width=4", "--set", "height=4"),
    "coin-isolation": (),
    "dollar-draw": ("--set", "width=4", "--set", "height=4"),
    "dotter": ("--set", "laps=1", "--set", "lap_points=31"),
    "maze": ("--set", "size=4"),
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.mark.parametrize("game", SHORT)
def test_a_game_by_touch_from_the_scan_to_the_result(game: str, chromium: Browser, tmp_path: Path) -> None:
    dice = Random(game)
    with served(tmp_path, game, *SHORT[game]) as table:
        page = seated(chromium, table, "Ben")
        play_to_the_end(table, page, play_by_touch, dice)
        assert page.run('document.querySelectorAll("#places li").length') == 2
        assert page.run('document.querySelector("#result").textContent')
        assert not page.events("Runtime.exceptionThrown", lambda given: given)
