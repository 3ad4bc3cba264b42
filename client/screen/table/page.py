"""A page of text over everything: the rules, what was said, what the doctor finds. Its keys and its drawing; pure.

How its lines fit in the window is prose.py's affair.
"""

from dataclasses import replace
from typing import Any, Final

from quadrille.client.pages import rules_text
from quadrille.client.screen.draw.canvas import Canvas, Picture, Row, box, columns
from quadrille.client.screen.draw.prose import laid_out
from quadrille.client.screen.table.model import Click, Key, Look, Page, Wheel
from quadrille.rules.core import Game

_CLOSING: Final = ("escape", "q", "f1", "f10", "c-t", "c-c", "c-q", "<sigint>")
_WHEEL: Final = 3


def rules_page(played: Game[Any, Any]) -> Page:
    """The rules of a game."""
    return Page(f"{played.title}: rules", tuple(rules_text(played).splitlines()), prose=True)


def _rows(page: Page, width: int) -> tuple[Row, ...]:
    return laid_out(page.lines, max(1, width - 4), prose=page.prose)


def _last_top(page: Page, rows: int, width: int) -> int:
    return max(0, len(_rows(page, width)) - max(1, rows - 3))


def is_at_end(page: Page, rows: int, width: int) -> bool:
    """Whether its last line is to be seen."""
    return page.top >= _last_top(page, rows, width)


def turned(page: Page, event: Key | Click | Wheel, rows: int, width: int) -> Page | None:
    """The page after a key or the mouse; None when it is closed."""
    room, last = max(1, rows - 3), _last_top(page, rows, width)
    steps = {
        "up": -1, "down": 1, "pageup": -room, "pagedown": room, " ": room, "enter": room, "home": -last, "end": last,
    }  # fmt: skip
    match event:
        case Key(name) if name in _CLOSING:
            return None
        case Key("tab") if page.other is not None:
            return replace(page.other, other=replace(page, other=None))
        case Key(name):
            step = steps.get(name, 0)
        case Wheel(up):
            step = -_WHEEL if up else _WHEEL
        case Click(row, column):
            spot = draw_page(page, Look(), rows, width).at(row, column)
            return turned(page, Key(spot.name), rows, width) if spot else page
    return replace(page, top=max(0, min(min(page.top, last) + step, last)))


def draw_page(page: Page, look: Look, rows: int, width: int) -> Picture:
    """The screen."""
    canvas = Canvas(width, rows, plain=look.plain)
    room, top, lines = max(1, rows - 3), min(page.top, _last_top(page, rows, width)), _rows(page, width)
    box(canvas, 0, 0, canvas.width, canvas.height - 1, "", page.title)
    for number, line in enumerate(lines[top : top + room], 1):
        at = 2
        for style, text in line:
            at = canvas.put(number, at, text, style, most=max(1, width - 2 - at))
    _draw_bar(canvas, page, f" lines {min(top + 1, len(lines))} to {min(len(lines), top + room)} of {len(lines)}")
    return canvas.picture()


def _draw_bar(canvas: Canvas, page: Page, told: str) -> None:
    """Where this is, and the keys, each to be clicked; all that is beside them closes."""
    row = canvas.height - 1
    canvas.spot("key", "escape", row, 0, canvas.width)
    at = canvas.put(row, 1, told, "faint")
    other = [("tab", f"Tab {page.other.title.rpartition(': ')[2]}")] if page.other is not None else []
    for name, text in (("pagedown", "PgDn"), ("pageup", "PgUp"), *other, ("escape", "Esc closes")):
        canvas.spot("key", name, row, at + 2, columns(text))
        at = canvas.put(row, at + 2, text, "faint")
