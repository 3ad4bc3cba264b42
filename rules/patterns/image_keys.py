"""Keys of a position and of its images, kept up square by square: Zobrist's numbers, one for each face on each place.

A board with image keys reports each change (`Board.images`). So a prover knows a position again, turned, mirrored or
with the seats exchanged, without a look at the whole board. Nothing here knows a game.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.ints import i64, vec

#: The bits of a half of a number, and of what is mixed for one.
HALF: Final = 31
HALF_MASK: Final = 0x7FFFFFFF
MASK: Final = 0xFFFFFFFF
#: Odd factors of a mixed number, below 2**31, so that no product needs more than 63 bits.
ONE: Final = 0x45D9F3B
TWO: Final = 0x7FEB352D


class ImageKeys:
    """One key of 62 bits for each image. `table` has the numbers of a place and face, those of all images in a row."""

    __slots__ = ("count", "faces", "keys", "table")

    def __init__(self, count: i64, faces: i64, table: vec[i64]) -> None:
        """Make the keys of an empty position; no key is 0."""
        self.count = count
        self.faces = faces
        self.table = table
        self.keys = filled(count, 1)

    def copy(self) -> "ImageKeys":
        """Copy the keys for another board in the same position."""
        twin = ImageKeys(self.count, self.faces, self.table)
        twin.keys = self.keys[:]
        return twin

    def clear(self) -> None:
        """Go back to the keys of an empty position."""
        for image in range(self.count):
            self.keys[image] = 1

    def toggle(self, place: i64, face: i64) -> None:
        """Put a face on a place, or take it away."""
        count = self.count
        keys = self.keys
        table = self.table
        first = (place * self.faces + face) * count
        for image in range(count):
            keys[image] ^= table[first + image]

    def least(self, first: i64, end: i64) -> i64:
        """Return the least key of these images."""
        keys = self.keys
        least = keys[first]
        for image in range(first + 1, end):
            if keys[image] < least:
                least = keys[image]
        return least


def scattered(number: i64) -> i64:
    """Return 31 bits that depend on every bit of a number of 32.

    They are products, not `Dice`: its words are sums of 32 bits without carry, so of any 33 of them some cancel out,
    and so do squares with such numbers. Then two positions in 2**32 share a key, and not in 2**62.
    """
    for _ in range(2):
        number = ((number ^ number >> 16) * TWO) & MASK
        number = ((number ^ number >> 15) * ONE) & MASK
    return (number ^ number >> 16) & HALF_MASK


def key_number(n: i64) -> i64:
    """Return the n-th number of 62 bits for keys."""
    return scattered(2 * n + 1) << HALF | scattered(2 * n + 2)


def image_keys(faces: i64, places: list[vec[i64]], shown: list[vec[i64]]) -> ImageKeys:
    """Make the keys of the images that show place p at `places[i][p]`, and face f there as `shown[i][f]`."""
    room: i64 = len(places[0])
    count: i64 = len(places)
    numbers = filled(room * faces, 0)
    for n in range(room * faces):
        numbers[n] = key_number(n)
    table = filled(room * faces * count, 0)
    for place in range(room):
        for face in range(faces):
            for image in range(count):
                number = numbers[places[image][place] * faces + shown[image][face]]
                table[(place * faces + face) * count + image] = number
    return ImageKeys(count, faces, table)
