"""What is learned of Coin Isolation: squares by coins and by the turns to them, and a few counts.

A pawn comes to a square in as many turns as the paths to it need while all other pawns stand still. The specification
is extras/lab/docs/learned.md, "Coin Isolation".
"""

from typing import Final

from quadrille.extras.lab.engine.sums import Patterns
from quadrille.rules.arrays import array, fill, filled
from quadrille.rules.board import CHANCE, Board
from quadrille.rules.boards._coin.terms import COINS, END, NONE, ROW, STAGE, TURN, WALK
from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.ints import i64, mypyc_attr, vec

#: Kinds of distance: 1, 2, 3, 4, 5 or 6, and more turns, and squares that the pawn never comes to.
NEARNESSES: Final = 7
NEVER: Final = 6
#: Kinds of pile: the best coin, and one, two or more coins.
HEAPS: Final = 12
#: Faces of a pile by both distances, and of the squares under the own pawn and another.
APART: Final = HEAPS * NEARNESSES * NEARNESSES
UNDER: Final = HEAPS + 1
LOOKS: Final = APART + 2 * UNDER
#: Periods of a game, and turns of one seat in each.
PERIODS: Final = 4
PERIOD: Final = 5
#: Maximum exits, and kinds of number of squares in reach, of the two side counts.
EXITS: Final = 5
AREAS: Final = 9
#: Maximum paths of a turn that are looked at.
PATHS: Final = 400
#: Number of turns with weights of their own.
STAGES: Final = 64
#: The lead in cents that is as good as won.
SURE: Final = 50


def nearness(turns: i64) -> i64:
    """The kind of a distance of so many turns; 0 turns: never."""
    if turns == 0:
        return NEVER
    return turns - 1 if turns < 5 else 4 if turns < 7 else 5


