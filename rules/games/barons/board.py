"""The rules of Barons: squares are claimed; connections, whole rows and whole columns score.

Sentences in quotes are those of the rules. search.py asks more of this board, and page.md tells people. A move is the
number of the square claimed.

Every game ends: each move claims a square, and none is ever given back, so there are at most as many moves as
squares.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import Board
from quadrille.rules.ints import i64, mypyc_attr, vec

#: The owner of a square that nobody has claimed.
UNCLAIMED: Final = -1


@mypyc_attr(allow_interpreted_subclasses=True)
class BaronsBoard(Board):
    """The owner of each square, and the figures of each seat.

    `moves[:free]` are the unclaimed squares in no order, `where[q]` is the place of square q in `moves`.
    """

    __slots__ = (
        "columns", "free", "full", "height", "horizontals", "owner", "prices", "rows", "squares", "trail", "verticals",
        "where",
    )  # fmt: skip

    height: i64
    squares: i64
    prices: vec[i64]
    full: bool
    free: i64
    where: vec[i64]
    trail: vec[i64]
    owner: vec[i64]
    horizontals: vec[i64]
    verticals: vec[i64]
    rows: vec[i64]
    columns: vec[i64]

    def __init__(self, seats: i64, width: i64, height: i64, prices: vec[i64], *, full: bool) -> None:
        """`prices` of a horizontal and a vertical connection, a row and a column; `full`: play to the last square."""
        super().__init__(seats, 0)
        self.height = height
        self.squares = width * height
        self.prices = prices
        self.full = full
        self.reset()

    def reset(self) -> None:
        self.start_over()
        self.free = self.squares
        self.owner = filled(self.squares, UNCLAIMED)
        self.moves = array(range(self.squares))
        self.where = array(range(self.squares))
        self.trail = filled(self.squares, 0)
        self.horizontals = filled(self.seats, 0)
        self.verticals = filled(self.seats, 0)
        self.rows = filled(self.seats, 0)
        self.columns = filled(self.seats, 0)

    def copy(self) -> Self:
        twin = self.twin()
        twin.height = self.height
        twin.squares = self.squares
        twin.prices = self.prices
        twin.full = self.full
        twin.trail = self.trail[:]
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board of the same size and prices."""
        assert isinstance(other, BaronsBoard)
        self.stand_as(other)
        self.free = other.free
        self.owner = other.owner[:]
        self.moves = other.moves[:]
        self.where = other.where[:]
        self.horizontals = other.horizontals[:]
        self.verticals = other.verticals[:]
        self.rows = other.rows[:]
        self.columns = other.columns[:]

    # Moves

    def legal(self) -> i64:
        """Return the number of unclaimed squares. "Any player, on their turn, can claim any unclaimed space without
        other limitations."
        """
        return 0 if self.ended else self.free

    def listed(self) -> vec[i64]:
        """List without a copy of the board: `legal` writes nothing here."""
        return self.moves[: self.legal()]

    def has(self, move: i64) -> bool:
        """Return whether `legal` lists the move."""
        return not self.ended and self.where[move] < self.free

    def apply(self, move: i64) -> None:
        """Claim a square. "Each space can only be claimed by one player and can never be unclaimed." """
        seat = self.turn
        place = self.where[move]
        free = self.free - 1
        last = self.moves[free]
        self.moves[place] = last
        self.where[last] = place
        self.moves[free] = move
        self.where[move] = free
        self.free = free
        self.trail[self.plies] = place
        self.owner[move] = seat
        if self.judge is not None:
            self.judge.renew(self, move)
        self.plies += 1
        self.count(move, seat, 1)
        following = seat + 1
        if following == self.seats or self.seats_in < self.seats:
            following = self.next_seat(seat)
        self.turn = following
        if following <= seat or free == 0:
            self.end_of_round()

    def undo(self) -> None:
        """Take back the last claim."""
        free = self.free
        move = self.moves[free]
        seat = self.owner[move]
        self.count(move, seat, -1)
        self.owner[move] = UNCLAIMED
        if self.judge is not None:
            self.judge.renew(self, move)
        self.plies -= 1
        place = self.trail[self.plies]
        self.trail[self.plies] = 0
        last = self.moves[place]
        self.moves[free] = last
        self.where[last] = free
        self.moves[place] = move
        self.where[move] = place
        self.free = free + 1
        self.turn = seat
        self.ended = False

    def end_of_round(self) -> None:
        """End the game after a round. "The game ends when either all squares have been claimed or the grid is as filled
        up as possible after having each player take an equal number of turns (eg. when there is 1 square left for 3
        players or 4 for 6)."
        """
        if self.free == 0 or (not self.full and self.free < self.seats_in):
            self.ended = True

    def after_leaving(self, seat: i64) -> None:
        """Pass the turn on. `equal-turns` counts the seats still in, so the round may be the last now."""
        if self.turn == seat and not self.ended:
            self.turn = self.next_seat(seat)
            if self.turn < seat:
                self.end_of_round()

    # Figures

    def count(self, move: i64, seat: i64, sign: i64) -> None:
        """Add (or, with sign -1, take off) what this square of the seat makes.

        "The connections between spaces are scored, not the spaces themselves", "horizontally and vertically, not
        diagonally".
        """
        owner = self.owner
        height = self.height
        row = move % height
        found: i64 = 0
        if move >= height and owner[move - height] == seat:
            found = sign
        if move + height < self.squares and owner[move + height] == seat:
            found += sign
        if found:
            self.horizontals[seat] += found
            if self.all_of(seat, row, self.squares, height):  # "all horizontal spaces in a single row"
                self.rows[seat] += sign
        found = 0
        if row and owner[move - 1] == seat:
            found = sign
        if row + 1 < height and owner[move + 1] == seat:
            found += sign
        if found:
            self.verticals[seat] += found
            if self.all_of(seat, move - row, move - row + height, 1):  # "all vertical spaces in a single column"
                self.columns[seat] += sign

    def all_of(self, seat: i64, first: i64, end: i64, step: i64) -> bool:
        """Return whether the seat has every square from `first` up to `end`."""
        owner = self.owner
        while first < end:
            if owner[first] != seat:
                return False
            first += step
        return True

    def score(self, seat: i64) -> i64:
        """Return "2 points for each horizontal connection and 2 points for each vertical connection", "40 bonus points"
        for a row "in addition to" these, and "10 bonus points" for a column: or what the options say.
        """
        prices = self.prices
        return (
            self.horizontals[seat] * prices[0]
            + self.verticals[seat] * prices[1]
            + self.rows[seat] * prices[2]
            + self.columns[seat] * prices[3]
        )

    def compare(self, seat: i64, other: i64) -> i64:
        """Compare by points. "Player(s) with the highest points win." """
        return self.score(seat) - self.score(other)
