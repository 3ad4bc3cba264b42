"""Who this program is on the network and where, by its arguments; and how this person's other programs come there."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

from quadrille.ai.program import SHARED
from quadrille.client.network import passphrase
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.own_name import own_name
from quadrille.net.cards.sodium import VARIABLE
from quadrille.net.station import PrivateRoom, Station

#: The identity that lists look with: they can be asked while a game goes on, and nobody takes a look for a return.
LOOKOUT: Final = "lookout"


def own_station(options: NetworkOptions, *, kind: str = "person", bot: str = "", name: str = "") -> Station:
    """Who this program is, and its place on the network; not there yet. It sits down again only where it is told to."""
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
        resumes=False,
    )


def network_words(options: NetworkOptions, tcp_port: int) -> list[str]:
    """How another program on this machine finds the one that listens at that TCP port. It reads a room's passphrase
    from its standard input (`passphrase.hand_over`), before all else.
    """
    words = ["--port", str(options.port), "--connect", f"127.0.0.1:{tcp_port}"]
    for interface in options.interfaces or ():
        words += ["--interface", interface]
    return [*words, "--room", options.room.name, "--passphrase-fd", "0"] if options.room is not None else words


def surroundings() -> dict[str, str]:
    """The environment of another program of ours: what it needs, and none of the secrets that may be in ours."""
    return {name: os.environ[name] for name in (*SHARED, VARIABLE) if name in os.environ}


def start(words: Sequence[str], room: PrivateRoom | None, errors: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
    """Start another program of ours in the same room, which goes when its standard input ends."""
    process = subprocess.Popen(  # noqa: S603 - this very program
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        env=surroundings(),
        start_new_session=True,
    )
    with suppress(BrokenPipeError):  # it has ended already, and its end is noticed elsewhere
        passphrase.hand_over(room, process.stdin)
    return process
