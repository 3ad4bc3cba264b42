"""All five games as a television and a phone show them, measured in a real browser."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quadrille.client.evening.scores import Scoreboard
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.table.wishes import PlayMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.client.phones.browser import Browser, Page
from tests.client.phones.doors import HOST, in_a_thread, phone_door
from tests.client.phones.test_page import _TONES, chromium, judge
from tests.client.test_evening_scores import ended
from tests.net.tables import terms

__all__ = ["chromium"]  # a fixture

# A real door with a game on it and no program behind it: any position of any game on a phone and on a television
#
# What a phone wishes is played at once, and the test plays all other seats.


NAMES = ("Ben", "Ann", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


class Stage:
    """The game at the door. Ben, in the first seat, has a phone; the other seats are the test's."""

    def __init__(self, door: PhoneDoor, loop: asyncio.AbstractEventLoop, match: Match) -> None:
        self.door, self.match, self._loop = door, match, loop
        self.dice = Random(match.game.key)
        self.names = NAMES[: match.state.seats]
        self.link = f"http://{HOST}:{door.invitation.port}/"
        self.code = door.invitation.code
        self.door.host.wish = self._wish

    def phone(self, browser: Browser, size: tuple[int, int]) -> Page:
        return self._opened(browser.page(size, scale=1), "", "table")

    def television(self, browser: Browser, size: tuple[int, int], script: str = "") -> Page:
        page = browser.page(size, scale=1)
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=script)
        return self._opened(page, "tv", "screen")

    def _opened(self, page: Page, path: str, stage: str) -> Page:
        page.open(f"{self.link}{path}#{self.code}")
        if not path:
            page.give_name(NAMES[0])
        page.until(f'["room", "{stage}"].includes(document.body.dataset.stage)', "its place")
        self.show()
        page.until(f'document.body.dataset.stage === "{stage}"')
        return page

    def in_loop(self, deed: Callable[[], Any]) -> Any:
        async def done() -> Any:
            return deed()

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result()

    def _wish(self, name: str, wish: Any) -> None:
        if isinstance(wish, PlayMove):
            self.match.play(wish.text)
            self._show()

    def play(self, moves: int = 1, *, until: Callable[[Match], bool] = lambda _: False) -> None:
        """Play any moves, and show the last position."""

        def played() -> None:
            for _ in range(moves):
                if self.match.over or until(self.match):
                    break
                self.match.play(self.choose())
            self._show()

        self.in_loop(played)

    def choose(self) -> Any:
        """Choose any move; one that lays cards on the table before others."""
        moves = list(self.match.state.legal_moves)
        laid = [move for move in moves if str(move) == "draw"]
        return self.dice.choice(laid * (self.dice.random() < 0.6) or moves)

    def show(self) -> None:
        self.in_loop(self._show)

    def _show(self) -> None:
        chairs = tuple(map(ShownChair, self.names))
        for name, mine, viewer in ((NAMES[0], (0,), 0), ("", (), None)):
            own = tuple(ShownChair("you") if seat in mine else chair for seat, chair in enumerate(chairs))
            table = ShownTable(self.match.copy(), own, mine, viewer, local=False, link="LAN 1", id="0" * 32)
            self.door.evening.show("0" * 32, name, table, self.names, "", alarm=False)


@contextmanager
def staged(home: Path, key: str, seats: int = 0, **options: Any) -> Iterator[Stage]:
    """Open a door in a thread of its own, with a game that has just begun."""
    played = game(key)
    match = Match(played, options, seats or played.seats[0], deal=Deal("staged"))
    with in_a_thread(lambda: phone_door(home, terms(key, match.state.seats, options))) as (door, loop):
        yield Stage(door, loop, match)


# Any game, measured

pytestmark = pytest.mark.slow

TELEVISIONS = ((1920, 1080), (1366, 768))
PHONES = ((320, 568), (390, 844), (844, 390), (1920, 1080))
#: Seats of each game: as many as its television has to have room for.
SEATS = {"coin-isolation": 4, "maze": 2, "dollar-draw": 2, "barons": 8, "dotter": 6}
#: What is wrong on a television: all that it says has to be inside the window, and no part may lie over the next one.
_CROWDED = """(() => {
    const seen = Array.from(document.querySelectorAll("header, #aim, #players, #over, #told, #facts, #qr, #loud"))
        .filter(node => node.textContent && node.getClientRects().length);
    const box = node => node.getBoundingClientRect(), root = document.documentElement;
    const out = seen.filter(node => box(node).bottom > innerHeight + 1 || box(node).right > innerWidth + 1
        || node.scrollWidth > node.clientWidth + 1).map(node => node.id + " is cut");
    const covers = (one, other) => !one.contains(other) && !other.contains(one)
        && box(one).top < box(other).top && box(one).bottom > box(other).top + 1;
    const over = seen.flatMap(one =>
        seen.filter(other => covers(one, other)).map(other => `${one.id} covers ${other.id}`));
    const scrolls = root.scrollHeight > innerHeight || root.scrollWidth > innerWidth ? ["the page scrolls"] : [];
    return [...out, ...over, ...scrolls];
})()"""
#: What is wrong on a phone: what may be touched has 44 pixels, and nothing lies over its middle once it is in sight.
_UNTOUCHABLE = """(() => {
    scrollTo(0, 0);
    const wrong = [], box = node => node.getBoundingClientRect();
    const bar = box(document.querySelector("#bar")), pan = box(document.querySelector("#pan"));
    if (pan.right > bar.left + 1 && pan.bottom > bar.top + 1 || bar.bottom > innerHeight + 1)
        wrong.push(`the bar is at ${bar.top} to ${bar.bottom}, the board ends at ${pan.bottom}`);
    for (const node of document.querySelectorAll("button, input, summary, .place .hit")) {
        if (!node.getClientRects().length) continue;
        node.scrollIntoView({ block: "nearest", inline: "nearest" });
        const { left, top, width, height } = box(node);
        const name = node.id || node.parentNode.dataset.place || node.outerHTML;
        if (Math.min(width, height) < 43.9) wrong.push(`${name} has ${width} x ${height}`);
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!hit || !(node.contains(hit) || hit.contains(node))) wrong.push(`${name} is covered by ${hit && hit.id}`);
    }
    return wrong;
})()"""


