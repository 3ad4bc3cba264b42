"""`quadrille bot bundle`: the bundle of a game that a bot has played, in one file."""

import argparse
from typing import Final

from quadrille.client.commands.shared import add_home

DESCRIPTION: Final = """Put a game of a bot into one file, to find out why it was lost. The file has all lines to
the bot and its answers with their times, its standard error, and its faults. It holds only what the bot's own seat
could see, and the command that started the bot.

  quadrille bot bundle                the last game
  quadrille bot bundle --list         list the games
  quadrille bot replay --run FILE     run the bot on the game again"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table",
        metavar="TABLE",
        nargs="?",
        default="last",
        help="the first digits of the table's number (default: the last game)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write (default: bot-TABLE.json in this folder)"
    )
    parser.add_argument("--list", action="store_true", help="only list the kept games, the last one first")
    add_home(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.bots.bundles import bundle

    return bundle(settings)
