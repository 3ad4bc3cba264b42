"""Places that are changed (mutate.py): notes at all of them, and each change alone."""

import builtins
from pathlib import Path

import pytest

from tests.mutate import changes, note_all

SOURCE = """
def told(count, least=1):
    found = []
    if 0 < count and (count != 3) is True:
        found.append(
            count + 1,
        )
    found += ["more"] if 5 in (count, 4) else [False]
    return found, count if not count >= least else -2
"""


def ran(source: str) -> list[object]:
    names: dict[str, object] = {}
    exec(source, names)
    told = names["told"]
    assert callable(told)
    return [told(count) for count in range(-1, 8)]


def test_notes_at_all_places_change_nothing_and_each_change_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, reached = tmp_path / "told.py", set[int]()
    path.write_text(SOURCE)
    drawn = list(changes(tmp_path, path))
    assert {change.kind for change in drawn} == {"comparison", "constant", "line"} and len(drawn) == 15
    note_all(tmp_path, drawn)
    monkeypatch.setattr(builtins, "_noted", reached.add, raising=False)
    assert ran(path.read_text()) == ran(SOURCE) and reached == {*range(15)}
    for change in drawn:
        assert ran(SOURCE[: change.start] + change.new + SOURCE[change.end :]) != ran(SOURCE), change
