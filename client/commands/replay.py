"""`quadrille replay FILE`: a recorded game, move by move."""

import argparse
import json
from typing import Any, Final

from quadrille.client.files import read_match
from quadrille.client.reports import entry_text, heading, result
from quadrille.client.seating import whole
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.plain_text import drawing

DESCRIPTION: Final = "Show a recorded game: every move with the position after it, then how it ended."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a record; - for standard input")
    parser.add_argument("--ply", type=whole, metavar="N", help="only the position after N moves; 0 for the start")
    parser.add_argument("--json", action="store_true", help="as data: what happened, with the figures after each move")


def run(settings: argparse.Namespace) -> int:
    """Print the game, or one position of it."""
    match = read_match(settings.file)
    numbers = list(range(len(match.entries) + 1))
    if settings.ply is not None:
        if not 0 <= settings.ply <= match.ply:
            raise RulesError(f"this record has {match.ply} moves: there is no position after {settings.ply}")
        numbers = [_entries_at(match, settings.ply)]
    if settings.json:
        print(json.dumps(_data(match, numbers), indent=2))
        return 0
    print(heading(match) + (f", seed {match.deal.seed}" if match.deal else ""))
    for number in numbers:
        earlier = match.before(number)
        if number:
            print(f"\n{earlier.ply}. {entry_text(match, number - 1, match.viewer)}")
        print(f"\n{drawing(earlier.state.scene())}")
    if numbers[-1] == len(match.entries):
        over = match.over
        print(f"\n{result(match, over)}" if over else "\nThe game is not finished.")
    return 0


def _entries_at(match: Match, ply: int) -> int:
    """How many entries there are up to that many moves, with what happened between them and the next."""
    played = [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]
    return played[ply] if ply < len(played) else len(match.entries)


def _data(match: Match, numbers: list[int]) -> dict[str, Any]:
    from quadrille.ai.data import entry_data, summary

    positions = []
    for number in numbers:
        earlier = match.before(number)
        what = entry_data(match.entries[number - 1]) if number else None
        positions.append({"entry": what} | summary(earlier) | {"figures": earlier.state.figures()})
    head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
    return head | {"opening": list(map(str, match.opening)), "positions": positions}
