"""The benchmarks of the rules run. How fast anything is no test can say: only ratios in one run can."""

import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.bench import rules
from tests.bench.strength import TABLES


class Take:
    """A game for a yardstick: take one or two of ten."""

    def __init__(self) -> None:
        self.left = 10

    def is_terminal(self) -> bool:
        return self.left <= 0

    def legal_actions(self) -> list[int]:
        return [1, 2]

    def apply_action(self, action: int) -> None:
        assert action in (1, 2)
        self.left -= action


@pytest.fixture(params=[True, False], ids=["with-openspiel", "without"])
def installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """As if OpenSpiel were installed, or not."""
    spiel = SimpleNamespace(
        load_game=lambda name: SimpleNamespace(new_initial_state=Take),
        RandomRolloutEvaluator=lambda games, seed: None,
        MCTSBot=lambda *words: SimpleNamespace(mcts_search=lambda state: None),
    )
    monkeypatch.setitem(sys.modules, "pyspiel", spiel if request.param else None)
    return bool(request.param)


def told(bench: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setattr(sys, "argv", ["bench", "--rounds", "1", "--milliseconds", "0", *words])
    bench.main()
    return capsys.readouterr().out


def test_rules(installed: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(told(rules, capsys, monkeypatch, "--json"))["rates"]
    names = [rules.YARDSTICK] if installed else []
    assert [(rate["name"], rate["kind"]) for rate in found] == [
        *((name, kind) for name in names for kind in ("yardstick", "searcher")),
        *((name, kind) for name, *_ in rules.TABLES for kind in ("board", "state", "playouts", "search")),
    ]
    assert all(rate["rate"] > 0 and list(rate["ratios"]) == names for rate in found)


@pytest.mark.slow
def test_the_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = told(rules, capsys, monkeypatch)
    assert all(text.count(f"{name}  ") == 4 for name, *_ in rules.TABLES)


def test_a_maze_of_8_x_8_has_63_moves_by_board_and_by_state() -> None:
    plays = {case.kind: case.play for case in rules.cases() if case.name == "Maze 8"}
    assert [plays["board"](), plays["state"](), plays["playouts"]() % 63] == [63, 63, 0]


def test_ratios_are_of_the_same_round() -> None:
    assert rules.ratio([2.0, 30.0, 4.0], [1.0, 10.0, 1.0]) == 3.0


def test_no_match_of_two_is_on_a_board_that_symmetry_decides() -> None:
    """On a board with even sides whoever moves second can answer each move with its image (Dollar Draw, Barons)."""
    for name, (key, options, seats) in TABLES.items():
        if key in ("barons", "dollar-draw") and seats == 2:
            sides = {"width": 10, "height": 10} | options
            assert sides["width"] % 2 or sides["height"] % 2, name
