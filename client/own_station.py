"""Who this program is on the network and where, by its arguments; and how this person's other programs come there."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

from quadrille.ai.program import SHARED
from quadrille.client import passphrase
from quadrille.client.own_name import own_name
from quadrille.net.cards.sodium import VARIABLE
from quadrille.net.room import weakness
from quadrille.net.station import PrivateRoom, Station
from quadrille.rules.errors import RulesError

#: The identity that lists look with: they can be asked while a game goes on, and nobody takes a look for a return.
LOOKOUT: Final = "lookout"


def own_station(settings: argparse.Namespace, *, kind: str = "person", bot: str = "", name: str = "") -> Station:
    """Who this program is, and its place on the network; not there yet. It sits down again only where it is told to."""
    return Station(
        name or own_name(settings),
        kind,
        folder=settings.home,
        bot=bot,
        port=settings.port,
        tcp_port=settings.tcp_port,
        interfaces=settings.interface,
        seeds=settings.connect,
        room=private_room(settings),
        resumes=False,
    )


def private_room(settings: argparse.Namespace) -> PrivateRoom | None:
    """The private room; a person is asked for the passphrase once."""
    if "private" not in settings:
        settings.private = _room(settings)
    private: PrivateRoom | None = settings.private
    return private


def _room(settings: argparse.Namespace) -> PrivateRoom | None:
    if settings.room is None:
        if settings.passphrase_file is not None or settings.passphrase_fd is not None:
            raise RulesError("a passphrase is for a room: add --room")
        return None
    words = passphrase.asked(settings)
    if why := weakness(words):
        print(f"Note: {why}.", file=sys.stderr)
    return PrivateRoom(settings.room, words)


def network_words(settings: argparse.Namespace, tcp_port: int) -> list[str]:
    """How another program on this machine finds the one that listens at that TCP port. It reads a room's passphrase
    from its standard input (`passphrase.hand_over`), before all else.
    """
    words = ["--port", str(settings.port), "--connect", f"127.0.0.1:{tcp_port}"]
    for interface in settings.interface or ():
        words += ["--interface", interface]
    return [*words, "--room", settings.room, "--passphrase-fd", "0"] if settings.room is not None else words


def surroundings() -> dict[str, str]:
    """The environment of another program of ours: what it needs, and none of the secrets that may be in ours."""
    return {name: os.environ[name] for name in (*SHARED, VARIABLE) if name in os.environ}


def start(
    words: Sequence[str], settings: argparse.Namespace, errors: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """Start another program of ours, which goes when its standard input ends."""
    process = subprocess.Popen(  # noqa: S603 - this very program
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        env=surroundings(),
        start_new_session=True,
    )
    private_room(settings)
    with suppress(BrokenPipeError):  # it has ended already, and its end is noticed elsewhere
        passphrase.hand_over(settings, process.stdin)
    return process
