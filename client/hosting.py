"""How a table is opened: its terms from the command line, and the bots that come along."""

import argparse

from quadrille.client.bot_processes import identity_name
from quadrille.client.sitting import Place
from quadrille.client.waiting import Waiting
from quadrille.net.interfaces import present, usable
from quadrille.net.shapes import plain_options
from quadrille.net.station import Station, now
from quadrille.net.terms import Clock, Terms
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.options import read_settings
from quadrille.rules.registry import game


def host(settings: argparse.Namespace) -> int:
    """Open the table, wait for the others, play."""
    terms = terms_of(settings)
    sits = len(settings.bots) < terms.seats
    if not sits and terms.watchers != "anyone":
        raise RulesError("with bots in all seats you only look on: leave --watchers away, or a seat free for yourself")
    with Place(settings) as place:
        mine = place.station
        gathering = mine.lobby.host(terms, place.parlour.nonce(), now(), sits=sits)
        for number, kind in enumerate(settings.bots, 1):
            place.bots.start(identity_name(kind, number), gathering.table)
        way = _way(mine, settings) if len(settings.bots) + sits < terms.seats else ""
        return place.sit(Waiting(place.parlour, gathering, way=way))


def terms_of(settings: argparse.Namespace) -> Terms:
    """The terms of the table; refused here, where nobody else has seen them."""
    played = game(settings.game)
    given = dict(played.preset(settings.preset)) if settings.preset is not None else {}
    options = played.read_options(given | read_settings(played.Options, settings.set))
    seats = settings.seats
    if seats is None:
        seats = max(len(settings.bots) + 1, played.seats[0]) if settings.bots else played.usual_seats
    played.check_seats(seats)
    played.check(options, seats)
    if len(settings.bots) > seats:
        raise BadSeats(f"{len(settings.bots)} bots have no room at {seats} seats")
    if settings.grace < 1000:
        raise RulesError("the grace for a seat that is gone is 1 second at least")
    terms = Terms(
        played.key,
        plain_options(options.plain()),
        seats,
        Clock(*settings.clock) if settings.clock else None,
        settings.watchers,
        not settings.no_takebacks and not played.hidden,  # a card once seen can't be unseen
        not settings.no_lot,
        settings.grace,
    )
    terms.check()
    return terms


def _way(mine: Station, settings: argparse.Namespace) -> str:
    """How others come here."""
    found = [one for one in usable(present(), settings.interface) if not one.network.is_loopback]
    here = ["Others sit down with", "  quadrille join"]
    there = [f"  quadrille join {one.address}:{mine.node.tcp_port}" for one in found[:1]]
    return "\n".join(["", *here, *(["or, where broadcasts do not get through,", *there] if there else [])])
