"""The explanation of a score of Dotter: the hand that counted, the guess, the halving, and the moves of the pegs.

The board decides the points (board.py); here they are only explained. Rules for players:
page.md, "What three cards are worth" and "Laps".
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from quadrille.rules.core.talk import Consequence
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter import hands
from quadrille.rules.games.dotter.board import DotterBoard, guess_of
from quadrille.rules.games.dotter.moves import GUESS_NAMES, DotterMove

_NAMES: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_MANY: Final = (
    "", "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens",
    "kings",
)  # fmt: skip


def story(before: DotterBoard, move: DotterMove, ranks: Sequence[int], after: DotterBoard) -> tuple[Consequence, ...]:
    """Tell the effects of a score, by the ranks of its three cards."""
    mover, guess = before.at[rules.MOVER], guess_of(move.code)
    worth = before.terms.worth[hands.place(guess, *ranks)]
    is_own = move.player == mover
    points = worth if is_own else worth // 2
    where, halved = ("", "") if is_own else (" from {whose} row", ", halved")
    scored = Consequence(
        mover, "score", f"{points}{where}: {explained(guess, ranks)}{halved}", None if is_own else move.player
    )
    return (scored, *_moved_pegs(before, points, after))


def explained(guess: int, ranks: Sequence[int]) -> str:
    """Explain the points of three cards to the player who owns their row."""
    hand = hands.best(guess, *sorted(ranks))
    if hand.points == 0:
        return f"the lowest card, {_NAMES[hands.lowest(*ranks)]}, because the guess {GUESS_NAMES[guess]} is wrong"
    return _words(hand, ranks) + ("" if guess == hands.NO_GUESS else ", guessed right and doubled")


def _words(hand: hands.Hand, ranks: Sequence[int]) -> str:
    """Tell the cards in their order, and what they are; those of the jokers say what they stand for."""
    wild = Counter(map(_plain, hand.ranks)) - Counter(ranks)
    cards = []
    for rank in hand.ranks:
        is_wild = wild[_plain(rank)] > 0
        wild[_plain(rank)] -= is_wild
        cards.append(f"joker as {_NAMES[rank]}" if is_wild else _NAMES[rank])
    shown = ", ".join(cards)
    match hand.kind:
        case hands.DOUBLE:
            return f"{shown}, a pair of {_MANY[hand.ranks[1]]}"
        case hands.TRIPLE:
            return f"{shown}, three {_MANY[hand.ranks[1]]}"
        case hands.NOTHING:
            return f"{shown}, the highest card alone"
    return f"series {shown}"


def _plain(rank: int) -> int:
    return hands.ACE if rank == hands.ACE_HIGH else rank


def _moved_pegs(before: DotterBoard, points: int, after: DotterBoard) -> Iterator[Consequence]:
    """Tell the effects of a score on the pegs: the mover's, waiting ones, and all of them if a round ended with it."""
    mover, last = before.at[rules.MOVER], before.terms.lap_points
    if before.at[rules.HOLE + mover] == last:
        yield Consequence(mover, "lose", f"these points, because the peg waits on {last}")
    elif after.at[rules.LAPS + mover] > before.at[rules.LAPS + mover]:
        yield Consequence(mover, "complete", f"lap {after.at[rules.LAPS + mover]} of {before.terms.laps_wanted}")
    if not after.ended and after.at[rules.ROUND] > before.at[rules.ROUND]:
        yield from _between_rounds(before, points, after)
        return
    for seat in range(before.seats):
        if seat != mover and before.at[rules.HOLE + seat] == last and after.at[rules.HOLE + seat] == 0:
            yield Consequence(seat, "start", "the next lap from 0")


def _between_rounds(before: DotterBoard, points: int, after: DotterBoard) -> Iterator[Consequence]:
    """Tell what becomes of the pegs: "the players whose peg is furthest along the track keep their points, all others
    start … from 0".
    """
    last = before.terms.lap_points
    for seat, (hole, kept) in enumerate(zip(before.by_seat(rules.HOLE), after.by_seat(rules.HOLE), strict=True)):
        gained = points if seat == before.at[rules.MOVER] and hole != last else 0
        reached = min(last, hole + gained)
        if before.left[seat] or reached == 0:
            continue
        if kept:
            yield Consequence(seat, "keep", f"{kept} points for the next round: no peg is further along")
        elif reached == last:
            yield Consequence(seat, "start", "the next lap from 0 in the next round")
        else:
            yield Consequence(seat, "lose", f"{reached} points between the rounds: another peg is further along")
