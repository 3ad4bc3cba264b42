"""`quadrille bot replay BUNDLE`: a bot on a game that was lost, again."""

import argparse
from typing import Final

from quadrille.client.commands.bot import add_bot

DESCRIPTION: Final = """Runs a bot on a bundled game again: it is told the same lines in the same order, what it
answers is compared move by move, and at the end stands the moment at which the game was lost. The game goes on as it
went then, whatever the bot answers now.

A bundle names the command that started the bot. It is shown, and then run: look at a bundle before you run what
somebody else has sent you, or name a BOT of your own.

Exit code 0: the bot came through, 1: it failed (again)."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("bundle", metavar="BUNDLE", help="the file that quadrille bot bundle or bot check has made")
    add_bot(parser)


def run(settings: argparse.Namespace) -> int:
    """Run it."""
    from quadrille.client.bot_bundles import replay

    return replay(settings)
