"""Many games as their movers see them: observations kept up in buffers of 64-bit words.

An observer paints them (extras/lab/engine/observer.py), and after a step only what it changed where it knows that.
extras/lab/engine/rows.py steps the games.
"""

from typing import Final

from quadrille.extras.lab.engine.layout import BITS, STILL, lanes, one_byte
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import ONES, filled
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.ints import i64, mypyc_attr, vec

#: Bytes in a word.
WORD: Final = 8
#: Maximum steps of an unfinished turn that its board does not show.
MADE: Final = 64


@mypyc_attr(allow_interpreted_subclasses=True)
class Sights:
    """Games of one kind, a row of each buffer for each.

    `numbers` are the step numbers of the actions, `action_of` is its inverse. `made` has the steps of each game's
    unfinished turn where the board does not show it (`apart`).

    The observer paints on `sight`; `opening` has the row of the first position, if no chance comes before it. If a byte
    of each square is the whole of a packed row, the sight is packed; then planes are spread from it to `view`
    (`spreads`).
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
        "made",
        "made_counts",
        "marks",
        "numbers",
        "observer",
        "opening",
        "paints",
        "sight",
        "sight_words",
        "plane_words",
        "planes",
        "row_words",
        "seats",
        "spreads",
        "view",
    )

    boards: list[Board]
    first: Board
    observer: Observer
    opening: vec[i64]
    sight: Sight
    view: Sight

    def __init__(
        self,
        boards: list[Board],
        first: Board,
        observer: Observer,
        numbers: vec[i64],
        width: i64,
        *,
        apart: bool,
        big: bool,
        packed: bool,
    ) -> None:
        """`first` is the first position; `width` is that of an observation's numbers in bits, 0 for none; `packed` is
        their layout; `big` is the byte order of the machine.
        """
        games: i64 = len(boards)
        self.boards = boards
        self.first = first
        self.observer = observer
        self.games = games
        self.seats = first.seats
        self.numbers = numbers
        self.actions = len(numbers)
        self.apart = apart
        self.paints = width > 0
        self.opening = filled(0, 0)
        self.marks = lanes(WORD, big=big)
        most: i64 = 0
        for number in numbers:
            most = max(most, number)
        self.action_of = filled(most + 1, UNKNOWN)
        for action in range(self.actions):
            self.action_of[numbers[action]] = action
        self.made = filled(games * MADE if apart else 0, 0)
        self.made_counts = filled(games, 0)
        self.lay_out(width if width else WORD, big=big, packed=packed)

    def lay_out(self, width: i64, *, big: bool, packed: bool) -> None:
        """Make the layouts of rows.

        Where the board does not show the unfinished turn, a row is one row of numbers: those of the board, then how
        often each action was made in the turn, then 1 for the last one.
        """
        shape = self.observer.shape()
        packing = self.observer.packing()
        per_word = BITS // width
        self.planes = shape[0]
        self.cells = shape[1] * shape[2]
        self.plane_words = (self.cells + per_word - 1) // per_word
        stride = self.cells if self.apart else self.plane_words * per_word
        one = one_byte(packing) and width == WORD and not self.apart
        self.spreads = one and not packed and self.paints
        self.view = Sight(packing, self.cells, width, stride, big=big)
        self.sight = Sight(packing, self.cells, width, stride, packed=packed or one, big=big)
        self.sight_words = self.words_of(self.sight, per_word)
        self.row_words = self.words_of(self.view, per_word)
        self.bits = 0
        for kind in packing:
            self.bits += 0 if kind == STILL else 1

    def words_of(self, sight: Sight, per_word: i64) -> i64:
        """The words of a row, with the unfinished turn that the board does not show."""
        size = sight.size + (2 * self.actions if self.apart else 0)
        return (size + per_word - 1) // per_word

    def lend_sights(self, view: vec[i64], sight: vec[i64]) -> None:
        """The buffers to write to: planes spread from packed rows, and the rows that boards paint."""
        self.view.words = view
        self.sight.words = sight

    def turn(self, game: i64) -> vec[i64]:
        """The steps of a game's unfinished turn, if the board does not show it."""
        return self.made[game * MADE : game * MADE + self.made_counts[game]]

    # Observations

    def paint(self, game: i64) -> None:
        """Paint the whole sight of a game for the seat to move."""
        self.sight.first = game * self.sight_words
        self.sight.clear()
        self.paint_all(game, self.sight)

    def paint_opening(self, game: i64) -> None:
        """As `paint`, for a game whose first position is always the same."""
        words = self.sight.words
        place = game * self.sight_words
        for word in self.opening:
            words[place] = word
            place += 1

    def paint_all(self, game: i64, sight: Sight) -> None:
        """Paint what the seat to move sees on a sight that is clear."""
        board = self.boards[game]
        self.observer.paint(board, sight, board.turn)

    def repaint(self, game: i64, board: Board, move: i64) -> None:
        """Bring the sight of a game up to date after a move."""
        self.sight.first = game * self.sight_words
        self.observer.repaint(board, move, self.sight)

    def spread(self, game: i64) -> None:
        """Write the planes of a packed sight of a byte a square.

        A plane after the other, changed or not. Word by word, without words that had not changed, was measured to be
        slower: a step took 1.5 to 1.9 times as long.
        """
        sight = self.sight.words
        view = self.view.words
        words = self.sight_words
        first = game * words
        place = game * self.row_words
        for plane in range(self.bits):
            for word in range(first, first + words):
                view[place] = sight[word] >> plane & ONES
                place += 1

    def spread_all(self, game: i64) -> None:
        """Write all planes, even those that never change."""
        self.view.first = game * self.row_words
        self.paint_all(game, self.view)
        self.spread(game)

    def mark_turn(self, game: i64, action: i64) -> None:
        """Add the last action of an unfinished turn to the observation."""
        sight = self.sight
        counts = sight.size
        latest = counts + self.actions
        sight.first = game * self.sight_words
        last = game * MADE + self.made_counts[game] - 1
        count: i64 = 0
        for place in range(game * MADE, last + 1):
            count += 1 if self.action_of[self.made[place]] == action else 0
        if last > game * MADE:
            sight.set(latest + self.action_of[self.made[last - 1]], 0)
        sight.set(latest + action, 1)
        sight.set(counts + action, count)

    def unmark_turn(self, game: i64) -> None:
        """Take the actions of a turn off the observation."""
        sight = self.sight
        counts = sight.size
        sight.first = game * self.sight_words
        for place in range(game * MADE, game * MADE + self.made_counts[game]):
            action = self.action_of[self.made[place]]
            sight.set(counts + action, 0)
            sight.set(counts + self.actions + action, 0)
