"""A scene taken apart: at each spot a patch, which is a piece of drawing and the same in words.

A spot says what is drawn there but not where it is: a patch looks the same wherever layout.py puts it. So a game is
shown by the changes at its spots, and patches are shared by all moves of all games of a page.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import count
from textwrap import wrap
from typing import Final, NamedTuple

from quadrille.client.foreign import shown
from quadrille.client.picture.glyphs import CARD, RED, SHAPES, at, badge, card, lying, text, use, washed
from quadrille.client.picture.labyrinth import walls, way
from quadrille.client.reports import player
from quadrille.client.words.signs import face
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.scene import Mark, Panel, Row, Scene, Sheet, Track, letter
from quadrille.rules.squares import LETTERS

#: The distance between squares, and the length of a track.
UNIT: Final = 44
RAIL: Final = 220
#: Maximum characters of a note's line, and of a name.
NOTE: Final = 62
NAME: Final = 24
MOST_PIPS: Final = 8
#: The part of lines between squares that do not show their owner.
BARE: Final = "bare link"
#: The part of the walls over the sheet, and the length of the way beyond it on both sides.
WALLS: Final = "walls"
_BEYOND: Final = 2
#: Notes that the seats' signs on cards show already.
LOOKED: Final = " has looked at "
#: Maximum cached panels, tracks, notes and so on, with their drawings: games share them.
_KEPT: Final = 1 << 14


class Spot(NamedTuple):
    """A place that can change: `part` of the picture, the name of the place there, a number (seat, line, place)."""

    part: str
    name: str = ""
    number: int = 0


class Patch(NamedTuple):
    """The content of a spot, drawn around (0, 0), and in words."""

    drawn: str
    words: str


Patches = dict[Spot, Patch]
#: The slot before its player of each row, by the row's name.
Slots = dict[str, int]
_FRESH: Final = Patch(use("fresh"), "the last move")
_GAP: Final = Patch(use("gap"), "")
#: Cached, because a spot is needed again and again.
_spot: Final = lru_cache(maxsize=_KEPT)(Spot)


def apart(
    scene: Scene,
    slots: Slots,
    *,
    names: Sequence[str] = (),
    places: Sequence[int] = (),
    maze: Labyrinth | None = None,
) -> Patches:
    """Take a scene apart. In `slots` each row of cards has its place, and keeps it in later scenes of a game.

    `places` and `maze` exist at the end of a game.
    """
    patches: Patches = {}
    if scene.sheet is not None:
        patches |= _fresh(scene.sheet) | _lines(scene.sheet) | _cells(scene.sheet)
    bare = any(spot.part == BARE for spot in patches)
    for panel in scene.panels:
        patches |= _panel(panel, tuple(names), places[panel.seat] if places else 0)
    patches |= {_spot("sample", "", panel.seat): _sample(panel.seat) for panel in scene.panels if bare}
    patches |= {_spot("track", "", track.seat): _track(track) for track in scene.tracks}
    patches |= {_spot("laps", "", track.seat): _laps(track) for track in scene.tracks}
    settle(scene.rows, slots)
    for row in scene.rows:
        patches |= _lying_apart(row) if row.seat is None else _row(row, slots)
    lines = (line for note in scene.notes for line in _wrapped(note))
    patches |= {_spot("note", "", n): _note(line) for n, line in enumerate(lines)}
    return patches | ({_spot(WALLS): _walled(maze)} if maze is not None else {})


@lru_cache(maxsize=_KEPT)
def _walled(maze: Labyrinth) -> Patch:
    """Draw the maze that the lines make, and the way through it, over the sheet."""
    squares = " ".join(map(str, maze.way))
    drawn = way(maze, UNIT, 0, UNIT // 2 + _BEYOND) + walls(maze, UNIT, 0)
    return Patch(drawn, f"walls where no line leads; the way through is {squares}")


def _fresh(sheet: Sheet) -> Patches:
    return {_spot("fresh", cell.name): _FRESH for cell in sheet.cells if cell.fresh}


def _lines(sheet: Sheet) -> Patches:
    where = {cell.name: number for number, cell in enumerate(sheet.cells)}
    patches: Patches = {}
    for link in sheet.links or ():
        start, end = where[link.start], where[link.end]
        # If the squares that a line joins do not show its owner, the line does.
        owners = [mark.seat for mark in sheet.cells[start].marks + sheet.cells[end].marks]
        part = BARE if link.seat is not None and link.seat not in owners else "link"
        (column, row), (to_column, to_row) = divmod(start, sheet.height), divmod(end, sheet.height)
        spot, patch = _joined(part, link.start, link.end, link.seat, to_column - column, row - to_row)
        patches[spot] = patch
    return patches


def _cells(sheet: Sheet) -> Patches:
    return {
        _spot("cell", cell.name): _cell(cell.marks, lined=sheet.links is not None) for cell in sheet.cells if cell.marks
    }


@lru_cache(maxsize=_KEPT)
def _cell(marks: tuple[Mark, ...], *, lined: bool) -> Patch:
    ground = "" if lined else washed(marks)  # lines lie below the marks on squares
    return Patch(ground + lying(marks), ", ".join(map(_mark_words, marks)))


@lru_cache(maxsize=_KEPT)
def _joined(part: str, start: str, end: str, seat: int | None, across: int, down: int) -> tuple[Spot, Patch]:
    """Draw a line between two squares that are `across` and `down` squares apart."""
    spot = _spot(part, f"{start}-{end}", -1 if seat is None else seat)
    drawn = _line(seat, UNIT * across, UNIT * down, bare=part == BARE)
    return spot, Patch(drawn, f"line of {letter(seat)}" if seat is not None else "line")


@cache
def _sample(seat: int) -> Patch:
    return Patch(_line(seat, 22, 0), "")


def _line(seat: int | None, across: int, down: int, *, bare: bool = True) -> str:
    """Draw a line from (0, 0). Unless its owner shows elsewhere, the second seat's is double, later ones are dashed."""
    way = f'd="M0 0l{across} {down}"'
    if seat is None:
        return f'<path {way} class="line ink"/>'
    kind = seat % len(SHAPES)
    dashes = f" d{kind}" if bare and kind > 1 else ""
    core = f'<path {way} class="core"/>' if bare and kind == 1 else ""
    return f'<path {way} class="line k{kind}{dashes}"/>{core}'


