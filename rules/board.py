"""The board: the only place where the rules of a game are written.

A board is a small mutable object on flat arrays of small integers, for search and playouts by the million. People,
peers and records never see one: they see its immutable interface, the `State` (rules/core). A move is a small integer
here, numbered in the canonical order of the game's notation; only the board interprets the number.

No text, no randomness, no tuples, dicts or sets on the path of a playout. Only what decides a game belongs here; the
State explains refusals in words.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made
from quadrille.rules.observations.layout import BITS, NUMBER
from quadrille.rules.observations.sight import Sight
from quadrille.rules.patterns.image_keys import ImageKeys
from quadrille.rules.patterns.provable import OVER as OVER
from quadrille.rules.patterns.provable import Provable
from quadrille.rules.patterns.sums import POINT, Patterns

CHANCE: Final = -1
#: A face that the board's owner does not know, and the move that reveals none.
UNKNOWN: Final = -1
#: Payoff for finishing ahead of one opponent, in a search.
PART: Final = 1024
#: Number of trials in a search that the first look at a move is worth, by the patterns after it.
TRUST: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class Board(Provable):
    """A position on which moves are made and taken back.

    `turn` is the seat to move, or CHANCE while a face of a pile is owed. `legal` fills `moves` and returns their
    number; 0 means that the game is over. `left[s]` is 0 while seat s is in the game, else 1 for the first that left,
    2 for the second, …
    """

    __slots__ = ("ended", "images", "left", "moves", "patterns", "plies", "seats", "seats_in", "turn")

    seats: i64
    seats_in: i64
    turn: i64
    plies: i64
    ended: bool
    left: vec[i64]
    moves: vec[i64]
    #: The sums that a learned evaluation keeps up on this board, if it has one.
    patterns: Patterns | None
    #: The keys of the position and its images that a prover had this board keep up.
    images: ImageKeys | None

    def __init__(self, seats: i64, room: i64) -> None:
        self.seats = seats
        self.patterns = None
        self.images = None
        self.start_over()
        self.moves = filled(room, 0)

    def reset(self) -> None:
        """Back to the first position."""
        raise AssertionError("a board says where it starts")

    def start_over(self) -> None:
        """The part of `reset` that all boards share."""
        self.turn = 0
        self.plies = 0
        self.ended = False
        self.seats_in = self.seats
        self.left = filled(self.seats, 0)

    def copy(self) -> Self:
        """A board in the same position with nothing to take back: it shares no array that changes."""
        raise AssertionError("a board says how it is copied")

    def twin(self) -> Self:
        """The part of `copy` that all boards share."""
        twin = self.__class__.__new__(self.__class__)
        twin.seats = self.seats
        twin.patterns = self.patterns.copy() if self.patterns is not None else None
        twin.images = self.images.copy() if self.images is not None else None
        twin.stand_as(self)
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """All fields, including the undo stack: for pickles, and for `copy.copy`, which shares no array."""
        return made, (self.__class__, fields_of(self))

    def become(self, other: "Board") -> None:
        """Take over the position of another board of the same game and terms, with nothing to take back."""
        raise AssertionError("a board says how it becomes another")

    def stand_as(self, other: "Board") -> None:
        """The part of `become` that all boards share."""
        self.seats_in = other.seats_in
        self.turn = other.turn
        self.plies = other.plies
        self.ended = other.ended
        self.left = other.left  # replaced, never changed, by `leave`
        if self.patterns is not None:
            assert other.patterns is not None
            self.patterns.become(other.patterns)
        if self.images is not None:
            assert other.images is not None
            self.images = other.images.copy()

    def listed(self) -> vec[i64]:
        """The moves that `legal` would write, in a new array: nothing is written to this board."""
        twin = self.copy()
        count = twin.legal()
        return twin.moves[:count]

    def apply(self, move: i64) -> None:
        """Make a move that `legal` listed."""
        raise AssertionError("a board says what a move does")

    def make(self, move: i64) -> None:
        """As `apply`, for a move that is never taken back."""
        self.apply(move)

    def undo(self) -> None:
        """Take back the last `apply`."""
        raise AssertionError("a board says how a move is taken back")

    def compare(self, one: i64, other: i64) -> i64:
        """Positive if seat `one` is ahead of seat `other` by the game's figures, 0 if they share a place."""
        raise AssertionError("a board says who is ahead")

    def leave(self, seat: i64) -> None:
        """The seat leaves the game for good (rules/README.md, Leaving); not taken back by `undo`."""
        if self.left[seat] or self.ended:
            return
        self.left = self.left[:]
        self.left[seat] = self.seats - self.seats_in + 1
        self.seats_in -= 1
        if self.seats_in == 1:
            self.ended = True
        self.after_leaving(seat)

    def after_leaving(self, seat: i64) -> None:
        """Pass the turn on if it was that seat's."""
        if self.turn == seat and not self.ended:
            self.turn = self.next_seat(seat)

    def next_seat(self, seat: i64) -> i64:
        """The next seat round the table that is still in the game."""
        seat += 1
        if seat == self.seats:
            seat = 0
        if self.seats_in < self.seats:
            while self.left[seat]:
                seat = (seat + 1) % self.seats
        return seat

    def order(self, one: i64, other: i64) -> i64:
        """As `compare`, with the seats that left behind the others: the first to leave is last."""
        gone_one = self.left[one]
        gone_other = self.left[other]
        if gone_one == gone_other:
            return self.compare(one, other)
        if gone_one == 0:
            return 1
        if gone_other == 0:
            return -1
        return gone_one - gone_other

    def place(self, seat: i64) -> i64:
        """1 for the best; seats that share a place share the number, and the next is counted after them."""
        ahead: i64 = 0
        for other in range(self.seats):
            if other != seat and self.order(other, seat) > 0:
                ahead += 1
        return ahead + 1

    def payoff(self, seat: i64) -> i64:
        """Number of seats behind this one, less the number ahead of it: all payoffs add up to 0."""
        total: i64 = 0
        for other in range(self.seats):
            if other != seat:
                lead = self.order(seat, other)
                total += 1 if lead > 0 else -1 if lead < 0 else 0
        return total

    # For search and playouts

    def random_move(self, dice: Dice) -> i64:
        """A legal move, all equally likely (of long lists: any is possible); OVER when there is none."""
        count = self.legal()
        return self.moves[dice.below(count)] if count else OVER

    def playout(self, dice: Dice) -> None:
        """Random moves to the end of the game."""
        move = self.random_move(dice)
        while move >= 0:
            self.apply(move)
            move = self.random_move(dice)

    def candidates(self, dice: Dice, most: i64) -> i64:
        """As `legal`, but at most `most` moves, chosen at random."""
        count = self.legal()
        if count <= most:
            return count
        moves = self.moves
        for i in range(most):
            chosen = i + dice.below(count - i)
            move = moves[chosen]
            moves[chosen] = moves[i]
            moves[i] = move
        return most

    def promising(self, dice: Dice, most: i64) -> i64:
        """As `candidates`; a game of long lists gives only promising moves, at least one of them."""
        return self.candidates(dice, most)

    def weigh(self, count: i64, priors: vec[i64]) -> i64:
        """Write to `priors` how the first `count` of `moves` look before any is tried, in PARTs for the mover.

        Returns the number of trials that this is worth; 0 if the game can't say anything, and nothing is written.
        """
        return 0 if self.patterns is None else self.weigh_after(count, priors)

    def sharpen(self) -> bool:
        """Have `promising`, `at_sight` and `play_on` take more into account; whether this game has more for them."""
        return False

    def at_sight(self, dice: Dice) -> i64:
        """A move by a player who does not think ahead; OVER when there is none."""
        return self.random_move(dice)

    def play_on(self, dice: Dice) -> None:
        """Play on from the edge of a search tree: to the end, or to a position where `estimate` is a fair guess.

        The mover may use its seat's knowledge, and nothing else. With patterns any position is good for a guess.
        """
        if self.patterns is None:
            self.playout(dice)

    def gain(self, seat: i64) -> i64:
        """The value of an ended game to a seat's search, in PARTs: its payoff, or that with the margin."""
        return PART * self.payoff(seat)

    def estimate(self, seat: i64) -> i64:
        """A seat's prospects in an unfinished game, in PARTs: about the later `gain`; higher is better."""
        return PART // 2 * self.payoff(seat) if self.patterns is None else self.foresee(seat)

    # For a learned evaluation

    def sheet(self) -> vec[i64]:
        """The sheet on which an evaluation of this game is learned (rules/patterns/windows.py): columns, rows, stride,
        first square, number of faces, 1 for a diagonal, and width and height of each shape. Empty if there is none.
        """
        return filled(0, 0)

    def side_counts(self) -> vec[i64]:
        """For each count that patterns see besides the sheet, as one more square, its number of faces."""
        return filled(0, 0)

    def stages(self) -> i64:
        """Number of stages with weights of their own; 0: each ply is a stage."""
        return 0

    def stage(self) -> i64:
        """The stage of the game."""
        return self.plies

    def foremost(self) -> vec[i64]:
        """Of a game whose turns are several moves: those of the turn after which the mover expects the largest lead.
        Empty for other games, and where a face is owed.
        """
        return filled(0, 0)

    def look_at(self, seat: i64, square: i64) -> i64:
        """The face of a square of the sheet for a seat: 0 if nothing is there."""
        raise AssertionError("a board with a sheet says what lies on it")

    def earned(self, seat: i64) -> i64:
        """The points of a seat so far."""
        raise AssertionError("a board with a sheet says what it is played for")

    def renew(self, square: i64) -> None:
        """Tell the patterns what lies on a square now."""
        patterns = self.patterns
        if patterns is not None:
            for seat in range(self.seats):
                patterns.see(seat, square, self.look_at(seat, square))

    def look(self) -> None:
        """Write what each seat can expect at the end of the game to the patterns' `outlook`."""
        patterns = self.patterns
        assert patterns is not None
        for seat in range(self.seats):
            value = POINT * self.earned(seat)
            if not self.ended:
                value += patterns.totals[seat] + patterns.weights[patterns.beat(seat, self.stage(), self.turn)]
            patterns.outlook[seat] = value

    def look_after(self, move: i64) -> None:
        """As `look`, after a legal move."""
        self.apply(move)
        self.look()
        self.undo()

    def sure(self) -> i64:
        """The expected lead, in points, that is as good as won."""
        raise AssertionError("a board with a sheet says which lead wins")

    def prospect(self, lead: i64) -> i64:
        """The `gain`, in PARTs, of an expected lead over one opponent, in units of a POINT."""
        sure = POINT * self.sure()
        return PART * min(max(lead, -sure), sure) // sure

    def foresee(self, seat: i64) -> i64:
        """The `gain` that a seat can expect, by its patterns."""
        self.look()
        return self.gained(seat)

    def gained(self, seat: i64) -> i64:
        """The `gain` of a seat by the patterns' last `outlook`."""
        assert self.patterns is not None
        outlook = self.patterns.outlook
        total: i64 = 0
        for other in range(self.seats):
            if other != seat:
                total += self.prospect(outlook[seat] - outlook[other])
        return total

    def weigh_after(self, count: i64, priors: vec[i64]) -> i64:
        """As `weigh`: what the patterns say of the position after each move."""
        for i in range(count):
            self.look_after(self.moves[i])
            priors[i] = self.gained(self.turn)
        return TRUST

    def hides(self, seat: i64) -> bool:
        """At CHANCE: whether the owed face is hidden from this seat; then UNKNOWN can be applied."""
        return False

    def face(self, dice: Dice) -> i64:
        """At CHANCE a face for the owed one, each as likely as by public knowledge; a certain one takes no dice."""
        count = self.legal()
        return self.moves[dice.below(count)] if count > 1 else self.moves[0]

    def guess(self, dice: Dice) -> None:
        """Give every hidden face a possible value, all equally likely; there may be none."""

    def facts(self) -> vec[i64]:
        """Exactly what the rest of the game depends on, for checks that allow no chance of a mistake.

        Positions with equal facts have the same moves and the same results. A board that nobody checks gives its key.
        """
        return array((self.key(),))

    # Steps of a board whose moves are whole turns of several steps (`State.steps`)

    def next_steps(self, made: vec[i64], first: i64, count: i64) -> i64:
        """As `legal`, but the steps that can follow the `count` steps in `made` from `first` on, ascending."""
        raise AssertionError("a board of whole turns says which steps they have")

    def move_of(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The move of these steps; UNKNOWN while more are wanted."""
        raise AssertionError("a board of whole turns says which steps they have")

    # Observations

    def largest(self) -> i64:
        """The largest number that an observation can show."""
        return 255

    def shrinks(self) -> bool:
        """Whether a move takes nothing but itself off the legal moves, whoever is next, as long as nobody leaves."""
        return False

    def packing(self) -> vec[i64]:
        """The kind of each plane (rules/observations/sight.py)."""
        return filled(self.shape()[0], NUMBER)

    def paint(self, sight: Sight, seat: i64) -> None:
        """Paint a seat's observation on a sight after `clear`: put what is not 0, and fill each FIGURE and STILL."""
        sight.lay(self.observe(seat))

    def observed(self, seat: i64) -> vec[i64]:
        """The result of `observe`, of a board that paints."""
        shape = self.shape()
        cells = shape[1] * shape[2]
        sight = Sight(self.packing(), cells, BITS, cells)
        sight.words = filled(sight.size, 0)
        self.paint(sight, seat)
        return sight.words

    def repaint(self, move: i64, sight: Sight) -> None:
        """Bring a sight up to date after `make(move)` and chance: it showed what the last mover saw, and is for the
        next one. If a packed row is a byte a square, every sight is packed.
        """
        sight.clear()
        self.paint(sight, self.turn)

    def shape(self) -> vec[i64]:
        """The shape of `observe`: planes, columns, rows."""
        raise AssertionError("a board says what can be seen of it")

    def observe(self, seat: i64) -> vec[i64]:
        """A seat's observation as numbers: plane by plane, column by column from the left, from the lowest row up.

        Each board lists its planes; seats are counted from the one that looks, round the table.
        """
        raise AssertionError("a board says what can be seen of it")
