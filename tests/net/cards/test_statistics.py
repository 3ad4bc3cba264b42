"""One honest seat is enough: whatever order the others lay the cards in, every card comes to every place as often.

Deals are on numbers for points (tests/net/cards/stub.py); the honest seat shuffles by its real program, the others hand
on the cards in the order they came in, under other blinds. The seeds are fixed, and so is the outcome.
"""

from math import sqrt
from typing import Final

import pytest

from quadrille.net.cards.deck import Deck, new_deck
from quadrille.net.cards.group import CARDS, ORDER, card_points, scalar
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.core.hashing import short
from tests.net.cards.stub import STUB

SEATS: Final = 3
CHECKER: Final = ProofChecker(STUB, believes=True)
#: How far from what is expected, in standard deviations: a fair shuffle is once in 30,000 outcomes.
FAR: Final = 4


def dealt(name: bytes, honest: int) -> list[int]:
    """The cards in their places after one deal, in which that seat alone shuffles."""
    gid = short("deal", name)[:16]
    all_secrets = [SeatSecrets(STUB, gid, seat, short("seat", bytes([seat]))) for seat in range(SEATS)]
    deck = new_deck(gid, CARDS, tuple(range(SEATS)))
    for own in all_secrets:
        deck = deck.take(CHECKER, *own.answer(deck, b""))
    deck = deck.begin(CHECKER, "pile", range(CARDS), range(CARDS))
    for seat, own in enumerate(all_secrets):
        said = own.answer(deck, b"") if seat == honest else (handed_on(deck, 1 + seat), b"")
        deck = deck.take(CHECKER, *said)
    x = sum(scalar(own.secret(0)) for own in all_secrets) % ORDER
    return opened(deck, x)


def handed_on(deck: Deck, blind: int) -> bytes:
    """All cards in the order they came in."""
    assert deck.shuffling is not None
    G, H = STUB.base(blind), STUB.times(blind, deck.joint)  # noqa: N806
    return b"".join(STUB.plus(a, G) + STUB.plus(b, H) for a, b in deck.shuffling.cards)


def opened(deck: Deck, x: int) -> list[int]:
    values = {point: value for value, point in enumerate(card_points(STUB))}
    return [values[STUB.minus(b, STUB.times(x, a))] for a, b in (deck.cards[slot] for slot in range(CARDS))]


def places(deals: list[list[int]]) -> float:
    """How often each card came to each place: chi-square, in standard deviations.

    Each row and each column of the table has as many in it as there were deals.
    """
    counts = [[0] * CARDS for _ in range(CARDS)]
    for cards in deals:
        for place, value in enumerate(cards):
            counts[value][place] += 1
    expected, freedom = len(deals) / CARDS, (CARDS - 1) ** 2
    assert expected >= 5, "too few deals to say anything"
    chi = sum((count - expected) ** 2 for row in counts for count in row) / expected
    return (chi - freedom) / sqrt(2 * freedom)


@pytest.mark.slow
def test_one_honest_seat_shuffles_for_all() -> None:
    """The honest seat is the first, the next, the last in turn."""
    deals = [dealt(str(number).encode(), number % SEATS) for number in range(300)]
    assert all(sorted(cards) == list(range(CARDS)) for cards in deals)
    assert abs(places(deals)) < FAR


def test_without_an_honest_seat_nothing_is_shuffled() -> None:
    assert dealt(b"", SEATS) == list(range(CARDS))
