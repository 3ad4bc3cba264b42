"""The whole table screen: a line about the game, the board with the column beside it, the message, the prompt.

Pure: the same model gives the same picture. See draw/sheet.py and draw/cards.py for the board.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from quadrille.client.reports import heading
from quadrille.client.screen.draw.canvas import (
    WINNER,
    Canvas,
    Picture,
    SeatLabel,
    clipped,
    columns,
    newest,
    seat_style,
    seat_texts,
    wrapped,
)
from quadrille.client.screen.draw.cards import HEIGHTS, CardsView, height
from quadrille.client.screen.draw.sheet import Marked, Pitch, SheetView, is_crowded, pitch_for, pitches
from quadrille.client.screen.table.messages import head_right, message
from quadrille.client.screen.table.model import Model, ShownTable, draft, preview, tidy
from quadrille.client.screen.table.page import Page, draw_page
from quadrille.client.screen.table.terminal import PickList
from quadrille.client.table.game_setup import Cover
from quadrille.client.table.notices import Seats
from quadrille.client.words.commands import key_line
from quadrille.client.words.signs import face, signs
from quadrille.client.words.story import YOU, by_name, kinds_text, move_text
from quadrille.client.words.table import by_name as notice_text
from quadrille.client.words.thoughts import thought_text
from quadrille.net.core.spans import clock_text
from quadrille.rules.core import HIDDEN, WHOLE, State, is_stepped
from quadrille.rules.core.talk import Half
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.match import Left, Match, Played
from quadrille.rules.scene import Scene, Sheet, cell, letter
from quadrille.value import value

#: Fixed lines: at the head; for the message, the prompt and the keys.
_HEAD: Final = 1
_FOOT: Final = 3
SIDE: Final = 26
#: Minimum columns of cards and tracks.
_LEAST_CARDS: Final = 50
#: Columns of the usual terminal.
USUAL: Final = 80
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
#: Lines for notes, moves and choices below a board without a side column.
_BELOW: Final = 4
_LEAST_MOVES: Final = 4
#: Minimum columns to show the story of every move; below it, only of those since this person's last move.
_WIDE: Final = 40
_NUMBER: Final = 4
#: Indent of the further lines of a move.
_HANGS: Final = 2
#: Columns of the longest name, and the minimum where that leaves room for all figures.
_NAME: Final = 12
_LEAST_NAME: Final = 8
_MOST_NOTES: Final = 6
#: Maximum lines of a bot's thought.
_MOST_THOUGHT: Final = 8
#: Rows that must stay free below the lines about kinds of bots, if those have no room beside the names.
_ROOM_BELOW_KINDS: Final = 8
#: Maximum lines of the legend of signs, and rows that must stay free below it.
_MOST_SIGNS: Final = 3
_ROOM_BESIDE_SIGNS: Final = 12


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
    scene, match = scene_of(model.shown_state), model.shown_match
    earlier = [match.after(entries) for entries in range(model.first_news + 1, match.length)]
    if scene.sheet is None or not earlier:
        return scene
    fresh = {
        drawn_cell.name
        for state in earlier
        if (sheet := scene_of(state).sheet)
        for drawn_cell in sheet.cells
        if drawn_cell.fresh
    }
    cells = tuple(
        cell(drawn_cell.name, drawn_cell.marks, drawn_cell.fresh or drawn_cell.name in fresh)
        for drawn_cell in scene.sheet.cells
    )
    return replace(scene, sheet=replace(scene.sheet, cells=cells))


def current_draft(model: Model) -> Half:
    """Read the line at the prompt; it means nothing if no move is to be made. Offer to play a legal one."""
    if model.replay or model.overlay or not model.table.is_mine:
        return Half()
    half = draft(model.shown_state, model.line.text)
    if model.line.selected and half.stage in ("wrong", "foreign"):
        anew = draft(model.shown_state, "")
        return replace(half, nexts=anew.nexts, choices=anew.choices)
    if half.stage != "legal":
        return half
    line = tidy(model.line.text)
    others = tuple(choice for choice in half.choices if choice[1] != line)
    return replace(half, choices=(("play", line), *others))


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
    beside, fitting = width - SIDE - _GAP, pitches(sheet)
    pitch = pitch_for(sheet, room - 1, beside, fitting)
    narrower = pitch_for(sheet, room - 1, min(beside, width - figures - _GAP - 1), fitting)
    if pitch and narrower and (narrower.rows == pitch.rows or pitch.rows <= _SMALL):
        return narrower
    return pitch or pitch_for(sheet, room, beside, fitting)


def needs(scene: Scene, columns: int = USUAL) -> tuple[int, int]:
    """Return the minimum rows and columns of this scene, no more columns than a window has that is wide enough."""
    high = range(200)
    wide = next(wide for wide in range(min(columns, USUAL), 400) if plan(scene, high[-1], wide))
    return next(rows for rows in high if plan(scene, rows, wide)), wide


def draw(model: Model) -> Picture:
    canvas = Canvas(model.columns, model.rows, plain=model.look.plain)
    if isinstance(model.overlay, Cover) and model.overlay.since is None:
        draw_cover(canvas, model, model.overlay)
        return canvas.picture()
    if isinstance(model.overlay, Page):
        return draw_page(model.overlay, model.look, model.rows, model.columns)
    scene = told_scene(model)
    maze = finished_maze(model)
    size = (model.rows - (maze is not None), model.columns)  # the lower wall needs a row
    laid = plan(scene, *size, full_width(model, scene)) or plan(scene, model.rows, model.columns)
    if laid is None:
        draw_small(canvas, model, needs(scene, model.columns))
        return canvas.picture()
    half = current_draft(model)
    _draw_head(canvas, model)
    below = _draw_board(canvas, model, scene, laid, half, maze)
    told, alarm = message(model, half, 2 if below < canvas.height - _FOOT else 1)
    if (end := canvas.height - canvas.foot_rows(told)) < below:
        canvas.wipe(end - (not laid.side), 0, canvas.width, below - end + (not laid.side))
    if laid.side:
        Side(canvas, model, scene, half, laid.side, _HEAD + laid.margin, end).draw(players=bool(scene.sheet))
    else:
        _draw_lines_below(canvas, model, half, end, below)
    turn, line = model.table.turn, model.line
    sign = f"{letter(turn)}> " if turn is not None and model.table.is_mine and not model.replay else "> "
    over = model.table.match.over is not None or model.table.own_exit is not None
    keys = _REPLAY_KEYS if model.replay else key_line(model.table.place, over=over, without=model.table.useless)
    caret = canvas.draw_foot(
        told, line.text, line.at, keys, alarm=alarm, selected=line.selected, sign=sign, spare=_SPARE_KEYS
    )
    if not isinstance(pick := model.overlay, PickList):
        return canvas.picture(caret)
    canvas.draw_list(pick.title, [text for text, _ in pick.rows], pick.at)
    return canvas.picture()


def _draw_head(canvas: Canvas, model: Model) -> None:
    """Draw the game, the last move, the turn, the clock and the connection."""
    match = model.table.match
    left = heading(match)
    right, strong = head_right(model)
    style = WINNER if match.over and not model.replay else "turn"
    start, middle = canvas.draw_bar(left, right, strong=strong, style=style), columns(left) + 4
    moves = last_moves(model, 1)
    if moves and start - middle > 10:
        canvas.put(0, middle, clipped(f"last: {moves[0][0].split(None, 1)[1]}", start - middle - 2), "bar")


def _draw_board(
    canvas: Canvas, model: Model, scene: Scene, laid: SceneLayout, half: Half, maze: Labyrinth | None
) -> int:
    """Draw the sheet and the cards; return the row after them."""
    state = model.shown_state
    # of a move of many steps, one step alone changes little
    after = None if is_stepped(state) or (then := preview(state, half)) is None else scene_of(then).sheet
    mover, viewer = state.turn, model.table.viewer
    thought, (hint, squares) = model.shown_thought, model.hint
    hinted = squares if hint == model.notice and not model.replay else ()
    added = thought[1].marks if thought else tuple((square, _HINTED) for square in hinted)
    marked = Marked(
        model.cursor, half.path, half.nexts, after, mover, viewer if isinstance(viewer, int) else None, maze, added
    )
    below = _HEAD + laid.margin
    if scene.sheet and laid.pitch:
        SheetView(canvas, below, 1, scene.sheet, laid.pitch, marked).draw()
        below += laid.pitch.size(scene.sheet)[0] + (maze is not None)
    width = laid.side - 1 if laid.side else canvas.width
    if scene.rows or scene.tracks:
        seated = seat_labels(model, scene)
        end = canvas.height - _FOOT - (0 if laid.side else _BELOW)
        below = CardsView(
            canvas, below + (scene.sheet is not None), end, width, scene, seated, marked, laid.high
        ).draw()
    return below


def _draw_lines_below(canvas: Canvas, model: Model, half: Half, end: int, below: int) -> None:
    """Draw notes, moves and choices below a board without a side column, a line each."""
    scene = scene_of(model.shown_state)
    if half.choices:
        draw_choices(canvas, model, half, end - 1, 1, canvas.width - 2)
    moves = "  ".join(text.strip() for text, _ in last_moves(model, 3))
    thought, seats = model.shown_thought, model.table.match.state.seats
    thinks = [f"{model.table.called(thought[0])} thought: {thought_text(thought[1], seats)}"] if thought else []
    notes = [*thinks, *scene.notes[:1], *([f"Moves: {moves}"] if moves else []), *model.table.chat[-1:]]
    row = end - 1 if half.choices else end
    for note in notes[: max(0, row - below)][::-1]:
        row -= 1
        canvas.put(row, 1, clipped(note, canvas.width - 2), "faint")


# The column beside the board: players with their figures, choices, notes, moves, chat, as far as there is room


def seat_labels(model: Model, scene: Scene) -> list[SeatLabel]:
    """Return what is shown of each seat beside its figures."""
    table, over, labels = model.table, model.shown_match.over, []
    for panel in scene.panels:
        chair, left = table.chairs[panel.seat], None if model.replay else table.time_left(panel.seat, model.now)
        clock, place = "" if left is None else clock_text(left), over.places[panel.seat] if over else 0
        labels.append(SeatLabel(chair.name, panel.to_move, panel.left, clock, place, chair.kind, panel.role))
    return labels


def entry_line(match: Match, number: int, table: ShownTable, *, tells: bool = True) -> tuple[str, int | None]:
    """Return an entry in words, and its seat; with `tells` also its story."""
    entry = match.entries[number]
    if not isinstance(entry, Played):
        text = notice_text(entry, Seats.of(map(letter, range(match.state.seats)))).removesuffix(".")
        return text, entry.seat if isinstance(entry, Left) else None
    seat, faces = entry.seat, [face(label) for label in _faces_of(entry, match, number, table)]
    told = move_text(seat, str(entry.move), faces, match.story(number) if tells else (), letter)
    return f"{letter(seat)} {told}", seat


def _faces_of(entry: Played, match: Match, number: int, table: ShownTable) -> list[str]:
    """Return the cards of a move that the viewer has seen, and need not remember."""
    viewer, is_last = table.viewer, number == table.match.length - 1
    if viewer != WHOLE and not (match.state.recalls or table.match.over or is_last):
        viewer = None  # a person has to remember what they looked at earlier
    if match.viewer in (WHOLE, viewer):
        return list(map(str, match.seen(number, viewer)))
    if entry.seat == viewer and is_last and number == match.length - 1:
        return _own_look(match, table)
    return [str(drawn) for drawn in entry.faces if drawn != HIDDEN]


def _own_look(match: Match, table: ShownTable) -> list[str]:
    """Return the cards seen by the last move, if only the viewer's position knows them."""
    entry = match.entries[-1]
    assert isinstance(entry, Played)
    if HIDDEN not in entry.faces or table.view is None:
        return list(map(str, entry.faces))
    places = draft(match.before(match.length - 1).state, str(entry.move)).path
    rows = table.view.scene().rows
    known = {name: mark.label for row in rows for name, mark in zip(row.places, row.marks, strict=True) if mark}
    return [label for name in places if (label := known.get(name, HIDDEN.name)) != HIDDEN.name]


