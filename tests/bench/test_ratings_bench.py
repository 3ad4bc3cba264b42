"""The benchmark of ratings runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

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
