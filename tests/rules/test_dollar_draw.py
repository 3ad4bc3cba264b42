"""Dollar Draw by hand: every sentence of its rules on small grids.

Positions are drawn as on the screen: || and S, $ [$] ($), and after it `b` for Bar's token, `s` for that of S.
"""

from itertools import product

import pytest

from quadrille.rules.core import Over, ToMove
from quadrille.rules.errors import BadNotation, BadOptions, BadSeats, GameOver, IllegalMove
from quadrille.rules.games.dollar_draw import DRAWN, GAME, DollarDrawState, Stroke
from quadrille.rules.squares import Square
from tests.rules.table import listed, played, refusal

BAR, S = 0, 1
LABELS = {marks[0].label if marks else ".": held for held, marks in DRAWN.items()}


def drawn(picture: str, turn: int) -> DollarDrawState:
    """The position in a picture."""
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
    texts = ["".join(mark.label or "bs"[mark.seat or 0] for mark in cell.marks) or "." for cell in sheet.cells]
    return [" ".join(texts[row :: sheet.height]) for row in reversed(range(sheet.height))]


def result(state: DollarDrawState) -> tuple[int, ...]:
    assert isinstance(state.pending, Over)
    return state.pending.places


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

    @pytest.mark.parametrize("given", [{"width": 1}, {"height": 27}, {"width": True}, {"size": 5}])
    def test_two_to_twenty_six_either_way(self, given: dict[str, int]) -> None:
        with pytest.raises(BadOptions, match=next(iter(given))):
            GAME.start(given)
        assert GAME.start({"width": 2, "height": 26}).moves

    def test_it_is_for_two(self) -> None:
        with pytest.raises(BadSeats):
            GAME.start(None, 3)

    def test_bar_moves_first_and_they_take_turns(self) -> None:
        state = GAME.start()
        for seat, text in enumerate(["a2", "g6", "a3", "g5"]):
            assert state.pending == ToMove(seat % 2)
            state = state.play(GAME.parse(text, state))

    def test_a_hint_where_turning_the_grid_wins(self) -> None:
        assert (
            "on an even number of squares the second player can win"
            in GAME.advice(GAME.read_options(GAME.preset("inventor")), 2)[0]
        )
        assert GAME.advice(GAME.read_options(None), 2) == (), "the usual grid is none of these"
        assert len(GAME.advice(GAME.read_options({"width": 5, "height": 4}), 2)) == 1
        assert GAME.advice(GAME.read_options({"width": 5, "height": 7}), 2) == ()


