"""What tests with real sockets share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.net.private_room import door
from tests.net.cards.stub import stubbed
from tests.net.party import Company, Party


@pytest.fixture
def party() -> Iterator[Party]:
    with Party() as it:
        yield it


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Company]:
    with Company(tmp_path) as it:
        yield it


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Honest members may be slow: the machine may have other things to do for longer than a door waits."""
    monkeypatch.setattr(door, "PATIENCE", 600_000)


@pytest.fixture
def numbers() -> Iterator[None]:
    """The cards are on numbers for points."""
    with stubbed():
        yield
