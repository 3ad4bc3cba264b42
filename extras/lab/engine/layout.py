"""The layout of an observation: the kinds of planes, and the places of their numbers in a row.

Each plane is of a kind, which its observer declares (`Observer.packing`). A packed row has a bit of each square for a
plane of BITs, and one number for a plane that is full of it: seven planes of BITs share a number of each square, then
come those of NUMBERs, then the FIGUREs. A row that is not packed has the planes one after the other.
"""

from typing import Final, final

from quadrille.rules.arrays import array, filled
from quadrille.rules.ints import i64, vec

#: The kinds of planes: 0 or 1 for each square; a number for each square; one number for all squares; and one number
#: that is always the same to the seat to move, as long as nobody leaves.
BIT: Final = 0
NUMBER: Final = 1
FIGURE: Final = 2
STILL: Final = 3
#: Bits of a packed number in use: the highest one of a word is its sign.
USED_BITS: Final = 7
#: Bits in a word.
BITS: Final = 64
#: The place of a plane that a packed row leaves out.
NOWHERE: Final = -1
#: The stride of a packed row.
PACKED: Final = 0


def lanes(width: i64, *, big: bool) -> vec[i64]:
    """Return the unit of each number of `width` bits in a word, in the order of the machine's memory."""
    count = BITS // width
    found = filled(count, 0)
    unit: i64 = 1
    for lane in range(count):
        found[count - 1 - lane if big else lane] = unit
        if lane + 1 < count:
            for _ in range(width):  # to the compiler a shifted 1 has 32 bits
                unit *= 2
    return found


@final
class RowLayout:
    """The places of planes of these `kinds`, `stride` apart, or PACKED.

    `places` has the place of each plane's first number, or of its only one, `weights` the worth of 1 on each plane in
    a number there. A row has `size` numbers. `runs` are the places where planes of BITs and NUMBERs begin and end,
    those side by side as one. `is_byte` tells that a byte of each square is the whole of a packed row.
    """

    __slots__ = ("cells", "is_byte", "kinds", "places", "runs", "size", "stride", "weights")

    def __init__(self, kinds: vec[i64], cells: i64, stride: i64) -> None:
        self.kinds = kinds
        self.cells = cells
        self.stride = stride
        self.places = filled(len(kinds), NOWHERE)
        self.weights = filled(len(kinds), 1)
        bits: i64 = 0
        numbers: i64 = 0
        figures: i64 = 0
        for kind in kinds:
            bits += 1 if kind == BIT else 0
            numbers += 1 if kind == NUMBER else 0
            figures += 1 if kind == FIGURE else 0
        number = (bits + USED_BITS - 1) // USED_BITS
        figure = (number + numbers) * cells
        self.is_byte = number == 1 and numbers == 0 and figures == 0
        self.size = figure + figures if stride == PACKED else len(kinds) * stride
        ends: list[i64] = [0, figure] if stride == PACKED else []
        bits = 0
        for plane in range(len(kinds)):
            kind = kinds[plane]
            if stride != PACKED:
                self.places[plane] = plane * stride
                if kind <= NUMBER:
                    if ends and ends[-1] == plane * stride:
                        ends.pop()
                    else:
                        ends.append(plane * stride)
                    ends.append((plane + 1) * stride)
            elif kind == BIT:
                self.places[plane] = bits // USED_BITS * cells
                self.weights[plane] = 1 << (bits % USED_BITS)
                bits += 1
            elif kind == NUMBER:
                self.places[plane] = number * cells
                number += 1
            elif kind == FIGURE:
                self.places[plane] = figure
                figure += 1
        self.runs = array(ends)
