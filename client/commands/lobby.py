"""`quadrille`, or `quadrille lobby`: the whole program on one screen; without a screen its first game, in lines."""

import argparse
from typing import Final

from quadrille.client.network.options import add_network
from quadrille.client.settings import has_screen

DESCRIPTION: Final = """Show the lobby: games, tables on the network, people, and all commands on one screen.
Where there is no screen, as in a pipe, play the first game of the lobby in lines.

quadrille alone does the same."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    if not has_screen():
        return _first_game(settings)
    from quadrille.client.screen.start import spend

    return spend(settings)


def _first_game(settings: argparse.Namespace) -> int:
    """Play what Enter begins in the lobby."""
    from quadrille.client.cli import main
    from quadrille.rules.registry import keys

    print("Without a screen there is no lobby, so this is its first game. quadrille --help lists everything.")
    return main(["play", keys()[0], *(["--home", settings.home] if settings.home else [])])
