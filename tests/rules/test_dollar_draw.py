"""Dollar Draw by hand: every sentence of its rules on small grids.

Positions are drawn as on the screen: || and S, $ [$] ($), and after it `b` for Bar's token, `s` for that of S.
"""

from itertools import product

import pytest

from quadrille.rules.core import Over
from quadrille.rules.errors import BadNotation, GameOver, IllegalMove, RulesError
from quadrille.rules.games.dollar_draw.game import DRAWN, GAME, DollarDrawState, Stroke
from quadrille.rules.squares import Square
from tests.rules.table import played, refusal, texts

BAR, S = 0, 1
LABELS = {marks[0].label if marks else ".": held for held, marks in DRAWN.items()}


def drawn(picture: str, turn: int) -> DollarDrawState:
    rows = [line.split() for line in reversed(picture.strip().splitlines())]
    state = GAME.start({"width": len(rows[0]), "height": len(rows)})
    assert isinstance(state, DollarDrawState)
    board = state.board.copy()
    for column, row in product(range(len(rows[0])), range(len(rows))):
        text = rows[row][column]
        square = state.code(Stroke(Square(column, row)))
        assert square is not None
        board.holds[square] = LABELS[text.rstrip("bs")]
        if text[-1] in "bs":
            board.tokens["bs".index(text[-1])] = square
    board.recount()
    board.turn = turn
    return state.on(board)


def picture(state: DollarDrawState) -> list[str]:
    """The rows of a position from the top, made from its scene."""
    sheet = state.scene().sheet
    assert sheet is not None
    marks = ["".join(mark.label or "bs"[mark.seat or 0] for mark in cell.marks) or "." for cell in sheet.cells]
    return [" ".join(marks[row :: sheet.height]) for row in reversed(range(sheet.height))]


class TestSetUp:
    def test_marks_and_tokens_start_in_opposite_corners(self) -> None:
        assert picture(played(GAME, {"width": 3, "height": 2}, "")) == [". . Ss", "||b . ."]

    def test_seven_by_seven_if_nothing_else_is_said(self) -> None:
        state = GAME.start()
        assert [str(state.move(token)) for token in state.board.tokens] == ["a1", "g7"]
        assert state.scene().sheet.cells[48].name == "g7"

    def test_presets(self) -> None:
        assert GAME.preset("starter") == {"width": 5, "height": 5}
        assert GAME.preset("match") == {"width": 9, "height": 9}
        assert GAME.preset("inventor") == {"width": 10, "height": 10}

    def test_a_hint_where_turning_the_grid_wins(self) -> None:
        for width, height, even in ((10, 10, True), (7, 7, False), (5, 4, True), (5, 7, False)):
            advice = GAME.advice(GAME.read_options({"width": width, "height": height}), 2)
            assert [("an even number of squares the second player can win" in told) for told in advice] == [True] * even


def test_who_cannot_move_ends_the_game() -> None:
    """Even if the other token is all that is in the way; and who can't move may have won."""
    state = drawn(". . . \n || || . \n ||b $s .", BAR)
    assert state.pending == Over((1, 2), state.figures(), "player 1 has no legal move")
    assert texts(drawn(". . . \n || || . \n ||b $ Ss", BAR)) == ["b1"]


class TestNotation:
    @pytest.mark.parametrize("text", ["a2", "A2", "  a2 ", "a 2", "\tA  2\n"])
    def test_harmless_variations(self, text: str) -> None:
        move = GAME.parse(text, GAME.start())
        assert str(move) == "a2"
        assert move.square == Square(0, 1)

    @pytest.mark.parametrize("text", ["", "a", "2a", "a0", "a02", "aa2", "a2 b1", "a2-b1", "k1", "a11", "ä2", None, 7])
    def test_what_is_no_square(self, text: object) -> None:
        refusal(GAME.start(), text, BadNotation)

    @pytest.mark.parametrize(
        ("picture", "error", "refused"),
        [
            (". . . . Ss \n || || S . . \n . ||b S || . \n [$] . || $ .", IllegalMove, {
                "b3": "b3 is yours already: a square can't be claimed twice",
                "d2": "d2 is yours already: a square can't be claimed twice",
                "b2": "b2 is yours already: a square can't be claimed twice",
                "a1": "a1 is a captured dollar: it is out of play",
                "e4": "the other token stands on e4",
                "c4": "c4 is not next to your token on b2",
                "d1": "d1 is not next to your token on b2",
                "c3": "c3 is not next to your token on b2",
                "c2": "you can't reclaim c2: of the squares around your token 3 carry your mark and 2 your opponent's,"
                " and the opponent needs more",
            }),
            ("||b S Ss \n . || .", IllegalMove, {
                "b2": "you can't reclaim b2: of the squares around your token 1 carries your mark and 1 your "
                "opponent's, and the opponent needs more",
            }),
            (". . Ss \n || $b .", IllegalMove, {
                "b1": "your own token stands on b1: you alter a square next to it",
            }),
            ("|| || . \n ||b $s .", GameOver, {"c1": "the game is over: player 1 has no legal move"}),
        ],
    )  # fmt: skip
    def test_refusals(self, picture: str, error: type[RulesError], refused: dict[str, str]) -> None:
        state = drawn(picture, BAR)
        assert {text: refusal(state, text, error) for text in refused} == refused

    def test_a_square_of_another_grid(self) -> None:
        state = GAME.start({"width": 3, "height": 3})
        with pytest.raises(IllegalMove, match=r"^c4 is off the grid: its last square is c3$"):
            state.play(GAME.parse("c4", GAME.start()))


class TestPicture:
    def test_the_tally_is_told(self) -> None:
        note = "Tally of player 1: {} own, {} of the other: {}"
        assert drawn(". . S \n || ||b Ss", BAR).scene().notes == (note.format(1, 2, "may reclaim"),)
        assert drawn("|| . S \n || ||b Ss", BAR).scene().notes == (note.format(2, 2, "no reclaiming"),)
        assert drawn("|| || . \n ||b $s .", BAR).scene().notes == ()

    def test_the_example_of_the_page(self) -> None:
        state = played(GAME, {"width": 4, "height": 4}, "a2 c4 a3 c3 b3 c2")
        assert picture(state) == [". . S S", "|| ||b S .", "|| . Ss .", "|| . . ."]
        assert texts(state) == ["b2", "b4", "c3"]
        assert refusal(state.play("c3"), "c3", IllegalMove) == "the other token stands on c3"