def last_moves(model: Model, most: int, first_told: int = 0) -> list[tuple[str, int | None]]:
    """Return the last entries with their numbers. Those from the number `first_told` on have their stories."""
    match, table = model.shown_match, model.table
    numbers = range(max(0, match.length - most), match.length)
    entries = [(number, *entry_line(match, number, table, tells=number >= first_told)) for number in numbers]
    return [(f"{number + 1:3} {text}", seat) for number, text, seat in entries]


def _figure(name: str) -> int:
    """Return the columns of a figure with its name above it."""
    return max(len(name), 3) + 1


def _beside_figures(seats: Sequence[SeatLabel]) -> tuple[int, int]:
    """Return the columns of the longest name, and those of signs and clocks."""
    clock = max(len(seat.clock) for seat in seats)
    return min(max(columns(seat.texts[-1]) for seat in seats), _NAME), 4 + (clock + 1 if clock else 0)


def full_width(model: Model, scene: Scene) -> int:
    """Return the columns in which all figures fit beside names and clocks, with the margin."""
    longest, more = _beside_figures(seat_labels(model, scene))
    return min(longest, _LEAST_NAME) + more + sum(_figure(name) for name, _ in scene.panels[0].figures) + 1


def finished_maze(model: Model) -> Labyrinth | None:
    """Return the maze of a finished game, if a way leads through it."""
    maze = model.shown_state.labyrinth() if model.shown_match.over else None
    return maze if maze is not None and maze.finished else None


