"""A command line in this process, and the file of a game that is forgotten after a test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quadrille import plugs
from quadrille.extras.playtest.kinds import playtested
from quadrille.extras.playtest.tests.planted import written
from quadrille.rules import registry
from tests.client.conftest import _bare_lobby, _home, run

__all__ = ["_bare_lobby", "_home", "run"]

Plant = Callable[[str], str]


def _forget() -> None:
    for cached in (plugs.plugs, plugs._entry_points, registry.keys, registry._load, playtested):
        cached.cache_clear()


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plant]:
    """Write the file of a game, and name it as a command line does; it is the only one of its test."""
    monkeypatch.setenv(plugs.GAME_FILE, "")
    _forget()
    yield lambda name: str(written(name, tmp_path))
    monkeypatch.undo()
    _forget()
