"""A phone whose line is bad: cut, dead without a word, late. The seat stays, and each move is made once."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from tests.client.phones.browser import Browser, Page, browser
from tests.client.phones.proxy import Proxy, proxied
from tests.client.phones.served import Table, play_by_touch, play_to_the_end, seated, served
from tests.waiting import soon

pytestmark = pytest.mark.slow

SMALL = ("--set", "size=4")
LINES = 'Array.from(document.querySelectorAll("#log li"), node => node.textContent)'
#: A frame with the page's wish to play is longer than one that asks whether somebody is there.
WISH = 48


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@contextmanager
def behind(chromium: Browser, home: Path) -> Iterator[tuple[Table, Page, Proxy]]:
    """A table whose host has moved first, and a seat on a phone that reaches it through a proxy."""
    with proxied() as proxy, served(home, "maze", *SMALL) as table:
        page = seated(chromium, table, "Ben", proxy.port)
        table.host.wait("Your turn")
        table.host.enter("a4-b4")
        page.until('document.body.classList.contains("mine")')
        yield table, page, proxy
        assert not page.events("Runtime.exceptionThrown", lambda given: given)
        page.close()


def entries(page: Page, number: int) -> list[str]:
    """The moves on the page, when there are so many."""
    page.until(f"{LINES}.length === {number}")
    return list(page.run(LINES))


def pick(page: Page) -> None:
    """A move is ready to be played."""
    page.touch('[data-place="c4"]')
    page.until('document.querySelector("#play").getAttribute("aria-disabled") === "false"')


def test_a_line_that_is_cut_in_the_middle_of_a_game(chromium: Browser, tmp_path: Path) -> None:
    with behind(chromium, tmp_path) as (table, page, proxy):

        def cut_and_play(page: Page, dice: Random) -> None:
            before = proxy.opened
            proxy.cut()
            assert soon(lambda: proxy.opened > before)
            play_by_touch(page, dice)

        pick(page)
        proxy.cut()
        page.until('document.querySelectorAll(".picked").length')  # what was picked is still so
        page.touch("#play")
        entries(page, 2)
        proxy.cut()  # while the host moves
        assert table.host_moves()
        entries(page, 3)
        play_to_the_end(table, cut_and_play, Random(1), page)
        assert len({*page.run(LINES)}) == len(page.run(LINES))
        assert "away" not in table.host.text


@pytest.mark.parametrize("passes", [True, False], ids=["the answer is lost", "the move is lost"])
def test_a_line_that_is_cut_while_a_move_is_under_way(chromium: Browser, tmp_path: Path, *, passes: bool) -> None:
    with behind(chromium, tmp_path) as (table, page, proxy):
        pick(page)
        proxy.passes, proxy.cuts = passes, lambda chunk: len(chunk) > WISH
        page.touch("#play")
        assert entries(page, 2)[1].endswith("c4")
        assert proxy.cuts is None, "it was not cut"
        assert soon(table.host_moves)
        assert len(entries(page, 3)) == 3


def test_a_line_that_is_dead_without_a_word_is_noticed_within_ten_seconds(chromium: Browser, tmp_path: Path) -> None:
    script = files("quadrille.client.phones").joinpath("page", "phone.js").read_text("utf-8")
    patience, silence = (int(re.findall(rf"{name} = (\d+)", script)[0]) for name in ("PATIENCE", "SILENCE"))
    assert patience + silence + 2 * 500 <= 10_000
    with behind(chromium, tmp_path) as (table, page, proxy):
        pick(page)
        before = proxy.opened
        proxy.swallow()
        page.touch("#play")
        assert soon(lambda: proxy.opened > before)
        assert entries(page, 2)[1].endswith("c4")
        assert soon(table.host_moves)
        entries(page, 3)


def test_a_line_that_is_late(chromium: Browser, tmp_path: Path) -> None:
    with behind(chromium, tmp_path) as (table, page, proxy):
        proxy.delay = 0.3
        before = proxy.opened
        play_to_the_end(table, play_by_touch, Random(2), page)
        assert proxy.opened == before, "a late line is not a lost one"
        assert len({*page.run(LINES)}) == len(page.run(LINES))


def test_a_page_that_was_frozen_shows_the_right_board(chromium: Browser, tmp_path: Path) -> None:
    with behind(chromium, tmp_path) as (table, page, proxy):
        pick(page)
        page.touch("#play")
        entries(page, 2)
        page.ask("Page.setWebLifecycleState", state="frozen")
        proxy.cut()
        assert soon(table.host_moves)
        table.host.wait("turn of")
        page.ask("Page.setWebLifecycleState", state="active")
        entries(page, 3)
        assert page.run('document.body.classList.contains("mine")')
