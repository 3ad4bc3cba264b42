"""What a seat sees as numbers, square by square against the layout that planes.py promises."""

from typing import Any

import pytest

from quadrille.ai.adapters.planes import planes, planes_shape
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import settle
from quadrille.rules.registry import game, keys
from tests.laws.settings import Setting, small, usual, varied
from tests.laws.walks import walk

TABLES = [table for key in keys() for table in dict.fromkeys((*usual(key), *varied(key)[::4], *small(key)))]


def cut(state: Any, seat: int) -> list[list[list[float]]]:
    """The planes by column and row, or by seat and slot."""
    count, columns, rows = planes_shape(state.game, state.options, state.seats)
    numbers = iter(planes(state.view(seat), seat))
    found = [[[next(numbers) for _ in range(rows)] for _ in range(columns)] for _ in range(count)]
    assert next(numbers, None) is None
    return found


def marked(plane: list[list[float]]) -> dict[str, float]:
    """What is not 0, by the names of squares."""
    return {
        f"{chr(97 + c)}{r + 1}": number for c, column in enumerate(plane) for r, number in enumerate(column) if number
    }


def figure(plane: list[list[float]]) -> float:
    (number,) = {number for column in plane for number in column}
    return number


def played(key: str, options: dict[str, Any], *moves: str, seats: int = 2) -> Any:
    state = game(key).start(options, seats)
    for move in moves:
        state = settle(state, SeedDealer("planes")).play(game(key).parse(move, state))
    return settle(state, SeedDealer("planes"))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_there_are_always_as_many_numbers_as_promised(table: Setting) -> None:
    count, columns, rows = planes_shape(table.game, dict(table.options), table.seats)
    for at, step in enumerate(walk(table, "planes", 60)):
        if at % 10 == 0:
            for seat in range(table.seats):
                numbers = planes(step.state.view(seat), seat)
                assert len(numbers) == count * columns * rows
                assert all(type(number) is float for number in numbers)


def test_barons() -> None:
    own, other, turn, others_turn = cut(played("barons", {"width": 3, "height": 2}, "a1", "c2", "b1"), 1)
    assert (marked(own), marked(other)) == ({"c2": 1}, {"a1": 1, "b1": 1})
    assert (figure(turn), figure(others_turn)) == (1, 0)


def test_barons_counts_seats_from_the_one_that_looks() -> None:
    state = played("barons", {"width": 3, "height": 3}, "a1", "a2", "a3", seats=3)
    assert [marked(plane) for plane in cut(state, 2)[:3]] == [{"a3": 1}, {"a1": 1}, {"a2": 1}]


def test_dollar_draw() -> None:
    dollars, *own, turn, others_turn = cut(played("dollar-draw", {"width": 2, "height": 2}, "b1", "a2"), 1)
    assert marked(dollars) == {}
    assert [marked(plane) for plane in own] == [{"a2": 1, "b2": 1}, {}, {"a2": 1}, {"a1": 1, "b1": 1}, {}, {"b1": 1}]
    assert (figure(turn), figure(others_turn)) == (0, 1)


def test_maze() -> None:
    taken, must, crosses, right, up, odd, wants_odd, *_ = cut(played("maze", {"size": 2}, "a2-a1", "a1-b1"), 1)
    assert marked(taken) == {"a1": 1, "a2": 1, "b1": 1} and marked(must) == {"b1": 1} and marked(crosses) == {}
    assert (marked(right), marked(up)) == ({"a1": 1}, {"a1": 1})
    assert (figure(odd), figure(wants_odd)) == (0, 0)
    assert figure(cut(played("maze", {"size": 2}, "a2-a1", "a1-b1", "b1-b2"), 0)[5]) == 1


def test_coin_isolation() -> None:
    layout = {"layout": "pn/pp/pp", "mixed_change": False}
    state = played("coin-isolation", layout, "side south", "a3-a2", "b1")
    found = cut(state, 1)
    assert [marked(plane) for plane in found[:4]] == [{"a1": 1, "a2": 1, "b2": 1}, {"b3": 1}, {}, {}]
    assert [marked(plane) for plane in found[4:6]] == [{"b1": 1}, {"a2": 1}]
    own, other = found[6:16], found[16:26]
    assert list(map(figure, own)) == [1, 0, 0, 0, 1, 0, 0, 0, 0, 2], "a penny kept, the south, no renegade, turn 2"
    assert list(map(figure, other)) == [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert list(map(figure, found[26:])) == [0, 0, 0, 1]


def test_dotter() -> None:
    state = played("dotter", {}, "draw", "draw", "draw", "peek p1 1a 2b", "peek p2 1a 1c")
    for seat, slots in ((0, (0, 2)), (1, (0, 4))):
        down, own, others, *rest = cut(state, seat)
        assert [sum(row) for row in down] == ([6, 3] if seat == 0 else [3, 6])
        sees = [(1, slot) for slot in slots]
        assert [(player, slot) for player, row in enumerate(own) for slot, number in enumerate(row) if number] == sees
        assert sum(map(sum, others)) == 2
        known = [(rank, slot) for rank in range(14) for slot in range(54) if rest[rank][1][slot]]
        board = state.view(seat).board
        faces = [(board.ranks[board.faces[board.position(1 - seat, slot)]], slot) for slot in slots]
        assert known == sorted(faces)
        assert sum(sum(map(sum, plane)) for plane in rest[:14]) == 2
        assert list(map(figure, rest[14:28])) == [0] * 14
        assert list(map(figure, rest[28:])) == [54 - 9, 0, 0, 0, 0, 0, float(seat == 1), float(seat == 0)]


def test_dotter_counts_what_is_gone() -> None:
    state = played("dotter", {}, "draw", "draw", "score p1 1a 1b 1c")
    rest = cut(state, 0)[3:]
    assert sum(map(figure, rest[14:28])) == 3
    assert figure(rest[14 + 14 + 3]) == state.figures()["points"][0] > 0


def test_nothing_that_a_seat_has_not_seen_is_in_its_numbers() -> None:
    """The numbers of a seat do not change with what others looked at."""
    one = played("dotter", {}, "draw", "draw", "peek p2 1a 1c")
    board = one.board.copy()
    first, second = (board.position(1, slot) for slot in (0, 2))
    board.faces[first], board.faces[second] = board.faces[second], board.faces[first]
    other = one.on(board)
    assert other != one
    assert planes(other.view(1), 1) == planes(one.view(1), 1)
    assert planes(other.view(0), 0) != planes(one.view(0), 0)