def told(page: Page, part: str = "#told") -> str:
    return str(page.run(f"document.querySelector({json.dumps(part)}).textContent"))


def resized(page: Page, sizes: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    for size in sizes:
        page.resize(size, scale=1)
        page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield size


def fits(television: Page, where: str) -> None:
    for size in resized(television, TELEVISIONS):
        assert television.run(_CROWDED) == [], (where, size)
        assert television.run("document.querySelector('#qr svg').getBoundingClientRect().width >= 130"), (where, size)


def is_touchable(phone: Page, where: str) -> None:
    for size in resized(phone, PHONES):
        assert phone.run(_UNTOUCHABLE) == [], (where, size)
        assert phone.run("document.documentElement.scrollWidth") <= size[0], (where, size)


@pytest.mark.parametrize("key", keys())
def test_a_television_and_a_phone_show_the_whole_game(key: str, chromium: Browser, tmp_path: Path) -> None:
    """From the goal to the winner: all in sight on a television, and all in reach on a phone."""
    with staged(tmp_path, key, SEATS[key]) as stage:
        television, phone = stage.television(chromium, TELEVISIONS[0]), stage.phone(chromium, PHONES[0])
        goal = game(key).lesson.goal
        assert told(phone, "#aim") == told(television, "#aim") == goal
        fits(television, "the start")
        is_touchable(phone, "the start")
        assert told(television, "#address") + "/tv" in told(television, "#other")
        assert told(television, "#short") == stage.code
        for moves in range(1, 4 * SEATS[key]):
            stage.play()
            television.until(f"document.querySelectorAll('#log li').length === {moves}")
            assert told(television).startswith(stage.names[stage.match.entries[-1].seat]), "who moved last"
        fits(television, "the middle")
        stage.play(40, until=lambda match: match.turn == 0)
        phone.until("document.body.classList.contains('mine')")
        assert told(phone, "#aim") == ""
        is_touchable(phone, "the middle")
        stage.in_loop(lambda: stage.door.evening.count(Scoreboard().after(ended((1, 2, 3)))))
        stage.play(100_000)
        television.until("!document.querySelector('#over').hidden")
        fits(television, "the end")
        assert "wins" in told(television, "#result") or "share" in told(television, "#result")
        assert "Ann: 2 points" in told(television, "#points")
        assert phone.run("getComputedStyle(document.querySelector('#winners .badge')).stroke") == "none"
        assert not television.events("Runtime.exceptionThrown", lambda given: given)
        judge(television, "a television")
        judge(phone, "a phone", 320)
        for page in (television, phone):
            page.close()


def test_a_refused_touch_has_a_reason_and_a_television_sounds_where_it_was_asked_to(
    chromium: Browser, tmp_path: Path
) -> None:
    with staged(tmp_path, "barons", 2) as stage:
        television, phone = stage.television(chromium, TELEVISIONS[1], _TONES), stage.phone(chromium, PHONES[0])
        phone.run("document.querySelector('#play').click()")
        assert told(phone) == "This is no whole move yet."
        stage.play(2)
        phone.until("document.querySelectorAll('#log li').length === 2")
        phone.run("document.querySelector('#told').onanimationstart = () => { window.nods = (window.nods || 0) + 1; }")
        for nods in (1, 2):  # the same refusal once more is seen once more
            phone.touch("#board [aria-label*=' of A']")
            phone.until(f"window.nods === {nods} && document.querySelector('#told').className === 'alarm'")
        assert "claimed" in told(phone) or "taken" in told(phone), told(phone)
        phone.touch("#lookback")
        phone.until("!document.querySelector('#looking').hidden")
        phone.touch("#board [data-place=a1]")
        assert "looking back" in told(phone)
        assert television.run("tones") == 0
        television.touch("#loud")
        assert told(television, "#loud") == "Sound: on" and television.run("tones") == 1
        stage.play()
        television.until("tones === 2")
        stage.play(100)
        television.until("tones >= 3 && document.querySelectorAll('.drop').length")
        for page in (television, phone):
            page.close()


@pytest.mark.parametrize("page", ["phone", "television"])
def test_a_game_of_fewer_players_in_place_of_another_leaves_no_player_behind(
    page: str, chromium: Browser, tmp_path: Path
) -> None:
    """The pages may never hear of the room between the two."""
    with staged(tmp_path, "barons", 5) as stage:
        shown = getattr(stage, page)(chromium, (1280, 720))
        shown.until('document.querySelectorAll("#players > *").length === 5')
        stage.match, stage.names = Match(game("maze"), {"size": 4}, 2), stage.names[:2]
        stage.show()
        shown.until('document.querySelector("#title").textContent.startsWith("Maze")')
        assert shown.run('document.querySelectorAll("#players > *").length') == 2
        assert not shown.events("Runtime.exceptionThrown", lambda given: given)
        shown.close()
