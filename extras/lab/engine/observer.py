"""An observer: what a seat sees of the boards of one game at one table, as planes of numbers.

A package plugs one in for its game under `quadrille.views`, as `lab.GAME` (rules/search/views.py). Each observer lists
its planes in its docstring. Seats are counted from the one that looks, round the table.
"""

from typing import Final

from quadrille.extras.lab.engine.layout import NUMBER, RowLayout
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array, filled
from quadrille.rules.board import Board
from quadrille.rules.ints import i64, mypyc_attr, vec

#: The most that a byte holds.
BYTE: Final = 255
#: Maximum owed faces in a game that defines no limit of its own.
MOST_DRAWS: Final = 1 << 20


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """`start` is a first position; all others that are seen have its terms. A subclass has `paint` or `observe`."""

    __slots__ = ("plain", "start")

    start: Board
    #: The sight of one observation, once there was any.
    plain: list[Sight]

    def __init__(self, start: Board) -> None:
        self.start = start
        self.plain = []

    def largest(self) -> i64:
        """Return the largest number that an observation can show."""
        return BYTE

    def shrinks(self) -> bool:
        """Return True if a move takes nothing but itself off the legal moves, no matter who is next, as long as nobody
        leaves.
        """
        return False

    def shape(self) -> vec[i64]:
        """Return the shape of an observation: planes, columns, rows."""
        return self.start.shape()

    def policy_shape(self, count: i64) -> vec[i64]:
        """Return planes, columns and rows with a place for each of `count` steps: one plane if they are the squares, or
        else one row.
        """
        shape = self.shape()
        return array((1, shape[1], shape[2]) if shape[1] * shape[2] == count else (count, 1, 1))

    def policy_place(self, step: i64, action: i64) -> i64:
        """Return the place of a step in `policy_shape`: plane by plane, column by column, from the lowest row up."""
        return action

    def weight(self, given: Board, face: i64) -> i64:
        """Count the cards with this face that may be the owed one, by public knowledge."""
        return 1

    def most_draws(self) -> i64:
        """Return the maximum of owed faces in a game whose pile stays hidden."""
        return MOST_DRAWS

    def packing(self) -> vec[i64]:
        """Return the kind of each plane (layout.py)."""
        return filled(self.shape()[0], NUMBER)

    def paint(self, given: Board, sight: Sight, seat: i64) -> None:
        """Paint a seat's observation on a sight after `clear`: put what is not 0, and fill each FIGURE and STILL."""
        sight.lay(self.observe(given, seat))

    def repaint(self, given: Board, move: i64, sight: Sight) -> None:
        """Bring a sight up to date after `make(move)` and chance: it showed what the last mover saw, and is for the
        next one.
        """
        sight.clear()
        self.paint(given, sight, given.turn)

    def bits(self) -> i64:
        """Return the bits of a number in a row."""
        return 8 if self.largest() <= BYTE else 16

    def observe(self, given: Board, seat: i64) -> vec[i64]:
        """Return a seat's observation as numbers: plane by plane, column by column from the left, from the lowest row
        up.
        """
        if not self.plain:
            shape = self.shape()
            self.plain.append(Sight(RowLayout(self.packing(), shape[1] * shape[2]), self.bits()))
        sight = self.plain[0]
        sight.words = filled(sight.size >> sight.shift, 0)
        self.paint(given, sight, seat)
        return sight.numbers()
