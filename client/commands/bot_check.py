"""`quadrille bot check BOT`: the faults of a bot."""

import argparse
from typing import Final

from quadrille.client.commands.bot import add_bot
from quadrille.client.commands.shared import add_home
from quadrille.client.network.options import span
from quadrille.client.table_setup import add_table
from quadrille.plugs import game_name

DESCRIPTION: Final = """Check a bot by games of every kind that it plays, and by everything that can happen at a
table. It joins in the middle, its program is killed, moves are taken back, proposals come at odd times. Seats leave,
the clock is short, and the network loses, repeats and delays messages. Each fault is reported with the lines before
it, and kept as a bundle (quadrille bot replay).

  quadrille bot check mybot.py --quick
  quadrille bot check --exec "./mybot --fast"
  quadrille bot check mynet.py --game maze --set size=6

quadrille docs first-bot: how to write a bot.

Exit code 0: no fault was found, 1: at least one."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_bot(parser, "an answer", 5)
    parser.add_argument("--quick", action="store_true", help="fewer games, and at most 40 seconds instead of 5 minutes")
    parser.add_argument(
        "--game", metavar="GAME", type=game_name, help="check only this game (default: all that the bot plays)"
    )
    add_table(parser.add_argument_group("with --game, for a bot that plays one size only (default: unusual options)"))
    parser.add_argument("--within", type=span, metavar="T", help="time limit, such as 90s or 1h")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON, and the progress to stderr")
    parser.add_argument("--keep", metavar="FOLDER", help="the folder for bundles (default: checks in the home folder)")
    add_home(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.bots.check import check

    return check(settings)
