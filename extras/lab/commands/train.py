"""`quadrille train GAME`: weights of a game's windows, learned from games against itself."""

import argparse
from typing import Final

from quadrille.client.table_setup import add_table, whole, within

DESCRIPTION: Final = """\
Learn the weights of a game from games against itself, for these options and seats.
One seed and one number of games give the same file on every machine. FILE.part keeps
the lessons of each minute: the same command goes on after Ctrl-C or a crash,
and with more --games or --minutes after its end.

Exit codes: 0 learned; 1 FILE could not be written (FILE.part has the lessons), or
another run is writing it; 2 it can't be learned; 130 stopped by Ctrl-C (FILE has what was learned until then)."""
#: Minutes if neither minutes nor games are given.
MINUTES: Final = 10
MOST_MINUTES: Final = 100_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a name from quadrille rules")
    parser.add_argument(
        "--minutes", type=within(1, MOST_MINUTES), metavar="M", help=f"minutes of all runs together (default {MINUTES})"
    )
    parser.add_argument("--games", type=within(1), metavar="N", help="games of all runs together, instead of minutes")
    parser.add_argument("--seed", type=whole, default=1, metavar="S", help="decides all that is random (default 1)")
    add_table(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file of weights (default: GAME-SEATS.weights)")


def run(settings: argparse.Namespace) -> int:
    from quadrille.extras.lab.training_run import train

    return train(settings, MINUTES)
