"""The benchmark of the screen runs, and tells what it should. How fast anything is, no test can say."""

import json
import sys

import pytest

from tests.bench import screen


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_it_tells_its_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["screen", "--rounds", "1", "--keys", "8", "--seconds", "0.2", "--json"])
    screen.main()
    found = json.loads(capsys.readouterr().out)
    assert found["start"] > found["bare"] / 2 and 0 < found["key"] <= found["key_p95"]
    assert set(found) == {"start", "bare", "ratio", "key", "key_p95", "echo", "echo_p95", "idle"}