def area(squares: i64) -> i64:
    """The kind of a number of squares in reach, finer for small ones."""
    if squares < 4:
        return squares
    return 4 if squares < 6 else 5 if squares < 10 else 6 if squares < 16 else 7 if squares < 28 else 8


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinPatterns(Patterns):
    """Single squares, and two counts."""

    __slots__ = ("areas", "edge", "reached", "turns")

    #: For each seat and square the turns to it, 0 for never; room for the search of them; squares in reach by seat.
    turns: vec[i64]
    reached: vec[i64]
    edge: vec[i64]
    areas: vec[i64]

    def fit(
        self, seats: i64, span: i64, links: vec[i64], starts: vec[i64], slots: vec[i64], beats: i64, weights: vec[i64]
    ) -> None:
        """With room for the search of distances; nothing in it is part of the position."""
        super().fit(seats, span, links, starts, slots, beats, weights)
        cells = self.squares - len(self.side_counts())
        self.turns = filled(seats * cells, 0)
        self.reached = filled(cells, 0)
        self.edge = filled(cells, 0)
        self.areas = filled(seats, 0)

    def find_turns(self, board: CoinBoard, seat: i64) -> None:
        """Write the turns to each square for that seat, turn by turn from where its pawn is."""
        mine = seat * board.terms.cells
        fill(self.turns, mine, board.terms.cells, 0)
        fill(self.reached, 0, board.terms.cells, 0)
        count: i64 = 0
        if board.at[board.pawn + seat] != NONE or board.at[board.side + seat] != NONE:
            count = self.spread(board, board.starts(seat), COINS, 1, mine, 0)
        done: i64 = 0
        while done < count:
            q = self.edge[done]
            done += 1
            count = self.spread(board, ROW * q, COINS, self.turns[mine + q] + 1, mine, count)
        self.areas[seat] = count

    def spread(self, board: CoinBoard, place: i64, kinds: i64, turn: i64, mine: i64, count: i64) -> i64:
        """Reach all squares of the paths over these kinds that go on in a row of `near`; new ones go to `edge`."""
        near = board.terms.near
        at = board.at
        ways = board.ways
        reached = self.reached
        q = near[place]
        while q >= 0:
            fresh = at[ways + q] & kinds & ~reached[q]
            if fresh:
                if reached[q] == 0:
                    self.turns[mine + q] = turn
                    self.edge[count] = q
                    count += 1
                reached[q] |= fresh
                count = self.spread(board, ROW * q, fresh, turn, mine, count)
            place += 1
            q = near[place]
        return count

    # Faces for patterns

    def sheet(self, given: Board) -> vec[i64]:
        """Single squares of a board of any size; no window is larger, because distances say what lies between."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        terms = board.terms
        return array((terms.width, terms.height, terms.height, 0, 1 + 2 * PERIODS * LOOKS, 0, 1, 1))

    def side_counts(self) -> vec[i64]:
        """Exits of both pawns, and squares in reach of both: each with whose turn it is, and whether they can meet."""
        return array((1 + 4 * EXITS * EXITS, 1 + 4 * AREAS * AREAS))

    def earned(self, given: Board, seat: i64) -> i64:
        """The cents of a seat."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        return board.cents(seat)

    def sure(self) -> i64:
        """Half of what is usual in a whole game."""
        return SURE

    def stage(self, given: Board) -> i64:
        """The turn, while it is early."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        return min(board.plies, STAGES - 1)

    def stages(self) -> i64:
        """The turns with weights of their own."""
        return STAGES

    def heap(self, board: CoinBoard, q: i64) -> i64:
        """The kind of the pile on a square, from 1; 0 without coins."""
        types = board.types(q)
        if types == 0:
            return 0
        best: i64 = 3 if types & 8 else 2 if types & 4 else 1 if types & 2 else 0
        return 3 * best + min(board.pile(q), 3)

    def period(self, board: CoinBoard) -> i64:
        """The part of the game that this turn belongs to."""
        return min(board.plies // (PERIOD * board.seats), PERIODS - 1)

    def see_all(self, board: CoinBoard) -> None:
        """Tell the patterns all that they see of this position between two turns."""
        for seat in range(board.seats):
            self.find_turns(board, seat)
        cells = board.terms.cells
        for seat in range(board.seats):
            first = 2 * self.period(board) + (1 if board.turn == seat else 0)
            self.see_squares(board, seat, 1 + first * LOOKS)
            meets = 0
            other = self.nearest(board, seat)
            for q in range(cells):
                if self.turns[seat * cells + q] and self.turns[other * cells + q]:
                    meets = 1
                    break
            known = 2 * meets + (1 if board.turn == seat else 0)
            exits = EXITS * min(board.exits(seat), EXITS - 1) + min(board.exits(other), EXITS - 1)
            self.see(seat, cells, 1 + known * EXITS * EXITS + exits)
            areas = AREAS * area(self.areas[seat]) + area(self.areas[other])
            self.see(seat, cells + 1, 1 + known * AREAS * AREAS + areas)

    def nearest(self, board: CoinBoard, seat: i64) -> i64:
        """The other seat with the largest area."""
        found: i64 = NONE
        for other in range(board.seats):
            if other != seat and (found == NONE or self.areas[other] > self.areas[found]):
                found = other
        return found

    def see_squares(self, board: CoinBoard, seat: i64, first: i64) -> None:
        """Tell a seat's patterns the face of each square; `first` is that of one penny next to both pawns."""
        cells = board.terms.cells
        turns = self.turns
        for q in range(cells):
            way = board.at[board.ways + q]
            face: i64 = 0
            if way & COINS:
                least: i64 = 0
                for other in range(board.seats):
                    if other != seat:
                        there = turns[other * cells + q]
                        if there and (least == 0 or there < least):
                            least = there
                near = nearness(turns[seat * cells + q])
                face = first + ((self.heap(board, q) - 1) * NEARNESSES + near) * NEARNESSES + nearness(least)
            elif way == 0:
                face = first + APART + self.heap(board, q)
                if board.at[board.pawn + seat] != q:
                    face += UNDER
            self.see(seat, q, face)

    def renew(self, given: Board, square: i64) -> None:
        """All is seen anew at each look: one turn changes distances all over the board."""

    def look(self, given: Board) -> None:
        """Write what each seat can expect; in the middle of a turn, as if it ended the shortest way."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        if board.at[STAGE] > TURN and not board.ended:
            made = self.finish(board)
            self.look(board)
            for _ in range(made):
                board.undo()
            return
        if not board.ended:
            self.see_all(board)
        super().look(board)

    def finish(self, board: CoinBoard) -> i64:
        """End the turn: a path with its last square, and with the last choice of each clause; return the steps made.

        `moves` stays as it is.
        """
        listed = board.moves
        plies = board.plies
        made: i64 = 0
        while board.plies == plies:
            step = board.first + END
            if board.at[STAGE] != WALK:
                board.moves = listed[:]
                step = board.moves[board.legal() - 1]
            board.apply(step)
            made += 1
        board.moves = listed
        return made

    # The best turn at sight

    def foremost(self, given: Board) -> vec[i64]:
        """The steps of the turn after which the mover expects the largest lead, of at most PATHS paths."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        if board.turn == CHANCE or board.ended:
            return filled(0, 0)
        seat = board.turn
        best = filled(0, 0)
        highest: i64 = 0
        count = board.legal()
        steps = board.moves[:count]
        renegade = board.at[board.renegades + seat] == 1
        for i in range(count):
            if steps[i] >= board.first or renegade:
                self.look_after(board, steps[i])
                lead = self.lead(seat)
                if len(best) == 0 or lead > highest:
                    highest = lead
                    best = steps[i : i + 1]
        if board.at[STAGE] == TURN and not renegade and steps[0] < board.first:
            walk = board.paths()
            tried: i64 = 0
            while tried < PATHS and walk.go_on():
                tried += 1
                length = walk.length
                for i in range(length):
                    board.apply(walk.path[i])
                self.look(board)
                for _ in range(length):
                    board.undo()
                lead = self.lead(seat)
                if len(best) == 0 or lead > highest:
                    highest = lead
                    best = walk.path[:length]
        return self.completed(board, best)

    def completed(self, board: CoinBoard, begun: vec[i64]) -> vec[i64]:
        """These steps and those that complete the turn: each the best at sight, and no more squares of a path."""
        seat = board.turn
        plies = board.plies
        whole = filled(len(begun) + 4 + 2 * board.terms.cells, 0)
        made: i64 = 0
        for step in begun:
            board.apply(step)
            whole[made] = step
            made += 1
        while board.plies == plies:
            count = board.legal()
            chosen = board.moves[count - 1]
            if board.at[STAGE] != WALK and count > 1:
                steps = board.moves[:count]
                highest: i64 = 0
                for i in range(count):
                    self.look_after(board, steps[i])
                    lead = self.lead(seat)
                    if i == 0 or lead > highest:
                        highest = lead
                        chosen = steps[i]
            board.apply(chosen)
            whole[made] = chosen
            made += 1
        for _ in range(made):
            board.undo()
        return whole[:made]
