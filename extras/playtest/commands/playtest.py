"""`quadrille playtest GAME`: bots play a game against themselves, and a page tells what its designer wants to know."""

import argparse
from typing import Final

from quadrille.client.table_setup import add_game, add_table, within

DESCRIPTION: Final = """\
Let bots play a game against themselves, as it is and with one option or one kind
of move changed. A page tells, with errors, how long games are, what a seat is worth,
which rules decide, how much skill counts, which options and first moves matter, and
who wins small boards. GAME may be a FILE.py of yours.

So many --games are the same with the same --seed. Ctrl-C makes the page of what
there is. Without -o or --html the page is printed, in Markdown."""
#: Levels that search by counts: the same games on every machine.
LEVELS: Final = (1, 2, 3, 4)
#: Maximum moves of a game.
MOST_MOVES: Final = 5000


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_table(parser)
    parser.add_argument("--minutes", type=within(1), default=3, metavar="M", help="play this long (default 3)")
    parser.add_argument("--games", type=within(1), metavar="N", help="play N games instead")
    parser.add_argument("--seed", default="1", metavar="TEXT", help="decides all games (default 1)")
    parser.add_argument("--level", type=int, choices=LEVELS, default=3, help="the highest level of bots (default 3)")
    parser.add_argument("--processes", type=within(1), metavar="N", help="games at a time (default: one for each core)")
    parser.add_argument(
        "--longest", type=within(1), default=MOST_MOVES, metavar="N",
        help=f"break a game off after N moves ({MOST_MOVES})",
    )  # fmt: skip
    parser.add_argument("--html", metavar="FILE", help="write the page for a browser, with charts and games")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the page in Markdown")


def run(settings: argparse.Namespace) -> int:
    from quadrille.extras.playtest.making import playtest  # imported here: help needs none of it

    return playtest(settings)
