"""The files of `examples/` that the package brings along, wherever it is installed.

A wheel has them in a folder of this package. In a source tree they stand where they are written. setup.py runs this
file by itself, so it imports nothing but the standard library.
"""

from pathlib import Path
from typing import Final

#: The endings of sources and texts. A compiled bot, a class file or learned weights beside them are nobody's example.
_ENDINGS: Final = frozenset(
    {".c", ".go", ".java", ".js", ".md", ".py", ".rs", ".sh", ".toml", ".yml"},
)


def example_folder() -> Path:
    packed = Path(__file__).parent / "examples"
    return packed if packed.is_dir() else Path(__file__).parent.parent / "examples"


def example_paths(folder: Path) -> list[str]:
    """Return the paths of all examples below a folder, sorted: `first_bot.py`, `jsonlines/bot.c`."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in _ENDINGS and path.is_file() and "__pycache__" not in path.parts
    )


def example(name: str) -> Path:
    """Return the file of an example; a FileNotFoundError for a name that is none."""
    path = example_folder() / name
    if name not in example_paths(example_folder()):
        raise FileNotFoundError(f"there is no example {name}")
    return path
