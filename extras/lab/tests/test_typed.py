"""What the documents of the lab have their readers type is typed here, as it stands."""

from pathlib import Path

import pytest

from tests.guides.typed import blocks, save, typed

LAB = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.parametrize("page", [LAB / "README.md", LAB / "docs/learning.md"], ids=lambda path: path.stem)
def test_its_commands_run_as_they_stand(page: Path, tmp_path: Path) -> None:
    save(page, tmp_path)
    for block in blocks(page):
        if block.language == "sh":
            typed(block.text, tmp_path)
