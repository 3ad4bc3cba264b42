"""The documents as tests read them: sections by their title, blocks by their language, rows of tables, links, anchors.

`protocols.md` is the way in; its chapters are the files of `docs/protocols/`. A test names a section by its title, and
finds it in whichever chapter it stands.
"""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENTRANCE = ROOT / "protocols.md"
CHAPTERS = (ENTRANCE, *sorted((ROOT / "docs" / "protocols").glob("*.md")), *sorted(ROOT.glob("extras/*/docs/*.md")))
FENCE = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)|!\[[^\]]*\]\(([^()\s]+)\)")


def documents() -> list[Path]:
    """Return the documents that `quadrille docs` shows, where they are written."""
    kinds = ("*.md", "docs/**/*.md", "extras/*/README.md", "extras/*/docs/*.md")
    return sorted(path for kind in kinds for path in ROOT.glob(kind))


def name_of(path: Path) -> str:
    """Return what `quadrille docs` calls it: the README of an extra by the name of its folder."""
    return (path.parent.name if path.stem == "README" and path.parent != ROOT else path.stem).lower()


@cache
def read(path: Path) -> str:
    return path.read_text("utf-8")


def chapter(stem: str) -> str:
    """Return a whole chapter by its file's stem, `protocols` for the way in."""
    [path] = [path for path in CHAPTERS if path.stem == stem]
    return read(path)


def everything() -> str:
    """Return the way in and all chapters, one after another."""
    return "\n".join(map(read, CHAPTERS))


def prose(text: str) -> str:
    """Return a text without its blocks, line for line: what looks like a heading in a block is none."""
    return FENCE.sub(lambda found: "\n" * found[0].count("\n"), text)


def headings(text: str) -> list[tuple[int, str]]:
    return [(len(marks), title) for marks, title in re.findall(r"^(#{1,6}) (.+?)\s*$", prose(text), re.MULTILINE)]


def section(title: str, stem: str | None = None) -> str:
    """What stands under a title, with its smaller headings: the only section of that title, or that of a chapter."""
    found = []
    for text in [chapter(stem)] if stem else map(read, CHAPTERS):
        lines, bare = text.split("\n"), prose(text).split("\n")
        for start, line in enumerate(bare):
            heading = re.match(r"(#{1,6}) (.+?)\s*$", line)
            if heading is None or heading[2] != title:
                continue
            ends = (at for at in range(start + 1, len(bare)) if re.match(rf"#{{1,{len(heading[1])}}} ", bare[at]))
            found.append("\n".join(lines[start + 1 : next(ends, len(bare))]))
    assert len(found) == 1, f"{len(found)} sections have the title {title!r}"
    return found[0]


def blocks(language: str, text: str | None = None) -> list[str]:
    """Return the blocks of a language in a text, or in all chapters."""
    return [body for kind, _, body in FENCE.findall(everything() if text is None else text) if kind == language]


def block(language: str, text: str | None = None) -> str:
    [body] = blocks(language, text)
    return str(body)


def values(language: str, text: str | None = None) -> dict[str, str]:
    """Return a block of vectors: a name and its value in each line."""
    return dict(line.split(" ", 1) for line in block(language, text).splitlines())


def table(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table whose first row begins so, this row among them."""
    rows = text[text.index(f"\n| {heading}") :].strip().split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip()[1:-1].split("|")] for row in rows if not row.startswith("| ---")]


def anchors(text: str) -> set[str]:
    """Return the anchors of a text's headings, as GitHub makes them, and those that are written out."""
    made: set[str] = set()
    for _, title in headings(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        numbered = (anchor if number == 0 else f"{anchor}-{number}" for number in range(1000))
        made.add(next(each for each in numbered if each not in made))
    return made | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def links(text: str) -> list[str]:
    """Return the targets of a text's links and pictures; what stands in a block or between backticks is none."""
    bare = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", prose(text))
    html = re.findall(r'(?:src|href|srcset)="([^"]+)"', bare)
    return [link or picture for link, picture in _LINK.findall(bare)] + html
