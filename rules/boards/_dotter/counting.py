"""Expected points of three cards of Dotter, some of them unseen: by a table for any game, or by counting cards.

hands.py has the points of three cards that are known. rules/boards/dotter.py decides when counting is worth the time.
"""

from functools import cache
from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.boards._dotter import hands
from quadrille.rules.ints import i64, vec

#: In place of a rank: a card that the mover has not seen.
UNSEEN: Final = hands.RANKS
#: Hands of a guess in the table of points.
HANDS: Final = hands.RANKS * hands.RANKS * hands.RANKS
#: Number of kinds of card: the ranks, and a card that the mover has not seen.
KINDS: Final = hands.RANKS + 1
#: Expected points are counted in parts of 16, times the number of guesses, plus the guess.
PARTS: Final = 16


@cache
def outlook(guesses: i64) -> vec[i64]:
    """For every three kinds of card the expected points with the best guess: PARTS x points x GUESSES + guess."""
    worth = hands.points()
    best = filled(KINDS * KINDS * KINDS, 0)
    sums = filled(KINDS * KINDS * KINDS, 0)
    for guess in range(guesses):
        # an unseen card counts the average of its ranks, so seen cards come first
        for unseen in range(4):
            for place in range(KINDS * KINDS * KINDS):
                one = place // (KINDS * KINDS)
                two = place // KINDS % KINDS
                three = place % KINDS
                if (one == UNSEEN) + (two == UNSEEN) + (three == UNSEEN) != unseen:
                    continue
                if unseen == 0:
                    sums[place] = PARTS * worth[hands.place(guess, one, two, three)]
                else:
                    step: i64 = KINDS * KINDS if one == UNSEEN else KINDS if two == UNSEEN else 1
                    total: i64 = 0
                    for rank in range(hands.RANKS):
                        # two jokers to four of each rank
                        total += (2 if rank == hands.JOKER else 4) * sums[place - step * (UNSEEN - rank)]
                    sums[place] = total // 54
                code = sums[place] * hands.GUESSES + guess
                if code > best[place]:
                    best[place] = code
    return best


class CardCount:
    """The cards that the mover has not seen: `left` of each rank.

    `kinds` are the cards of the score in question, unseen ones last; `sums` has for each guess the points added up over
    all ways in which these can fall.
    """

    __slots__ = ("guesses", "kinds", "known", "left", "sums", "worth")

    left: vec[i64]
    kinds: vec[i64]
    sums: vec[i64]

    def __init__(self, ranks: vec[i64], known: vec[i64], guesses: i64) -> None:
        """`ranks` of the pile's faces; `known` is the rank of the card at each position, or UNSEEN."""
        self.known = known
        self.guesses = guesses
        self.worth = hands.points()
        self.left = filled(hands.RANKS, 0)
        self.kinds = filled(3, 0)
        self.sums = filled(hands.GUESSES, 0)
        for rank in ranks:
            self.left[rank] += 1
        for kind in known:
            if kind != UNSEEN:
                self.left[kind] -= 1

    def best_guess(self, one: i64, two: i64, three: i64) -> i64:
        """The guess with the highest expected points for the cards at these positions; the first of equals."""
        kinds = self.kinds
        kinds[0] = self.known[one]
        for card in range(1, 3):
            kind = self.known[two if card == 1 else three]
            place = card
            while place > 0 and kinds[place - 1] == UNSEEN and kind != UNSEEN:
                kinds[place] = UNSEEN
                place -= 1
            kinds[place] = kind
        sums = self.sums
        for guess in range(self.guesses):
            sums[guess] = 0
        self.fall(0, 0, 1, 0, 0)
        best: i64 = 0
        for guess in range(1, self.guesses):
            if sums[guess] > sums[best]:
                best = guess
        return best

    def fall(self, card: i64, place: i64, ways: i64, rank: i64, run: i64) -> None:
        """Add up the points of all ways in which the cards from `card` on can fall, unseen ones by ascending ranks.

        The cards before it make that `place` in that many `ways`; the last `run` of them were unseen ones of `rank`.
        """
        if card == 3:
            for guess in range(self.guesses):
                self.sums[guess] += ways * self.worth[guess * HANDS + place]
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
