"""The places of all parts of a picture: one layout for all positions of a game, so that only changed parts move.

From top to bottom: the sheet, the seats with their figures (and track and rows, if the game has them), the rows that
belong to no seat, the notes. A layout has a place for everything in any position that its plan has taken in.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from quadrille.client.picture.glyphs import CARD, RANKS, SUITS, at, text, use
from quadrille.client.picture.patches import BARE, NAME, RAIL, UNIT, WALLS, Patch, Spot
from quadrille.rules.scene import Scene, letter
from quadrille.rules.squares import LETTERS
from quadrille.value import value

MARGIN: Final = 16
#: Minimum width of a picture: all of it can be read on a phone.
NARROW: Final = 440
LINE: Final = 32
NOTE_LINE: Final = 20
#: Approximate width of a letter of a name.
LETTER: Final = 8
#: Distances between cards of a row, between rows of cards, and between lines of rows.
CARD_STEP: Final = 38
ROW_AIR: Final = 34
CARD_LINE: Final = 74
#: Room before a track and before cards that lie apart, which have their name above them; from rank to rank of these.
BEFORE: Final = 8
NAME_LINE: Final = 22
APART: Final = 27
#: The order of drawing on a sheet; later parts lie on top, and all others beside it.
ORDER: Final = ("fresh", "link", BARE, WALLS, "cell")


@value
class SpotPlace:
    """The place of a spot, and its name in words."""

    x: float
    y: float
    called: str


@value
class Layout:
    """A picture without its patches: its size, its background, its places in the order of drawing, and the middle of
    each square.
    """

    width: int
    height: int
    under: str
    places: dict[Spot, SpotPlace]
    squares: dict[str, tuple[float, float]]


class LayoutPlan:
    """Takes in the positions of games of one setup, then makes their common layout."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        #: The spots so far, in order of appearance.
        self.spots: dict[Spot, None] = {}
        self.longest = 0

    def take(self, changes: Iterable[tuple[Spot, Patch | None]]) -> None:
        """Make room for a position, or for its changes."""
        for spot, patch in changes:
            self.spots[spot] = None
            if spot.part == "name" and patch is not None:
                self.longest = max(self.longest, min(len(patch.words), NAME + 32))


