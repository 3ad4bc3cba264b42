"""`quadrille bot replay BUNDLE`: a bot replays a game of a bundle."""

import argparse
from typing import Final

from quadrille.client.commands.bot import add_bot

DESCRIPTION: Final = """Runs a bot on a bundled game again: it is told the same lines in the same order, what it
answers is compared move by move, and at the end stands the moment at which the game was lost. The game goes on as it
went then, whatever the bot answers now.

A bundle names the command that started the bot, and may come from anybody. The command is run only with --run, with
your rights. Without it, and without a BOT of your own, the command is shown and nothing is run.

Exit code 0: the bot came through, 1: it failed (again), 2: nothing was run."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", help="the file that quadrille bot bundle or bot check has made")
    parser.add_argument("--run", action="store_true", dest="run_it", help="run the command that the bundle names")
    add_bot(parser, isolate="none")


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.bots.bundles import replay

    return replay(settings)
