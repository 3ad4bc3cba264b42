"""The benchmark of batches runs and tells what it should."""

import json
import sys

import pytest

from quadrille.client.cli import main
from quadrille.client.commands.bench_batch import TABLES


def tell(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["bench", "batch", "--rounds", "1", "--milliseconds", "0", *words]) == 0
    return capsys.readouterr().out


def test_the_table_without_openspiel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "open_spiel", None)
    told = tell(capsys)
    for name, *_ in TABLES:
        assert told.count(f"{name}  ") == (2 if name in ("Coin Isolation", "Dotter") else 3)
    assert "OpenSpiel is not installed" in told and "Two processes make" in told


def test_the_data_beside_openspiel(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    data = json.loads(tell(capsys, "--json"))
    first, *others = data["rates"]
    assert (first["name"], first["layout"], first["ratio"]) == ("OpenSpiel connect_four", "SyncVectorEnv", 1.0)
    assert len(others) == 3 * len(TABLES) - 2 and all(rate["steps"] > 0 and rate["ratio"] > 0 for rate in others)
    assert data["processes"] > 0 and data["engine"] in ("plain", "compiled")
