"""The points of two deals that differ in cards which somebody may not know satisfy the same equations.

What is compared, and why, is said in test_secrecy.py.
"""

from functools import cache
from itertools import combinations
from typing import Any, Final

import pytest

from tests.net.cards.relations import CARDS, SEATS, Orders, Said, equations, known_to, valued, written
from tests.net.cards.stub import STUB

ORDERS: Final[Orders] = ((3, 1, 5, 0, 2, 4), (2, 0, 1, 5, 4, 3), (4, 5, 3, 1, 0, 2))
#: Seats 1 and 2 look at the same two cards; seat 0 at two others, one of them of those; one is turned up.
STEPS: Final = (("look", 1, (0, 1)), ("look", 2, (0, 1)), ("look", 0, (2,)), ("look", 0, (0,)), ("open", (3,)))
OBSERVERS: Final = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]


def with_exchanged(orders: Orders, seat: int, slots: tuple[int, int]) -> Orders:
    """The orders with which two cards at the end are exchanged, and it is that seat that lays them otherwise."""
    one, other = slots
    for later in reversed(orders[seat + 1 :]):
        one, other = later[one], later[other]
    order = list(orders[seat])
    order[one], order[other] = order[other], order[one]
    return (*orders[:seat], tuple(order), *orders[seat + 1 :])


def seen_by(seats: tuple[int, ...]) -> set[int]:
    """The slots whose cards those seats know."""
    looked = [
        step[2] if step[0] == "look" and step[1] in seats else step[1] if step[0] == "open" else () for step in STEPS
    ]
    return {slot for slots in looked for slot in slots}


@cache
def said(orders: Orders) -> Said:
    return Said(orders, STEPS)


def both(observers: tuple[int, ...], slots: tuple[int, int], *, textbook: bool = False) -> list[Any]:
    """The equations in the game as it was, and in that with two cards exchanged by the last seat that is not known."""
    stranger = max(set(range(SEATS)) - set(observers))
    known = known_to(said(ORDERS), observers)
    orders = (ORDERS, with_exchanged(ORDERS, stranger, slots))
    return [equations(written(each, STEPS, known, textbook=textbook)) for each in orders]


@pytest.mark.first(1)
@pytest.mark.parametrize("observers", OBSERVERS)
def test_points_satisfy_the_same_equations_whatever_a_seat_may_not_know(observers: tuple[int, ...]) -> None:
    hidden = set(range(CARDS)) - seen_by(observers)
    assert len(hidden) >= 2
    for slots in combinations(sorted(hidden), 2):
        here, there = both(observers, slots)
        assert here == there, slots


@pytest.mark.first(1)
@pytest.mark.parametrize("observers", OBSERVERS)
def test_points_satisfy_others_when_a_card_is_exchanged_that_a_seat_knows(observers: tuple[int, ...]) -> None:
    for seen in seen_by(observers):
        for other in set(range(CARDS)) - {seen}:
            here, there = both(observers, (seen, other))
            assert here != there


def test_points_satisfy_others_where_looks_are_not_blinded() -> None:
    """Two looks at the same card, of the textbook: even who only looks on can tell (slots 0 and 1)."""
    for slots in ((0, 4), (1, 5), (0, 1)):
        here, there = both((), slots, textbook=True)
        assert here != there
    here, there = both((), (4, 5), textbook=True)
    assert here == there


def test_the_polynomials_are_those_of_the_program() -> None:
    """Put the secrets in, and they come to its very bytes; in both deals, and whoever knows what."""
    for orders in (ORDERS, with_exchanged(ORDERS, 2, (4, 5)), with_exchanged(ORDERS, 1, (0, 3))):
        game = said(orders)
        for observers in OBSERVERS:
            found = written(orders, STEPS, known_to(game, observers))
            assert found.keys() == {"G", *(f"M{value}" for value in range(CARDS)), *game.points}
            for name, point in game.points.items():
                assert STUB.write(valued(found[name], game.secrets)) == point


def test_many_equations_hold_between_the_points() -> None:
    """So that the comparison is about something."""
    found = written(ORDERS, STEPS, known_to(said(ORDERS), (0,)))
    assert len(found) - len(equations(found)) == 23
