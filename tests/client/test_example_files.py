"""The examples that the package brings along: each is found, and what is no source stays out."""

from pathlib import Path

import pytest

from quadrille.client.example_files import example, example_folder, example_paths

ROOT = Path(__file__).parents[2]


def test_every_example_is_found_by_its_path() -> None:
    assert {"README.md", "first_bot.py", "jsonlines/bot.c", "wire/bot.py"} <= set(example_paths(example_folder()))
    assert example("jsonlines/bot.c") == ROOT / "examples/jsonlines/bot.c"
    for name in ("../setup.py", "jsonlines", "none.py"):
        with pytest.raises(FileNotFoundError, match=r"there is no example"):
            example(name)


def test_what_is_built_beside_an_example_is_no_example(tmp_path: Path) -> None:
    for name in ("a/bot.c", "a/bot", "a/Bot.class", "weights.npz", "__pycache__/x.py", ".github/ci.yml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert example_paths(tmp_path) == [".github/ci.yml", "a/bot.c"]
