"""`quadrille bot check BOT`: the faults of a bot."""

import argparse
from typing import Final

from quadrille.client.commands.bot import add_bot
from quadrille.client.network.options import span
from quadrille.client.table_setup import whole

DESCRIPTION: Final = """Plays with a bot through every game that it says it knows, and through all that can happen
at a table: it comes in the middle, its program is killed, moves are taken back, proposals come at odd times, seats
leave, the clock is short, the network loses, doubles and delays what is said. What the bot does wrong is told with the
lines before it, and kept as a bundle (quadrille bot replay).

  quadrille bot check mybot.py --quick
  quadrille bot check --exec "./mybot --fast"
  quadrille bot check mynet.py --game maze --set size=6

quadrille docs first-bot: how to write a bot.

Exit code 0: nothing is wrong, 1: something is."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_bot(parser, "an answer", 5)
    parser.add_argument(
        "--quick", action="store_true", help="fewer games, and at most 40 seconds in place of 5 minutes"
    )
    parser.add_argument("--game", metavar="GAME", help="only this game; all that the bot says it plays if absent")
    parser.add_argument("--seats", type=whole, metavar="N", help="with --game: how many play")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="with --game: an option, for a bot that plays one size only; odd ones of our own if absent",
    )
    parser.add_argument("--preset", metavar="P", help="with --game: a name for some options")
    parser.add_argument("--within", type=span, metavar="T", help="at most so long, such as 90s or 1h")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON; progress goes to stderr")
    parser.add_argument("--keep", metavar="FOLDER", help="where bundles go; the folder checks of the home if absent")
    parser.add_argument("--home", metavar="FOLDER", help="where bots are kept, in place of QUADRILLE_HOME")


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.bots.check import check

    return check(settings)
