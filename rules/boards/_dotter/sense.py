"""Heuristics of a player of Dotter: expected points of three cards, promising moves, a move at sight.

All of it uses only what the mover has looked at. See rules/boards/dotter.py for the effect of a move, and hands.py
for the points of three cards.
"""

from functools import cache
from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import UNKNOWN
from quadrille.rules.boards._dotter import hands
from quadrille.rules.boards._dotter.counting import UNSEEN, CardCount
from quadrille.rules.boards._dotter.table import DRAW, DotterTable, peek_code, score_code
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, vec

#: Number of kinds of card: the ranks, and a card that the mover has not seen.
KINDS: Final = hands.RANKS + 1
#: Expected points are counted in parts of 16, times the number of guesses, plus the guess.
PARTS: Final = 16
#: Maximum cards of one player that are evaluated together, those seen by the mover first; and maximum unseen ones.
CARDS: Final = 9
BLANKS: Final = 3
#: Maximum scores of one player's cards that are promising.
SCORES_KEPT: Final = 3
#: At sight, a random move is made once in this many turns.
WHIM: Final = 10
#: At sight, a player who counts cards does so when at most this many are left in the round.
COUNTED: Final = 9


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


def survey(table: DotterTable, player: i64, slots: vec[i64], kinds: vec[i64]) -> i64:
    """Write a player's cards face down, those seen by the mover first: their slots and kinds; return their number."""
    down = table.look_over(player)
    count: i64 = 0
    for i in range(down):
        if table.fresh[i] == 0 and count < CARDS - BLANKS:
            face = table.faces[table.position(player, table.slots[i])]
            slots[count] = table.slots[i]
            kinds[count] = UNSEEN if face == UNKNOWN else table.ranks[face]
            count += 1
    blanks: i64 = 0
    for i in range(down):
        if table.fresh[i] and blanks < BLANKS:
            slots[count] = table.slots[i]
            kinds[count] = UNSEEN
            count += 1
            blanks += 1
    return count


def best_scores(table: DotterTable, player: i64, kept: vec[i64]) -> i64:
    """Write the best scores of a player's cards to `kept`, value and move in turn, the best first; return their
    number.
    """
    slots = filled(CARDS, 0)
    kinds = filled(CARDS, 0)
    count = survey(table, player, slots, kinds)
    known = outlook(table.guesses)
    found: i64 = 0
    for one in range(count):
        for two in range(one + 1, count):
            for three in range(two + 1, count):
                code = known[(kinds[one] * KINDS + kinds[two]) * KINDS + kinds[three]]
                if found == SCORES_KEPT and code <= kept[2 * found - 2]:
                    continue
                if found < SCORES_KEPT:
                    found += 1
                place = found - 1
                while place and kept[2 * place - 2] < code:
                    kept[2 * place] = kept[2 * place - 2]
                    kept[2 * place + 1] = kept[2 * place - 1]
                    place -= 1
                kept[2 * place] = code
                kept[2 * place + 1] = score_of(player, slots[one], slots[two], slots[three], code % hands.GUESSES)
    if player != table.mover:
        for i in range(found):
            kept[2 * i] //= 2
    return found


def score_of(player: i64, one: i64, two: i64, three: i64, guess: i64) -> i64:
    """The number of the score of three slots of a player, in any order."""
    low = min(one, min(two, three))
    high = max(one, max(two, three))
    return score_code(player, low, one + two + three - low - high, high, guess)


def peek_at(table: DotterTable, player: i64, dice: Dice) -> i64:
    """A peek at two cards of a player that the mover has not seen, or at the last one; UNKNOWN if it has seen all."""
    down = table.look_over(player)
    fresh = table.new_ones(down)
    if fresh == 0:
        return UNKNOWN
    slots = table.slots
    chosen = dice.below(fresh)
    one: i64 = -1
    two: i64 = -1
    # two consecutive fresh ones, from a random place on
    for i in range(2 * down):
        at = i if i < down else i - down
        if table.fresh[at]:
            if chosen > 0:
                chosen -= 1
            elif one < 0:
                one = at
            elif at != one:
                two = at
                break
    if two < 0:
        two = one + 1 if one + 1 < down else one - 1
    return peek_code(player, slots[min(one, two)], slots[max(one, two)])


def worth_a_thought(table: DotterTable, dice: Dice) -> i64:
    """Write promising moves to `moves`: the draw, a peek or two at each player's cards, their best scores."""
    moves = table.moves
    kept = filled(2 * SCORES_KEPT, 0)
    unseen = CardCount(table) if table.counts else None
    count: i64 = 0
    if table.serves():
        moves[0] = DRAW
        count = 1
    for player in range(table.seats):
        peek = peek_at(table, player, dice)
        if peek >= 0:
            moves[count] = peek
            count += 1
        found = best_scores(table, player, kept)
        for i in range(found):
            score = kept[2 * i + 1]
            moves[count] = score if unseen is None else unseen.with_best_guess(score)
            count += 1
    return count


def move_at_sight(table: DotterTable, dice: Dice) -> i64:
    """The move of a player without lookahead: score any player's cards, or else take new ones.

    Otherwise the next player scores those cards, so it seldom pays to look at them first.
    """
    mover = table.mover
    kept = filled(2 * SCORES_KEPT, 0)
    best: i64 = UNKNOWN
    value: i64 = -1
    for player in range(table.seats):
        if best_scores(table, player, kept) and kept[0] > value:
            value = kept[0]
            best = kept[1]
    waits = table.hole[mover] == table.lap_points
    if best >= 0 and table.counts and len(table.ranks) - table.discarded <= COUNTED:
        best = CardCount(table).with_best_guess(best)
    if best >= 0 and not waits and dice.below(WHIM):
        return best
    peek = peek_at(table, mover, dice)
    if peek >= 0 and (dice.below(2) or not table.serves()):
        return peek
    return DRAW if table.serves() else best
