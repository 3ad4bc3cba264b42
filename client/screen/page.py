"""A page of text over everything: the rules, what was said, what the doctor finds. Its keys and its drawing; pure."""

from dataclasses import dataclass, replace
from typing import Final

from quadrille.client.screen.canvas import Canvas, Picture, box, clipped, columns, wrapped
from quadrille.client.screen.model import Click, Key, Look, Wheel

_CLOSING: Final = ("escape", "q", "f1", "f10", "c-t", "c-c", "c-q", "<sigint>")
_WHEEL: Final = 3


@dataclass(frozen=True, slots=True)
class Page:
    """A page of text over everything."""

    title: str
    lines: tuple[str, ...]
    top: int = 0


def _lines(page: Page, width: int) -> list[str]:
    """Its lines, the long ones broken where the window ends, with what is set in kept so."""
    room, found = max(1, width - 4), list[str]()
    for line in page.lines:
        indent = line[: len(line) - len(line.lstrip())][: room // 2]
        found += [line] if columns(line) <= room else [indent + part for part in wrapped(line, room - len(indent))]
    return found


def _last_top(page: Page, rows: int, width: int) -> int:
    return max(0, len(_lines(page, width)) - max(1, rows - 3))


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
        case Key(name):
            step = steps.get(name, 0)
        case Wheel(up):
            step = -_WHEEL if up else _WHEEL
        case Click(row, _):
            return None if row >= rows - 1 else page
    return replace(page, top=max(0, min(min(page.top, last) + step, last)))


def draw_page(page: Page, look: Look, rows: int, width: int) -> Picture:
    """The screen."""
    canvas = Canvas(width, rows, plain=look.plain)
    room, top, lines = max(1, rows - 3), min(page.top, _last_top(page, rows, width)), _lines(page, width)
    box(canvas, 0, 0, canvas.width, canvas.height - 1, "", page.title)
    for row, line in enumerate(lines[top : top + room], 1):
        canvas.put(row, 2, clipped(line, canvas.width - 4), "title" if line.startswith("#") else "")
    last = min(len(lines), top + room)
    told = f" lines {min(top + 1, last)} to {last} of {len(lines)}   PgDn  PgUp   Esc closes "
    canvas.put(canvas.height - 1, 1, clipped(told, canvas.width - 2), "faint")
    canvas.spot("key", "escape", canvas.height - 1, 0, canvas.width)
    return canvas.picture()
