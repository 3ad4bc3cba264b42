"""`quadrille docs [NAME]`: the documents, without a network. On a terminal a pager shows them."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from quadrille.client.cli import interrupts
from quadrille.client.documents import EXAMPLES, READERS, Document, documents, example_folder, name_of
from quadrille.client.words.rules import listed
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import nearest, quoted

DESCRIPTION: Final = """\
Show a document: a guide, a chapter of the protocols, the README. Without a name, list them all.
A terminal shows it in your pager (PAGER, or less), as wide as the window; a pipe or a file gets the Markdown."""
#: Maximum width of a line of prose: longer lines are hard to read.
_WIDEST: Final = 100
_BOLD, _USUAL = "\x1b[1m", "\x1b[m"
#: How `less` shows bold words, and ends at once where all fits the window.
_LESS_OPTIONS: Final = "-FR"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="DOCUMENT", nargs="?", help="its name, such as play-with-friends")


def run(settings: argparse.Namespace) -> int:
    pages, width = documents(), min(shutil.get_terminal_size().columns, _WIDEST)
    if settings.name is None:
        print(_listed(pages, width))
        print("\nquadrille docs NAME shows one of them.")
        return 0
    document = pages.get(name_of(settings.name))
    if document is None:
        hint = nearest(name_of(settings.name), pages, "quadrille docs lists them all")
        raise RulesError(f"there is no document {quoted(settings.name)}: {hint}")
    text = _with_folder(document.text) if document.name == EXAMPLES else document.text
    if sys.stdout.isatty():
        _page(text, width)
    else:
        print(text, end="")
    return 0


def _listed(pages: dict[str, Document], width: int) -> str:
    """List the documents by reader, each with its first sentence; those without a reader come last."""
    known = {name for _, names in READERS for name in names}
    groups = (*READERS, ("More", tuple(name for name in pages if name not in known)))
    parts = []
    for reader, names in groups:
        if rows := [(name, pages[name].summary) for name in names if name in pages]:
            parts.append(f"{reader}\n{listed(rows, width, max(map(len, pages)))}")
    return "\n\n".join(parts)


def _with_folder(text: str) -> str:
    """Add to the list of examples where they are in this install."""
    heading, _, rest = text.partition("\n\n")
    return f"{heading}\n\nHere, `examples` is this folder:\n\n```\n{example_folder()}\n```\n\n{rest}"


def _page(text: str, width: int) -> None:
    """Show a text in the pager; where there is none, or none can be started, print it."""
    command = _pager()
    bold = bool(command) and os.path.basename(command[0]).startswith("less")
    shown = "\n".join(filled(text, width, bold=bold)) + "\n"
    if not command:
        print(shown, end="")
        return
    if bold:
        command = [*command, _LESS_OPTIONS]
    with interrupts(lambda: None):  # Ctrl-C is a key of the pager
        subprocess.run(command, input=shown, text=True, encoding="utf-8", errors="replace", check=False)  # noqa: S603


def _pager() -> list[str]:
    """Return the command of the pager: the person's own, or the system's; none where no program of that name is."""
    posix = os.name == "posix"  # elsewhere `more` knows no UTF-8
    for name in (os.environ.get("PAGER", ""), "less", "more" if posix else ""):
        with suppress(ValueError):  # an open quotation mark
            words = shlex.split(name, posix=posix)
            if words and shutil.which(words[0]):
                return words
    return []


def filled(text: str, width: int, *, bold: bool) -> Iterator[str]:
    """Fill the paragraphs, items and tables of a document for a width. Blocks of code stay as they are, set in."""
    from quadrille.client.screen.draw.prose import laid_out

    prose: list[str] = []
    code = numbered = blank = False
    for line in (*text.splitlines(), ""):
        item = re.match(r"\d+\. ", line) is not None
        if code or item or not line or line.startswith(("```", "#")):
            for row in laid_out(tuple(prose), width, prose=True) if prose else ():
                yield "".join(_bold(part) if bold and style else part for style, part in row).rstrip()
                blank = False
            prose, numbered = [line] if item and not code else [], item
            if line.startswith("```"):
                code = not code
            elif code:
                yield f"    {line}".rstrip()
            elif not item and (line or not blank):
                yield _bold(line) if bold and line else line
            blank = not line
        elif not line.startswith("<"):  # a picture
            prose.append(line.strip() if numbered else line)


def _bold(text: str) -> str:
    return f"{_BOLD}{text}{_USUAL}"
