"""What a seat sees of a position as numbers: planes over the squares, or in Dotter over the slots.

`planes` gives them in one row, `planes_shape` says how it is to be cut: (planes, columns, rows) with row 1 first, or
for Dotter (planes, seats, slots). Seats are counted from the one that looks: it is 0, the next round the table is 1.
"For each seat" is in that order. A plane has 1 where something is so and 0 elsewhere, or a count; a *figure* is a plane
full of one number. Nothing is scaled. After a game's own planes comes a figure for each seat: 1 if it is its turn.

- Barons: for each seat its squares.
- Dollar Draw: dollars that nobody captured; for each seat its marks, its captured dollars, its token.
- Maze: taken squares; the square where the segment must start; X's; squares joined with the one to the right; with the
  one above; the figures: 1 if the X's are odd; 1 if odd is what the seat that looks wants.
- Coin Isolation: for each coin p, n, d, q how many lie there; for each seat its pawn; the figures for each seat: coins
  it holds of each kind; 1 for its side among south, north, west, east; 1 if it is a renegade; the turn in which it
  kept its last coin; then turns since anybody kept one, and passes one after another.
- Dotter: cards face down; for each seat what it has looked at; for each rank (joker, ace, 2 to king) the cards face
  down that the seat that looks knows to be of it; the figures: for each rank how many are turned up and gone; how many
  cards are left in the deck; the round; for each seat its laps, its hole.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from quadrille.rules.board import UNKNOWN
from quadrille.rules.boards import hands
from quadrille.rules.boards.coin_terms import IDLE, KINDS, PASSES
from quadrille.rules.boards.dotter_table import SLOTS
from quadrille.rules.core import Game, Given, State, ToDraw, ToMove
from quadrille.rules.scene import Sheet

#: A plane, or the one number that it is full of.
Plane: TypeAlias = list[float] | float


def planes(state: State[Any, Any], seat: int) -> list[float]:
    """What a seat sees in its own view of a position."""
    layout, size = _LAYOUTS[state.game.key], _size(state)
    seats = [(seat + step) % state.seats for step in range(state.seats)]
    rows = [*layout(state, seats), *(float(mover == _mover(state)) for mover in seats)]
    return [number for row in rows for number in (row if isinstance(row, list) else [float(row)] * (size[0] * size[1]))]


def planes_shape(game: Game[Any, Any], options: Given = None, seats: int | None = None) -> tuple[int, int, int]:
    """How many planes there are for a game with these options, and of what size."""
    start = game.start(options, seats)
    size = _size(start)
    return len(planes(start, 0)) // (size[0] * size[1]), *size


def _size(state: State[Any, Any]) -> tuple[int, int]:
    match state.game.key:
        case "dotter":
            return state.seats, SLOTS
        case "maze":
            return state.options.size, state.options.size
        case "coin-isolation":
            return state.board.terms.width, state.board.terms.height
    return state.options.width, state.options.height


def _mover(state: State[Any, Any]) -> int | None:
    match state.pending:
        case ToMove(seat):
            return seat
        case ToDraw(owner=owner):
            return owner
    return None


def _sheet(state: State[Any, Any]) -> Sheet:
    sheet = state.scene().sheet
    assert sheet is not None
    return sheet


def _marked(sheet: Sheet, kind: str, seat: int | None) -> list[float]:
    """1 on each square with such a mark of a seat's, or of nobody's."""
    return [float(any(mark.kind == kind and mark.seat == seat for mark in cell.marks)) for cell in sheet.cells]


def _barons(state: State[Any, Any], seats: list[int]) -> list[Plane]:
    sheet = _sheet(state)
    return [_marked(sheet, "claim", seat) for seat in seats]


def _dollar_draw(state: State[Any, Any], seats: list[int]) -> list[Plane]:
    sheet = _sheet(state)
    own = [_marked(sheet, kind, seat) for seat in seats for kind in ("claim", "dollar", "token")]
    return [_marked(sheet, "dollar", None), *own]


def _maze(state: State[Any, Any], seats: list[int]) -> list[Plane]:
    sheet, must = _sheet(state), str(state.forced_start())  # type: ignore[attr-defined]
    number = {cell.name: at for at, cell in enumerate(sheet.cells)}
    right, up = [0.0] * len(sheet.cells), [0.0] * len(sheet.cells)
    for link in sheet.links or ():
        first, second = sorted((number[link.start], number[link.end]))
        (up if second == first + 1 else right)[first] = 1.0
    return [
        [float(bool(cell.marks)) for cell in sheet.cells],
        [float(cell.name == must) for cell in sheet.cells],
        _marked(sheet, "cross", None),
        right,
        up,
        state.board.crosses % 2,
        seats[0] == 0,
    ]


def _coin_isolation(state: State[Any, Any], seats: list[int]) -> list[Plane]:
    board, sheet = state.board, _sheet(state)
    held: Any = state.figures()
    coins: list[Plane] = [[float(board.most(q, kind)) for q in range(len(sheet.cells))] for kind in range(KINDS)]
    pawns = [_marked(sheet, "pawn", seat) for seat in seats]
    figures: Iterable[float] = (
        number
        for seat in seats
        for number in (
            *held["coins"][seat].values(),
            *(board.at[board.side + seat] == side for side in range(4)),
            board.at[board.renegades + seat],
            held["last_coin"][seat],
        )
    )
    return [*coins, *pawns, *figures, board.at[IDLE], board.at[PASSES]]


def _dotter(state: State[Any, Any], seats: list[int]) -> list[Plane]:
    board, sealed = state.board, state.sealed()
    assert sealed is not None
    ranks = range(hands.RANKS)
    down, looks, known = ([[0.0] * (SLOTS * len(seats)) for _ in row] for row in ([0], seats, ranks))
    for place, player in enumerate(seats):
        for slot in board.down(player):
            at, position = SLOTS * place + slot, board.position(player, slot)
            down[0][at] = 1.0
            for looker, seat in enumerate(seats):
                looks[looker][at] = float(position in sealed.looks[seat])
            if board.faces[position] != UNKNOWN:
                known[board.ranks[board.faces[position]]][at] = 1.0
    gone = [board.ranks[face] for face in sealed.up.values()]
    pegs = [number for seat in seats for number in (board.laps[seat], board.hole[seat])]
    figures = [*(gone.count(rank) for rank in ranks), len(board.ranks) - board.dealt, board.round, *pegs]
    return [*down, *looks, *known, *figures]


_LAYOUTS: Final[dict[str, Callable[[State[Any, Any], list[int]], list[Plane]]]] = {
    "barons": _barons,
    "coin-isolation": _coin_isolation,
    "dollar-draw": _dollar_draw,
    "dotter": _dotter,
    "maze": _maze,
}
