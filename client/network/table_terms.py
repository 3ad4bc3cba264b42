"""The terms of a table, made from a command line or a dialog."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from quadrille.client.table_setup import options_of
from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.terms import HINTS, Terms, TimeControl
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.registry import game


def terms_of(settings: argparse.Namespace, bots: int, guests: int = 0) -> Terms:
    """Return the terms of a command line with that many bots, and guests at least; refuse wrong ones here, before any
    peer has seen them.
    """
    played = game(settings.game)
    seats = settings.seats
    if seats is None:
        least = played.seats[0] if bots and not guests else played.usual_seats
        seats = max(least, min(bots + guests + 1, played.seats[-1]) if guests else bots + 1)
    options = tuple(options_of(settings, played).items())
    terms = Terms(
        played.key, options, seats, TimeControl(*settings.clock) if settings.clock else None, settings.watchers,
        not settings.no_takebacks, not settings.no_lot, settings.grace, settings.each,
        ((HINTS, True),) if settings.hints else (),
    )  # fmt: skip
    return checked_terms(terms, bots)


def check_guests(terms: Terms, bots: Sequence[str], guests: int) -> None:
    """Refuse more guests than have room. With bots and guests in all seats the host only shows the table."""
    free = terms.seats - len(bots)
    if guests > free:
        raise BadSeats(f"beside the bots there is room for {free} at this table, and not for {guests} guests")
    if guests == free and terms.watchers != "anyone":
        raise RulesError(
            "with bots or guests in all seats you only watch: leave --watchers out, or leave a seat free for yourself"
        )


def checked_terms(terms: Terms, bots: int = 0) -> Terms:
    """Return terms with all options, for a table with that many of the host's bots, or refuse them."""
    played, seats, held = game(terms.game), terms.seats, terms.held
    options = played.playable(dict(terms.options), seats)
    if bots > seats:
        raise BadSeats(f"{bots} bots have no room at {seats} seats")
    if terms.grace < 1000:
        raise RulesError("the grace for a seat that is gone is 1 second at least")
    if held is not None and not 1 <= held <= seats:
        raise RulesError(f"one program can hold 1 to {seats} seats here, and not {held}")
    takebacks = terms.takebacks and not played.hidden  # a card once seen can't be unseen
    terms = replace(terms, options=plain_options(options.plain()), takebacks=takebacks)
    terms.check()
    return terms
