"""The signs of cards and coins, and the legend of a board's present signs."""

from collections.abc import Iterator
from typing import Final

from quadrille.client.words.story import few
from quadrille.rules.core import Viewer
from quadrille.rules.scene import Row, Scene, letter

#: The values of coins in cents, by their letters.
COIN_VALUES: Final = {"p": "1", "n": "5", "d": "10", "q": "25"}
_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
#: The things on squares, by kind and label.
_THINGS: Final = {
    ("dollar", "$"): "$ a dollar",
    ("cross", "X"): "X a dead end",
    ("start", "o"): "◉ the start",
}
#: The things of seats, by kind.
_OWNED: Final = {"claim": "claimed by", "dollar": "captured by"}
_PIECES: Final = {"token": "the tokens", "pawn": "the pawns"}


def face(label: str) -> str:
    """Return a card's text, with signs for suits."""
    if label.startswith("JK"):
        return "★"
    return label[:-1] + _SUITS[label[-1]] if len(label) > 1 and label[-1] in _SUITS else label


def signs(scene: Scene, viewer: Viewer, *, picks: bool, plays: bool, way: bool = False) -> tuple[str, ...]:
    """Return the legend of a scene as its viewer sees it; `picks` if squares to pick are marked, `plays` if what others
    did since a move of the viewer's is, `way` if a way through a maze is.
    """
    lines = ["• the way through"] if way else []
    lines += [*_squares(scene, plays=plays), *_cards(scene, viewer)]
    if picks and scene.sheet:
        lines.append("○ a square to pick")
    return tuple(dict.fromkeys(lines))


def _squares(scene: Scene, *, plays: bool) -> Iterator[str]:
    if scene.sheet is None:
        return
    marks = [mark for cell in scene.sheet.cells for mark in cell.marks]
    for mark in marks:
        if (mark.kind, mark.label) in _THINGS:
            yield _THINGS[mark.kind, mark.label]
    for kind, done in _OWNED.items():
        things = (mark for mark in marks if mark.kind == kind and mark.label)
        owned = sorted({(mark.seat, mark.label) for mark in things if mark.seat is not None})
        if owned:
            yield f"{' '.join(label for _, label in owned)} {done} {few([letter(seat) for seat, _ in owned])}"
    for kind, called in _PIECES.items():
        seats = sorted({mark.seat for mark in marks if mark.kind == kind and mark.seat is not None})
        if seats:
            yield f"{' '.join(map(letter, seats))} {called}"
    if any(cell.fresh and cell.marks and cell.marks[-1].kind not in ("taken", "start") for cell in scene.sheet.cells):
        yield "‹ › new since your move" if plays else "‹ › the last move"


def _cards(scene: Scene, viewer: Viewer) -> Iterator[str]:
    rows = [row for row in scene.rows if row.lookers]
    if any(_own(row, viewer) for row in rows):
        yield "( ) only you see it"
    others = [[seat for seat in seats if seat != viewer] for row in rows for seats in row.lookers]
    for seat in sorted({seats[0] for seats in others if len(seats) == 1})[:1]:
        yield f"{letter(seat).lower()} on a card: {letter(seat)} has looked"
    if number := next((len(seats) for seats in others if len(seats) > 1), 0):
        yield f"{number} on a card: {number} have looked"


def _own(row: Row, viewer: Viewer) -> bool:
    marks = zip(row.marks, row.lookers, strict=True)
    return any(mark is not None and mark.label != "?" and viewer in seats for mark, seats in marks)
