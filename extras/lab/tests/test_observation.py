"""What a seat sees as numbers: all that matters of a position, nothing hidden, plane by plane as
extras/lab/docs/observations.md says.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import pytest

from extras.lab.tests.observers import observer_for
from quadrille.laws.settings import GAMES, Setting, setting, small
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import settle
from quadrille.rules.dice import Dice
from quadrille.rules.games._template import GAME as CHOMP
from quadrille.rules.games.coin_isolation import board as coin_board
from quadrille.rules.games.dotter.board import PUBLIC, ROWS
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from quadrille.rules.squares import grid
from tests.rules import dotter_table
from tests.search.test_search import begun as started

Sight: TypeAlias = tuple[tuple[int, ...], ...]
Plane: TypeAlias = Mapping[str, int] | int


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
    assert [
        number for number, pair in enumerate(zip(cut(one, 1), cut(other, 2), strict=True)) if len(set(pair)) > 1
    ] == [16]


# Nothing hidden


def dotter(seats: int, seed: int, most: int) -> Iterator[Position]:
    """Yield positions of a game of Dotter as the whole table knows them, faces that are owed among them."""
    position = Position(settle(game("dotter").start({}, seats), SeedDealer(str(seed))))
    dice = Dice(seed)
    for _ in range(most):
        yield position
        position.apply_quickly(position.random_move(dice))


@pytest.mark.slow
def test_a_table_of_dotter_can_be_laid_again_from_what_a_seat_sees() -> None:
    """All that its view knows, to the key: only suits are lost, and the best hands, which decide nothing."""
    met = 0
    for position in dotter(3, seed=7, most=250):
        if met == 60:
            position.board.leave(1)
        if position.board.turn != CHANCE:
            met += 1
            for seat in range(3):
                view: Any = position.state.view(seat).board
                laid = laid_again(cut(view, seat), view.copy())
                assert laid.key() == view.key()
    assert met > 80


def laid_again(seen: Sight, laid: Any) -> Any:
    """Return the table that a seat sees, laid out of the planes on a board of the same terms."""
    assert [laid.ranks[face] + 1 if face != UNKNOWN else 0 for face in laid.faces] == list(seen[0])
    faces, best = laid.faces, laid.best
    laid.reset()
    laid.faces, laid.best = faces, best
    seats, (_, up, drawn, turn, number) = laid.seats, [list(plane) for plane in seen[:5]]
    rows, looks, hole, laps, mover, left = (
        {(number[0] + step) % seats: seen[5 + part * seats + step] for step in range(seats)} for part in range(6)
    )
    laid.round, laid.dealt, laid.discarded = turn[0], sum(drawn), sum(up)
    for seat in range(seats):
        laid.drawn[seat] = max(rows[seat])
        for row in range(laid.drawn[seat]):
            laid.rows[ROWS * seat + row] = rows[seat].index(row + 1)
        laid.hole[seat], laid.laps[seat], laid.left[seat] = hole[seat][0], laps[seat][0], left[seat][0]
    for card, public in enumerate(up):
        laid.seen[card] = PUBLIC if public else sum(looks[seat][card] << seat for seat in range(seats))
    laid.turn = laid.mover = next(seat for seat in range(seats) if mover[seat][0])
    return laid


# Plane by plane


def sees(board: Board, seat: int) -> list[Plane]:
    """The planes: what is not 0, by squares, or by a card's place in the pile from 0 on; or the number that a plane is
    full of.
    """
    _, columns, rows = board.shape()
    names = grid(columns, rows).names if rows > 1 else [str(place) for place in range(columns)]
    return [
        {name: number for name, number in zip(names, plane, strict=True) if number} if len(set(plane)) > 1 else plane[0]
        for plane in cut(board, seat)
    ]


def squares(text: str, number: int = 1) -> dict[str, int]:
    return dict.fromkeys(text.split(), number)


def test_chomp() -> None:
    position = Position.start(CHOMP, {"width": 3, "height": 2}, moves=["b2"])
    there = squares("a1 a2 b1 c1")
    assert sees(position.board, 0) == [there, 0]
    assert sees(position.board, 1) == [there, 1]


def test_dollar_draw() -> None:
    moves = "b1 c2 b2 c1 c2 b1 c3 a1 c2 b1"
    position = Position.start("dollar-draw", {"width": 3, "height": 3}, moves=moves.split())
    bar, s = squares("b2"), squares("c1")
    assert sees(position.board, 0) == [
        squares("c2"), squares("b1"), bar, s, squares("a1 c3"), squares("c2"), squares("b1"), 1,
    ]  # fmt: skip
    assert sees(position.board, 1) == [
        squares("b1"), squares("c2"), s, bar, squares("a1 c3"), squares("b1"), squares("c2"), 0,
    ]  # fmt: skip


def test_maze() -> None:
    position = Position.start("maze", {"size": 3}, moves=["a3-b3", "b3-b2", "b2-a2", "a2-a1", "a1-b1"])
    taken, free = squares("a1 a2 a3 b1 b2 b3"), squares("b1 b2 b3")
    left, below = squares("b1 b2 b3"), squares("a2 b3")
    assert sees(position.board, 0) == [taken, free, squares("b1"), left, below, 0, 1, 0]
    assert sees(position.board, 1) == [taken, free, squares("b1"), left, below, 0, 0, 1]
    over = Position.start("maze", {"size": 2}, moves=["a2-a1", "a1-b1", "b1-b2"])
    assert sees(over.board, 0)[5] == 1, "an odd number of X's"


def test_barons() -> None:
    position = Position.start("barons", {"width": 3, "height": 2}, 3, moves=["a1", "b1", "c2"])
    first, second, third, free = squares("a1"), squares("b1"), squares("c2"), squares("a2 b2 c1")
    assert sees(position.board, 0) == [first, second, third, free, 1, 0, 0, 0, 0, 0]
    assert sees(position.board, 1) == [second, third, first, free, 0, 0, 1, 0, 0, 0]
    position.board.leave(2)
    position.board.leave(0)
    assert sees(position.board, 1)[7:] == [0, 1, 2], "the last seat went out first"


SOUTH, NORTH, WEST = squares("a1 b1"), squares("a3 b3"), squares("a1 a2 a3")
NO_TURN = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0]


def test_coin_isolation() -> None:
    """Of three, one is out, one has passed so and one is a renegade."""
    moves = ["side north", "side west", "a3", "b1", "renegade b3"]
    position = Position.start("coin-isolation", {"layout": "dq/pn/pp", "renegade": True}, 3, moves=moves)
    board: Any = position.board
    board.leave(1)
    for step in (named_square(position, "a2"), board.first + coin_board.END):
        position.apply(step)
    lying = [squares("a1"), squares("b2"), 0, squares("b3")]
    pawns, sides = [squares("b3"), squares("a2"), squares("b1")], [NORTH, WEST, SOUTH]
    to_move, renegades, last_coins, left = [1, 0, 0], [1, 0, 0], [0, 2, 1], [0, 0, 1]
    kept = [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0]
    assert sees(position.board, 2) == [
        *lying, *NO_TURN, 1, 1, 2, *pawns, *sides, *to_move, *renegades, *last_coins, *left, *kept,
    ]  # fmt: skip


def test_coin_isolation_in_the_middle_of_a_turn() -> None:
    """A path of two and what is given from under the pawn; from the other seat it looks the same."""
    options = {"layout": "nnppp/nnppp", "take": "semi-greedy", "mixed_change": True}
    moves = ["side north", "a1-a2-b2-b1 take 0", "e2 take 0", "c1-d1 take 0", "e1 take 0"]
    position = Position.start("coin-isolation", options, moves=moves)
    first = position.board.first  # type: ignore[attr-defined]
    walked = [named_square(position, "d2"), named_square(position, "c2")]
    for step in (*walked, first + coin_board.END, first + coin_board.TAKE + 1, first + coin_board.COIN + 1):
        position.apply(step)
    lying = [{"c2": 1, "d1": 2, "d2": 1, "e1": 1, "e2": 1}, {"b1": 2, "d1": 2}, 0, 0]
    turn = [{"d2": 1, "c2": 2}, 0, coin_board.GIVE_WANTED, 1, 1, 0, 0, 1, 0, 0, 4, 0]
    assert sees(position.board, 0)[:17] == [*lying, *turn, 0]
    assert sees(position.board, 1)[:17] == [*lying, *turn, 1]


def test_coin_isolation_in_the_middle_of_a_transplant() -> None:
    position = Position.start("coin-isolation", {"layout": "pp/pp/p.", "collect": "transplant"}, moves=["side north"])
    end = position.board.first + coin_board.END  # type: ignore[attr-defined]
    for step in (*(named_square(position, name) for name in ("a1", "a2", "b2")), end, named_square(position, "b1")):
        position.apply(step)
    assert sees(position.board, 0)[4:9] == [{"a1": 1, "a2": 2, "b2": 3}, squares("b1"), coin_board.PLACE_WANTED, 1, 1]


def test_coin_isolation_of_a_renegade_in_the_making() -> None:
    position = Position.start("coin-isolation", {"layout": "pp/pp", "renegade": True}, moves=["side north"])
    assert (sees(position.board, 0)[6], sees(position.board, 0)[9]) == (coin_board.TURN, 0)
    position.apply(position.board.first + coin_board.RENEGADE)  # type: ignore[attr-defined]
    assert (sees(position.board, 0)[6], sees(position.board, 0)[9]) == (coin_board.DECLARED, 1)


def named_square(position: Position, name: str) -> int:
    _, columns, rows = position.board.shape()
    return grid(columns, rows).names.index(name)


def test_dotter() -> None:
    """Three cards were turned up, two looked at; a card is named by its place in the pile."""
    cards = dotter_table.deck("KS 7H 2D AS 9C JK1")
    moves = ["draw", "draw", "draw", "peek p2 1a 1c", "draw", "score p1 1a 1b 1c"]
    board = dotter_table.play(dotter_table.start(3), cards, *moves).board
    board.leave(1)
    first, second, third = squares("0 1 2"), {**squares("3 4 5"), **squares("9 10 11", 2)}, squares("6 7 8")
    up = {"0": 14, "1": 8, "2": 3}
    drawn = squares(" ".join(map(str, range(12))))
    looked = squares("3 5")
    assert sees(board, 0) == [
        {**up, "3": 2, "5": 1}, first, drawn, 0, 0, first, second, third, looked, 0, 0,
        0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 1, 0,
    ]  # fmt: skip
    assert sees(board, 2) == [
        up, first, drawn, 0, 2, third, first, second, 0, looked, 0,
        6, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1,
    ]  # fmt: skip


def test_dotter_in_a_later_round_with_a_lap_made() -> None:
    cards = dotter_table.deck("KS KH KD")
    state = dotter_table.play(dotter_table.start(2, lap_points=21), cards, "draw", "draw", "score p1 1a 1b 1c")
    holes, laps = slice(9, 11), slice(11, 13)
    assert (sees(state.board, 0)[holes], sees(state.board, 0)[laps]) == ([21, 0], [1, 0])
    assert (sees(state.board, 1)[holes], sees(state.board, 1)[laps]) == ([0, 21], [0, 1])
    state.board.new_round(1)
    assert sees(state.board, 0)[1:4] == [0, 0, 1]


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
