"""What lies over the board for a while: rules and keys, the menu, a covered hand, a window that is too small."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from quadrille.client.pages import rules_text
from quadrille.client.screen.actions import OTHER_KEYS, REPLAY_KEYS, Action, actions_at, key_name
from quadrille.client.screen.canvas import Canvas, box, clipped, text_lines, wrapped
from quadrille.client.screen.model import Cover, Help, Menu, Model
from quadrille.rules.core import Game
from quadrille.rules.plain_text import letter

#: The widest line of the help, and where it is told what keys do.
_HELP: Final = 76
_KEY: Final = 24


def actions_of(model: Model) -> tuple[Action, ...]:
    """What can be done at this table."""
    return actions_at(local=model.table.local)


@lru_cache(maxsize=4)
def _help_text(played: Game, *, local: bool) -> tuple[str, ...]:  # type: ignore[type-arg]
    lines = ["Keys of this screen (the arrows turn the pages, Esc closes)", ""]
    rows = [(name, text) for name, text in OTHER_KEYS]
    for action in actions_at(local=local):
        word = f"{action.word} {action.takes}".strip()
        rows.append((f"{key_name(action.key)}, {word}" if action.key else word, action.help))
    lines += _listed(rows)
    lines += ["", "While looking back", "", *_listed(REPLAY_KEYS), ""]
    return (*lines, *rules_text(played).splitlines())


def _listed(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in rows:
        first, *more = wrapped(text, _HELP - _KEY)
        yield f"  {name:{_KEY - 2}}{first}"
        yield from (" " * _KEY + line for line in more)


def help_lines(model: Model) -> tuple[str, ...]:
    """The keys, then the rules."""
    return _help_text(model.table.match.game, local=model.table.local)


def help_top(model: Model, top: int) -> int:
    """A first line that leaves no empty page."""
    return max(0, min(top, len(help_lines(model)) - (model.rows - 4)))


def draw_help(canvas: Canvas, model: Model, overlay: Help) -> None:
    """A page of it, over everything but the last line."""
    room = canvas.height - 3
    lines = help_lines(model)
    top = help_top(model, overlay.top)
    title = f"{model.table.match.game.title}: keys and rules"
    box(canvas, 0, 0, canvas.width, canvas.height - 1, "", title)
    for row, line in enumerate(lines[top : top + room], 1):
        style = "title" if line.startswith("#") or (top == 0 and row == 1) else ""
        canvas.put(row, 2, clipped(line, canvas.width - 4), style)
    last = min(len(lines), top + room)
    told = f" lines {top + 1} to {last} of {len(lines)}   PgDn  PgUp   Esc closes "
    canvas.wipe(canvas.height - 1, 0, canvas.width, 1)
    canvas.put(canvas.height - 1, 1, clipped(told, canvas.width - 2), "faint")
    canvas.spot("key", "escape", canvas.height - 1, 0, canvas.width)


def draw_menu(canvas: Canvas, model: Model, overlay: Menu) -> None:
    """The list in the middle."""
    actions = actions_of(model)
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
    text = (
        f"{title} needs a window of {wide} x {rows} characters here. This one has {canvas.width} x {canvas.height}:"
        " make it larger, or take smaller letters. quadrille play --plain needs no size at all. Ctrl-Q leaves."
    )
    text_lines(canvas, 0, 0, canvas.width, wrapped(text, max(1, canvas.width - 1), canvas.height))