class TestMoves:
    def test_the_four_squares_next_to_the_token(self) -> None:
        state = drawn("""
            .   .   .   .   Ss
            .   .   .   .   .
            .   .   ||b .   .
            .   .   .   .   .""", BAR)  # fmt: skip
        assert listed(state) == "b2 c1 c3 d2"

    def test_a_blank_square_is_claimed_and_the_token_moves_there(self) -> None:
        assert picture(played(GAME, {"width": 3, "height": 2}, "a2 c1")) == ["||b . S", "|| . Ss"]

    def test_the_other_mark_is_reclaimed_as_an_uncaptured_dollar(self) -> None:
        state = drawn("""
            .   .   S
            .   ||b S
            .   .   Ss""", BAR)  # fmt: skip
        after = state.play(GAME.parse("c2", state))
        assert picture(after) == [". . S", ". || $b", ". . Ss"]
        assert after.figures() == {"captured": (0, 0), "claimed": (1, 2), "last_mover": BAR}

    def test_bar_captures_with_a_box_and_s_with_a_circle(self) -> None:
        bar, s = drawn("$ Ss $ \n ||b . .", BAR), drawn("$ Ss $ \n ||b . .", S)
        assert picture(bar.play(GAME.parse("a2", bar))) == ["[$]b Ss $", "|| . ."]
        assert picture(s.play(GAME.parse("a2", s))) == ["($)s S $", "||b . ."]

    @pytest.mark.parametrize(("turn", "legal"), [(BAR, "b3 c2"), (S, "c2 d3 e2")])
    def test_a_dollar_is_captured_by_whoever_is_next_to_it(self, turn: int, legal: str) -> None:
        state = drawn("""
            .   $   .   $   .
            ||  ||b .   Ss  $
            .   ($) .   [$] .""", turn)  # fmt: skip
        assert listed(state) == legal

    def test_neither_the_own_mark_nor_a_captured_dollar(self) -> None:
        state = drawn("""
            .   [$] .   Ss
            ||  ||b ($) .
            .   .   .   .""", BAR)  # fmt: skip
        assert listed(state) == "b1"

    def test_never_where_the_other_token_stands(self) -> None:
        """Neither a claim of it, nor to make a dollar there, nor to capture one."""
        for held in ("S", "$"):
            state = drawn(f"||b {held}s . \n . S S", BAR)
            assert listed(state) == "a1"

    def test_who_made_a_dollar_can_capture_it_later(self) -> None:
        state = drawn("""
            S   S   .   .
            ||b S   .   Ss
            ||  .   .   .""", BAR)  # fmt: skip
        for text in ("b2", "d3", "b1", "c3", "b2"):
            state = state.play(GAME.parse(text, state))
        assert picture(state) == ["S S Ss S", "|| [$]b . S", "|| || . ."]
        assert state.figures()["captured"] == (1, 0)


class TestTally:
    """ "Reclaiming is allowed only if strictly more of them carry the opponent's mark than the player's." """

    def test_more_of_the_other_marks(self) -> None:
        """Around b2 are two S and one ||; the mark under the token would make it two."""
        state = drawn("""
            .   S   .
            $   ||b ||
            .   ($) Ss""", BAR)  # fmt: skip
        assert listed(state) == "a2 b3"

    def test_as_many_is_not_enough(self) -> None:
        state = drawn("""
            ||  S   .
            $   ||b ||
            .   ($) Ss""", BAR)  # fmt: skip
        assert listed(state) == "a2"

    def test_the_same_for_s(self) -> None:
        marks = "S . . \n S Ss || \n || . ||b"
        assert listed(drawn(marks, S)) == "b1 b3 c2"
        assert listed(drawn(marks.replace("S . .", "S S ."), S)) == "b1"

    def test_diagonal_squares_count(self) -> None:
        state = drawn("""
            S   .   S
            ||  ||b S
            S   ||  Ss""", BAR)  # fmt: skip
        assert listed(state) == "b3 c2"

    @pytest.mark.parametrize("dollar", ["$", "[$]", "($)"])
    def test_dollars_count_for_neither(self, dollar: str) -> None:
        """However many there are: one S against none is more, one against one is not."""
        more = f"{dollar} {dollar} {dollar} \n . ||b S \n {dollar} . . \n . . Ss"
        assert "c3" in listed(drawn(more, BAR))
        assert "c3" not in listed(drawn(more.replace(". ||b", "|| ||b"), BAR))

    def test_the_own_square_is_not_counted(self) -> None:
        """The token may stand on its own mark, or on a dollar: that changes nothing."""
        for under in ("||", "$", "[$]"):
            assert listed(drawn(f"[$] [$] . \n {under}b S Ss \n ($) . .", BAR)) == "b2"

    def test_the_grid_does_not_wrap(self) -> None:
        """Around a1 are one || and one S; the four S at the other edges are not."""
        state = drawn("""
            S   .   S   S
            ||  .   .   Ss
            ||b S   .   S""", BAR)  # fmt: skip
        assert isinstance(state.pending, Over)
        assert listed(drawn("S . . S \n || S . Ss \n ||b S . S", BAR)) == "b1"

    def test_it_is_taken_before_the_token_moves(self) -> None:
        """Around b1, where Bar stands, are no S but the one to be reclaimed; around that one are many."""
        state = drawn("""
            .   .   .   S   S
            .   .   .   .   Ss
            ||  ||b S   S   S""", BAR)  # fmt: skip
        assert listed(state) == "b2"

    def test_the_marks_at_the_start_count_and_can_be_reclaimed(self) -> None:
        """2 x 2: around b1 are || on a1 and S on a2 and b2; then around a2 only || on a1 and b1."""
        state = played(GAME, {"width": 2, "height": 2}, "b1 a2")
        assert listed(state) == "b2"
        state = state.play(GAME.parse("b2", state))
        assert listed(state) == "a1"
        state = state.play(GAME.parse("a1", state))
        assert picture(state) == ["S $b", "$s ||"]
        assert result(state) == (2, 1)


