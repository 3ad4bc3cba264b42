"""Keys of a position and of its images, kept up square by square: Zobrist's numbers, one for each face on each place.

A board with image keys reports each change (`Board.images`). So a prover knows a position again, turned, mirrored or
with the seats exchanged, without a look at the whole board. Nothing here knows a game.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, vec

#: The seed of all numbers, and the bits of a half of one.
SEED: Final = 62
HALF: Final = 31
HALF_MASK: Final = 0x7FFFFFFF


class ImageKeys:
    """One key of 62 bits for each image. `table` has the numbers of a place and face, those of all images in a row."""

    __slots__ = ("count", "faces", "keys", "table")

    def __init__(self, count: i64, faces: i64, table: vec[i64]) -> None:
        """Keys of an empty position; no key is 0."""
        self.count = count
        self.faces = faces
        self.table = table
        self.keys = filled(count, 1)

    def copy(self) -> "ImageKeys":
        """The keys of another board in the same position."""
        twin = ImageKeys(self.count, self.faces, self.table)
        twin.keys = self.keys[:]
        return twin

    def clear(self) -> None:
        """Back to the keys of an empty position."""
        for image in range(self.count):
            self.keys[image] = 1

    def toggle(self, place: i64, face: i64) -> None:
        """A face comes to a place, or goes."""
        count = self.count
        keys = self.keys
        table = self.table
        first = (place * self.faces + face) * count
        for image in range(count):
            keys[image] ^= table[first + image]

    def least(self, first: i64, end: i64) -> i64:
        """The least key of these images."""
        keys = self.keys
        found = keys[first]
        for image in range(first + 1, end):
            if keys[image] < found:
                found = keys[image]
        return found


def image_keys(faces: i64, places: list[vec[i64]], shown: list[vec[i64]]) -> ImageKeys:
    """Keys of the images that show place p at `places[i][p]`, and face f there as `shown[i][f]`."""
    room: i64 = len(places[0])
    count: i64 = len(places)
    dice = Dice(SEED)
    numbers = filled(room * faces, 0)
    for n in range(room * faces):
        numbers[n] = (dice.word() & HALF_MASK) << HALF | dice.word() & HALF_MASK
    table = filled(room * faces * count, 0)
    for place in range(room):
        for face in range(faces):
            for image in range(count):
                number = numbers[places[image][place] * faces + shown[image][face]]
                table[(place * faces + face) * count + image] = number
    return ImageKeys(count, faces, table)
