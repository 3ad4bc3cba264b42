"""Attacks that must succeed against weaker decks than ours, by the same means that fail against ours: so the tests of
attacks test something.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import permutations, product
from typing import Final

import pytest

from quadrille.net.cards.deck import value_of
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, IDENTITY, ORDER, Group, card_points, scalar
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.cards.shuffle import Card, prove_shuffle
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import read_entry
from quadrille.net.game_log.log import Log, replayed
from tests.net.cards.by_hand import answer, before, cut, dotter, play, seat_secrets, serve, signed
from tests.net.cards.groups import BEST
from tests.net.cards.refused import deck_of, game

DRAWS: Final = Draws(bytes(range(32)), b"of a cheat", "anything")


def truth(log: Log, slot: int) -> int:
    """The card in a slot: what all seats together could tell."""
    deck = deck_of(log)
    x = sum(scalar(seat_secrets(log, seat).secret(deck.epoch)) for seat in deck.live) % ORDER
    a, b = deck.cards[slot]
    value = value_of(BEST, BEST.minus(b, BEST.times(x, a)))
    assert value is not None
    return value


class TestSecondPeek:
    """Seat 2 looks at a card, then seat 0 at the same one. A bystander hears every share, and has no secret at all."""

    def looked(self) -> Log:
        """All shares of both looks are there."""
        return before(game(), "look", 1)

    def bystander(self, card: Card, shares: Iterable[bytes]) -> int | None:
        """What a card comes to with one share of each seat taken off it."""
        return value_of(BEST, BEST.minus(card[1], reduce(BEST.plus, shares)))

    def test_of_the_textbook_shows_the_card_to_all(self) -> None:
        """There a share is that of the card itself; only the one of who looks is kept back, each time another's."""
        log = self.looked()
        deck = deck_of(log)
        for slot in (0, 1):
            a = deck.cards[slot][0]
            to_2, to_0 = (
                {seat: BEST.times(scalar(seat_secrets(log, seat).secret(0)), a) for seat in range(3) if seat != looker}
                for looker in (2, 0)
            )
            heard = {**to_2, **to_0}
            assert sorted(heard) == [0, 1, 2]
            assert self.bystander(deck.cards[slot], heard.values()) == truth(log, slot)

    def test_of_ours_shows_nothing(self) -> None:
        """Not by the sum that works there, nor by any other of the points that were said, each taken once at most."""
        log = self.looked()
        deck = deck_of(log)
        first, second = deck.looked
        assert (first.by, second.by, first.slots, second.slots) == (2, 0, (0, 1), (0, 1))
        for place, slot in enumerate(first.slots):
            to_2, to_0 = ({seat: row[place] for seat, row in look.shares} for look in (first, second))
            card = deck.cards[slot]
            assert self.bystander(card, {**to_2, **to_0}.values()) is None
            said = [*to_2.values(), *to_0.values(), first.points[place], second.points[place], card[0]]
            each = [(IDENTITY, point, BEST.minus(IDENTITY, point)) for point in said]
            for chosen in product(*each):
                assert value_of(BEST, reduce(BEST.plus, chosen, card[1])) is None
            assert seat_secrets(log, 2).faces(deck)[slot] == seat_secrets(log, 0).faces(deck)[slot] == truth(log, slot)


class Careless(ProofChecker):
    """Takes any deck for a shuffle of the one before."""

    def shuffle_fault(
        self, context: bytes, key: bytes, before: Sequence[Card], after: bytes, proof: bytes
    ) -> str | None:
        return None


