"""Refusals of moves of Coin Isolation, in the game's own words.

The board has refused the move, at a step that it does not list; this module explains why.
"""

from typing import Final

from quadrille.rules.boards._coin.paths import followers
from quadrille.rules.boards._coin.terms import (
    BARE,
    COIN,
    GIVE_WANTED,
    KIND,
    KIND_WANTED,
    KINDS,
    LAYOUT,
    LENGTH,
    MASK,
    NONE,
    ROW,
    SIDE,
    SIDES,
    STAGE,
    STAND_WANTED,
    TAKE,
    TAKE_WANTED,
    TAKEN,
    TRANSPLANT_AFTER,
    WALK,
)
from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.games._coin import lists as lists
from quadrille.rules.games._coin.moves import LETTERS, CoinMove, Pass, Pick, Stand, Walk
from quadrille.rules.games._coin.moves import SIDES as SIDE_NAMES
from quadrille.rules.squares import grid

_COINS: Final = ("penny", "nickel", "dime", "quarter")


def reason(before: CoinBoard, board: CoinBoard, move: CoinMove, step: int | None, *, done: bool) -> str:
    """`board` is where the move stuck: at an illegal `step`, or without one because the move is incomplete.

    `done`: the turn was complete before that step, so the step is too much.
    """
    stage = board.at[STAGE]
    if before.at[STAGE] == LAYOUT:
        return "the coins are still being laid out: one of p, n, d and q is owed that is not used up"
    if done:
        return _too_much(before, move, step)
    if before.at[STAGE] == SIDES:
        return _no_side(board, move)
    if step is None:
        return _too_little(board, move)
    match move:
        case Pick():
            return "the sides are picked already"
        case Pass():
            stand = " (you may also stand still)" if before.can_stand() else ""
            return (
                f"you can't pass: there is a path for you{stand}" if _has_path(before) else "you can still stand still"
            )
        case Stand():
            return _no_stand(before, board)
        case Walk() if stage < WALK:
            return _no_beginning(before, board, move)
        case Walk() if stage == WALK:
            return _no_way_on(board, step)
    return _wrong_clause(board, stage, step)


def _name(board: CoinBoard, q: int) -> str:
    return grid(board.terms.width, board.terms.height).names[q]


def _has_path(board: CoinBoard) -> bool:
    return any(step < board.first for step in board.listed())


def _too_much(before: CoinBoard, move: CoinMove, step: int | None) -> str:
    """A superfluous clause."""
    if isinstance(move, Stand):
        return "stand is written alone here: there is only one type of coin under your pawn"
    if isinstance(move, Walk) and (move.renegade or before.at[before.renegades + before.turn]):
        return "a renegade keeps no coins and moves none: only the path is written"
    clause = (step or 0) - before.first
    if clause >= TAKE:
        many = "all coins on the target are kept" if before.terms.take else "one coin is kept"
        return f"take is only written in Semi-Greedy: here {many}"
    if clause >= COIN and isinstance(move, Walk) and move.give is not None:
        half = before.half()
        types = before.types(before.at[before.pawn + before.turn]) if half else 0
        if types & (types - 1):
            return _half(half)
        why = (
            "half the coins under your pawn are of one type, or none"
            if before.terms.mixed_change
            else "piles don't mix"
        )
        return f"give is not written here: {why}"
    if clause >= COIN:
        return "type is not written here: all squares of the path have just one type of coin in common"
    return "to is not written here: no coin is to be placed"


def _no_side(board: CoinBoard, move: CoinMove) -> str:
    free = [SIDE_NAMES[step - board.first - SIDE] for step in board.listed()]
    if isinstance(move, Pick):
        return f"the {SIDE_NAMES[move.side]} is taken: pick {' or '.join(free)}"
    return "pick a side first: " + " or ".join(f"side {name}" for name in free)


def _too_little(board: CoinBoard, move: CoinMove) -> str:
    """A missing clause, or a square off the board."""
    stage, at = board.at[STAGE], board.at
    types = [LETTERS[kind] for kind in range(KINDS) if at[MASK] >> kind & 1]
    if isinstance(move, Walk) and at[LENGTH] == 0:
        return "a square of this move is off the board"
    if stage == KIND_WANTED:
        return f"say which type of coin the path runs along: add type {' or type '.join(types)}"
    if stage == TAKE_WANTED:
        return f"say how many coins you keep: add take 0 to take {board.most(board.target(), at[KIND])}"
    if stage == GIVE_WANTED:
        return f"say which coins go along from under your pawn: add give with {_coins(board.half())} in all"
    if stage == STAND_WANTED:
        under = board.types(at[board.pawn + board.turn])
        names = [LETTERS[kind] for kind in range(KINDS) if under >> kind & 1]
        return f"say which coin you keep: stand {' or stand '.join(names)}"
    return f"say where the collected coins go: add to with {_squares(board.wanted(at[LENGTH]))}"


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"


