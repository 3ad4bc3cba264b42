"""Foreign text, made safe to print. No other module does this.

A peer's name, chat line or reason, and any file, may contain anything: escape sequences that move the cursor or rename
the window, line ends that fake a line of ours, marks that reverse the direction of writing. Every character that is not
printable is spelled out.
"""

import re
import unicodedata
from typing import Final

from quadrille.rules.squares import JOINERS

#: The marks around a text that has a direction of its own: FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE.
ISOLATES: Final = ("\u2068", "\u2069")
_ISOLATED: Final = re.compile("\u2068[^\u2066-\u2069]*\u2069")
#: Classes of letters that are written from the right.
_FROM_THE_RIGHT: Final = frozenset({"R", "AL", "AN"})


def shown(text: str) -> str:
    """Return foreign text for use within one of our lines. Isolates in pairs stay: nothing outside of them moves."""
    if text.isprintable():
        return text
    paired = {place for pair in _ISOLATED.finditer(text) for place in (pair.start(), pair.end() - 1)}
    return "".join(letter if place in paired else _spelled(letter) for place, letter in enumerate(text))


def shown_lines(text: str) -> str:
    """Return foreign lines; only their line ends remain as they are."""
    return "\n".join(map(shown, text.split("\n")))


def isolated(name: str) -> str:
    """Return a foreign name, shown, that reorders nothing around it: digits would go to the other side of Hebrew."""
    name = shown(name)
    if name.isascii() or name[0] == ISOLATES[0]:
        return name
    is_reordered = any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in name)
    return name.join(ISOLATES) if is_reordered else name


def _spelled(letter: str) -> str:
    return letter if letter.isprintable() or letter in JOINERS else letter.encode("unicode_escape").decode("ascii")
