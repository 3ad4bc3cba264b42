"""What commands on the network take, and how they start and end there."""

import argparse
import functools
import getpass
import os
import re
import sys
from collections.abc import Callable
from typing import Final

from quadrille.client.seating import whole
from quadrille.net.errors import LocalError, NetError
from quadrille.net.known import LONGEST_NAME, plain_name
from quadrille.net.node import OPEN_PORT
from quadrille.net.room import weakness
from quadrille.net.station import PrivateRoom, Station
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

_SPAN: Final = re.compile(r"([0-9]{1,6})(s|m|h)")
_UNITS: Final = {"s": 1000, "m": 60_000, "h": 3_600_000}
_DAY: Final = 24 * 3_600_000
#: The identity that lists look with: they can be asked while a game goes on, and nobody takes a look for a return.
LOOKOUT: Final = "lookout"
WORDS_VARIABLE: Final = "QUADRILLE_PASSPHRASE"


def add_network(parser: argparse.ArgumentParser, *, rooms: bool = True) -> None:
    """The arguments that `station` reads."""
    group = parser.add_argument_group("network")
    group.add_argument("--name", metavar="N", help="what others see; your login name if absent")
    group.add_argument("--home", metavar="FOLDER", help="where identity and games are kept, in place of QUADRILLE_HOME")
    group.add_argument(
        "--interface", action="append", metavar="I", help="only this network interface, by name or address; repeatable"
    )
    group.add_argument(
        "--connect",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="look for somebody there too, where broadcasts do not get through; repeatable",
    )
    group.add_argument("--port", type=port, default=OPEN_PORT, metavar="UDP", help=f"for beacons; usually {OPEN_PORT}")
    group.add_argument(
        "--tcp-port", type=port, default=0, metavar="TCP", help="for all else; any that is free if absent"
    )
    if rooms:
        group.add_argument("--room", metavar="R", help="a private room: only those who know its passphrase are there")
        group.add_argument(
            "--passphrase",
            metavar="P",
            help=f"of the room; {WORDS_VARIABLE} in the environment keeps it out of sight",
        )


def station(settings: argparse.Namespace, *, kind: str = "person", bot: str = "", name: str = "") -> Station:
    """Who this program is, and its place on the network; not there yet."""
    return Station(
        name or own_name(settings),
        kind,
        folder=settings.home,
        bot=bot,
        port=settings.port,
        tcp_port=settings.tcp_port,
        interfaces=settings.interface,
        seeds=settings.connect,
        room=_room(settings),
    )


def _room(settings: argparse.Namespace) -> PrivateRoom | None:
    """The private room, with its passphrase from the command line, the environment, or the person."""
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


def own_name(settings: argparse.Namespace) -> str:
    """What others see: a name given, or that of the login."""
    if settings.name is None:
        try:
            return plain_name(getpass.getuser())
        except (OSError, KeyError, ImportError):
            return plain_name("")
    name: str = settings.name
    if plain_name(name) != name:
        raise LocalError(
            f"{quoted(name)} is no name: take 1 to {LONGEST_NAME} printable characters, with single blanks"
        )
    return name


def cleanly(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """What is wrong with this machine or its network is one line, and exit code 1."""

    @functools.wraps(run)
    def cleanly_run(settings: argparse.Namespace) -> int:
        try:
            return run(settings)
        except NetError as error:
            print(f"quadrille: {error}", file=sys.stderr)
            return 1

    return cleanly_run


def port(text: str) -> int:
    """A port from a command line."""
    number = whole(text)
    if not 0 < number < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: there are 1 to 65535")
    return number


def span(text: str) -> int:
    """A time such as 90s, 5m or 1h, in milliseconds; a day at most."""
    found = _SPAN.fullmatch(text.strip().lower())
    ms = int(found[1]) * _UNITS[found[2]] if found else -1
    if not 0 <= ms <= _DAY:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: write 90s, 5m or 1h, a day at most")
    return ms


def clock(text: str) -> tuple[int, int]:
    """Time for each seat, and more after each move: `5m+10s` or `5m`."""
    first, _, more = text.partition("+")
    initial, increment = span(first), span(more or "0s")
    if initial == 0:
        raise argparse.ArgumentTypeError(f"{text!r} leaves no time: write 5m+10s, or 5m")
    return initial, increment


def seconds(text: str) -> int:
    """A number of seconds, in milliseconds."""
    number = whole(text)
    if not 0 < number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: give 1 to 86400 seconds")
    return number * 1000