class TestEnd:
    def test_who_cannot_move_ends_the_game(self) -> None:
        """Even if the other token is all that is in the way; and who can't move may have won."""
        state = drawn("""
            .   .   .
            ||  ||  .
            ||b $s  .""", BAR)  # fmt: skip
        assert isinstance(state.pending, Over)
        assert state.pending.reason == "player 1 has no legal move"
        assert result(state) == (1, 2)
        assert listed(drawn(". . . \n || || . \n ||b $ Ss", BAR)) == "b1"

    def test_the_game_goes_on_while_the_player_to_move_can(self) -> None:
        blocked = "|| || . \n ||b $s ."
        assert isinstance(drawn(blocked, BAR).pending, Over)
        assert drawn(blocked, S).pending == ToMove(S)
        assert drawn("S Ss \n || ||b", S).pending.reason == "player 2 has no legal move"

    def test_first_more_captured_dollars(self) -> None:
        assert result(drawn("[$] S S \n ||b Ss S", BAR)) == (1, 2)
        assert result(drawn("($) || || \n ||b Ss ||", BAR)) == (2, 1)
        assert result(drawn("[$] ($) ($) \n ||b Ss ||", BAR)) == (2, 1)

    def test_then_more_squares_with_the_own_mark_alone(self) -> None:
        """Dollars count for both, so for neither."""
        assert result(drawn("[$] ($) || \n ||b Ss .", BAR)) == (1, 2)
        assert result(drawn("|| $ S \n ||b Ss S", BAR)) == (2, 1)
        assert result(drawn("|| || S \n ||b Ss $", BAR)) == (1, 2)

    @pytest.mark.parametrize(("turn", "places"), [(BAR, (2, 1)), (S, (1, 2))])
    def test_then_the_last_legal_move(self, turn: int, places: tuple[int, int]) -> None:
        """Neither can move: who is to move has not moved last."""
        state = drawn("[$] ($) S Ss \n ||b || [$] ($)", turn)
        assert result(state) == places
        assert state.figures() == {"captured": (2, 2), "claimed": (2, 2), "last_mover": 1 - turn}

    def test_the_starting_marks_are_no_moves(self) -> None:
        """Until Bar has moved, the last mover is the seat that is not to move."""
        state = GAME.start()
        assert state.figures() == {"captured": (0, 0), "claimed": (1, 1), "last_mover": S}
        assert state.play(GAME.parse("a2", state)).figures()["last_mover"] == BAR

    @pytest.mark.parametrize("seat", [BAR, S])
    @pytest.mark.parametrize("moves", ["", "a2"])
    def test_who_leaves_has_lost(self, seat: int, moves: str) -> None:
        state = played(GAME, None, moves).leave(seat)
        assert result(state) == ((2, 1) if seat == BAR else (1, 2))
        assert state.pending.reason == "everybody else has left"
        assert not state.moves
        assert state.scene().notes == ()
        assert [panel.left for panel in state.scene().panels] == [seat == BAR, seat == S]


