"""The dialog for a new table on the screen: its keys, clicks and letters, and its drawing. Pure."""

from dataclasses import replace
from typing import Final, TypeAlias

from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, columns, window, wrapped
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.lobby.new_table import DialogRow, NewTable, request, rows_of, value_of
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Effect, Event
from quadrille.client.screen.table.page import Page, rules_page
from quadrille.client.screen.table.terminal import heard, stepped
from quadrille.client.table.wishes import Host
from quadrille.client.words.story import sentence, stopped
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

#: Rows that stay when another game is chosen.
_KEPT: Final = ("bot", "guests", "ask", "clock", "names", "watchers", "grace", "lot", "hints")
_LONGEST: Final = 200
#: Columns of labels and of values, the column of the explanation, its widest lines, and rows at the foot.
_LABELS: Final = 15
_VALUES: Final = 23
_BESIDE: Final = 45
_WIDEST: Final = 64
_FOOT: Final = 4
#: Minimum columns at which the arrow keys are named in words.
_WORDY: Final = 76
#: Minimum rows of a window in which blank rows separate the groups.
_ROOMY: Final = 30

Effects: TypeAlias = tuple[Effect | NewGame | Host | Page, ...]


def update_new(dialog: NewTable, event: Event) -> tuple[NewTable | None, Effects]:
    """Update the dialog by an event; return None in its place if it is closed, and the effects."""
    match event:
        case terminal.Key(name):
            return _key(replace(dialog, notice="", refused=dialog.refused and _replaces(dialog, name)), name)
        case terminal.Pasted(text):
            for sign in text.split("\n")[0][:_LONGEST]:
                dialog = _typed(dialog, sign)
            return dialog, ()
        case terminal.Click(_, name):
            number, _, turn = name.partition(" ")
            chosen = replace(dialog, at=int(number), notice="")
            return (_turned(chosen, {"left": -1, "right": 1}[turn]) if turn else chosen), ()
        case terminal.Wheel(up):
            return _key(dialog, "up" if up else "down")
        case terminal.Told(text):
            return replace(dialog, notice=text), ()
    return heard(dialog, event), ()


def _key(dialog: NewTable, key: str) -> tuple[NewTable | None, Effects]:
    row = dialog.row
    match key:
        case "enter" | " " | "left" | "right" if row.kind == "more":
            return replace(dialog, more=not dialog.more), ()
        case "escape" | "c-q" | "c-c" | "<sigint>":
            return None, ()
        case "f1" | "f6":
            return dialog, (rules_page(dialog.game),)
        case "enter":
            try:
                return None, (request(dialog),)
            except (RulesError, NetError) as error:
                return replace(dialog, notice=sentence(str(error)), refused=True), ()
        case "tab" | "s-tab":
            return _key(dialog, "down" if key == "tab" else "up")
        case "left" | "right":
            return _turned(dialog, 1 if key == "right" else -1), ()
        case "backspace" | "delete" | "c-u":
            text = "" if key == "c-u" else value_of(dialog, row)[:-1]
            return (_set(dialog, row, text) if _is_typed(dialog, row) else dialog), ()
        case " " if row.choices and not (row.kind == "bot" and _is_typed(dialog, row)):
            return _turned(dialog, 1), ()
    if (at := stepped(dialog.at, key, len(rows_of(dialog)))) is not None:
        return replace(dialog, at=at), ()
    return (_typed(dialog, key) if len(key) == 1 else dialog), ()


def _turned(dialog: NewTable, step: int) -> NewTable:
    """Set a line to its next or previous value."""
    row = dialog.row
    now = value_of(dialog, row)
    if row.kind == "number":
        number = int(now) if now.isascii() and now.isdigit() and len(now) < 6 else row.least
        return _set(dialog, row, str(max(row.least, min(row.most, number + step))))
    if not row.choices:
        return dialog
    at = row.choices.index(now) + step if now in row.choices else 0
    return _set(dialog, row, row.choices[at % len(row.choices)])


