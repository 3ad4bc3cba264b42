"""A picture of a position as data: its content, not its look.

Renderers (terminal, plain text, SVG, in `client/`) draw scenes, so that a new game needs no client code to be
playable. No colour, glyph or box line in here: only names, seats and short labels in the game's own notation.
"""

from functools import lru_cache
from typing import Final

from quadrille.rules.squares import LETTERS
from quadrille.value import value


def letter(seat: int) -> str:
    """Return a seat's name in pictures."""
    return LETTERS[seat].upper()


@value
class Mark:
    """A thing on a cell or in a row.

    `kind` is a word of the game ("claim", "dollar", "coin", "card", "token"); `label` at most four characters of
    notation ("S", "3p", "10H", "?"); `seat` its owner, or None.
    """

    kind: str
    label: str
    seat: int | None = None


@value
class Cell:
    """A square by its name, with its contents from the bottom up; the last mover's square is `fresh`."""

    name: str
    marks: tuple[Mark, ...] = ()
    fresh: bool = False


@value
class Link:
    """A line between two cells by their names, drawn by a seat (None: nobody's)."""

    start: str
    end: str
    seat: int | None = None


#: Cached: a scene is made at every move, and is much like the one before it.
mark: Final = lru_cache(maxsize=1 << 12)(Mark)
cell: Final = lru_cache(maxsize=1 << 14)(Cell)
link: Final = lru_cache(maxsize=1 << 14)(Link)


@value
class Sheet:
    """The squared paper: cells column by column, each from the bottom, in the order of square numbers.

    `links` is None in games that draw no lines between squares, and otherwise empty until a line is drawn.
    """

    width: int
    height: int
    cells: tuple[Cell, ...]
    links: tuple[Link, ...] | None = None


@value
class Row:
    """A row of things beside the sheet (cards before a player, a discard pile): `name` is its name in moves.

    An empty place holds None; `seat` is the row's owner. `lookers` has, for each place, the seats that have looked at
    a card face down there; it is empty in games without looks.
    """

    name: str
    marks: tuple[Mark | None, ...]
    seat: int | None = None
    lookers: tuple[tuple[int, ...], ...] = ()

    @property
    def places(self) -> list[str]:
        """The names of its places: `p2 1a`, `p2 1b`, …"""
        return [f"{self.name}{place}" for place in LETTERS[: len(self.marks)]]


@value
class Track:
    """A peg on its track: `place` of `length`, and the completed laps."""

    seat: int
    place: int
    length: int
    laps: int
    laps_wanted: int


@value
class Panel:
    """A seat's corner: its name in this game ("Bar", "" for none) and its named figures."""

    seat: int
    role: str
    figures: tuple[tuple[str, int], ...]
    to_move: bool
    left: bool


@value
class Scene:
    """Everything that a viewer sees. `notes` are sentences about the position ("Round 2, 31 cards in the deck")."""

    game: str
    panels: tuple[Panel, ...]
    sheet: Sheet | None = None
    rows: tuple[Row, ...] = ()
    tracks: tuple[Track, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def places(self) -> frozenset[str]:
        """The names of all pickable things: the squares of the sheet, and the places in seats' rows."""
        squares = [cell.name for cell in self.sheet.cells] if self.sheet else []
        cards = [zip(row.places, row.marks, strict=True) for row in self.rows if row.seat is not None]
        return frozenset(squares + [name for row in cards for name, mark in row if mark])
