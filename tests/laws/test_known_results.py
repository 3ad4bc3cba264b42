"""What is known of the games from their rule files: who wins with perfect play, and how the second player answers.

The prover plays on the boards and knows no rule; it would come to another result if nearly any of them were wrong.
"""

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.core import Over
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from quadrille.rules.squares import Square


def first_seat_wins(key: str, **options: object) -> bool:
    found = Position.start(key, options).prove(10_000_000)
    assert found.certain and found.value
    return found.value > 0


slow = pytest.mark.slow


@pytest.mark.first(1)
@pytest.mark.parametrize(("size", "winner"), [(2, 0), (3, 0), (4, 0), (5, 1), (6, 0), pytest.param(7, 1, marks=slow)])
def test_who_wins_a_maze(size: int, winner: int) -> None:
    """ "With perfect play seat 0 wins sizes 2, 3, 4 and 6, seat 1 wins 5 and 7." """
    assert first_seat_wins("maze", size=size) == (winner == 0)


WON = {0: ((3, 3), (3, 5), (3, 7), (5, 3), (5, 5)), 1: ((2, 2), (2, 3), (4, 2), (2, 7), (3, 4), (4, 3), (4, 4))}


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("width", "height", "winner"),
    [
        pytest.param(*size, seat, marks=slow if size in ((5, 5), (4, 4)) else ())
        for seat, sizes in WON.items()
        for size in sizes
    ],
)
def test_who_wins_dollar_draw(width: int, height: int, winner: int) -> None:
    """ "on a grid with an even number of squares S wins"; "seat 0 wins 3 x 3, 3 x 5, 3 x 7 and 5 x 5" """
    assert first_seat_wins("dollar-draw", width=width, height=height) == (winner == 0)


TURNED = {
    "dollar-draw": ((2, 1), (10, 10), (2, 2), (3, 4), (26, 3), (8, 8), (5, 2)),
    "barons": ((1, 1), (10, 10), (3, 4), (7, 2)),
}


@pytest.mark.parametrize(
    ("key", "places", "width", "height"),
    [(key, places, *size) for key, (places, *sizes) in TURNED.items() for size in sizes],
)
def test_the_second_seat_answers_by_turning(key: str, places: tuple[int, ...], width: int, height: int) -> None:
    """ "on a grid with an even number of squares S wins by answering each move with the one turned by 180 degrees";
    "With two seats on an even number of squares the second can always tie by turning the board round."
    """
    rng = Stream("turned")
    for _ in range(40):
        state = game(key).start({"width": width, "height": height}, 2)
        while not isinstance(state.pending, Over):
            move = state.moves.sample(rng)
            column, row = move.square
            state = state.play(move).play(str(Square(width - 1 - column, height - 1 - row)))
        assert state.pending.places == places
