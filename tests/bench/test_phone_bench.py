"""The bench of phones runs, and keeps those aims that no slow machine can break."""

import json

import pytest

from tests.bench import phone


@pytest.mark.slow
def test_what_seats_on_phones_cost(capsys: pytest.CaptureFixture[str]) -> None:
    assert phone.main(["--seats", "2", "--screens", "4", "--moves", "9", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["message median bytes"] <= 1024
    assert figures["memory MiB"] <= 150
    assert figures["descriptors"] <= 1000
    assert figures["returns under attack"] == 1
