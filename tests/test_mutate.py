"""Places that are changed (mutate.py): notes at all of them, and each change alone."""

import builtins
import subprocess
from pathlib import Path

import pytest

from tests.mutate import changes, draw, note_all

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


def test_with_since_only_lines_are_changed_that_were_written_since(tmp_path: Path) -> None:
    def commit() -> None:
        for command in ("add .", "-c user.name=Ann -c user.email=ann@example.org commit -qm more"):
            subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)

    path = tmp_path / "rules" / "told.py"
    path.parent.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    path.write_text(SOURCE)
    commit()
    path.write_text(f"first = 7\n{SOURCE.replace('count + 1,', 'count - 1,')}")
    (tmp_path / "tests.py").write_text("other = 8")
    commit()
    drawn = draw(tmp_path, seed=1, most=9, since="HEAD~1")
    assert {(change.line, change.old) for change in drawn} == {(1, "7"), (7, "1")}
    assert len(draw(tmp_path, seed=1, most=1, since="HEAD~1")) == 1
    assert not draw(tmp_path, seed=1, most=9, since="HEAD")
