"""`quadrille evening`: the lobby, with a door for guests by phone that stays open from game to game."""

import argparse
from typing import Final

from quadrille.client.commands.host import add_phones
from quadrille.client.network.options import add_network
from quadrille.client.settings import has_screen
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """Open the lobby, and let guests come by phone. They scan one code, and stay for all games.
You open the tables, and seats are kept for those who are here. A television shows the board.

In the lobby the word evening opens the door, too."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(evening=True)
    add_phones(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    if not has_screen():
        raise RulesError("an evening needs a screen for its lobby; quadrille host GAME --guests opens a table in lines")
    from quadrille.client.screen.start import spend

    return spend(settings)
