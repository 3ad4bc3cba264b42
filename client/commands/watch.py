"""`quadrille watch`: look on at a game."""

import argparse
from typing import Final

from quadrille.client.network_options import add_network

DESCRIPTION: Final = "Look on at a game on the network: the only one, or one of a list. Its whole log is checked."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("table", metavar="TABLE", nargs="?", default="", help="its number, its host, or HOST:PORT")
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    """Find the game and look on."""
    from quadrille.client.finding import watch

    return watch(settings)
