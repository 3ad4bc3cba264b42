"""The list of legal moves in Coin Isolation: lazy, because there can be too many to write down.

The board knows the possible paths, coins and squares; this module combines them in the order of
docs/protocols/games.md, "Notation": paths, then `stand`, then `renegade` moves, last `pass`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, islice
from math import comb
from typing import Final, TypeVar

from quadrille.rules.boards._coin.paths import first_alike
from quadrille.rules.boards._coin.terms import (
    BARE,
    COIN,
    COINS,
    DECLARED,
    END,
    GREEDY,
    KINDS,
    PASS,
    RENEGADE,
    SEMI_GREEDY,
    SIDE,
    STAGE,
    STAND,
    TRANSPLANT,
    TRANSPLANT_AFTER,
    TURN,
    WALK,
)
from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.chance import Randomness
from quadrille.rules.core import Face
from quadrille.rules.games._coin.moves import LETTERS, CoinMove, Pass, Pick, Stand, Walk
from quadrille.rules.games._coin.steps import beginning, made, turn_of
from quadrille.rules.squares import Square, grid

T = TypeVar("T")
#: Maximum moves that begin with the steps made from which a random one is chosen.
SAMPLED: Final = 1000


def listed(board: CoinBoard) -> Iterator[CoinMove]:
    """Every listed move, in canonical order; in the middle of a turn those that begin with the steps made."""
    if board.at[STAGE] > TURN:
        yield from rests(board)
        return
    steps = _steps(board)
    if _walks(board, steps):
        yield from walks(board)
    yield from others(board, steps)


def rests(board: CoinBoard) -> Iterator[CoinMove]:
    """Every move of a turn in the middle, in canonical order: no other has the same effect."""
    begin, before = beginning(board), made(board)
    more: Iterator[list[int]] = iter([[]])
    renegade = board.allowed() & BARE
    if board.at[STAGE] == DECLARED:
        more = iter(board.renegade_paths())
    elif board.at[STAGE] == WALK:
        on = iter(board.renegade_paths()) if renegade else (path for path, _ in paths(board))
        more = chain([[]], on)
    for path in more:
        trial = board.copy()
        for q in path:
            trial.apply(q)
        for steps in _completed(trial, board.plies):
            yield turn_of(begin, [*before, *path, *steps])


def _completed(board: CoinBoard, plies: int) -> Iterator[list[int]]:
    """The steps that complete the turn, without more squares of its path."""
    if board.plies != plies:
        yield []
        return
    for step in [board.first + END] if board.at[STAGE] == WALK else _steps(board):
        trial = board.copy()
        trial.apply(step)
        for steps in _completed(trial, plies):
            yield [step, *steps]


def how_many(board: CoinBoard, at_most: int | None) -> int:
    """Number of listed moves, without making them; counting may stop at `at_most`."""
    if board.at[STAGE] > TURN:
        return sum(1 for _ in islice(rests(board), at_most))
    steps = _steps(board)
    count = sum(1 for _ in others(board, steps))
    if _walks(board, steps):
        for path, common in paths(board):
            if at_most is not None and count >= at_most:
                break
            count += _ways_to_play(board, path, common)
    return count if at_most is None else min(count, at_most)


def sampled(board: CoinBoard, rng: Randomness) -> CoinMove:
    """A random listed move, made step by step: every one is possible, not all equally likely."""

    def one(row: Sequence[T]) -> T:
        return row[rng.randrange(len(row))]

    if board.at[STAGE] > TURN:
        return one(tuple(islice(rests(board), SAMPLED)))
    steps = _steps(board)
    step = one(steps)
    if step >= board.first or not _walks(board, steps):
        return one(tuple(others(board, [step])))
    trial, path = board.copy(), []
    while step != board.first + END:
        path.append(step)
        trial.apply(step)
        step = one(_steps(trial))
    path = first_alike(board.terms.near, board.onward(), path)
    kind, kind_text = one(_kinds(common_types(board, path)))
    taken, take = one(tuple(_takes(board, path[-1], kind)))
    pool = rooms(board, path, taken)
    chosen = sorted(pool.pop(rng.randrange(len(pool))) for _ in range(board.wanted(len(path))))
    squares = _squares(board)
    return Walk(
        tuple(squares[q] for q in path),
        kind_text,
        take,
        one(tuple(_gives(board))),
        tuple(squares[q] for q in chosen) or None,
    )


def paths(board: CoinBoard) -> Iterator[tuple[list[int], int]]:
    """Each path on which coins are taken, with the kinds of coin that lie on every square of it, as bits."""
    walk = board.paths()
    while walk.go_on():
        yield list(walk.path[: walk.length]), walk.common


def rooms(board: CoinBoard, path: Sequence[int], taken: int) -> list[int]:
    """The squares, ascending, that are empty for the coins of this path after that many were taken from its target."""
    squares = range(board.terms.cells)
    return [q for q in squares if board.has_room(q, path[-1], taken, walked=q in path)]


def _steps(board: CoinBoard) -> list[int]:
    return list(board.listed())


def _squares(board: CoinBoard) -> tuple[Square, ...]:
    return grid(board.terms.width, board.terms.height).squares


def _walks(board: CoinBoard, steps: list[int]) -> bool:
    """Whether the list begins with paths that take coins; steps are ascending, squares come first."""
    return bool(steps) and steps[0] < board.first and not board.at[board.renegades + board.turn]


def common_types(board: CoinBoard, path: list[int]) -> int:
    """The kinds of coin that lie on every square of the path, as bits."""
    types = COINS
    for q in path:
        types &= board.at[board.ways + q]
    return types


def others(board: CoinBoard, steps: list[int]) -> Iterator[CoinMove]:
    """The moves with these first steps, except paths that take coins."""
    if steps and steps[0] < board.first and board.at[board.renegades + board.turn]:
        yield from _bare_walks(board, renegade=False)
    for step in steps:
        clause = step - board.first
        if clause == STAND:
            types = board.types(board.at[board.pawn + board.turn])
            yield from (Stand(written) for _, written in _kinds(types))
        elif clause == RENEGADE:
            yield from _bare_walks(board, renegade=True)
        elif clause == PASS:
            yield Pass()
        elif clause >= COIN:
            yield Face(LETTERS[clause - COIN])
        elif clause >= SIDE:
            yield Pick(clause - SIDE)


def _bare_walks(board: CoinBoard, *, renegade: bool) -> Iterator[Walk]:
    """ "one path for each target, a shortest one, and of those the one whose text comes first" """
    squares = _squares(board)
    for path in board.renegade_paths():
        yield Walk(tuple(squares[q] for q in path), renegade=renegade)


def walks(board: CoinBoard) -> Iterator[Walk]:
    """Every path that takes coins, with every choice of type, coins and squares."""
    squares = _squares(board)
    plain = not _has_clauses(board)
    for path, common in paths(board):
        walked = tuple([squares[q] for q in path])
        if plain:
            yield Walk(walked)
            continue
        for kind, kind_text in _kinds(common):
            for taken, take in _takes(board, path[-1], kind):
                for give in _gives(board):
                    for to in _places(board, path, taken):
                        yield Walk(walked, kind_text, take, give, to if to is None else tuple([squares[q] for q in to]))


def spelled(board: CoinBoard, move: Walk) -> Walk:
    """A walk along a legal path in its listed form: without clauses that have only one possibility."""
    number = grid(board.terms.width, board.terms.height).number
    path = [q for square in move.path if (q := number(square)) is not None]
    kind, take, give = move.kind, move.take, move.give
    kinds = [known for known, _ in _kinds(common_types(board, path))]
    if kinds == [kind]:
        kind = None
    played = move.kind if move.kind in kinds else kinds[0]
    if list(_takes(board, path[-1], played)) == [(take, None)]:
        take = None
    source = board.at[board.pawn + board.turn]
    if give is not None and sum(give) == board.half() and board.types(source) in (1, 2, 4, 8):
        forced = all(not coins or board.types(source) == 1 << known for known, coins in enumerate(give))
        give = None if forced else give
    return Walk(move.path, kind, take, give, move.to)


def _ways_to_play(board: CoinBoard, path: list[int], common: int) -> int:
    """Number of listed moves along a path."""
    if not _has_clauses(board):
        return 1
    wanted = board.wanted(len(path))
    total = 0
    for kind, _ in _kinds(common):
        for taken, _ in _takes(board, path[-1], kind):
            total += comb(len(rooms(board, path, taken)), wanted) if wanted else 1
    return total * sum(1 for _ in _gives(board))


def _has_clauses(board: CoinBoard) -> bool:
    """Whether a path can need clauses."""
    terms = board.terms
    return terms.mixed_change or terms.take == SEMI_GREEDY or terms.collect in (TRANSPLANT, TRANSPLANT_AFTER)


@lru_cache(maxsize=16)
def _kinds(types: int) -> tuple[tuple[int, int | None], ...]:
    """The kinds among the bits, each with its clause: None if there is only one."""
    kinds = [kind for kind in range(KINDS) if types >> kind & 1]
    return tuple((kind, kind if len(kinds) > 1 else None) for kind in kinds)


def _takes(board: CoinBoard, target: int, kind: int) -> Iterator[tuple[int, int | None]]:
    """The possible numbers of taken coins, each with its clause."""
    if board.terms.take == SEMI_GREEDY:
        yield from ((taken, taken) for taken in range(board.most(target, kind) + 1))
    else:
        yield board.most(target, kind) if board.terms.take == GREEDY else 1, None


def _gives(board: CoinBoard) -> Iterator[tuple[int, int, int, int] | None]:
    """The coins of the source that go along, "2p before 1p1n before 2n"; None if there is no choice."""
    half = board.half()
    source = board.at[board.pawn + board.turn]
    types = board.types(source) if half else 0
    if types & (types - 1) == 0:
        yield None
        return
    p, n, d, q = (board.most(source, kind) for kind in range(KINDS))
    for pennies in range(min(p, half), -1, -1):
        for nickels in range(min(n, half - pennies), -1, -1):
            for dimes in range(min(d, half - pennies - nickels), -1, -1):
                quarters = half - pennies - nickels - dimes
                if quarters <= q:
                    yield pennies, nickels, dimes, quarters


def _places(board: CoinBoard, path: list[int], taken: int) -> Iterator[tuple[int, ...] | None]:
    """The squares for the coins of a transplant; None if none is collected."""
    wanted = board.wanted(len(path))
    if wanted:
        yield from combinations(rooms(board, path, taken), wanted)
    else:
        yield None
