"""`quadrille solve GAME`: the winner of a position at perfect play, with a line of best moves, and its certificate."""

import argparse
from contextlib import nullcontext
from typing import Final

from quadrille.client.table_setup import add_game, add_setup, whole, within

DESCRIPTION: Final = """\
Find the winner with perfect play, from the start of a game or after some moves:
for two seats who see everything. It says so if the game is too large to be
searched to its end; --positions raises the limit.

With three seats and more it says what each seat gets at best, whatever the others
do together.

With -o it writes a certificate: the winner's move for every answer, which anybody
can check: quadrille solve --check FILE follows it with the rules alone. FILE.part
keeps the proof of each minute: the same command goes on after Ctrl-C or a crash.
With one process the same command writes the same file.

Exit codes: 0 solved, or the certificate holds; 1 too large; 2 it can't be solved,
or the certificate does not hold."""
POSITIONS: Final = 20_000_000
#: MB of the table.
MEMORY: Final = 256


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser, "?")
    add_setup(parser)
    parser.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help="the first moves, as in the game")
    parser.add_argument(
        "--positions",
        type=within(1, 1_000_000_000_000),
        default=POSITIONS,
        metavar="N",
        help=f"maximum positions to search (default {POSITIONS:,})",
    )
    parser.add_argument(
        "--memory", type=whole, default=MEMORY, metavar="MB", help=f"memory of the table, in MB (default {MEMORY})"
    )
    parser.add_argument("--processes", type=within(1, 64), default=1, metavar="N", help="cores that search (default 1)")
    parser.add_argument("--json", action="store_true", help="as data")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a certificate to this file")
    parser.add_argument("--check", metavar="FILE", help="check the certificate in this file")


def run(settings: argparse.Namespace) -> int:
    """Solve a position or check a certificate, and print the result."""
    from quadrille.client.commands.tournament import plainly
    from quadrille.client.files import alone
    from quadrille.extras.study.solving import solution

    if settings.check is not None:
        return solution.check(settings)
    with plainly(), alone(settings.output) if settings.output is not None else nullcontext():
        return solution.solve(settings)