def _is_typed(dialog: NewTable, row: DialogRow) -> bool:
    """Return whether the value of a line has letters that can be deleted."""
    return row.kind in ("number", "text") or (row.kind == "bot" and value_of(dialog, row) not in row.choices)


def _typed(dialog: NewTable, sign: str) -> NewTable:
    """Add a letter to a typed value, or go to the next choice that begins with it."""
    row = dialog.row
    is_typed = _is_typed(dialog, row)
    if not sign.isprintable() or (row.kind == "number" and not (sign.isascii() and sign.isdigit())):
        return dialog
    fitting = [choice for choice in row.choices if choice.startswith(sign.lower())]
    if row.kind == "choice" or (row.kind == "bot" and fitting and not is_typed):
        now = value_of(dialog, row)
        at = row.choices.index(now) if now in row.choices else 0
        later = [choice for choice in row.choices[at + 1 :] if choice in fitting]
        return _set(dialog, row, (later or fitting)[0]) if fitting else dialog
    before = dialog.values.get(row.name, "") if is_typed and not dialog.refused else ""
    fresh = before + sign if row.kind != "number" or len(before) < 4 else sign
    return _set(replace(dialog, refused=False), row, fresh[:_LONGEST])


def _replaces(dialog: NewTable, key: str) -> bool:
    """Return whether a key starts a new value in place of a refused one."""
    return len(key) == 1 and key != " " and _is_typed(dialog, dialog.row)


def _set(dialog: NewTable, row: DialogRow, value: str) -> NewTable:
    """Set the value of a line. Another game has other options; a preset replaces single ones."""
    if row.name == "game":
        kept = {name: text for name, text in dialog.values.items() if name.split()[0] in _KEPT}
        return replace(dialog, key=value, values=kept)
    values = {**dialog.values, row.name: value}
    if row.name == "preset":
        values = {name: text for name, text in values.items() if not name.startswith("set ")}
    return replace(dialog, values=values)


# Drawing


def draw_new(dialog: NewTable) -> Picture:
    canvas = Canvas(dialog.columns, dialog.rows, plain=dialog.look.plain)
    if canvas.is_too_small():
        return canvas.picture()
    what = "A game at this keyboard" if dialog.local else "A new table on the network"
    canvas.draw_bar(f"{what}: {dialog.game.title}", f"{dialog.at + 1} of {len(rows_of(dialog))}", strong=False)
    top = canvas.text_lines(2, 1, canvas.width, wrapped(dialog.game.lesson.goal, canvas.width - 2, 2), "strong") + 1
    told, wrong = _message(dialog)
    foot = wrapped(told, canvas.width - 2, _FOOT - 2)
    end = canvas.height - _FOOT
    _draw_rows(canvas, dialog, top, end)
    _draw_explanation(canvas, dialog, top, end)
    canvas.text_lines(canvas.height - 1 - len(foot), 1, canvas.width, foot, "alarm" if wrong else "")
    canvas.draw_key_line(_keys(dialog))
    return canvas.picture()


def _draw_rows(canvas: Canvas, dialog: NewTable, top: int, end: int) -> None:
    """Draw the lines that fit, around the chosen one; in a large window blank ones separate groups."""
    rows, lines, gaps = rows_of(dialog), list[int | str](), canvas.height >= _ROOMY
    for at, row in enumerate(rows):
        lines += [""] if (row.heading or row.kind == "more") and lines and gaps else []
        lines += [row.heading, at] if row.heading else [at]
    shown = window(lines.index(dialog.at), len(lines), end - top)
    for place, number in enumerate(shown, top):
        if isinstance(line := lines[number], str):
            canvas.put(place, 1, line, "title")
        else:
            _draw_row(canvas, dialog, place, line, rows[line])
    if shown.start > 0:
        canvas.put(top, _BESIDE - 3, "▴", "faint")
    if shown.stop < len(lines):
        canvas.put(end - 1, _BESIDE - 3, "▾", "faint")


