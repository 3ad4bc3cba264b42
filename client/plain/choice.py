"""A choice between lines before there is a screen: by number, in lines that any terminal has."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Final

from quadrille.rules.drawing.plain_text import WIDTH
from quadrille.rules.squares import quoted

_LEAVING: Final = ("q", "quit", "n", "no")
_ESCAPE: Final = "\x1b"


def choose(rows: Sequence[str], ask: Callable[[str], str | None], say: Callable[[str], None]) -> int | None:
    """Return the index of the chosen line; None if the person leaves the list."""
    for number, row in enumerate(rows, 1):
        say("\n".join(wrap(row, WIDTH, initial_indent=f"{number:3}  ", subsequent_indent=" " * 5)))
    prompt = f"A number from 1 to {len(rows)}, Enter for 1, q to leave: "
    while (line := ask(prompt)) is not None:
        word = line.strip().lower()
        if word in _LEAVING or word.startswith(_ESCAPE):
            return None
        if not word:
            return 0
        if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= len(rows):
            return int(word[:4]) - 1
        say(f"There is no {quoted(line)} in this list.")
    return None
