"""Who this program is on the network and where, by its arguments; and how this person's other programs come there."""

import argparse
import getpass
import os
import sys
from typing import Final

from quadrille.client.network_options import WORDS_VARIABLE
from quadrille.client.own_name import own_name
from quadrille.net.room import weakness
from quadrille.net.station import PrivateRoom, Station
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

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
    """With its passphrase from the command line, the environment, or the person."""
    if settings.room is None:
        if settings.passphrase is not None:
            raise RulesError("a passphrase is for a room: add --room")
        return None
    words = settings.passphrase or os.environ.get(WORDS_VARIABLE)
    if words is None:
        if sys.stdin is None or not sys.stdin.isatty():
            raise RulesError(f"room {quoted(settings.room)} needs its passphrase: --passphrase, or {WORDS_VARIABLE}")
        words = getpass.getpass(f"passphrase of room {settings.room}: ")
    settings.passphrase = words
    if why := weakness(words):
        print(f"Note: {why}.", file=sys.stderr)
    return PrivateRoom(settings.room, words)


def network_words(settings: argparse.Namespace, tcp_port: int) -> list[str]:
    """How another program on this machine finds the one that listens at that TCP port. A passphrase goes by the
    environment, which others can't see (`surroundings`).
    """
    words = ["--port", str(settings.port), "--connect", f"127.0.0.1:{tcp_port}"]
    for interface in settings.interface or ():
        words += ["--interface", interface]
    return [*words, "--room", settings.room] if settings.room is not None else words


def surroundings(settings: argparse.Namespace) -> dict[str, str]:
    """The environment of another program that is to come to the same room."""
    return {**os.environ, WORDS_VARIABLE: settings.passphrase} if settings.room is not None else dict(os.environ)
