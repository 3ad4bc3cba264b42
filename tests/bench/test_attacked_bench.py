"""The benchmark of attacked games runs, and a game goes on under each attack. How well, the benchmark says."""

import json
import sys
from pathlib import Path

import pytest

from tests.bench import attacked


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
def test_the_game_at_the_table_goes_on_under_attack(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attacked, "THINK", 200)  # so that the game lasts, however long an attacker takes to begin
    monkeypatch.setattr(sys, "argv", ["attacked", "--rounds", "1", "--moves", "20", "--json"])
    attacked.main()
    told = json.loads(capsys.readouterr().out)
    assert tuple(told) == attacked.KINDS
    for kind, row in told.items():
        assert row["ratio"] > 0.5, (kind, row, "0.9 on a quiet machine: a game that an attack holds up makes few moves")
        assert row["memory"] < 150 and row["steps"] > 0, (kind, row)
