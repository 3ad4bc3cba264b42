"""The benchmark of the cards runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import cards


def test_cards(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["cards", "--cards", "3", "--rounds", "1", "--json"])
    cards.main()
    row = json.loads(capsys.readouterr().out)
    assert row["prove_ratio"] == pytest.approx(row["prove"] / row["unit"], rel=0.1)
    assert row["check_ratio"] == pytest.approx(row["check"] / row["unit"], rel=0.1)
    monkeypatch.setattr(sys, "argv", ["cards", "--cards", "1", "--rounds", "1"])
    cards.main()
    assert capsys.readouterr().out.count("to prove a shuffle") == 1
