"""`quadrille`, or `quadrille lobby`: the whole program on one screen."""

import argparse
from typing import Final

from quadrille.client.network.options import add_arbiter, add_network
from quadrille.client.settings import has_screen
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """Show the lobby: games, tables on the network, people, and all commands on one screen.

quadrille alone does the same."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arbiter(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    if not has_screen():
        raise RulesError("the lobby needs a terminal with a screen: quadrille who and quadrille join do without")
    from quadrille.client.screen.evening_stage import spend

    return spend(settings)
