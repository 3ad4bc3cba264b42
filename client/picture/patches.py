"""A scene taken apart: at each spot a patch, which is a piece of drawing and the same in words.

A spot says what is drawn there and never where that is: a patch looks the same wherever layout.py puts it. So a game is
told by what changes at which spot, and patches are shared by all moves of all games of a page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from textwrap import wrap
from typing import Final, NamedTuple, TypeAlias

from quadrille.client.foreign import shown
from quadrille.client.picture.glyphs import CARD, RED, SHAPES, at, badge, card, lying, text, use
from quadrille.client.reports import player
from quadrille.rules.plain_text import letter
from quadrille.rules.scene import Cell, Mark, Panel, Row, Scene, Sheet, Track
from quadrille.rules.squares import LETTERS

#: From square to square, and how long a track is.
UNIT: Final = 44
RAIL: Final = 250
#: Characters of a note in one line, and of a name.
NOTE: Final = 62
NAME: Final = 24
MOST_PIPS: Final = 8
#: The part of lines between squares that do not say whose they are.
BARE: Final = "bare link"
#: Notes that tell what the seats on the cards show.
_LOOKED: Final = " has looked at "


class Spot(NamedTuple):
    """Where something can change: `part` of the picture, the name of the place there, a number (seat, line, place)."""

    part: str
    name: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Patch:
    """What is to be seen at a spot, drawn around (0, 0), and in words."""

    drawn: str
    words: str


Patches: TypeAlias = dict[Spot, Patch]
#: Which room before its player each row has, by the name of the row.
Slots: TypeAlias = dict[str, int]


def taken_apart(
    scene: Scene, names: Sequence[str] = (), places: Sequence[int] = (), slots: Slots | None = None
) -> Patches:
    """All there is to be seen. With `places` the game is over: nobody is to move, and the places stand there.

    `slots` is for the scenes of a game, one after another: each row of cards stays where it was in the scene before.
    """
    slots = {} if slots is None else slots
    settle(scene.rows, slots)
    found: Patches = {}
    if scene.sheet is not None:
        found |= _sheet(scene.sheet)
    for panel in scene.panels:
        found |= _panel(panel, names, places)
    if any(spot.part == BARE for spot in found):
        found |= {Spot("sample", "", panel.seat): Patch(_line(panel.seat, 22, 0), "") for panel in scene.panels}
    found |= {Spot("track", "", track.seat): _track(track) for track in scene.tracks}
    for row in scene.rows:
        found |= _apart(row) if row.seat is None else _row(row, slots)
    lines = (line for note in scene.notes if _LOOKED not in note for line in wrap(note, NOTE))
    return found | {Spot("note", "", n): Patch(_left(line, "note"), line) for n, line in enumerate(lines)}


def _sheet(sheet: Sheet) -> Patches:
    where = {cell.name: divmod(number, sheet.height) for number, cell in enumerate(sheet.cells)}
    owners = {cell.name: {mark.seat for mark in cell.marks} for cell in sheet.cells}
    found: Patches = {}
    for cell in sheet.cells:
        if cell.fresh:
            found[Spot("fresh", cell.name)] = Patch(use("fresh"), "the last move")
    for link in sheet.links or ():
        (column, row), (to_column, to_row) = where[link.start], where[link.end]
        # Where the squares that a line joins do not say whose it is, the line has to.
        bare = link.seat is not None and link.seat not in owners[link.start] | owners[link.end]
        drawn = _line(link.seat, UNIT * (to_column - column), UNIT * (row - to_row), bare=bare)
        whose = f"line of {letter(link.seat)}" if link.seat is not None else "line"
        number = -1 if link.seat is None else link.seat
        found[Spot(BARE if bare else "link", f"{link.start}-{link.end}", number)] = Patch(drawn, whose)
    return found | {
        Spot("cell", cell.name): Patch(lying(cell.marks), _words(cell)) for cell in sheet.cells if cell.marks
    }


def _line(seat: int | None, across: int, down: int, *, bare: bool = True) -> str:
    """A line from (0, 0): the second seat's is double and further ones are dashed, where nothing else tells them."""
    way = f'd="M0 0l{across} {down}"'
    if seat is None:
        return f'<path {way} class="line ink"/>'
    kind = seat % len(SHAPES)
    dashes = f" d{kind}" if bare and kind > 1 else ""
    core = f'<path {way} class="core"/>' if bare and kind == 1 else ""
    return f'<path {way} class="line k{kind}{dashes}"/>{core}'


def _words(cell: Cell) -> str:
    return ", ".join(map(_mark_words, cell.marks))


