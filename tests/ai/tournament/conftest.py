"""Tournaments of tests keep their secrets in a folder of the test's own."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUADRILLE_HOME", str(tmp_path_factory.mktemp("home")))
        yield
