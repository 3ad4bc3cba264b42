"""Positions of Dollar Draw that are alike: their keys. The board is in rules/boards/dollar_draw.py."""

from typing import Final

from quadrille.rules.ints import i64, vec
from quadrille.rules.patterns.keys import mixed

#: The contents of a square from Bar's point of view, and from that of S, for which the marks are exchanged: 3 bits
#: each for BLANK, DOLLAR, CLAIMED by Bar and by S, CAPTURED by Bar and by S.
FACES_OF_BAR: Final = 0o443210
FACES_OF_S: Final = 0o442310
#: Squares per mixed number of a key: it takes numbers of 32 bits.
PACKED: Final = 10


def mover_key(turn: i64, stride: i64, first: i64, last: i64, holds: vec[i64], tokens: vec[i64], lead: i64) -> i64:
    """The key of a position from the mover's corner; `lead` is that of its captured dollars."""
    height = stride - 1
    width = (last + 1) // stride
    own = tokens[turn]
    other = tokens[1 - turn]
    faces: i64 = FACES_OF_BAR
    corner = first
    up: i64 = 1
    if turn:
        faces = FACES_OF_S
        corner = last
        up = -1
        own = first + last - own
        other = first + last - other
    along = stride * up
    # the image in the diagonal; on other grids than square ones it is the board itself
    begin = mixed(0, lead)
    one = mixed(begin, own << 16 | other)
    two = one
    over = along
    beside = up
    if width == height:
        over = up
        beside = along
        own = stride * (own % stride + 1) + own // stride - 1
        other = stride * (other % stride + 1) + other // stride - 1
        two = mixed(begin, own << 16 | other)
    bits: i64 = 0
    image: i64 = 0
    left: i64 = PACKED
    for column in range(width):
        square = corner + along * column
        mirrored = corner + over * column
        for _row in range(height):
            bits = bits << 3 | faces >> 3 * holds[square] & 7
            image = image << 3 | faces >> 3 * holds[mirrored] & 7
            square += up
            mirrored += beside
            left -= 1
            if left == 0:
                one = mixed(one, bits)
                two = mixed(two, image)
                bits = image = 0
                left = PACKED
    return min(mixed(one, bits), mixed(two, image))