def _mark_words(mark: Mark) -> str:
    whose = f"of {letter(mark.seat)}" if mark.seat is not None else ""
    return " ".join(word for word in (mark.kind, mark.label, whose) if word)


def _panel(panel: Panel, names: Sequence[str], places: Sequence[int]) -> Patches:
    seat = panel.seat
    after = (f", {panel.role}" if panel.role else "") + (" (has left)" if panel.left else "")
    cut = [shown(name) if len(shown(name)) <= NAME else shown(name)[: NAME - 1] + "…" for name in names]
    name = f'<text x="20" class="name" dy=".35em">{escape(player(seat, cut) + after)}</text>'
    words = f"{letter(seat)}, {player(seat, list(map(shown, names)))}{after}"
    found = {Spot("name", "", seat): Patch(at(0, 0, badge(seat), 0.72) + name, words)}
    if places:
        found[Spot("turn", "", seat)] = Patch(text(f"{places[seat]}.", 0, 15), f"place {places[seat]}")
    elif panel.to_move:
        found[Spot("turn", "", seat)] = Patch(use("turn"), "to move")
    for figure, number in panel.figures:
        found[Spot("figure", figure, seat)] = Patch(f'<text class="figure" dy=".35em">{number}</text>', str(number))
    return found


def _left(words: str, kind: str) -> str:
    return f'<text class="{kind}" dy=".35em">{escape(words)}</text>'


def _track(track: Track) -> Patch:
    """How far the peg is, and a pip for each lap."""
    reached = round(RAIL * track.place / track.length)
    done = track.laps >= track.laps_wanted
    laps = f"all {track.laps} laps" if done else f"lap {track.laps + 1} of {track.laps_wanted}"
    words = f"{track.place} of {track.length}, {laps}"
    kind = f"f{track.seat % len(SHAPES)}"
    pips = "".join(
        f'<circle cx="{RAIL + 20 + 12 * lap}" r="4.5" class="{f"pip {kind}" if lap < track.laps else "pip"}"/>'
        for lap in range(track.laps_wanted if track.laps_wanted <= MOST_PIPS else 0)
    )
    after = RAIL + 22 + 12 * (track.laps_wanted if pips else 0)
    bar = f'<rect y="-5" width="{reached}" height="10" rx="5" class="{kind}"/>'
    label = f'<text x="{after}" class="note" dy=".35em">{words}</text>'
    return Patch(bar + at(reached, 0, badge(track.seat), 0.55) + pips + label, words)


def settle(rows: Sequence[Row], slots: Slots) -> None:
    """Rows that have come take the first room that is free before their player; those that are gone make room."""
    lying = {row.name: row.seat for row in rows if row.seat is not None and any(row.marks)}
    for name in [name for name in slots if name not in lying]:
        del slots[name]
    for name, seat in lying.items():
        if name not in slots:
            taken = {slots[other] for other in slots if lying[other] == seat}
            slots[name] = next(slot for slot in count() if slot not in taken)


def _row(row: Row, slots: Slots) -> Patches:
    """A player's row, if anything lies there, with its name and its places."""
    if row.name not in slots:
        return {}
    room = f"{row.seat} {slots[row.name]}"
    found = {Spot("row", room): Patch(_left(row.name.split(" ")[-1], "note"), f"row {row.name}")}
    for number, mark in enumerate(row.marks):
        if mark is None:
            found[Spot("place", room, number)] = Patch(use("gap"), "")
            continue
        seats = row.lookers[number] if row.lookers else ()
        seen = ", seen by " + " and ".join(map(letter, seats)) if seats else ""
        drawn = card(mark.label, seats) if mark.kind == "card" else lying((mark,))
        words = f"{mark.kind} face down{seen}" if mark.label == "?" else _mark_words(mark) + seen
        found[Spot("place", room, number)] = Patch(drawn + text(LETTERS[number], 32, 11, "faint"), words)
    return found


def _apart(row: Row) -> Patches:
    """What lies apart is told by what it is, so that each thing has its place; the second of a kind has one too."""
    found: Patches = {}
    for mark in filter(None, row.marks):
        name = f"{row.name} {mark.label}"
        number = next(n for n in count() if Spot("apart", name, n) not in found)
        found[Spot("apart", name, number)] = Patch(_common(mark), mark.label)
    return found


def _common(mark: Mark) -> str:
    """A thing that lies apart, small; a card stands in the line of its suit, so its rank is enough."""
    suited = mark.kind == "card" and CARD.fullmatch(mark.label)
    words, red = (suited[1], suited[2] in RED) if suited else (mark.label, False)
    plate = '<rect x="-12" y="-10" width="24" height="20" class="paper"/>'
    return plate + text(words, 0, 13 if len(words) < 3 else 11, "red" if red else "ink")
