"""The program that serves a live page; `served.py` starts it, and it ends with its standard input.

It is a separate process with the lowest priority, so that it takes no time from the games. It makes a page only while
somebody looks, and rests much longer than it works.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.phones.listener import PhoneListener
from quadrille.client.table.players import Players
from quadrille.client.tournament.report import running_game, running_part
from quadrille.client.words.story import sentence
from quadrille.extras.league.live.served import EVERYWHERE, READY
from quadrille.extras.league.live.shown_game import SUFFIX, is_fresh, mark, told_run
from quadrille.extras.league.live.site import Snapshot, answered, live_page, snapshot, waiting_page
from quadrille.rules.errors import RulesError
from quadrille.rules.record import read_with_table

if sys.platform != "win32":
    import resource

#: Memory limit in bytes, many times what the largest page takes; an attack on memory ends only this program.
_MEMORY: Final = 1 << 30
#: Minimum seconds between two pages, and seconds of rest for each second of work.
EVERY: Final = 1.0
#: Minimum seconds between two looks at the game that is being played.
LOOK: Final = 0.5
REST: Final = 6
#: Seconds without a request after which nobody looks.
NOBODY: Final = 5.0
#: Seconds that the first request after a while waits for the present page, before it gets the one that is there: less
#: than the doorkeeper waits for anybody's first words (net/core/doorkeeper.py), or nobody would be answered.
AT_ONCE: Final = 3.0
#: Maximum boards that are shown at once, as a projector has room for.
_BOARDS: Final = 4
KILLED: Final = "The run has ended before the tournament was over."
#: Seconds in which a slow connection has to take the page.
TAKES: Final = 30


class LivePage:
    """The page of one journal, made again when the journal has changed and somebody looks."""

    def __init__(self, path: Path, most: int, folder: Path | None = None) -> None:
        """`folder` is that of the workers' games (shown_game.py)."""
        self._path = path
        self._most = most
        self._folder = folder
        #: The games that are shown, by the files of their workers.
        self._games: set[Path] = set()
        self._shown: tuple[object, ...] = ()
        #: How the script of the page knows the end of the run, and that nothing comes after this page.
        self._over = ""
        self._seen: object = None
        self._asked: float | None = None
        #: One page at a time is made, by whichever thread comes first.
        self._making = threading.Lock()
        self.now: Snapshot = snapshot(waiting_page(path))

    def ask(self) -> Snapshot:
        """Return the present page to a viewer, and note the time."""
        self._asked = time.monotonic()
        return self.now

    @property
    def is_watched(self) -> bool:
        return self._asked is not None and time.monotonic() - self._asked < NOBODY

    async def catch_up(self, within: float = AT_ONCE) -> None:
        """Make the page at once for the first who looks after a while, if it takes no longer than this many seconds."""
        if not self.is_watched:  # while somebody looks, it follows by itself
            made = asyncio.gather(asyncio.to_thread(self.renew), asyncio.to_thread(self.look))
            await asyncio.wait([made], timeout=within)

    def renew(self) -> None:
        """Make the page again, if anything has changed."""
        with self._making:
            state = _state(self._path)
            if state == self._seen:
                return
            try:
                with Journal(self._path) as journal:
                    made = live_page(journal, self._most)
            except RulesError as error:  # it is just being begun, or somebody damaged it
                made = waiting_page(self._path, sentence(str(error).replace(str(self._path), self._path.name)))
            self.now, self._seen = replace(snapshot(made), now=self.now.now), state

    def look(self) -> None:
        """Tell how far the run is, and draw games that are being played, the same ones as before while they last."""
        if self._folder is None:
            return
        mark(self._folder)
        sentence, is_over = told_run(self._folder)
        if self._over and not is_over:
            sentence = KILLED
        over = self._over or "over" * is_over
        before = self._games
        fresh = filter(is_fresh, self._folder.glob(f"*{SUFFIX}"))
        there = sorted(fresh, key=lambda path: (path not in before, path.name))[: 0 if over else _BOARDS]
        texts = {path: text for path in there if (text := _text(path))}
        if (shown := (texts, sentence, over)) == self._shown:
            return
        self._shown, self._games, parts = shown, set(), []
        for path, text in texts.items():
            with suppress(RulesError):  # the game ends just now
                match, row = read_with_table(text)
                number, names = row.get("number"), Players.read(row, match.state.seats).names
                self._games.add(path)
                parts += [running_game(match, names, number)] if type(number) is int else []
        self.now = replace(self.now, now=running_part(sentence, parts, over))

    def end(self) -> None:
        """Say at once that the run is over, and then show the last state, which takes long on a busy machine."""
        self._over = "over"
        self.look()
        self.renew()
        self._over = "last"
        self.look()


def _text(path: Path) -> str:
    """Return the game that a worker shows; "" if it ends just now."""
    with suppress(OSError):
        return path.read_text("ascii")
    return ""


def _state(path: Path) -> object:
    """Return the marks of a journal's files, which change with every game."""
    states = []
    for name in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            status = name.stat()
            states.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return states


async def _serve(page: LivePage, interfaces: tuple[str, ...] | None, ports: list[int]) -> None:
    async def answers(request: Request, host: str) -> Response:
        await page.catch_up()
        return answered(request, host, page.ask)

    closes = ServerConnection.close  # no request opens a WebSocket here
    listener = PhoneListener(interfaces, answers, closes, closing=TAKES, stranger="Only for this network.")
    with suppress(OSError):
        port = await listener.open(ports)
    if not listener.addresses:
        where = " or ".join(interfaces or ())
        print(f"nothing can listen at port {ports[0]}{f' of {where}' if where else ''}", flush=True)
        return
    print(READY, port, flush=True)
    await asyncio.to_thread(page.renew)
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    threading.Thread(target=_listen, args=(loop, ended), daemon=True).start()

    async def follow(work: Callable[[], None], every: float) -> None:
        while not ended.is_set():
            began = time.monotonic()
            if page.is_watched:
                await asyncio.to_thread(work)
            rest = max(every, REST * (time.monotonic() - began))
            await asyncio.wait([asyncio.create_task(ended.wait())], timeout=rest)

    await asyncio.gather(follow(page.renew, EVERY), follow(page.look, LOOK))
    if page.is_watched:
        await asyncio.to_thread(page.end)
        page.ask()  # on a busy machine an open page may have asked long ago: its time counts from the end
        while page.is_watched:
            await asyncio.sleep(LOOK)
    listener.close()


def _listen(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    """Wait for the end of standard input."""
    sys.stdin.buffer.read()
    loop.call_soon_threadsafe(ended.set)


def _limit_memory() -> None:
    """Limit this program's memory, if the system can."""
    if sys.platform != "win32":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def main(journal: str, address: str, ports: str, games: str, folder: str | None = None) -> None:
    """Serve the page of a journal with that many games; `folder` is that of its workers' games."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides when it ends
    if hasattr(os, "nice"):
        os.nice(19)
    _limit_memory()
    interfaces = None if address == EVERYWHERE else (address,)
    page = LivePage(Path(journal), int(games), Path(folder) if folder else None)
    asyncio.run(_serve(page, interfaces, [*map(int, ports.split(","))]))


if __name__ == "__main__":
    main(*sys.argv[1:])
