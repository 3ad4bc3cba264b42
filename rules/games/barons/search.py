"""The board of Barons for searches: quick playouts, prospects, the keys of positions, and the answers that tie.

The rules are in board.py.
"""

from typing import Final

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import OVER, PART
from quadrille.rules.dice import Dice
from quadrille.rules.games.barons.board import UNCLAIMED, BaronsBoard
from quadrille.rules.ints import ZERO, i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed, mixed_all

#: The contents of a square from the first of two seats' point of view, and from the second's: 2 bits each for
#: UNCLAIMED, a square of the first seat, and one of the second.
FACES_OF_ONE: Final = 0b10_01_00
FACES_OF_TWO: Final = 0b01_10_00
#: Squares per mixed number of a key: it takes numbers of 32 bits.
PACKED: Final = 15
#: Number of trials in a search that the first look at a square is worth.
TRUST: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchedBarons(BaronsBoard):
    """The board that a position of Barons stands on."""

    __slots__ = ()

    def key(self) -> i64:
        """Mix the turn, the seats that left, and the owner of each square; counts follow from these."""
        return mixed_all(mixed_all(mixed(0, self.turn), self.left), self.owner)

    def facts(self) -> vec[i64]:
        """Return the turn, the seats that left, and the owner of each square."""
        seats = self.seats
        facts = filled(1 + seats + self.squares, self.turn)
        for seat in range(seats):
            facts[1 + seat] = self.left[seat]
        for square in range(self.squares):
            facts[1 + seats + square] = self.owner[square]
        return facts

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
            row = row + 1 if row + 1 < height and move else ZERO
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

    def playout(self, dice: Dice) -> None:
        """Claim the same squares as by single random moves; connections are counted once, at the end."""
        if self.ended:
            return
        moves = self.moves
        owner = self.owner
        seat = self.turn
        free = self.free
        all_in = self.seats_in == self.seats
        while True:
            place = dice.below(free)
            move = moves[place]
            free -= 1
            moves[place] = moves[free]
            moves[free] = move
            owner[move] = seat
            following = seat + 1
            if not all_in or following == self.seats:
                following = self.next_seat(seat)
            if free == 0 or (following <= seat and not self.full and free < self.seats_in):
                break
            seat = following
        self.plies += self.free - free
        self.free = free
        self.turn = following
        self.ended = True
        self.recount()

    def gain(self, seat: i64) -> i64:
        """Return a share for being ahead, the rest for the margin, which separates moves that all win or all lose.

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
        """Return the share of a gain for the margin."""
        return PART * 5 // 8 if self.seats > 2 else PART // 4

    def margin(self, lead: i64, point: i64) -> i64:
        """Return the gain for the margin of a lead; `point` is the number of its units in a point."""
        close = 8 * point * (self.prices[0] + self.prices[1] + 1)
        return self.soft() * min(max(lead, -close), close) // close

    def hopes(self, seat: i64) -> i64:
        """Return twice a seat's expected score if it gets every free square with an even chance.

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
        """Return the lead of its hopes over those of each other seat."""
        if self.judge is not None:
            return self.judge.estimate(self, seat)
        total: i64 = 0
        own = self.hopes(seat)
        for other in range(self.seats):
            if other != seat:
                total += own - self.hopes(other)
        return PART // 16 * total // (self.prices[0] + self.prices[1] + 1)

    def weigh(self, count: i64, priors: vec[i64]) -> i64:
        """Value a square beside the mover's own, and beside anybody else's, whose connections it prevents."""
        if self.judge is not None:
            return self.judge.weigh(self, count, priors)
        scale = 4 * (self.prices[0] + self.prices[1]) + 1
        for i in range(count):
            priors[i] = PART * self.touch(self.moves[i]) // scale - PART // 2
        return TRUST

    def touch(self, move: i64) -> i64:
        """Return the connections that a square makes for the mover, times 3, and those that it prevents, times 2."""
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

    def shape(self) -> vec[i64]:
        """Return three planes a seat, and one."""
        return array((3 * self.seats + 1, self.squares // self.height, self.height))

    def alike(self) -> i64:
        """Return, with two seats, the minimum key of the board and its mirror images, relative to the mover."""
        if not self.is_duel():
            return self.key()
        height = self.height
        owner = self.owner
        last = self.squares - 1
        faces: i64 = FACES_OF_TWO if self.turn else FACES_OF_ONE
        one: i64 = 0
        two: i64 = 0
        three: i64 = 0
        four: i64 = 0
        first: i64 = 0
        second: i64 = 0
        third: i64 = 0
        fourth: i64 = 0
        left: i64 = PACKED
        square: i64 = 0
        while square <= last:
            flipped = square + height - 1
            for _row in range(height):
                first = first << 2 | faces >> 2 * (owner[square] + 1) & 3
                second = second << 2 | faces >> 2 * (owner[flipped] + 1) & 3
                third = third << 2 | faces >> 2 * (owner[last - square] + 1) & 3
                fourth = fourth << 2 | faces >> 2 * (owner[last - flipped] + 1) & 3
                square += 1
                flipped -= 1
                left -= 1
                if left == 0 or square > last:
                    one = mixed(one, first)
                    two = mixed(two, second)
                    three = mixed(three, third)
                    four = mixed(four, fourth)
                    first = second = third = fourth = 0
                    left = PACKED
        one = min(one, two)
        three = min(three, four)
        return min(one, three)

    def is_duel(self) -> bool:
        """Return whether two seats play, and none has left: then a result is a lead in half points."""
        return self.seats == 2 and self.seats_in == 2

    def half_turn(self) -> i64:
        """Return, with two seats, the square opposite the other seat's last one.

        On an odd number of squares the first seat needs the middle, and the last square must be played.
        """
        if self.ended or self.seats != 2 or self.seats_in != 2 or (self.squares % 2 and not self.full):
            return OVER
        owner = self.owner
        turn = self.turn
        last = self.squares - 1
        answer = OVER
        for square in range(self.squares):
            opposite = last - square
            held = owner[square]
            against = owner[opposite]
            if held == UNCLAIMED and (against == 1 - turn or square == opposite):
                if answer >= 0:
                    return OVER
                answer = square
            elif held == turn:
                if against != 1 - turn and square != opposite:
                    return OVER
            elif against != UNCLAIMED and (held != 1 - turn or against != turn):
                return OVER
        return answer

    def half_turn_worth(self) -> i64:
        """Return the payoff: both squares of each pair of opposite ones are claimed, one by each seat, for equal
        scores.

        A seat that has the middle as well has one square on either side of it too, and a connection with each.
        """
        return 1 if self.squares % 2 and self.prices[0] + self.prices[1] > 0 else 0
