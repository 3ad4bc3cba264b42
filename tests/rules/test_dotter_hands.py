"""Dotter: what three cards are worth, by every worked example of the rules and once more as a whole."""

from itertools import product

import pytest

from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter import hands
from tests.naive.dotter import RANKS, points
from tests.rules.dotter_table import deck, pegged, play, start
from tests.rules.table import refusal, texts


def scored(cards: str, guess: str = "", *, whose: int = 1, hole: int = 0, **options: int) -> int:
    """What player 1's peg moves by for three cards of that player, and that the other peg stays."""
    state = start(**options)
    row = deck(cards, options.get("jokers", 2))
    state = play(state, row, "draw") if whose == 1 else play(state, row, "draw", "peek p1 1a 1b")
    state = pegged(state, [hole, 0], turn=0 if whose == 1 else 1)
    mover = state.board.turn
    state = play(state, row, f"score p1 1a 1b 1c {guess}")
    holes, best = state.board.by_seat(rules.HOLE), state.board.by_seat(rules.BEST)
    assert holes[1 - mover] == (0 if mover == 0 else hole)
    assert best[mover] == holes[mover] - (hole if mover == 0 else 0)
    return best[mover]


@pytest.mark.parametrize(
    ("guess", "hands"),
    [
        ("", {"5 7 9": 16, "A 3 9": 12, "3 Q 3": 6, "J J J": 33, "A A K": 2, "6 10 A": 24, "3 4 A": 4, "3 4 8": 8}),
        # "exactly, as fractions: 4,6,9 counts"
        ("", {"4 6 9": 15}),
        ("quotient", {"9 4 6": 30, "5 7 9": 5, "2 4 8": 24, "J J J": 44, "2 2 4": 2, "A JK1 JK2": 24}),
        ("difference", {"4 6 9": 4, "5 7 9": 32, "J J J": 44, "J J 3": 3, "Q K JK1": 54}),
        # "An ace may count 14 as the one highest card of a series", and nowhere else
        ("", {"Q K A": 27, "A 2 3": 5, "A A A": 3, "A 3 K": 13}),
        ("difference", {"Q K A": 54, "A A A": 4}),
        # three of a rank "are no double"; a pair is no triple and no series
        ("double", {"3 3 8": 12, "Q K A": 1, "J J J": 11, "J J JK2": 44, "K JK1 JK2": 52}),
        ("triple", {"J J J": 66, "J J 3": 3, "3 4 8": 3, "J J JK1": 66, "A 8 JK1": 1}),
        # jokers are wild
        ("", {"Q K JK1": 27, "J J JK1": 33, "K JK1 JK2": 39}),
        ("nothing", {"3 4 8": 16, "5 7 9": 5, "Q K JK1": 26, "8 8 JK1": 8, "K JK1 JK2": 26}),
    ],
)
def test_points_of_three_cards(guess: str, hands: dict[str, int]) -> None:
    for cards, worth in hands.items():
        assert scored(cards, guess, guess_nothing=guess == "nothing") == worth, cards


def test_nothing_can_be_guessed_where_it_is_an_option() -> None:
    state = play(start(), deck("3 4 8"), "draw")
    assert "guess_nothing is off" in refusal(state, "score p1 1a 1b 1c nothing")
    assert "score p1 1a 1b 1c nothing" not in texts(state)


@pytest.mark.slow
def test_the_whole_table_of_points_is_what_the_rules_say() -> None:
    names = ("", "double", "triple", "difference", "quotient", "nothing")
    texts, table = ["JK1", *(f"{rank}S" for rank in sorted(RANKS, key=RANKS.__getitem__))], hands.points()
    for cards in product(range(14), repeat=3):
        if any(cards):
            for number, guess in enumerate(names):
                worth = points([texts[card] for card in cards], guess)
                assert table[hands.place(number, *cards)] == worth, (cards, guess)


@pytest.mark.parametrize(
    ("cards", "guess", "half"),
    [("5 7 9", "", 8), ("Q K A", "", 13), ("Q K A", "double", 0), ("3 3 8", "double", 6)],
)
def test_points_from_another_players_cards_are_halved_last_and_rounded_down(cards: str, guess: str, half: int) -> None:
    assert scored(cards, guess, whose=2) == half
    assert scored(cards, guess) // 2 == half
