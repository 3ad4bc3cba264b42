"""A scene in plain ASCII lines: the engine's answer to `show`, and the output of commands.

It knows scenes and no game. Seats are the letters A, B, …; `>` marks the square of the last move and the seat whose
turn it is. The client draws richer pictures.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Final

from quadrille.rules.scene import Mark, Panel, Row, Scene, Sheet, Track, letter
from quadrille.rules.squares import LETTERS

WIDTH: Final = 80  # the columns of a terminal that nobody has widened
_EMPTY: Final = "."
_MARGIN: Final = "   "
_BAR: Final = 32


def drawing(scene: Scene, width: int = WIDTH) -> str:
    """Draw the whole picture: sheet, rows, tracks, seats, notes. Only a sheet that does not fit exceeds `width`."""
    parts = [sheet_lines(scene.sheet, width)] if scene.sheet else []
    parts += [row_lines(scene.rows, width), list(map(track_line, scene.tracks))]
    parts.append(panel_lines(scene.panels, lettered=scene.sheet is not None))
    parts.append([line for note in scene.notes for line in wrap(note, width, subsequent_indent="  ")])
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def label(marks: Iterable[Mark | None]) -> str:
    """Write the contents of a place in a few characters: pieces by owner, then labels."""
    shown = [mark for mark in marks if mark is not None]
    seats = "".join(letter(mark.seat) for mark in shown if not mark.label and mark.seat is not None)
    things = "".join(mark.label for mark in shown)
    return f"{seats}:{things}" if seats and things else seats or things or _EMPTY


def sheet_lines(sheet: Sheet, width: int = WIDTH) -> list[str]:
    """Draw the squares from the top row down with their letters and numbers, and the lines between them."""
    texts = [label(cell.marks) for cell in sheet.cells]
    pitch = _pitch(max(map(len, texts)), sheet, width)
    lines = [_MARGIN + "".join(f" {LETTERS[column]}".ljust(pitch) for column in range(sheet.width))]
    linked = {pair for link in sheet.links or () for pair in ((link.start, link.end), (link.end, link.start))}

    def joined(place: int, other: int) -> bool:
        inside = place >= 0 and other < len(sheet.cells)
        return inside and (sheet.cells[place].name, sheet.cells[other].name) in linked

    for row in reversed(range(sheet.height)):
        line, under = f"{row + 1:2} ", _MARGIN
        for number in range(row, len(texts), sheet.height):
            sign = "-" if joined(number - sheet.height, number) else " "
            onward = "-" if joined(number, number + sheet.height) else " "
            line += (">" if sheet.cells[number].fresh else sign) + texts[number].ljust(pitch - 1, onward)
            under += (" |" if row and joined(number - 1, number) else "").ljust(pitch)
        lines.append(line)
        if row and sheet.links is not None:
            lines.append(under)
    return [line.rstrip() for line in lines]


def _pitch(widest: int, sheet: Sheet, width: int) -> int:
    """Return the distance between squares: the sign, the widest label, and as much space as the width allows."""
    room = (width - len(_MARGIN)) // sheet.width
    wanted = max(5, widest + 2) if sheet.links is None else widest + 3
    return max(widest + 1, min(room, wanted))


def row_lines(rows: Sequence[Row], width: int = WIDTH) -> list[str]:
    """Draw the rows of things, each seat's side by side as far as they fit: `p1 2: a ? b 7C c .`.

    The places of a seat's row have letters, as in moves; a seat's empty row is left out.
    """
    lines: list[str] = []
    for seat, group in groupby(rows, lambda row: row.seat):
        texts = [_row(row) for row in group if seat is None or any(row.marks)]
        pitch = max(map(len, texts), default=0) + 3
        across = max(1, (width + 3) // pitch)
        for at in range(0, len(texts), across):
            line = "".join(text.ljust(pitch) for text in texts[at : at + across])
            lines += wrap(line.rstrip(), width, subsequent_indent="  ")
    return lines


def _row(row: Row) -> str:
    lettered = row.seat is not None
    places = ((f"{LETTERS[place]} " if lettered else "") + label([mark]) for place, mark in enumerate(row.marks))
    return f"{row.name}: " + "  ".join(text.ljust(5 if lettered else 3) for text in places).rstrip()


def track_line(track: Track) -> str:
    """Draw the position of the peg, and its lap: `player 2 [=======*----] 34 of 121, lap 2 of 6`."""
    at = track.place * _BAR // track.length
    bar = "=" * (at - 1) + "*" * (at > 0) + "-" * (_BAR - at)
    done = "the lap is done" if track.laps_wanted == 1 else f"all {track.laps} laps"
    laps = done if track.laps >= track.laps_wanted else f"lap {track.laps + 1} of {track.laps_wanted}"
    return f"player {track.seat + 1} [{bar}] {track.place:3} of {track.length}, {laps}"


def panel_lines(panels: Sequence[Panel], *, lettered: bool = True) -> list[str]:
    """Draw a table of the seats with their letters on the sheet and their figures; `>` is before the seat to move."""
    names = [name for name, _ in panels[0].figures]
    rows = [["", *(name.replace("_", " ") for name in names)]]
    for panel in panels:
        sign = "> " if panel.to_move else "  "
        known_by = f"{letter(panel.seat)}  " if lettered else ""
        role = f", {panel.role}" if panel.role else ""
        left = " (has left)" if panel.left else ""
        figures = dict(panel.figures)
        rows.append([f"{sign}{known_by}player {panel.seat + 1}{role}{left}", *(str(figures[name]) for name in names)])
    return aligned(rows if names else rows[1:], 1)


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Align rows of the same length as columns: the first `left` of them flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.ljust(width) if place < left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
