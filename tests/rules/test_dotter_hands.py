"""Dotter: what three cards are worth, by every worked example of the rules and once more as a whole."""

from itertools import product

import pytest

from quadrille.rules.games.dotter import hands
from tests.naive.dotter import RANKS, points
from tests.rules.dotter_table import deck, pegged, play, start, texts
from tests.rules.table import refusal


def scored(cards: str, guess: str = "", *, whose: int = 1, hole: int = 0, **options: int) -> int:
    """What player 1's peg moves by for three cards of that player, and that the other peg stays."""
    state = start(**options)
    row = deck(cards, options.get("jokers", 2))
    state = play(state, row, "draw") if whose == 1 else play(state, row, "draw", "peek p1 1a 1b")
    state = pegged(state, [hole, 0], turn=0 if whose == 1 else 1)
    mover = state.board.turn
    state = play(state, row, f"score p1 1a 1b 1c {guess}")
    assert state.board.hole[1 - mover] == (0 if mover == 0 else hole)
    assert state.board.best[mover] == state.board.hole[mover] - (hole if mover == 0 else 0)
    return state.board.best[mover]


@pytest.mark.parametrize(
    ("cards", "guess", "points"),
    [
        ("5 7 9", "", 16),
        ("A 3 9", "", 12),
        ("3 Q 3", "", 6),
        ("J J J", "", 33),
        ("A A K", "", 2),
        ("6 10 A", "", 24),
        ("3 4 A", "", 4),
        ("3 3 8", "double", 12),
        ("Q K A", "double", 1),
        ("J J J", "quotient", 44),
        ("J J J", "difference", 44),
        ("J J J", "triple", 66),
        # "exactly, as fractions: 4,6,9 counts"
        ("4 6 9", "", 15),
        ("9 4 6", "quotient", 30),
        ("4 6 9", "difference", 4),
        ("5 7 9", "quotient", 5),
        ("5 7 9", "difference", 32),
        ("2 4 8", "quotient", 24),
        # "An ace may count 14 as the one highest card of a series", and nowhere else
        ("Q K A", "", 27),
        ("Q K A", "difference", 54),
        ("A 2 3", "", 5),
        ("A A A", "", 3),
        ("A A A", "difference", 4),
        ("A 3 K", "", 13),
        # three of a rank "are no double"; a pair is no triple and no series
        ("J J J", "double", 11),
        ("J J 3", "triple", 3),
        ("J J 3", "difference", 3),
        ("2 2 4", "quotient", 2),
        # nothing
        ("3 4 8", "", 8),
        ("3 4 8", "triple", 3),
    ],
)
def test_points_of_three_cards(cards: str, guess: str, points: int) -> None:
    assert scored(cards, guess) == points


@pytest.mark.parametrize(
    ("cards", "guess", "points"),
    [
        ("Q K JK1", "", 27),
        ("J J JK2", "double", 44),
        ("J J JK1", "triple", 66),
        ("J J JK1", "", 33),
        ("Q K JK1", "difference", 54),
        ("A 8 JK1", "triple", 1),
        ("K JK1 JK2", "", 39),
        ("K JK1 JK2", "double", 52),
        ("A JK1 JK2", "quotient", 24),
    ],
)
def test_jokers_are_wild(cards: str, guess: str, points: int) -> None:
    assert scored(cards, guess) == points


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("3 4 8", 16),
        ("5 7 9", 5),
        ("Q K JK1", 26),
        ("8 8 JK1", 8),
        ("K JK1 JK2", 26),
    ],
)
def test_nothing_can_be_guessed_where_it_is_an_option(cards: str, points: int) -> None:
    assert scored(cards, "nothing", guess_nothing=True) == points
    state = play(start(), deck(cards), "draw")
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
