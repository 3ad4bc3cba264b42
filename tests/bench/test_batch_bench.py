"""`quadrille bench batch` tells what it should; other programs that are installed are really stepped."""

import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.cli import main
from quadrille.client.commands import bench_batch as bench
from quadrille.client.commands.bench_cases import measured
from quadrille.rules.batch import Batch


class Seven:
    """An environment for OpenSpiel's vector: of seven actions two are legal, which are not the first."""

    def __init__(self, name: str) -> None:
        assert name == "connect_four"
        self.seen = SimpleNamespace(observations={"legal_actions": [[], [2, 5]], "current_player": 1})


class Vector:
    """A vector that counts its steps."""

    def __init__(self, games: list[Seven]) -> None:
        self.games = games

    def reset(self) -> list[Any]:
        return [game.seen for game in self.games]

    def step(self, actions: list[Any], *, reset_if_done: bool) -> tuple[list[Any], ...]:
        assert reset_if_done and {each.action for each in actions} <= {2, 5} and len(actions) == len(self.games)
        return self.reset(), [], [], []


@pytest.fixture(params=[True, False], ids=["with-openspiel", "without"])
def there(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """As if OpenSpiel were installed, or not; the others are not."""
    for module in bench.YARDSTICKS:
        monkeypatch.setitem(sys.modules, module, None)
    if request.param:
        monkeypatch.setitem(sys.modules, "open_spiel", SimpleNamespace())
        monkeypatch.setitem(sys.modules, "open_spiel.python.vector_env", SimpleNamespace(SyncVectorEnv=Vector))
        monkeypatch.setitem(sys.modules, "open_spiel.python.rl_environment", SimpleNamespace(Environment=Seven))
    return bool(request.param)


def tell(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["bench", "batch", "--rounds", "1", "--milliseconds", "0", *words]) == 0
    return capsys.readouterr().out


def test_the_tables(there: bool, capsys: pytest.CaptureFixture[str]) -> None:
    told = tell(capsys)
    for name, *_, layouts in bench.TABLES:
        assert told.count(f"{name}  ") == len(layouts)
    assert ("OpenSpiel is not installed" in told) == (not there)
    assert ("/ SyncVectorEnv" in told) == there
    assert told.splitlines()[-2].startswith("two  ") and told.splitlines()[-1].split() == ["aim", "1.8"]


@pytest.mark.slow
def test_the_data(there: bool, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(tell(capsys, "--json"))
    assert told["yardsticks"] == ({"SyncVectorEnv": 40} if there else {})
    assert [(rate["name"], rate["layout"]) for rate in told["rates"]] == [
        *([("SyncVectorEnv", "yardstick")] if there else []),
        *((name, layout) for name, *_, layouts in bench.TABLES for layout in layouts),
    ]
    for rate in told["rates"]:
        assert rate["steps"] > 0 and list(rate["ratios"]) == list(told["yardsticks"])
    one, two, found, each, aim = told["processes"].values()
    assert found == two / one and each > 0 and aim == bench.TWO_AIM


def test_a_step_counts_each_game() -> None:
    batch = Batch("maze", {"size": 3}, games=5)
    play = bench.stepping(batch)
    assert [play() for _ in range(7)] == [5] * 7
    assert batch.plies.tolist() == [7] * 5


def test_aims_are_those_of_the_compiled_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [bench.Stepped(name, layout, 1.0, {}) for name in ("Maze 8", "Dotter") for layout in ("planes", "none")]
    for engine, aims in (("compiled", [2_000_000, None, None, None]), ("plain", [None] * 4)):
        monkeypatch.setattr(bench, "engine", lambda engine=engine: engine)
        assert [each.aim for each in found] == aims


def test_without_numpy(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for module in bench.YARDSTICKS:
        monkeypatch.setitem(sys.modules, module, None)
    assert main(["bench", "batch", "--rounds", "1", "--milliseconds", "0"]) == 2
    assert "a Batch needs NumPy: pip install numpy" in capsys.readouterr().err


@pytest.mark.parametrize("module", bench.YARDSTICKS)
def test_a_yardstick_that_is_installed_is_stepped(module: str) -> None:
    pytest.importorskip(module)
    play = bench.YARDSTICKS[module][1]()
    assert play() == play() and measured(play, 0) > 0
