"""Counting cards in Dotter: which guess is the best one, by the cards that the mover has not seen.

It uses only what the mover knows: the cards turned up, and its own looks. sense.py decides when it is worth the time.
The points of three cards are in hands.py.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import UNKNOWN
from quadrille.rules.boards._dotter import hands
from quadrille.rules.boards._dotter.table import (
    PUBLIC,
    DotterTable,
    guess_of,
    player_of,
    slot_of,
)
from quadrille.rules.ints import i64, vec

#: In place of a rank: a card that the mover has not seen.
UNSEEN: Final = hands.RANKS
#: Hands of a guess in the table of points.
HANDS: Final = hands.RANKS * hands.RANKS * hands.RANKS


class CardCount:
    """The cards that a table's mover has not seen: `left` of each rank.

    `kinds` are the cards of the score in question, unseen ones last; `sums` has for each guess the points added up over
    all ways in which these can fall.
    """

    __slots__ = ("kinds", "left", "sums", "table")

    table: DotterTable
    left: vec[i64]
    kinds: vec[i64]
    sums: vec[i64]

    def __init__(self, table: DotterTable) -> None:
        self.table = table
        self.left = filled(hands.RANKS, 0)
        self.kinds = filled(3, 0)
        self.sums = filled(hands.GUESSES, 0)
        for face in range(len(table.ranks)):
            self.left[table.ranks[face]] += 1
        for position in range(len(table.faces)):
            kind = self.kind(position)
            if kind != UNSEEN:
                self.left[kind] -= 1

    def kind(self, position: i64) -> i64:
        """The rank of a card, if it is turned up or the mover has looked at it and this board knows it; else UNSEEN."""
        table = self.table
        face = table.faces[position]
        mask = table.seen[position]
        if face == UNKNOWN or (mask != PUBLIC and mask >> table.mover & 1 == 0):
            return UNSEEN
        return table.ranks[face]

    def with_best_guess(self, code: i64) -> i64:
        """The same score with the guess that most points can be expected of; the first of equals."""
        kinds = self.kinds
        for card in range(3):
            kind = self.kind(self.table.position(player_of(code), slot_of(code, card)))
            place = card
            while place > 0 and kinds[place - 1] == UNSEEN and kind != UNSEEN:
                kinds[place] = UNSEEN
                place -= 1
            kinds[place] = kind
        sums = self.sums
        for guess in range(self.table.guesses):
            sums[guess] = 0
        self.fall(0, 0, 1, 0, 0)
        best: i64 = 0
        for guess in range(1, self.table.guesses):
            if sums[guess] > sums[best]:
                best = guess
        return code - guess_of(code) + best

    def fall(self, card: i64, place: i64, ways: i64, rank: i64, run: i64) -> None:
        """Add up the points of all ways in which the cards from `card` on can fall, unseen ones by ascending ranks.

        The cards before it make that `place` in that many `ways`; the last `run` of them were unseen ones of `rank`.
        """
        if card == 3:
            for guess in range(self.table.guesses):
                self.sums[guess] += ways * self.table.worth[guess * HANDS + place]
            return
        kind = self.kinds[card]
        place *= hands.RANKS
        if kind != UNSEEN:
            self.fall(card + 1, place + kind, ways, rank, run)
            return
        for drawn in range(rank, hands.RANKS):
            left = self.left[drawn]
            if left:
                again = run + 1 if drawn == rank else 1
                self.left[drawn] = left - 1
                # k of n equal cards: n * (n - 1) * … / (1 * 2 * …)
                self.fall(card + 1, place + drawn, ways * left // again, drawn, again)
                self.left[drawn] = left
