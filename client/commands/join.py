"""`quadrille join`: sit down at another peer's table."""

import argparse
from typing import Final

from quadrille.client.network.options import add_arbiter, add_network
from quadrille.client.settings import has_screen

DESCRIPTION: Final = """Sit down at a table on the network.

  quadrille join                     the only open table, or one of a list
  quadrille join Ann                 the table that Ann has opened
  quadrille join 3f2a                the table whose number begins so
  quadrille join 192.168.1.5:49200   the table of a program that is there"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("table", metavar="TABLE", nargs="?", default="", help="its number, its host, or HOST:PORT")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")
    add_arbiter(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    """Find the table and sit down."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen.evening_stage import spend
        from quadrille.client.screen.network.news import JoinTable

        return spend(settings, JoinTable(settings.table))
    from quadrille.client.plain.network_evening import join

    return join(settings)
