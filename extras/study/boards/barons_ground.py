"""A size of board of Barons with its prices, for a prover: weights, lines, neighbours and the numbers of keys.

Positions are in barons_stakes.py.
"""

from typing import Final

from quadrille.rules.arrays import array, filled, packed
from quadrille.rules.ints import i64, vec
from quadrille.rules.patterns.image_keys import key_number

#: Images of a board that share its rows and columns: itself, mirrored both ways, and turned.
IMAGES: Final = 4
#: Neighbours of a square at most.
SIDES: Final = 4
#: The faces of an unclaimed square where one stays unclaimed: how many more of its neighbours are the mover's, by
#: direction; the one in the middle stands for as many of either seat.
FACES: Final = 25
EVEN: Final = 12
#: The factor of a horizontal neighbour, where it differs in price from a vertical one.
ACROSS: Final = 5
#: The faces of a line: the mover can complete it, the other can, or both.
HOPES: Final = 4


class BaronsGround:
    """A size of board and its prices: what is the same for all positions.

    Lines are rows, then columns. `kinds` numbers the weights of squares, the heaviest first.
    """

    __slots__ = (
        "beside", "bonuses", "even", "faces", "first", "height", "kind_weights", "kinds", "leaves_one", "lengths",
        "line_numbers", "loose_numbers", "mates", "numbers", "prices", "squares", "step", "units", "weights",
    )  # fmt: skip

    def __init__(self, width: i64, height: i64, prices: vec[i64], *, full: bool) -> None:
        squares = width * height
        self.height = height
        self.squares = squares
        #: Whether a square is unclaimed at the end.
        self.leaves_one = not full and squares % 2 == 1
        across, up = prices[0], prices[1]
        self.lengths = array([width] * height + [height] * width)
        self.bonuses = array([2 * prices[2]] * height + [2 * prices[3]] * width)
        self.first = array(list(range(height)) + [column * height for column in range(width)])
        self.step = array([height] * height + [1] * width)
        beside, paid, units = [], [], []
        for square in range(squares):
            row, column = square % height, square // height
            there = [(-height, across, ACROSS)] * (column > 0) + [(height, across, ACROSS)] * (column + 1 < width)
            there += [(-1, up, 1)] * (row > 0) + [(1, up, 1)] * (row + 1 < height)
            beside.append([square + away for away, _, _ in there])
            paid.append([price for _, price, _ in there])
            units.append([(1 if across == up else unit) if price else 0 for _, price, unit in there])
        self.beside = packed(beside, SIDES)
        self.prices = packed(paid, SIDES)
        self.units = packed(units, SIDES)
        weights = [sum(row) for row in paid]
        kinds = sorted(set(weights), reverse=True)
        self.weights = array(weights)
        self.kind_weights = array(kinds)
        self.kinds = array([kinds.index(weight) for weight in weights])
        #: The other square of a pair that stays together all game long, where every square is claimed; else -1.
        self.mates = filled(squares, -1)
        self._number(width, len(kinds))

    def _number(self, width: i64, kinds: i64) -> None:
        """Draw the numbers for keys: for each face of a place, each hope of a line, and a face of a kind anywhere."""
        height = self.height
        squares = self.squares
        lines = width + height
        faces: i64 = FACES if self.leaves_one else 1
        self.faces = faces
        self.even: i64 = EVEN if self.leaves_one else 0
        self.numbers = filled(squares * faces * IMAGES, 0)
        self.line_numbers = filled(lines * HOPES * IMAGES, 0)
        self.loose_numbers = filled(kinds * faces, 0)
        for place in range(squares):
            flipped = place + height - 1 - 2 * (place % height)
            for face in range(faces):
                known = key_number(place * faces + face)
                for image, square in enumerate((place, flipped, squares - 1 - place, squares - 1 - flipped)):
                    self.numbers[(square * faces + face) * IMAGES + image] = known
        begin = squares * faces
        for line in range(lines):
            other = height - 1 - line if line < height else 2 * height + width - 1 - line
            for hope in range(HOPES):
                known = key_number(begin + line * HOPES + hope)
                for image in range(IMAGES):
                    # the second image exchanges rows, the third rows and columns, the fourth columns
                    moved = image in (1, 2) if line < height else image > 1
                    self.line_numbers[((other if moved else line) * HOPES + hope) * IMAGES + image] = known
        begin += lines * HOPES
        for place in range(kinds * faces):
            self.loose_numbers[place] = key_number(begin + place)
