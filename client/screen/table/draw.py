"""The whole table screen, drawn: a line about the game, the board and what is beside it, what is told, the prompt.

Pure: the same model gives the same picture. What the board looks like is sheet_view.py's and cards_view.py's affair.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from quadrille.client.pages import set_text
from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, columns, draw_key_line, text_lines, wrapped
from quadrille.client.screen.draw.cards import HEIGHTS, CardsView, Seated, height
from quadrille.client.screen.draw.sheet import Marked, Pitch, SheetView, pitch_for, pitches
from quadrille.client.screen.table import overlays
from quadrille.client.screen.table.draft import NOTHING, Draft, draft, tidy
from quadrille.client.screen.table.messages import head_right, message
from quadrille.client.screen.table.model import Cover, Menu, Model, Page, shown_match, shown_state
from quadrille.client.screen.table.page import draw_page
from quadrille.client.screen.table.side import Side, clock_of, draw_choices, last_moves
from quadrille.client.words.commands import key_line
from quadrille.rules.core import State, ToMove
from quadrille.rules.plain_text import letter
from quadrille.rules.scene import Scene

#: Lines that are always there: the head; what is told, the prompt, the keys.
_HEAD: Final = 1
_FOOT: Final = 3
SIDE: Final = 26
#: Notes, moves and choices, where there is no column beside the board.
_BELOW: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """How a scene is laid out: the pitch of its sheet, how high its cards are, and where the column beside it begins.

    `side` is 0 where there is none: then moves and choices have a line each below.
    """

    pitch: Pitch | None
    high: int
    side: int


@lru_cache(maxsize=8)
def scene_of(state: State[Any, Any]) -> Scene:
    """The scene of a position; made once."""
    return state.scene()


def current_draft(model: Model) -> Draft:
    """What the line at the prompt means here; nothing where no move is to be made. A legal one can be played."""
    if model.replay or model.overlay or not model.table.is_mine:
        return NOTHING
    found = draft(shown_state(model), model.line.text)
    if found.stage != "legal":
        return found
    line = tidy(model.line.text)
    others = tuple(choice for choice in found.choices if choice[1] != line)
    return replace(found, choices=(("play", line), *others))


def plan(scene: Scene, rows: int, width: int) -> Plan | None:
    """The best layout for a window of that size; None when it is too small."""
    room = rows - _HEAD - _FOOT
    has_cards = bool(scene.rows or scene.tracks)
    if scene.sheet:
        beside = width - SIDE - 1
        below = height(scene, beside, 1) + 1 if has_cards else 0
        pitch = pitch_for(scene.sheet, room - below, beside)
        if pitch is None or room < len(scene.panels) + 4:
            return None
        return Plan(pitch, 1, pitch.size(scene.sheet)[1] + 2)
    for high in HEIGHTS:
        for side in (max(width - SIDE - 8, width * 2 // 3), 0):
            beside = side - 1 if side else width
            lines = height(scene, beside, high)
            if lines and lines + 2 - bool(side) <= room and beside >= 50:
                return Plan(None, high, side)
    return None


def needs(scene: Scene) -> tuple[int, int]:
    """The least rows and columns that this scene can be drawn in."""
    if scene.sheet:
        smallest = min(pitch.size(scene.sheet) for pitch in pitches(scene.sheet))
        wide = max(smallest[1] + SIDE + 1, 60)
    else:
        smallest, wide = (0, 0), 80
    rows = next(rows for rows in range(12, 200) if plan(scene, rows, wide))
    return rows, wide


def draw(model: Model) -> Picture:
    """The screen."""
    canvas = Canvas(model.columns, model.rows, plain=model.look.plain)
    if isinstance(model.overlay, Cover) and model.overlay.since is None:
        overlays.draw_cover(canvas, model, model.overlay)
        return canvas.picture()
    if isinstance(model.overlay, Page):
        return draw_page(model.overlay, model.look, model.rows, model.columns)
    scene = scene_of(shown_state(model))
    laid = plan(scene, model.rows, model.columns)
    if laid is None:
        overlays.draw_small(canvas, model, needs(scene))
        return canvas.picture()
    found = current_draft(model)
    _draw_head(canvas, model)
    below, end = _draw_board(canvas, model, scene, laid, found), canvas.height - _FOOT
    told, alarm = message(model, found)
    lines = wrapped(told, canvas.width - 2, 2)
    if len(lines) > 1 and below < end:
        end -= 1
    else:
        lines = [clipped(" ".join(lines), canvas.width - 2)]
    _draw_beside(canvas, model, laid, found, below, end)
    text_lines(canvas, end, 1, canvas.width - 2, lines, "alarm" if alarm else "")
    caret = _draw_prompt(canvas, model, canvas.height - 2)
    draw_key_line(canvas, key_line(model.table.place))
    if not isinstance(model.overlay, Menu):
        return canvas.picture(caret)
    overlays.draw_menu(canvas, model, model.overlay)
    return canvas.picture()


def _draw_head(canvas: Canvas, model: Model) -> None:
    """Which game, the last move, whose turn, the clock, the connection."""
    match = model.table.match
    options = match.state.options.changed()
    left = f" {match.game.title}, {match.state.seats} players" + (f", {set_text(options)}" if options else "")
    right, strong = head_right(model)
    moves = last_moves(shown_match(model), model.table, 1)
    last = f"last: {moves[0][0].split(None, 1)[1]}" if moves else ""
    canvas.shade(0, 0, canvas.width, "bar")
    canvas.put(0, 0, " " * canvas.width, "bar")
    start = canvas.width - columns(right) - 2
    canvas.put(0, 0, clipped(left, start - 2), "bar title")
    canvas.put(0, start, f" {right} ", "turn" if strong else "bar title")
    middle = columns(left) + 3
    if last and start - middle > 10:
        canvas.put(0, middle, clipped(last, start - middle - 2), "bar")


def _draw_board(canvas: Canvas, model: Model, scene: Scene, laid: Plan, found: Draft) -> int:
    """The sheet and the cards; the row after them."""
    state = shown_state(model)
    after = scene_of(found.after).sheet if found.after is not None and found.shows_after else None
    pending, viewer = state.pending, model.table.viewer
    mover = pending.seat if isinstance(pending, ToMove) else None
    marked = Marked(
        model.cursor, found.path, found.nexts, after, mover, viewer if isinstance(viewer, int) else None
    )  # fmt: skip
    below = _HEAD
    if scene.sheet and laid.pitch:
        view = SheetView(canvas, _HEAD, 1, scene.sheet, laid.pitch, marked)
        view.draw()
        below = _HEAD + laid.pitch.size(scene.sheet)[0]
    width = laid.side - 1 if laid.side else canvas.width
    if scene.rows or scene.tracks:
        seated = [
            Seated(model.table.called(panel.seat), panel.to_move, panel.left, clock_of(model, panel.seat))
            for panel in scene.panels
        ]
        end = canvas.height - _FOOT - (0 if laid.side else _BELOW)
        below = CardsView(
            canvas, below + (scene.sheet is not None), end, width, scene, seated, marked, laid.high
        ).draw()
    return below


def _draw_beside(canvas: Canvas, model: Model, laid: Plan, found: Draft, below: int, end: int) -> None:
    """What is told about the board: in a column beside it, or in lines below, up to the row `end`."""
    scene = scene_of(shown_state(model))
    if laid.side:
        Side(canvas, model, scene, found, laid.side, end - _HEAD).draw(players=bool(scene.sheet))
    else:
        _draw_lines_below(canvas, model, found, end, below)


def _draw_lines_below(canvas: Canvas, model: Model, found: Draft, end: int, below: int) -> None:
    """Where there is no column beside the board: notes, moves and choices, a line each at the bottom."""
    scene = scene_of(shown_state(model))
    if found.choices:
        draw_choices(canvas, model, found, end - 1, 1, canvas.width - 2)
    moves = "  ".join(text.strip() for text, _ in last_moves(shown_match(model), model.table, 3))
    notes = [*scene.notes[:1], *([f"Moves: {moves}"] if moves else []), *model.table.chat[-1:]]
    row = end - 1 if found.choices else end
    for note in notes[: max(0, row - below)][::-1]:
        row -= 1
        canvas.put(row, 1, clipped(note, canvas.width - 2), "faint")


def _draw_prompt(canvas: Canvas, model: Model, row: int) -> tuple[int, int]:
    """The line that is typed, as much of it as has room."""
    turn = model.table.turn
    sign = f"{letter(turn)}> " if turn is not None and model.table.is_mine and not model.replay else "> "
    room = canvas.width - len(sign) - 2
    text, at = model.line.text, model.line.at
    start = max(0, columns(text[:at]) - room + 1)
    canvas.put(row, 1, sign, "strong")
    canvas.put(row, 1 + len(sign), text[start:], "strong", most=room)
    return row, min(canvas.width - 1, 1 + len(sign) + columns(text[start:at]))
