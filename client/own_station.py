"""Who this program is on the network and where, by its arguments; and how this person's other programs come there."""

import argparse
import sys
from typing import Final

from quadrille.client import passphrase
from quadrille.client.own_name import own_name
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
