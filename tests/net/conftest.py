"""What tests with real sockets share."""

import pytest

from quadrille.net.private_room import door


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Honest members may be slow: the machine may have other things to do for longer than a door waits."""
    monkeypatch.setattr(door, "PATIENCE", 600_000)
