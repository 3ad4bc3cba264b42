"""The board of a page: places and drawings on a narrow screen, as parts that can be compared.

Drawings are the patches of every picture (client/picture). Players, their figures and notes are not part of it,
because a page has words for them.
"""

from typing import Any, Final, TypeAlias

from quadrille.client.foreign import shown
from quadrille.client.picture.glyphs import SHAPES, SYMBOLS, at, definitions, use
from quadrille.client.picture.layout import APART, CARD_STEP, LINE, ORDER, ROW_AIR, Drawing, LayoutPlan, layer_of
from quadrille.client.picture.patches import NAME, UNIT, WALLS, Patches, Slots, Spot, apart, badged
from quadrille.client.words.signs import COIN_VALUES
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.scene import Scene

#: A spot's place, layer and drawing; a touchable place's name, corner and size.
Drawn: TypeAlias = tuple[float, float, int, str]
Touchable: TypeAlias = tuple[str, float, float, float, float]
#: Parts of a picture that a page shows in words.
_IN_WORDS: Final = frozenset({"turn", "figure", "note", "sample", "laps", "track"})
#: Parts whose name begins with their seat.
_CARDS: Final = ("row", "place")
#: Distance from a card's middle to its upper edge, and its height.
_CARD_TOP: Final = 25
_CARD_HEIGHT: Final = 66


class Narrow(Drawing):
    """A layout for a phone: a seat has a line only for its cards, and of 320 pixels a card has 44."""

    margin = 4
    numbers = 18
    narrow, wide = 0, 276
    row_air, apart_step = 18, 18
    #: Room for a name beside its cards; without any, it stands above them. And the size of the cards of who is to move.
    beside, large = 0, 1

    def seats_width(self) -> int:
        """Return 0: two rows of three cards fit, and other rows lie below."""
        return 0

    def seats(self) -> None:
        """Place the cards of each seat, the large ones first."""
        owners = {int(spot.name.split(" ")[0]) for spot in self.of("place")}
        self.sizes = {panel.seat: self.large if panel.to_move else 1 for panel in self.scene.panels}
        for seat in sorted(owners, key=lambda seat: (-self.sizes[seat], seat)):
            scale = self.sizes[seat]
            beside = self.beside if scale == 1 else 0
            self.put(Spot("name", "", seat), self.margin + 16 * scale, self.y + (26 if beside else scale * LINE / 2))
            self.y += 0 if beside else scale * LINE
            self.rows(seat, beside, scale)

    def scale_of(self, spot: Spot) -> int:
        seat = spot.number if spot.part == "name" else int(spot.name.split(" ")[0]) if spot.part in _CARDS else None
        return self.apart_scale if spot.part == "apart" else 1 if seat is None else self.sizes[seat]

    def notes(self) -> None:
        """Draw no notes: a page has words for them."""


class Wide(Narrow):
    """A layout for a television: the cards of the seat to move are large."""

    wide = 960
    row_air, apart_step, apart_scale = ROW_AIR, 2 * APART, 2
    beside, large = 200, 2


