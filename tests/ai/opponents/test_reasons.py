"""The reasons of the built-in bots for their hints: proofs first, then the only reply."""

import json
import random
from typing import Any

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.kit import Part
from quadrille.ai.opponents import opponent
from quadrille.rules.core import State
from quadrille.rules.core.thoughts import read_reason
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.ai.bots.test_dialogue import Talked
from tests.ai.inside import First
from tests.rules.test_reasons import after, results


def hinted(bot: Any, state: State[Any, Any], work: int = 200) -> tuple[str, dict[str, Any] | None]:
    clock = Clock(state.board.turn, None, 0, 600_000, work)
    move = str(bot.choose(state, clock, random.Random("hint")))
    reason = bot.reason(state, move)
    assert reason is None or read_reason(reason, state.seats) is not None
    return move, reason


def test_a_win_is_told_with_its_length() -> None:
    state = after("maze", "a3-b3 b3-b2 b2-a2", size=3)
    found = Position(state).prove()
    move, reason = hinted(opponent("5"), state, 2000)
    assert reason is not None and reason["proved"] == found.value
    assert found.value < 0 or ("turns" in reason and move in map(str, state.moves))


def test_the_answer_turned_by_180_degrees_is_told() -> None:
    state = after("dollar-draw", "b1", width=6, height=6)
    assert hinted(opponent("5"), state) == ("e6", {"half_turn": 1})
    assert hinted(opponent("alphabeta"), state) == ("e6", {"half_turn": 1})


@pytest.mark.slow
def test_a_proof_of_an_earlier_move_is_not_told_of_a_later_one() -> None:
    """The tree of a bot that plays by a proof is that of an earlier move: what it knew of moves is not so any more."""
    bot = opponent("5")
    state = after("barons", "", width=4, height=4)
    bot.starts(state, 0)
    while state.moves:
        move, reason = hinted(bot, state, 3000)
        if reason and "others" in reason:
            number = Position(state).read(move)
            assert reason["others"] == max(
                worth for other, worth in results(Position(state)).items() if other != number
            )
        state = state.play(state.game.parse(move, state))


def test_where_nothing_is_known_there_is_no_reason() -> None:
    assert hinted(opponent("3"), game("barons").start(None, 4))[1] is None
    assert hinted(opponent("random"), after("maze", ""))[1] is None
    assert hinted(opponent("greedy"), after("barons", ""))[1] is None


def test_hidden_cards_give_no_reason() -> None:
    """A proof about guessed cards is none."""
    match = Match(game("dotter"), None, 2, deal=Deal("hint"))
    state = match.state.view(match.state.board.turn)
    assert hinted(opponent("3"), state, 10)[1] is None


# Between bot and table


def test_a_reason_is_asked_for_by_a_hint_alone() -> None:
    answer = b'{"turn": 1, "move": "a1", "reason": {"only": "b2"}}'
    talked = Talked()
    told = talked.turn(hint=True).receive(answer, 20)
    assert talked.last()["hint"] is True
    assert told.reason == read_reason({"only": "b2"}, 2)  # type: ignore[union-attr]
    talked = Talked()
    told = talked.turn().receive(answer, 20)
    assert "hint" not in talked.last() and told.reason is None  # type: ignore[union-attr]


@pytest.mark.parametrize("reason", ['"it wins"', "NaN", '{"worth": Infinity}', '{"proved": 3}', "[]", "null", "{}"])
def test_a_hint_counts_whatever_its_reason_is(reason: str) -> None:
    told = Talked().turn(hint=True).receive(f'{{"turn": 1, "move": "a1", "reason": {reason}}}'.encode(), 20)
    assert str(told.move) == "a1" and told.reason is None  # type: ignore[union-attr]


class Talker(First):
    """A bot with a reason that a test gives it."""

    def __init__(self, reason: object) -> None:
        self.given = reason
        self.asked: list[str] = []

    def reason(self, view: State[Any, Any], move: str) -> Any:
        self.asked.append(move)
        return self.given


START = b'{"do": "start", "game": "barons", "options": {}, "seats": 2, "seat": 0, "seed": "s", "news": []}'
TURN = {"do": "turn", "turn": 1, "news": [], "clock": None, "patience": 9, "budget": 9}


def answered(reason: object, **more: bool) -> tuple[Talker, dict[str, Any]]:
    bot = Talker(reason)
    part = Part(bot)
    part.answer(START)
    return bot, json.loads(part.answer(json.dumps(TURN | more).encode()) or b"")


def test_the_kit_sends_the_reason_of_a_bot_for_a_hint() -> None:
    bot, told = answered({"only": "b2"}, hint=True)
    assert told == {"turn": 1, "move": "a1", "reason": {"only": "b2"}} and bot.asked == ["a1"]
    bot, told = answered({"only": "b2"})
    assert told == {"turn": 1, "move": "a1"} and not bot.asked
    assert "reason" not in answered(None, hint=True)[1]


def test_a_reason_that_is_no_json_is_dropped_with_a_word_to_the_author(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered({"only": {1, 2}}, hint=True)[1] == {"turn": 1, "move": "a1"}
    assert "which is no JSON" in capsys.readouterr().err
