"""`quadrille bot bundle`: the bundle of a game that a bot has played, in one file."""

import argparse
from typing import Final

DESCRIPTION: Final = """One file of a game that a bot of this home has played, for whoever is to find out why it
was lost: all that the bot was told and answered, when, what it wrote to standard error, and what it did wrong. It holds
what the bot's own seat could see, and the command that started it.

  quadrille bot bundle                the last game
  quadrille bot bundle --list         which games there are
  quadrille bot replay --run FILE     runs the bot on it again"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", metavar="TABLE", nargs="?", default="last", help="how the table's number begins; last if absent"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to; bot-TABLE.json in this folder if absent")
    parser.add_argument("--list", action="store_true", help="only list the games that are kept, the last one first")
    parser.add_argument("--home", metavar="FOLDER", help="where bots and games are kept, in place of QUADRILLE_HOME")


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.bots.bundles import bundle

    return bundle(settings)
