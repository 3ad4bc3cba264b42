"""`quadrille tune BOT GAME`: better values for the numbers that a bot declares."""

import argparse
from typing import Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.commands.tournament import add_terms, add_workers, plainly
from quadrille.client.network.options import span
from quadrille.client.table_setup import within

DESCRIPTION: Final = """Find better values for the numbers that a bot declares. It plays against itself with other
values in each step (SPSA); in the end the tuned values play the usual ones until a test says whether they are stronger.

  quadrille tune mybot.py maze
  quadrille tune mybot.py barons --games 4000 --set width=6 --set height=6
  quadrille tune "node bot.js" maze --within 30m --against mcts:2

In Python a class declares a number by `depth = Number(1, 9, usual=4)`, and self.depth is its value; quadrille docs
bots, "Parameters", has the same for other languages. The notes of the tuning (-o) keep every step: the same command
goes on after Ctrl-C or a crash, and with more --games after its end. A changed bot begins anew, in other notes.

Exit codes: 0 the tuned values are stronger; 1 they are not, or it is not decided; 2 it can't be played (with the
reason; what was learned is kept); 130 stopped by Ctrl-C."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="BOT", help='FILE.py, ./PROGRAM, or a command such as "node bot.js"')
    parser.add_argument("game", metavar="GAME", help="which game")
    parser.add_argument("--games", type=within(1), metavar="N", help="games of all steps together (default 2000)")
    parser.add_argument(
        "--within",
        type=span,
        metavar="T",
        help="time for all, such as 30m: two thirds for the steps, the rest for the verdict",
    )
    parser.add_argument("--blocks", type=within(1), metavar="N", help="pairs of games in a step (default 4)")
    parser.add_argument(
        "--verdict-games",
        type=within(0),
        metavar="N",
        help="maximum games of the verdict; 0: none (default: as many as the steps had)",
    )
    add_terms(parser)
    parser.add_argument("--against", metavar="BOT", help="steps against this bot instead of against itself")
    parser.add_argument("--seed", metavar="TEXT", default="", help="decides all that is random")
    parser.add_argument(
        "-o", "--output", metavar="FILE.json", help="the notes of the tuning (default: BOT-GAME-tune-HASH.json)"
    )
    add_isolate(parser)
    add_workers(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.extras.league.tuning.tuned import tune

    with plainly():
        return tune(settings)
