"""What tests with real sockets share."""

import pytest

from quadrille.net import room


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Honest members may be slow: the machine may have other things to do for longer than a door waits."""
    monkeypatch.setattr(room, "PATIENCE", 600_000)
