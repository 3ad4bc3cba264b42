"""The benchmark of bots runs, and tells what it should. How fast anything is, no test can say."""

import pytest

from quadrille.rules.registry import game
from tests.bench import bots


def test_bots(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "STARTS", 1)
    monkeypatch.setattr(bots, "GAMES", 1)
    monkeypatch.setattr(bots, "games", lambda: (game("maze"),))
    bots.main()
    first, _, row = capsys.readouterr().out.splitlines()
    assert first.startswith("ready after ")
    assert row.split()[0] == "maze"
    assert 0 < float(row.split()[2]) <= float(row.split()[4])
