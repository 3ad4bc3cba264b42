"""What keys, clicks and letters do in the dialog for a new table. Pure."""

from dataclasses import replace
from typing import Final, TypeAlias

from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.lobby.new_table import DialogRow, NewTable, request, rows_of, value_of
from quadrille.client.screen.lobby.new_table_draw import draw_new
from quadrille.client.screen.network.news import Sent
from quadrille.client.screen.table.model import (
    Click,
    Effect,
    Event,
    Key,
    Page,
    Pasted,
    Quit,
    Redraw,
    Resized,
    Suspend,
    Told,
    Wheel,
)
from quadrille.client.screen.table.page import rules_page
from quadrille.net.errors import NetError
from quadrille.rules.errors import RulesError

#: What stays when another game is chosen.
_KEPT: Final = ("bot", "clock", "watchers", "grace", "lot")

Effects: TypeAlias = tuple[Effect | NewGame | Sent | Page, ...]


def update_new(dialog: NewTable, event: Event) -> tuple[NewTable | None, Effects]:
    """The dialog after an event, None when it is closed; and what is to be done."""
    match event:
        case Key(name):
            return _key(dialog, name)
        case Pasted(text):
            for sign in text.split("\n")[0][:200]:
                dialog = _typed(dialog, sign)
            return dialog, ()
        case Click(row, column):
            return _click(dialog, row, column)
        case Wheel(up):
            return _moved(dialog, -1 if up else 1), ()
        case Resized(rows, columns):
            return replace(dialog, rows=rows, columns=columns), ()
        case Told(text):
            return replace(dialog, notice=text), ()
    return dialog, ()


def _key(dialog: NewTable, key: str) -> tuple[NewTable | None, Effects]:
    dialog = replace(dialog, notice="")
    match key:
        case "c-z":
            return dialog, (Suspend(),)
        case "c-l":
            return dialog, (Redraw(),)
        case "c-c" | "<sigint>":
            return dialog, (Quit(),)
        case "escape" | "c-q":
            return None, ()
        case "f1" | "f6":
            return dialog, (rules_page(dialog.game),)
        case "enter":
            return _done(dialog)
        case "up" | "down" | "tab" | "s-tab":
            return _moved(dialog, 1 if key in ("down", "tab") else -1), ()
        case "pageup" | "pagedown" | "home" | "end":
            return _moved(dialog, {"pageup": -8, "pagedown": 8, "home": -999, "end": 999}[key]), ()
        case "left" | "right":
            return _turned(dialog, 1 if key == "right" else -1), ()
        case "backspace" | "delete":
            row = rows_of(dialog)[dialog.at]
            return (_set(dialog, row, value_of(dialog, row)[:-1]) if _is_typed(dialog, row) else dialog), ()
        case "c-u":
            row = rows_of(dialog)[dialog.at]
            return (_set(dialog, row, "") if _is_typed(dialog, row) else dialog), ()
        case " ":
            row = rows_of(dialog)[dialog.at]
            words = row.kind == "bot" and _is_typed(dialog, row)
            return (_typed(dialog, " ") if words else _turned(dialog, 1)), ()
    return (_typed(dialog, key) if len(key) == 1 else dialog), ()


def _done(dialog: NewTable) -> tuple[NewTable | None, Effects]:
    try:
        wanted = request(dialog)
    except (RulesError, NetError) as error:
        return replace(dialog, notice=f"{error}."), ()
    return None, (wanted,) if isinstance(wanted, NewGame) else (Sent(wanted),)


def _moved(dialog: NewTable, step: int) -> NewTable:
    last = len(rows_of(dialog)) - 1
    at = dialog.at + step
    return replace(dialog, at=at % (last + 1) if abs(step) == 1 else max(0, min(last, at)))


def _turned(dialog: NewTable, step: int) -> NewTable:
    """The next value of a line, or the one before."""
    row = rows_of(dialog)[dialog.at]
    now = value_of(dialog, row)
    if row.kind == "number":
        number = int(now) if now.isascii() and now.isdigit() and len(now) < 6 else row.least
        return _set(dialog, row, str(max(row.least, min(row.most, number + step))))
    if not row.choices:
        return dialog
    at = row.choices.index(now) + step if now in row.choices else 0
    return _set(dialog, row, row.choices[at % len(row.choices)])


def _is_typed(dialog: NewTable, row: DialogRow) -> bool:
    """Whether the value of a line has letters that can be taken away."""
    return row.kind in ("number", "text") or (row.kind == "bot" and value_of(dialog, row) not in row.choices)


def _typed(dialog: NewTable, sign: str) -> NewTable:
    """A letter: into what is typed, or to the next choice that begins so."""
    row = rows_of(dialog)[dialog.at]
    if not sign.isprintable():
        return dialog
    chooses = row.kind == "bot" and any(choice.startswith(sign.lower()) for choice in row.choices)
    if row.kind == "choice" or (chooses and not _is_typed(dialog, row)):
        now = row.choices.index(value_of(dialog, row)) if value_of(dialog, row) in row.choices else 0
        turned = [*row.choices[now + 1 :], *row.choices[: now + 1]]
        found = next((choice for choice in turned if choice.startswith(sign.lower())), None)
        return _set(dialog, row, found) if found else dialog
    if row.kind == "number" and not (sign.isascii() and sign.isdigit()):
        return dialog
    before = "" if row.kind == "bot" and not _is_typed(dialog, row) else dialog.values.get(row.name, "")
    fresh = before + sign if row.kind != "number" or len(before) < 4 else sign
    return _set(dialog, row, fresh[:200])


def _set(dialog: NewTable, row: DialogRow, value: str) -> NewTable:
    """A line with another value. Another game has other options; a preset takes the place of single ones."""
    if row.name == "game":
        kept = {name: text for name, text in dialog.values.items() if name.split()[0] in _KEPT}
        return replace(dialog, key=value, values=kept)
    values = {**dialog.values, row.name: value}
    if row.name == "preset":
        values = {name: text for name, text in values.items() if not name.startswith("set ")}
    return replace(dialog, values=values)


def _click(dialog: NewTable, row: int, column: int) -> tuple[NewTable | None, Effects]:
    spot = draw_new(dialog).at(row, column)
    if spot is None:
        return dialog, ()
    if spot.does == "key":
        return _key(dialog, spot.name)
    number, _, turn = spot.name.partition(" ")
    chosen = replace(dialog, at=int(number), notice="")
    return (_turned(chosen, {"left": -1, "right": 1}[turn]) if turn else chosen), ()
