"""Maze by hand: every sentence of its rules on small sheets. What it leads to is in test_labyrinth.py."""

import pytest

from quadrille.rules.core import Over
from quadrille.rules.errors import Ambiguous, BadNotation, GameOver, IllegalMove, RulesError
from quadrille.rules.games.maze.game import GAME, MazeState, Segment
from quadrille.rules.squares import Square
from tests.rules.table import played, refusal

#: The whole of a 3 x 3 sheet round the edge and through the middle: one X, in c1.
ROUND = "a3-b3 b3-c3 c3-c2 c2-b2 b2-a2 a2-a1 a1-b1 b1-c1"
#: The same sheet with an X in b3 after seven segments; c1 can then be reached from b1 and c2.
SNAIL = "a3-a2 a2-a1 a1-b1 b1-b2 b2-c2 c2-c3 c3-b3"
#: The example of the rules page, with an X in a3.
PAGE = "a4-b4 b4-b3 b3-b2 b2-a2 a2-a3"


def maze(size: int, moves: str) -> MazeState:
    state = played(GAME, {"size": size}, moves)
    assert isinstance(state, MazeState)
    return state


@pytest.mark.parametrize(
    ("moves", "places", "ending"), [(ROUND, (1, 2), "1, is odd"), (SNAIL + " b1-c1", (2, 1), "2, is even")]
)
def test_the_number_of_crosses_decides(moves: str, places: tuple[int, int], ending: str) -> None:
    over = maze(3, moves).pending
    assert isinstance(over, Over)
    assert (over.places, over.reason) == (places, f"every square is taken, and the number of X's, {ending}")


class TestNotation:
    @pytest.mark.parametrize("text", ["a6-b6", "A6-B6", "a6b6", "A6B6", "a6 b6", " a6 - b6 ", "b6", "B6", " b 6"])
    def test_harmless_variations(self, text: str) -> None:
        move = GAME.parse(text, GAME.start())
        assert move == Segment(Square(0, 5), Square(1, 5))
        assert str(move) == "a6-b6"

    def test_the_target_alone_where_one_start_is_possible(self) -> None:
        state = maze(4, PAGE)
        texts = {target: str(GAME.parse(target, state)) for target in ("a1", "b1", "c2", "c3", "c4")}
        assert texts == {"a1": "a2-a1", "b1": "b2-b1", "c2": "b2-c2", "c3": "b3-c3", "c4": "b4-c4"}

    def test_a_target_that_has_several_starts_is_written_with_one(self) -> None:
        assert str(GAME.parse("c2c1", maze(3, SNAIL))) == "c2-c1"

    @pytest.mark.parametrize(
        "text", ["a6-", "-b6", "a6--b6", "a6-b6-c6", "a6b6c6", "a-b", "6a", "a6 to b6", "a0.5", "?"]
    )
    def test_what_is_no_segment(self, text: str) -> None:
        why = refusal(GAME.start(), text, BadNotation)
        assert why.startswith(f'"{text}" is no segment: write two squares, such as a6-b6, or only the one it goes to')

    @pytest.mark.parametrize(
        ("size", "moves", "error", "refused"),
        [
            (3, SNAIL, Ambiguous, {
                "c1": "c1 can be reached from b1 and c2: write where the segment starts, b1-c1",
            }),
            (4, "", IllegalMove, {
                "b4-c4": "the first segment starts from the upper left square, a4",
                "a1-b1": "the first segment starts from the upper left square, a4",
                "b4-a4": "a4 is taken already: a segment goes to an untaken square",
            }),
            (4, "a4-b4 b4-b3", IllegalMove, {
                **dict.fromkeys(
                    ("a4-a3", "c4-d4", "b4-c4"),
                    "the segment must start from b3: the last move took it, and it has an untaken neighbour",
                ),
                **dict.fromkeys(
                    ("b3-b4", "b4", "a4-b4"), "b4 is taken already: a segment goes to an untaken square"
                ),
                "b3-c2": "c2 is not next to b3, where the segment must start",
                "c4": "c4 is not next to b3, where the segment must start",
            }),
            (4, PAGE, IllegalMove, {
                "d1-d2": "d1 is not taken: a segment starts from a taken square",
                "d1": "no taken square is next to d1",
                "b2-d2": "no taken square is next to d2",
                "b4-c3": "c3 is not next to b4",
                "b2-a2": "a2 is taken already: a segment goes to an untaken square",
            }),
            (3, ROUND, GameOver, dict.fromkeys(
                ("c2", "c2-c1", "a3-b3"),
                "the game is over: every square is taken, and the number of X's, 1, is odd",
            )),
        ],
    )  # fmt: skip
    def test_refusals(self, size: int, moves: str, error: type[RulesError], refused: dict[str, str]) -> None:
        state = maze(size, moves)
        assert {text: refusal(state, text, error) for text in refused} == refused

    def test_a_square_of_another_sheet(self) -> None:
        with pytest.raises(IllegalMove, match=r"^e4 is off the sheet: its squares go from a1 to d4$"):
            GAME.start({"size": 4}).play(Segment(Square(3, 3), Square(4, 3)))
        with pytest.raises(IllegalMove, match=r"^a5 is off the sheet"):
            GAME.start({"size": 4}).play(Segment(Square(0, 4), Square(0, 3)))


class TestPicture:
    """What is drawn, docs/view.vectors.jsonl has."""

    def test_where_the_next_segment_starts_is_told(self) -> None:
        assert maze(3, "a3-b3").scene().notes[1] == "The next segment starts from b3"
        assert maze(4, PAGE).scene().notes == (
            "Segments drawn: 5, left: 10; X's: 1",
            "The next segment starts from any taken square with an untaken neighbour",
        )
        assert maze(3, ROUND).scene().notes == ("Segments drawn: 8, left: 0; X's: 1",)
        assert len(maze(3, "").leave(0).scene().notes) == 1
