"""The board: the only place where the rules of a game are written.

A board is a small mutable object on flat arrays of small integers, for search and playouts by the million. People,
peers and records never see one: they see its immutable interface, the `State` (rules/core). A move is a small integer
here, numbered in the canonical order of the game's notation; only the board interprets the number.

No text, no randomness, no tuples, dicts or sets on the path of a playout. Only what decides a game belongs here; the
State explains refusals in words.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, fill, filled
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made
from quadrille.rules.patterns.image_keys import ImageKeys

CHANCE: Final = -1
#: A face that the board's owner does not know, and the move that reveals none.
UNKNOWN: Final = -1
#: In place of a move when the game is over.
OVER: Final = -1
#: More than any `outcome`.
BEYOND: Final = 1 << 30
#: Payoff for finishing ahead of one opponent, in a search.
PART: Final = 1024
#: Numbers at the end of `FlatBoard.at` for what a move changes beside it.
KEPT: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class Judge:
    """Judges positions of a board by more than its rules, for example by weights. The board reports all changes.

    A board keeps its judge when it is copied (`Board.copy`): each has its own.
    """

    __slots__ = ()

    def copy(self) -> "Judge":
        """Return a judge of another board in the same position."""
        raise AssertionError("a judge says how it is copied")

    def become(self, other: "Judge") -> None:
        """Take over the position of another judge of the same kind."""
        raise AssertionError("a judge says how it becomes another")

    def renew(self, given: "Board", square: i64) -> None:
        """Take note that a move, or one that was taken back, has changed a square."""

    def weigh(self, given: "Board", count: i64, priors: vec[i64]) -> i64:
        """Judge moves as `Board.weigh` does."""
        return 0

    def estimate(self, given: "Board", seat: i64) -> i64:
        """Judge a position as `Board.estimate` does."""
        raise AssertionError("a judge says what it expects")


@mypyc_attr(allow_interpreted_subclasses=True)
class Board:
    """A position on which moves are made and taken back.

    `turn` is the seat to move, or CHANCE while a face of a pile is owed. `legal` fills `moves` and returns their
    number; 0 means that the game is over. `left[s]` is 0 while seat s is in the game, else 1 for the first that left,
    2 for the second, …
    """

    __slots__ = ("ended", "images", "judge", "left", "moves", "plies", "seats", "seats_in", "turn")

    seats: i64
    seats_in: i64
    turn: i64
    plies: i64
    ended: bool
    left: vec[i64]
    moves: vec[i64]
    #: The judge of positions, in place of `weigh` and `estimate`, if the board has one.
    judge: "Judge | None"
    #: The keys of the position and its images that a prover had this board keep up.
    images: ImageKeys | None

    def __init__(self, seats: i64, room: i64) -> None:
        self.seats = seats
        self.judge = None
        self.images = None
        self.start_over()
        self.moves = filled(room, 0)

    def reset(self) -> None:
        """Go back to the first position."""
        raise AssertionError("a board says where it starts")

    def start_over(self) -> None:
        """Reset all fields that boards of every game have."""
        self.turn = 0
        self.plies = 0
        self.ended = False
        self.seats_in = self.seats
        self.left = filled(self.seats, 0)

    def copy(self) -> Self:
        """Return a board in the same position with nothing to take back: it shares no array that changes."""
        raise AssertionError("a board says how it is copied")

    def twin(self) -> Self:
        """Copy all fields that boards of every game have."""
        twin = self.__class__.__new__(self.__class__)
        twin.seats = self.seats
        twin.judge = self.judge.copy() if self.judge is not None else None
        twin.images = self.images.copy() if self.images is not None else None
        twin.stand_as(self)
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """Return all fields, including the undo stack: for pickles, and for `copy.copy`, which shares no array."""
        return made, (self.__class__, fields_of(self))

    def become(self, other: "Board") -> None:
        """Take over the position of another board of the same game and terms, with nothing to take back."""
        raise AssertionError("a board says how it becomes another")

    def stand_as(self, other: "Board") -> None:
        """Take over all fields that boards of every game have."""
        self.seats_in = other.seats_in
        self.turn = other.turn
        self.plies = other.plies
        self.ended = other.ended
        self.left = other.left  # replaced, never changed, by `leave`
        if self.judge is not None:
            assert other.judge is not None
            self.judge.become(other.judge)
        if self.images is not None:
            assert other.images is not None
            self.images = other.images.copy()

    def listed(self) -> vec[i64]:
        """Return the moves that `legal` would write, in a new array: nothing is written to this board."""
        twin = self.copy()
        count = twin.legal()
        return twin.moves[:count]

    def legal(self) -> i64:
        """Write the legal moves to the front of `moves`, in any order; return their number, 0 when the game is over."""
        raise AssertionError("a board says which moves are legal")

    def apply(self, move: i64) -> None:
        """Make a move that `legal` listed."""
        raise AssertionError("a board says what a move does")

    def make(self, move: i64) -> None:
        """Make a move that is never taken back."""
        self.apply(move)

    def after(self, move: i64) -> Self:
        """Return the board after a move as another one: this one stays as it is."""
        twin = self.copy()
        twin.make(move)
        return twin

    def undo(self) -> None:
        """Take back the last `apply`."""
        raise AssertionError("a board says how a move is taken back")

    def compare(self, seat: i64, other: i64) -> i64:
        """Return a positive number if `seat` is ahead of `other` by the game's figures, 0 if they share a place."""
        raise AssertionError("a board says who is ahead")

    def leave(self, seat: i64) -> None:
        """Let a seat leave the game for good (rules/README.md, Leaving); `undo` does not take that back."""
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
        """Return the next seat round the table that is still in the game."""
        seat += 1
        if seat == self.seats:
            seat = 0
        if self.seats_in < self.seats:
            while self.left[seat]:
                seat = (seat + 1) % self.seats
        return seat

    def order(self, seat: i64, other: i64) -> i64:
        """Compare as `compare` does, with the seats that left behind the others: the first to leave is last."""
        gone_one = self.left[seat]
        gone_other = self.left[other]
        if gone_one == gone_other:
            return self.compare(seat, other)
        if gone_one == 0:
            return 1
        if gone_other == 0:
            return -1
        return gone_one - gone_other

    def place(self, seat: i64) -> i64:
        """Return the place of a seat, 1 for the best; after seats that share one, the next counts behind them all."""
        ahead: i64 = 0
        for other in range(self.seats):
            if other != seat and self.order(other, seat) > 0:
                ahead += 1
        return ahead + 1

    def payoff(self, seat: i64) -> i64:
        """Return the number of seats behind this one, less the number ahead of it: all payoffs add up to 0."""
        total: i64 = 0
        for other in range(self.seats):
            if other != seat:
                lead = self.order(seat, other)
                total += 1 if lead > 0 else -1 if lead < 0 else 0
        return total

    # For search and playouts: a game whose board has nothing better to say defines `key` alone

    def key(self) -> i64:
        """Return a number of 62 bits for everything that the rest of the game depends on: different positions have
        different keys.

        This is all but certain; a search may rely on it, a record may not.
        """
        raise AssertionError("a board says what its position depends on")

    def alike(self) -> i64:
        """Return a key that positions with the same value to their movers may share: turned, mirrored, …"""
        return self.key()

    def random_move(self, dice: Dice) -> i64:
        """Return a legal move, all equally likely (of long lists: any is possible); OVER when there is none."""
        count = self.legal()
        return self.moves[dice.below(count)] if count else i64(OVER)

    def playout(self, dice: Dice) -> None:
        """Make random moves to the end of the game."""
        move = self.random_move(dice)
        while move >= 0:
            self.apply(move)
            move = self.random_move(dice)

    def promising(self, dice: Dice, most: i64) -> i64:
        """Write at most `most` legal moves at random, or, in a game of long lists, at least one that looks good."""
        count = self.legal()
        moves = self.moves
        if count <= most:
            return count
        for i in range(most):
            chosen = i + dice.below(count - i)
            move = moves[chosen]
            moves[chosen] = moves[i]
            moves[i] = move
        return most

    def weigh(self, count: i64, priors: vec[i64]) -> i64:
        """Write to `priors` how the first `count` of `moves` look before any is tried, in PARTs for the mover.

        Return the number of trials that this is worth; 0 if the game can't say anything, and nothing is written.
        """
        return 0 if self.judge is None else self.judge.weigh(self, count, priors)

    def sharpen(self) -> bool:
        """Let `promising`, `at_sight` and `play_on` take more into account; return whether the game has more."""
        return False

    def at_sight(self, dice: Dice) -> i64:
        """Return a move by a player who does not think ahead; OVER when there is none."""
        return self.random_move(dice)

    def play_on(self, dice: Dice) -> None:
        """Play on from the edge of a search tree: to the end, or to a position where `estimate` is a fair guess.

        The mover may use its seat's knowledge, and nothing else. With a judge any position is good for a guess.
        """
        if self.judge is None:
            self.playout(dice)

    def gain(self, seat: i64) -> i64:
        """Return the value of an ended game to a seat's search, in PARTs: its payoff, or that with the margin."""
        return PART * self.payoff(seat)

    def estimate(self, seat: i64) -> i64:
        """Return a seat's prospects in an unfinished game, in PARTs: about the later `gain`; higher is better."""
        return PART // 2 * self.payoff(seat) if self.judge is None else self.judge.estimate(self, seat)

    def hides(self, seat: i64) -> bool:
        """Return whether the face owed at CHANCE is hidden from this seat; then UNKNOWN can be applied."""
        return False

    def face(self, dice: Dice) -> i64:
        """Return a face for the one owed at CHANCE, as likely as by public knowledge; a certain one takes no dice."""
        count = self.legal()
        return self.moves[dice.below(count)] if count > 1 else self.moves[0]

    def guess(self, dice: Dice) -> None:
        """Give every hidden face a possible value, all equally likely; there may be none."""

    def facts(self) -> vec[i64]:
        """Return exactly what the rest of the game depends on, for checks that allow no chance of a mistake.

        Positions with equal facts have the same moves and the same results. A board that nobody checks gives its key.
        """
        return array((self.key(),))

    # Steps of a board whose moves are whole turns of several steps (`State.steps`)

    def next_steps(self, made: vec[i64], first: i64, count: i64, moves: vec[i64]) -> i64:
        """Write to `moves` the steps that can follow the `count` steps in `made` from `first` on, ascending; return
        their number.
        """
        raise AssertionError("a board of whole turns says which steps they have")

    def move_of(self, made: vec[i64], first: i64, count: i64) -> i64:
        """Return the move of these steps; UNKNOWN while more are wanted."""
        raise AssertionError("a board of whole turns says which steps they have")

    def shape(self) -> vec[i64]:
        """Return the planes of what can be seen, columns, rows; a game without squares has a row of what it has."""
        raise AssertionError("a board says how large it is")

    # For a prover (rules/engine/prover.py): the game of a board that has no theorem defines none of these

    def keep_images(self) -> None:
        """Keep up `images` from now on, if the board can: then `alike` is quick."""

    def matters(self) -> i64:
        """Return a key of all that can still change the result: positions that share it differ by `settled` alone.

        It may rely on what `keep_images` has begun, and so may the methods that follow.
        """
        return self.alike()

    def settled(self, seat: i64) -> i64:
        """Return the part of the `outcome` for a seat of two that nothing changes any more."""
        return 0

    def outcome(self, seat: i64) -> i64:
        """Return the result of an ended game for a seat: its payoff, or with two seats a number with the same sign."""
        return self.payoff(seat)

    def secured(self, seat: i64) -> i64:
        """Return an `outcome` that a seat of two can make sure of: the least one if nothing is known."""
        return -BEYOND

    def sifted(self) -> i64:
        """Write moves as `legal` does, but only one of those that lead to equal results."""
        return self.legal()

    def haste(self, move: i64) -> i64:
        """Return how early a prover should try a move: moves after which little can be done come first."""
        return 0

    def foresees(self) -> bool:
        """Tell a prover to ask what is known after each move before it searches one.

        No move ends the game then, and the other seat of two is the next to move.
        """
        return False

    def half_turn(self) -> i64:
        """Return the opponent's last move turned by 180 degrees, if `half_turn_worth` is proven for it; else OVER.

        The board is then its own image under that turn with the two seats exchanged. Every later move of the opponent
        has such an answer to the end of the game.
        """
        return OVER

    def half_turn_worth(self) -> i64:
        """Return the minimum payoff of a mover that answers each move by `half_turn` from now on."""
        return 0


