"""The whole table screen: a line about the game, the board with the column beside it, the message, the prompt.

Pure: the same model gives the same picture. See draw/sheet.py and draw/cards.py for the board.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from quadrille.client.reports import heading
from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, columns, text_lines, wrapped
from quadrille.client.screen.draw.cards import HEIGHTS, WINNER, CardsView, SeatLabel, height
from quadrille.client.screen.draw.frame import draw_bar, draw_key_line, draw_prompt
from quadrille.client.screen.draw.sheet import Marked, Pitch, SheetView, pitch_for, pitches
from quadrille.client.screen.table import overlays
from quadrille.client.screen.table.draft import NOTHING, Draft, draft, tidy
from quadrille.client.screen.table.messages import head_right, message
from quadrille.client.screen.table.model import (
    Menu,
    Model,
    first_news,
    hinted_squares,
    shown_match,
    shown_state,
    shown_thought,
)
from quadrille.client.screen.table.page import Page, draw_page
from quadrille.client.screen.table.side import (
    Side,
    clock_of,
    draw_choices,
    finished_maze,
    full_width,
    last_moves,
    place_of,
)
from quadrille.client.table.local import Cover
from quadrille.client.value import value
from quadrille.client.words.commands import key_line
from quadrille.client.words.thoughts import thought_text
from quadrille.rules.core import State
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.scene import Scene, Sheet, cell

#: Fixed lines: at the head; for the message, the prompt and the keys.
_HEAD: Final = 1
_FOOT: Final = 3
SIDE: Final = 26
#: Minimum columns of cards and tracks.
_LEAST_CARDS: Final = 50
#: Rows from square to square on a board with no room to spare.
_SMALL: Final = 2
#: Columns between the board and its side column; spare rows above which there is an upper margin.
_GAP: Final = 1
_SPARE: Final = 3
#: Keys that lose their labels at the foot of a narrow window, the first one first; help and menu have the words.
_SPARE_KEYS: Final = ("f7", "f5", "f3", "f2", "f9")
#: The keys at the foot of a replay.
_REPLAY_KEYS: Final = (
    ("f1", "F1", "Help"), ("left", "Left", "Back"), ("right", "Right", "On"), (" ", "Space", "Run"),
    ("enter", "Enter", "Play on"), ("escape", "Esc", "Close"), ("f10", "F10", "Menu"), ("c-q", "^Q", "Quit"),
)  # fmt: skip
#: The sign of a square that a hint names.
_HINTED: Final = "*"
#: Maximum lines of a message; those without room of their own hide the last ones of the board.
_MOST_TOLD: Final = 6
#: Lines for notes, moves and choices below a board without a side column.
_BELOW: Final = 4


@value
class SceneLayout:
    """The layout of a scene: the pitch of its sheet, the height of its cards, the start of the side column.

    `side` is 0 if there is none: then moves and choices have a line each below. If there is room all of it has a
    `margin` of rows above.
    """

    pitch: Pitch | None
    high: int
    side: int
    margin: int = 0


@lru_cache(maxsize=32)
def scene_of(state: State[Any, Any]) -> Scene:
    return state.scene()


def told_scene(model: Model) -> Scene:
    """Return the scene on the screen.

    The squares of all moves since this person's last one are marked as fresh, not only the newest.
    """
    scene, match = scene_of(shown_state(model)), shown_match(model)
    earlier = match.positions[first_news(model) + 1 : -1]
    if scene.sheet is None or not earlier:
        return scene
    fresh = {one.name for state in earlier if (sheet := scene_of(state).sheet) for one in sheet.cells if one.fresh}
    cells = tuple(cell(one.name, one.marks, one.fresh or one.name in fresh) for one in scene.sheet.cells)
    return replace(scene, sheet=replace(scene.sheet, cells=cells))


def current_draft(model: Model) -> Draft:
    """Read the line at the prompt; it means nothing if no move is to be made. Offer to play a legal one."""
    if model.replay or model.overlay or not model.table.is_mine:
        return NOTHING
    found = draft(shown_state(model), model.line.text)
    if model.line.selected and found.stage in ("wrong", "foreign"):
        anew = draft(shown_state(model), "")
        return replace(found, nexts=anew.nexts, choices=anew.choices)
    if found.stage != "legal":
        return found
    line = tidy(model.line.text)
    others = tuple(choice for choice in found.choices if choice[1] != line)
    return replace(found, choices=(("play", line), *others))


def plan(scene: Scene, rows: int, width: int, figures: int = 0) -> SceneLayout | None:
    """Find the best layout for a window of that size; None if it is too small. All `figures` have that many columns."""
    room = rows - _HEAD - _FOOT
    has_cards = bool(scene.rows or scene.tracks)
    if scene.sheet:
        below = height(scene, width - SIDE - _GAP, 1) + 1 if has_cards else 0
        pitch = _pitch(scene.sheet, room - below, width, figures)
        if pitch is None or room < len(scene.panels) + 4:
            return None
        high, wide = pitch.size(scene.sheet)
        side = min(wide + 2 + _GAP, max(wide + 1 + _GAP, width - max(SIDE, figures)))
        return SceneLayout(pitch, 1, side, int(room - below - high >= _SPARE))
    beside = max(width - SIDE - 8, width * 2 // 3)
    *tall, flat = HEIGHTS
    for side, high in [*((beside, high) for high in tall), *((0, high) for high in tall), (beside, flat), (0, flat)]:
        room_wide = side - 1 if side else width
        lines = height(scene, room_wide, high)
        if lines and lines + 2 - bool(side) <= room and room_wide >= _LEAST_CARDS:
            return SceneLayout(None, high, side, int(room - lines >= _SPARE))
    return None


def _pitch(sheet: Sheet, room: int, width: int, figures: int) -> Pitch | None:
    """Find the pitch of a sheet that leaves a second line for the message, and columns for all figures.

    Only a board with room between its squares may cost the last figures.
    """
    beside, found = width - SIDE - _GAP, pitches(sheet)
    pitch = pitch_for(sheet, room - 1, beside, found)
    narrower = pitch_for(sheet, room - 1, min(beside, width - figures - _GAP - 1), found)
    if pitch and narrower and (narrower.rows == pitch.rows or pitch.rows <= _SMALL):
        return narrower
    return pitch or pitch_for(sheet, room, beside, found)


def needs(scene: Scene) -> tuple[int, int]:
    """Return the minimum rows and columns of this scene."""
    if scene.sheet:
        smallest = min(pitch.size(scene.sheet) for pitch in pitches(scene.sheet))
        wide = max(smallest[1] + SIDE + 1, 60)
    else:
        smallest, wide = (0, 0), 80
    rows = next(rows for rows in range(12, 200) if plan(scene, rows, wide))
    return rows, wide


def draw(model: Model) -> Picture:
    canvas = Canvas(model.columns, model.rows, plain=model.look.plain)
    if isinstance(model.overlay, Cover) and model.overlay.since is None:
        overlays.draw_cover(canvas, model, model.overlay)
        return canvas.picture()
    if isinstance(model.overlay, Page):
        return draw_page(model.overlay, model.look, model.rows, model.columns)
    scene = told_scene(model)
    maze = finished_maze(model)
    size = (model.rows - (maze is not None), model.columns)  # the lower wall needs a row
    laid = plan(scene, *size, full_width(model, scene)) or plan(scene, model.rows, model.columns)
    if laid is None:
        overlays.draw_small(canvas, model, needs(scene))
        return canvas.picture()
    found = current_draft(model)
    _draw_head(canvas, model)
    below, end = _draw_board(canvas, model, scene, laid, found, maze), canvas.height - _FOOT
    told, alarm = message(model, found, 2 if below < end else 1)
    lines = wrapped(told, canvas.width - 2, _MOST_TOLD)
    end -= max(0, len(lines) - 1)
    if end < below:
        canvas.wipe(end - (not laid.side), 0, canvas.width, below - end + (not laid.side))
    if laid.side:
        side = Side(canvas, model, scene, found, laid.side, _HEAD + laid.margin, end)
        side.draw(players=bool(scene.sheet))
    else:
        _draw_lines_below(canvas, model, found, end, below)
    text_lines(canvas, end, 1, canvas.width - 2, lines, "alarm" if alarm else "")
    turn, line = model.table.turn, model.line
    sign = f"{letter(turn)}> " if turn is not None and model.table.is_mine and not model.replay else "> "
    caret = draw_prompt(canvas, canvas.height - 2, sign, line.text, line.at, canvas.width, selected=line.selected)
    over = model.table.match.over is not None or model.table.own_exit is not None
    keys = _REPLAY_KEYS if model.replay else key_line(model.table.place, over=over, without=model.table.useless)
    draw_key_line(canvas, keys, _SPARE_KEYS)
    if not isinstance(model.overlay, Menu):
        return canvas.picture(caret)
    overlays.draw_menu(canvas, model, model.overlay)
    return canvas.picture()


def _draw_head(canvas: Canvas, model: Model) -> None:
    """Draw the game, the last move, the turn, the clock and the connection."""
    match = model.table.match
    left = heading(match)
    right, strong = head_right(model)
    style = WINNER if match.over and not model.replay else "turn"
    start, middle = draw_bar(canvas, left, right, strong=strong, style=style), columns(left) + 4
    moves = last_moves(model, 1)
    if moves and start - middle > 10:
        canvas.put(0, middle, clipped(f"last: {moves[0][0].split(None, 1)[1]}", start - middle - 2), "bar")


def _draw_board(
    canvas: Canvas, model: Model, scene: Scene, laid: SceneLayout, found: Draft, maze: Labyrinth | None
) -> int:
    """Draw the sheet and the cards; return the row after them."""
    state = shown_state(model)
    after = scene_of(found.after).sheet if found.after is not None and found.shows_after else None
    mover, viewer = state.turn, model.table.viewer
    thought = shown_thought(model)
    signs = thought[1].marks if thought else tuple((square, _HINTED) for square in hinted_squares(model))
    marked = Marked(
        model.cursor, found.path, found.nexts, after, mover, viewer if isinstance(viewer, int) else None, maze, signs
    )
    below = _HEAD + laid.margin
    if scene.sheet and laid.pitch:
        SheetView(canvas, below, 1, scene.sheet, laid.pitch, marked).draw()
        below += laid.pitch.size(scene.sheet)[0] + (maze is not None)
    width = laid.side - 1 if laid.side else canvas.width
    if scene.rows or scene.tracks:
        seated = [
            SeatLabel(
                model.table.called(panel.seat),
                panel.to_move,
                panel.left,
                clock_of(model, panel.seat),
                place_of(model, panel.seat),
                model.table.chairs[panel.seat].kind,
            )
            for panel in scene.panels
        ]
        end = canvas.height - _FOOT - (0 if laid.side else _BELOW)
        below = CardsView(
            canvas, below + (scene.sheet is not None), end, width, scene, seated, marked, laid.high
        ).draw()
    return below


def _draw_lines_below(canvas: Canvas, model: Model, found: Draft, end: int, below: int) -> None:
    """Draw notes, moves and choices below a board without a side column, a line each."""
    scene = scene_of(shown_state(model))
    if found.choices:
        draw_choices(canvas, model, found, end - 1, 1, canvas.width - 2)
    moves = "  ".join(text.strip() for text, _ in last_moves(model, 3))
    thought, seats = shown_thought(model), model.table.match.state.seats
    thinks = [f"{model.table.called(thought[0])} thought: {thought_text(thought[1], seats)}"] if thought else []
    notes = [*thinks, *scene.notes[:1], *([f"Moves: {moves}"] if moves else []), *model.table.chat[-1:]]
    row = end - 1 if found.choices else end
    for note in notes[: max(0, row - below)][::-1]:
        row -= 1
        canvas.put(row, 1, clipped(note, canvas.width - 2), "faint")
