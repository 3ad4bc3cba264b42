"""A page of text over everything: the rules, the chat, the doctor's findings. Its keys and its drawing; pure.

See draw/prose.py for the layout of its lines.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from quadrille.client.screen.draw.canvas import Canvas, Picture, Row
from quadrille.client.screen.draw.prose import laid_out
from quadrille.client.screen.table import terminal
from quadrille.client.words.rules import rules_text
from quadrille.rules.core import Game
from quadrille.value import value

_WHEEL: Final = 3
#: Keys that mean the same on every screen with a line, at the end of its help.
_EVERYWHERE: Final = (
    ("Ctrl-P, Ctrl-N", "lines that were typed before"),
    ("Ctrl-L, Ctrl-Z", "draw the screen again; go to the background, fg comes back"),
)


@value
class Page:
    """A page of text, scrolled to the line `top`; `prose` is in the form of the rules. Tab turns to the `other`."""

    title: str
    lines: tuple[str, ...]
    top: int = 0
    prose: bool = False
    other: "Page | None" = None


def rules_page(played: Game[Any, Any]) -> Page:
    """Make a page of the rules of a game; the frame has the heading."""
    lines = tuple(rules_text(played).splitlines()[2:])
    return Page(f"{played.title}: rules", lines, prose=True)


def keys_page(title: str, *parts: tuple[str, Sequence[tuple[str, str]]]) -> Page:
    """Make a page of keys and words with what they do: each part below its heading, in columns that all share."""
    parts = (*parts, ("# On every screen", _EVERYWHERE))
    widest = max(len(name) for _, rows in parts for name, _ in rows)
    lines = ([head, "", *(f"  {name:{widest}}  {text}" for name, text in rows), ""] for head, rows in parts)
    return Page(title, tuple(chain(*lines))[:-1], prose=True)


def _laid_out(page: Page, rows: int, width: int) -> tuple[tuple[Row, ...], int, int]:
    """Return the rows of the page, how many fit, and the last possible top row."""
    lines, room = laid_out(page.lines, max(1, width - 4), prose=page.prose), max(1, rows - 3)
    return lines, room, max(0, len(lines) - room)


def is_at_end(page: Page, rows: int, width: int) -> bool:
    """Return whether the page's last line is visible."""
    return page.top >= _laid_out(page, rows, width)[2]


def turned(page: Page, event: terminal.Key | terminal.Wheel, rows: int, width: int) -> Page | None:
    """Turn the page by a key or the wheel; return None if it is closed."""
    _, room, last = _laid_out(page, rows, width)
    steps = {
        "up": -1, "down": 1, "pageup": -room, "pagedown": room, " ": room, "enter": room, "home": -last, "end": last,
    }  # fmt: skip
    match event:
        case terminal.Key(name) if name in terminal.CLOSES:
            return None
        case terminal.Key("tab") if page.other is not None:
            return replace(page.other, other=replace(page, other=None))
        case terminal.Key(name):
            step = steps.get(name, 0)
        case terminal.Wheel(up):
            step = -_WHEEL if up else _WHEEL
    return replace(page, top=max(0, min(min(page.top, last) + step, last)))


def draw_page(page: Page, look: terminal.Look, rows: int, width: int) -> Picture:
    canvas = Canvas(width, rows, plain=look.plain)
    lines, room, last = _laid_out(page, rows, width)
    top = min(page.top, last)
    canvas.box(0, 0, canvas.width, canvas.height - 1, "", page.title)
    for number, line in enumerate(lines[top : top + room], 1):
        at = 2
        for style, text in line:
            at = canvas.put(number, at, text, style, most=max(1, width - 2 - at))
    position = f" lines {min(top + 1, len(lines))} to {min(len(lines), top + room)} of {len(lines)}"
    at = canvas.put(canvas.height - 1, 1, position, "faint")
    other = [("tab", "Tab", page.other.title.rpartition(": ")[2])] if page.other is not None else []
    canvas.draw_page_keys(at + 2, (("pagedown", "PgDn", ""), ("pageup", "PgUp", ""), *other))
    return canvas.picture()
