"""What is for its owner alone is so under any umask: homes, what is in them, and journals of tournaments."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.client.evening.kept import _append
from quadrille.client.settings import Settings, write_settings
from quadrille.net.core.home import folder_in
from quadrille.net.program.station import Station
from tests.ai.tournament.programs import league

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The wrong ones."""
    found = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    return {name: mode for name, mode in found.items() if mode != (0o700 if (folder / name).is_dir() else 0o600)}


def test_a_home_and_its_files_are_their_owners_alone_under_any_umask(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write_settings(Settings(bell=False), home / "settings.toml")
    _append(folder_in(home, "evenings") / "one.jsonl", "{}")
    Station("Ann", "bot", folder=home / "one").close()
    assert len(list(home.rglob("*"))) > 6 and not modes(tmp_path)


def test_a_journal_is_its_owners_alone_under_any_umask(tmp_path: Path) -> None:
    with league(tmp_path):
        kept = list(tmp_path.glob("one.sqlite*"))
        assert len(kept) > 1 and all(stat.S_IMODE(one.stat().st_mode) == 0o600 for one in kept)
