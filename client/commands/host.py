"""`quadrille host GAME`: open a table on the network and play at it."""

import argparse
from typing import Final

from quadrille.client.bot_processes import KINDS, identity_name
from quadrille.client.ending import Ending
from quadrille.client.network_options import add_network, cleanly, clock, span, station
from quadrille.client.seating import whole
from quadrille.client.sitting import company_of, parlour, sit
from quadrille.client.waiting import Waiting
from quadrille.net.errors import LocalError
from quadrille.net.interfaces import present, usable
from quadrille.net.shapes import plain_options
from quadrille.net.station import Station, now
from quadrille.net.terms import WATCHERS, Clock, Terms
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.options import read_settings
from quadrille.rules.registry import game

DESCRIPTION: Final = """Open a table on the network, and play when all its seats are taken.

  quadrille host barons --seats 3                    the others: quadrille join
  quadrille host maze --bots random --clock 5m+10s   against a bot, with clocks"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("game", metavar="GAME", help="a name from quadrille games")
    parser.add_argument("--seats", type=whole, metavar="N", help="how many play, bots included")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="set an option; repeatable")
    parser.add_argument("--preset", metavar="P", help="a name for some options; --set goes before it")
    parser.add_argument("--clock", type=clock, metavar="T", help="time for each, and more after each move: 5m+10s")
    parser.add_argument("--bots", type=bots, default=[], metavar="KIND,KIND", help="bots that sit down too: random,...")
    parser.add_argument("--watchers", choices=WATCHERS, default=WATCHERS[0], help="who may look on")
    parser.add_argument("--no-takebacks", action="store_true", help="no move is taken back")
    parser.add_argument("--no-lot", action="store_true", help="seats in the order of sitting down, not drawn by lot")
    parser.add_argument(
        "--grace", type=span, default=60_000, metavar="T", help="how long a seat may be gone: 60s if absent"
    )
    add_network(parser)


def bots(text: str) -> list[str]:
    """Kinds of bots between commas."""
    kinds = [word.strip() for word in text.split(",") if word.strip()]
    for kind in kinds:
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(f"there is no bot {kind!r}: there are {', '.join(KINDS)}")
    return kinds


@cleanly
def run(settings: argparse.Namespace) -> int:
    """Open the table."""
    terms = terms_of(settings)
    sits = len(settings.bots) < terms.seats
    if not sits and terms.watchers != "anyone":
        raise RulesError("with bots in all seats you only look on: leave --watchers away, or a seat free for yourself")
    mine = station(settings)
    with (
        Ending(mine.node.wake_up) as ending,
        mine,
        company_of(mine, settings) as company,
    ):
        room = parlour(mine)
        gathering = mine.lobby.host(terms, room.nonce(), now(), sits=sits)
        for number, kind in enumerate(settings.bots, 1):
            company.start(identity_name(kind, number), gathering.table)
        way = _way(mine, settings) if len(settings.bots) + sits < terms.seats else ""
        return sit(mine, Waiting(room, gathering, way=way), ending, company)


def terms_of(settings: argparse.Namespace) -> Terms:
    """The terms of the table; refused here, where nobody else has seen them."""
    played = game(settings.game)
    if played.hidden:
        raise LocalError(
            f"{played.title} can't be played on the network yet: its cards need a deck that no peer holds. "
            f"quadrille play {played.key} plays it on one machine"
        )
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
        not settings.no_takebacks,
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
