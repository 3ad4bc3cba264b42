"""Real tables for phones and browsers: a host's program or session with its door, and what people do at either end."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Self

from quadrille.client.network.options import NetworkOptions
from quadrille.client.screen.evening_stage import StationTask
from quadrille.client.screen.network.news import News, Order, Room
from quadrille.client.screen.table.model import ShownTable
from quadrille.client.table.wishes import Host
from tests.client.phones.browser import Browser, Page
from tests.client.phones.doors import HOST
from tests.client.phones.page_client import PageClient
from tests.client.programs import Program
from tests.net.ports import tcp_port, udp_port
from tests.net.tables import terms
from tests.waiting import DEADLINE

SMALL = ("--set", "width=3", "--set", "height=3")
NINE = ("barons", "--seats", "2", *SMALL)

#: What tells on a page that something has come of a touch.
SIGHT = """[document.querySelector("#draft").textContent, document.querySelector("#play").textContent,
    ...Array.from(document.querySelectorAll(".picked"), node => node.dataset.place)].join()"""
_OVER = 'document.querySelector("#over") && !document.querySelector("#over").hidden'
_ENTRIES = 'document.querySelectorAll("#log li").length'


class Entrance:
    """Where pages come to a host: its door, and the code that opens it."""

    port = 0
    code = ""

    def page(self, secret: str = "", *, screen: bool = False) -> PageClient:
        return PageClient(HOST, self.port, secret or self.code, screen=screen)


class Table(Entrance):
    def __init__(self, host: Program, port: int) -> None:
        self.host = host
        self.port = port
        address, self.code = host.wait(r"(http://\S+) in a browser, with the code ([\w-]+)").groups()
        self.address = str(address)
        self._asked = 0

    @property
    def link(self) -> str:
        return f"{self.address}#{self.code}"

    def host_moves(self) -> bool:
        """If the host is asked for a move, play the first legal one."""
        asked = sum("Your turn" in line for line in list(self.host.lines))
        if asked == self._asked:
            return False
        self._asked = asked
        self.host.enter("moves")
        self.host.wait(r"> moves$")
        self.host.enter(self.host.wait(r"^  (\S.*?)(?:  .*)?$")[1])
        return True


class HostAtHome(Entrance):
    """A host's session behind a screen, as the lobby has it: one game after another."""

    def __init__(self, home: Path, first: Order | None = None, name: str = "Ann", port: int = 0) -> None:
        self.port, self.heard, self._news = tcp_port(), list[News](), asyncio.Event()
        ports = {"port": port or udp_port(), "tcp_port": 0, "phone_port": self.port}
        options = NetworkOptions(name, str(home), (HOST,), (), room=None, evening=first is not None, **ports)
        self._network = StationTask(options, self._hear, first)
        self.asks = self._network.ask

    async def __aenter__(self) -> Self:
        self._network.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._network.close()

    def _hear(self, told: Any) -> None:
        if isinstance(told, News):
            self.heard.append(told)
            self._news.set()

    async def until(self, holds: Callable[[News], object]) -> News:
        async with asyncio.timeout(DEADLINE):
            while not self.heard or not holds(self.heard[-1]):
                self._news.clear()
                await self._news.wait()
        return self.heard[-1]

    async def opens(self, game: str, seats: int, guests: int, *bots: str) -> None:
        """Open a table with a door for guests."""
        self.asks(Host(terms(game, seats, lot=False), bots, guests, False))
        news = await self.until(lambda news: isinstance(news.front, Room | ShownTable) and news.around.entrance)
        self.code = news.around.entrance.code if news.around.entrance else ""

    async def table(self, holds: Callable[[ShownTable], object] = lambda _: True) -> ShownTable:
        """Wait for such a table on the host's screen."""
        shown = await self.until(lambda news: isinstance(news.front, ShownTable) and holds(news.front))
        assert isinstance(shown.front, ShownTable)
        return shown.front


@asynccontextmanager
async def at_phones(place: Entrance, *names: str) -> AsyncIterator[list[PageClient]]:
    """Let people sit down one after another, each on a page of the own, and come to the table."""
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(place.page()) for _ in names]
        for page, name in zip(pages, names, strict=True):
            await page.sit(name)
        for page in pages:
            await page.come_to_table()
        yield pages


async def told(program: Program, text: str) -> None:
    await asyncio.to_thread(program.wait, text)


@contextmanager
def served(home: Path, game: str, *words: str, guests: int | str = 1) -> Iterator[Table]:
    port = tcp_port()
    given = ("--guests", str(guests), "--phone-port", str(port), "--no-lot")
    with Program("host", game, *given, *words, home=home, port=udp_port(), name="Ann") as host:
        table = Table(host, port)
        assert is_open(port), "the address is shown before anybody listens"
        yield table


def is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def seated(browser: Browser, table: Table, name: str, proxy: int = 0, script: str = "") -> Page:
    """Open the door on a new phone, and sit down; `script` runs before the page's own."""
    page = browser.page(proxy=proxy)
    if script:
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=script)
    page.open(table.link)
    page.give_name(name)
    page.until('["room", "table"].includes(document.body.dataset.stage)', "the seat")
    return page


def play_by_keys(page: Page, dice: Random) -> None:
    """Make a move by keys alone: arrows lead over the board, Enter picks, Tab leads to the button."""
    page.run('document.querySelector("#board [tabindex=\\"0\\"]").focus()')
    for _ in range(400):
        if page.run('document.querySelector("#play").getAttribute("aria-disabled") === "false"'):
            break
        if page.run('document.activeElement.classList.contains("next") && !document.querySelector(".picked:focus")'):
            before = page.run(SIGHT)
            page.key("Enter", 13, "\r")
            page.until(f"{SIGHT} !== {before!r}", "something of the key")
        else:
            page.key(*dice.choice((("ArrowLeft", 37), ("ArrowRight", 39), ("ArrowUp", 38), ("ArrowDown", 40))))
    assert page.run('document.activeElement.closest("#board") !== null'), "the focus was lost"
    entries = page.run(_ENTRIES)
    while not page.run('document.activeElement.id === "play"'):
        page.key("Tab", 9)
    page.key("Enter", 13, "\r")
    page.until(f"{_ENTRIES} > {entries}", "the move")


def play_by_touch(page: Page, dice: Random) -> None:
    """Make a move, whichever, by touching places and choices until it is one."""
    entries = page.run(_ENTRIES)
    for _ in range(200):
        if page.run('document.querySelector("#play").getAttribute("aria-disabled") === "false"'):
            break
        before = page.run(SIGHT)
        page.touch(_next(page, dice))
        page.until(f"{SIGHT} !== {before!r}", "something of the touch")
    page.touch("#play")
    page.until(f"{_ENTRIES} > {entries}", "the move")


def _next(page: Page, dice: Random) -> str:
    names = page.run('Array.from(document.querySelectorAll(".next"), node => node.dataset.place)')
    choices = page.run('document.querySelectorAll("#choices button").length')
    at = dice.randrange(len(names) + choices)
    return f'[data-place="{names[at]}"]' if at < len(names) else f"#choices button:nth-child({at - len(names) + 1})"


def play_to_the_end(table: Table, play: Callable[[Page, Random], None], dice: Random, *pages: Page) -> None:
    while waiting := [page for page in pages if not page.run(_OVER)]:
        mine = [page for page in waiting if page.run('document.body.classList.contains("mine")')]
        if mine:
            play(mine[0], dice)
        elif not table.host_moves():
            waiting[0].run("new Promise(done => setTimeout(done, 20))")
