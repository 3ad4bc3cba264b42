"""All changes written into one tree (mutate.py) are what each of them is alone."""

import builtins
from pathlib import Path

import pytest

from tests.mutate import apply, changes

SOURCE = """
def told(count, least=1):
    found = []
    if 0 < count and (count != 3) is True:
        found.append(
            count + 1,
        )
    found += ["more"] if 5 in (count, 6) else [False]
    return found, count if not count >= least else -2
"""


def ran(source: str) -> list[object]:
    names: dict[str, object] = {}
    exec(source, names)
    told = names["told"]
    assert callable(told)
    return [told(count) for count in range(-1, 8)]


def test_each_change_does_the_same_beside_all_others_as_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "told.py"
    path.write_text(SOURCE)
    drawn = list(changes(tmp_path, path))
    assert {change.kind for change in drawn} == {"comparison", "constant", "line"} and len(drawn) == 15
    apply(tmp_path, drawn)
    for place, change in enumerate(drawn):
        monkeypatch.setattr(builtins, "_changed", lambda asked, place=place: asked == place, raising=False)
        alone = SOURCE[: change.start] + change.new + SOURCE[change.end :]
        assert ran(path.read_text()) == ran(alone), change
    monkeypatch.setattr(builtins, "_changed", lambda asked: False)
    assert ran(path.read_text()) == ran(SOURCE)
