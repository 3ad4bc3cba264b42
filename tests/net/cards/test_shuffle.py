"""The shuffle: whoever permutes and blinds convinces everybody, whoever does anything else nobody."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.net.cards import pure, shuffle
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, Group, card_points
from quadrille.net.cards.shuffle import Card, check_shuffle, prove_shuffle, read_cards
from quadrille.net.core.errors import PeerError
from tests.net.cards.crooked import CHEATS, HONEST, Cheat, shuffled
from tests.net.cards.groups import BEST, JOINT, PURE, SECRET, fresh_deck, on_each

CONTEXT = b"this shuffle"
FEW = 6


def draws(name: bytes = b"") -> Draws:
    return Draws(bytes(32), b"a table's name..", "shuf", name)


def proved(group: Group, count: int = FEW) -> tuple[list[Card], bytes, bytes]:
    """A deck that was shuffled before, and a shuffle of it."""
    before = read_cards(prove_shuffle(group, b"the one before", JOINT, fresh_deck(group, count), draws(b"1"))[0])
    return before, *prove_shuffle(group, CONTEXT, JOINT, before, draws(b"2"))


def values(group: Group, cards: list[Card]) -> list[int]:
    faces = {point: value for value, point in enumerate(card_points(group))}
    return [faces[group.minus(b, group.times(SECRET, a))] for a, b in cards]


@on_each
@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_a_shuffle_keeps_the_cards_and_convinces(group: Group, count: int) -> None:
    before, o, f = proved(group, count)
    assert check_shuffle(group, CONTEXT, JOINT, before, o, f) is None
    assert sorted(values(group, read_cards(o))) == sorted(values(group, before)) == list(range(count))
    assert len({point for card in (*before, *read_cards(o)) for point in card}) == 4 * count
    order = draws(b"2").with_(CONTEXT).permutation(count)
    assert values(group, read_cards(o)) == [values(group, before)[j] for j in order]


@settings(max_examples=15)
@given(st.integers(1, 8), st.binary(max_size=4))
def test_both_back_ends_shuffle_alike(count: int, name: bytes) -> None:
    before = fresh_deck(BEST, count)
    o, f = prove_shuffle(PURE, CONTEXT, JOINT, before, draws(name))
    assert (o, f) == prove_shuffle(BEST, CONTEXT, JOINT, before, draws(name))
    assert check_shuffle(BEST, CONTEXT, JOINT, before, o, f) is None
    assert check_shuffle(PURE, CONTEXT, JOINT, before, o, f) is None


def forged(group: Group, cheat: Cheat) -> tuple[list[Card], bytes, bytes]:
    before = proved(group)[0]
    return before, *shuffled(group, CONTEXT, JOINT, before, draws(), cheat)


@on_each
@pytest.mark.parametrize("name", HONEST)
def test_the_crooked_shuffler_can_be_honest(group: Group, name: str) -> None:
    """So that what follows shows the verifier's wit, and not that shuffler's mistakes."""
    before, o, f = forged(group, HONEST[name])
    assert check_shuffle(group, CONTEXT, JOINT, before, o, f) is None


@on_each
@pytest.mark.parametrize("name", CHEATS)
def test_each_cheat_is_refused_by_its_equation_alone(group: Group, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a verifier without that equation accepts it: none of them may be left out."""
    before, o, f = forged(group, CHEATS[name])
    assert values_differ(group, before, read_cards(o)) == (name != "tw3")
    fault = check_shuffle(group, CONTEXT, JOINT, before, o, f)
    assert fault is not None and fault.startswith(f"{name}: ")
    rest = tuple(equation for equation in shuffle.EQUATIONS if equation[0] != name)
    assert len(rest) == len(shuffle.EQUATIONS) - 1
    monkeypatch.setattr(shuffle, "EQUATIONS", rest)
    assert check_shuffle(group, CONTEXT, JOINT, before, o, f) is None


def values_differ(group: Group, before: list[Card], after: list[Card]) -> bool:
    """Whether the cards are no longer the same ones."""
    opened = [sorted(group.minus(b, group.times(SECRET, a)) for a, b in deck) for deck in (before, after)]
    return opened[0] != opened[1]


