"""`quadrille bot replay BUNDLE`: a bot replays a game of a bundle."""

import argparse
from typing import Final

from quadrille.client.commands.bot import add_bot

DESCRIPTION: Final = """Run a bot on a bundled game again. The bot gets the same lines in the same order, and its
answers are compared move by move. The end of the output is the moment at which the game was lost. The game goes on as
recorded, whatever the bot answers now.

A bundle names the command that started the bot, and may come from anybody. The command is run only with --run, with
your rights. Without it, and without a BOT of your own, the command is shown and nothing is run.

Exit code 0: the bot came through, 1: it failed (again), 2: nothing was run."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", help="a file made by quadrille bot bundle or bot check")
    parser.add_argument("--run", action="store_true", dest="run_it", help="run the command in the bundle")
    add_bot(parser, isolate="none")


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.bots.bundles import replay

    return replay(settings)
