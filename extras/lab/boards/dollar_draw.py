"""What a seat sees of Dollar Draw, and the sheet on which its weights are learned."""

from typing import Final

from quadrille.extras.lab.engine.layout import BIT, STILL
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.extras.lab.engine.sums import Patterns
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.games.dollar_draw.board import BORDER, DollarDrawBoard
from quadrille.rules.ints import i64, mypyc_attr, vec

#: In a word of a sight: all that is the viewer's, a bit below the same of the other seat; and the dollars.
OWN: Final = 0x2525252525252525
DOLLARS: Final = 0x1010101010101010
#: The bits of a sight for the contents of a square as each seat sees them: 8 bits each, as for FACES_OF_BAR.
LOOKS_TO_BAR: Final = 0x40_20_08_04_10_00
LOOKS_TO_S: Final = 0x20_40_04_08_10_00
#: The faces of the same contents in patterns, by Bar and by S.
SEEN_BY_BAR: Final = 0o442130
SEEN_BY_S: Final = 0o441230


@mypyc_attr(allow_interpreted_subclasses=True)
class DollarDrawObserver(Observer):
    """0 own token, 1 the other; 2 own marks, 3 the other's; 4 dollars; 5 captured by it, 6 by the other; 7 turn."""

    __slots__ = ()

    def packing(self) -> vec[i64]:
        """Use bits for all planes but the last, which says that the seat to move is to move."""
        return array([BIT] * 7 + [STILL])

    def paint(self, given: Board, sight: Sight, seat: i64) -> None:
        """See the class."""
        assert isinstance(given, DollarDrawBoard)
        board: DollarDrawBoard = given
        for square in range(board.first, board.last + 1):
            if board.holds[square] != BORDER:
                sight.set(cell_of(board, square), look(board, square, seat))
        sight.fill(7, 1 if board.turn == seat else 0)

    def repaint(self, given: Board, move: i64, sight: Sight) -> None:
        """Exchange own and other; then repaint the square that was altered, and the one that the token left."""
        assert isinstance(given, DollarDrawBoard)
        board: DollarDrawBoard = given
        words = sight.words
        for word in range(sight.first, sight.first + (cell_of(board, board.last) >> 3) + 1):
            held = words[word]
            words[word] = (held & OWN) << 1 | (held >> 1 & OWN) | (held & DOLLARS)
        left = board.trail[board.plies - 1]
        sight.set(cell_of(board, left), look(board, left, board.turn))
        sight.set(cell_of(board, move), look(board, move, board.turn))


def look(board: DollarDrawBoard, square: i64, seat: i64) -> i64:
    """Return the bits of a square as a seat sees it."""
    faces: i64 = LOOKS_TO_BAR if seat == 0 else LOOKS_TO_S
    tokens = (1 if board.tokens[seat] == square else 0) + (2 if board.tokens[1 - seat] == square else 0)
    return tokens + (faces >> 8 * board.holds[square] & 127)


def cell_of(board: DollarDrawBoard, square: i64) -> i64:
    """Return the place of a square in a plane."""
    return square - board.stride - square // board.stride + 1


class DollarDrawPatterns(Patterns):
    """Windows of three by two squares."""

    __slots__ = ()

    def sheet(self, given: Board) -> vec[i64]:
        """See the class."""
        assert isinstance(given, DollarDrawBoard)
        return array(((given.last + 1) // given.stride, given.stride - 1, given.stride, given.first, 7, 1, 3, 2))

    def renew(self, given: Board, square: i64) -> None:
        """See a square: 0 blank, 1 claimed by the seat, 2 by the other, 3 a dollar, 4 a captured one; 5 its token, 6
        the other.
        """
        assert isinstance(given, DollarDrawBoard)
        tokens = given.tokens
        held = 3 * given.holds[square]
        if tokens[0] == square:
            self.see(0, square, 5)
            self.see(1, square, 6 if tokens[1] != square else 5)
        elif tokens[1] == square:
            self.see(0, square, 6)
            self.see(1, square, 5)
        else:
            self.see(0, square, SEEN_BY_BAR >> held & 7)
            self.see(1, square, SEEN_BY_S >> held & 7)

    def earned(self, given: Board, seat: i64) -> i64:
        """Count eight for a captured dollar, one for a claimed square, which counts only if the dollars are equal."""
        assert isinstance(given, DollarDrawBoard)
        return 8 * given.captured[seat] + given.claimed[seat]

    def sure(self) -> i64:
        """Return a captured dollar and a little."""
        return 10
