"""The chapters of the league: the tests that they name are there."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_each_test_that_a_chapter_names_is_there() -> None:
    there = "".join(path.read_text("utf-8") for path in HERE.glob("*.py"))
    told = "".join(path.read_text("utf-8") for path in HERE.parent.glob("docs/*.md"))
    named = re.findall(r"`(test_\w+)`", told)
    assert len(named) >= 4 and not [name for name in named if f"def {name}(" not in there]
