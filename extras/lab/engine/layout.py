"""The layout of observations: the kinds of planes, and the places of their numbers in a packed row.

Each plane is of a kind, which its board declares (`Board.packing`). A packed row has a bit of each square for a plane
of BITs, and one number for a plane that is full of it.
"""

from typing import Final

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


def lanes(width: i64, *, big: bool) -> vec[i64]:
    """The unit of each number of `width` bits in a word, in the order of the machine's memory."""
    count = BITS // width
    found = filled(count, 0)
    unit: i64 = 1
    for lane in range(count):
        found[count - 1 - lane if big else lane] = unit
        if lane + 1 < count:
            for _ in range(width):
                unit *= 2
    return found


def packed_planes(packing: vec[i64]) -> i64:
    """How many numbers a packed row has for each square."""
    bits: i64 = 0
    numbers: i64 = 0
    for kind in packing:
        bits += 1 if kind == BIT else 0
        numbers += 1 if kind == NUMBER else 0
    return (bits + USED_BITS - 1) // USED_BITS + numbers


def figures_of(packing: vec[i64]) -> i64:
    """How many planes are FIGUREs."""
    figures: i64 = 0
    for kind in packing:
        figures += 1 if kind == FIGURE else 0
    return figures


def runs_of(packing: vec[i64], stride: i64) -> vec[i64]:
    """Where the planes of BITs and NUMBERs begin and end, those side by side as one."""
    ends: list[i64] = []
    for plane in range(len(packing)):
        if packing[plane] > NUMBER:
            continue
        if ends and ends[-1] == plane * stride:
            ends.pop()
        else:
            ends.append(plane * stride)
        ends.append((plane + 1) * stride)
    return array(ends)


def one_byte(packing: vec[i64]) -> bool:
    """Whether a byte of each square is the whole of a packed row."""
    return packed_planes(packing) == 1 and NUMBER not in packing and FIGURE not in packing


def packed_places(packing: vec[i64], cells: i64) -> vec[i64]:
    """The place of each plane's first number in a packed row, or of its only one.

    Seven planes of BITs share a number of each square. Then come those of NUMBERs, then the FIGUREs.
    """
    places = filled(len(packing), NOWHERE)
    bits: i64 = 0
    for kind in packing:
        bits += 1 if kind == BIT else 0
    number = (bits + USED_BITS - 1) // USED_BITS
    figure = packed_planes(packing) * cells
    bits = 0
    for plane in range(len(packing)):
        kind = packing[plane]
        if kind == BIT:
            places[plane] = bits // USED_BITS * cells
            bits += 1
        elif kind == NUMBER:
            places[plane] = number * cells
            number += 1
        elif kind == FIGURE:
            places[plane] = figure
            figure += 1
    return places


def packed_weights(packing: vec[i64]) -> vec[i64]:
    """The worth of 1 on each plane in a number of a packed row."""
    weights = filled(len(packing), 1)
    bits: i64 = 0
    for plane in range(len(packing)):
        if packing[plane] == BIT:
            for _ in range(bits % USED_BITS):
                weights[plane] *= 2
            bits += 1
    return weights