class Drawing:
    """A layout in the making; `y` is the used height, and `squares` has the middle of each square."""

    margin = MARGIN
    #: Room for the numbers of the rows, beside the sheet; minimum widths without cards or tracks and with them.
    numbers = 24
    narrow, wide = NARROW, NARROW
    row_air, apart_step = ROW_AIR, APART
    #: The size of things that lie apart.
    apart_scale = 1

    def __init__(self, plan: LayoutPlan) -> None:
        self.scene = plan.scene
        self.plan = plan
        self.under: list[str] = []
        self.places: dict[Spot, SpotPlace] = {}
        self.squares: dict[str, tuple[float, float]] = {}
        self.y: float = self.margin
        sheet = self.scene.sheet
        has_cards = any(self.of("place")) or any(self.of("apart"))
        self.width = self.wide if self.scene.tracks or has_cards else self.narrow
        if sheet is not None:
            self.width = max(self.width, UNIT * sheet.width + 2 * self.margin + self.numbers)
        self.shift = 34 if any(self.of("sample")) else 0
        self.width = max(self.width, self.seats_width())

    def seats_width(self) -> int:
        """Return the width of a seat's line with its name and its figures."""
        figures = sum(map(_wide, self.figures()))
        return 2 * MARGIN + 58 + self.shift + LETTER * self.plan.longest + figures

    def figures(self) -> list[str]:
        return [name for name, _ in self.scene.panels[0].figures]

    def layout(self) -> Layout:
        """Return the layout of everything that the plan has taken in."""
        if self.scene.sheet is not None:
            self.sheet()
        self.seats()
        self.apart()
        self.notes()
        places = {spot: self.places[spot] for spot in sorted(self.places, key=layer_of)}
        return Layout(self.width, int(self.y + self.margin), "".join(self.under), places, self.squares)

    def put(self, spot: Spot, x: float, y: float, called: str = "") -> None:
        if spot in self.plan.spots:
            self.places[spot] = SpotPlace(x, y, called)

    def of(self, part: str) -> Iterator[Spot]:
        return (spot for spot in self.plan.spots if spot.part == part)

    def sheet(self) -> None:
        """Place the squared paper; a sheet with lines between squares has dots instead."""
        sheet = self.scene.sheet
        assert sheet is not None
        wide, high = UNIT * sheet.width, UNIT * sheet.height
        left, top = (self.width - wide - self.numbers) // 2 + self.numbers, self.y
        where = self.squares
        for number, cell in enumerate(sheet.cells):
            column, row = divmod(number, sheet.height)
            where[cell.name] = (left + UNIT * (column + 0.5), top + high - UNIT * (row + 0.5))
        self.under.append(f'<rect x="{left}" y="{top:g}" width="{wide}" height="{high}" rx="3" class="sheet"/>')
        if sheet.links is None:
            across = "".join(f"M{left} {top + UNIT * n:g}h{wide}" for n in range(1, sheet.height))
            down = "".join(f"M{left + UNIT * n} {top:g}v{high}" for n in range(1, sheet.width))
            self.under.append(f'<path d="{across}{down}" class="grid"/>')
        else:
            dots = "".join(f"M{x:g} {y:g}h0" for x, y in where.values())
            self.under.append(f'<path d="{dots}" class="dots"/>')
        for column in range(sheet.width):
            self.under.append(at(left + UNIT * (column + 0.5), top + high + 13, text(LETTERS[column], 0, 13, "faint")))
        for row in range(sheet.height):
            label, y = text(str(row + 1), 0, 13, "faint"), top + high - UNIT * (row + 0.5)
            self.under.append(at(left - self.numbers / 2 - 2, y, label))
        for spot in self.plan.spots:
            if spot.part in ("fresh", "cell", "link", BARE):
                self.put(spot, *where[spot.name.partition("-")[0]], spot.name)
        self.put(Spot(WALLS), left, top, "labyrinth")
        self.y = top + high + 30

    def seats(self) -> None:
        """Place a line for each seat, and below it the seat's track and rows."""
        ends, right = {}, self.width - MARGIN - 4
        for name in reversed(self.figures()):
            ends[name] = right
            right -= _wide(name)
        if ends:
            for name, x in ends.items():
                heading = escape(name.replace("_", " "))
                self.under.append(f'<text x="{x}" y="{self.y + 6:g}" class="heading" dy=".35em">{heading}</text>')
            self.y += 18
        for panel in self.scene.panels:
            seat, y = panel.seat, self.y + LINE / 2
            self.under.append(f'<path d="M{MARGIN} {self.y:g}H{self.width - MARGIN}" class="grid"/>')
            self.put(Spot("turn", "", seat), MARGIN + 10, y, letter(seat))
            self.put(Spot("sample", "", seat), MARGIN + 26, y)
            self.put(Spot("name", "", seat), MARGIN + 38 + self.shift, y)
            for name, x in ends.items():
                self.put(Spot("figure", name, seat), x, y, f"{letter(seat)}, {name.replace('_', ' ')}")
            self.y += LINE
            self.track(seat)
            self.rows(seat)

    def track(self, seat: int) -> None:
        for track in self.scene.tracks:
            if track.seat == seat:
                x, y, step = self.margin + BEFORE, self.y + 10, 10 if track.length <= 250 else 50
                ends = (x + RAIL * n / track.length for n in range(0, track.length + 1, step))
                marks = "".join(f"M{end:.4g} {y + 6:g}v3" for end in ends)
                self.under.append(f'<rect x="{x}" y="{y - 5:g}" width="{RAIL}" height="10" rx="5" class="rail"/>')
                self.under.append(f'<path d="{marks}" class="grid"/>')
                self.put(Spot("track", "", seat), x, y)
                self.put(Spot("laps", "", seat), x, y, f"{letter(seat)}, track")
                self.y += 28

    def rows(self, seat: int, left: int = 0, scale: int = 1) -> None:
        """Place a seat's rows side by side as far as they fit, each after its name."""
        lengths: dict[int, int] = {}
        for spot in self.of("place"):
            owner, room = map(int, spot.name.split(" "))
            if owner == seat:
                lengths[room] = max(spot.number + 1, lengths.get(room, 0))
        x = left = left or self.margin + 2
        for room, length in sorted(lengths.items()):
            if x > left and x + scale * CARD_STEP * length > self.width - self.margin:
                x, self.y = left, self.y + scale * CARD_LINE
            y = self.y + scale * 26
            self.put(Spot("row", f"{seat} {room}"), x, y)
            for number in range(length):
                at_x = x + scale * (34 + CARD_STEP * number)
                self.put(Spot("place", f"{seat} {room}", number), at_x, y, LETTERS[number])
            x += scale * (CARD_STEP * length + self.row_air)
        if lengths:
            self.y += scale * CARD_LINE

    def apart(self) -> None:
        """Place the rows of no seat: cards by suit and rank, so that gaps are obvious; other things in a line."""
        rows: dict[str, list[Spot]] = {}
        for spot in self.of("apart"):
            rows.setdefault(spot.name.partition(" ")[0], []).append(spot)
        for name, spots in rows.items():
            place = f'x="{self.margin}" y="{self.y + 14:g}"'
            self.under.append(f'<text {place} class="note" dy=".35em">{escape(name)}</text>')
            self.y += NAME_LINE * self.apart_scale
            suited = [spot for spot in spots if CARD.fullmatch(_label(spot))]
            left, top = self.margin + BEFORE * self.apart_scale, self.y + 14
            if suited:
                self.suits(suited, left, top)
                self.y += 22 * self.apart_scale * len(SUITS)
            others = sorted(spot for spot in spots if spot not in suited)
            for number, spot in enumerate(others):
                self.put(spot, left + 24 + 40 * number, self.y + 14, name)
            self.y += 22 * bool(others) + 12

    def suits(self, spots: Sequence[Spot], left: float, top: float) -> None:
        scale, line = self.apart_scale, 22 * self.apart_scale
        first = left + 24 * scale
        for number, suit in enumerate(SUITS):
            self.under.append(at(left, top + line * number, use(f"suit{suit}"), 0.7 * scale))
        dots = "".join(
            f"M{first + self.apart_step * rank:g} {top + line * number:g}h0"
            for number in range(len(SUITS))
            for rank in range(len(RANKS))
        )
        self.under.append(f'<path d="{dots}" class="dots"/>')
        for spot in spots:
            card = CARD.fullmatch(_label(spot))
            assert card is not None
            x = first + self.apart_step * RANKS.index(card[1])
            # A second pack's card lies a little beside the first.
            self.put(spot, x + 5 * spot.number, top + line * SUITS.index(card[2]), spot.name.partition(" ")[0])

    def notes(self) -> None:
        spots = list(self.of("note"))
        self.y += 6 if spots else 0
        for spot in spots:
            self.put(spot, MARGIN, self.y + NOTE_LINE * (spot.number + 0.5))
        self.y += NOTE_LINE * (1 + max((spot.number for spot in spots), default=-1))


def layer_of(spot: Spot) -> int:
    return ORDER.index(spot.part) if spot.part in ORDER else len(ORDER)


def _label(spot: Spot) -> str:
    return spot.name.partition(" ")[2]


def _wide(name: str) -> int:
    """Return the width of a column of figures under its name."""
    return max(48, 8 * len(name) + 14)
