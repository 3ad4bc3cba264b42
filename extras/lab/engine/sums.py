"""Patterns: a sum of learned weights, one for each small window of a board (extras/lab/docs/learned.md).

A board reports each square that changed (`Judge.renew`), so that the sums are kept up move by move, and back. The
windows come from extras/lab/learned/windows.py. Nothing here knows a game.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import PART, Board, Judge
from quadrille.rules.ints import i64, mypyc_attr, vec

#: Units of a weight, and of every sum of weights, in a point of the game.
POINT: Final = 1 << 16
#: Number of trials in a search that the first look at a move is worth, by the patterns after it.
TRUST: Final = 3


def images(faces: i64, order: vec[i64]) -> vec[i64]:
    """Return, for each number of a window, its number when the face of square i is shown by square `order[i]`."""
    powers = filled(len(order) + 1, 1)
    for i in range(len(order)):
        powers[i + 1] = powers[i] * faces
    sums = filled(powers[len(order)], 0)
    for i in range(len(order)):
        for face in range(1, faces):
            first = face * powers[i]
            more = face * powers[order[i]]
            for lower in range(powers[i]):
                sums[first + lower] = sums[lower] + more
    return sums


def lowered(least: vec[i64], image: vec[i64]) -> None:
    """Lower each number of `least` to the one in the same place of `image`, if that is less."""
    for number in range(len(least)):
        if image[number] < least[number]:
            least[number] = image[number]


def shared(least: vec[i64], slot: i64) -> i64:
    """Give numbers to the weights of a kind of window from `slot` on; return the first unused number.

    `least[n]` is the least of the numbers that share a weight with n; it is replaced by the number of the weight.
    """
    for number in range(len(least)):
        if least[number] == number:
            least[number] = slot
            slot += 1
        else:
            least[number] = least[least[number]]
    return slot


@mypyc_attr(allow_interpreted_subclasses=True)
class Patterns(Judge):
    """The windows of one board, as each of its seats sees them, and the sums of their weights.

    Square q is in `links[span * q]`, a window, with the power `links[span * q + 1]` of its face there, and so on up to
    -1. `numbers` has the number of each window, a row for each seat that sees it, and `slots[starts[w] + number]` is
    the place of its weight. From place `beats` on, `weights` has one for each ply and each distance to the turn.

    A game's own class describes its sheet, which needs no windows, and says what lies on it.
    """

    __slots__ = (
        "beats", "links", "numbers", "outlook", "seats", "seen", "slots", "span", "squares", "starts", "totals",
        "weights", "windows",
    )  # fmt: skip

    seats: i64
    span: i64
    links: vec[i64]
    starts: vec[i64]
    slots: vec[i64]
    beats: i64
    weights: vec[i64]
    squares: i64
    windows: i64
    seen: vec[i64]
    numbers: vec[i64]
    totals: vec[i64]
    #: The points that each seat can expect at the end, in units of a POINT: the last answer.
    outlook: vec[i64]

    def fit(
        self, seats: i64, span: i64, links: vec[i64], starts: vec[i64], slots: vec[i64], beats: i64, weights: vec[i64]
    ) -> None:
        """Take windows whose squares all show face 0; `weights` may be shared by many boards."""
        self.seats = seats
        self.span = span
        self.links = links
        self.starts = starts
        self.slots = slots
        self.beats = beats
        self.weights = weights
        self.squares = len(links) // span
        self.windows = len(starts)
        self.seen = filled(seats * self.squares, 0)
        self.numbers = filled(seats * self.windows, 0)
        self.totals = filled(seats, 0)
        self.outlook = filled(seats, 0)
        self.add_up()

    def copy(self) -> "Patterns":
        """Make patterns of another board in the same position."""
        twin = self.__class__.__new__(self.__class__)
        twin.fit(self.seats, self.span, self.links, self.starts, self.slots, self.beats, self.weights)
        twin.become(self)
        return twin

    def become(self, other: Judge) -> None:
        """Take over the sums of patterns with the same windows and weights."""
        assert isinstance(other, Patterns)
        self.seen = other.seen[:]
        self.numbers = other.numbers[:]
        self.totals = other.totals[:]

    def add_up(self) -> None:
        """Add up all weights again, after any of them changed."""
        for seat in range(self.seats):
            total: i64 = 0
            first = seat * self.windows
            for window in range(self.windows):
                total += self.weights[self.slots[self.starts[window] + self.numbers[first + window]]]
            self.totals[seat] = total

    def see(self, seat: i64, square: i64, face: i64) -> None:
        """Let a seat see another face on a square."""
        more = face - self.seen[seat * self.squares + square]
        if more == 0:
            return
        self.seen[seat * self.squares + square] = face
        links = self.links
        slots = self.slots
        weights = self.weights
        numbers = self.numbers
        first = seat * self.windows
        total = self.totals[seat]
        place = self.span * square
        window = links[place]
        while window >= 0:
            number = numbers[first + window]
            start = self.starts[window]
            total -= weights[slots[start + number]]
            number += more * links[place + 1]
            total += weights[slots[start + number]]
            numbers[first + window] = number
            place += 2
            window = links[place]
        self.totals[seat] = total

    def change(self, seat: i64, square: i64, face: i64) -> i64:
        """Return the change of the seat's sum if it saw that face on a square."""
        more = face - self.seen[seat * self.squares + square]
        links = self.links
        slots = self.slots
        weights = self.weights
        numbers = self.numbers
        first = seat * self.windows
        change: i64 = 0
        place = self.span * square
        window = links[place]
        while window >= 0:
            old = self.starts[window] + numbers[first + window]
            change += weights[slots[old + more * links[place + 1]]] - weights[slots[old]]
            place += 2
            window = links[place]
        return change

    def lead(self, seat: i64) -> i64:
        """Add up the lead over each other seat, in the last outlook."""
        outlook = self.outlook
        lead = (self.seats - 1) * outlook[seat]
        for other in range(self.seats):
            if other != seat:
                lead -= outlook[other]
        return lead

    def beat(self, seat: i64, plies: i64, turn: i64) -> i64:
        """Return the place of the weight of a ply at which `turn` is to move, for a seat."""
        return self.beats + plies * self.seats + (turn - seat + self.seats) % self.seats

    def teach(self, seat: i64, plies: i64, turn: i64, more: i64) -> None:
        """Spread a change of the seat's sum over its weights, except those of windows in which nothing is.

        Such windows share one weight. Together they would learn many times faster than all others.
        """
        weights = self.weights
        numbers = self.numbers
        first = seat * self.windows
        taught: i64 = 1
        for place in range(first, first + self.windows):
            if numbers[place]:
                taught += 1
        more //= taught
        for window in range(self.windows):
            number = numbers[first + window]
            if number:
                slot = self.slots[self.starts[window] + number]
                weights[slot] += more
        weights[self.beat(seat, plies, turn)] += more

    # What a game says

    def sheet(self, given: Board) -> vec[i64]:
        """Return the sheet on which an evaluation is learned (extras/lab/learned/windows.py): columns, rows, stride,
        first square, number of faces, 1 for a diagonal, and width and height of each shape.
        """
        raise AssertionError("patterns describe their sheet")

    def best(self, given: Board, moves: vec[i64]) -> i64:
        """Return the first of these legal moves after which the mover expects the largest lead."""
        seat = given.turn
        best = moves[0]
        highest: i64 = 0
        for i in range(len(moves)):
            self.look_after(given, moves[i])
            lead = self.lead(seat)
            if i == 0 or lead > highest:
                highest = lead
                best = moves[i]
        return best

    def earned(self, given: Board, seat: i64) -> i64:
        """Return the points of a seat so far."""
        raise AssertionError("patterns say what the game is played for")

    def sure(self) -> i64:
        """Return the expected lead, in points, that is as good as won."""
        raise AssertionError("patterns say which lead wins")

    def prospect(self, given: Board, lead: i64) -> i64:
        """Return the `gain`, in PARTs, of an expected lead over one opponent, in units of a POINT."""
        sure = POINT * self.sure()
        return PART * min(max(lead, -sure), sure) // sure

    # The judge

    def look(self, given: Board) -> None:
        """Write what each seat can expect at the end of the game to `outlook`."""
        for seat in range(self.seats):
            value = POINT * self.earned(given, seat)
            if not given.ended:
                value += self.totals[seat] + self.weights[self.beat(seat, given.plies, given.turn)]
            self.outlook[seat] = value

    def look_after(self, given: Board, move: i64) -> None:
        """Look at the position after a legal move."""
        given.apply(move)
        self.look(given)
        given.undo()

    def estimate(self, given: Board, seat: i64) -> i64:
        """Return the `gain` that a seat can expect."""
        self.look(given)
        return self.gained(given, seat)

    def gained(self, given: Board, seat: i64) -> i64:
        """Return the `gain` of a seat by the last `outlook`."""
        outlook = self.outlook
        total: i64 = 0
        for other in range(self.seats):
            if other != seat:
                total += self.prospect(given, outlook[seat] - outlook[other])
        return total

    def weigh(self, given: Board, count: i64, priors: vec[i64]) -> i64:
        """Write what the patterns say of the position after each move."""
        for i in range(count):
            self.look_after(given, given.moves[i])
            priors[i] = self.gained(given, given.turn)
        return TRUST
