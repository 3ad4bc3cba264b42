"""`quadrille host GAME`: open a table on the network and play at it."""

import argparse
from typing import Final

from quadrille.client.bots.boxes import add_bots, bots_of
from quadrille.client.cli import WIFI_VARIABLE
from quadrille.client.network.options import WATCHERS, add_network, clock, port, span
from quadrille.client.table_setup import whole
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """Open a table on the network, and play when all its seats are taken.

  quadrille host barons --seats 3                    the others: quadrille join
  quadrille host barons --seats 3 --bots 1           you, somebody else and a bot
  quadrille host maze --guests                       for somebody with a phone

Nobody comes? Try quadrille doctor, or read quadrille docs play-with-friends."""


#: The word instead of a number of guests.
ASK: Final = "ask"


def _guests(text: str) -> int | str:
    return ASK if text == ASK else whole(text)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a name from quadrille rules")
    parser.add_argument("--seats", type=whole, metavar="N", help="number of players, bots included")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="set an option; repeatable")
    parser.add_argument("--preset", metavar="P", help="a named set of options; --set overrides it")
    parser.add_argument("--clock", type=clock, metavar="T", help="time for each, and increment for each move: 5m+10s")
    add_bots(parser)
    parser.add_argument("--watchers", choices=WATCHERS, default=WATCHERS[0], help="who may watch")
    parser.add_argument("--no-takebacks", action="store_true", help="forbid takebacks")
    parser.add_argument("--hints", action="store_true", help="people may ask a bot for hints; without it, nobody may")
    parser.add_argument("--no-lot", action="store_true", help="seats in the order of arrival, not drawn by lot")
    parser.add_argument(
        "--grace", type=span, default=60_000, metavar="T", help="how long a seat may be gone (default 60s)"
    )
    parser.add_argument(
        "--guests",
        type=_guests,
        nargs="?",
        const=1,
        default=0,
        metavar="N|ask",
        help="reserve seats for guests by a phone's browser, without an install (default 1): this program then holds "
        "their keys and hidden cards. ask: to all free seats, and you are asked about each",
    )
    parser.add_argument(
        "--phone-port",
        type=port,
        metavar="TCP",
        help="port for guests (default: the first free one from 4080)",
    )
    parser.add_argument(
        "--wifi",
        metavar="NAME",
        help="also show a QR code by which a phone joins this Wi-Fi; you are asked for its key, unless "
        f"{WIFI_VARIABLE} is in the environment",
    )
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")
    add_network(parser, makes_ticket=True)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.evening import spend
    from quadrille.client.network.table_terms import check_guests, seats_for_others, terms_of
    from quadrille.client.table.network.wishes import Host

    bots = bots_of(settings)
    terms = terms_of(settings, len(bots))
    asks = settings.guests == ASK
    guests = max(1, seats_for_others(terms, bots)) if asks else settings.guests
    check_guests(terms, bots, guests)
    for name in ("phone_port", "wifi"):
        if getattr(settings, name) is not None and not settings.guests:
            raise RulesError(f"--{name.replace('_', '-')} is for guests: add --guests")
    return spend(settings, Host(terms, bots, guests, asks))
