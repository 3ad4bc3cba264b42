"""The faces of Coin Isolation for a learned evaluation: squares by coins and by the turns to them, and a few counts.

A pawn comes to a square in as many turns as the paths to it need while all other pawns stand still. The specification
is in the documents of the extra `lab`. Positions are in rules/boards/coin_isolation.py.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, fill, filled
from quadrille.rules.board import CHANCE
from quadrille.rules.boards._coin.paths import Paths
from quadrille.rules.boards._coin.steps import CoinSteps
from quadrille.rules.boards._coin.terms import COINS, END, NONE, ROW, STAGE, TURN, WALK, CoinTerms
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
class CoinOutlook(CoinSteps):
    """A position that a learned evaluation judges."""

    __slots__ = ("areas", "edge", "reached", "turns")

    #: For each seat and square the turns to it, 0 for never; room for the search of them; squares in reach by seat.
    turns: vec[i64]
    reached: vec[i64]
    edge: vec[i64]
    areas: vec[i64]

    def __init__(self, seats: i64, terms: CoinTerms) -> None:
        super().__init__(seats, terms)
        self.make_room()

    def make_room(self) -> None:
        """Arrays for the search of distances; nothing in them is part of the position."""
        cells = self.terms.cells
        self.turns = filled(self.seats * cells, 0)
        self.reached = filled(cells, 0)
        self.edge = filled(cells, 0)
        self.areas = filled(self.seats, 0)

    def copy(self) -> Self:
        """The same position, nothing to take back."""
        twin = super().copy()
        twin.make_room()
        return twin

    # Distances

    def find_turns(self, seat: i64) -> None:
        """Write the turns to each square for that seat, turn by turn from where its pawn is."""
        mine = seat * self.terms.cells
        fill(self.turns, mine, self.terms.cells, 0)
        fill(self.reached, 0, self.terms.cells, 0)
        count: i64 = 0
        if self.at[self.pawn + seat] != NONE or self.at[self.side + seat] != NONE:
            count = self.spread(self.starts(seat), COINS, 1, mine, 0)
        done: i64 = 0
        while done < count:
            q = self.edge[done]
            done += 1
            count = self.spread(ROW * q, COINS, self.turns[mine + q] + 1, mine, count)
        self.areas[seat] = count

    def spread(self, place: i64, kinds: i64, turn: i64, mine: i64, count: i64) -> i64:
        """Reach all squares of the paths over these kinds that go on in a row of `near`; new ones go to `edge`."""
        near = self.terms.near
        at = self.at
        ways = self.ways
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
                count = self.spread(ROW * q, fresh, turn, mine, count)
            place += 1
            q = near[place]
        return count

    # Faces for patterns

    def sheet(self) -> vec[i64]:
        """Single squares of a board of any size; no window is larger, because distances say what lies between."""
        terms = self.terms
        return array((terms.width, terms.height, terms.height, 0, 1 + 2 * PERIODS * LOOKS, 0, 1, 1))

    def side_counts(self) -> vec[i64]:
        """Exits of both pawns, and squares in reach of both: each with whose turn it is, and whether they can meet."""
        return array((1 + 4 * EXITS * EXITS, 1 + 4 * AREAS * AREAS))

    def earned(self, seat: i64) -> i64:
        """The cents of a seat."""
        return self.cents(seat)

    def sure(self) -> i64:
        """Half of what is usual in a whole game."""
        return SURE

    def stage(self) -> i64:
        """The turn, while it is early."""
        return min(self.plies, STAGES - 1)

    def stages(self) -> i64:
        """The turns with weights of their own."""
        return STAGES

    def heap(self, q: i64) -> i64:
        """The kind of the pile on a square, from 1; 0 without coins."""
        types = self.types(q)
        if types == 0:
            return 0
        best: i64 = 3 if types & 8 else 2 if types & 4 else 1 if types & 2 else 0
        return 3 * best + min(self.pile(q), 3)

    def period(self) -> i64:
        """The part of the game that this turn belongs to."""
        return min(self.plies // (PERIOD * self.seats), PERIODS - 1)

    def see_all(self) -> None:
        """Tell the patterns all that they see of this position between two turns."""
        patterns = self.patterns
        assert patterns is not None
        for seat in range(self.seats):
            self.find_turns(seat)
        cells = self.terms.cells
        for seat in range(self.seats):
            first = 2 * self.period() + (1 if self.turn == seat else 0)
            self.see_squares(seat, 1 + first * LOOKS)
            meets = 0
            other = self.nearest(seat)
            for q in range(cells):
                if self.turns[seat * cells + q] and self.turns[other * cells + q]:
                    meets = 1
                    break
            known = 2 * meets + (1 if self.turn == seat else 0)
            exits = EXITS * min(self.exits(seat), EXITS - 1) + min(self.exits(other), EXITS - 1)
            patterns.see(seat, cells, 1 + known * EXITS * EXITS + exits)
            areas = AREAS * area(self.areas[seat]) + area(self.areas[other])
            patterns.see(seat, cells + 1, 1 + known * AREAS * AREAS + areas)

    def nearest(self, seat: i64) -> i64:
        """The other seat with the largest area."""
        found: i64 = NONE
        for other in range(self.seats):
            if other != seat and (found == NONE or self.areas[other] > self.areas[found]):
                found = other
        return found

    def see_squares(self, seat: i64, first: i64) -> None:
        """Tell a seat's patterns the face of each square; `first` is that of one penny next to both pawns."""
        patterns = self.patterns
        assert patterns is not None
        cells = self.terms.cells
        turns = self.turns
        for q in range(cells):
            way = self.at[self.ways + q]
            face: i64 = 0
            if way & COINS:
                least: i64 = 0
                for other in range(self.seats):
                    if other != seat:
                        there = turns[other * cells + q]
                        if there and (least == 0 or there < least):
                            least = there
                near = nearness(turns[seat * cells + q])
                face = first + ((self.heap(q) - 1) * NEARNESSES + near) * NEARNESSES + nearness(least)
            elif way == 0:
                face = first + APART + self.heap(q)
                if self.at[self.pawn + seat] != q:
                    face += UNDER
            patterns.see(seat, q, face)

    def renew(self, square: i64) -> None:
        """All is seen anew at each look: one turn changes distances all over the board."""

    def look(self) -> None:
        """Write what each seat can expect; in the middle of a turn, as if it ended the shortest way."""
        if self.at[STAGE] > TURN and not self.ended:
            made = self.finish()
            self.look()
            for _ in range(made):
                self.undo()
            return
        if not self.ended:
            self.see_all()
        super().look()

    def finish(self) -> i64:
        """End the turn: a path with its last square, and with the last choice of each clause; return the steps made.

        `moves` stays as it is.
        """
        listed = self.moves
        plies = self.plies
        made: i64 = 0
        while self.plies == plies:
            step = self.first + END
            if self.at[STAGE] != WALK:
                self.moves = listed[:]
                step = self.moves[self.legal() - 1]
            self.apply(step)
            made += 1
        self.moves = listed
        return made

    # The best turn at sight

    def foremost(self) -> vec[i64]:
        """The steps of the turn after which the mover expects the largest lead, of at most PATHS paths."""
        if self.turn == CHANCE or self.ended:
            return filled(0, 0)
        patterns = self.patterns
        assert patterns is not None
        seat = self.turn
        best = filled(0, 0)
        highest: i64 = 0
        count = self.legal()
        steps = self.moves[:count]
        renegade = self.at[self.renegades + seat] == 1
        for i in range(count):
            if steps[i] >= self.first or renegade:
                self.look_after(steps[i])
                lead = patterns.lead(seat)
                if len(best) == 0 or lead > highest:
                    highest = lead
                    best = steps[i : i + 1]
        if self.at[STAGE] == TURN and not renegade and steps[0] < self.first:
            walk = Paths(self)
            tried: i64 = 0
            while tried < PATHS and walk.go_on():
                tried += 1
                length = walk.length
                for i in range(length):
                    self.apply(walk.path[i])
                self.look()
                for _ in range(length):
                    self.undo()
                lead = patterns.lead(seat)
                if len(best) == 0 or lead > highest:
                    highest = lead
                    best = walk.path[:length]
        return self.completed(best)

    def completed(self, begun: vec[i64]) -> vec[i64]:
        """These steps and those that complete the turn: each the best at sight, and no more squares of a path."""
        patterns = self.patterns
        assert patterns is not None
        seat = self.turn
        plies = self.plies
        whole = filled(len(begun) + 4 + 2 * self.terms.cells, 0)
        made: i64 = 0
        for step in begun:
            self.apply(step)
            whole[made] = step
            made += 1
        while self.plies == plies:
            count = self.legal()
            chosen = self.moves[count - 1]
            if self.at[STAGE] != WALK and count > 1:
                steps = self.moves[:count]
                highest: i64 = 0
                for i in range(count):
                    self.look_after(steps[i])
                    lead = patterns.lead(seat)
                    if i == 0 or lead > highest:
                        highest = lead
                        chosen = steps[i]
            self.apply(chosen)
            whole[made] = chosen
            made += 1
        for _ in range(made):
            self.undo()
        return whole[:made]
