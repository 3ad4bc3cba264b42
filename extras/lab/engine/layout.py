"""The layout of an observation: the kinds of planes, and the places of their numbers in a row.

Each plane is of a kind, which its observer declares (`Observer.packing`). A row has a bit of each square for a plane of
BITs, and one number for a plane that is full of it: seven planes of BITs share a number of each square, then come those
of NUMBERs, then the FIGUREs. Each of these parts begins at a multiple of ROOM, so that whole words are copied from it.
"""

from typing import Final, final

from quadrille.rules.arrays import filled
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
#: The place of a plane that a row leaves out.
NOWHERE: Final = -1
#: As many numbers as fill a word, of one byte each or of two.
ROOM: Final = 8


def lanes(width: i64, *, big: bool) -> vec[i64]:
    """Return the unit of each number of `width` bits in a word, in the order of the machine's memory."""
    count = BITS // width
    units = filled(count, 0)
    unit: i64 = 1
    for lane in range(count):
        units[count - 1 - lane if big else lane] = unit
        if lane + 1 < count:
            for _ in range(width):  # to the compiler a shifted 1 has 32 bits
                unit *= 2
    return units


def rounded(count: i64) -> i64:
    """Return the next multiple of ROOM."""
    return (count + ROOM - 1) // ROOM * ROOM


@final
class RowLayout:
    """The places of planes of these `kinds`, with `cells` squares each.

    `places` has the place of each plane's first number, or of its only one, `shifts` its bit in the numbers there. A
    row has `size` numbers. `is_byte` tells that a byte of each square is the whole of it.
    """

    __slots__ = ("cells", "is_byte", "kinds", "places", "shifts", "size")

    def __init__(self, kinds: vec[i64], cells: i64) -> None:
        self.kinds = kinds
        self.cells = cells
        self.places = filled(len(kinds), NOWHERE)
        self.shifts = filled(len(kinds), 0)
        room = rounded(cells)
        size: i64 = 0
        bits: i64 = 0
        for plane in range(len(kinds)):
            if kinds[plane] == BIT:
                if bits % USED_BITS == 0:
                    size += room
                self.places[plane] = size - room
                self.shifts[plane] = bits % USED_BITS
                bits += 1
        for plane in range(len(kinds)):
            if kinds[plane] == NUMBER:
                self.places[plane] = size
                size += room
        self.is_byte = size == room and bits > 0
        for plane in range(len(kinds)):
            if kinds[plane] == FIGURE:
                self.is_byte = False
                self.places[plane] = size
                size += 1
        self.size = rounded(size)
