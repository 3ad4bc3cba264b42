"""`--serve`: the live page beside a run, or of a journal that is there. program.py serves it."""

import argparse
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.client.cli import FINE
from quadrille.client.network.addresses import free_port
from quadrille.client.tournament.inspection import opened
from quadrille.client.tournament.ways import Beside
from quadrille.extras.league.live.shown_game import show
from quadrille.rules.squares import quoted

#: The usual address, which only this machine reaches, and the usual ports.
LOOPBACK: Final = "127.0.0.1"
PORTS: Final = (8270, 8271, 8272, 8273)
#: Maximum games of a live page that readers can step through.
MOST_LIVE: Final = 200
READY: Final = "ready"
#: Seconds that the page has for its end.
_END: Final = 15.0
#: In place of an address: all networks of this machine.
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only if somebody asks for it


def place(text: str) -> tuple[str, int]:
    """Read ADDRESS:PORT; both may be missing."""
    address, _, number = text.rpartition(":") if ":" in text else (text, "", "") if "." in text else ("", "", text)
    wrong = TournamentError(
        f"--serve takes ADDRESS:PORT, such as 192.168.1.5:8270, or one of the two: not {quoted(text)}"
    )
    try:
        address = str(IPv4Address(address or LOOPBACK))
        port = int(number) if number else 0
    except ValueError:
        raise wrong from None
    if not (number.isascii() and 0 < port < 1 << 16) and number:
        raise wrong
    return address, free_port(port or None, PORTS, "--serve")


@contextmanager
def served(path: Path, text: str, most: int = MOST_LIVE, folder: str = "") -> Iterator[str]:
    """Serve the live page of a journal meanwhile, and yield its link. `folder` is that of the workers' games."""
    address, port = place(text)
    words = [sys.executable, "-m", "quadrille.extras.league.live.program", str(path.absolute()), address, str(port)]
    words += [str(most), *([folder] if folder else [])]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:  # noqa: S603 - this program
        assert program.stdin is not None and program.stdout is not None
        try:
            said = program.stdout.readline().decode().strip()
            if said != READY:
                raise TournamentError(
                    f"there is no live page: {said or 'its program ended'}. Give another --serve ADDRESS:PORT"
                )
            link = f"http://{LOOPBACK if address == EVERYWHERE else address}:{port}/"
            more = ", and at this machine's other addresses" if address == EVERYWHERE else ""
            print(f"Live page: {link}{more}", file=sys.stderr)
            yield link
        finally:
            with suppress(OSError):
                program.stdin.close()
            try:
                program.wait(_END)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                program.kill()


@contextmanager
def followed(path: Path, text: str) -> Iterator[Beside]:
    """Serve the live page of a journal during its run, whose workers show their games."""
    with TemporaryDirectory(prefix="quadrille-live-", ignore_cleanup_errors=True) as folder:
        beside = Beside()
        beside.prepare = partial(show, folder)
        with served(path, text, folder=folder):
            yield beside


def serve(settings: argparse.Namespace) -> int:
    """Serve the report of a journal until Ctrl-C."""
    if settings.output is not None:
        raise TournamentError("--serve shows the report and -o writes it: give one of them")
    with opened(settings.file) as journal:
        path = journal.path
    with served(path, settings.serve, MOST_LIVE if settings.games is None else settings.games):
        print("Ctrl-C ends it.", file=sys.stderr)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
    return FINE
