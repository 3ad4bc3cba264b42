"""The benchmark of ratings runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.ai.tournament.simulated import Case
from tests.bench import ratings


def test_ratings(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ratings", "--games", "200", "--rounds", "2", "--json"])
    ratings.main()
    told = json.loads(capsys.readouterr().out)
    assert {*told} == {"2", "6", "2 to 6"}
    assert all(row["ratings"] > 0 and row["ratio"] > 0 for row in told.values())
    monkeypatch.setattr(sys, "argv", ["ratings", "--games", "200", "--rounds", "1"])
    ratings.main()
    assert capsys.readouterr().out.count("times the plain cross-table") == 3


def test_coverage(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "kinds", lambda: [("match", Case(2, 10)), ("field", Case(3, 8, (0.0,) * 4))])
    monkeypatch.setattr(sys, "argv", ["ratings", "--coverage", "5"])
    ratings.main()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["match", "field"]
    monkeypatch.setattr(sys, "argv", ["ratings", "--coverage", "5", "--only", "field", "--json"])
    ratings.main()
    [told] = json.loads(capsys.readouterr().out)
    assert (told["seats"], told["blocks"], told["few"]) == (3, 8, False)
    assert 0 <= told["covered"] <= 1 and told["missing"] == 0 and told["width"] > 0
