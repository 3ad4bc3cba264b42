"""`quadrille host GAME`: open a table on the network and play at it."""

import argparse
from typing import Final

from quadrille.client.bots.boxes import add_bots, bots_of
from quadrille.client.cli import WIFI_VARIABLE
from quadrille.client.commands.shared import add_people, add_plain, others_of, spend
from quadrille.client.network.options import WATCHERS, add_clock, add_network, port, span
from quadrille.client.table_setup import add_game, add_table, whole, within
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """Open a table on the network, and play when all its seats are taken.

  quadrille host barons --seats 3            the others: quadrille join
  quadrille host barons --seats 3 --bots 1   you, somebody else and a bot
  quadrille host maze --guests               for somebody with a phone
  quadrille host maze --guests 2             two phones play; you show the board

Nobody comes? Try quadrille doctor, or read quadrille docs play-with-friends."""


#: The options of the first page of its help.
FIRST: Final = (
    "--seats", "--bots", "--level", "--guests", "--set", "--preset", "--clock", "--room", "--against", "--hints",
    "--watchers", "--name", "--plain",
)  # fmt: skip
#: The words instead of a number of guests; an option without a value means all free seats.
ALL: Final = "all"
ASK: Final = "ask"


def _guests(text: str) -> int | str:
    return text if text in (ALL, ASK) else within(0)(text)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_table(parser)
    add_clock(parser)
    add_bots(parser)
    parser.add_argument(
        "--watchers", choices=WATCHERS, default=WATCHERS[0], metavar="WHO", help=f"who may watch: {', '.join(WATCHERS)}"
    )
    add_people(parser)
    parser.add_argument(
        "--each", type=whole, metavar="N", help="most seats that one program may hold, its guests and bots among them"
    )
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
        const=ALL,
        default=0,
        metavar="N|ask",
        help="reserve seats for guests by phone, without an install (default: all free seats): this program then signs "
        "their moves and sees their cards. With guests in all seats you only watch. ask: you are asked about each",
    )
    add_phones(parser)
    add_plain(parser)
    add_network(parser, makes_ticket=True)


def add_phones(parser: argparse.ArgumentParser) -> None:
    """Add the options about guests by phone."""
    parser.add_argument(
        "--phone-port", type=port, metavar="TCP", help="port for guests (default: the first free one from 4080)"
    )
    parser.add_argument(
        "--wifi",
        metavar="NAME",
        help="also show a QR code by which a phone joins this Wi-Fi; you are asked for its key, unless "
        f"{WIFI_VARIABLE} is in the environment",
    )


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.network.table_terms import check_guests, terms_of
    from quadrille.client.table.wishes import Host

    bots, others = bots_of(settings), others_of(settings)
    named = settings.guests in (ALL, ASK)
    terms = terms_of(settings, len(bots), 1 if named else settings.guests)
    guests = max(1, terms.seats - len(bots) - len(others) - 1) if named else settings.guests
    check_guests(terms, (*bots, *others), guests)
    for name in ("phone_port", "wifi"):
        if getattr(settings, name) is not None and not settings.guests:
            raise RulesError(f"--{name.replace('_', '-')} is for guests: add --guests")
    return spend(settings, Host(terms, bots, guests, settings.guests == ASK, others))