@on_each
def test_wrong_links_that_cancel_out_are_refused(group: Group) -> None:
    """What the weights of tw5 are for: all links are checked in one sum."""
    before, o, f = forged(group, Cheat(cross=True))
    fault = check_shuffle(group, CONTEXT, JOINT, before, o, f)
    assert fault is not None and fault.startswith("tw5: ")


def test_there_is_a_cheat_for_each_equation() -> None:
    assert [name for name, _, _ in shuffle.EQUATIONS] == sorted(CHEATS)


@on_each
def test_stacked_marked_and_doubled_decks_are_refused(group: Group) -> None:
    before, o, f = proved(group)
    cards = read_cards(o)
    stacked = fresh_deck(group, FEW)
    for wrong in (
        stacked,
        [cards[1], cards[0], *cards[2:]],
        [cards[0], cards[0], *cards[2:]],
        [(cards[0][1], cards[0][0]), *cards[1:]],
        [(group.plus(cards[0][0], BASE), cards[0][1]), *cards[1:]],
        before,
    ):
        data = b"".join(point for card in wrong for point in card)
        assert check_shuffle(group, CONTEXT, JOINT, before, data, f) is not None
    assert check_shuffle(group, b"another", JOINT, before, o, f) is not None
    assert check_shuffle(group, CONTEXT, group.base(2), before, o, f) is not None
    assert check_shuffle(group, CONTEXT, JOINT, before[::-1], o, f) is not None


@on_each
def test_lengths(group: Group) -> None:
    before, o, f = proved(group)
    for wrong_o, wrong_f in (
        (b"", f),
        (o[:-1], f),
        (o + b"\0", f),
        (o[:-64], f),
        (o + o[:64], f),
        (o, b""),
        (o, f[:-1]),
        (o, f[:-32]),
        (o, f + f[:32]),
    ):
        fault = check_shuffle(group, CONTEXT, JOINT, before, wrong_o, wrong_f)
        assert fault is not None and fault.startswith("length: ")
    for deck in ([], before * 10):
        fault = check_shuffle(group, CONTEXT, JOINT, deck, o, f)
        assert fault is not None and fault.startswith("length: a deck of ")
    with pytest.raises(PeerError, match="length"):
        read_cards(o[:-32])


@on_each
def test_lengths_come_before_arithmetic(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 KiB of anything must cost a peer nothing."""
    before, o, f = proved(group)

    def touched(data: bytes) -> bool:
        raise AssertionError("a point was looked at")

    monkeypatch.setattr(group, "is_point", touched, raising=True)
    assert check_shuffle(group, CONTEXT, JOINT, before, bytes(65536), f) is not None
    assert check_shuffle(group, CONTEXT, JOINT, before, o, bytes(65536)) is not None


def replaced(data: bytes, place: int, word: bytes) -> bytes:
    return data[: 32 * place] + word + data[32 * place + 32 :]


@on_each
def test_every_answer_counts(group: Group) -> None:
    """One more in any scalar, or another point in any place, and some equation fails."""
    before, o, f = proved(group, 3)
    for place in range(len(f) // 32):
        number = int.from_bytes(f[32 * place : 32 * place + 32], "little")
        other = group.plus(f[32 * place : 32 * place + 32], BASE) if place < 14 else (number + 1).to_bytes(32, "little")
        fault = check_shuffle(group, CONTEXT, JOINT, before, o, replaced(f, place, other))
        assert fault is not None and fault.startswith("tw")


@on_each
def test_threads_share_a_back_end(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffles are checked beside the window's thread; plain Python forgets what it knows all the time here."""
    monkeypatch.setattr(pure, "_MOST_KNOWN", 30)
    monkeypatch.setattr(pure, "_MOST_TABLES", 2)
    before, o, f = proved(group)
    wrong = forged(group, CHEATS["tw4b"])
    with ThreadPoolExecutor(4) as pool:
        faults = pool.map(lambda claim: check_shuffle(group, CONTEXT, JOINT, *claim), [(before, o, f), wrong] * 8)
        assert [fault and fault[:5] for fault in faults] == [None, "tw4b:"] * 8


def test_the_same_is_said_again() -> None:
    assert proved(BEST) == proved(BEST)
    before = fresh_deck(BEST, FEW)
    first = prove_shuffle(BEST, CONTEXT, JOINT, before, draws())
    assert first != prove_shuffle(BEST, b"another", JOINT, before, draws())
    assert first != prove_shuffle(BEST, CONTEXT, JOINT, before, draws(b"others"))