def _mark_words(mark: Mark) -> str:
    whose = f"of {letter(mark.seat)}" if mark.seat is not None else ""
    return " ".join(word for word in (mark.kind, mark.label, whose) if word)


@lru_cache(maxsize=_KEPT)
def _panel(panel: Panel, names: tuple[str, ...], place: int) -> Patches:
    """Draw a seat's line; `place` is 0 while the game goes on."""
    seat = panel.seat
    patches = {_spot("name", "", seat): nameplate(panel, names)}
    if place:
        patches[_spot("turn", "", seat)] = Patch(text(f"{place}.", 0, 15), f"place {place}")
    elif panel.to_move:
        patches[_spot("turn", "", seat)] = Patch(use("turn"), "to move")
    for figure, number in panel.figures:
        drawn = f'<text class="figure" dy=".35em">{number}</text>'
        patches[_spot("figure", figure, seat)] = Patch(drawn, str(number))
    return patches


@lru_cache(maxsize=_KEPT)
def nameplate(panel: Panel, names: tuple[str, ...]) -> Patch:
    """Draw the name of a line's owner beside the badge."""
    seat = panel.seat
    after = (f", {panel.role}" if panel.role else "") + (" (has left)" if panel.left else "")
    safe = [shown(each) for each in names]
    cut = [each if len(each) <= NAME else each[: NAME - 1] + "…" for each in safe]
    sentence = f"{letter(seat)}, {player(seat, safe)}{after}"
    return Patch(badged(seat, player(seat, cut) + after), sentence)


def badged(seat: int, text: str) -> str:
    """Draw a seat's badge with a text behind it."""
    return at(0, 0, badge(seat), 0.72) + f'<text x="20" class="name" dy=".35em">{escape(text)}</text>'


@lru_cache(maxsize=_KEPT)
def _wrapped(note: str) -> tuple[str, ...]:
    return () if LOOKED in note else tuple(wrap(note, NOTE))


@lru_cache(maxsize=_KEPT)
def _note(line: str) -> Patch:
    return Patch(_left(line, "note"), line)


def _left(words: str, kind: str) -> str:
    return f'<text class="{kind}" dy=".35em">{escape(words)}</text>'


