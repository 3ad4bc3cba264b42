"""The points of three cards in Dotter: a table by guess and ranks, computed once.

The rules are in rules/pages/dotter.md, "What three cards are worth". The board knows who scores the cards, and halves
points for another player's cards at last (rules/boards/dotter.py).
"""

from functools import cache
from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.ints import i64, vec

#: Ranks: A 1, 2…10, J 11, Q 12, K 13. A joker has none of its own.
JOKER: Final = 0
ACE: Final = 1
KING: Final = 13
ACE_HIGH: Final = 14
RANKS: Final = 14

#: The possible guesses of a score, in canonical order; the last one only as an option.
NO_GUESS: Final = 0
DOUBLE: Final = 1
TRIPLE: Final = 2
DIFFERENCE: Final = 3
QUOTIENT: Final = 4
NOTHING: Final = 5
GUESSES: Final = 6


def place(guess: i64, one: i64, two: i64, three: i64) -> i64:
    """The index in the table of `points` of that guess with these ranks, in any order."""
    return ((guess * RANKS + one) * RANKS + two) * RANKS + three


@cache
def points() -> vec[i64]:
    """The points of every guess with every three ranks, by `place`."""
    best = filled(GUESSES * RANKS * RANKS * RANKS, 0)
    # A joker's value in a hand is looked up, so hands with fewer jokers come first.
    for jokers in range(4):
        for low in range(RANKS):
            for middle in range(low, RANKS):
                for high in range(middle, RANKS):
                    if (low == JOKER) + (middle == JOKER) + (high == JOKER) == jokers:
                        for guess in range(GUESSES):
                            spread(best, guess, low, middle, high)
    made = filled(len(best), 0)
    for at in range(len(best)):
        made[at] = worth(best, at)
    return made


def spread(made: vec[i64], guess: i64, low: i64, middle: i64, high: i64) -> None:
    """Write the points of the best hand of that kind to all orders of these ranks; a joker is the lowest."""
    best = natural(guess, low, middle, high) if low != JOKER else 0
    if low == JOKER:
        # "Jokers are wild: each stands for the rank that gives most points."
        for rank in range(ACE, RANKS):
            best = max(best, made[place(guess, rank, middle, high)])
    made[place(guess, low, middle, high)] = best
    made[place(guess, low, high, middle)] = best
    made[place(guess, middle, low, high)] = best
    made[place(guess, middle, high, low)] = best
    made[place(guess, high, low, middle)] = best
    made[place(guess, high, middle, low)] = best


def natural(guess: i64, low: i64, middle: i64, high: i64) -> i64:
    """The points of a hand of that kind, not yet doubled; 0 if these three, sorted upwards, are none."""
    if guess == DOUBLE:
        # "exactly two of a rank: rank x 2". The ace counts 14 in a series only.
        return 2 * middle if (low == middle) != (middle == high) else 0
    if guess == TRIPLE:
        # "three of a rank: rank x 3"
        return 3 * low if low == high else 0
    if guess == DIFFERENCE or guess == QUOTIENT:
        # "the sum of the two highest"; "An ace may count 14 as the one highest card of a series"
        best = middle + high if series(guess, low, middle, high) else 0
        if low == ACE and series(guess, middle, high, ACE_HIGH):
            best = max(best, high + ACE_HIGH)
        return best
    best = 0
    for kind in range(DOUBLE, NOTHING):
        best = max(best, natural(kind, low, middle, high))
    if best == 0:
        # "nothing: none of these: the highest card (an ace is 1)"
        return high
    return best if guess == NO_GUESS else 0


def series(guess: i64, low: i64, middle: i64, high: i64) -> bool:
    """ "sorted upwards, the two differences are equal, or the two quotients are (exactly, as fractions)" """
    if guess == DIFFERENCE:
        return middle - low == high - middle
    return middle * middle == low * high


def worth(made: vec[i64], at: i64) -> i64:
    """ "Right: twice the points of the hand guessed. Wrong: the lowest card's rank", the lowest natural one's."""
    guess = at // (RANKS * RANKS * RANKS)
    if guess == NO_GUESS:
        return made[at]
    if made[at]:
        return 2 * made[at]
    lowest = KING
    for _ in range(3):
        rank = at % RANKS
        at //= RANKS
        if rank != JOKER and rank < lowest:
            lowest = rank
    return lowest
