"""The points of three cards in Dotter: a table by guess and ranks, computed once.

The rules are in page.md, "What three cards are worth". The board knows who scores the cards, and halves
points for another player's cards at last (board.py).
"""

from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Final, NamedTuple

from quadrille.rules.arrays import filled
from quadrille.rules.ints import i64, vec

#: Ranks: A 1, 2…10, J 11, Q 12, K 13. A joker has none of its own.
JOKER: Final = 0
ACE: Final = 1
KING: Final = 13
ACE_HIGH: Final = 14
RANKS: Final = 14
#: Hands of a guess in the table of points.
HANDS: Final = RANKS * RANKS * RANKS

#: The possible guesses of a score, in canonical order; the last one only as an option.
NO_GUESS: Final = 0
DOUBLE: Final = 1
TRIPLE: Final = 2
DIFFERENCE: Final = 3
QUOTIENT: Final = 4
NOTHING: Final = 5
GUESSES: Final = 6
#: The kinds of hand. Of two that are worth the same, the story names the first.
KINDS: Final = (TRIPLE, DOUBLE, DIFFERENCE, QUOTIENT, NOTHING)


def place(guess: i64, one: i64, two: i64, three: i64) -> i64:
    """Return the index in the table of `points` of that guess with these ranks, in any order."""
    return ((guess * RANKS + one) * RANKS + two) * RANKS + three


@cache
def points() -> vec[i64]:
    """Compute the points of every guess with every three ranks, by `place`."""
    made = filled(GUESSES * HANDS, 0)
    for low, middle, high in combinations_with_replacement(range(RANKS), 3):
        for guess in range(GUESSES):
            worth = best(guess, low, middle, high).points
            if guess != NO_GUESS:
                # "Right: twice the points of the hand guessed." "incorrect, so … scores by the lowest card"
                worth = 2 * worth if worth else lowest(low, middle, high)
            for one, two, three in permutations((low, middle, high)):
                made[place(guess, one, two, three)] = worth
    return made


def lowest(*ranks: int) -> int:
    """Return the points of a wrong guess: "with a wrong guess the lowest natural card counts." """
    return min([rank for rank in ranks if rank != JOKER] or [KING])


class Hand(NamedTuple):
    """The value of three cards, not yet doubled: 0 if they are no hand of the kind. The `ranks` are in their order."""

    points: int
    kind: int
    ranks: tuple[int, int, int]


@cache
def best(guess: int, low: int, middle: int, high: int) -> Hand:
    """Return the best hand of that guess, or of any kind without a guess, that three ascending ranks make."""
    if guess == NO_GUESS:
        return max([best(kind, low, middle, high) for kind in KINDS], key=_points)
    if low == JOKER:
        # "Jokers are wild: each stands for the rank that gives most points."
        hands = [best(guess, *sorted((rank, middle, high))) for rank in range(ACE, RANKS)]
        return max(hands, key=_points)
    if guess == DOUBLE:
        # "It's multiplicity is 2 (appears twice), so this hand scores 3 * 2". The ace counts 14 in a series only.
        points = 2 * middle if (low == middle) != (middle == high) else 0
    elif guess == TRIPLE:
        # "It's multiplicity is 3 (appears thrice), so this hand scores 11 * 3"
        points = 3 * low if low == high else 0
    elif guess == NOTHING:
        # "the ace is simply another card of nothing. The highest card is therefore the 4"
        points = 0 if any(best(kind, low, middle, high).points for kind in KINDS[:-1]) else high
    else:
        # "the ace is the highest in the series of difference 4. So the hand scores 10 + 14"
        if low == ACE and series(guess, middle, high, ACE_HIGH):
            return Hand(high + ACE_HIGH, guess, (middle, high, ACE_HIGH))
        # "would score 7 + 9"
        points = middle + high if series(guess, low, middle, high) else 0
    return Hand(points, guess, (low, middle, high))


def _points(hand: Hand) -> int:
    return hand.points


def series(guess: int, low: int, middle: int, high: int) -> bool:
    """Return whether the difference, or the quotient, is the same "between adjacent cards"."""
    if guess == DIFFERENCE:
        return middle - low == high - middle
    return middle * middle == low * high
