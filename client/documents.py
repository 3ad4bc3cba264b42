"""The texts that the package brings along: README, guides and protocols, listed by reader, and the examples.

A wheel has them in folders of this package. In a source tree they stand where they are written. setup.py runs this file
by itself, so it imports nothing but the standard library.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

#: The endings of sources and texts. A compiled bot, a class file or learned weights beside them are nobody's example.
_EXAMPLES: Final = frozenset({".c", ".go", ".java", ".js", ".md", ".py", ".rs", ".sh", ".toml", ".yml"})
#: The name of the list of examples, which is a README of its own.
EXAMPLES: Final = "examples"
#: The reader of each document. A document that is not here is listed with the last ones.
READERS: Final = (
    ("To play", ("readme", "play-with-friends", "security")),
    ("To write a bot", ("first-bot", EXAMPLES, "strong-bot", "games", "engine", "search", "bots", "isolation")),
    ("To run a tournament", ("run-a-tournament", "tournaments", "statistics", "journal")),
    ("To write another peer", (
        "protocols", "discovery", "links", "hall", "identity", "rooms", "tables", "gathering", "log", "play",
        "cards", "phones")),
    ("To read files", ("records",)),
    ("To see how our games do", (
        "playtest-barons", "playtest-coin-isolation", "playtest-dollar-draw", "playtest-dotter", "playtest-maze",
    )),
    ("To work on Quadrille", ("architecture", "contributing", "add-a-game", "card-game", "plug-in", "changelog")),
)  # fmt: skip


class Document(NamedTuple):
    """A document in Markdown, by the name that `quadrille docs` takes."""

    name: str
    file: Path

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")

    @property
    def summary(self) -> str:
        """The first sentence after the heading; the heading itself where no sentence follows."""
        heading, _, rest = self.text.partition("\n")
        paragraph = re.match(r"\n*([^\W\d_][^\n]*(?:\n[^\n]+)*)\n*(?:\n|$)", rest)
        if not paragraph:
            return heading.lstrip("# ") + "."
        text = re.sub(r"\[([^]]*)\]\([^)]*\)|[*`]", r"\1", " ".join(paragraph[1].split()))
        return re.split(r"(?<=[.:])\s", text, maxsplit=1)[0].rstrip(":.") + "."


def documents() -> dict[str, Document]:
    """Return all documents by their names, in the order of the list."""
    packed = Path(__file__).parent / "docs"
    root = packed if packed.is_dir() else Path(__file__).parent.parent
    patterns = ("*.md", "docs/**/*.md", "extras/*/docs/**/*.md")
    found = {name_of(path.name): path for pattern in patterns for path in root.glob(pattern)}
    readmes = (*root.glob("extras/*/README.md"), *example_folder().glob("README.md"))
    found |= {path.parent.name: path for path in readmes}
    order = [name for _, names in READERS for name in names if name in found]
    return {name: Document(name, found[name]) for name in (*order, *sorted(found.keys() - set(order)))}


def name_of(path: str) -> str:
    """Return a document's name; a path such as docs/protocols/bots.md will do for it."""
    return path.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".md")


def example_folder() -> Path:
    packed = Path(__file__).parent / "examples"
    return packed if packed.is_dir() else Path(__file__).parent.parent / "examples"


def example_paths(folder: Path) -> list[str]:
    """Return the paths of all examples below a folder, sorted: `first_bot.py`, `jsonlines/bot.c`."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in _EXAMPLES and path.is_file() and "__pycache__" not in path.parts
    )


def example(name: str) -> Path:
    """Return the file of an example; a FileNotFoundError for a name that is none."""
    path = example_folder() / name
    if name not in example_paths(example_folder()):
        raise FileNotFoundError(f"there is no example {name}")
    return path
