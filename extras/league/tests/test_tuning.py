"""A tuning: its steps are tournaments, it goes on where it was, and says what went wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.extras.league.tuning.lessons import Lessons, read
from quadrille.extras.league.tuning.tuning import Task, Tuning, declared
from tests.ai.tournament.conftest import _bots_go
from tests.ai.tournament.programs import Threads, clear, file, program

__all__ = ["_bots_go"]  # a fixture

#: A program with a number from 0 to 1: from 0.5 on it plays the last move of the list. The other one is fixed.
NUMBERS = [{"name": "last", "least": 0, "most": 1, "usual": 0.25}, {"name": "idle", "least": 3, "most": 3, "usual": 3}]
CHOOSE = 'said["moves"][-1 if numbers.get("last", 0) >= 0.5 else 0]'
BEFORE = 'numbers, table = said.get("parameters", {}), said["table"]'


def plan_in(folder: Path, numbers: Any = NUMBERS, choose: str = CHOOSE, names: tuple[str, ...] = ("a",)) -> Plan:
    program(folder, "a", choose, before=BEFORE, greeting=f', "parameters": {numbers}')
    program(folder, "b", 'said["moves"][0]')
    return parse(file((*names, "b")), str(folder))


def played(
    task: Task, steps: int, lessons: Lessons | None = None, tell: Callable[[Tuning, Any], None] = lambda *_: None
) -> Tuning:
    lessons = lessons or Lessons(task.plain(), 6)
    tuning = Tuning(task, lessons, Threads(), tell, lambda: None)
    try:
        tuning.go(lambda one: one.spsa.step >= steps)
    finally:
        tuning._farm.submit(clear, None)
        tuning._farm.ended(60)
        tuning.close()
    return tuning


def test_steps_against_another_bot(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    task = Task(plan, declared(plan), 1, "seed", plan.entrants[1])
    tuning = played(task, 1)
    assert tuning.played == task.games == 4
    assert 0 <= tuning.lessons.scores[0] <= 1


def test_a_bot_that_fails_is_named_with_its_values_and_earlier_steps_stay(tmp_path: Path) -> None:
    fine = 'said["moves"][0] if numbers.get("last", 0) < 0.3 {} else sys.exit(3)'
    plan = plan_in(tmp_path, choose=fine.format('or table == "trial"'))
    task = Task(plan, declared(plan), 1, "seed")
    lessons = Lessons(task.plain(), 6, scores=[0.5])
    with pytest.raises(TournamentError, match=r"a\.py with last 0\.\d+, idle 3 failed in step 2: it ended with exit"):
        played(task, 4, lessons)
    assert lessons.scores == [0.5]
    plan = plan_in(tmp_path, choose=fine.format(""))
    with pytest.raises(TournamentError, match=r"ended with exit code 3 .*; plus is last 0\.\d+, idle 3, and minus"):
        played(Task(plan, task.parameters, 1, "seed"), 4, lessons)


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        (NUMBERS[1:], "leaves nothing to tune: least and most are the same for idle"),
        ([NUMBERS[0] | {"usual": 7}], 'greets in another way than it should: "usual" of the parameter "last"'),
    ],
)
def test_a_bot_without_numbers_to_tune_is_refused(tmp_path: Path, numbers: Any, why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        declared(plan_in(tmp_path, numbers))


def test_somebody_stops_it(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    tuning = played(Task(plan, declared(plan), 1, "s"), 9, tell=lambda one, _: one.stop())
    assert tuning.stopping and tuning.lessons.scores == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:40],
        lambda _: "{}",
        lambda _: "[" * 100_000,
        lambda text: text.replace("quadrille tune 1", "quadrille tune 9"),
        lambda text: text.replace("0.5", "1.5"),
        lambda text: text.replace('"steps": 6', '"steps": 0'),
        lambda text: text.replace('"book": null', '"book": [[[7]]]'),
        lambda text: text.replace('"seconds": 0.0', '"seconds": NaN'),
    ],
)
def test_damaged_lessons_are_refused(change: Callable[[str], str]) -> None:
    task = {"bot": "a.py", "digest": "1", "parameters": []}
    text = Lessons(task, 6, None, [0.5]).text({})
    assert read(text, "a.json", task).scores == [0.5]
    with pytest.raises(TournamentError, match=r"^a\.json is damaged, or no file of a tuning"):
        read(change(text), "a.json", task)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"digest": "2"}, "the files of the bot have changed since"),
        ({"parameters": [1]}, "the bot declared other parameters then"),
        ({"game": "barons"}, 'game is "barons" here and "maze" there'),
    ],
)
def test_lessons_of_another_tuning_are_refused(other: dict[str, Any], why: str) -> None:
    task = {"bot": "a.py", "digest": "1", "parameters": [], "game": "maze"}
    with pytest.raises(TournamentError, match=why):
        read(Lessons(task, 6).text({}), "a.json", task | other)
