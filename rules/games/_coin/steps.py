"""The steps of Coin Isolation, which are its board's: conversion to moves and to words."""

from collections.abc import Sequence

from quadrille.rules.boards._coin.terms import (
    COIN,
    END,
    GIVE_WANTED,
    GIVEN,
    KIND,
    KIND_WANTED,
    KINDS,
    LAYOUT,
    LENGTH,
    PASS,
    PLACE_WANTED,
    PLACED,
    RENEGADE,
    SIDE,
    STAGE,
    STAND,
    STAND_WANTED,
    TAKE,
    TAKE_WANTED,
    TAKEN,
    TURN,
    WALK,
    WILD,
)
from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.core import Face
from quadrille.rules.games._coin.moves import LETTERS, SIDES, CoinMove, Pass, Pick, Stand, Walk
from quadrille.rules.squares import grid


def steps_of(board: CoinBoard, move: CoinMove) -> list[int] | None:
    """The board's steps of a move; None if a square of it is off the board."""
    steps = _whole(board, move)
    if board.at[STAGE] <= TURN or steps is None:
        return steps
    before = made(board)
    return steps[len(before) :] if steps[: len(before)] == before else steps


def _whole(board: CoinBoard, move: CoinMove) -> list[int] | None:
    """As `steps_of`, from the beginning of the turn on."""
    first = board.first
    match move:
        case Face(name):
            return [first + COIN + LETTERS.index(name)] if name in LETTERS and len(name) == 1 else None
        case Pick(side):
            return [first + SIDE + side]
        case Pass():
            return [first + PASS]
        case Stand(kind):
            return [first + STAND] + ([] if kind is None else [first + COIN + kind])
    number = grid(board.terms.width, board.terms.height).number
    path, places = [number(square) for square in move.path], [number(square) for square in move.to or ()]
    steps = [first + RENEGADE] if move.renegade else []
    steps += [q for q in path if q is not None] + [first + END]
    if move.kind is not None:
        steps.append(first + COIN + move.kind)
    if move.take is not None:
        steps.append(first + TAKE + move.take)
    if move.give is not None:
        steps += [first + COIN + kind for kind, coins in enumerate(move.give) for _ in range(coins)]
    steps += [q for q in places if q is not None]
    return steps if None not in path and None not in places else None


def beginning(board: CoinBoard) -> CoinBoard:
    """The board before the steps of an unfinished turn."""
    begin = board.copy()
    begin.free_path()
    begin.clear_steps()
    return begin.copy()


def made(board: CoinBoard) -> list[int]:
    """The steps of an unfinished turn, found by making them again."""
    at, first, trial = board.at, board.first, beginning(board)
    steps = [first + RENEGADE] if at[WILD] else [first + STAND] if at[STAGE] == STAND_WANTED else []
    steps += at[board.path : board.path + at[LENGTH]]
    for step in steps:
        trial.apply(step)
    while trial.key() != board.key():
        stage = trial.at[STAGE]
        if stage == WALK:
            step = first + END
        elif stage == KIND_WANTED:
            step = first + COIN + at[KIND]
        elif stage == TAKE_WANTED:
            step = first + TAKE + at[TAKEN]
        elif stage == GIVE_WANTED:
            step = first + COIN + next(kind for kind in range(KINDS) if trial.at[GIVEN + kind] < at[GIVEN + kind])
        else:
            step = at[board.placed + trial.at[PLACED]]
        steps.append(step)
        trial.apply(step)
    return steps


def word_of(board: CoinBoard, step: int) -> str:
    """A square, or the clause of a step, on a board with the steps before it."""
    clause, stage = step - board.first, board.at[STAGE]
    if clause < 0:
        name = grid(board.terms.width, board.terms.height).names[step]
        return f"to {name}" if stage == PLACE_WANTED else name
    if clause >= TAKE:
        return f"take {clause - TAKE}"
    if clause >= COIN:
        verb = {LAYOUT: "", GIVE_WANTED: "give "}.get(stage, "type ")
        return f"{verb}{LETTERS[clause - COIN]}"
    if clause >= SIDE:
        return f"side {SIDES[clause - SIDE]}"
    return {END: "end", STAND: "stand", RENEGADE: "renegade", PASS: "pass"}[clause]


def turn_of(board: CoinBoard, steps: Sequence[int]) -> CoinMove:
    """The move of these legal steps, from the beginning of a seat's turn on; half-made before its end."""
    begin = steps[0] - board.first
    if begin == PASS:
        return Pass()
    if begin == STAND:
        return Stand(steps[1] - board.first - COIN if len(steps) > 1 else None)
    if begin >= COIN:
        return Face(LETTERS[begin - COIN])
    if begin >= SIDE:
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
