"""Judge a game by the laws: `python -m quadrille.laws GAME`, a name or a FILE.py. More words go to pytest: `-m slow`
runs the slow ones.
"""

import os
import sys
from importlib.util import find_spec
from typing import Any

from quadrille.plugs import game_fault, game_name
from quadrille.rules.errors import RulesError, UnknownGame
from quadrille.rules.registry import game


class Judged:
    """A plug-in of pytest that leaves the tests of one game, and no settings of the folder where it runs."""

    def __init__(self, key: str) -> None:
        self.key = key

    def pytest_configure(self, config: Any) -> None:
        config.addinivalue_line("markers", "slow: takes long; not run by default")
        config.addinivalue_line("markers", "first(n): dear for each of its cases")

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if self.key in item.name.partition("[")[2]]

    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        """Say in words what the game's own code raised; a broken law shows itself."""
        error = call.excinfo and call.excinfo.value
        if not error or isinstance(error, RulesError) or not (told := game_fault(error)):
            return None
        import pytest

        report = pytest.TestReport.from_item_and_call(item, call)
        report.longrepr = "\n".join((told, *getattr(error, "__notes__", ())))  # hypothesis notes its example
        return report


def main(words: list[str]) -> int:
    if missing := [name for name in ("pytest", "hypothesis") if find_spec(name) is None]:
        needed = " and ".join(missing)
        print(f"The laws need {needed}: `pip install '.[test]'` in Quadrille's sources brings them.", file=sys.stderr)
        return 2
    import pytest

    if not words or words[0].startswith("-"):
        print("Usage: python -m quadrille.laws GAME [OPTIONS OF PYTEST]", file=sys.stderr)
        return 2
    try:
        key = game(game_name(words[0])).key
    except UnknownGame as error:
        print(f"quadrille.laws: {error}", file=sys.stderr)
        return 2
    folder = os.path.dirname(__file__)
    own = ["-c", os.devnull, "--rootdir", folder, "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    return pytest.main([*own, *words[1:], folder], [Judged(key)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
