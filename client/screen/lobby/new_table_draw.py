"""The dialog for a new table, drawn. Pure."""

from typing import Final

from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, columns
from quadrille.client.screen.lobby.draw import LEAST_COLUMNS, LEAST_ROWS, draw_bar, draw_too_small
from quadrille.client.screen.lobby.new_table import DialogRow, NewTable, problem, request, rows_of, value_of
from quadrille.client.screen.network.news import Host
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

_LABELS: Final = 17
_VALUES: Final = 21
_FOOT: Final = 4


def draw_new(dialog: NewTable) -> Picture:
    """The screen."""
    canvas = Canvas(dialog.columns, dialog.rows, plain=dialog.look.plain)
    if dialog.rows < LEAST_ROWS or dialog.columns < LEAST_COLUMNS:
        draw_too_small(canvas, LEAST_ROWS, LEAST_COLUMNS)
        return canvas.picture()
    what = "A game against bots, here" if dialog.local else "A new table on the network"
    draw_bar(canvas, what, f"{dialog.at + 1} of {len(rows_of(dialog))}")
    rows, room = rows_of(dialog), canvas.height - _FOOT - 3
    first = max(0, min(dialog.at - room // 2, len(rows) - room))
    for number, row in enumerate(rows[first : first + room], first):
        _draw_row(canvas, dialog, 2 + number - first, number, row)
    if first > 0:
        canvas.put(1, 1, "▴", "faint")
    if first + room < len(rows):
        canvas.put(2 + room, 1, "▾", "faint")
    wrong = problem(dialog)
    told = dialog.notice or wrong
    good = "Enter begins the game." if dialog.local else "Enter opens the table."
    advice = "" if told else next(iter(_advice(dialog)), "")
    foot = canvas.height - _FOOT + 1
    canvas.put(foot - 1, 1, clipped(f"{rows[dialog.at].label}: {rows[dialog.at].help}.", canvas.width - 2), "faint")
    canvas.put(foot, 1, clipped(told or advice or good, canvas.width - 2), "alarm" if told else "")
    _draw_keys(canvas, dialog)
    return canvas.picture()


def _advice(dialog: NewTable) -> tuple[str, ...]:
    """What the game says about such a table."""
    try:
        wanted = request(dialog)
        options = dict(wanted.terms.options if isinstance(wanted, Host) else wanted.options)
        seats = wanted.terms.seats if isinstance(wanted, Host) else len(wanted.bots)
        return dialog.game.advice(dialog.game.read_options(options), seats)
    except RulesError:
        return ()


def _draw_row(canvas: Canvas, dialog: NewTable, at: int, number: int, row: DialogRow) -> None:
    chosen, value = number == dialog.at, value_of(dialog, row)
    shown = game(value).title if row.name == "game" else value
    changed = row.name in dialog.values or row.name == "game"
    canvas.put(at, 1, "▸" if chosen else " ")
    canvas.put(at, 3, row.label, "strong" if chosen else "")
    start = 3 + _LABELS
    if row.kind == "text" or (row.kind == "bot" and value not in row.choices):
        text = f"[{shown}]" if not chosen else f"[{shown}_]"
    else:
        text = f"‹ {shown} ›"
    canvas.put(at, start, clipped(text, _VALUES), "picked" if chosen else "strong" if changed else "")
    canvas.put(at, start + _VALUES + 1, clipped(row.help, canvas.width - start - _VALUES - 2), "faint")
    canvas.spot("row", f"{number}", at, 0, canvas.width)
    if row.kind != "text" or row.choices:
        canvas.spot("row", f"{number} left", at, start, 2)
        canvas.spot("row", f"{number} right", at, start + columns(text) - 2, 2)


def _draw_keys(canvas: Canvas, dialog: NewTable) -> None:
    row, column = canvas.height - 1, 1
    begin = "Play" if dialog.local else "Open"
    for key, name, word in (
        ("enter", "Enter", begin), ("escape", "Esc", "Back"), ("f1", "F1", "Rules"),
        ("up", "up, down:", "line"), ("right", "left, right:", "value"), ("", "or type", ""),
    ):  # fmt: skip
        if key:
            canvas.spot("key", key, row, column, len(name) + 1 + len(word))
        column = canvas.put(row, column, name, "key" if key else "faint")
        column = canvas.put(row, column + 1, word, "faint") + 1
