"""The rules of Maze: a tree of segments grows from the upper left square, and dead ends are counted.

Sentences in quotes are those of the rules. search.py asks more of this board, and page.md tells people. A move is
4 * start + direction, both in the order of squares: left, down, up, right. So its numbers are in the order of the
notation, with gaps where a direction leaves the board.

Every game is as long as every other: each move takes a square, and none is ever given back. As long as one is
untaken, some untaken square is next to a taken one, so there is a move: size * size - 1 moves.
"""

from typing import Final, Self

from quadrille.rules.arrays import filled
from quadrille.rules.board import Board
from quadrille.rules.ints import i64, mypyc_attr, vec

UNTAKEN: Final = 8  # more than the neighbours of any square


def goals(size: i64) -> vec[i64]:
    """List the target of each move; `size * size` stands for all squares off the board, and leads only to itself."""
    off = size * size
    neighbours = filled(4 * off + 4, off)
    for square in range(off):
        if square >= size:
            neighbours[4 * square] = square - size
        if square % size > 0:
            neighbours[4 * square + 1] = square - 1
        if square % size < size - 1:
            neighbours[4 * square + 2] = square + 1
        if square + size < off:
            neighbours[4 * square + 3] = square + size
    return neighbours


def first_room(size: i64, goal: vec[i64]) -> vec[i64]:
    """Return `room` before the first move. The upper left square counts as taken: the first segment starts there."""
    off = size * size
    room = filled(off + 1, -UNTAKEN)
    room[size - 1] = 0
    room[off] = 0
    for move in range(4 * off):
        if move // 4 != size - 1:
            room[goal[move]] += 1
    return room


@mypyc_attr(allow_interpreted_subclasses=True)
class MazeBoard(Board):
    """`room[q]` is the number of untaken neighbours of square q, less UNTAKEN while q itself is untaken.

    So it is negative for untaken squares only, and positive for possible starts of segments. The last entry stands
    for squares off the board, which are never untaken. `segments[:plies]` are the segments in the order they were
    drawn.
    """

    __slots__ = ("crosses", "first_room", "goal", "last", "room", "segments", "size", "squares")

    room: vec[i64]
    segments: vec[i64]
    last: i64
    crosses: i64

    def __init__(self, size: i64) -> None:
        super().__init__(2, 4 * size * size)
        self.size = size
        self.squares = size * size
        self.goal = goals(size)
        self.first_room = first_room(size, self.goal)
        self.reset()

    def reset(self) -> None:
        """Reset the board. "The first segment starts in the upper left square." """
        self.start_over()
        self.room = self.first_room[:]
        self.segments = filled(self.squares - 1, 0)
        self.last = self.size - 1
        self.crosses = 0

    def copy(self) -> Self:
        """Copy the position; what was drawn is part of it."""
        twin = self.twin()
        twin.size = self.size
        twin.squares = self.squares
        twin.goal = self.goal
        twin.first_room = self.first_room
        twin.moves = self.moves[:]
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board of the same size."""
        assert isinstance(other, MazeBoard)
        self.stand_as(other)
        self.room = other.room[:]
        self.segments = other.segments[:]
        self.last = other.last
        self.crosses = other.crosses

    def legal(self) -> i64:
        """Write the segments in order. "A move draws a segment from the centre of a taken square to the centre of an
        orthogonally adjacent untaken one".
        """
        if self.ended:
            return 0
        room = self.room
        moves = self.moves
        goal = self.goal
        count: i64 = 0
        last = self.last
        free = room[last]
        if free > 0:  # "It must start from the square that the opponent's last move took if that …"
            move = 4 * last
            while True:
                if room[goal[move]] < 0:
                    moves[count] = move
                    count += 1
                    if count == free:
                        return count
                move += 1
        off = 4 * self.squares  # squares off the board start no segment
        first: i64 = 0
        for free in room:  # "… otherwise it may start from any taken square with an untaken neighbour."
            if free > 0 and first < off:
                move = first
                until = count + free
                while True:
                    if room[goal[move]] < 0:
                        moves[count] = move
                        count += 1
                        if count == until:
                            break
                    move += 1
            first += 4
        return count

    def listed(self) -> vec[i64]:
        """List without a copy of the board if the start is forced, as it nearly always is."""
        room = self.room
        goal = self.goal
        free = room[self.last]
        if free <= 0 or self.ended:
            return super().listed()
        moves = filled(free, 0)
        count: i64 = 0
        move = 4 * self.last
        while count < free:
            if room[goal[move]] < 0:
                moves[count] = move
                count += 1
            move += 1
        return moves

    def apply(self, move: i64) -> None:
        """Draw a segment. "When a square is taken that has no untaken neighbour left, it gets an X." """
        room = self.room
        goal = self.goal
        square = goal[move]
        free = room[square] + UNTAKEN
        room[square] = free
        if free == 0:
            self.crosses += 1
        way = 4 * square  # all four are written out: in plain Python a loop would cost as much as its body
        room[goal[way]] -= 1
        room[goal[way + 1]] -= 1
        room[goal[way + 2]] -= 1
        room[goal[way + 3]] -= 1
        self.last = square
        plies = self.plies
        self.segments[plies] = move
        plies += 1
        self.plies = plies
        self.turn = 1 - self.turn
        if plies == self.squares - 1:  # "End after size² - 1 segments."
            self.ended = True

    def undo(self) -> None:
        """Take back the last segment."""
        room = self.room
        goal = self.goal
        square = self.last
        way = 4 * square
        room[goal[way]] += 1
        room[goal[way + 1]] += 1
        room[goal[way + 2]] += 1
        room[goal[way + 3]] += 1
        if room[square] == 0:
            self.crosses -= 1
        room[square] -= UNTAKEN
        plies = self.plies - 1
        self.segments[plies] = 0
        self.last = goal[self.segments[plies - 1]] if plies else self.size - 1
        self.plies = plies
        self.turn = 1 - self.turn
        self.ended = False

    def compare(self, seat: i64, other: i64) -> i64:
        """Compare by the X's. "Seat 0 wins if the number of X's is odd, seat 1 if it is even." """
        return 1 if seat == 1 - self.crosses % 2 else -1

    def forced(self) -> i64:
        """Return the square from which the next segment must start; the number of squares if any will do."""
        return self.last if self.room[self.last] > 0 else self.squares
