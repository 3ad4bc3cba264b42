"""`quadrille host GAME`: open a table on the network and play at it."""

import argparse
from typing import Final

from quadrille.client.network_options import KINDS, WATCHERS, add_network, clock, span
from quadrille.client.seating import whole

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


def run(settings: argparse.Namespace) -> int:
    """Open the table."""
    from quadrille.client.hosting import host

    return host(settings)
