"""The board of Barons: claimed squares, their connections, rows and columns, and what these promise.

The rules are in rules/pages/barons.md. A move is the number of the square claimed.

Every game ends: each move claims a square, and none is ever given back, so there are at most as many moves as
squares.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import OVER, PART, Board
from quadrille.rules.boards._barons.ground import UNCLAIMED as UNCLAIMED
from quadrille.rules.boards._barons.ground import BaronsGround
from quadrille.rules.boards._barons.stakes import BaronsStakes
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
#: Number of trials in a search that the first look at a square is worth.
TRUST: Final = 3
#: Claims to come, from which on a prover looks at what is known after each.
FORESEEN: Final = 4


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

    # Moves

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
        if self.images is not None:
            self.images.toggle(move, seat)
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

    def undo(self) -> None:
        """Take back the last claim."""
        free = self.free
        move = self.moves[free]
        seat = self.owner[move]
        self.count(move, seat, -1)
        self.owner[move] = UNCLAIMED
        if self.images is not None:
            self.images.toggle(move, seat)
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

    def end_of_round(self) -> None:
        """The end: every square is claimed; or all have had the same number of turns, and fewer squares are left than
        players.
        """
        if self.free == 0 or (not self.full and self.free < self.seats_in):
            self.ended = True

    def after_leaving(self, seat: i64) -> None:
        """`equal-turns` counts the seats still in: if the last of them has had its turn, the round may be the last."""
        if self.turn == seat and not self.ended:
            self.turn = self.next_seat(seat)
            if self.turn < seat:
                self.end_of_round()

    # Figures

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

    # For search and playouts

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
        if self.patterns is not None:
            return self.foresee(seat)
        total: i64 = 0
        own = self.hopes(seat)
        for other in range(self.seats):
            if other != seat:
                total += own - self.hopes(other)
        return PART // 16 * total // (self.prices[0] + self.prices[1] + 1)

    def weigh(self, count: i64, priors: vec[i64]) -> i64:
        """A square is good beside the mover's own, and beside anybody else's, whose connections it prevents."""
        if self.patterns is not None:
            return self.weigh_after(count, priors)
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

    # Observations

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

    # For a learned evaluation

    def sheet(self) -> vec[i64]:
        """Windows of three by three squares, whole rows and whole columns."""
        width = self.squares // self.height
        return array((width, self.height, self.height, 0, 3, 0, 3, 3, width, 1, 1, self.height))

    def look_at(self, seat: i64, square: i64) -> i64:
        """0 unclaimed, 1 the seat's own, 2 another's."""
        owner = self.owner[square]
        return 0 if owner == UNCLAIMED else 1 if owner == seat else 2

    def earned(self, seat: i64) -> i64:
        """The score."""
        return self.score(seat)

    def sure(self) -> i64:
        """Two or three connections."""
        return 5

    def prospect(self, lead: i64) -> i64:
        """The margin has the same share as in `gain`; the rest is for the chances of being ahead."""
        sure = POINT * self.sure()
        return self.margin(lead, POINT) + (PART - self.soft()) * min(max(lead, -sure), sure) // sure

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

    # For a prover

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

    def keep_images(self) -> None:
        """With two seats: the stakes, whose keys are those of the board, mirrored and turned."""
        if not self.is_duel():
            return
        stakes = self.images
        if stakes is None:
            stakes = BaronsStakes(BaronsGround(self.squares // self.height, self.height, self.prices, full=self.full))
        stakes.clear()
        for square in range(self.squares):
            if self.owner[square] != UNCLAIMED:
                stakes.toggle(square, self.owner[square])
        self.images = stakes

    def is_duel(self) -> bool:
        """Whether two seats play, and none has left: then a result is a lead in half points."""
        return self.seats == 2 and self.seats_in == 2

    def outcome(self, seat: i64) -> i64:
        """With two seats the lead, in half points."""
        return 2 * (self.score(seat) - self.score(1 - seat)) if self.is_duel() else self.payoff(seat)

    def settled(self, seat: i64) -> i64:
        """The lead by the weights of what is claimed."""
        stakes = self.images
        if stakes is None:
            return 0
        assert isinstance(stakes, BaronsStakes)
        return -stakes.lead if seat else stakes.lead

    def matters(self) -> i64:
        """The key of what can still change the lead."""
        stakes = self.images
        if stakes is None:
            return self.alike()
        assert isinstance(stakes, BaronsStakes)
        return stakes.matters(self.turn)

    def secured(self, seat: i64) -> i64:
        """The lead that pairs of squares make sure of."""
        stakes = self.images
        if stakes is None:
            return super().secured(seat)
        assert isinstance(stakes, BaronsStakes)
        return stakes.secured(seat, self.turn)

    def sifted(self) -> i64:
        """One of the squares whose place does not matter stands for all that are like it."""
        stakes = self.images
        if stakes is None:
            return self.legal()
        assert isinstance(stakes, BaronsStakes)
        moves = self.moves
        kept: i64 = 0
        for place in range(self.legal()):
            move = moves[place]
            if stakes.is_first(move, anew=place == 0):
                other = moves[kept]
                moves[place] = other
                self.where[other] = place
                moves[kept] = move
                self.where[move] = kept
                kept += 1
        return kept

    def foresees(self) -> bool:
        """With a square left over, until few are left."""
        stakes = self.images
        if stakes is None:
            return False
        assert isinstance(stakes, BaronsStakes)
        return stakes.ground.leaves_one and stakes.left >= FORESEEN

    def haste(self, move: i64) -> i64:
        """Squares with most at stake come first."""
        stakes = self.images
        if stakes is None:
            return self.touch(move)
        assert isinstance(stakes, BaronsStakes)
        return stakes.haste(move, self.turn, self.moves[self.free] if self.free < self.squares else OVER)

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
