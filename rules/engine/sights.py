"""Many games as their movers see them: observations and pictures, kept up in buffers of 64-bit words.

A word holds eight bytes of an observation and is written at once. rules/engine/rows.py steps the games.
"""

from typing import Final

from quadrille.rules.arrays import ONES, filled, grown
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.ints import i64, mypyc_attr, vec

#: Bytes in a word.
WORD: Final = 8
#: Bits in a word.
BITS: Final = 64
#: Maximum steps of an unfinished turn that its board does not show.
MADE: Final = 64


def lanes(width: i64, *, big: bool) -> vec[i64]:
    """The unit of each number of `width` bits in a word, in the order of the machine's memory."""
    count = BITS // width
    found = filled(count, 0)
    unit: i64 = 1
    for lane in range(count):
        found[count - 1 - lane if big else lane] = unit
        if lane + 1 < count:
            for _ in range(width):
                unit *= 2
    return found


@mypyc_attr(allow_interpreted_subclasses=True)
class Sights:
    """Games of one kind, a row of each buffer for each.

    `numbers` are the step numbers of the actions, `action_of` is its inverse. `made` has the steps of each game's
    unfinished turn where the board does not show it (`apart`). `view` has planes, `picture` a byte a square.
    """

    __slots__ = (
        "action_of",
        "actions",
        "apart",
        "bits",
        "boards",
        "cells",
        "first",
        "games",
        "half",
        "lanes",
        "made",
        "made_counts",
        "marks",
        "numbers",
        "opening",
        "paints",
        "per_word",
        "picture",
        "picture_words",
        "plane_words",
        "planes",
        "row_words",
        "seats",
        "shows",
        "top",
        "view",
    )

    boards: list[Board]
    first: Board
    view: vec[i64]
    picture: vec[i64]
    opening: vec[i64]

    def __init__(
        self, boards: list[Board], first: Board, numbers: vec[i64], width: i64, *, apart: bool, big: bool, paints: bool
    ) -> None:
        """`first` is the first position; `width` is that of an observation's numbers in bits, 0 for no planes.

        `paints` keeps pictures up, as the board can; `big` is the byte order of the machine.
        """
        games: i64 = len(boards)
        self.boards = boards
        self.first = first
        self.games = games
        self.seats = first.seats
        self.numbers = numbers
        self.actions = len(numbers)
        self.apart = apart
        self.paints = paints
        self.bits = first.bits()
        self.lanes = lanes(width if width else WORD, big=big)
        self.marks = lanes(WORD, big=big)
        self.per_word = len(self.lanes)
        self.shows = width > 0
        self.half = (1 << width) // 2
        self.top = 0 if big else self.per_word - 1
        most: i64 = 0
        for number in numbers:
            most = max(most, number)
        self.action_of = filled(most + 1, UNKNOWN)
        for action in range(self.actions):
            self.action_of[numbers[action]] = action
        shape = first.shape()
        self.planes = shape[0]
        self.cells = shape[1] * shape[2]
        if apart:
            # one row of numbers: the planes, then how often each action was made in the turn, then 1 for the last one
            self.cells = self.planes * self.cells + 2 * self.actions
            self.planes = 1
        self.plane_words = (self.cells + self.per_word - 1) // self.per_word
        self.picture_words = self.plane_words if paints else 0
        self.row_words = self.planes * self.plane_words
        self.made = filled(games * MADE if apart else 0, 0)
        self.made_counts = filled(games, 0)

    def lend_sights(self, view: vec[i64], picture: vec[i64]) -> None:
        """The buffers to write to."""
        self.view = view
        self.picture = picture

    def turn(self, game: i64) -> vec[i64]:
        """The steps of a game's unfinished turn, if the board does not show it."""
        return self.made[game * MADE : game * MADE + self.made_counts[game]]

    def paint_opening(self) -> None:
        """The picture of the first position."""
        seen = self.first.observe(self.first.turn)
        self.opening = filled(self.picture_words, 0)
        weight: i64 = 1
        for plane in range(self.bits):
            for cell in range(self.cells):
                self.opening[cell >> 3] += weight * seen[plane * self.cells + cell] * self.marks[cell & 7]
            weight *= 2

    def show(self, game: i64) -> None:
        """Write the observation of the seat to move: what can have changed of it."""
        if not self.shows:
            return
        if not self.paints:
            self.show_all(game)
            return
        picture = self.picture
        view = self.view
        words = self.picture_words
        first = game * words
        place = game * self.row_words
        for plane in range(self.bits):
            for word in range(first, first + words):
                view[place] = picture[word] >> plane & ONES
                place += 1

    def show_all(self, game: i64) -> None:
        """Write the observation of the seat to move."""
        if not self.shows:
            return
        seen = self.observed(game)
        place = game * self.row_words
        cell: i64 = 0
        for _ in range(self.planes):
            self.lay(seen, cell, cell + self.cells, place)
            cell += self.cells
            place += self.plane_words

    def observed(self, game: i64) -> vec[i64]:
        """The observation of the seat to move; a turn that the board does not show comes after the board's numbers."""
        board = self.boards[game]
        seen = board.observe(board.turn)
        return self.with_turn(game, seen) if self.apart else seen

    def with_turn(self, game: i64, seen: vec[i64]) -> vec[i64]:
        """Two numbers for each action: how often it was made in this turn, then 1 for the last one made."""
        length: i64 = len(seen)
        whole = grown(seen, length + 2 * self.actions)
        count = self.made_counts[game]
        for place in range(game * MADE, game * MADE + count):
            action = self.action_of[self.made[place]]
            whole[length + action] += 1
            if place + 1 == game * MADE + count:
                whole[length + self.actions + action] = 1
        return whole

    def lay(self, seen: vec[i64], cell: i64, end: i64, place: i64) -> None:
        """Write numbers to a row of words from `place` on."""
        units = self.lanes
        view = self.view
        per_word = self.per_word
        half = self.half
        top = self.top
        while cell < end:
            word: i64 = 0
            for lane in range(min(per_word, end - cell)):
                number = seen[cell]
                cell += 1
                if number:
                    if lane == top and number >= half:
                        number -= 2 * half  # the highest lane has the word's sign
                    word += number * units[lane]
            view[place] = word
            place += 1
