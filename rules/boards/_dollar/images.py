"""Positions of Dollar Draw that are alike: their keys. The board is in rules/boards/dollar_draw.py."""

from typing import Final

from quadrille.rules.arrays import array
from quadrille.rules.boards._dollar.squares import TOKEN
from quadrille.rules.ints import i64, vec
from quadrille.rules.patterns.image_keys import ImageKeys, image_keys
from quadrille.rules.patterns.keys import mixed

#: The contents of a square from Bar's point of view, and from that of S, for which the marks are exchanged: 3 bits
#: each for BLANK, DOLLAR, CLAIMED by Bar and by S, CAPTURED by Bar and by S.
FACES_OF_BAR: Final = 0o443210
FACES_OF_S: Final = 0o442310
#: Squares per mixed number of a key: it takes numbers of 32 bits.
PACKED: Final = 10
#: The faces of a square, and the same with the seats exchanged: contents up to CAPTURED, whoever captured, and tokens.
SHOWN: Final = (0, 1, 2, 3, 4, 5, 6)
EXCHANGED: Final = (0, 1, 3, 2, 4, 6, 5)


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


def lead_place(last: i64, lead: i64) -> i64:
    """The place behind the squares that shows Bar's lead in captured dollars."""
    return 2 * (last + 1) + lead


def dollar_images(stride: i64, first: i64, last: i64) -> ImageKeys:
    """The images of an empty sheet: as it is, on a square grid mirrored in its diagonal; then both turned."""
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
