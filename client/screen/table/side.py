"""The column beside the board: players with their figures, choices, notes, moves, chat, as far as there is room."""

from collections.abc import Callable, Sequence
from typing import Final

from quadrille.client.bots.names import beside
from quadrille.client.screen.draw.canvas import Canvas, clipped, columns, text_lines, wrapped
from quadrille.client.screen.draw.cards import WINNER, draw_place
from quadrille.client.screen.draw.sheet import is_crowded
from quadrille.client.screen.draw.theme import seat_style
from quadrille.client.screen.table.draft import Draft, draft
from quadrille.client.screen.table.model import Model, ShownTable, first_news, shown_match, shown_state, shown_thought
from quadrille.client.table.sight import face, seen
from quadrille.client.words.signs import signs
from quadrille.client.words.story import YOU, by_name, kinds_text, story_after
from quadrille.client.words.thoughts import thought_text
from quadrille.net.core.spans import clock_text
from quadrille.rules.core import HIDDEN, WHOLE
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.match import WAYS_OUT, Adjudicated, Agreed, Left, Match, Played
from quadrille.rules.scene import Scene

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


def clock_of(model: Model, seat: int) -> str:
    """Return a seat's time left as text, if there is a clock."""
    left = None if model.replay else model.table.time_left(seat, model.now)
    return "" if left is None else clock_text(left)


def place_of(model: Model, seat: int) -> int:
    """Return the place of a seat once the game on the screen is over; 0 before."""
    over = shown_match(model).over
    return over.places[seat] if over else 0


def entry_line(match: Match, number: int, table: ShownTable, *, tells: bool = True) -> tuple[str, int | None]:
    """Return an entry in words, and its seat; with `tells` also its story."""
    entry = match.entries[number]
    match entry:
        case Played(seat, move):
            viewer = match.viewer if match.viewer == table.viewer else table.viewer
            if viewer != WHOLE and not match.state.recalls and not table.match.over and number < table.match.length - 1:
                viewer = None  # a person has to remember what they looked at earlier
            if match.viewer in ("whole", viewer):
                faces = list(map(str, seen(match, number, viewer)))
            elif seat == viewer and number == match.length - 1 == table.match.length - 1:
                faces = _own_look(match, table)
            else:
                faces = [str(drawn) for drawn in entry.faces if drawn != HIDDEN]
            drawn = f" = {' '.join(map(face, faces))}" if faces else ""
            story = story_after(seat, match.story(number), letter) if tells else ""
            return f"{letter(seat)} {move}{drawn}{story}", seat
        case Left(seat, how):
            return f"{letter(seat)} {WAYS_OUT[how]}", seat
        case Agreed():
            return "a draw is agreed", None
        case Adjudicated():
            return "the table has decided", None


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


def last_moves(model: Model, most: int, told: int = 0) -> list[tuple[str, int | None]]:
    """Return the last entries with their numbers. Those from the number `told` on have their stories."""
    match, table = shown_match(model), model.table
    numbers = range(max(0, match.length - most), match.length)
    found = [(number, *entry_line(match, number, table, tells=number >= told)) for number in numbers]
    return [(f"{number + 1:3} {text}", seat) for number, text, seat in found]


def _figure(name: str) -> int:
    """Return the columns of a figure with its name above it."""
    return max(len(name), 3) + 1


def _row_texts(model: Model, scene: Scene, kinds: Sequence[str] | None = None) -> list[str]:
    """Return the text of each seat's row; with the `kinds` of players after their names."""
    return [
        f"{f'{panel.role}: ' if panel.role else ''}{model.table.called(panel.seat)}{kinds[panel.seat] if kinds else ''}"
        f"{' (left)' if panel.left else ''}"
        for panel in scene.panels
    ]


def _beside_figures(model: Model, scene: Scene) -> tuple[int, int]:
    """Return the columns of the longest name, and those of signs and clocks."""
    clocks = [clock_of(model, panel.seat) for panel in scene.panels]
    longest = min(max(map(columns, _row_texts(model, scene))), _NAME)
    return longest, 4 + (max(map(len, clocks)) + 1 if any(clocks) else 0)


def full_width(model: Model, scene: Scene) -> int:
    """Return the columns in which all figures fit beside names and clocks, with the margin."""
    longest, more = _beside_figures(model, scene)
    return min(longest, _LEAST_NAME) + more + sum(_figure(name) for name, _ in scene.panels[0].figures) + 1


def finished_maze(model: Model) -> Labyrinth | None:
    """Return the maze of a finished game, if a way leads through it."""
    maze = shown_state(model).labyrinth() if shown_match(model).over else None
    return maze if maze is not None and maze.finished else None


