"""`--serve`: the live page beside a run, or of a journal that is there. program.py serves it.

A run never waits for its page: on a busy machine a program of the lowest priority may come late, or not at all.
"""

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import DECIDED, OVER, STOPPED, Event, Finished, Linked, RunBegun, Warned
from quadrille.client.cli import FINE
from quadrille.client.network.addresses import free_port
from quadrille.client.tournament.inspection import opened
from quadrille.client.tournament.progress import before, line
from quadrille.client.tournament.ways import Beside
from quadrille.client.words.story import sentence
from quadrille.extras.league.live.shown_game import is_watched, show, tell_run
from quadrille.net.core.home import temporary_folder
from quadrille.rules.squares import quoted

#: The usual address, which only this machine reaches, and the usual ports.
LOOPBACK: Final = "127.0.0.1"
PORTS: Final = (8270, 8271, 8272, 8273)
#: Maximum games of a live page that readers can step through.
MOST_LIVE: Final = 200
READY: Final = "ready"
#: Seconds that the page has for its end; between two words on how far the run is; until the page is missed.
_END: Final = 15.0
EVERY: Final = 1.0
LATE: Final = 30.0
#: In place of an address: all networks of this machine.
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only if somebody asks for it
#: What starts the program; it takes the arguments of program.py.
PROGRAM: Final = (sys.executable, "-m", "quadrille.extras.league.live.program")
_END_OF: Final = {
    OVER: "The tournament is over: all games are played.",
    DECIDED: "The tournament is over: it is decided.",
    STOPPED: "The run was stopped before the tournament was over.",
}


def place(text: str) -> tuple[str, tuple[int, ...]]:
    """Read ADDRESS:PORT, of which either may be missing. Return the address, and the ports to try in this order."""
    address, _, number = text.rpartition(":") if ":" in text else (text, "", "") if "." in text else ("", "", text)
    takes = "--serve takes ADDRESS:PORT, such as 192.168.1.5:8270, or one of the two"
    wrong = TournamentError(f"{takes}: not {quoted(text)}")
    try:
        address = str(IPv4Address(address or LOOPBACK))
        port = int(number) if number else 0
    except ValueError:
        raise wrong from None
    if not (number.isascii() and 0 < port < 1 << 16) and number:
        raise wrong
    return address, (free_port(port, (), "--serve"),) if port else (*PORTS, 0)


class PageProgram:
    """The page's program, and what it has said. A thread reads that, because its pipe may stay silent for ever."""

    def __init__(self, path: Path, text: str, most: int, folder: str = "") -> None:
        self._address, ports = place(text)
        #: Where it is, and the sentence that says so, once it is there.
        self.link = self.where = ""
        #: Each of its lines; "" at the end.
        self.said: SimpleQueue[str] = SimpleQueue()
        self.is_ready = False
        self.why = ""
        listens = [self._address, ",".join(map(str, ports))]
        words = [*PROGRAM, str(path.absolute()), *listens, str(most), *([folder] if folder else [])]
        self._program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ours
        assert self._program.stdout is not None
        threading.Thread(target=self._listen, args=(self._program.stdout,), daemon=True).start()

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self.said.put(line.decode("utf-8", "replace").strip())
        self.said.put("")

    def comes(self) -> bool:
        """Wait until it is there, and tell whether it is; its last words are `why` not."""
        while not self.is_ready and (line := self.said.get()):
            self.why = line
            self.hear(line)
        return self.is_ready

    def hear(self, line: str) -> bool:
        """Return True if these words say that it is there, and at which port."""
        word, _, port = line.partition(" ")
        if is_there := word == READY:
            self.is_ready = True
            self.link = f"http://{LOOPBACK if self._address == EVERYWHERE else self._address}:{port}/"
            self.where = f"Live page: for a wall {self.link}board, with everything {self.link}"
            if self._address == EVERYWHERE:
                self.where += ", and at this machine's other addresses"
        return is_there

    def close(self) -> None:
        """Let open pages take the last state; a program that is not ready has none."""
        assert self._program.stdin is not None
        with suppress(OSError):
            self._program.stdin.close()
        try:
            self._program.wait(_END if self.is_ready else 0)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            self._program.kill()
            self._program.wait()


class FollowedRun(Beside):
    """A run whose page may come, and go, while its games are played."""

    def __init__(self, page: PageProgram, folder: str) -> None:
        self.prepare = partial(show, folder)
        self._page = page
        self._folder = Path(folder)
        self._run: Run | None = None
        self._plays = False
        #: Whether the tournament has come to its end.
        self.is_over = False
        self._began = self._told = time.monotonic()
        #: Whether a person has heard that the page is missing: once is enough.
        self._is_missed = False

    def join(self, run: Run) -> None:
        self._run = run

    def take(self, event: Event) -> Iterator[Event]:
        self._plays |= isinstance(event, RunBegun)
        if isinstance(event, Finished):
            self.is_over = event.why != STOPPED
            tell_run(self._folder, _END_OF.get(event.why) or f"The run has ended: {sentence(event.why)}", is_over=True)
        elif (now := time.monotonic()) - self._told > EVERY and self._run is not None and is_watched(self._folder):
            self._told = now
            tell_run(self._folder, sentence(line(self._run).replace("  ", ", ") if self._plays else before(self._run)))
        with suppress(Empty):
            said = self._page.said.get_nowait()
            if self._page.hear(said):
                yield Linked(self._page.where)
            else:
                yield from self._missed(f"the live page's program has ended{said and f' ({said})'}")
        if not self._page.is_ready and time.monotonic() - self._began > LATE:
            yield from self._missed("the live page has not come yet, because this machine is busy")

    def _missed(self, reason: str) -> Iterator[Event]:
        if not self._is_missed:
            self._is_missed = True
            yield Warned(f"{reason}: the games go on without it")


@contextmanager
def followed(path: Path, text: str) -> Iterator[Beside]:
    """Serve the live page of a journal during its run, whose workers show their games."""
    with temporary_folder("quadrille-live-") as folder:
        page = PageProgram(path, text, MOST_LIVE, folder)
        run = FollowedRun(page, folder)
        try:
            yield run
            if run.is_over and sys.stdin.isatty():  # a person is here, and perhaps a wall
                _stay(page)
        finally:
            page.close()


@contextmanager
def served(path: Path, text: str, most: int = MOST_LIVE) -> Iterator[PageProgram]:
    """Serve the live page of a journal meanwhile, once it is there."""
    page = PageProgram(path, text, most)
    try:
        if not page.comes():
            reason = page.why or "its program ended"
            raise TournamentError(f"there is no live page: {reason}. Give another --serve ADDRESS:PORT")
        yield page
    finally:
        page.close()


def serve(settings: argparse.Namespace) -> int:
    """Serve the report of a journal until Ctrl-C."""
    if settings.output is not None:
        raise TournamentError("--serve shows the report and -o writes it: give one of them")
    with opened(settings.file) as journal:
        path = journal.path
    with served(path, settings.serve, MOST_LIVE if settings.games is None else settings.games) as page:
        _stay(page)
    return FINE


def _stay(page: PageProgram) -> None:
    """Keep the page until Ctrl-C; a busy machine may bring it late."""
    with suppress(KeyboardInterrupt):
        if page.comes():
            print(page.where, "Ctrl-C ends the page.", sep="\n", file=sys.stderr)
            threading.Event().wait()
