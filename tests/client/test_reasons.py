"""The reason of a hint, from the bot's answer to the sentence and the marked squares, in every face."""

import pytest

from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.local import table_model
from quadrille.client.screen.table.model import Model
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import HintGiven, Seats
from quadrille.client.table.wishes import Hinted
from quadrille.client.words.reasons import place_text, reason_text
from quadrille.client.words.table import by_name
from quadrille.rules.core.thoughts import HalfTurnAnswer, OnlyReply, ProvedResult, Reason, Worth
from tests.client.screen.keyboard import after, begun, press
from tests.client.screen.positions import match_of

ROW = ("a2", "b2", "c2", "d2")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (ProvedResult(1), "it wins"),
        (ProvedResult(1, -1, 1), "it wins at once, and all others lose"),
        (ProvedResult(1, 0, 7), "it wins within 7 moves, those of both counted, and no other does more than tie"),
        (ProvedResult(1, 1, 7), "it wins within 7 moves, those of both counted"),
        (ProvedResult(0), "it ties at best play"),
        (ProvedResult(0, -1), "it ties at best play, and all others lose"),
        (ProvedResult(0, 0), "it ties at best play"),
        (ProvedResult(-1, -1), "all moves lose against best play"),
        (HalfTurnAnswer(1), "whoever turns each move of the other by 180 degrees from now on wins"),
        (HalfTurnAnswer(0), "whoever turns each move of the other by 180 degrees from now on never loses"),
        (HalfTurnAnswer(-1), ""),
        (OnlyReply("d4"), "after that all replies but d4 lose"),
        (Worth(180, "point", 0, "c3", ROW), "row 2 promises you 1.8 points more than after c3"),
        (Worth(-180, "dollar", 1, "c3", ("a1", "b1")), "a1 to b1 promise Ben 1.8 dollars less than after c3"),
        (Worth(100, "square", 1, "c3"), "Ben has 1 square more than after c3"),
        (Worth(-200, "point", 0, "c3"), "you have 2 points less than after c3"),
        (Worth(60, "point", 7, "c3"), "player 8 has 0.6 points more than after c3"),
    ],
)
def test_sentences(reason: Reason, told: str) -> None:
    assert reason_text(reason, ["you", "Ben"]) == told
    told = f": {told}" if told else ""
    assert by_name(HintGiven("3", "e4", reason), Seats.of(["you", "Ben"])) == f"Level 3 would play e4{told}."
    assert by_name(HintGiven("3", "e4"), Seats.of(["you", "Ben"])) == "Level 3 would play e4."


def test_places() -> None:
    assert place_text(("a1", "a2", "a3", "a4")) == ("column a", True)
    assert place_text(("a1", "a2", "a3")) == ("a1 to a3", False)
    assert place_text(("a1", "a2", "b1", "b2")) == ("a1 to b2", False)
    assert place_text(("c10",)) == ("c10", True)


def hinted(*squares: str) -> Model:
    """The screen of a person who is given a hint, and a reason that names these squares."""
    model = press(begun(table_model(GameSetup.of(match_of("barons", 2, 0), ["", "random"]))), "f2")[0]
    return after(model, Hinted(model.ticket, HintGiven("3", "c3", Worth(150, "point", 0, "a1", squares))))[0]


def test_the_squares_of_a_reason_are_marked_while_it_is_shown() -> None:
    lines = draw(hinted(*ROW)).lines
    assert any("row 2 promises you 1.5 points more than after a1." in line for line in lines)
    assert sum(line.count("*") for line in lines) == len(ROW)
    assert "*" in next(line for line in lines if line.lstrip().startswith("2 "))
    for unmarked in (press(hinted(*ROW), "x")[0], hinted("z99", "no square")):
        assert not any("*" in line for line in draw(unmarked).lines)
