"""The benchmarks of tables run, and tell what they should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import crowd, moves


@pytest.mark.slow
def test_moves(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "BARE_ROUNDS", 20)
    monkeypatch.setattr(sys, "argv", ["moves", "--games", "1", "--durability", "normal", "--json"])
    moves.main()
    told = json.loads(capsys.readouterr().out)
    assert told["rounds"] == 31
    assert told["ratio"] == pytest.approx(told["move"] / told["bare"], rel=0.1)
    assert told["move"] > told["bare"]


@pytest.mark.slow
def test_a_crowd(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MEASURED", 1)
    monkeypatch.setattr(sys, "argv", ["crowd", "--simulated", "2", "4", "--real", "2"])
    crowd.main()
    told = capsys.readouterr().out
    assert told.count("for each peer, a second") == 3
    monkeypatch.setattr(sys, "argv", ["crowd", "--simulated", "4", "--real", "--json"])
    crowd.main()
    [row] = json.loads(capsys.readouterr().out)["simulated, waiting"]
    assert row["messages"] == row["postings"] == 0, "who waits says nothing but its postings"
