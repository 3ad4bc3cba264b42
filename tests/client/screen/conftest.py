"""The terminal's surroundings are the same wherever the tests run."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Letters of all kinds, colours, and settings of nobody."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH"):
            patch.delenv(name, raising=False)
        patch.setenv("LANG", "C.UTF-8")
        home = tmp_path_factory.mktemp("home")
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("QUADRILLE_HOME", str(home))
        yield
