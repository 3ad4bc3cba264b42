"""The shuffle: whoever permutes and blinds convinces everybody, whoever does anything else nobody."""

from collections.abc import Sequence
from typing import Any

import pytest

from quadrille.net.cards import shuffle
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, RISTRETTO, Group, card_points
from quadrille.net.cards.shuffle import Card, check_shuffle, prove_shuffle, read_cards
from tests.net.cards.crooked import CHEATS, Cheat, shuffled

CONTEXT = b"this shuffle"
FEW = 6
#: A joint key, and the secret that would open every card.
SECRET = 123456789123456789
JOINT = RISTRETTO.base(SECRET)


def fresh_deck(count: int = FEW) -> list[Card]:
    """The first cards, as they are before the first shuffle."""
    return [(BASE, RISTRETTO.plus(point, JOINT)) for point in card_points(RISTRETTO)[:count]]


def draws(name: bytes = b"") -> Draws:
    return Draws(bytes(32), b"a table's name..", "shuf", name)


def proved(count: int = FEW) -> tuple[Sequence[Card], bytes, bytes]:
    """A deck that was shuffled before, and a shuffle of it."""
    before = read_cards(prove_shuffle(RISTRETTO, b"the one before", JOINT, fresh_deck(count), draws(b"1"))[0], count)
    return before, *prove_shuffle(RISTRETTO, CONTEXT, JOINT, before, draws(b"2"))


def opened(cards: Sequence[Card]) -> list[bytes]:
    """The points of the cards."""
    return [RISTRETTO.minus(b, RISTRETTO.times(SECRET, a)) for a, b in cards]


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_a_shuffle_keeps_the_cards_and_convinces(count: int) -> None:
    before, o, f = proved(count)
    assert check_shuffle(RISTRETTO, CONTEXT, JOINT, before, o, f) is None
    after = read_cards(o, count)
    assert {*opened(before)} == {*card_points(RISTRETTO)[:count]}
    assert len({point for card in (*before, *after) for point in card}) == 4 * count
    assert opened(after) == [opened(before)[j] for j in draws(b"2").with_(CONTEXT).permutation(count)]


def forged(cheat: Cheat) -> tuple[Sequence[Card], bytes, bytes]:
    before = proved()[0]
    return before, *shuffled(RISTRETTO, CONTEXT, JOINT, before, draws(), cheat)


@pytest.mark.parametrize("name", CHEATS)
def test_each_cheat_is_refused_by_its_equation_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a verifier without that equation accepts it: none of them may be left out."""
    before, o, f = forged(CHEATS[name])
    are_the_same = sorted(opened(before)) == sorted(opened(read_cards(o, FEW)))
    assert are_the_same == (name == "tw3")
    fault = check_shuffle(RISTRETTO, CONTEXT, JOINT, before, o, f)
    assert fault is not None and fault.startswith(f"{name}: ")
    equations = shuffle._equations

    def rest(*claim: Any) -> Any:
        return [equation for equation in equations(*claim) if equation[0] != name]

    monkeypatch.setattr(shuffle, "_equations", rest)
    assert check_shuffle(RISTRETTO, CONTEXT, JOINT, before, o, f) is None


def test_wrong_links_that_cancel_out_are_refused() -> None:
    """What the weights of tw5 are for: all links are checked in one sum."""
    before, o, f = forged(Cheat(cross=True))
    fault = check_shuffle(RISTRETTO, CONTEXT, JOINT, before, o, f)
    assert fault is not None and fault.startswith("tw5: ")


def test_there_is_a_cheat_for_each_equation() -> None:
    assert list(shuffle.FAULTS) == sorted(CHEATS)


def test_stacked_marked_and_doubled_decks_are_refused() -> None:
    before, o, f = proved()
    cards = read_cards(o, FEW)
    stacked = fresh_deck()
    for wrong in (
        stacked,
        [cards[1], cards[0], *cards[2:]],
        [cards[0], cards[0], *cards[2:]],
        [(cards[0][1], cards[0][0]), *cards[1:]],
        [(RISTRETTO.plus(cards[0][0], BASE), cards[0][1]), *cards[1:]],
        before,
    ):
        data = b"".join(point for card in wrong for point in card)
        assert check_shuffle(RISTRETTO, CONTEXT, JOINT, before, data, f) is not None
    assert check_shuffle(RISTRETTO, b"another", JOINT, before, o, f) is not None
    assert check_shuffle(RISTRETTO, CONTEXT, RISTRETTO.base(2), before, o, f) is not None
    assert check_shuffle(RISTRETTO, CONTEXT, JOINT, before[::-1], o, f) is not None


def test_lengths_come_before_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 KiB of anything must cost a peer nothing."""
    before, o, f = proved()

    def touched(group: Group, data: bytes) -> bool:
        raise AssertionError("a point was looked at")

    monkeypatch.setattr(RISTRETTO, "is_point", touched, raising=True)
    assert check_shuffle(RISTRETTO, CONTEXT, JOINT, before, bytes(65536), f) is not None
    assert check_shuffle(RISTRETTO, CONTEXT, JOINT, before, o, bytes(65536)) is not None
