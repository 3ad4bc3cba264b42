"""The benchmark of reports runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import report


@pytest.mark.slow
def test_report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["report", "--games", "132", "--rounds", "1", "--json"])
    report.main()
    told = json.loads(capsys.readouterr().out)
    assert {*told} == {"reading", "page", "page without games", "standing"}
    assert all(row["seconds"] > 0 and row["ratio"] > 0 for row in told.values())
    assert told["page"]["bytes"] > told["page without games"]["bytes"] > 0
    monkeypatch.setattr(sys, "argv", ["report", "--games", "132", "--rounds", "1"])
    report.main()
    assert capsys.readouterr().out.count("times the reading") == 4
