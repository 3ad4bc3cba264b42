"""The terms of a table from what a person has set, on a command line or in a dialog."""

import argparse

from quadrille.net.shapes import plain_options
from quadrille.net.terms import Clock, Terms
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.options import read_settings
from quadrille.rules.registry import game


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
    if len(settings.bots) == seats and settings.watchers != "anyone":
        raise RulesError("with bots in all seats you only look on: leave --watchers away, or a seat free for yourself")
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