def _draw_explanation(canvas: Canvas, dialog: NewTable, top: int, end: int) -> None:
    """Explain the chosen line; for presets, explain each of them."""
    row, width = dialog.row, min(_WIDEST, canvas.width - _BESIDE - 1)
    for line in range(top, end):
        canvas.put(line, _BESIDE - 2, "│", "faint")
    canvas.put(top, _BESIDE, row.label, "strong")
    told = row.explanation
    if row.name in dialog.values and row.usual and row.kind != "more":
        told += f" The usual value is {row.usual}."
    at = canvas.text_lines(top + 1, _BESIDE, width, wrapped(told, width)) + 1
    for name in row.choices if row.name == "preset" else ():
        preset = dialog.game.presets.get(name)
        about = f"{name}: {preset.help if preset else 'the options that are best for most'}."
        chosen = name == value_of(dialog, row)
        canvas.put(at, _BESIDE, "▸" if chosen else " ")
        at = canvas.text_lines(at, _BESIDE + 2, width, wrapped(about, width - 2), "" if chosen else "faint")


def _message(dialog: NewTable) -> tuple[str, bool]:
    """Return the message at the foot, and whether something is wrong: a fault of the table, or the game's advice."""
    if dialog.notice:
        return dialog.notice, True
    try:
        wanted = request(dialog)
        options = dict(wanted.terms.options if isinstance(wanted, Host) else wanted.options)
        seats = wanted.terms.seats if isinstance(wanted, Host) else len(wanted.bots)
        advice = dialog.game.advice(dialog.game.read_options(options), seats)
    except (RulesError, NetError) as error:
        return sentence(str(error)), True
    if dialog.row.kind == "more":
        return dialog.row.explanation, False
    does = "Enter begins the game." if dialog.local else "Enter opens the table."
    return " ".join([does, *(f"Note: {stopped(one)}" for one in advice[:1])]), False


def _draw_row(canvas: Canvas, dialog: NewTable, at: int, number: int, row: DialogRow) -> None:
    chosen, value = number == dialog.at, value_of(dialog, row)
    shown = game(value).title if row.name == "game" else value
    if row.name == "guests" and value == f"{dialog.here}" != "0":
        shown = f"all {value} who are here" if dialog.here > 1 else "1, who is here"
    changed = row.name in dialog.values or row.name == "game"
    canvas.put(at, 1, "▸" if chosen else " ")
    canvas.put(at, 3, row.label, "strong" if chosen else "")
    start = 3 + _LABELS
    if row.kind == "text" or (row.kind == "bot" and value not in row.choices):
        text = f"[{shown}]" if not chosen else f"[{shown}_]"
    else:
        text = f"‹ {shown} ›"
    if chosen and text.endswith("_]") and columns(text) > _VALUES:  # the typed end must be visible
        text = f"[…{shown[-(_VALUES - 4) :]}_]"
    canvas.put(at, start, clipped(text, _VALUES), "picked" if chosen else "strong" if changed else "")
    canvas.spot("row", f"{number}", at, 0, _BESIDE - 2)
    if row.kind != "text" or row.choices:
        canvas.spot("row", f"{number} left", at, start, 2)
        canvas.spot("row", f"{number} right", at, start + columns(text) - 2, 2)


def _keys(dialog: NewTable) -> tuple[tuple[str, str, str], ...]:
    does = ("Less" if dialog.more else "More") if dialog.row.kind == "more" else "Play" if dialog.local else "Open"
    up_down, left_right = ("up, down:", "left, right:") if dialog.columns >= _WORDY else ("↑↓", "←→")
    return (
        ("enter", "Enter", does), ("escape", "Esc", "Back"), ("f1", "F1", "Rules"), ("up", up_down, "line"),
        ("right", left_right, "value or type"),
    )  # fmt: skip
