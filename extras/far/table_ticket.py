"""The ticket of a table: read from its words, or made for a new table, with the places to meet at; and its far room.

A ticket is for somebody else's eyes anyway, so its words may stand on a command line, unlike a room's passphrase.
Another program of this person gets them by its standard input.
"""

import argparse
import ipaddress
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from quadrille.client.network.addresses import free_port, reachable
from quadrille.client.network.passphrase import from_descriptor
from quadrille.client.network.tickets import FROM_INPUT, TicketWay
from quadrille.extras.far.link.relay_links import RelayLinks
from quadrille.extras.far.link.relay_server import RelayServer
from quadrille.extras.far.relay.exchange import RelayLimits
from quadrille.extras.far.relay.meeting import Meeting
from quadrille.extras.far.relay.ticket import RELAY_PORT, MeetingPlace, Ticket, new_ticket, read
from quadrille.extras.far.sentences import join_line, ticket_way
from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import outside, present, usable
from quadrille.net.program.ways_in import FarRoom
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: The word instead of a ticket: a new one is made.
NEW: Final = ""
#: Limits of a relay for one table: fewer connections than those of a program that is nothing else.
OWN_RELAY: Final = RelayLimits(connections=64, of_an_address=32)


def ticket_of(settings: argparse.Namespace) -> TicketWay:
    """Return the ticket of a command line with options about one."""
    ticket, own = chosen_ticket(settings)
    return way_of(ticket, own, is_named=getattr(settings, "direct", None) is not None)


def kept_ticket(text: str) -> TicketWay:
    """Return the ticket whose far room has this text."""
    words, _, own = text.partition(",")
    ticket = read([words])
    return way_of(ticket, ticket.places[int(own)] if own else None)


def way_of(ticket: Ticket, own: MeetingPlace | None, *, is_named: bool = False) -> TicketWay:
    """Return a ticket's far room and words. At `own`, one of its places, this program runs the relay itself; `is_named`
    if the person named that place, and so knows who reaches it.
    """
    at = None if own is None else ticket.places.index(own)
    far = FarRoom(ticket.keys.room, lambda: far_links(ticket, at), f"{ticket.text},{'' if at is None else at}")
    return TicketWay(far, ticket.text, join_line(ticket), ticket_way(ticket, None if is_named else own))


def far_links(ticket: Ticket, own: int | None) -> RelayLinks:
    """Make the connections of a member; it runs the relay of that place itself."""
    meeting, number = Meeting(ticket.keys.seal, secrets.token_bytes), ticket.keys.number
    server = None if own is None else (own, RelayServer(ticket.places[own].port, limits=OWN_RELAY, only=number))
    return RelayLinks(ticket.places, number, meeting, secrets.SystemRandom(), server)


def chosen_ticket(settings: argparse.Namespace) -> tuple[Ticket, MeetingPlace | None]:
    """Return the ticket of a command line, and the place of it where this program runs the relay itself."""
    given, relays, direct = (getattr(settings, name, None) for name in ("ticket", "relay", "direct"))
    if given is None:
        raise RulesError("--relay and --direct say where a ticket leads to: add --ticket")
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
    if not settings.runs_relay:
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
