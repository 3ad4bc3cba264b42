"""`quadrille rules GAME`: the rules of a game."""

import argparse
import json
from typing import Final

from quadrille.client.pages import page, rules_text
from quadrille.rules.registry import game

DESCRIPTION: Final = "Print the rules of a game: goal and moves on one screen, then details, options and presets."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a name from quadrille games")
    parser.add_argument("--json", action="store_true", help="as data: the page, the options, the presets")


def run(settings: argparse.Namespace) -> int:
    """Print the page."""
    chosen = game(settings.game)
    if settings.json:
        from quadrille.ai.data import game_data

        print(json.dumps(game_data(chosen) | {"credit": chosen.credit, "page": page(chosen.key)}, indent=2))
    else:
        print(rules_text(chosen))
    return 0