class TestStackedDeck:
    """The last seat to shuffle forgets the deck, and lays all cards in an order that it likes."""

    def stacked(self) -> tuple[Log, list[int]]:
        log = dotter(3)
        log.checker = Careless(BEST)
        deck = deck_of(serve(log, "shuffle", 2))
        order = [*range(53, -1, -1)]
        M = card_points(BEST)  # noqa: N806
        cards = [(BEST.base(r + 9), BEST.total((r + 9, 1), (deck.joint, M[v]))) for r, v in enumerate(order)]
        proof = prove_shuffle(BEST, deck.shuffle_context(2), deck.joint, cards, DRAWS)[1]
        log.take(signed(log, 2, "shuffle", (b"".join(half for card in cards for half in card), proof)))
        return log, order

    def test_is_played_with_where_nobody_checks_the_shuffle(self) -> None:
        log, order = self.stacked()
        serve(play(log, "draw", "draw", "draw", "score p1 1a 1b 1c", "peek p2 1a 1b"))
        sealed = log.now.match.state.sealed()
        assert sealed is not None
        assert [sealed.up[at] for at in range(3)] == order[:3], "it knew them before anybody had seen them"
        assert [seat_secrets(log, 1).faces(deck_of(log))[at] for at in (3, 4)] == order[3:5]
        again = replayed(log.table, [read_entry(entry.data) for entry in log.entries], Careless(BEST))
        assert again.head == log.head

    def test_is_refused_by_ours(self) -> None:
        log, _ = self.stacked()
        with pytest.raises(PeerError, match="no shuffle of the cards: tw"):
            replayed(log.table, [read_entry(entry.data) for entry in log.entries], ProofChecker(BEST))


class Sra:
    """Shamir, Rivest and Adleman's deck: each seat multiplies every card by a number of its own, which it commits to,
    and a card is opened by dividing by all of them. Nothing shows that what a seat hands on is what it was given.
    """

    def __init__(self, group: Group, seats: int, cards: int) -> None:
        self.group, self.seats, self.count = group, seats, cards
        self.cards = list(card_points(group)[:cards])
        self.keys: list[list[int]] = []
        self.commitments: list[list[bytes]] = []
        self.all = [DRAWS.with_(b"all", bytes([seat])).scalar() for seat in range(seats)]

    def shuffle(self) -> None:
        """Each seat locks all cards with one number, and lays them in another order."""
        for seat, number in enumerate(self.all):
            order = DRAWS.with_(b"order", bytes([seat])).permutation(self.count)
            self.cards = [self.group.times(number, self.cards[at]) for at in order]

    def lock(self, seat: int, taken: Sequence[int]) -> None:
        """A seat takes its one number off and puts one for each slot on; slot s gets the card of slot taken[s]."""
        draws = DRAWS.with_(b"keys", bytes([seat]))
        keys = [draws.scalar() for _ in self.cards]
        off = pow(self.all[seat], -1, ORDER)
        self.cards = [self.group.times(off * key, self.cards[at]) for key, at in zip(keys, taken, strict=True)]
        self.keys.append(keys)
        self.commitments.append([self.group.base(key) for key in keys])

    def open(self, slot: int) -> int | None:
        """All tell their numbers of that slot, each of which is what was committed to."""
        point = self.cards[slot]
        for keys, commitments in zip(self.keys, self.commitments, strict=True):
            assert self.group.base(keys[slot]) == commitments[slot]
            point = self.group.times(pow(keys[slot], -1, ORDER), point)
        return value_of(self.group, point)


class TestDoubledCard:
    """A seat puts one card in two slots, and another in none."""

    def opened(self, taken: Sequence[int]) -> tuple[list[int | None], list[bytes]]:
        deck = Sra(BEST, 3, 6)
        deck.shuffle()
        deck.lock(0, taken)
        for seat in (1, 2):
            deck.lock(seat, range(6))
        return [deck.open(slot) for slot in range(6)], deck.cards

    def test_opens_as_the_same_card_twice_in_a_deck_with_commitments_only(self) -> None:
        honest, _ = self.opened(range(6))
        assert sorted(honest, key=str) == [0, 1, 2, 3, 4, 5]
        values, cards = self.opened((0, 0, 2, 3, 4, 5))
        assert values[0] == values[1] == honest[0]
        assert honest[1] not in values
        assert len(set(cards)) == 6, "nobody can see it before both are opened"

    def test_is_refused_by_ours_when_it_comes(self) -> None:
        log = cut(before(game(), "shuffle", 0), 4)
        cards, proof = answer(log)
        for one, other in permutations(range(3), 2):
            doubled = cards[: 64 * one] + cards[64 * other : 64 * other + 64] + cards[64 * one + 64 :]
            with pytest.raises(PeerError, match="no shuffle of the cards: tw"):
                log.take(signed(log, 0, "shuffle", (doubled, proof)))
        assert BASE in deck_of(log).shuffling.cards[0]