@mypyc_attr(allow_interpreted_subclasses=True)
class FlatBoard(Board):
    """A board whose whole position is in one array, so that a copy is one copy. A game defines `make`.

    `past` has the array before each move that can be taken back: a trail of changed numbers took 30 % of a playout,
    which takes nothing back. The last KEPT numbers are written there alone: turn, plies, ended.
    """

    __slots__ = ("at", "past")

    at: vec[i64]
    past: list[vec[i64]]

    def clear(self, room: i64) -> None:
        """Begin with `room` zeros, and nothing to take back."""
        self.at = filled(room + KEPT, 0)
        self.past = []

    def twin(self) -> Self:
        twin = super().twin()
        twin.at = self.at[:]
        twin.past = []
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board on the same terms."""
        assert isinstance(other, FlatBoard)
        self.stand_as(other)
        self.at = other.at[:]
        self.past = []

    def apply(self, move: i64) -> None:
        """Make a move, and keep what it changes."""
        at = self.at[:]
        place = len(at) - KEPT
        at[place] = self.turn
        at[place + 1] = self.plies
        at[place + 2] = 1 if self.ended else 0
        self.past.append(at)
        self.make(move)

    def undo(self) -> None:
        at = self.past.pop()
        place = len(at) - KEPT
        self.turn = at[place]
        self.plies = at[place + 1]
        self.ended = at[place + 2] == 1
        fill(at, place, KEPT, 0)
        self.at = at