class Easel:
    """Draws the positions of one table, in order."""

    def __init__(self, kind: type[Narrow] = Narrow) -> None:
        self._kind = kind
        self._drawing: Narrow | None = None
        self._shape: object = None
        self._slots: Slots = {}
        self._board: dict[str, Any] = {}

    def draw(
        self, scene: Scene, names: tuple[str, ...], after: Scene | None = None, maze: Labyrinth | None = None
    ) -> tuple[dict[str, Any], list[str]]:
        """Draw a position as the parts of a page: `board` stays until something new needs a place, `spots` are the
        drawings, and `words_of` has what lies on each place in words. `after` is the position after the half-made
        move, whose spots are returned too.
        """
        patches, soft = _shown(apart(scene, self._slots, names=names, maze=maze)), list[str]()
        if after is not None:
            there = _shown(apart(after, dict(self._slots), names=names))
            changed = [spot for spot, patch in there.items() if spot.part != "fresh" and patches.get(spot) != patch]
            fresh = {spot: patch for spot, patch in patches.items() if spot.part == "fresh"}
            patches = {spot: patch for spot, patch in there.items() if spot.part != "fresh"} | fresh
            soft = list(map(_name, changed))
        drawing, drawn = self._drawing_for(scene, patches), dict[str, Drawn]()
        for spot, patch in patches.items():
            if (place := _place(drawing, spot)) is not None:
                named = spot.part == "name"
                picture = badged(spot.number, shown(names[spot.number])[:NAME]) if named else patch.drawn
                if (scale := drawing.scale_of(spot)) > 1:
                    picture = at(0, 0, picture, scale)
                drawn[_name(spot)] = (*place, layer_of(spot), picture)
        return {"board": self._board, "spots": drawn, "words_of": _words(scene, patches, self._slots)}, soft

    def _drawing_for(self, scene: Scene, patches: Patches) -> Narrow:
        """Return the drawing, made again if something has no place on it yet; the part `board` also if a new row lies
        where another one lay, whose places were touched by other names.
        """
        panels = tuple((panel.left, panel.to_move and self._kind is Wide) for panel in scene.panels)
        shape = (scene.sheet and (scene.sheet.width, scene.sheet.height), panels)
        drawing = self._drawing if shape == self._shape else None
        plan = LayoutPlan(scene) if drawing is None else drawing.plan
        if drawing is None or not all(spot.part in ORDER or spot in plan.spots for spot in patches):
            plan.take(patches.items())
            self._shape, self._drawing = shape, (drawing := self._kind(plan))
            layout = drawing.layout()
            defs = definitions([layout.under, *_SYMBOLS])
            self._board = {"box": (layout.width, layout.height), "under": layout.under, "defs": defs, "places": ()}
        if not set(places := _touchable(drawing, scene, self._slots)) <= set(self._board["places"]):
            self._board = self._board | {"places": places}
        return drawing


def _place(drawing: Narrow, spot: Spot) -> tuple[float, float] | None:
    """Return the place of a spot; None for a spot that the board does not show."""
    if spot.part == WALLS:
        x, y = next(iter(drawing.squares.values()))
        high = drawing.scene.sheet.height if drawing.scene.sheet else 0
        return x - UNIT / 2, y + UNIT / 2 - UNIT * high
    if (place := drawing.places.get(spot)) is not None:
        return place.x, place.y
    return drawing.squares.get(spot.name.partition("-")[0])


def _touchable(drawing: Narrow, scene: Scene, slots: Slots) -> tuple[Touchable, ...]:
    half = UNIT / 2
    by_row = sorted(drawing.squares.items(), key=lambda item: (item[1][1], item[1][0]))
    places: list[Touchable] = [(name, x - half, y - half, UNIT, UNIT) for name, (x, y) in by_row]
    for row in scene.rows:
        if row.seat is None or row.name not in slots:
            continue
        room = f"{row.seat} {slots[row.name]}"
        for number, name in enumerate(row.places):
            if (at := drawing.places.get(Spot("place", room, number))) is not None:
                places.append((name, at.x - CARD_STEP / 2, at.y - _CARD_TOP, CARD_STEP, _CARD_HEIGHT))
    return tuple(places)


def _shown(patches: Patches) -> Patches:
    return {spot: patch for spot, patch in patches.items() if spot.part not in _IN_WORDS}


def _name(spot: Spot) -> str:
    return f"{spot.part} {spot.name} {spot.number or ''}".strip()


def _words(scene: Scene, patches: Patches, slots: Slots) -> dict[str, str]:
    """Describe the content of each place."""
    found: dict[str, list[str]] = {}
    rooms = {f"{row.seat} {slots[row.name]}": row for row in scene.rows if row.name in slots}
    for spot, patch in patches.items():
        match spot.part:
            case "cell":
                found.setdefault(spot.name, []).insert(0, patch.words)
            case "link" | "bare link":
                start, _, end = spot.name.partition("-")
                found.setdefault(start, []).append(f"{patch.words} to {end}")
                found.setdefault(end, []).append(f"{patch.words} to {start}")
            case "place" if spot.name in rooms and patch.words:
                found[rooms[spot.name].places[spot.number]] = [patch.words]
    return {name: ", ".join(words) for name, words in found.items()}


#: A use of every symbol, because a later position may need any of them.
_OF_SEATS: Final = (f"{kind}{seat}" for seat in range(len(SHAPES)) for kind in ("seat", "ground"))
_SYMBOLS: Final = tuple(map(use, (*SYMBOLS, *_OF_SEATS, *(f"coin{kind}" for kind in COIN_VALUES))))
