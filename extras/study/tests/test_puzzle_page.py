"""The puzzle of a day as a page: a file of its own, or on the site for guests while they wait."""

import base64
import gzip
import json
import re
import zlib
from datetime import date
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from extras.study.tests import test_puzzles
from extras.study.tests.test_puzzles import ANSWER, SOLUTION, WRONG, lesson, of_maze
from quadrille.client.phones.site import Site
from quadrille.extras.study.kept import puzzle_home
from quadrille.extras.study.puzzle_page import puzzle_page
from tests.client.conftest import Run
from tests.client.phones.browser import browser
from tests.client.phones.served import served
from tests.client.phones.test_page import judge

home = test_puzzles.home
HOST = "127.0.0.1:18271"
SAID = "document.querySelector('#said').textContent"


def test_the_page_is_one_file_and_its_answers_do_not_stand_there_plainly() -> None:
    text = puzzle_page(lesson())
    assert "<title>Maze: the puzzle of 18 May 2026</title>" in text
    assert SOLUTION not in text and ANSWER not in text and WRONG not in text
    assert not re.search(r"https?:(?!//www.w3.org/2000/svg)| src=| href=\"[^#]", text) and "connect-src" not in text
    policy = re.search(r'Policy" content="([^"]*)"', text)
    assert policy and "default-src 'none'" in policy[1] and "unsafe" not in policy[1]
    data = re.search(r'id="data">([^<]*)<', text)
    assert data
    told = json.loads(zlib.decompress(base64.b64decode(data[1])))
    assert told["right"] == SOLUTION and told["moves"].keys() == {SOLUTION, *of_maze().refuted}
    path, moves, frames = told["moves"][WRONG]
    assert (path, moves[:2], len(frames)) == (["e3", "f3"], [[0, WRONG], [1, ANSWER]], len(moves))
    assert [what.split(";")[0] for _, what in told["moves"][SOLUTION][1]] == list(of_maze().line)


@pytest.mark.slow
def test_the_command_writes_the_page(run: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.html"
    ran = run(f"puzzle maze --html {path}")
    assert (ran.code, ran.out, path.read_text("utf-8")) == (0, f"{path}\n", puzzle_page(lesson()))
    assert not (home / "puzzles" / "results.json").exists(), "nobody has tried it here"


@pytest.mark.slow
def test_the_page_is_played_by_touch_without_a_server(tmp_path: Path) -> None:
    (tmp_path / "puzzle.html").write_text(puzzle_page(lesson()), "utf-8")
    with browser() as chromium:
        page = chromium.page((320, 568))
        page.open((tmp_path / "puzzle.html").as_uri())
        page.until(f"{SAID}.startsWith('Player 1 (A) is to move. One move wins')")
        judge(page, "asked")
        page.touch("[data-name=e3]")
        page.touch("[data-name=f3]")
        page.touch("#acts .main")
        page.until(f"{SAID} === 'No: {WRONG} loses (proved). The answer is B: {ANSWER}.'")
        judge(page, "refuted")
        for _ in range(2):  # the page shows the answer by itself, unless somebody is quicker
            page.touch("#acts [aria-label='One move on']")
        page.until(f"{SAID}.includes('Move ')")
        page.touch("#acts .main")
        page.touch("#acts button")
        page.until(f"{SAID}.startsWith('It is one of these: ')")
        page.touch("#list summary")
        page.touch(f"#moves button:nth-child({sorted([SOLUTION, *of_maze().refuted]).index(SOLUTION) + 1})")
        page.until(f"{SAID} === 'Right: {SOLUTION} wins, and nothing else does. 2 tries, with a hint.'")
        for _ in of_maze().line[1:]:
            page.touch("#acts [aria-label='One move on']")
        page.until("document.querySelector('#desc').textContent.includes('labyrinth: walls')")
        judge(page, "solved")
        asked = page.events("Network.requestWillBeSent", lambda given: given["request"]["url"])
        assert all(url.startswith("file:") for url in asked), asked
        assert not page.events("Log.entryAdded", lambda given: given["entry"]["text"])
        assert not page.events("Runtime.exceptionThrown", lambda given: given)


def asked(site: Site, path: str) -> Response:
    answer = site.answer(Request(path, Headers({"Host": HOST, "Accept-Encoding": "gzip"})), HOST)
    assert answer is not None
    return answer


def test_the_site_offers_the_page_to_those_who_wait_and_only_with_a_home(tmp_path: Path) -> None:
    bare, site = Site(), Site(tmp_path)
    offer = b'<iframe src="puzzle-of-the-day" title="Puzzle of the day" loading="lazy">'
    assert offer in gzip.decompress(asked(site, "/").body) and offer not in gzip.decompress(asked(bare, "/").body)
    name = "/puzzle-of-the-day"
    assert [asked(bare, path).status_code for path in (name, f"{name}.js")] == [404, 404]
    assert [asked(site, path).status_code for path in (f"{name}.css", f"{name}.js")] == [200, 200]
    assert [asked(site, path).status_code for path in (f"{name}.html", "", f"/x{name}", f"{name}/")] == [404] * 4
    assert list(tmp_path.iterdir()) == []


def test_the_site_answers_at_once_and_a_clock_that_is_behind_closes_no_door(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(tmp_path)
    found = asked(site, "/puzzle-of-the-day")
    text = gzip.decompress(found.body).decode()
    assert "<title>Maze: the puzzle of 18 May 2026</title>" in text and 'id="data"' in text
    assert "<style" not in text and "<script>" not in text and '<script src="puzzle-of-the-day.js" defer>' in text
    assert "script-src 'self'" in found.headers["Content-Security-Policy"]
    sizes = [
        len(asked(site, path).body)
        for path in ("/puzzle-of-the-day", "/puzzle-of-the-day.css", "/puzzle-of-the-day.js")
    ]
    assert sum(sizes) <= 22 * 1024, sizes
    monkeypatch.setattr(puzzle_home, "local_day", lambda: date(1970, 1, 1))
    assert b"the puzzle of 1 January 2026" in gzip.decompress(asked(site, "/puzzle-of-the-day").body)


@pytest.mark.slow
def test_a_phone_at_the_door_opens_the_page_beside_it(tmp_path: Path) -> None:
    with served(tmp_path, "maze") as table, browser() as chromium:
        page = chromium.page()
        page.open(table.link)
        page.until('document.body.dataset.stage === "door"')
        page.touch(".beside summary")
        frame = "document.querySelector('iframe').contentDocument"
        page.until(f"/puzzle/i.test({frame}.querySelector('h1').textContent)")
        page.until(f"getComputedStyle({frame}.querySelector('main')).maxWidth === '576px'", "it has its style")
        judge(page, "beside the door")
        page.type("#name", "Ben")
        page.touch("#sitform button")
        page.until('document.body.dataset.stage === "table"')
        assert page.run("document.querySelector('iframe').offsetParent === null"), "the game has begun"
        assert not page.events("Log.entryAdded", lambda given: given["entry"]["text"])
