"""A seat sees all that matters of a position as numbers, and nothing hidden.

The digests of test_batch.py hold what each plane is; extras/lab/docs/observations.md describes the planes.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import pytest

from extras.lab.tests.observers import observer_for
from quadrille.laws.settings import GAMES, Setting, setting, small
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import settle
from quadrille.rules.dice import Dice
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.search.test_search import begun as started

Sight: TypeAlias = tuple[tuple[int, ...], ...]


def cut(board: Board, seat: int) -> Sight:
    planes, columns, rows = board.shape()
    size = columns * rows
    seen = list(observer_for(board).observe(board, seat))
    assert len(seen) == planes * size
    return tuple(tuple(seen[first : first + size]) for first in range(0, len(seen), size))


# All that matters


def walk(table: Setting, games: int) -> Iterator[Board]:
    """The positions of random games and what each of their moves leads to; between two turns of more than two seats
    one leaves now and then.
    """
    for number in range(games):
        board, dice, turns = begun(table), Dice(number + 1), -1
        move = 0
        while move >= 0:
            if table.seats > 2 and board.plies > turns and dice.below(6) == 0:
                board.leave(dice.below(table.seats))
            turns = board.plies
            yield board
            for move in listed(board):
                board.apply(move)
                yield board
                board.undo()
            move = board.random_move(dice)
            if move >= 0:
                board.apply(move)


def begun(table: Setting) -> Board:
    board: Board = table.game.start(dict(table.options), table.seats).board.copy()
    return board


def listed(board: Board) -> list[int]:
    count = board.legal()
    return sorted(board.moves[:count])


def standing(board: Board, seat: int) -> list[int]:
    """Return what the position is worth as things stand, counted from that seat round the table."""
    return [board.payoff((seat + step) % board.seats) for step in range(board.seats)]


def coins(seats: int, layout: str, **options: Any) -> Setting:
    return setting("coin-isolation", {"layout": layout, **options}, seats)


WANDERERS = coins(3, "pp/p.", renegade=True, standing_still=True)
PLACERS = coins(2, "pp/pp", renegade=True, take="semi-greedy", collect="transplant-after")
IDLERS = coins(2, "pp/pp", renegade=True, idle_rounds=3)
OPEN = [table for key, found in GAMES.items() if not found.hidden for table in small(key)]
#: Of Coin Isolation those with the most positions.
LARGE = [*(table for table in small("coin-isolation") if len(table.options) > 1), PLACERS, IDLERS]
OPEN += [WANDERERS, PLACERS, IDLERS, coins(4, "pp/pn")]


@pytest.mark.parametrize(
    "table",
    [pytest.param(table, marks=[pytest.mark.slow] if table.seats > 2 or table in LARGE else []) for table in OPEN],
    ids=str,
)
def test_what_looks_the_same_is_the_same(table: Setting) -> None:
    """Wherever a seat sees the same, positions are alike in all that matters.

    Alike are: whose turn it is, the moves, what it is worth, and for each move what the seat sees then and what that is
    worth. The test compares the positions after each move too, so alike positions stay alike under the same moves.
    """
    met: dict[Sight, object] = {}
    for board in walk(table, 30 // table.seats):
        for seat in range(board.seats):
            turn = board.turn if board.turn == CHANCE else (board.turn - seat) % board.seats
            after = []
            for move in listed(board):
                board.apply(move)
                after.append((move, standing(board, seat), cut(board, seat)))
                board.undo()
            alike = (turn, standing(board, seat), after)
            assert met.setdefault(cut(board, seat), alike) == alike


def test_the_number_of_a_seat_tells_for_whom_it_picks_a_side() -> None:
    """Of three the second sits opposite the third: where the one is gone, the other picks, and nothing else tells."""
    one, other = begun(coins(3, "pp/pp")), begun(coins(3, "pp/pp"))
    one.leave(2)
    other.leave(0)
    assert (one.turn, other.turn) == (1, 2)
    assert [at for at, pair in enumerate(zip(cut(one, 1), cut(other, 2), strict=True)) if len(set(pair)) > 1] == [16]


# Nothing hidden


@pytest.mark.slow
def test_a_table_of_dotter_can_be_laid_again_from_what_a_seat_sees() -> None:
    """All that its view knows, to the key: only suits are lost, and the best hands, which decide nothing."""
    position, dice, met = Position(settle(game("dotter").start({}, 3), SeedDealer("7"))), Dice(7), 0
    for _ in range(250):
        if met == 60:
            position.board.leave(1)
        if position.board.turn != CHANCE:
            met += 1
            for seat in range(3):
                view: Any = position.state.view(seat).board
                laid = laid_again(cut(view, seat), view.copy())
                assert laid.key() == view.key()
        position.apply_quickly(position.random_move(dice))
    assert met > 80


def laid_again(seen: Sight, laid: Any) -> Any:
    """Return the table that a seat sees, laid out of the planes on a board of the same terms."""
    ranks, seats = laid.terms.ranks, laid.seats
    assert [ranks[face] + 1 if face != UNKNOWN else 0 for face in laid.faces] == list(seen[0])
    kept = {place: laid.at[place] for place in range(rules.BEST, rules.BEST + seats)}
    kept |= {place: laid.at[place] for place in (rules.UNSEEN, *range(rules.FACES, rules.FACES + len(ranks)))}
    laid.reset()
    _, up, drawn, turn, number = map(list, seen[:5])
    rows, looks, hole, laps, mover, left = (
        {(number[0] + step) % seats: seen[5 + part * seats + step] for step in range(seats)} for part in range(6)
    )
    for seat in range(seats):
        own = bits(rows[seat])
        kept |= {rules.OWN + seat: own, rules.DOWN + seat: own & ~bits(up), rules.LOOKED + seat: bits(looks[seat])}
        kept |= {rules.HOLE + seat: hole[seat][0], rules.LAPS + seat: laps[seat][0]}
        laid.left[seat] = left[seat][0]
    laid.turn = next(seat for seat in range(seats) if mover[seat][0])
    kept |= {rules.ROUND: turn[0], rules.DEALT: sum(drawn), rules.MOVER: laid.turn}
    for place, figure in kept.items():
        laid.at[place] = figure
    return laid


def bits(plane: Sequence[int]) -> int:
    return sum(1 << place for place, figure in enumerate(plane) if figure)


# Positions


def test_a_seat_sees_no_card_that_it_may_not() -> None:
    """Whatever the position knows: what a player of Dotter sees of it is what the player's view has."""
    position, dice = started("dotter", 3), Dice(2)
    for _ in range(200):
        if position.over:
            break
        for seat in range(3):
            view = Position(position.state.view(seat))
            assert list(observer_for(position.board).observe(position.board, seat)) == list(
                observer_for(view.board).observe(view.board, seat)
            )
        position.apply_quickly(position.random_move(dice))
