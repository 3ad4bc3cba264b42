"""`quadrille bot KIND`: a bot that sits down at a table, as a program of its own."""

import argparse
from typing import Final

from quadrille.client.network_options import KINDS, add_network

DESCRIPTION: Final = """A bot that asks for a seat, plays, and goes when the game is over. Its identity is its own.

  quadrille bot random --join Ann       at the table that Ann has opened
  quadrille bot random --any barons     at any open table of Barons

A bot that was killed in the middle of a game goes on with it, if that is the table it should sit at."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=f"which bot: {', '.join(KINDS)}")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--join", metavar="TABLE", help="how the table's number begins, or the name of its host")
    where.add_argument("--any", metavar="GAME", help="any open table of that game")
    where.add_argument("--stand-in", metavar="TABLE", help="play on for a seat that is gone, once the others want that")
    parser.add_argument("--stay", action="store_true", help="stay for the next game")
    parser.add_argument(
        "--until-eof", action="store_true", help="go when standard input ends: how a host keeps its bots"
    )
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    """Play until there is nothing more to play."""
    from quadrille.client.bot_seat import play

    return play(settings)
