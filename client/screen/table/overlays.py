"""What lies over the board for a while: rules and keys, the menu, a covered hand, a window that is too small."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from quadrille.client.screen.draw.canvas import Canvas, box, clipped, text_lines, wrapped
from quadrille.client.screen.table.model import Cover, Menu, Model, Page
from quadrille.client.screen.table.page import rules_page
from quadrille.client.words.commands import key_name, offered
from quadrille.rules.plain_text import letter

#: Where it is told what keys do.
_KEY: Final = 22
#: What else a key does: for the help.
_OTHER_KEYS: Final = (
    ("letters, digits", "type a move or a word at the prompt, wherever you are"),
    ("arrows", "move the cursor on the board"),
    ("Enter", "on the board: pick; once more: play. After typing: do what is typed"),
    ("Space", "on the board: pick, or put back"),
    ("Backspace", "on the board: drop what was picked last"),
    ("mouse", "click to pick, click again to play; everything at the edges too"),
    ("Tab", "complete what is typed"),
    ("Ctrl-P, Ctrl-N", "lines that were typed before"),
    ("Esc", "clear the line, close what is open"),
    ("Ctrl-L", "draw the screen again"),
    ("Ctrl-Z", "go to the background; fg comes back"),
)
_REPLAY_KEYS: Final = (
    ("left, right", "one move back or on"),
    ("PgUp, PgDn", "ten moves back or on"),
    ("Home, End", "the start, the last position"),
    ("Space", "go on by itself, or stop"),
    ("Enter", "play on from here"),
    ("Esc", "back to the table"),
)


def help_page(model: Model) -> Page:
    """The rules; the keys are behind them."""
    played = model.table.match.game
    rows = (*_OTHER_KEYS, *(command.row for command in offered(model.table.place)))
    lines = ("# Keys and words at the table", "", *_listed(rows), "")
    lines += ("# While looking back", "", *_listed(_REPLAY_KEYS))
    return replace(rules_page(played), other=Page(f"{played.title}: keys", lines, prose=True))


def _listed(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"  {name:{_KEY}}{text}" for name, text in rows)


def draw_menu(canvas: Canvas, model: Model, overlay: Menu) -> None:
    """The list in the middle."""
    commands = offered(model.table.place)
    width, high = min(66, canvas.width), min(len(commands) + 2, canvas.height - 2)
    top, left = (canvas.height - 1 - high) // 2, (canvas.width - width) // 2
    box(canvas, top, left, width, high, "", "What can be done")
    first = max(0, min(overlay.at - (high - 3), len(commands) - (high - 2)))
    for row, number in enumerate(range(first, min(len(commands), first + high - 2)), top + 1):
        command = commands[number]
        chosen = number == overlay.at
        key = key_name(command.key)
        text = f"{'▸' if chosen else ' '} {command.word:9} {key:6} {command.help}"
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
