"""The board: where the rules of a game are written, once.

A board is a small mutable object on flat arrays of small integers, for search and playouts by the million. People,
peers and records never see one: they see its immutable face, the `State` (rules/core.py). A move is a small integer
here, numbered in the canonical order of the game's notation; what the number means is the board's affair.

No text, no randomness, no tuples, dicts or sets on the paths that a playout takes. What may stay here is what decides
a game; why a move is refused, in words, belongs to the State.
"""

from typing import Final, Self

from quadrille.rules.ints import filled, i64, vec

CHANCE: Final = -1


class Board:
    """A position that moves are made on and taken back from.

    `turn` is the seat to move, or CHANCE when a face of a pile is owed. `legal` fills `moves` and returns how many
    there are; none means that the game is over. `left[s]` is 0 while seat s is in the game, else 1 for the first
    that went out, 2 for the second, …
    """

    __slots__ = ("ended", "left", "moves", "plies", "seats", "seats_in", "turn")

    seats: i64
    seats_in: i64
    turn: i64
    plies: i64
    ended: bool
    left: vec[i64]
    moves: vec[i64]

    def __init__(self, seats: i64, room: i64) -> None:
        self.seats = seats
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
        twin.seats_in = self.seats_in
        twin.turn = self.turn
        twin.plies = self.plies
        twin.ended = self.ended
        twin.left = self.left  # replaced, never changed, by `leave`
        return twin

    def legal(self) -> i64:
        """Write the legal moves to the front of `moves`; how many they are, 0 when the game is over."""
        raise AssertionError("a board says which moves are legal")

    def apply(self, move: i64) -> None:
        """Make a move that `legal` listed."""
        raise AssertionError("a board says what a move does")

    def undo(self) -> None:
        """Take back the last `apply`."""
        raise AssertionError("a board says how a move is taken back")

    def compare(self, one: i64, other: i64) -> i64:
        """Above 0 when seat `one` is ahead of seat `other` by the game's figures, 0 when they share a place."""
        raise AssertionError("a board says who is ahead")

    def leave(self, seat: i64) -> None:
        """Seat goes out of the game for good (rules/README.md, Leaving); not taken back by `undo`."""
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
        """As `compare`, with the seats that went out behind the others: who left first is last."""
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
        ahead = 0
        for other in range(self.seats):
            if other != seat and self.order(other, seat) > 0:
                ahead += 1
        return ahead + 1

    def payoff(self, seat: i64) -> i64:
        """How many seats are behind this one, less how many are ahead of it: all payoffs add up to 0."""
        total = 0
        for other in range(self.seats):
            if other != seat:
                lead = self.order(seat, other)
                total += 1 if lead > 0 else -1 if lead < 0 else 0
        return total
