"""`quadrille rules GAME`: the rules of a game; without one, the games there are."""

import argparse
import json
from typing import Final

from quadrille.client.words.rules import about_text, page, rules_text
from quadrille.plugs import game_name
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.registry import game, games

DESCRIPTION: Final = """Print the rules of a game: goal and moves on one screen, then details, options and presets.
Without a game, list the games."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game", metavar="GAME", type=game_name, nargs="?", help="a game's name (default: list all games)"
    )
    parser.add_argument("--json", action="store_true", help="as data: the options and presets, and the page of a game")


def run(settings: argparse.Namespace) -> int:
    if settings.json:
        from quadrille.ai.data import game_data

        if settings.game is None:
            print(json.dumps([game_data(played) | {"rules": played.rules} for played in games()], indent=2))
        else:
            chosen = game(settings.game)
            told = {"rules": chosen.rules, "credit": chosen.credit, "page": page(chosen)}
            print(json.dumps(game_data(chosen) | told, indent=2))
    elif settings.game is None:
        print("\n".join(aligned([(played.key, played.title, about_text(played)) for played in games()], 3)))
        print("\nquadrille rules GAME says how a game goes, quadrille play GAME plays it.")
    else:
        print(rules_text(game(settings.game), on_command_line=True))
    return 0