class Side:
    """The column on a canvas."""

    def __init__(
        self, canvas: Canvas, model: Model, scene: Scene, draft: Half, column: int, top: int, end: int
    ) -> None:
        self.canvas = canvas
        self.model = model
        self.scene = scene
        self.draft = draft
        self.column = column
        self.width = canvas.width - column - 1
        self.row = top
        self.end = end
        self.top = top

    def draw(self, *, players: bool) -> None:
        """Draw all of it; without `players` if the board shows them."""
        if players:
            self._draw_players()
        self._draw_choices()
        room = self.end - self.row
        self._draw_part("", [(line, "faint") for line in self._notes(min(_MOST_NOTES, room - _LEAST_MOVES - 2))])
        room = self.end - self.row
        moves = min(_ROOM_BESIDE_SIGNS, self.model.shown_match.length + 3)
        self._draw_part("", [(line, "faint") for line in self._signs(min(_MOST_SIGNS, room - moves))])
        self._draw_thought(min(_MOST_THOUGHT, self.end - self.row - _LEAST_MOVES - 3))
        room = self.end - self.row
        most = min(room // 3, room - _LEAST_MOVES - 2) if room > _LEAST_MOVES + 3 else 0
        chat = newest(self.model.table.chat, self.width, most)  # Ctrl-T shows all
        self._draw_moves(room - (len(chat) + 2 if chat else 0))
        if chat:
            self._draw_part("Chat", [(line, "") for line in chat])

    def _draw_thought(self, most: int) -> None:
        """Draw the thought behind the last move, in that many lines."""
        shown = self.model.shown_thought
        if shown is not None and most > 0:
            (seat, thought), seats = shown, self.model.table.match.state.seats
            lines = wrapped(thought_text(thought, seats, marks=self.scene.sheet is None), self.width, most)
            title = f"{self.model.table.called(seat)} thought"
            self._draw_part(title, [(line, seat_style(seat)) for line in lines])

    def _draw_choices(self) -> None:
        """Draw the choices below all else. Their row is reserved, so the moves do not jump when a choice comes up."""
        if self.model.table.match.over:
            return
        places = choice_places(self.draft, self.width)
        self.end -= max(1, places[-1][0] + 1 if places else 0)
        draw_choices(self.canvas, self.model, self.draft, self.end, self.column, self.width)

    def _draw_part(self, title: str, lines: Sequence[tuple[str, str]]) -> None:
        """Draw a title, if any, and lines with their styles, below an empty line."""
        rows = [(title, "title"), *lines] if title else lines
        if rows and self.row > self.top:
            self.row += 1
        for text, style in rows:
            if self.row < self.end:
                self.canvas.put(self.row, self.column, clipped(text, self.width + 1), style)
                self.row += 1

    def _notes(self, most: int) -> list[str]:
        """Return the legend and the notes with the players' names, in that many lines; an ellipsis marks a cut."""
        lines: list[str] = []
        for note in notes(self.model, self.scene):
            lines += wrapped(note, self.width, most - len(lines)) if len(lines) < most else []
        return lines

    def _signs(self, most: int) -> list[str]:
        """Return the legend of the signs on the board, as many to a line as fit."""
        picks = bool(self.draft.nexts) and not is_crowded(self.scene.sheet, self.draft.nexts)
        lines: list[str] = []
        plays = len(self.model.table.mine) == 1 and not self.model.replay
        way = finished_maze(self.model) is not None
        for text in signs(self.scene, self.model.table.viewer, picks=picks, plays=plays, way=way):
            if lines and columns(lines[-1]) + 2 + columns(text) <= self.width:
                lines[-1] += f"  {text}"
            elif len(lines) < most:
                lines.append(clipped(text, self.width))
        return lines

    def _draw_players(self) -> None:
        """Draw the seats with as many figures as fit."""
        panels, table, put = self.scene.panels, self.model.table, self.canvas.put
        seats = seat_labels(self.model, self.scene)
        named, more = _beside_figures(seats)
        placed = int(seats[0].place > 0)
        spare = self.width - more - placed - sum(_figure(name) for name, _ in panels[0].figures)
        room = self.width - more - placed - (min(named, spare) if spare >= _LEAST_NAME else named)
        widths: dict[str, int] = {}
        for name, _ in panels[0].figures:
            if (room := room - _figure(name)) < 0:
                break
            widths[name] = _figure(name)
        heads = "".join(name.replace("_", " ").rjust(width) for name, width in widths.items())
        put(self.row, self.column, "Players", "title")
        put(self.row, self.column + self.width - len(heads), heads, "faint")
        timed = more - 4
        numbered = timed + sum(widths.values())
        room = self.width - 4 - numbered - placed
        rows = seat_texts(seats, room)
        by_place = sorted(zip(panels, rows, seats, strict=True), key=lambda row: row[2].place)
        for row, (panel, text, seat) in enumerate(by_place, self.row + 1):
            figures, style, place = dict(panel.figures), seat_style(panel.seat), seat.place
            left = self.column + placed
            numbers = seat.clock.rjust(timed) + "".join(
                str(figures[name]).rjust(width) for name, width in widths.items()
            )
            self.canvas.draw_place(row, self.column, place, to_move=panel.to_move)
            put(row, left + 2, letter(panel.seat), seat_style(panel.seat, "badge"))
            put(row, left + 4, clipped(text, room), WINNER if place == 1 else "faint" if panel.left else style)
            put(row, self.column + self.width - numbered, numbers)
        self.row += 1 + len(panels)
        if rows == tuple(seat.texts[-1] for seat in seats) and self.end - self.row > _ROOM_BELOW_KINDS:
            kinds = kinds_text((chair.name, chair.kind) for chair in table.chairs)
            self.row = self.canvas.text_lines(
                self.row, self.column + 2, self.width, wrapped(kinds, self.width - 2, 2), "faint"
            )

    def _draw_moves(self, room: int) -> None:
        """Draw the last moves, without one whose beginning does not fit."""
        if room < 2:
            return
        room -= 1 + (self.row > self.top)
        lines = self._move_lines(room, 0)
        if self.width < _WIDE and (len(lines) > room or self.model.shown_match.length > room):
            lines = self._move_lines(room, self.model.first_news - 1)
        lines = lines[max(0, len(lines) - room) :]
        whole = next((number for number, (text, _) in enumerate(lines) if text[:_NUMBER].strip()), len(lines))
        self._draw_part("Moves", lines[whole:])

    def _move_lines(self, room: int, first_told: int) -> list[tuple[str, str]]:
        """Return that many of the last moves, in lines with their styles; with stories from `first_told` on."""
        lines: list[tuple[str, str]] = []
        for text, seat in last_moves(self.model, room, first_told):
            rows = wrapped(text[_NUMBER:], self.width + 1 - _NUMBER, hangs=_HANGS)  # ragged lines need no margin
            starts = (text[:_NUMBER], *[" " * _NUMBER] * len(rows))
            lines += [(start + row, seat_style(seat)) for start, row in zip(starts, rows, strict=False)]
        return lines


def choice_places(draft: Half, width: int) -> list[tuple[int, int]]:
    """Return the row and the column of each choice, side by side in `width` columns."""
    places, row, at = [], 0, 0
    for name, _ in draft.choices:
        wide = columns(_button(name))
        if at and at + wide > width:
            row, at = row + 1, 0
        places.append((row, at))
        at += wide + 1
    return places


def draw_choices(canvas: Canvas, model: Model, draft: Half, top: int, left: int, width: int) -> None:
    """Draw the choices, for clicks and the cursor."""
    for (name, line), (row, at) in zip(draft.choices, choice_places(draft, width), strict=True):
        text, chosen = _button(name), model.cursor == line
        shown = text.replace("[ ", "[▸") if chosen else text
        canvas.put(top + row, left + at, shown, "cursor" if chosen else "legal")
        canvas.spot("word", line, top + row, left + at, columns(text))


def _button(name: str) -> str:
    return f"[ {name} ]"


def notes(model: Model, scene: Scene) -> list[str]:
    """Return the legend of the rules and the notes of a position, by the names of the players."""
    return [_note(note, model.table.called) for note in (model.table.match.game.legend, *scene.notes) if note]


def _note(note: str, called: Callable[[int], str]) -> str:
    """Name players by letter and name, and this person "you" where the note says what this person has done."""

    def lettered(seat: int) -> str:
        name = called(seat)
        return letter(seat) if name == YOU else f"{letter(seat)} {name}"

    spoken = by_name(note, called)
    return f"{spoken[:1].upper()}{spoken[1:]}" if spoken.startswith(f"{YOU} have ") else by_name(note, lettered)


# Covers over the board


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