@lru_cache(maxsize=_KEPT)
def _track(track: Track) -> Patch:
    """Draw the position of the peg, and a pip for each lap."""
    reached = round(RAIL * track.place / track.length)
    kind = f"f{track.seat % len(SHAPES)}"
    pips = "".join(
        f'<circle cx="{RAIL + 20 + 12 * lap}" r="4.5" class="{f"pip {kind}" if lap < track.laps else "pip"}"/>'
        for lap in range(_pips(track))
    )
    bar = f'<rect y="-5" width="{reached}" height="10" rx="5" class="{kind}"/>'
    return Patch(bar + at(reached, 0, badge(track.seat), 0.55) + pips, "")


@lru_cache(maxsize=_KEPT)
def _laps(track: Track) -> Patch:
    """Write the laps behind the pips; where there are pips, they say the number."""
    words, pips = track_words(track), _pips(track)
    drawn = words.partition(",")[0] if pips else words
    return Patch(f'<text x="{RAIL + 22 + 12 * pips}" class="note" dy=".35em">{drawn}</text>', words)


def track_words(track: Track) -> str:
    """Return such words as `34 of 120, lap 2 of 3`."""
    done = "the lap is done" if track.laps_wanted == 1 else f"all {track.laps} laps"
    laps = done if track.laps >= track.laps_wanted else f"lap {track.laps + 1} of {track.laps_wanted}"
    return f"{track.place} of {track.length}, {laps}"


def _pips(track: Track) -> int:
    return track.laps_wanted if track.laps_wanted <= MOST_PIPS else 0


def settle(rows: Sequence[Row], slots: Slots) -> None:
    """Give new rows the first free slot before their player; free the slots of rows that are gone."""
    lying = {row.name: row.seat for row in rows if row.seat is not None and any(row.marks)}
    for name in [name for name in slots if name not in lying]:
        del slots[name]
    for name, seat in lying.items():
        if name not in slots:
            taken = {slots[other] for other in slots if lying[other] == seat}
            slots[name] = next(slot for slot in count() if slot not in taken)


def _row(row: Row, slots: Slots) -> Patches:
    """Draw a player's row with its name and its places, unless it is empty."""
    if row.name not in slots:
        return {}
    room = f"{row.seat} {slots[row.name]}"
    patches = {_spot("row", room): Patch(_left(row.name.split(" ")[-1], "note"), f"row {row.name}")}
    for number, mark in enumerate(row.marks):
        seats = row.lookers[number] if row.lookers else ()
        patches[_spot("place", room, number)] = _GAP if mark is None else _placed(mark, number, seats)
    return patches


@lru_cache(maxsize=_KEPT)
def _placed(mark: Mark, number: int, lookers: tuple[int, ...]) -> Patch:
    """Draw a thing in a row, above the letter of its place."""
    seen = ", seen by " + " and ".join(map(letter, lookers)) if lookers else ""
    drawn = card(mark.label, lookers) if mark.kind == "card" else lying((mark,))
    words = f"{mark.kind} face down{seen}" if mark.label == "?" else _mark_words(mark) + seen
    return Patch(drawn + text(LETTERS[number], 32, 11, "faint"), words)


def _lying_apart(row: Row) -> Patches:
    """Identify things that lie apart by their kind, so each has its place; the second of a kind has one too."""
    patches: Patches = {}
    for mark in filter(None, row.marks):
        name = f"{row.name} {mark.label}"
        number = next(n for n in count() if _spot("apart", name, n) not in patches)
        patches[_spot("apart", name, number)] = _common(mark)
    return patches


@lru_cache(maxsize=_KEPT)
def _common(mark: Mark) -> Patch:
    """Draw a small thing that lies apart; a card stands in the line of its suit, so its rank is enough."""
    suited = mark.kind == "card" and CARD.fullmatch(mark.label)
    words, red = (suited[1], suited[2] in RED) if suited else (face(mark.label), False)
    wide = 9 * len(words)  # as its words: on a phone the next card lies 18 further
    plate = f'<rect x="{-wide / 2:g}" y="-10" width="{wide}" height="20" class="paper"/>'
    return Patch(plate + text(words, 0, 13 if len(words) < 3 else 11, "red" if red else "ink"), mark.label)
