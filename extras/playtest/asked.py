"""Our five games for their inventors: kinds of moves in their words, and the questions of the published texts."""

from collections.abc import Sequence
from typing import Any, Final

from quadrille.extras.playtest.kinds import QUIET, Playtested
from quadrille.rules.games.barons.board import UNCLAIMED
from quadrille.rules.squares import grid

_FIRST: Final = "does it matter who moves first?"


def _claimed(state: Any, move: Any) -> str:
    """Name the kind of a claim of Barons by the squares that it touches."""
    board, square = state.board, state.code(move)
    sheet = grid(state.options.width, state.options.height)
    beside = {board.owner[other] for other in sheet.beside[square]} - {UNCLAIMED}
    if board.turn in beside:
        return "extend"
    row, column = square % board.height, square // board.height
    lines = (range(row, board.squares, board.height), range(column * board.height, (column + 1) * board.height))
    if any(_is_threatened(board, line) for line in lines):
        return "prevent"
    return "block" if beside else "isolated"


def _is_threatened(board: Any, line: Sequence[int]) -> bool:
    """Tell if one rival alone has half of a line or more."""
    owners = [board.owner[square] for square in line if board.owner[square] != UNCLAIMED]
    return len({*owners}) == 1 and owners[0] != board.turn and 2 * len(owners) >= len(line)


BARONS: Final = Playtested(
    _claimed,
    {
        "extend": "beside a square of its own",
        "isolated": "beside no claimed square",
        "block": "beside rivals alone",
        "prevent": "for no points, in a line where one rival alone has half",
    },
    (
        ("is it better to claim an isolated space, or to block an opponent?", ("kinds isolated", "kinds block")),
        ("should I claim a space for no points that prevents a monopoly?", ("kinds prevent",)),
        ("do whole rows and columns pay?", ("figure rows", "figure columns", "option row_bonus")),
        ("how deep or superficial is it with smart players?", ("skill", "drama")),
        ("what does the size of the grid change?", ("option width",)),
        (_FIRST, ("seats",)),
    ),
)
COIN_ISOLATION: Final = Playtested(
    asked=(
        (_FIRST, ("seats",)),
        ("what do the variants change?", ("option adjacency", "option take", "option collect", "option renegade")),
        ("how often does the tie-break decide?", ("decides",)),
    )
)
DOLLAR_DRAW: Final = Playtested(
    None,
    {"capture": "of a dollar", "turn": "of a mark into a dollar", QUIET: "a claim of a blank square"},
    (
        ("is a larger grid not harder or easier, just longer?", ("option width", "skill")),
        ("is there a game with no dollars at all?", ("figure captured", "decides")),
        (_FIRST, ("seats", "solved")),
        ("should dollars be captured as many and as quickly as one can?", ("kinds capture", "kinds turn")),
    ),
)
DOTTER: Final = Playtested(
    asked=(
        ("how long does it take?", ("length", "option laps", "option lap_points")),
        ("what do jokers change?", ("option jokers",)),
        ("is a peek worth its turn?", ("kinds peek",)),
        ("should another's cards be scored unseen?", ("option looks",)),
        ("is there skill in it?", ("skill", "memory", "length choice")),
        (_FIRST, ("seats",)),
    )
)
MAZE: Final = Playtested(
    None,
    {"make": "of an X or more", QUIET: "a segment without an X"},
    (
        ("is it fun to play?", ("drama", "skill")),
        ("what does the size change, at least 6 at first?", ("option size",)),
        (_FIRST, ("seats", "solved")),
    ),
)
