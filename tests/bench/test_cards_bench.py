"""The benchmark of the cards runs on each back end, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import cards
from tests.net.cards.groups import GROUPS


def test_cards(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["cards", "--cards", "3", "--rounds", "1", "--json"])
    cards.main()
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["group"] for row in told} == set(GROUPS)
    for row in told:
        assert row["prove_ratio"] == pytest.approx(row["prove"] / row["unit"], rel=0.1)
        assert row["check_ratio"] == pytest.approx(row["check"] / row["unit"], rel=0.1)
    monkeypatch.setattr(sys, "argv", ["cards", "--cards", "1", "--rounds", "1"])
    cards.main()
    assert capsys.readouterr().out.count("to prove a shuffle") == len(GROUPS)
