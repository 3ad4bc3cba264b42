"""The board of Maze for searches: random moves without a list, and the keys of positions. The rules are in board.py."""

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import OVER
from quadrille.rules.dice import Dice
from quadrille.rules.games.maze.board import MazeBoard
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed, mixed_all


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchedMaze(MazeBoard):
    """The board that a position of Maze stands on."""

    __slots__ = ()

    def random_move(self, dice: Dice) -> i64:
        """Choose a legal segment by a walk over the squares, without a list."""
        if self.ended:
            return OVER
        room = self.room
        goal = self.goal
        start = self.last
        free = room[start]
        if free > 0:
            chosen = dice.below(free)
        else:
            total = -room[self.squares]  # squares off the board start no segment
            for free in room:
                if free > 0:
                    total += free
            chosen = dice.below(total)
            start = -1
            while chosen >= 0:
                start += 1
                free = room[start]
                if free > 0:
                    chosen -= free
            chosen += free
        move = 4 * start
        while True:
            if room[goal[move]] < 0:
                if chosen == 0:
                    return move
                chosen -= 1
            move += 1

    def key(self) -> i64:
        """Mix the turn, the taken squares, the number of X's, and the start of the next segment."""
        start = self.forced()
        return mixed_all(mixed(mixed(mixed(0, self.turn), self.crosses), start), self.room)

    def facts(self) -> vec[i64]:
        """Return the parity of the X's, the start of the next segment, and the taken squares; the turn follows."""
        facts = filled(2 + self.squares, self.crosses % 2)
        facts[1] = self.forced()
        for square in range(self.squares):
            facts[2 + square] = 1 if self.room[square] >= 0 else 0
        return facts

    def estimate(self, seat: i64) -> i64:
        """Return 0: the number of X's so far says nothing about the last one."""
        return 0

    def alike(self) -> i64:
        """Return a key of the taken squares, the start of the next segment, and whether the X's are odd: the minimum of
        this and its image in the diagonal through the first square. The turn follows from the squares.
        """
        size = self.size
        room = self.room
        start = self.forced()
        mirrored = size * (size - 1 - start % size) + size - 1 - start // size if start < self.squares else start
        one: i64 = mixed(self.crosses % 2, start)
        two: i64 = mixed(self.crosses % 2, mirrored)
        square: i64 = 0
        for column in range(size):
            across = self.squares - 1 - column
            bits: i64 = 0
            image: i64 = 0
            for _row in range(size):
                # 1 for a taken square, 0 for an untaken one: its `room` is negative, and shifting makes that -1
                bits = bits * 2 + 1 + (room[square] >> 8)
                image = image * 2 + 1 + (room[across] >> 8)
                square += 1
                across -= size
            one = mixed(one, bits)
            two = mixed(two, image)
        return min(one, two)

    def shape(self) -> vec[i64]:
        """Return eight planes."""
        return array((8, self.size, self.size))
