"""Tournaments of tests keep their secrets in a folder of the test's own, and end their bots."""

from collections.abc import Iterator

import pytest

from tests.ai.tournament.programs import clear
from tests.client.conftest import run

__all__ = ["run"]  # a fixture


@pytest.fixture(autouse=True, scope="session")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUADRILLE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def _bots_go() -> Iterator[None]:
    yield
    clear()
