"""The programs in the chapters of the models, run as they stand."""

from pathlib import Path

import pytest

from tests.guides.typed import blocks, typed

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.slow
def test_the_client_of_ones_own_plays_a_whole_game(tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    [program] = [block.text for block in blocks(DOCS / "mcp.md") if block.language == "python"]
    (tmp_path / "client.py").write_text(program, "utf-8")
    assert "The game is over" in typed("python client.py", tmp_path)


@pytest.mark.slow
def test_the_commands_about_lost_points_run_as_they_stand(tmp_path: Path) -> None:
    for block in blocks(DOCS / "regret.md"):
        assert block.language == "sh"
        typed(block.text, tmp_path)


def test_every_tool_is_in_the_chapter() -> None:
    pytest.importorskip("mcp")
    from quadrille.extras.models.server import DOING, READING

    table = (DOCS / "mcp.md").read_text("utf-8").partition("## The tools")[2].partition("##")[0]
    assert [name for name in (*READING, *DOING) if f"`{name}`" not in table] == []
