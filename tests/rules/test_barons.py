"""Barons by hand: every sentence of its rules on small boards."""

import pytest

from quadrille.rules.core import Over, ToMove
from quadrille.rules.errors import BadSeats, GameOver, IllegalMove
from quadrille.rules.games.barons.game import GAME
from tests.rules.table import played, refusal


class TestSetUp:
    def test_the_usual_game(self) -> None:
        board, lines = {"width": 5, "height": 8}, {"horizontal": 2, "vertical": 2}
        bonus = {"row_bonus": 40, "column_bonus": 10}
        assert GAME.read_options(None).plain() == board | lines | bonus | {"end": "equal-turns"}
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


class TestEnd:
    def test_squares_are_left(self) -> None:
        state = played(GAME, {"width": 4, "height": 2}, "a1 a2 b1 b2 c1 c2", 6)
        assert isinstance(state.pending, Over)
        assert state.pending.reason == "2 squares are left, too few for another round of 6 players"
        assert refusal(state, "d1", GameOver).startswith("the game is over: 2 squares are left")
        with pytest.raises(GameOver):
            state.leave(0)

    def test_the_example_of_the_page(self) -> None:
        state = played(GAME, {"width": 4, "height": 4}, "a1 a4 b3 b1 b2 b4 c1 d3 c3 d1 d4 d2", 3)
        assert (state.figures()["points"], state.pending) == ((46, 2, 4), ToMove(0))
        state = played(GAME, {"width": 4, "height": 4}, "a1 a4 b3 b1 b2 b4 c1 d3 c3 d1 d4 d2 a2 a3 c2", 3)
        assert state.pending.reason == "1 square is left, too few for another round of 3 players"


class TestLeaving:
    def test_the_last_seat_of_a_round_leaves_instead_of_moving(self) -> None:
        """Player 3 of 3 leaves with one square left: the two that stay have had their turns, and can't have another."""
        state = played(GAME, {"width": 2, "height": 3}, "a1 a2 a3 b1 b2", 3).leave(2)
        assert isinstance(state.pending, Over)
        assert state.pending.reason == "1 square is left, too few for another round of 2 players"
        assert state.pending.places == (1, 1, 3)
