"""`quadrille rules GAME`: the rules of a game; without one, the games there are."""

import argparse
import json
from typing import Final

from quadrille.client.pages import page, rules_text
from quadrille.rules.registry import game

DESCRIPTION: Final = "Print the rules of a game: goal and moves on one screen, then details, options and presets."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game's name (default: list all games)")
    parser.add_argument("--json", action="store_true", help="as data: the page, the options, the presets")


def run(settings: argparse.Namespace) -> int:
    if settings.game is None:
        from quadrille.client.commands import games

        return games.run(settings)
    chosen = game(settings.game)
    if settings.json:
        from quadrille.ai.data import game_data

        print(json.dumps(game_data(chosen) | {"credit": chosen.credit, "page": page(chosen)}, indent=2))
    else:
        print(rules_text(chosen, on_command_line=True))
    return 0
