"""Dollar Draw as a prover sees it: a board that knows itself again, mirrored, and turned with the seats exchanged."""

from typing import Final

from quadrille.rules.arrays import array
from quadrille.rules.games.dollar_draw.board import BLANK, BORDER, CAPTURED, CLAIMED, DOLLAR
from quadrille.rules.games.dollar_draw.search import SearchedDollarDraw
from quadrille.rules.ints import i64, mypyc_attr
from quadrille.rules.patterns.image_keys import ImageKeys, image_keys

#: The faces of a square, and the same with the seats exchanged: contents up to CAPTURED, whoever captured, and tokens.
SHOWN: Final = (0, 1, 2, 3, 4, 5, 6)
EXCHANGED: Final = (0, 1, 3, 2, 4, 6, 5)
#: The face of Bar's token; that of S comes after it.
TOKEN: Final = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class ProvenDollarDraw(SearchedDollarDraw):
    """A board that keeps up the keys of its images."""

    __slots__ = ()

    def apply(self, move: i64) -> None:
        """Make a move, and tell the images."""
        if self.images is not None:
            seat = self.turn
            self.show(self.images, move, seat, self.tokens[seat], self.holds[move])
        super().apply(move)

    def undo(self) -> None:
        """Take back the last move, and tell the images."""
        seat = 1 - self.turn
        move = self.tokens[seat]
        super().undo()
        if self.images is not None:
            self.show(self.images, move, seat, self.tokens[seat], self.holds[move])

    def keep_images(self) -> None:
        """Keep the sheet, on a square grid mirrored; then the same turned, with the seats exchanged."""
        images = self.images
        if images is None:
            images = dollar_images(self.stride, self.first, self.last)
        images.clear()
        for square in range(self.first, self.last + 1):
            if self.holds[square] != BORDER:
                images.toggle(square, min(self.holds[square], CAPTURED))
        images.toggle(self.tokens[0], TOKEN)
        images.toggle(self.tokens[1], TOKEN + 1)
        images.toggle(lead_place(self.last, self.captured[0] - self.captured[1]), 0)
        self.images = images

    def show(self, images: ImageKeys, move: i64, seat: i64, left: i64, held: i64) -> None:
        """Tell the images of a move of a seat's token from the square `left`, or of its undoing."""
        images.toggle(left, TOKEN + seat)
        images.toggle(move, TOKEN + seat)
        images.toggle(move, held)
        if held == DOLLAR:
            lead = self.captured[0] - self.captured[1]
            images.toggle(move, CAPTURED)
            images.toggle(lead_place(self.last, lead), 0)
            images.toggle(lead_place(self.last, lead + 1 - 2 * seat), 0)
        else:
            images.toggle(move, CLAIMED + seat if held == BLANK else i64(DOLLAR))

    def alike(self) -> i64:
        """Answer as the board does, from the keys that are kept up."""
        if self.images is None:
            return super().alike()
        half = self.images.count // 2
        return self.images.least(half * self.turn, half * self.turn + half)


def lead_place(last: i64, lead: i64) -> i64:
    """Return the place behind the squares that shows Bar's lead in captured dollars."""
    return 2 * (last + 1) + lead


def dollar_images(stride: i64, first: i64, last: i64) -> ImageKeys:
    """Make the images of an empty sheet: as it is, on a square grid mirrored in its diagonal; then both turned."""
    squares = last + 1
    height = stride - 1
    width = squares // stride
    same: list[int] = list(range(3 * squares + 1))
    turned = same[:]
    mirrored = same[:]
    for square in range(first, squares):
        turned[square] = first + last - square
        mirrored[square] = stride * (square % stride + 1) + square // stride - 1
    for lead in range(-squares, squares + 1):
        turned[lead_place(last, lead)] = lead_place(last, -lead)
    seen = [same, mirrored] if width == height else [same]
    maps = seen + [[turned[place] for place in row] for row in seen]
    faces = [array(SHOWN) for _ in seen] + [array(EXCHANGED) for _ in seen]
    return image_keys(TOKEN + 2, [array(row) for row in maps], faces)
