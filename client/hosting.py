"""How a table is opened, and the bots and guests that come along."""

import argparse
from collections.abc import Sequence
from textwrap import wrap

from quadrille.client.network.options import NetworkOptions, network_options
from quadrille.client.sitting import Place
from quadrille.client.waiting import Waiting
from quadrille.net.interfaces import present, usable
from quadrille.net.station import Station, now
from quadrille.net.terms import Terms
from quadrille.rules.plain_text import WIDTH


def host(settings: argparse.Namespace, terms: Terms) -> int:
    """Open the table, wait for the others, play."""
    with Place(network_options(settings)) as place:
        waiting, guests_way = opened(place, terms, settings.bots, settings.guests)
        told = [part for line in guests_way for part in wrap(line, WIDTH)]
        waiting.way = "\n".join([waiting.way, *told])
        return place.sit(waiting)


def opened(place: Place, terms: Terms, bots: Sequence[str], guests: int) -> tuple[Waiting, list[str]]:
    """The table, open, with the bots on their way; and how so many guests come to it, and what that means."""
    mine, sits = place.station, len(bots) < terms.seats
    free = terms.seats - len(bots) - sits - guests
    gathering = mine.lobby.host(terms, place.parlour.nonce(), now(), sits=sits)
    for bot in bots:
        gathering.keep(place.bots.start(bot, gathering.table))
    way = _way(mine, place.options) if free else ""
    guests_way = place.door.open_for(gathering, guests) if guests else []
    return Waiting(place.parlour, gathering, way=way), guests_way


def _way(mine: Station, options: NetworkOptions) -> str:
    """How others come here."""
    found = [one for one in usable(present(), options.interfaces) if not one.network.is_loopback]
    here = ["Others sit down with", "  quadrille join"]
    there = [f"  quadrille join {one.address}:{mine.node.tcp_port}" for one in found[:1]]
    return "\n".join(["", *here, *(["or, where broadcasts do not get through,", *there] if there else [])])
