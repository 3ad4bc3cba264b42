"""A real door with a game on it and no program behind it: any position of any game on a phone and on a television.

What a phone wishes is played at once, and the test plays all other seats.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from quadrille.client.phones.door import PhoneDoor
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.table.wishes import PlayMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.phones.browser import Browser, Page
from tests.client.phones.doors import HOST, phone_door
from tests.net.tables import terms

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
        page = browser.page(size, scale=1)
        page.open(f"{self.link}#{self.code}")
        page.until('document.body.dataset.stage === "door"')
        page.type("#name", NAMES[0])
        page.touch("#sitform button")
        page.until('["room", "table"].includes(document.body.dataset.stage)', "the seat")
        self.show()
        page.until('document.body.dataset.stage === "table"')
        return page

    def television(self, browser: Browser, size: tuple[int, int], script: str = "") -> Page:
        page = browser.page(size, scale=1)
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=script)
        page.open(f"{self.link}tv#{self.code}")
        page.until('["room", "screen"].includes(document.body.dataset.stage)', "the television")
        self.show()
        page.until('document.body.dataset.stage === "screen"')
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
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    played = game(key)
    match = Match(played, options, seats or played.seats[0], deal=Deal("staged"))
    opened = phone_door(home, terms(key, match.state.seats, options))
    try:
        yield Stage(asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(), loop, match)
    finally:
        asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
