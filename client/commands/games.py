"""`quadrille games`: what can be played."""

import argparse
import json
from typing import Final

from quadrille.client.pages import about_text
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.registry import games

DESCRIPTION: Final = "List the games: name for commands, title, number of players, minutes, ages."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as data, with all options and presets")


def run(settings: argparse.Namespace) -> int:
    if settings.json:
        from quadrille.ai.data import game_data

        print(json.dumps([game_data(game) | {"rules": game.rules} for game in games()], indent=2))
        return 0
    rows = [(game.key, game.title, about_text(game)) for game in games()]
    print("\n".join(aligned(rows, 3)))
    print("\nquadrille rules GAME tells how a game goes, quadrille play GAME plays it.")
    return 0