def _half(number: int) -> str:
    return f"give names {_coins(number)} from under your pawn: that is half of them, rounded down"


def _squares(number: int) -> str:
    return "1 empty square" if number == 1 else f"{number} empty squares"


def _no_stand(before: CoinBoard, board: CoinBoard) -> str:
    seat = before.turn
    if not before.terms.standing_still:
        return "standing still is not played at this table"
    if before.at[before.renegades + seat]:
        return "a renegade can't stand still: it keeps no coins"
    if before.at[before.pawn + seat] == NONE:
        return "your pawn is not on the board yet"
    if board.at[STAGE] == STAND_WANTED:
        return "no coin of that type lies under your pawn"
    return "no coin lies under your pawn"


def _no_beginning(before: CoinBoard, board: CoinBoard, move: Walk) -> str:
    """Why a path can't begin where it does, or the player can't turn renegade."""
    seat, terms = before.turn, before.terms
    if move.renegade and not terms.renegade:
        return "renegades are not played at this table"
    if move.renegade and before.at[before.renegades + seat]:
        return "you are a renegade already: write the path alone"
    if move.renegade and board is not before and not board.legal():
        return "not even a renegade has a path here"
    q = grid(terms.width, terms.height).number(move.path[0])
    if q is None or q in followers(terms.near, before.starts(seat)):
        return _bad_square(board, q or 0, "the path begins there")
    pawn = before.at[before.pawn + seat]
    if pawn == q:
        return f"your own pawn stands on {move.path[0]}: no pawn may stand on a path"
    if pawn != NONE:
        return f"{move.path[0]} does not touch your pawn on {_name(before, pawn)}"
    return f"{move.path[0]} is not in the first row of your side, the {SIDE_NAMES[before.at[before.side + seat]]}"


def _bad_square(board: CoinBoard, q: int, so: str) -> str:
    way = board.at[board.ways + q]
    if way == 0:
        return f"a pawn stands on {_name(board, q)}: no pawn may stand on a path"
    if way == BARE:
        return f"{_name(board, q)} is empty: a path runs over coins, and {so}"
    return f"a path can't begin on {_name(board, q)}"


def _no_way_on(board: CoinBoard, step: int) -> str:
    last = board.target()
    if step >= board.first:
        return "the path goes on before that can be said"
    name, end = _name(board, step), _name(board, last)
    if step in board.at[board.path : board.path + board.at[LENGTH]]:
        return f"{name} is on the path twice"
    if step not in followers(board.terms.near, ROW * last):
        return f"{name} is not adjacent to {end}"
    way = board.at[board.ways + step]
    if way == 0 or way == BARE:
        return _bad_square(board, step, "it comes on this one")
    kinds = " or ".join(_COINS[kind] for kind in range(KINDS) if board.at[MASK] >> kind & 1)
    return f"the path runs along one type of coin, and {name} has no {kinds or 'empty place'}"


def _wrong_clause(board: CoinBoard, stage: int, step: int) -> str:
    """A required clause with a wrong value."""
    clause, at = step - board.first, board.at
    if stage == KIND_WANTED:
        return "not every square of the path has a coin of that type" if clause >= COIN else _wants("type")
    if stage == TAKE_WANTED:
        most = board.most(board.target(), at[KIND])
        lie = f"{_coins(most)} of the path's type {'lies' if most == 1 else 'lie'} on the target"
        return f"you can't keep {clause - TAKE}: {lie}" if clause >= TAKE else _wants("take")
    if stage == GIVE_WANTED:
        return _half(board.half())
    if clause >= 0:
        return _wants("to")
    return _wrong_place(board, step)


def _wants(clause: str) -> str:
    return f"{clause} has to be said first: the order is type, take, give, to"


def _wrong_place(board: CoinBoard, q: int) -> str:
    """Why a collected coin can't be placed there, or why there are not enough squares."""
    after = board.terms.collect == TRANSPLANT_AFTER
    rooms = lists.rooms(board, list(board.at[board.path : board.path + board.at[LENGTH]]), board.at[TAKEN])
    wanted = board.wanted(board.at[LENGTH])
    name = _name(board, q)
    if q in rooms:
        return f"the collected coins go to {_squares(wanted)}, each its own"
    if q == board.target():
        return f"your pawn will stand on {name} by then" if after else f"a coin is left on {name}"
    if q == board.at[board.pawn + board.turn] and not after:
        return f"your pawn still stands on {name}: the coins are placed before it moves"
    return f"{name} is not empty: a transplanted coin goes to an empty square"
