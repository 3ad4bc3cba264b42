"""Options of commands on the network. This module imports nothing of net/, so that `--help` comes at once."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from quadrille.client.bots.names import WordRefused
from quadrille.client.cli import WORDS_VARIABLE
from quadrille.client.network.tickets import TicketWay, offices, ticket_of
from quadrille.client.table_setup import whole, within
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.network.passphrase import Wifi
    from quadrille.net.program.station import PrivateRoom

Value = TypeVar("Value")
#: The UDP port of ZRE beacons (RFC 36).
OPEN_PORT: Final = 5670
#: The characters of an IPv6 address without an interface.
_IPV6: Final = frozenset("0123456789abcdef:.")
#: The settings for who may watch a table.
WATCHERS: Final = ("anyone", "invited", "nobody")


@value
class NetworkOptions:
    """A program's place on the network, read from its command line, and the passphrase of its room."""

    name: str | None
    home: str | None
    interfaces: tuple[str, ...] | None
    seeds: tuple[str, ...]
    port: int
    tcp_port: int
    room: "PrivateRoom | None"
    #: The boxes of bots that the program starts; None for the default.
    isolate: str | None = None
    phone_port: int | None = None
    #: The Wi-Fi for which guests see a QR code.
    wifi: "Wifi | None" = None
    #: Whether guests may come from the start, and not only when a table is opened for them.
    evening: bool = False
    #: The ticket by which others come from far away.
    ticket: TicketWay | None = None


def network_options(settings: argparse.Namespace) -> NetworkOptions:
    ticket = ticket_of(settings)  # before anybody is asked for a passphrase: the two don't go together
    room, about_room = None, ("room", "passphrase_file", "passphrase_fd")  # some commands have no rooms
    if any(getattr(settings, name, None) is not None for name in about_room):
        from quadrille.client.network.passphrase import private_room  # imported here, because it imports all of net/

        room = private_room(settings)
    wifi = None
    if getattr(settings, "wifi", None) is not None:
        from quadrille.client.network.passphrase import wifi_of  # it asks for the key, as private_room does

        wifi = wifi_of(settings)
    return NetworkOptions(
        settings.name,
        settings.home,
        None if settings.interface is None else tuple(settings.interface),
        tuple(settings.connect),
        settings.port,
        settings.tcp_port,
        room,
        getattr(settings, "isolate", None),
        getattr(settings, "phone_port", None),
        wifi,
        getattr(settings, "evening", False),
        ticket=ticket,
    )


def add_network(
    parser: argparse.ArgumentParser,
    *,
    rooms: bool = True,
    makes_ticket: bool = False,
    returns: bool = False,
    home: bool = True,
) -> None:
    """Add the options of a program on the network, without --home if the command has one of its own. See
    `TicketOffice.add_arguments` for those about tickets.
    """
    group = parser.add_argument_group("network")
    group.add_argument("--name", metavar="N", help="your name for others (default: your login name)")
    if home:
        group.add_argument(
            "--home", metavar="FOLDER", help="the home folder with identity and games, instead of QUADRILLE_HOME"
        )
    group.add_argument(
        "--interface", action="append", metavar="I", help="only this network interface, by name or address; repeatable"
    )
    group.add_argument(
        "--connect",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="also look for a peer there, where broadcasts do not get through; repeatable",
    )
    group.add_argument(
        "--port", type=port, default=OPEN_PORT, metavar="UDP", help=f"UDP port of the beacons (default {OPEN_PORT})"
    )
    group.add_argument(
        "--tcp-port", type=port, default=0, metavar="TCP", help="TCP port for everything else (default: any free one)"
    )
    if rooms:
        group.add_argument("--room", metavar="R", help="a private room: only people who know its passphrase can enter")
        group.add_argument(
            "--passphrase-file",
            metavar="FILE",
            help=f"a private file with its passphrase, or - for standard input; otherwise you are asked, unless "
            f"{WORDS_VARIABLE} is in the environment",
        )
        group.add_argument("--passphrase-fd", type=whole, metavar="N", help="read its passphrase from an open pipe")
        group.add_argument("--passphrase", type=_seen_by_all, help=argparse.SUPPRESS)
        for office in offices():
            office.add_arguments(group, makes=makes_ticket, returns=returns)


def _seen_by_all(_: str) -> str:
    """Refuse a former option: everybody on a machine can read command lines."""
    raise WordRefused(
        "everybody on this machine can read a command line: take another passphrase, and leave the option out to be "
        "asked for it, or give --passphrase-file FILE"
    )


def add_clock(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clock", type=clock, metavar="T", help="time for each, and increment for each move: 5m+10s")


port: Final = within(1, (1 << 16) - 1)


def span(text: str) -> int:
    """Read a time such as 90s, 5m or 1h, in milliseconds; at most a day."""
    from quadrille.net.core import spans  # imported only when there is a time to read

    return _read(spans.span, text)


def clock(text: str) -> tuple[int, int]:
    """Read a time for each seat and its increment: `5m+10s` or `5m`."""
    from quadrille.net.core import spans

    return _read(spans.clock, text)


def _read(reader: Callable[[str], Value], text: str) -> Value:
    """Read a value, or refuse it."""
    try:
        return reader(text)
    except ValueError as error:
        raise WordRefused(str(error)) from None


def seconds(text: str) -> int:
    """Read a number of seconds, in milliseconds."""
    return within(1, 86_400)(text) * 1000


def is_address(text: str) -> bool:
    """Return whether the text is HOST:PORT rather than a table. An IPv6 address counts without a port, too."""
    host, colon, port = text.rpartition(":")
    if text.startswith("[") or (text.count(":") > 1 and set(text.lower().partition("%")[0]) <= _IPV6):
        return True
    return bool(host and colon and port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 1 << 16)
