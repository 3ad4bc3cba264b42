"""Barons by hand: every sentence of its rules on small boards."""

from itertools import cycle

import pytest

from quadrille.rules.core import Over, State, ToMove
from quadrille.rules.errors import BadSeats, GameOver, IllegalMove
from quadrille.rules.games.barons.game import GAME
from tests.rules.table import played, refusal

#: Without bonuses that would hide what a connection is worth.
PLAIN = {"row_bonus": 0, "column_bonus": 0, "horizontal": 3, "vertical": 5}


def claimed(rows: str, seats: int = 2, **options: object) -> State:
    """The position in a picture, its rows from the top: seats are A, B, …, and each claims its squares in order."""
    lines = [line.split() for line in reversed(rows.strip().splitlines())]
    wanted = {
        seat: [
            f"{'abcdefghij'[column]}{row + 1}"
            for column in range(len(lines[0]))
            for row in range(len(lines))
            if lines[row][column] == "ABCDEFGH"[seat]
        ]
        for seat in range(seats)
    }
    state = GAME.start({"width": len(lines[0]), "height": len(lines), **options}, seats)
    for seat in cycle(range(seats)):
        if not wanted[seat]:
            assert not any(wanted.values())
            return state
        state = state.play(GAME.parse(wanted[seat].pop(0), state))
    raise AssertionError("seats go round for ever")


def points(state: State) -> object:
    return state.figures()["points"]


class TestSetUp:
    def test_the_usual_game(self) -> None:
        options = GAME.read_options(None)
        assert options.plain() == {
            "width": 7,
            "height": 7,
            "horizontal": 2,
            "vertical": 2,
            "row_bonus": 40,
            "column_bonus": 10,
            "end": "equal-turns",
        }
        assert GAME.start().seats == 4

    def test_rockefeller_has_three_points_for_a_horizontal_connection(self) -> None:
        assert GAME.preset("rockefeller") == {"horizontal": 3}
        assert GAME.preset("inventor") == {"width": 10, "height": 10}

    def test_more_players_than_squares(self) -> None:
        with pytest.raises(BadSeats, match="5 players can't each claim one of 4 squares"):
            GAME.start({"width": 2, "height": 2}, 5)
        assert GAME.start({"width": 2, "height": 2}, 4).moves.count() == 4


class TestAdvice:
    """Friendly warnings, and none where there is nothing to warn of."""

    @pytest.mark.parametrize(
        ("width", "height", "seats", "end", "words"),
        [
            (10, 10, 4, "equal-turns", []),
            (10, 10, 3, "equal-turns", []),
            (8, 5, 8, "equal-turns", ["as many players as rows or columns"]),
            (8, 5, 5, "equal-turns", ["as many players as rows or columns"]),
            (10, 10, 3, "full", ["player 1 gets one square more"]),
            (10, 10, 6, "full", ["the first 4 of 6 players get one square more"]),
            (10, 10, 5, "full", []),
            (5, 3, 8, "equal-turns", ["one square only"]),
            (4, 2, 8, "full", ["one square only"]),
            (5, 3, 8, "full", ["the first 7 of 8 players get one square more"]),
            (4, 4, 8, "equal-turns", []),
            (5, 5, 2, "equal-turns", []),
            (5, 4, 2, "equal-turns", ["the second can always tie"]),
            (5, 5, 2, "full", ["player 1 gets one square more"]),
        ],
    )
    def test_what_is_said(self, width: int, height: int, seats: int, end: str, words: list[str]) -> None:
        advice = GAME.advice(GAME.read_options({"width": width, "height": height, "end": end}), seats)
        assert len(advice) == len(words)
        assert all(word in sentence for word, sentence in zip(words, advice, strict=True))


class TestMoves:
    def test_nothing_is_ever_taken_over(self) -> None:
        state = played(GAME, None, "e4 e5", 2)
        assert refusal(state, "e4", IllegalMove) == "e4 is yours already: a square can't be claimed twice"
        assert refusal(state, "e5", IllegalMove) == "e5 belongs to player 2: nothing is ever taken over"

    @pytest.mark.parametrize("text", ["e4", "E4", " e4 ", "e 4"])
    def test_harmless_variations(self, text: str) -> None:
        assert str(GAME.parse(text, GAME.start())) == "e4"

    def test_a_square_of_another_board(self) -> None:
        with pytest.raises(IllegalMove, match="e4 is off the board: its last square is c3"):
            GAME.start({"width": 3, "height": 3}).play(GAME.parse("e4", GAME.start()))


