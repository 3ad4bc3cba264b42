"""What lies over the board for a while: rules and keys, the menu, a covered hand, a window that is too small."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from quadrille.client.screen.draw.canvas import Canvas, box, clipped, text_lines, wrapped
from quadrille.client.screen.table.actions import OTHER_KEYS, REPLAY_KEYS, actions_at, key_name
from quadrille.client.screen.table.model import Cover, Menu, Model, Page
from quadrille.client.screen.table.page import rules_page
from quadrille.rules.plain_text import letter

#: Where it is told what keys do.
_KEY: Final = 22


def help_page(model: Model) -> Page:
    """The rules; the keys are behind them."""
    played = model.table.match.game
    rows = list(OTHER_KEYS)
    for action in actions_at(model.table):
        word = f"{action.word} {action.takes}".strip()
        rows.append((f"{key_name(action.key)}, {word}" if action.key else word, action.help))
    lines = ("# Keys and words at the table", "", *_listed(rows), "", "# While looking back", "", *_listed(REPLAY_KEYS))
    return replace(rules_page(played), other=Page(f"{played.title}: keys", lines, prose=True))


def _listed(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"  {name:{_KEY}}{text}" for name, text in rows)


def draw_menu(canvas: Canvas, model: Model, overlay: Menu) -> None:
    """The list in the middle."""
    actions = actions_at(model.table)
    width, high = min(66, canvas.width), min(len(actions) + 2, canvas.height - 2)
    top, left = (canvas.height - 1 - high) // 2, (canvas.width - width) // 2
    box(canvas, top, left, width, high, "", "What can be done")
    first = max(0, min(overlay.at - (high - 3), len(actions) - (high - 2)))
    for row, number in enumerate(range(first, min(len(actions), first + high - 2)), top + 1):
        action = actions[number]
        chosen = number == overlay.at
        key = key_name(action.key) if action.key else ""
        text = f"{'▸' if chosen else ' '} {action.word:9} {key:6} {action.help}"
        canvas.put(row, left + 1, clipped(text, width - 2).ljust(width - 2), "chosen" if chosen else "")
        canvas.spot("key", f"menu {number}", row, left + 1, width - 2)


def draw_cover(canvas: Canvas, model: Model, overlay: Cover) -> None:
    """Nothing of anybody's hand: who is to take the keyboard."""
    who = f"{letter(overlay.seat)} {model.table.called(overlay.seat)}"
    lines = [f"It is the turn of {who}.", "", "Hand the keyboard over; nobody else looks.", "Enter shows the table."]
    width = min(canvas.width, 50)
    top, left = (canvas.height - 8) // 2, (canvas.width - width) // 2
    box(canvas, top, left, width, 8, "", model.table.match.game.title)
    fitting = [line for text in lines for line in wrapped(text, width - 6) or [""]]
    text_lines(canvas, top + 2, left + 3, width - 5, fitting)
    canvas.spot("key", "enter", 0, 0, canvas.width, canvas.height)


def draw_small(canvas: Canvas, model: Model, needs: tuple[int, int]) -> None:
    """What is needed; nothing else would be readable."""
    title, (rows, wide) = model.table.match.game.title, needs
    plain = "quadrille play --plain" if model.table.local else "quadrille resume --plain"
    text = (
        f"{title} needs a window of {wide} x {rows} characters here. This one has {canvas.width} x {canvas.height}:"
        f" make it larger, or take smaller letters. {plain} needs no size at all. Ctrl-Q leaves."
    )
    text_lines(canvas, 0, 0, canvas.width, wrapped(text, max(1, canvas.width - 1), canvas.height))
