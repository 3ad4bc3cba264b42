"""Overlays of the board: rules and keys, the menu, a covered hand, a window that is too small."""

from dataclasses import replace
from typing import Final

from quadrille.client.reports import is_move
from quadrille.client.screen.draw.canvas import Canvas, columns, wrapped
from quadrille.client.screen.table.model import Menu, Model
from quadrille.client.screen.table.page import Page, key_lines, rules_page
from quadrille.client.table.game_setup import Cover
from quadrille.client.words.commands import Command, key_name, offered
from quadrille.rules.drawing.plain_text import letter

#: Further keys, for the help.
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
    ("y, n", "answer a question: yes and no, Enter and Esc do the same"),
    ("Ctrl-L", "draw the screen again"),
    ("Ctrl-Z", "go to the background; fg comes back"),
)
_REPLAY_KEYS: Final = (
    ("left, right", "one move back or on"),
    ("PgUp, PgDn", "ten moves back or on"),
    ("Home, End", "the start, the last position"),
    ("a number, Enter", "the position after that move"),
    ("Space", "go on by itself, or stop"),
    ("Enter", "play on from here"),
    ("Esc", "back to the table"),
)
#: Commands of a network table that need a game in progress.
_TO_PLAY: Final = frozenset(("hint", "takeback", "draw", "pause", "resign", "wait", "stand-in", "drop", "flag", "back"))


def help_page(model: Model) -> Page:
    """Make a page of the rules, with a page of the keys behind it."""
    played = model.table.match.game
    rows = [*_OTHER_KEYS, *(command.row for command in offered_here(model))]
    here, back = key_lines(rows, _REPLAY_KEYS)
    lines = ("# Keys and words at the table", "", *here, "", "# While looking back", "", *back)
    return replace(rules_page(played), other=Page(f"{played.title}: keys", lines, prose=True))


def offered_here(model: Model) -> tuple[Command, ...]:
    """Return the commands here, by other words if the game's moves use theirs."""
    match = model.table.match
    found = offered(model.table.place)
    return tuple(one._replace(word=one.same[0]) if one.same and is_move(match, one.word) else one for one in found)


def in_menu(model: Model) -> tuple[Command, ...]:
    """Return the commands in the menu; at a network table only those that are possible now."""
    table = model.table
    if table.local:
        return tuple(one for one in offered(table.place) if one.word not in table.useless)
    over = table.match.over is not None
    cannot = {*table.useless, *(_TO_PLAY if over else ("rematch",))}
    needed = {
        "flag": table.clocks is not None,
        "book": over and table.match.game.hidden,
        **dict.fromkeys(("phones", "kick", "next"), table.serves_guests),
    }
    cannot.update(word for word, can in needed.items() if not can)
    return tuple(one for one in offered(table.place) if one.word not in cannot)


def draw_menu(canvas: Canvas, model: Model, overlay: Menu) -> None:
    there = {one.word for one in in_menu(model)}
    known = zip(offered_here(model), offered(model.table.place), strict=True)
    shown = [one for one, own in known if own.word in there]
    rows = [f"{command.word:9} {key_name(command.key):6} {command.help}" for command in shown]
    width = max(columns(row) for row in rows) + 4
    canvas.draw_list("Actions", rows, overlay.at, width)


def draw_cover(canvas: Canvas, model: Model, overlay: Cover) -> None:
    """Cover all hands, and name the person who is to take the keyboard."""
    who = f"{letter(overlay.seat)} {model.table.called(overlay.seat)}"
    lines = [f"It is the turn of {who}.", "", "Hand the keyboard over; nobody else looks.", "Enter shows the table."]
    width = min(canvas.width, 50)
    top, left = (canvas.height - 8) // 2, (canvas.width - width) // 2
    canvas.box(top, left, width, 8, "", model.table.match.game.title)
    fitting = [line for text in lines for line in wrapped(text, width - 6) or [""]]
    canvas.text_lines(top + 2, left + 3, width - 5, fitting)
    canvas.spot("key", "enter", 0, 0, canvas.width, canvas.height)


def draw_small(canvas: Canvas, model: Model, needs: tuple[int, int]) -> None:
    """Say which size is needed, and which command needs none."""
    usual = "play" if model.table.local else "resume"
    command = model.table.given.name if model.table.given is not None else usual
    canvas.say_size(model.table.match.game.title, *needs, f" quadrille {command} --plain needs no size at all.")
