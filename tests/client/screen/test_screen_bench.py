"""The benchmark of the screen runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import screen


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_it_tells_its_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["screen", "--rounds", "1", "--keys", "8", "--seconds", "0.2", "--json"])
    monkeypatch.setattr(screen, "MOVES", 2)
    screen.main()
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "start", "ratio", "lobby_start", "lobby_ratio", "bare", "key", "key_p95", "network_key", "network_key_p95",
        "came", "echo", "echo_p95", "idle", "lobby_idle", "network_idle",
    }  # fmt: skip
    assert min(found["start"], found["lobby_start"], found["bare"]) > 0
    assert 0 < found["key"] <= found["key_p95"] and 0 < found["network_key"] <= found["network_key_p95"]
    assert min(found["came"], found["idle"], found["lobby_idle"], found["network_idle"]) >= 0
