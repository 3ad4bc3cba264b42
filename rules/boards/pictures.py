"""Pictures: a byte for each square, eight in a word, in which bit k is plane k of the seat to move (`Board.repaint`).

Squares are in the order of a plane. `units` are 1 for each byte of a word, in the order of the machine's memory.
"""

from typing import Final

from quadrille.rules.arrays import ONES
from quadrille.rules.ints import i64, vec

#: The bits of a byte in use: the highest one would be the word's sign.
USED: Final = 127


def put(picture: vec[i64], first: i64, units: vec[i64], cell: i64, bits: i64) -> None:
    """Set the byte of a square."""
    unit = units[cell & 7]
    word = first + (cell >> 3)
    picture[word] = (picture[word] & ~(USED * unit)) | bits * unit


def add(picture: vec[i64], first: i64, units: vec[i64], cell: i64, bits: i64) -> None:
    """Set these bits of a square."""
    picture[first + (cell >> 3)] |= bits * units[cell & 7]


def take(picture: vec[i64], first: i64, units: vec[i64], cell: i64, bits: i64) -> None:
    """Clear these bits of a square."""
    picture[first + (cell >> 3)] &= ~(bits * units[cell & 7])


def pass_on(picture: vec[i64], first: i64, units: vec[i64], squares: i64, seats: i64, cell: i64) -> None:
    """The last mover has a square now, and the next seat looks at the squares of each seat and at those of nobody.

    So each seat is one nearer, and the last mover is the furthest.
    """
    nobody: i64 = ONES
    nobody <<= seats
    others = (nobody >> 1) - ONES
    for word in range(first, first + ((squares + 7) >> 3)):
        held = picture[word]
        picture[word] = (held >> 1 & others) | (held & ONES) << (seats - 1) | (held & nobody)
    put(picture, first, units, cell, 1 << (seats - 1))
