"""`quadrille watch`: watch a game."""

import argparse
from typing import Final

from quadrille.client.network.options import add_network

DESCRIPTION: Final = """Watch a game on the network: the only one, or one of a list. Its whole log is checked.

On a terminal it fills the screen, and F5 looks back at earlier moves. In a pipe, and with --plain, every move is
printed as it comes. To see a finished game: quadrille replay FILE, or F5 in the lobby."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", nargs="?", default="", help="its number, its host, or HOST:PORT")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.evening import spend
    from quadrille.client.table.network.wishes import Watch

    return spend(settings, Watch(settings.table))
