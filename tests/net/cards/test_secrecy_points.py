"""The points of two deals that differ in cards which somebody may not know satisfy the same equations.

What is compared, and why, is said in test_secrecy.py.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any, Final

import pytest

from quadrille.net.cards.deck import Deck, new_deck
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import ORDER, card_points, scalar
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.core.hashing import short
from tests.net.cards.stub import STUB

# What the points of a deck tell to somebody who can only add points and compare them. Each is written as a polynomial
# in the secrets of the seats that are not `known`; a card's own point is a variable too, as nobody knows its
# logarithm. Two transcripts whose points satisfy the same linear equations can't be told apart in such a group (the
# generic group, where the decisional Diffie-Hellman problem is hard). That the polynomials are those of the program
# is seen by putting the secrets in: they come to the very bytes that the program said.

GID: Final = b"a small deck...."
CARDS: Final = 6
SEATS: Final = 3
#: A polynomial: how often there is each product of secrets; the empty product is 1.
Polynomial = dict[tuple[str, ...], int]
ONE: Final[Polynomial] = {(): 1}


def plus(*terms: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for term in terms:
        for product, times in term.items():
            total[product] = (total.get(product, 0) + times) % ORDER
    return {product: times for product, times in total.items() if times}


def by(one: Polynomial, other: Polynomial) -> Polynomial:
    return plus(*({tuple(sorted((*p, *q))): m * n % ORDER} for p, m in one.items() for q, n in other.items()))


def valued(polynomial: Polynomial, secrets: dict[str, int]) -> int:
    total = 0
    for product, times in polynomial.items():
        for name in product:
            times = times * secrets[name] % ORDER
        total += times
    return total % ORDER


#: "look", the seat, the slots; or "open", and the slots. `textbook` looks are not blinded.
Step = tuple[Any, ...]
Orders = tuple[tuple[int, ...], ...]


def all_secrets() -> list[SeatSecrets]:
    return [SeatSecrets(STUB, GID, seat, bytes([seat + 1]) * 32) for seat in range(SEATS)]


@dataclass
class Said:
    """What the program says in a small game, and all secrets behind it. Points have names."""

    orders: Orders
    steps: Sequence[Step]
    points: dict[str, bytes] = field(default_factory=dict)
    secrets: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.checker = ProofChecker(STUB)
        self.all_secrets = all_secrets()
        deck = new_deck(GID, CARDS, tuple(range(SEATS)))
        for value in range(CARDS):
            self.secrets[f"m{value}"] = STUB.read(card_points(STUB)[value])
        for seat, own in enumerate(self.all_secrets):
            key, proof = own.answer(deck, b"")
            deck = deck.take(self.checker, key, proof)
            self.points[f"X{seat}"], self.secrets[f"x{seat}"] = key, scalar(own.secret(0))
        deck = deck.begin(self.checker, "pile", range(CARDS), range(CARDS))
        for seat in range(SEATS):
            deck = self.shuffle(deck, seat)
        for number, step in enumerate(self.steps):
            deck = self.look(deck, number, *step[1:]) if step[0] == "look" else self.open(deck, number, step[1])

    def shuffle(self, deck: Deck, seat: int) -> Deck:
        own = self.all_secrets[seat]
        draws = own._draws("shuf").with_(deck.shuffle_context(seat))
        draws.permutation(CARDS)
        for place in range(CARDS):
            self.secrets[f"r{seat}.{place}"] = draws.scalar()
        with pytest.MonkeyPatch.context() as patch:
            order = self.orders[seat]
            really = Draws.permutation

            def chosen(draws: Draws, length: int) -> list[int]:
                really(draws, length)
                return list(order)

            patch.setattr(Draws, "permutation", chosen)
            cards, proof = own.answer(deck, b"")
        for place in range(2 * CARDS):
            self.points[f"card{seat}.{place}"] = cards[32 * place : 32 * place + 32]
        return deck.take(self.checker, cards, proof)

    def look(self, deck: Deck, number: int, seat: int, slots: tuple[int, ...]) -> Deck:
        before = short("before", bytes([number]))
        deck = deck.ask_look(seat, slots)
        points, proofs = self.all_secrets[seat].answer(deck, before)
        for place, slot in enumerate(slots):
            self.points[f"U{number}.{slot}"] = points[32 * place : 32 * place + 32]
            self.secrets[f"s{number}.{slot}"] = self.all_secrets[seat]._blind(before, slot)
        deck = deck.take(self.checker, points, proofs, before, short("id", bytes([number])))
        return self.shares(deck, number)

    def open(self, deck: Deck, number: int, slots: tuple[int, ...]) -> Deck:
        deck = self.shares(deck.ask_open(short("id", bytes([number])), slots), number)
        return deck.open(self.checker)[0]

    def shares(self, deck: Deck, number: int) -> Deck:
        while (due := deck.due) is not None:
            shares, proof = self.all_secrets[due.seat].answer(deck, b"")
            for place, slot in enumerate(deck.asked.slots):
                self.points[f"D{number}.{due.seat}.{slot}"] = shares[32 * place : 32 * place + 32]
            deck = deck.take(self.checker, shares, proof)
        return deck


def known_to(said: Said, seats: Collection[int]) -> dict[str, int]:
    """The secrets of those seats: keys (x), what they blinded cards with (r) and looks (s)."""
    own = {f"x{seat}" for seat in seats} | {f"r{seat}.{place}" for seat in seats for place in range(CARDS)}
    own |= {name for name in said.secrets if name[0] == "s" and said.steps[int(name[1:].split(".")[0])][1] in seats}
    return {name: number for name, number in said.secrets.items() if name in own}


def written(
    orders: Orders, steps: Sequence[Step], known: dict[str, int], *, textbook: bool = False
) -> dict[str, Polynomial]:
    """The points of a game as polynomials in the secrets that are not known; and before them G and the cards.

    `textbook`: shares of looks are of the cards themselves, as in the scheme without blinding.
    """

    def secret(name: str) -> Polynomial:
        return {(): known[name]} if name in known else {(name,): 1}

    x = [secret(f"x{seat}") for seat in range(SEATS)]
    joint = plus(*x)
    found = {"G": ONE, **{f"X{seat}": own for seat, own in enumerate(x)}}
    cards = []
    for value in range(CARDS):
        found[f"M{value}"] = {(f"m{value}",): 1}
        cards.append((ONE, plus(found[f"M{value}"], joint)))
    for seat, order in enumerate(orders):
        r = [secret(f"r{seat}.{place}") for place in range(CARDS)]
        cards = [(plus(cards[j][0], r[j]), plus(cards[j][1], by(r[j], joint))) for j in order]
        for place, half in enumerate(half for card in cards for half in card):
            found[f"card{seat}.{place}"] = half
    for number, step in enumerate(steps):
        looker, slots = (step[1], step[2]) if step[0] == "look" else (None, step[1])
        for slot in slots:
            point = cards[slot][0]
            if looker is not None and not textbook:
                point = found[f"U{number}.{slot}"] = plus(point, secret(f"s{number}.{slot}"))
            for seat in range(SEATS):
                if seat != looker:
                    found[f"D{number}.{seat}.{slot}"] = by(x[seat], point)
    return found


def equations(points: dict[str, Polynomial]) -> list[dict[int, int]]:
    """What linear equations hold between the points: the matrix that has a row for each product and a column for each
    point, in the one reduced form that there is. Two matrices of the same form have the same kernel, and no others do.
    """
    done: list[dict[int, int]] = []
    for product in sorted({product for polynomial in points.values() for product in polynomial}):
        row = {place: there[product] for place, there in enumerate(points.values()) if product in there}
        for other in done:
            row = _added(row, other, -row.get(min(other), 0))
        if row:
            row = _added({}, row, pow(row[min(row)], -1, ORDER))
            done = [_added(other, row, -other.get(min(row), 0)) for other in done] + [row]
    return sorted(done, key=min)


def _added(one: dict[int, int], other: dict[int, int], times: int) -> dict[int, int]:
    total = {place: (one.get(place, 0) + times * other.get(place, 0)) % ORDER for place in (*one, *other)}
    return {place: n for place, n in total.items() if n}


ORDERS: Final[Orders] = ((3, 1, 5, 0, 2, 4), (2, 0, 1, 5, 4, 3), (4, 5, 3, 1, 0, 2))
#: Seats 1 and 2 look at the same two cards; seat 0 at two others, one of them of those; one is turned up.
STEPS: Final = (("look", 1, (0, 1)), ("look", 2, (0, 1)), ("look", 0, (2,)), ("look", 0, (0,)), ("open", (3,)))
OBSERVERS: Final = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]


def with_exchanged(orders: Orders, seat: int, slots: tuple[int, int]) -> Orders:
    """The orders with which two cards at the end are exchanged, and it is that seat that lays them otherwise."""
    one, other = slots
    for later in reversed(orders[seat + 1 :]):
        one, other = later[one], later[other]
    order = list(orders[seat])
    order[one], order[other] = order[other], order[one]
    return (*orders[:seat], tuple(order), *orders[seat + 1 :])


def seen_by(seats: tuple[int, ...]) -> set[int]:
    """The slots whose cards those seats know."""
    looked = [
        step[2] if step[0] == "look" and step[1] in seats else step[1] if step[0] == "open" else () for step in STEPS
    ]
    return {slot for slots in looked for slot in slots}


@cache
def said(orders: Orders) -> Said:
    return Said(orders, STEPS)


def both(observers: tuple[int, ...], slots: tuple[int, int], *, textbook: bool = False) -> list[Any]:
    """The equations in the game as it was, and in that with two cards exchanged by the last seat that is not known."""
    stranger = max(set(range(SEATS)) - set(observers))
    known = known_to(said(ORDERS), observers)
    orders = (ORDERS, with_exchanged(ORDERS, stranger, slots))
    return [equations(written(each, STEPS, known, textbook=textbook)) for each in orders]


@pytest.mark.first(1)
@pytest.mark.parametrize("observers", OBSERVERS)
def test_points_satisfy_the_same_equations_whatever_a_seat_may_not_know(observers: tuple[int, ...]) -> None:
    hidden = set(range(CARDS)) - seen_by(observers)
    assert len(hidden) >= 2
    for slots in combinations(sorted(hidden), 2):
        here, there = both(observers, slots)
        assert here == there, slots


def test_points_satisfy_others_where_looks_are_not_blinded() -> None:
    """Two looks at the same card, of the textbook: even who only looks on can tell (slots 0 and 1)."""
    for slots in ((0, 4), (1, 5), (0, 1)):
        here, there = both((), slots, textbook=True)
        assert here != there
    here, there = both((), (4, 5), textbook=True)
    assert here == there


def test_the_polynomials_are_those_of_the_program() -> None:
    """Put the secrets in, and they come to its very bytes; in both deals, and whoever knows what."""
    for orders in (ORDERS, with_exchanged(ORDERS, 2, (4, 5)), with_exchanged(ORDERS, 1, (0, 3))):
        game = said(orders)
        for observers in OBSERVERS:
            found = written(orders, STEPS, known_to(game, observers))
            assert found.keys() == {"G", *(f"M{value}" for value in range(CARDS)), *game.points}
            for name, point in game.points.items():
                assert STUB.write(valued(found[name], game.secrets)) == point
