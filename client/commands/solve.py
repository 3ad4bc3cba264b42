"""`quadrille solve GAME`: the winner of a position at perfect play, with a line of best moves."""

import argparse
import json
from typing import Any, Final

from quadrille.client.reports import advice_text, heading
from quadrille.client.table_setup import add_setup, set_up, whole
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.match import Match
from quadrille.rules.search import Position, Proof

DESCRIPTION: Final = """\
Find the winner with perfect play, from the start of a game or after some moves:
for two seats who see everything. It says so if the game is too large to be
searched to its end; --positions raises the limit."""
POSITIONS: Final = 5_000_000
MOST: Final = 1_000_000_000
#: Positions between two checks for Ctrl-C.
SLICE: Final = 20_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a name from quadrille games")
    add_setup(parser)
    parser.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help="the first moves, as in the game")
    parser.add_argument(
        "--positions",
        type=whole,
        default=POSITIONS,
        metavar="N",
        help=f"maximum positions to search (default {POSITIONS:,})",
    )
    parser.add_argument("--json", action="store_true", help="as data")


def run(settings: argparse.Namespace) -> int:
    """Solve a position and print the result; the exit code is 1 if the position is too large."""
    if not 1 <= settings.positions <= MOST:
        raise RulesError(f"--positions takes a number from 1 to {MOST}, not {settings.positions}")
    match = set_up(settings)
    for text in settings.moves:
        match.play(text)
    if match.over:
        raise GameOver(f"the game is over after these moves: {match.over.reason}")
    if match.state.seats != 2 or match.game.hidden:
        table = "some cards are hidden" if match.game.hidden else f"this table has {match.state.seats}"
        raise RulesError(f"perfect play can be worked out for two seats who see everything: {table}")
    position = Position(match.state)
    search = Proof(position)
    while search.go_on(min(SLICE, settings.positions - search.found.positions)):
        if search.found.positions >= settings.positions:
            break
    solved, looked_at = search.found.certain, search.found.positions
    value = search.found.value if solved else None
    line = best_line(search, position) if solved else []
    if settings.json:
        print(json.dumps(_data(match, settings.moves, value, line, looked_at), indent=2))
        return 0 if solved else 1
    print(heading(match) + (f", after {' '.join(settings.moves)}" if settings.moves else ""))
    if value is None:
        print(f"Not solved: {looked_at:,} positions were looked at, and these are not all that matter.")
        print("Search more with --positions, begin nearer to the end with --moves, or take a smaller board.")
        if not settings.moves and (advice := advice_text(match.game, match.state.options, match.state.seats)):
            print(advice)
        return 1
    mover = match.state.board.turn
    winner = mover if value > 0 else 1 - mover
    print(
        f"Player {winner + 1} wins with perfect play." if value else "With perfect play the two share the first place."
    )
    print(f"A line of it: {', '.join(line)}")
    print(f"{looked_at:,} positions were looked at.")
    return 0


def best_line(search: Proof, start: Position) -> list[str]:
    """Return best moves of both seats from a solved position, as far as the search quickly finds them."""
    position, found = start.copy(), []
    while not position.over:
        search.stand(position)
        if search.go_on(POSITIONS):
            break
        steps = search.turn()
        found.append(str(position.move(steps)))
        for step in steps:
            position.apply_quickly(step)
    return found


def _data(match: Match, moves: list[str], value: int | None, line: list[str], positions: int) -> dict[str, Any]:
    """Return the answer as data: `value` is the payoff of the seat to move, 1, 0 or -1; null if it is unknown."""
    head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
    seat = match.state.board.turn
    places = None if value is None else [1 if value * (1 if s == seat else -1) >= 0 else 2 for s in range(2)]
    return head | {
        "seed": match.deal.seed if match.deal else None,
        "moves": moves,
        "seat": seat,
        "value": value,
        "places": places,
        "line": line,
        "positions": positions,
    }
