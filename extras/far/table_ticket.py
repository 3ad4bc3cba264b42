"""The ticket of a table: read from its words, or made for a new table, with the places to meet at; and its far room.

A ticket is for somebody else's eyes anyway, so its words may stand on a command line, unlike a room's passphrase.
Another program of this person gets them by its standard input.
"""

import argparse
import ipaddress
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from quadrille.client.network.addresses import free_port
from quadrille.client.network.passphrase import from_descriptor
from quadrille.client.network.tickets import FROM_INPUT, TicketWay
from quadrille.extras.far.meeting import Meeting
from quadrille.extras.far.relay_line import relay_finding
from quadrille.extras.far.ticket import RELAY_PORT, MeetingPlace, Ticket, is_ticket, new_ticket, read
from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import outside, present
from quadrille.net.link.overlay import FarRoom
from quadrille.net.neighbours.seeds import endpoints
from quadrille.rules.errors import RulesError

__all__ = ["findings", "is_ticket", "kept_ticket"]
#: The word instead of a ticket: a new one is made.
NEW: Final = ""


def findings(settings: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    """Examine the relays of a command line; return sentences, each with whether all is fine."""
    return (relay_finding(place_of(text)) for text in settings.relays)


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
    far = FarRoom(ticket.keys.room, lambda: Meeting(ticket, own), f"{ticket.text},{'' if at is None else at}")
    return TicketWay(far, ticket.text, _command(ticket), _way(ticket, None if is_named else own))


def _way(ticket: Ticket, own: MeetingPlace | None) -> str:
    """Say how others come with a ticket, and where they have to be. `own` is its place that this program found by
    itself.
    """
    lines = ["", "Say these words to the others, or send them. They sit down with", f"  {_command(ticket)}"]
    if own is not None and ticket.places == (own,) and not own.address.is_global:
        lines[1:1] = ["This ticket is for your own network: for somebody elsewhere add --relay HOST or --direct HOST."]
    return "\n".join(lines)  # the words come last, so that nothing is taken for one of them


def _command(ticket: Ticket) -> str:
    return f"quadrille join {' '.join(ticket.words)}"


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
    here = outside(chosen)
    if direct is None and not here:
        raise LocalError("this machine is on no network, so that nobody can come to it: name a relay with --relay HOST")
    own = place_of(here[0] if direct is None else direct, 0)
    own = replace(own, port=free_port(own.port, (RELAY_PORT,), "--direct HOST:PORT"))
    return new_ticket([own, *places]), own


def _read_again(settings: argparse.Namespace, ticket: Ticket) -> tuple[Ticket, MeetingPlace | None]:
    """Return a ticket that is used again. If one of its places is this machine, this program runs the relay there,
    unless another one does.
    """
    if not settings.runs_relay:
        return ticket, None
    here = {host for interface in present() for host in interface.hosts}
    for place in ticket.places:
        if str(place.address) in here:
            with suppress(LocalError):  # another program of this person has the port
                free_port(place.port, (), "--ticket")
                return ticket, place
    return ticket, None


def place_of(text: str, port: int = RELAY_PORT) -> MeetingPlace:
    """Read HOST or HOST:PORT, where HOST is a name or an address, in brackets if it is IPv6 with a port."""
    host, given = endpoints(text)[0]  # IPv4 first: it makes a shorter ticket
    return MeetingPlace(ipaddress.ip_address(host.partition("%")[0]), given or port)
