"""Whole games in a real browser, from the scan to the result: between phones and the host's own terminal."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.client.phones.browser import Browser, browser
from tests.client.phones.served import play_by_touch, play_to_the_end, seated, served
from tests.client.phones.webkit import webkit
from tests.net.hosts import inside

pytestmark = pytest.mark.slow

#: Games whose moves take several touches: how many phones sit down with the host, and what the host says. The evening
#: below has all games.
SHORT = {
    "coin-isolation": (1, "--seats", "2"),
    "dotter": (1, "--seats", "2", "--set", "laps=1", "--set", "lap_points=21"),
}
NAMES = ("Ben", "Cleo")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.mark.parametrize("game", SHORT)
def test_a_game_by_touch_from_the_scan_to_the_result(game: str, chromium: Browser, tmp_path: Path) -> None:
    dice, (phones, *words) = Random(game), SHORT[game]
    with served(tmp_path, game, *words, guests=phones) as table:
        pages = [seated(chromium, table, name) for name in NAMES[:phones]]
        for page in pages:
            page.until('document.body.dataset.stage === "table"')
            for size in ((320, 568), (390, 844)):
                page.resize(size)
                assert page.run("document.documentElement.scrollWidth") <= size[0], (game, size)
        play_to_the_end(table, play_by_touch, dice, *pages)
        results = {page.run('document.querySelector("#result").textContent') for page in pages}
        assert all(results), results
        entries = [
            page.run('Array.from(document.querySelectorAll("#log li"), node => node.textContent)') for page in pages
        ]
        assert entries[0] == entries[-1] and entries[0]  # each move once, and the same ones on all phones
        for page in pages:
            assert page.run('document.querySelectorAll("#places li").length') == phones + 1
            assert not page.events("Runtime.exceptionThrown", lambda given: given)
            page.close()


def test_a_game_in_another_engine(tmp_path: Path) -> None:
    with webkit() as engine, served(tmp_path, "maze", "--set", "size=4") as table:
        page = seated(engine, table, "Ben")
        play_to_the_end(table, play_by_touch, Random(1), page)
        assert page.run('document.querySelector("#result").textContent')
        assert page.run('document.querySelectorAll("#places li").length') == 2


def test_an_evening_of_all_games_with_four_phones_and_a_television(tmp_path: Path) -> None:
    inside("tests.client.phones.lan_evening", str(tmp_path), hosts=2)
