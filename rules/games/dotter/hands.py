"""The points of three cards in Dotter: a table by guess and ranks, computed once.

The rules are in page.md, "What three cards are worth". The board knows who scores the cards, and halves
points for another player's cards at last (board.py).
"""

from functools import cache
from itertools import permutations
from typing import Final

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


def place(guess: i64, one: i64, two: i64, three: i64) -> i64:
    """Return the index in the table of `points` of that guess with these ranks, in any order."""
    return ((guess * RANKS + one) * RANKS + two) * RANKS + three


@cache
def points() -> vec[i64]:
    """Compute the points of every guess with every three ranks, by `place`."""
    made = filled(GUESSES * HANDS, 0)
    for guess in range(GUESSES):
        for low in range(RANKS):
            for middle in range(low, RANKS):
                for high in range(middle, RANKS):
                    worth = best(guess, low, middle, high)
                    if guess != NO_GUESS:
                        # "Right: twice the points of the hand guessed." "incorrect, so … scores by the lowest card"
                        worth = 2 * worth if worth else lowest(low, middle, high)
                    for one, two, three in permutations((low, middle, high)):
                        made[place(guess, one, two, three)] = worth
    return made


def lowest(low: i64, middle: i64, high: i64) -> i64:
    """Return the points of a wrong guess: "with a wrong guess the lowest natural card counts." """
    return min([rank for rank in (low, middle, high) if rank != JOKER] or [KING])


@cache
def best(guess: i64, low: i64, middle: i64, high: i64) -> i64:
    """Return the points of the best hand of that kind, not yet doubled, that three ascending ranks make; 0 for none."""
    if low != JOKER:
        return natural(guess, low, middle, high)
    # "Jokers are wild: each stands for the rank that gives most points."
    most: i64 = 0
    for rank in range(ACE, RANKS):
        one, two, three = sorted((rank, middle, high))
        most = max(most, best(guess, one, two, three))
    return most


def natural(guess: i64, low: i64, middle: i64, high: i64) -> i64:
    """Return the points of a hand of that kind, not yet doubled; 0 if these three, sorted upwards, are none."""
    if guess == DOUBLE:
        # "It's multiplicity is 2 (appears twice), so this hand scores 3 * 2". The ace counts 14 in a series only.
        return 2 * middle if (low == middle) != (middle == high) else 0
    if guess == TRIPLE:
        # "It's multiplicity is 3 (appears thrice), so this hand scores 11 * 3"
        return 3 * low if low == high else 0
    if guess == DIFFERENCE or guess == QUOTIENT:
        # "would score 7 + 9"; "the ace is the highest in the series of difference 4. So the hand scores 10 + 14"
        points: i64 = middle + high if series(guess, low, middle, high) else 0
        if low == ACE and series(guess, middle, high, ACE_HIGH):
            points = max(points, high + ACE_HIGH)
        return points
    points = 0
    for kind in range(DOUBLE, NOTHING):
        points = max(points, natural(kind, low, middle, high))
    if points == 0:
        # "the ace is simply another card of nothing. The highest card is therefore the 4"
        return high
    return points if guess == NO_GUESS else 0


def series(guess: i64, low: i64, middle: i64, high: i64) -> bool:
    """Return whether the difference, or the quotient, is the same "between adjacent cards"."""
    if guess == DIFFERENCE:
        return middle - low == high - middle
    return middle * middle == low * high