class TestPoints:
    def test_side_by_side_is_horizontal_and_above_is_vertical(self) -> None:
        assert points(claimed("A B . \n A B . \n . . .", **PLAIN)) == (5, 5)
        assert points(claimed("A A . \n B B . \n . . .", **PLAIN)) == (3, 3)

    def test_a_row_of_ten(self) -> None:
        """18 points and the bonus; 27 as Rockefeller, and 18 for a column in any case."""
        row = "A " * 10 + "\n" + "B . " * 5 + "\n" + "B . " * 5
        assert points(claimed(row)) == (18 + 40, 5 * 2)
        assert points(claimed(row, **GAME.preset("rockefeller"))) == (27 + 40, 5 * 2)
        column = "A . B\nA B .\n" * 5
        assert points(claimed(column)) == (18 + 10, 0)

    def test_the_example_of_the_page(self) -> None:
        state = claimed("B C . B \n . C C B \n . B . C \n A A A A", 3)
        assert points(state) == (46, 2, 4)
        assert state.pending == ToMove(0)
        state = played(GAME, {"width": 4, "height": 4}, "a1 a4 b3 b1 b2 b4 c1 d3 c3 d1 d4 d2 a2 a3 c2", 3)
        assert state.pending.reason == "1 square is left, too few for another round of 3 players"


class TestEnd:
    def test_two_squares_are_left(self) -> None:
        over = played(GAME, {"width": 4, "height": 2}, "a1 a2 b1 b2 c1 c2", 6).pending
        assert isinstance(over, Over)
        assert over.reason == "2 squares are left, too few for another round of 6 players"

    def test_nothing_can_be_played_then(self) -> None:
        state = played(GAME, {"width": 4, "height": 2}, "a1 a2 b1 b2 c1 c2", 6)
        assert refusal(state, "d1", GameOver).startswith("the game is over: 2 squares are left")
        with pytest.raises(GameOver):
            state.leave(0)

    def test_most_points_win_and_equal_points_share_the_place(self) -> None:
        assert claimed("A A . \n B . B", 2, end="equal-turns").pending == ToMove(0)
        state = claimed("A A B \n B C C \n D . D", 4, **PLAIN)
        assert points(state) == (3, 0, 3, 0)
        assert state.pending.places == (1, 3, 1, 3)


class TestLeaving:
    def test_what_it_has_stays_and_can_be_taken_by_nobody(self) -> None:
        state = played(GAME, None, "a1 b1 c1 a2", 3).leave(0)
        assert points(state) == (2, 0, 0)
        assert refusal(state, "a1", IllegalMove) == "a1 belongs to player 1: nothing is ever taken over"

    def test_equal_turns_counts_the_seats_still_in(self) -> None:
        """Two squares are left after a round of four: too few for four, enough for two."""
        rounds = {"width": 5, "height": 2}
        moves = "a1 a2 b1 b2 c1 c2 d1 d2"
        assert isinstance(played(GAME, rounds, moves, 4).pending, Over)
        state = played(GAME, rounds, "a1 a2 b1 b2", 4).leave(2).leave(3)
        for text in ("c1", "c2", "d1", "d2"):
            state = state.play(GAME.parse(text, state))
        assert state.pending == ToMove(0)
        assert state.moves.count() == 2

    def test_the_last_seat_of_a_round_leaves_instead_of_moving(self) -> None:
        """Player 3 of 3 leaves with one square left: the two that stay have had their turns, and can't have another."""
        state = played(GAME, {"width": 2, "height": 3}, "a1 a2 a3 b1 b2", 3).leave(2)
        assert isinstance(state.pending, Over)
        assert state.pending.reason == "1 square is left, too few for another round of 2 players"
        assert state.pending.places == (1, 1, 3)

    def test_the_last_seat_of_a_round_leaves_before_its_turn(self) -> None:
        """Then player 2 is the last of it."""
        state = played(GAME, {"width": 2, "height": 3}, "a1 a2 a3 b1", 3).leave(2)
        assert state.pending == ToMove(1)
        over = state.play(GAME.parse("b2", state)).pending
        assert isinstance(over, Over)
        assert over.reason == "1 square is left, too few for another round of 2 players"