class TestNotation:
    @pytest.mark.parametrize("text", ["a2", "A2", "  a2 ", "a 2", "\tA  2\n"])
    def test_harmless_variations(self, text: str) -> None:
        move = GAME.parse(text, GAME.start())
        assert str(move) == "a2"
        assert move.square == Square(0, 1)

    @pytest.mark.parametrize("text", ["", "a", "2a", "a0", "a02", "aa2", "a2 b1", "a2-b1", "k1", "a11", "ä2", None, 7])
    def test_what_is_no_square(self, text: object) -> None:
        refusal(GAME.start(), text, BadNotation)

    def test_refusals_say_why(self) -> None:
        state = drawn("""
            .   .   .   .   Ss
            ||  ||  S   .   .
            .   ||b S   ||  .
            [$] .   ||  $   .""", BAR)  # fmt: skip
        for text, why in {
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
        }.items():
            assert refusal(state, text, IllegalMove) == why

    def test_one_mark_carries(self) -> None:
        state = drawn("||b S Ss \n . || .", BAR)
        assert "token 1 carries your mark and 1 your opponent's" in refusal(state, "b2", IllegalMove)

    def test_the_square_under_the_own_token(self) -> None:
        state = drawn(". . Ss \n || $b .", BAR)
        assert refusal(state, "b1", IllegalMove) == "your own token stands on b1: you alter a square next to it"

    def test_a_square_of_another_grid(self) -> None:
        state = GAME.start({"width": 3, "height": 3})
        with pytest.raises(IllegalMove, match=r"^c4 is off the grid: its last square is c3$"):
            state.play(GAME.parse("c4", GAME.start()))

    def test_nothing_can_be_played_when_it_is_over(self) -> None:
        state = drawn("|| || . \n ||b $s .", BAR)
        assert refusal(state, "c1", GameOver) == "the game is over: player 1 has no legal move"


class TestPicture:
    def test_the_panels_have_figures_and_one_name_for_each_seat(self) -> None:
        panels = drawn("[$] . Ss \n ||b . S", S).scene().panels
        assert [panel.role for panel in panels] == ["", ""]
        assert [panel.figures for panel in panels] == [
            (("captured", 1), ("claimed", 1)),
            (("captured", 0), ("claimed", 2)),
        ]
        assert [panel.to_move for panel in panels] == [False, True]

    def test_marks_and_tokens(self) -> None:
        cells = {cell.name: cell.marks for cell in drawn("[$] ($) Ss \n ||b . $", BAR).scene().sheet.cells}
        described = {name: [(mark.kind, mark.label, mark.seat) for mark in marks] for name, marks in cells.items()}
        assert described == {
            "a1": [("claim", "||", 0), ("token", "", 0)],
            "a2": [("dollar", "[$]", 0)],
            "b1": [],
            "b2": [("dollar", "($)", 1)],
            "c1": [("dollar", "$", None)],
            "c2": [("claim", "S", 1), ("token", "", 1)],
        }

    def test_the_last_move_is_fresh(self) -> None:
        for moves, fresh in (("", []), ("a2", ["a2"]), ("a2 c1", ["c1"])):
            cells = played(GAME, {"width": 3, "height": 2}, moves).scene().sheet.cells
            assert [cell.name for cell in cells if cell.fresh] == fresh

    def test_the_tally_is_told(self) -> None:
        note = "Tally of player 1: {} own, {} of the other: {}"
        assert drawn(". . S \n || ||b Ss", BAR).scene().notes == (note.format(1, 2, "may reclaim"),)
        assert drawn("|| . S \n || ||b Ss", BAR).scene().notes == (note.format(2, 2, "no reclaiming"),)
        assert drawn("|| || . \n ||b $s .", BAR).scene().notes == ()

    def test_the_example_of_the_page(self) -> None:
        state = played(GAME, {"width": 4, "height": 4}, "a2 c4 a3 c3 b3 c2")
        assert picture(state) == [". . S S", "|| ||b S .", "|| . Ss .", "|| . . ."]
        assert listed(state) == "b2 b4 c3"
        after = state.play(GAME.parse("c3", state))
        assert refusal(after, "c3", IllegalMove) == "the other token stands on c3"
