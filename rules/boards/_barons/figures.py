"""The figures of Barons: connections, rows and columns, and what they promise. The rules are in rules/pages/barons.md.

Moves are in rules/boards/barons.py.
"""

from typing import Final

from quadrille.rules.board import PART, Board
from quadrille.rules.ints import i64, mypyc_attr, vec

UNCLAIMED: Final = -1
#: Number of trials in a search that the first look at a square is worth.
TRUST: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class BaronsFigures(Board):
    """The owner of each square, and the figures of each seat."""

    __slots__ = ("columns", "height", "horizontals", "owner", "prices", "rows", "squares", "verticals")

    height: i64
    squares: i64
    prices: vec[i64]
    owner: vec[i64]
    horizontals: vec[i64]
    verticals: vec[i64]
    rows: vec[i64]
    columns: vec[i64]

    def count(self, move: i64, seat: i64, sign: i64) -> None:
        """Add (or, with sign -1, take off) the connections, rows and columns that this square of the seat makes."""
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
            if self.all_of(seat, row, self.squares, height):
                self.rows[seat] += sign
        found = 0
        if row and owner[move - 1] == seat:
            found = sign
        if row + 1 < height and owner[move + 1] == seat:
            found += sign
        if found:
            self.verticals[seat] += found
            if self.all_of(seat, move - row, move - row + height, 1):
                self.columns[seat] += sign

    def all_of(self, seat: i64, first: i64, end: i64, step: i64) -> bool:
        """Whether every square from first to before end is the seat's."""
        owner = self.owner
        while first < end:
            if owner[first] != seat:
                return False
            first += step
        return True

    def recount(self) -> None:
        """Count the connections, rows and columns of all seats again."""
        owner = self.owner
        height = self.height
        squares = self.squares
        horizontals = self.horizontals
        verticals = self.verticals
        for seat in range(self.seats):
            horizontals[seat] = 0
            verticals[seat] = 0
            self.rows[seat] = 0
            self.columns[seat] = 0
        row: i64 = 0
        for move in range(squares):
            seat = owner[move]
            row = row + 1 if row + 1 < height and move else 0
            if seat == UNCLAIMED:
                continue
            if move + height < squares and owner[move + height] == seat:
                horizontals[seat] += 1
                if move < height and self.all_of(seat, move, squares, height):
                    self.rows[seat] += 1
            if row + 1 < height and owner[move + 1] == seat:
                verticals[seat] += 1
                if row == 0 and self.all_of(seat, move, move + height, 1):
                    self.columns[seat] += 1

    def score(self, seat: i64) -> i64:
        """The points of a seat."""
        prices = self.prices
        return (
            self.horizontals[seat] * prices[0]
            + self.verticals[seat] * prices[1]
            + self.rows[seat] * prices[2]
            + self.columns[seat] * prices[3]
        )

    def compare(self, one: i64, other: i64) -> i64:
        """Most points; equal points share the place."""
        return self.score(one) - self.score(other)

    def gain(self, seat: i64) -> i64:
        """A share for being ahead, the rest for the margin, which separates moves that all win or all lose.

        With three seats or more the first share is smaller: being ahead in the end depends on the others as well.
        """
        total: i64 = 0
        soft = self.soft()
        for other in range(self.seats):
            if other != seat:
                lead = self.order(seat, other)
                total += self.margin(lead, 1) + (PART - soft if lead > 0 else soft - PART if lead < 0 else 0)
        return total

    def soft(self) -> i64:
        """The share of a gain for the margin."""
        return PART * 5 // 8 if self.seats > 2 else PART // 4

    def margin(self, lead: i64, point: i64) -> i64:
        """The gain for the margin of a lead; `point` is the number of its units in a point."""
        close = 8 * point * (self.prices[0] + self.prices[1] + 1)
        return self.soft() * min(max(lead, -close), close) // close

    def hopes(self, seat: i64) -> i64:
        """Twice a seat's expected score if it gets every free square with an even chance.

        Rows and columns count by their share of its squares, if no other seat has a square there.
        """
        owner = self.owner
        height = self.height
        squares = self.squares
        prices = self.prices
        total = 2 * self.score(seat)
        for move in range(squares):
            if owner[move] != seat:
                continue
            row = move % height
            if move >= height and owner[move - height] == UNCLAIMED:
                total += prices[0]
            if move + height < squares and owner[move + height] == UNCLAIMED:
                total += prices[0]
            if row and owner[move - 1] == UNCLAIMED:
                total += prices[1]
            if row + 1 < height and owner[move + 1] == UNCLAIMED:
                total += prices[1]
        return total

    def estimate(self, seat: i64) -> i64:
        """The lead of its hopes over those of each other seat."""
        if self.judge is not None:
            return self.judge.estimate(self, seat)
        total: i64 = 0
        own = self.hopes(seat)
        for other in range(self.seats):
            if other != seat:
                total += own - self.hopes(other)
        return PART // 16 * total // (self.prices[0] + self.prices[1] + 1)

    def weigh(self, count: i64, priors: vec[i64]) -> i64:
        """A square is good beside the mover's own, and beside anybody else's, whose connections it prevents."""
        if self.judge is not None:
            return self.judge.weigh(self, count, priors)
        scale = 4 * (self.prices[0] + self.prices[1]) + 1
        for i in range(count):
            priors[i] = PART * self.touch(self.moves[i]) // scale - PART // 2
        return TRUST

    def touch(self, move: i64) -> i64:
        """The connections that a square makes for the mover, times 3, and those that it prevents, times 2."""
        owner = self.owner
        height = self.height
        squares = self.squares
        across = self.prices[0]
        up = self.prices[1]
        seat = self.turn
        row = move % height
        total: i64 = 0
        if move >= height and owner[move - height] != UNCLAIMED:
            total += 3 * across if owner[move - height] == seat else 2 * across
        if move + height < squares and owner[move + height] != UNCLAIMED:
            total += 3 * across if owner[move + height] == seat else 2 * across
        if row and owner[move - 1] != UNCLAIMED:
            total += 3 * up if owner[move - 1] == seat else 2 * up
        if row + 1 < height and owner[move + 1] != UNCLAIMED:
            total += 3 * up if owner[move + 1] == seat else 2 * up
        return total
