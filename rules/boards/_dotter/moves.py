"""The legal moves of Dotter: listed, counted, and found by number without a list, because there can be more than
100,000.

See table.py for the table, and rules/boards/dotter.py for the effect of a move.
"""

from quadrille.rules.arrays import filled
from quadrille.rules.board import CHANCE, UNKNOWN
from quadrille.rules.boards._dotter.table import (
    DRAW,
    PUBLIC,
    ROWS,
    SCORES,
    TOP,
    DotterTable,
    cards_of,
    guess_of,
    peek_code,
    player_of,
    score_code,
    slot_of,
)
from quadrille.rules.ints import i64, mypyc_attr


def pairs(count: i64) -> i64:
    """Number of pairs out of `count`."""
    return count * (count - 1) // 2


def triples(count: i64) -> i64:
    """Number of triples out of `count`."""
    return count * (count - 1) * (count - 2) // 6


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterList(DotterTable):
    """A table that knows its legal moves."""

    __slots__ = ()

    def legal(self) -> i64:
        """List all moves, in canonical order; at CHANCE the faces that the owed card may have."""
        if self.ended:
            return 0
        if self.turn == CHANCE:
            return self.list_faces()
        total = self.count()
        if total > len(self.moves):
            self.moves = filled(2 * total, 0)
        count: i64 = 0
        if self.serves():
            self.moves[0] = DRAW
            count = 1
        for player in range(self.seats):
            count = self.list_peeks(player, count)
        for player in range(self.seats):
            count = self.list_scores(player, count)
        return count

    def unseen(self) -> i64:
        """The faces that the board's owner has not seen in this round, as bits."""
        bits: i64 = (TOP >> (62 - len(self.faces))) - 1
        for face in self.faces:
            if face != UNKNOWN:
                bits &= ~(TOP >> (62 - face))
        return bits

    def list_faces(self) -> i64:
        """The face itself if it is known, else every face that has not been seen elsewhere in this round."""
        moves = self.moves
        face = self.faces[self.owed()]
        if face != UNKNOWN:
            moves[0] = face
            return 1
        bits = self.unseen()
        count: i64 = 0
        face = 0
        while bits:
            if bits & 1:
                moves[count] = face
                count += 1
            bits >>= 1
            face += 1
        return count

    def list_peeks(self, player: i64, count: i64) -> i64:
        """ "looks at two face-down cards of one player"; "at least one … must be a card … not seen" """
        moves = self.moves
        slots = self.slots
        fresh = self.fresh
        down = self.look_over(player)
        for one in range(down):
            for two in range(one + 1, down):
                if fresh[one] or fresh[two]:
                    moves[count] = peek_code(player, slots[one], slots[two])
                    count += 1
        return count

    def list_scores(self, player: i64, count: i64) -> i64:
        """ "three face-down cards of one player", with every guess and without."""
        moves = self.moves
        slots = self.slots
        down = self.look_over(player)
        for one in range(down):
            for two in range(one + 1, down):
                for three in range(two + 1, down):
                    code = score_code(player, slots[one], slots[two], slots[three], 0)
                    for guess in range(self.guesses):
                        moves[count] = code + guess
                        count += 1
        return count

    def count(self) -> i64:
        """Number of moves that `legal` would list for a seat's turn. Writes to no array."""
        total: i64 = 1 if self.serves() else 0
        seen = self.seen
        rows = self.rows
        mover = self.mover
        for player in range(self.seats):
            down: i64 = 0
            known: i64 = 0
            first = ROWS * player
            for place in range(first, first + self.drawn[player]):
                at = rows[place]
                for card in range(at, at + 3):
                    mask = seen[card]
                    if mask != PUBLIC:
                        down += 1
                        known += mask >> mover & 1
            if down:
                total += pairs(down) - pairs(known) + triples(down) * self.guesses
        return total

    def nth(self, number: i64) -> i64:
        """The move of that number (from 0) in the list for a seat's turn, without listing the others."""
        if self.serves():
            if number == 0:
                return DRAW
            number -= 1
        for player in range(self.seats):
            down = self.look_over(player)
            count = pairs(down) - pairs(down - self.new_ones(down))
            if number < count:
                return self.nth_peek(player, down, number)
            number -= count
        for player in range(self.seats):
            down = self.look_over(player)
            count = triples(down) * self.guesses
            if number < count:
                return self.nth_score(player, down, number)
            number -= count
        raise IndexError("there are not that many moves")

    def nth_peek(self, player: i64, down: i64, number: i64) -> i64:
        """The peek of that number among those at this player's cards, after `look_over`."""
        slots = self.slots
        fresh = self.fresh
        later = self.new_ones(down)
        for one in range(down):
            # a card seen already goes with the later ones that are new, a new one with all that are later
            later -= fresh[one]
            partners = down - one - 1 if fresh[one] else later
            if number < partners:
                for two in range(one + 1, down):
                    if fresh[one] or fresh[two]:
                        if number == 0:
                            return peek_code(player, slots[one], slots[two])
                        number -= 1
            number -= partners
        raise IndexError("there are not that many peeks")

    def nth_score(self, player: i64, down: i64, number: i64) -> i64:
        """The score of that number among those of this player's cards, after `look_over`."""
        slots = self.slots
        guess = number % self.guesses
        number //= self.guesses
        one: i64 = 0
        later = down - 1
        while number >= pairs(later):
            number -= pairs(later)
            one += 1
            later -= 1
        two = one + 1
        later -= 1
        while number >= later:
            number -= later
            two += 1
            later -= 1
        return score_code(player, slots[one], slots[two], slots[two + 1 + number], guess)

    def has(self, code: i64) -> bool:
        """Whether `legal` would list this move for a seat's turn."""
        if code == DRAW:
            return self.serves()
        player = player_of(code)
        fresh = False
        for card in range(cards_of(code)):
            slot = slot_of(code, card)
            if slot >= 3 * self.drawn[player]:
                return False
            mask = self.seen[self.position(player, slot)]
            if mask == PUBLIC:
                return False
            if mask >> self.mover & 1 == 0:
                fresh = True
        return fresh if code < SCORES else guess_of(code) < self.guesses
