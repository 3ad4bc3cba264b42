"""The move of Coin Isolation that a row of its board's steps is: the other way round than `CoinState.steps`."""

from collections.abc import Sequence

from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.boards.coin_terms import (
    COIN,
    END,
    GIVE_WANTED,
    KINDS,
    PASS,
    PLACE_WANTED,
    RENEGADE,
    SIDE,
    STAGE,
    STAND,
    TAKE,
)
from quadrille.rules.games._coin_moves import CoinMove, Pass, Pick, Stand, Walk
from quadrille.rules.squares import grid


def turn_of(board: CoinBoard, steps: Sequence[int]) -> CoinMove:
    """The move that these legal steps are, from the beginning of a seat's turn to its end."""
    begin = steps[0] - board.first
    if begin == PASS:
        return Pass()
    if begin == STAND:
        return Stand(steps[1] - board.first - COIN if len(steps) > 1 else None)
    if SIDE <= begin < COIN:
        return Pick(begin - SIDE)
    squares = grid(board.terms.width, board.terms.height).squares
    trial = board.copy()
    path, places, given = [], [], [0] * KINDS
    kind = take = None
    for step in steps:
        stage, clause = trial.at[STAGE], step - board.first
        if stage == PLACE_WANTED:
            places.append(squares[step])
        elif clause < 0:
            path.append(squares[step])
        elif stage == GIVE_WANTED:
            given[clause - COIN] += 1
        elif clause >= TAKE:
            take = clause - TAKE
        elif clause not in (RENEGADE, END):
            kind = clause - COIN
        trial.apply(step)
    give = (given[0], given[1], given[2], given[3]) if any(given) else None
    return Walk(tuple(path), kind, take, give, tuple(places) or None, begin == RENEGADE)
