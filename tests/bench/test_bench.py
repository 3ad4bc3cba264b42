"""The benchmark runs and tells what it should. How fast anything is no test can say: only ratios in one run can."""

import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.cli import main
from quadrille.client.commands import bench_cases as bench
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.native.compiled import engine


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


def tell(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["bench", "rules", "--rounds", "1", "--milliseconds", "0", *words]) == 0
    return capsys.readouterr().out


def test_the_tables(installed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    told = tell(capsys)
    for name, *_ in bench.TABLES:
        assert told.count(f"{name}  ") == 4
    assert ("OpenSpiel is not installed" in told) == (not installed)
    assert ("/ connect_four" in told) == installed
    assert "quadrille engine, first answer" in told


@pytest.mark.slow
def test_the_data(installed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(tell(capsys, "--json"))
    names = list(bench.YARDSTICKS) if installed else []
    assert told["yardsticks"] == names
    measured = [(rate["name"], rate["kind"]) for rate in told["rates"]]
    assert measured == [
        *((name, kind) for kind in ("yardstick", "searcher") for name in names),
        *((name, kind) for name, *_ in bench.TABLES for kind in ("board", "state", "playouts", "search")),
    ]
    for rate in told["rates"]:
        assert rate["moves"] > 0
        assert list(rate["ratios"]) == names
    assert [listing["options"] for listing in told["lists"]] == list(bench.VARIANTS)
    assert all(0 < listing["moves"] <= bench.LISTED for listing in told["lists"])
    assert all(spent > 0 for spent in told["starts"].values())


@pytest.mark.slow
def test_games_are_whole_games() -> None:
    """What is counted are moves: a Maze of 8 x 8 has 63, by board and by State."""
    for case in bench.cases():
        moves = [case.play() for _ in range(2)]
        assert min(moves) > 0
        if case.name == "Maze 8":
            batch = {"playouts": 20 * 63 if engine() == "compiled" else 63}
            assert case.kind == "search" or moves == 2 * [batch.get(case.kind, 63)]


def test_positions_in_the_middle_are_to_be_played_on() -> None:
    for options in bench.VARIANTS:
        for number in range(3):
            state: Any = bench.middle(options, number)
            assert isinstance(state.pending, ToMove)
            assert state.moves.sample(Stream("")) in state.moves


def test_ratios_are_of_the_same_round() -> None:
    assert bench.ratio([2.0, 30.0, 4.0], [1.0, 10.0, 1.0]) == 3.0


def test_what_is_to_be_measured_has_to_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["bench"], ["bench", "everything"], ["bench", "rules", "--rounds", "x"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2
    assert "rules" in capsys.readouterr().err


def test_s9_no_match_of_two_is_on_a_board_that_symmetry_decides() -> None:
    """On a board with even sides whoever moves second can answer each move with its image (Dollar Draw, Barons)."""
    from tests.bench.strength import TABLES

    for name, (key, options, seats) in TABLES.items():
        if key in ("barons", "dollar-draw") and seats == 2:
            sides = {"width": 10, "height": 10} | options
            assert sides["width"] % 2 or sides["height"] % 2, name
