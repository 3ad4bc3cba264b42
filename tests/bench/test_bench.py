"""The benchmarks run, and tell what they should. How fast anything is no test can say: only ratios in one run can."""

import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from tests.ai.tournament.simulated import Case
from tests.bench import moves, ratings, rules

Told = Callable[..., str]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    """Run a benchmark with such a command line, and return what it prints."""

    def told(bench: Any, *words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["bench", *words])
        bench.main()
        return capsys.readouterr().out

    return told


def test_rules(told: Told) -> None:
    """Beside OpenSpiel where it is installed."""
    found = json.loads(told(rules, "--rounds", "1", "--milliseconds", "0", "--json"))["rates"]
    names = [rules.YARDSTICK] if find_spec("pyspiel") else []
    assert [(rate["name"], rate["kind"]) for rate in found] == [
        *((name, kind) for name in names for kind in ("yardstick", "searcher")),
        *((name, kind) for name, *_ in rules.TABLES for kind in ("board", "state", "steps", "playouts", "search")),
    ]
    assert all(rate["rate"] > 0 and list(rate["ratios"]) == names for rate in found)


def test_a_maze_of_8_x_8_has_63_moves_by_board_and_by_state() -> None:
    plays = {case.kind: case.play for case in rules.cases() if case.name == "Maze 8"}
    assert [plays["board"](), plays["state"](), plays["steps"](), plays["playouts"]() % 63] == [63, 63, 63, 0]


def test_ratios_are_of_the_same_round() -> None:
    assert rules.ratio([2.0, 30.0, 4.0], [1.0, 10.0, 1.0]) == 3.0


@pytest.mark.slow
def test_moves(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "BARE_ROUNDS", 20)
    row = json.loads(told(moves, "--games", "1"))
    assert row["rounds"] == 31
    assert row["ratio"] == pytest.approx(row["move"] / row["bare"], rel=0.1)
    assert row["move"] > row["bare"]
    assert row["gate_ratio"] > 0 and row["gate_opening_ratio"] > 0


def test_both_echoes_answer_on_each_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "CALLERS", 3)
    monkeypatch.setattr(moves, "BARE_ROUNDS", 5)
    assert all(min(moves.exchanged(170, echo)) > 0 for echo in moves.ECHOES)


def test_ratings(told: Told) -> None:
    rows = list(map(json.loads, told(ratings, "--games", "200", "--rounds", "1").splitlines()))
    assert [row["tables of"] for row in rows] == ["2", "6", "2 to 6"]
    assert all(row["ratings"] > 0 and row["ratio"] > 0 for row in rows)


def test_coverage_of_ratings(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "kinds", lambda: [("match", Case(2, 10)), ("field", Case(3, 8, (0.0,) * 4))])
    assert told(ratings, "--coverage", "1").count('"kind": "match"') == 1
    row = json.loads(told(ratings, "--coverage", "5", "--only", "field"))
    assert (row["seats"], row["blocks"]) == (3, 8)
    assert 0 <= row["covered"] <= 1 and row["missing"] == 0 and row["width"] > 0
