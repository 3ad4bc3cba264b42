"""How a table is opened, and the bots that come along."""

import argparse
from collections.abc import Sequence

from quadrille.client.sitting import Place
from quadrille.client.table_terms import terms_of
from quadrille.client.waiting import Waiting
from quadrille.net.interfaces import present, usable
from quadrille.net.station import Station, now
from quadrille.net.terms import Terms


def host(settings: argparse.Namespace) -> int:
    """Open the table, wait for the others, play."""
    terms = terms_of(settings)
    with Place(settings) as place:
        return place.sit(opened(place, terms, settings.bots))


def opened(place: Place, terms: Terms, bots: Sequence[str]) -> Waiting:
    """The table, open, with the bots on their way."""
    mine, sits = place.station, len(bots) < terms.seats
    gathering = mine.lobby.host(terms, place.parlour.nonce(), now(), sits=sits)
    for bot in bots:
        place.bots.start(bot, gathering.table)
    way = _way(mine, place.settings) if len(bots) + sits < terms.seats else ""
    return Waiting(place.parlour, gathering, way=way)


def _way(mine: Station, settings: argparse.Namespace) -> str:
    """How others come here."""
    found = [one for one in usable(present(), settings.interface) if not one.network.is_loopback]
    here = ["Others sit down with", "  quadrille join"]
    there = [f"  quadrille join {one.address}:{mine.node.tcp_port}" for one in found[:1]]
    return "\n".join(["", *here, *(["or, where broadcasts do not get through,", *there] if there else [])])
