"""The rules of Dollar Draw: marks are claimed and reclaimed, which makes dollars, and dollars are captured.

Sentences in quotes are those of the rules. search.py asks more of this board, and page.md tells people. A move is the
number of the square that it alters, on a sheet with a border: (column + 1) * (height + 1) + row. Seat 0 is Bar, 1 is S.

Every game ends: a move alters one square, and nothing takes a mark away. So a square is altered three times at most
(claimed, reclaimed, captured), and the two corners, claimed from the start, twice: 3 * squares - 2 moves in all.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import Board
from quadrille.rules.ints import i64, mypyc_attr, vec

# The contents of a square. CLAIMED and CAPTURED each stand for two numbers: add the seat.
BLANK: Final = 0
DOLLAR: Final = 1  # uncaptured
CLAIMED: Final = 2
CAPTURED: Final = 4
BORDER: Final = 6
#: No possible Tally.
UNCOUNTED: Final = -9


@mypyc_attr(allow_interpreted_subclasses=True)
class DollarDrawBoard(Board):
    """`holds` has the contents of each square, `tokens` the square of each seat's token.

    `stride` is the distance to the next column, `steps` are those to the four neighbours, in order.
    """

    __slots__ = ("blank", "captured", "claimed", "first", "holds", "last", "steps", "stride", "tokens", "trail")

    holds: vec[i64]
    tokens: vec[i64]
    claimed: vec[i64]
    captured: vec[i64]
    trail: vec[i64]

    def __init__(self, width: i64, height: i64) -> None:
        super().__init__(2, 4)
        stride = height + 1
        self.stride = stride
        self.steps = array((-stride, -1, 1, stride))
        self.first = stride
        self.last = stride * width + height - 1
        self.trail = filled(3 * width * height - 2, 0)
        self.blank = filled(self.last + stride + 2, BORDER)
        for column in range(1, width + 1):
            for square in range(stride * column, stride * column + height):
                self.blank[square] = BLANK
        self.reset()

    def reset(self) -> None:
        """Reset the board. "Bar's mark and token start on a1, S's on the diagonally opposite corner. All other squares
        are blank."
        """
        self.start_over()
        self.holds = self.blank[:]
        self.holds[self.first] = CLAIMED
        self.holds[self.last] = CLAIMED + 1
        self.tokens = array((self.first, self.last))
        self.claimed = filled(2, 1)
        self.captured = filled(2, 0)

    def copy(self) -> Self:
        twin = self.twin()
        twin.stride = self.stride
        twin.steps = self.steps
        twin.blank = self.blank
        twin.first = self.first
        twin.last = self.last
        twin.moves = self.moves[:]
        twin.trail = self.trail[:]
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board on a grid of the same size."""
        assert isinstance(other, DollarDrawBoard)
        self.stand_as(other)
        self.holds = other.holds[:]
        self.tokens = other.tokens[:]
        self.claimed = other.claimed[:]
        self.captured = other.captured[:]

    def legal(self) -> i64:
        """Write the legal moves: "the game ends when the player whose turn it is has no legal move"."""
        count = self.listed_in(self.moves)
        if count == 0:
            self.ended = True
        return count

    def listed(self) -> vec[i64]:
        """List without a copy of the board: there are four squares to look at."""
        moves = filled(4, 0)
        return moves[: self.listed_in(moves)]

    def listed_in(self, moves: vec[i64]) -> i64:
        """Write "one of the at most four squares orthogonally next to the player's own token"."""
        if self.ended:
            return 0
        seat = self.turn
        holds = self.holds
        token = self.tokens[seat]
        other = self.tokens[1 - seat]
        lead: i64 = UNCOUNTED
        count: i64 = 0
        for step in self.steps:
            square = token + step
            held = holds[square]
            if held <= DOLLAR:  # "blank: claim, always; an uncaptured dollar, whoever made it: capture, always"
                if square != other:  # "never the square that the other token stands on"
                    moves[count] = square
                    count += 1
            elif held == CLAIMED + 1 - seat and square != other:  # "reclaim: only if the Tally allows"
                if lead == UNCOUNTED:
                    lead = self.lead(token, seat)
                if lead > 0:
                    moves[count] = square
                    count += 1
        return count

    def tally(self, token: i64) -> i64:
        """Count the squares around a token, 4 bits for each kind of contents. "The Tally looks at the up to eight
        squares around the player's token; the token's own square is not counted". "Dollars, captured or not, count for
        both", so for neither.
        """
        holds = self.holds
        before = token - self.stride
        after = token + self.stride
        left = (1 << 4 * holds[before - 1]) + (1 << 4 * holds[before]) + (1 << 4 * holds[before + 1])
        right = (1 << 4 * holds[after - 1]) + (1 << 4 * holds[after]) + (1 << 4 * holds[after + 1])
        return left + (1 << 4 * holds[token - 1]) + (1 << 4 * holds[token + 1]) + right

    def lead(self, token: i64, seat: i64) -> i64:
        """Return how many more squares carry the opponent's mark than the player's. "Reclaiming is allowed only if
        strictly more carry the opponent's mark".
        """
        tally = self.tally(token)
        bar = (tally >> 4 * CLAIMED) & 15
        s = (tally >> 4 * (CLAIMED + 1)) & 15
        return bar - s if seat else s - bar

    def apply(self, move: i64) -> None:
        """Alter a square. "First the mark, then the token moves onto the altered square." """
        seat = self.turn
        holds = self.holds
        held = holds[move]
        if held == BLANK:  # "claim: the player's mark goes in"
            holds[move] = CLAIMED + seat
            self.claimed[seat] += 1
        elif held == DOLLAR:  # "capture: it becomes the player's"
            holds[move] = CAPTURED + seat
            self.captured[seat] += 1
        else:  # "reclaim: it becomes an uncaptured dollar"
            holds[move] = DOLLAR
            self.claimed[1 - seat] -= 1
        tokens = self.tokens
        plies = self.plies
        self.trail[plies] = tokens[seat]
        tokens[seat] = move
        if self.judge is not None:
            self.judge.renew(self, self.trail[plies])
            self.judge.renew(self, move)
        self.plies = plies + 1
        self.turn = 1 - seat

    def undo(self) -> None:
        """Take back the last move: the square's contents show its kind."""
        seat = 1 - self.turn
        plies = self.plies - 1
        tokens = self.tokens
        move = tokens[seat]
        holds = self.holds
        held = holds[move]
        if held == CLAIMED + seat:
            holds[move] = BLANK
            self.claimed[seat] -= 1
        elif held == DOLLAR:
            holds[move] = CLAIMED + 1 - seat
            self.claimed[1 - seat] += 1
        else:
            holds[move] = DOLLAR
            self.captured[seat] -= 1
        tokens[seat] = self.trail[plies]
        if self.judge is not None:
            self.judge.renew(self, tokens[seat])
            self.judge.renew(self, move)
        self.trail[plies] = 0
        self.plies = plies
        self.turn = seat
        self.ended = False

    def last_mover(self) -> i64:
        """Return the seat that made the last legal move; before any move S, which would have made it."""
        return 1 - self.turn

    def compare(self, seat: i64, other: i64) -> i64:
        """Compare by "more captured dollars; more claimed squares; the last legal move", the first that separates."""
        lead = self.captured[seat] - self.captured[other] or self.claimed[seat] - self.claimed[other]
        return lead if lead else 1 if seat == self.last_mover() else -1
