"""The steps of a turn of Dotter: the action, the player, the slots, the guess. A move of the board is a whole turn.

See table.py for the numbers of moves, docs/protocols/search.md, "Steps", for those of steps.
"""

from typing import Final

from quadrille.rules.board import UNKNOWN
from quadrille.rules.boards._dotter.moves import DotterList
from quadrille.rules.boards._dotter.table import DRAW, SLOTS, peek_code, score_code
from quadrille.rules.ints import i64, mypyc_attr, vec

#: The first steps; from PLAYERS on come the players, then the slots, then the guesses.
DRAWS: Final = 0
PEEKS: Final = 1
SCORES: Final = 2
PLAYERS: Final = 3
#: Steps of a peek and of a score, slots among them.
PEEK_STEPS: Final = 4
SCORE_STEPS: Final = 6


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterTurns(DotterList):
    """A table that lists the steps of its moves."""

    __slots__ = ()

    def next_steps(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The steps that can follow, ascending; 0 after a whole turn."""
        moves = self.moves
        if count == 0:
            return self.first_steps()
        kind = made[first]
        if kind == DRAWS:
            return 0
        if count == 1:
            return self.players(kind)
        slots = count - 2
        if slots < (2 if kind == PEEKS else 3):
            return self.next_slots(made, first, count)
        if kind == PEEKS or slots > 3:
            return 0
        for guess in range(self.guesses):
            moves[guess] = PLAYERS + self.seats + SLOTS + guess
        return self.guesses

    def first_steps(self) -> i64:
        """To draw while the pile serves; to peek or to score where a player has the cards for it."""
        peeks = self.players(PEEKS) > 0
        scores = self.players(SCORES) > 0
        moves = self.moves
        count: i64 = 0
        if self.serves():
            moves[0] = DRAWS
            count = 1
        if peeks:
            moves[count] = PEEKS
            count += 1
        if scores:
            moves[count] = SCORES
            count += 1
        return count

    def players(self, kind: i64) -> i64:
        """The players with enough cards: for a peek two, one of them new to the mover, for a score three."""
        count: i64 = 0
        for player in range(self.seats):
            down = self.look_over(player)
            if down > 2 if kind == SCORES else (down > 1 and self.new_ones(down) > 0):
                self.moves[count] = PLAYERS + player
                count += 1
        return count

    def next_slots(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The slots after the last one, if enough are left after each of them."""
        below = PLAYERS + self.seats
        kind = made[first]
        wanted = (2 if kind == PEEKS else 3) - (count - 2)
        down = self.look_over(made[first + 1] - PLAYERS)
        slots = self.slots
        fresh = self.fresh
        last: i64 = made[first + count - 1] - below if count > 2 else -1
        last_fresh: i64 = 0
        later: i64 = 0
        for place in range(down):
            if slots[place] == last:
                last_fresh = fresh[place]
            if slots[place] > last:
                later += fresh[place]
        found: i64 = 0
        for place in range(down):
            slot = slots[place]
            if slot <= last or down - place < wanted:
                continue
            # a peek shows the mover something new: its first card is new or has a new one after it
            if kind == SCORES or last_fresh or fresh[place] or (wanted == 2 and later > 0):
                self.moves[found] = below + slot
                found += 1
            later -= fresh[place]
        return found

    def move_of(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The board's number of a whole turn."""
        kind = made[first]
        if kind == DRAWS:
            return DRAW
        if count < (PEEK_STEPS if kind == PEEKS else SCORE_STEPS):
            return UNKNOWN
        player = made[first + 1] - PLAYERS
        below = PLAYERS + self.seats
        one = made[first + 2] - below
        two = made[first + 3] - below
        if kind == PEEKS:
            return peek_code(player, one, two)
        return score_code(player, one, two, made[first + 4] - below, made[first + 5] - below - SLOTS)
