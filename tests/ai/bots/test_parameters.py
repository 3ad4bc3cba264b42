"""The numbers that a bot declares: in its greeting, in Python, at the table."""

import json
from typing import Any

import pytest

from quadrille.ai import Bot, Number
from quadrille.ai.bot import numbers_of
from quadrille.ai.bots.lines.answers import greeting
from quadrille.ai.bots.lines.dialogue import Dialogue, Seating
from quadrille.ai.bots.lines.parameters import BadValues, Parameter, settle
from quadrille.ai.faults import BotFault
from quadrille.ai.kit import Part
from tests.ai.inside import Anything, small

DEPTH = {"name": "depth", "least": 1, "most": 9, "usual": 4}


def greeted(*rows: Any) -> tuple[Parameter, ...]:
    return greeting({"hello": "b", "protocol": 1, "parameters": list(rows)}).parameters


def test_a_greeting_declares_parameters() -> None:
    found = greeted(DEPTH, {"name": "width", "least": 0, "most": 1, "usual": 0.5, "later": "versions"})
    assert found == (Parameter("depth", 1, 9, 4), Parameter("width", 0, 1, 0.5))
    assert [one.whole for one in found] == [True, False]
    assert greeting({"hello": "b", "protocol": 1}).parameters == ()


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("depth", '"parameters" takes a list of at most 50 objects'),
        ([DEPTH] * 51, '"parameters" takes a list of at most 50 objects'),
        ([7], '"parameters" takes a list of at most 50 objects'),
        ([DEPTH, DEPTH], 'the parameter "depth" stands there twice'),
        ([DEPTH | {"least": 10}], '"least" of the parameter "depth" is 10, above its "most", 9'),
        ([DEPTH | {"usual": 0}], '"usual" of the parameter "depth" takes a whole number from 1 to 9, not 0'),
        ([DEPTH | {"usual": "4"}], 'the parameter "depth" has "4" as "usual", which takes a number'),
        ([DEPTH | {"usual": True}], 'the parameter "depth" has true as "usual"'),
        ([DEPTH | {"most": float("inf")}], 'as "most", which takes a number'),
        ([{"name": "depth", "least": 1, "most": 2}], 'the parameter "depth" has no "usual"'),
        ([DEPTH | {"name": ""}], '"name" of a parameter takes a line of text of 1 to 40 characters'),
        ([DEPTH | {"name": "a\nb"}], '"name" of a parameter takes a line of text of 1 to 40 characters'),
    ],
)
def test_a_wrong_declaration_is_a_fault_with_a_sentence(rows: Any, why: str) -> None:
    with pytest.raises(BotFault, match="greets in another way than it should: ") as refused:
        greeting({"hello": "b", "protocol": 1, "parameters": rows})
    assert (refused.value.kind, why in refused.value.why) == ("protocol", True)


def test_values_are_settled_or_refused_with_what_was_expected() -> None:
    known = greeted(DEPTH, {"name": "width", "least": 0, "most": 1, "usual": 0.5})
    assert settle(known, {"depth": 6.0, "width": 1}) == {"depth": 6, "width": 1}
    for given, why in (
        ({"dept": 3}, 'has no parameter "dept": did you mean depth?'),
        ({"zz": 3}, 'has no parameter "zz": it declares depth, width'),
        ({"depth": 10}, 'takes a whole number from 1 to 9 as "depth", not 10'),
        ({"depth": 2.5}, 'takes a whole number from 1 to 9 as "depth", not the fraction 2.5'),
        ({"width": float("nan")}, 'takes a number from 0 to 1 as "width", not '),
    ):
        with pytest.raises(BadValues, match="^" + why.replace("?", r"\?")):
            settle(known, given)
    with pytest.raises(BadValues, match='declares no parameters, and "depth" is set'):
        settle((), {"depth": 3})


class Tuned(Anything):
    """Declares two numbers."""

    depth = Number(1, 9, usual=4)
    width = Number(0.0, 1.0, usual=0.5)


class Deeper(Tuned):
    """Has one of them as a plain value."""

    width = 0.25  # type: ignore[assignment]
    more = Number(0, 1, usual=0)


def test_a_bot_in_python_declares_numbers_and_reads_them_as_its_own() -> None:
    bot = Tuned()
    assert (bot.depth, bot.width) == (4, 0.5)
    part = Part(bot)
    said = json.loads(part.answer(b'{"do": "hello", "protocol": 1, "rules": 1}') or b"")
    assert said["parameters"] == [DEPTH, {"name": "width", "least": 0.0, "most": 1.0, "usual": 0.5}]
    assert list(numbers_of(Deeper())) == ["depth", "more"]
    match = small("maze")
    for values, depth in (({"depth": 7}, 7), ({}, 4)):
        table = Dialogue(0)
        table.receive(b'{"hello": "b", "protocol": 1}', 0)
        table.start(match, match.state.view(0), Seating(), 0, values)
        assert ("parameters" in json.loads(table.outgoing[-1])) is bool(values)
        part.answer(table.outgoing[-1])
        assert (bot.depth, bot.width) == (depth, 0.5)


def test_a_number_that_can_not_be_is_refused_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="usual has to be from least to most"):
        Number(1, 9, usual=10)
    with pytest.raises(TypeError, match="Number takes numbers"):
        Number(1, 9, usual="4")  # type: ignore[type-var]
    with pytest.raises((RuntimeError, TypeError)):
        type("Wrong", (Bot,), {"games": Number(1, 2, usual=1)})
