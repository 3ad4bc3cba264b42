"""The board of Barons: claimed squares. Their figures are in rules/boards/_barons/figures.py.

The rules are in rules/pages/barons.md. A move is the number of the square claimed.

Every game ends: each move claims a square, and none is ever given back, so there are at most as many moves as
squares.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import OVER, Board
from quadrille.rules.boards._barons.figures import UNCLAIMED as UNCLAIMED
from quadrille.rules.boards._barons.figures import BaronsFigures
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.observations.layout import BIT, STILL, USED_BITS
from quadrille.rules.observations.sight import Sight
from quadrille.rules.patterns.keys import mixed, mixed_all
from quadrille.rules.patterns.sums import POINT

#: The contents of a square from the first of two seats' point of view, and from the second's: 2 bits each for
#: UNCLAIMED, a square of the first seat, and one of the second.
FACES_OF_ONE: Final = 0b10_01_00
FACES_OF_TWO: Final = 0b01_10_00
#: Squares per mixed number of a key: it takes numbers of 32 bits.
PACKED: Final = 15


@mypyc_attr(allow_interpreted_subclasses=True)
class BaronsBoard(BaronsFigures):
    """`moves[:free]` are the unclaimed squares in no order, `where[q]` is the place of square q in `moves`."""

    __slots__ = ("free", "full", "trail", "where")

    full: bool
    free: i64
    where: vec[i64]
    trail: vec[i64]

    def __init__(self, seats: i64, width: i64, height: i64, prices: vec[i64], *, full: bool) -> None:
        """`prices` of a horizontal and a vertical connection, a row and a column; `full`: play to the last square."""
        super().__init__(seats, 0)
        self.height = height
        self.squares = width * height
        self.prices = prices
        self.full = full
        self.reset()

    def reset(self) -> None:
        """Nothing is claimed."""
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
        """The same position, nothing to take back."""
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

    def legal(self) -> i64:
        """ "A move claims any unclaimed square." """
        return 0 if self.ended else self.free

    def listed(self) -> vec[i64]:
        """As `legal`, which writes nothing here."""
        return self.moves[: self.legal()]

    def has(self, move: i64) -> bool:
        """Whether `legal` lists it."""
        return not self.ended and self.where[move] < self.free

    def apply(self, move: i64) -> None:
        """Claim a square and count what it connects."""
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
        if self.patterns is not None:
            self.renew(move)
        self.plies += 1
        self.count(move, seat, 1)
        following = seat + 1
        if following == self.seats or self.seats_in < self.seats:
            following = self.next_seat(seat)
        self.turn = following
        if following <= seat or free == 0:
            self.end_of_round()

    def end_of_round(self) -> None:
        """The end: every square is claimed; or all have had the same number of turns, and fewer squares are left than
        players.
        """
        if self.free == 0 or (not self.full and self.free < self.seats_in):
            self.ended = True

    def playout(self, dice: Dice) -> None:
        """The same squares as by single random moves; connections are counted once, at the end."""
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

    def undo(self) -> None:
        """Take back the last claim."""
        free = self.free
        move = self.moves[free]
        seat = self.owner[move]
        self.count(move, seat, -1)
        self.owner[move] = UNCLAIMED
        if self.patterns is not None:
            self.renew(move)
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

    def after_leaving(self, seat: i64) -> None:
        """`equal-turns` counts the seats still in: if the last of them has had its turn, the round may be the last."""
        if self.turn == seat and not self.ended:
            self.turn = self.next_seat(seat)
            if self.turn < seat:
                self.end_of_round()

    def look_after(self, move: i64) -> None:
        """Without a change of the board beyond the figures of the mover."""
        patterns = self.patterns
        assert patterns is not None
        seat = self.turn
        following = self.next_seat(seat)
        ends = self.free == 1 or (following <= seat and not self.full and self.free <= self.seats_in)
        self.owner[move] = seat
        self.count(move, seat, 1)
        for whose in range(self.seats):
            value = POINT * self.score(whose)
            if not ends:
                value += patterns.totals[whose] + patterns.change(whose, move, 1 if whose == seat else 2)
                value += patterns.weights[patterns.beat(whose, self.plies + 1, following)]
            patterns.outlook[whose] = value
        self.count(move, seat, -1)
        self.owner[move] = UNCLAIMED

    def alike(self) -> i64:
        """With two seats: relative to the mover, the minimum key of the board and its mirror images."""
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
        """Whether two seats play, and none has left: then a result is a lead in half points."""
        return self.seats == 2 and self.seats_in == 2

    def half_turn(self) -> i64:
        """With two seats the square opposite the other seat's last one.

        On an odd number of squares the first seat needs the middle, and the last square must be played.
        """
        if self.ended or self.seats != 2 or self.seats_in != 2 or (self.squares % 2 and not self.full):
            return OVER
        owner = self.owner
        turn = self.turn
        last = self.squares - 1
        found = OVER
        for square in range(self.squares):
            opposite = last - square
            held = owner[square]
            against = owner[opposite]
            if held == UNCLAIMED and (against == 1 - turn or square == opposite):
                if found >= 0:
                    return OVER
                found = square
            elif held == turn:
                if against != 1 - turn and square != opposite:
                    return OVER
            elif against != UNCLAIMED and (held != 1 - turn or against != turn):
                return OVER
        return found

    def half_turn_worth(self) -> i64:
        """Both squares of each pair of opposite ones are claimed, one by each seat, so the scores are equal.

        A seat that has the middle as well has one square on either side of it too, and a connection with each.
        """
        return 1 if self.squares % 2 and self.prices[0] + self.prices[1] > 0 else 0

    def key(self) -> i64:
        """Turn, seats that left, and the owner of each square; counts follow from these."""
        return mixed_all(mixed_all(mixed(0, self.turn), self.left), self.owner)

    def facts(self) -> vec[i64]:
        """Turn, seats that left, and the owner of each square."""
        seats = self.seats
        found = filled(1 + seats + self.squares, self.turn)
        for seat in range(seats):
            found[1 + seat] = self.left[seat]
        for square in range(self.squares):
            found[1 + seats + square] = self.owner[square]
        return found

    def shrinks(self) -> bool:
        """A claimed square is never given back."""
        return True

    def packing(self) -> vec[i64]:
        """Each square is a seat's, or unclaimed."""
        return array([BIT] * (self.seats + 1) + [STILL] * (2 * self.seats))

    def repaint(self, move: i64, sight: Sight) -> None:
        """The last mover is the furthest from the viewer now, and has the claimed square."""
        if self.seats < USED_BITS:
            sight.pass_on(self.seats, move)
        else:
            super().repaint(move, sight)

    def shape(self) -> vec[i64]:
        """Three planes a seat, and one."""
        return array((3 * self.seats + 1, self.squares // self.height, self.height))

    def observe(self, seat: i64) -> vec[i64]:
        """A plane a seat: its squares; one: unclaimed; a plane a seat each: to move; left, 1 as the first."""
        return self.observed(seat)

    def paint(self, sight: Sight, seat: i64) -> None:
        """As `observe` says."""
        seats = self.seats
        owner = self.owner
        for square in range(self.squares):
            whose = owner[square]
            if whose == UNCLAIMED:
                whose = seats
            else:
                whose -= seat
                if whose < 0:
                    whose += seats
            sight.put(whose, square, 1)
        for whose in range(seats):
            other = (seat + whose) % seats
            sight.fill(seats + 1 + whose, 1 if self.turn == other else 0)
            sight.fill(2 * seats + 1 + whose, self.left[other])
