"""Numbers of Dotter: of its table, of moves, and of the steps of a turn.

A move is DRAW, or a number made of a player, two or three ascending slots and a guess: their order is the canonical
order of moves. A slot is 3 times the row's number before its player, plus the card's place in the row.
"""

from typing import Final

from quadrille.rules.arrays import array
from quadrille.rules.boards._dotter import hands
from quadrille.rules.ints import i64, vec

#: In `DotterBoard.seen`, in place of a bit for each seat that has looked: turned up for all, and out of its slot.
PUBLIC: Final = -1
#: Maximum seats, rows in a round, and slots before a player.
SEATS: Final = 6
ROWS: Final = 18
SLOTS: Final = 3 * ROWS

DRAW: Final = 0
PEEKS: Final = 1
SCORES: Final = PEEKS + SEATS * SLOTS * SLOTS

#: The first steps of a turn; from PLAYERS on come the players, then the slots, then the guesses.
TO_DRAW: Final = 0
TO_PEEK: Final = 1
TO_SCORE: Final = 2
PLAYERS: Final = 3
#: Steps of a peek and of a score, slots among them.
PEEK_STEPS: Final = 4
SCORE_STEPS: Final = 6


def peek_code(player: i64, one: i64, two: i64) -> i64:
    """The number of the peek at two ascending slots of a player."""
    return PEEKS + (player * SLOTS + one) * SLOTS + two


def score_code(player: i64, one: i64, two: i64, three: i64, guess: i64) -> i64:
    """The number of the score of three ascending slots of a player."""
    return SCORES + (((player * SLOTS + one) * SLOTS + two) * SLOTS + three) * hands.GUESSES + guess


def score_of(player: i64, one: i64, two: i64, three: i64, guess: i64) -> i64:
    """The number of the score of three slots of a player, in any order."""
    low = min(one, min(two, three))
    high = max(one, max(two, three))
    return score_code(player, low, one + two + three - low - high, high, guess)


def player_of(code: i64) -> i64:
    """The owner of the cards of a peek or a score."""
    if code < SCORES:
        return (code - PEEKS) // (SLOTS * SLOTS)
    return (code - SCORES) // (SLOTS * SLOTS * SLOTS * hands.GUESSES)


def slot_of(code: i64, card: i64) -> i64:
    """The slot of a peek's or a score's card, counted from 0, ascending."""
    if code < SCORES:
        code -= PEEKS
        return code // SLOTS % SLOTS if card == 0 else code % SLOTS
    code = (code - SCORES) // hands.GUESSES
    if card == 0:
        return code // (SLOTS * SLOTS) % SLOTS
    return code // SLOTS % SLOTS if card == 1 else code % SLOTS


def cards_of(code: i64) -> i64:
    """Number of slots in a move."""
    return 0 if code == DRAW else 2 if code < SCORES else 3


def slots_of(code: i64) -> vec[i64]:
    """The two slots of a peek or the three of a score, ascending."""
    return array([slot_of(code, card) for card in range(cards_of(code))])


def guess_of(code: i64) -> i64:
    """The guess of a score."""
    return (code - SCORES) % hands.GUESSES
