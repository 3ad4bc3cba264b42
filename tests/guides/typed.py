"""What README and guides have their readers type, so that tests can type it too.

In a document a block of code begins with its language, and perhaps a second word:

    ```sh               commands, typed in a folder and a home made for the document, one block after the other
    ```sh Ann           the same at Ann's machine: tests/guides/test_scenes.py types it there
    ```console          a command after `$ `, and what it prints; … stands for anything in a line
    ```python           a program that runs by itself
    ```python bot.py    a file that the reader saves under that name; so it is with any other language
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.documents import FENCE, ROOT, prose

GUIDES = ROOT / "docs/guides"
#: Languages of blocks that are typed, and not saved.
_TYPED = ("sh", "console")
#: Those who carry Quadrille to machines without internet: tests/packaging/test_packaging.py types what they do.
OFFLINE = ("Dora", "Eli")
_INLINE = re.compile(r"`((?:\.venv/bin/)?quadrille [^`]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: its language, the second word ("" for none), and its lines."""

    language: str
    word: str
    text: str

    @property
    def file(self) -> str:
        """Return the name under which a reader saves it; "" for what is typed or only read."""
        return "" if self.language in _TYPED else self.word


def blocks(path: Path) -> list[Block]:
    """Return all blocks of a document that say their language, in order."""
    return [Block(*found) for found in FENCE.findall(path.read_text("utf-8")) if found[0] not in ("", "text")]


def commands(path: Path) -> Iterator[str]:
    """Yield every command line that begins with quadrille: in blocks, in sentences, and in steps of a workflow."""
    yield from re.findall(r"- run: (quadrille .*)", path.read_text("utf-8"))
    for block in blocks(path):
        if block.language in _TYPED:
            for line in block.text.splitlines():
                if found := re.match(r"(?:\$ )?(?:.*[|&] *)?(?:\S*/)?(quadrille(?: .*)?)$", line):
                    yield found[1]
    inline = _INLINE.findall(prose(path.read_text("utf-8")))
    yield from (re.sub(r"\s+", " ", found).removeprefix(".venv/bin/") for found in inline)


def surroundings(folder: Path) -> dict[str, str]:
    """Return the environment of a person whose home is in that folder, with our Python's programs at hand."""
    programs = str(Path(sys.executable).parent)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QUADRILLE_", "PYTHON"))}
    own = {"QUADRILLE_HOME": str(folder / "home"), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    return {**kept, **own, "COLUMNS": "80", "PYTHONUTF8": "1"}


def save(path: Path, folder: Path) -> None:
    for block in blocks(path):
        if block.file:
            (folder / block.file).write_text(block.text, "utf-8")


def typed(text: str, folder: Path, **more: str) -> str:
    """Type lines in a folder, and return what they print; the first one that fails ends it."""
    words = ["bash", "-euo", "pipefail", "-c", text]
    done = subprocess.run(
        words, cwd=folder, env=surroundings(folder) | more, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    out, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0, f"{text}\n{out}\n{errors}"
    assert "Traceback" not in errors, errors
    return out


def printed_as_shown(session: str, folder: Path) -> None:
    """Type the commands of a console block, and compare what each prints with what stands there."""
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        out = typed(command, folder)
        pattern = re.escape(shown).replace("…", ".*")
        assert re.fullmatch(pattern, out), f"$ {command}\n{out}\nis not\n{shown}"
