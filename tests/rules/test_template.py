"""The template game by hand: it is a whole game, tested as the others are, and on no menu."""

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.core import Over, ToMove
from quadrille.rules.errors import BadNotation, BadOptions, GameOver, IllegalMove, UnknownGame
from quadrille.rules.games._template import GAME
from quadrille.rules.registry import game, games, keys
from tests.rules.table import played, refusal

SMALL = {"width": 3, "height": 2}


def test_it_is_never_on_the_menu() -> None:
    assert GAME.key not in keys()
    assert GAME not in games()
    assert not [key for key in keys() if key.startswith(("_", "-"))]
    for name in ("chomp", "_template", "template", "-template"):
        with pytest.raises(UnknownGame):
            game(name)


def test_who_bites_off_a1_has_lost() -> None:
    state = played(GAME, SMALL, "b1 a2")
    assert state.pending == ToMove(0)
    assert state.play("a1").pending == Over((2, 1), {"squares": 0}, "player 1 bit off the poisoned square")
    assert played(GAME, SMALL, "b1 a1").pending.places == (1, 2)
    assert [state.board.place(seat) for seat in (0, 1)] == [1, 1], "nobody is ahead before that"


def test_refusals() -> None:
    state = played(GAME, SMALL, "b1")
    assert refusal(state, "c2", IllegalMove) == "c2 is eaten already"
    refusal(state, "d1", BadNotation)
    refusal(state, "b1 b2", BadNotation)
    with pytest.raises(IllegalMove, match="e4 is off the bar: its last square is c2"):
        state.play(GAME.parse("e4", GAME.start()))
    over = "the game is over: player 1 bit off the poisoned square"
    assert refusal(played(GAME, SMALL, "a1"), "a1", GameOver) == over
    with pytest.raises(BadOptions, match="height"):
        GAME.start({"height": 1})


def test_harmless_variations() -> None:
    assert {str(GAME.parse(text, GAME.start())) for text in ("b2", " B2", "b 2")} == {"b2"}


def test_the_last_bite_is_fresh() -> None:
    fresh = [cell.name for cell in played(GAME, SMALL, "c1 b1").scene().sheet.cells if cell.fresh]
    assert fresh == ["b1", "b2"]
    assert not [cell for cell in GAME.start().scene().sheet.cells if cell.fresh]


def test_on_a_square_bar_b2_and_copying_every_bite_wins() -> None:
    """Turned about the diagonal: what the preset says."""
    board, rng = GAME.start(GAME.preset("square")).board.copy(), Stream("copy")
    for _ in range(20):
        board.reset()
        board.apply(5)
        while not board.ended:
            moves = board.moves[: board.legal()]
            bite = moves[rng.randrange(len(moves))]
            board.apply(bite)
            if not board.ended:
                board.apply(bite % 4 * 4 + bite // 4)
        assert board.place(0) == 1