class Side:
    """The column on a canvas."""

    def __init__(
        self, canvas: Canvas, model: Model, scene: Scene, draft: Draft, column: int, top: int, end: int
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
        moves = min(_ROOM_BESIDE_SIGNS, shown_match(self.model).length + 3)
        self._draw_part("", [(line, "faint") for line in self._signs(min(_MOST_SIGNS, room - moves))])
        self._draw_thought(min(_MOST_THOUGHT, self.end - self.row - _LEAST_MOVES - 3))
        room = self.end - self.row
        chat = self._chat(min(room // 3, room - _LEAST_MOVES - 2)) if room > _LEAST_MOVES + 3 else []
        self._draw_moves(room - (len(chat) + 2 if chat else 0))
        if chat:
            self._draw_part("Chat", [(line, "") for line in chat])

    def _draw_thought(self, most: int) -> None:
        """Draw the thought behind the last move, in that many lines."""
        found = shown_thought(self.model)
        if found is not None and most > 0:
            (seat, thought), seats = found, self.model.table.match.state.seats
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

    def _chat(self, room: int) -> list[str]:
        """Return the newest chat lines, in that many rows, each from its sender on; Ctrl-T shows all."""
        rows: list[str] = []
        for text in reversed(self.model.table.chat):
            line = wrapped(text, self.width, max(1, room - len(rows)) if not rows else 100)
            if len(rows) + len(line) > room:
                break
            rows = [*line, *rows]
        return rows

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
        kinds = zip(*(beside(chair.kind) for chair in table.chairs), strict=True)
        forms = [_row_texts(self.model, self.scene, form) for form in kinds]
        named, more = _beside_figures(self.model, self.scene)
        placed = int(place_of(self.model, 0) > 0)
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
        rows = next((texts for texts in forms if max(map(columns, texts)) <= room), forms[-1])
        by_place = sorted(zip(panels, rows, strict=True), key=lambda row: place_of(self.model, row[0].seat))
        for row, (panel, text) in enumerate(by_place, self.row + 1):
            clock = clock_of(self.model, panel.seat)
            figures, style, place = dict(panel.figures), seat_style(panel.seat), place_of(self.model, panel.seat)
            left = self.column + placed
            numbers = clock.rjust(timed) + "".join(str(figures[name]).rjust(width) for name, width in widths.items())
            draw_place(self.canvas, row, self.column, place, to_move=panel.to_move)
            put(row, left + 2, letter(panel.seat), seat_style(panel.seat, "badge"))
            put(row, left + 4, clipped(text, room), WINNER if place == 1 else "faint" if panel.left else style)
            put(row, self.column + self.width - numbered, numbers)
        self.row += 1 + len(panels)
        if rows is forms[-1] and self.end - self.row > _ROOM_BELOW_KINDS:
            told = kinds_text((chair.name, chair.kind) for chair in table.chairs)
            self.row = text_lines(
                self.canvas, self.row, self.column + 2, self.width, wrapped(told, self.width - 2, 2), "faint"
            )

    def _draw_moves(self, room: int) -> None:
        """Draw the last moves, without one whose beginning does not fit."""
        if room < 2:
            return
        room -= 1 + (self.row > self.top)
        lines = self._move_lines(room, 0)
        if self.width < _WIDE and (len(lines) > room or shown_match(self.model).length > room):
            lines = self._move_lines(room, first_news(self.model) - 1)
        lines = lines[max(0, len(lines) - room) :]
        whole = next((number for number, (text, _) in enumerate(lines) if text[:_NUMBER].strip()), len(lines))
        self._draw_part("Moves", lines[whole:])

    def _move_lines(self, room: int, told: int) -> list[tuple[str, str]]:
        """Return that many of the last moves, in lines with their styles; with stories from the number `told` on."""
        lines: list[tuple[str, str]] = []
        for text, seat in last_moves(self.model, room, told):
            first, *more = _hanging(text[_NUMBER:], self.width + 1 - _NUMBER)  # ragged lines need no margin
            rows = (text[:_NUMBER] + first, *(" " * (_NUMBER + _HANGS) + line for line in more))
            lines += [(line, seat_style(seat)) for line in rows]
        return lines


def _hanging(text: str, width: int) -> list[str]:
    """Wrap a text into lines, all but the first to be indented."""
    first = wrapped(text, width)[0]
    rest = text.split()[len(first.split()) :]
    return [first, *wrapped(" ".join(rest), width - _HANGS)]


def choice_places(draft: Draft, width: int) -> list[tuple[int, int]]:
    """Return the row and the column of each choice, side by side in `width` columns."""
    places, row, at = [], 0, 0
    for name, _ in draft.choices:
        wide = columns(_button(name))
        if at and at + wide > width:
            row, at = row + 1, 0
        places.append((row, at))
        at += wide + 1
    return places


def draw_choices(canvas: Canvas, model: Model, draft: Draft, top: int, left: int, width: int) -> None:
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
    return [_note(note, model.table.called) for note in (shown_state(model).legend, *scene.notes) if note]


def _note(note: str, called: Callable[[int], str]) -> str:
    """Name players by letter and name, and this person "you" where the note says what this person has done."""

    def lettered(seat: int) -> str:
        name = called(seat)
        return letter(seat) if name == YOU else f"{letter(seat)} {name}"

    spoken = by_name(note, called)
    return f"{spoken[:1].upper()}{spoken[1:]}" if spoken.startswith(f"{YOU} have ") else by_name(note, lettered)
