"""The benchmark of a table with a deck runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import cards_table


@pytest.mark.slow
def test_cards_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    short = cards_table.terms("dotter", 2, {"laps": 1, "lap_points": 21}, takebacks=False, lot=False)
    monkeypatch.setattr(cards_table, "terms", lambda *_, **__: short)
    arguments = ["cards_table", "--seats", "2", "--recorded", "2"]
    monkeypatch.setattr(sys, "argv", [*arguments, "--json"])
    cards_table.main()
    told = json.loads(capsys.readouterr().out)
    assert told["setup_bytes"] > 2 * 12_384 and told["look_bytes"] > 2 * 64 + 2 * 64 + 2 * 32 + 64
    assert 0 < told["look_turn"] < told["setup_turn"]
    assert 0 < told["look_seat"] <= told["look_turn"]
    assert told["entries"] > 8 and told["rounds"] == 1 and told["verified"] > 0
    monkeypatch.setattr(sys, "argv", arguments)
    cards_table.main()
    assert capsys.readouterr().out.count("in turn") == 2
