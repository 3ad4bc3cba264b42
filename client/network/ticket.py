"""The ticket of a command line: read from its words, or made for a new table, with the places to meet at.

A ticket is for somebody else's eyes anyway, so its words may stand on a command line, unlike a room's passphrase.
Another program of this person gets them by its standard input.
"""

import argparse
import ipaddress
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from quadrille.client.network.addresses import free_port, reachable
from quadrille.client.network.passphrase import from_descriptor
from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import outside, present, usable
from quadrille.net.relay.ticket import RELAY_PORT, MeetingPlace, Ticket, new_ticket, read
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: The word instead of a ticket: it comes by standard input.
FROM_INPUT: Final = "-"
#: The word instead of a ticket: a new one is made.
NEW: Final = ""


def ticket_of(settings: argparse.Namespace) -> tuple[Ticket | None, MeetingPlace | None]:
    """Return the ticket of a command line, and the place of it where this program runs the relay itself."""
    given, relays, direct = (getattr(settings, name, None) for name in ("ticket", "relay", "direct"))
    if given is None:
        if relays or direct:
            raise RulesError("--relay and --direct say where a ticket leads to: add --ticket")
        return None, None
    if getattr(settings, "room", None) is not None:
        raise RulesError("a ticket is a room of its own: leave --room out")
    if given == FROM_INPUT:
        return read([from_descriptor(0)]), None
    ticket, own = _new(settings, relays or (), direct) if given == NEW else _read_again(settings, read([given]))
    if own is not None and own.port == settings.tcp_port:
        raise RulesError(
            f"the relay and the table can't both have TCP port {own.port}: give the table another one with --tcp-port, "
            "or the relay with --direct HOST:PORT"
        )
    return ticket, own


def _new(settings: argparse.Namespace, relays: Sequence[str], direct: str | None) -> tuple[Ticket, MeetingPlace | None]:
    places = [place_of(text) for text in relays]
    if places and direct is None:
        return new_ticket(places), None
    chosen = None if settings.interface is None else tuple(settings.interface)
    here = reachable(usable(present(), chosen)) or outside(chosen)
    if direct is None and not here:
        raise LocalError("this machine is on no network, so that nobody can come to it: name a relay with --relay HOST")
    port = free_port(_port(direct), (RELAY_PORT,), "--direct HOST:PORT")
    own = MeetingPlace(ipaddress.ip_address(here[0]), port) if direct is None else place_of(direct, port)
    return new_ticket([own, *places]), own


def _read_again(settings: argparse.Namespace, ticket: Ticket) -> tuple[Ticket, MeetingPlace | None]:
    """Return a ticket that is used again. If one of its places is this machine, this program runs the relay there,
    unless another one does.
    """
    if not getattr(settings, "runs_relay", False):
        return ticket, None
    here = {one.address for one in present()} | set(outside(None))
    for place in ticket.places:
        if str(place.address) in here:
            with suppress(LocalError):  # another program of this person has the port
                free_port(place.port, (), "--ticket")
                return ticket, place
    return ticket, None


def place_of(text: str, port: int = RELAY_PORT) -> MeetingPlace:
    """Read HOST or HOST:PORT, where HOST is a name or an address, in brackets if it is IPv6 with a port."""
    host, given = _parts(text)
    found = list(_addresses(host))
    if not found:
        raise LocalError(f"no machine is called {quoted(host)}: is the name right, and is this machine online?")
    found.sort(key=lambda address: address.version)  # IPv4 first: it makes a shorter ticket
    return MeetingPlace(found[0], given or port)


def _port(direct: str | None) -> int | None:
    return _parts(direct)[1] or None if direct is not None else None


def _parts(text: str) -> tuple[str, int]:
    host, colon, digits = text.rpartition(":")
    if not colon or text.endswith("]") or (":" in host and not host.startswith("[")):
        host, digits = text, ""
    elif not (digits.isascii() and digits.isdigit() and 0 < int(digits[:6]) < 1 << 16):
        raise RulesError(f"{quoted(text)} is no place to meet at: write HOST or HOST:PORT, with a port up to 65535")
    host = host.removeprefix("[").removesuffix("]")
    if not host:
        raise RulesError(f"{quoted(text)} names no machine: write HOST or HOST:PORT")
    return host, int(digits or 0)


def _addresses(host: str) -> Iterator[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    try:
        for *_, where in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM):
            yield ipaddress.ip_address(str(where[0]).partition("%")[0])
    except (OSError, ValueError):
        return
