"""`quadrille perft GAME DEPTH`: the number of sequences of moves."""

import argparse
import json
from typing import Final

from quadrille.client.table_setup import add_game, add_setup, set_up, whole
from quadrille.client.words.rules import set_text
from quadrille.rules.search.perft import DEEPEST, check_depth, perft

DESCRIPTION: Final = "Count the sequences of 1, 2, ... DEPTH legal moves from the start of a game."


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=whole, help=f"number of moves, 0 to {DEEPEST}")
    add_setup(parser)
    parser.add_argument("--json", action="store_true", help="as data: all counts in a list")


def run(settings: argparse.Namespace) -> int:
    check_depth(settings.depth)
    match = set_up(settings)
    assert match.deal is not None
    options = match.state.options.changed()
    if not settings.json:
        print(f"{match.game.title}, {match.state.seats} seats" + (f", {set_text(options)}" if options else ""))
    counts = []
    for depth in range(settings.depth + 1):
        counts.append(perft(match.state, depth, match.deal.dealer()))
        if not settings.json:
            print(f"{depth:3} {counts[-1]:15}", flush=True)
    if settings.json:
        table = {"game": match.game.key, "seats": match.state.seats, "options": match.state.options.plain()}
        print(json.dumps(table | {"seed": match.deal.seed, "counts": counts}, indent=2))
    return 0
