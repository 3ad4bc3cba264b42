"""`quadrille`, or `quadrille lobby`: the whole program on one screen; without a screen its first game, in lines."""

import argparse
import secrets
from typing import Final

from quadrille.client.network.options import add_arbiter, add_network
from quadrille.client.settings import has_screen

DESCRIPTION: Final = """Show the lobby on the whole screen: games, tables on the network, people, and all commands.
Where there is no screen, as in a pipe, play the first game of the lobby in lines.

quadrille alone does the same."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arbiter(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    if not has_screen():
        return _first_game(settings)
    from quadrille.client.screen.evening_stage import spend

    return spend(settings)


def _first_game(settings: argparse.Namespace) -> int:
    """Play what Enter begins in the lobby."""
    from quadrille.client.bots.boxes import USUAL
    from quadrille.client.kept.writer import GameWriter
    from quadrille.client.plain.table import play
    from quadrille.client.screen.lobby.gallery import first_game
    from quadrille.client.table.local import LocalTable
    from quadrille.rules.match import Deal, Match
    from quadrille.rules.registry import games

    first, *_ = games()
    begun = first_game(first)
    match = Match(first, dict(begun.options), len(begun.bots), deal=Deal(secrets.token_hex(4)))
    print("Without a screen there is no lobby, so this is its first game. quadrille --help lists everything.")
    play(LocalTable.of(match, begun.bots), USUAL, GameWriter(settings.home))
    return 0
