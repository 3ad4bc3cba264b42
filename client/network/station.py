"""The station of a program, made from its options; the start and the end of its sibling programs, and its own end.

The first Ctrl-C or SIGTERM sets `Ending.code`, which the running loop checks, so that the program can say good-bye to
its peers; the second one ends it at once.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Self

from quadrille.ai.bots.process.program import SHARED
from quadrille.client.network import passphrase
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.tickets import FROM_INPUT
from quadrille.client.settings import own_name
from quadrille.net.program.station import Station


def own_station(options: NetworkOptions, *, kind: str, bot: str = "", name: str = "") -> Station:
    """Return this program's station, not started yet. It resumes only the tables that it is asked to."""
    return Station(
        name or own_name(options.name),
        kind,
        folder=options.home,
        bot=bot,
        port=options.port,
        tcp_port=options.tcp_port,
        interfaces=options.interfaces,
        seeds=options.seeds,
        room=options.room,
        far=None if options.ticket is None else options.ticket.far,
        resumes=False,
    )


def network_words(options: NetworkOptions, tcp_port: int | None) -> list[str]:
    """Return the options by which another program on this machine finds the one at that TCP port, or by beacons alone.

    That program reads a room's passphrase or a ticket from its standard input first (`passphrase.hand_over`).
    """
    words = ["--port", str(options.port), *(["--connect", f"127.0.0.1:{tcp_port}"] if tcp_port else [])]
    for interface in options.interfaces or ():
        words += ["--interface", interface]
    if options.ticket is not None:
        return [*words, "--ticket", FROM_INPUT]
    return [*words, "--room", options.room.name, "--passphrase-fd", "0"] if options.room is not None else words


def start(words: Sequence[str], options: NetworkOptions) -> subprocess.Popen[bytes]:
    """Start another of our programs in the same room; it ends with its standard input."""
    process = subprocess.Popen(  # noqa: S603 - this very program
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={name: os.environ[name] for name in SHARED if name in os.environ},  # no secret of our own environment
        start_new_session=True,  # Ctrl-C is for us: it hears of it by its input
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
    )
    with suppress(BrokenPipeError):  # it has ended already; other code notices that
        passphrase.hand_over(options.room, options.ticket, process.stdin)
    return process


def close_input(process: subprocess.Popen[bytes]) -> None:
    """Close the standard input of another of our programs, which leaves then."""
    assert process.stdin is not None
    with suppress(OSError):  # a line has not got there, because the program has ended
        process.stdin.close()


def end(process: subprocess.Popen[bytes], patience: int) -> None:
    """End another of our programs; kill it after `patience` seconds."""
    close_input(process)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


#: A signal's exit code is this number plus the signal's.
_BASE: Final = 128
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Ending:
    """Return whether a signal has asked the program to end, and its exit code. For the main thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """Have each signal call `wake`, so that a waiting loop checks `code`."""
        self.code: int | None = None
        self._wake = wake
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in _NAMES:
            if number := getattr(signal, name, None):
                self._before[number] = signal.signal(number, self._come)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _come(self, number: int, _: FrameType | None) -> None:
        self.code = _BASE + number
        self._restore()
        self._wake()

    def _restore(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()
