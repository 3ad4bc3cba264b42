"""The recorded game, as far as its arithmetic goes: every proof and share holds, where it was made and nowhere else.

What this project would have said in that game is the same to the byte. The deck's rules are tested beside the deck.
"""

from collections.abc import Iterator

import pytest

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import ORDER, Group, card_points
from quadrille.net.cards.proofs import check_known, check_same, prove_known, prove_same
from quadrille.net.cards.pure import Pure
from quadrille.net.cards.shuffle import check_shuffle, prove_shuffle, read_cards
from quadrille.net.core.hashing import decimal, hashed
from tests.net.cards.groups import on_each
from tests.net.cards.recorded import (
    ASKED,
    DECK,
    GID,
    JOINT,
    KEYS,
    LOG,
    OPENS,
    PEEKS,
    SECRETS,
    SEEDS,
    SHARES,
    SHUFFLES,
    TOLD,
    Said,
    deck_before,
    key_context,
    peek_context,
    points_asked,
    share_context,
    shuffle_context,
)


def looks(group: Group) -> Iterator[tuple[Said, int, bytes, bytes, bytes]]:
    """Each slot of each look: the blinded point U, what U is more than the card's, and the proof."""
    for said in PEEKS:
        for place, (slot, blinded) in enumerate(zip(said.body["c"], said.points("U"), strict=True)):
            proof = said.body["p"][64 * place : 64 * place + 64]
            yield said, slot, blinded, group.minus(blinded, DECK[slot][0]), proof


def test_the_record_has_what_it_is_said_to_have() -> None:
    assert [said.kind for said in LOG].count("draw") == 3 and len(LOG) == 24
    assert (len(KEYS), len(SHUFFLES), len(PEEKS), len(OPENS), len(SHARES)) == (3, 3, 2, 1, 10)


@on_each
def test_keys(group: Group) -> None:
    for seat, said in enumerate(KEYS):
        key, proof = said.body["X"], said.body["p"]
        assert check_known(group, key_context(seat), key, proof)
        assert not check_known(group, key_context(seat + 1), key, proof)
        x = Draws(SEEDS[seat], GID, "key", decimal(0)).scalar()
        assert group.base(x) == key
        assert prove_known(group, key_context(seat), Draws(SEEDS[seat], GID, "n/key"), x, key) == proof


@on_each
def test_looks(group: Group) -> None:
    for said, slot, blinded, blind, proof in looks(group):
        context = peek_context(said, slot, blinded)
        assert check_known(group, context, blind, proof)
        assert not check_known(group, peek_context(said, slot + 1, blinded), blind, proof)
        assert not check_known(group, context, blinded, proof)
        s = Draws(SEEDS[said.seat], GID, "blind", said.prev, decimal(slot)).scalar()
        assert group.plus(DECK[slot][0], group.base(s)) == blinded
        assert prove_known(group, context, Draws(SEEDS[said.seat], GID, "n/peek"), s, blind) == proof


@on_each
def test_shares(group: Group) -> None:
    for said in SHARES:
        us, ds, proof = points_asked(group, said.body["r"]), said.points("D"), said.body["p"]
        key, context = KEYS[said.seat].body["X"], share_context(said)
        assert check_same(group, context, key, us, ds, proof)
        assert not check_same(group, hashed("ctx/share", GID, said.prev, decimal(5)), key, us, ds, proof)
        assert not check_same(group, context, KEYS[said.seat - 1].body["X"], us, ds, proof)
        x = SECRETS[said.seat]
        assert [group.times(x, u) for u in us] == ds
        assert prove_same(group, context, Draws(SEEDS[said.seat], GID, "n/share"), x, key, us, ds) == proof


@on_each
@pytest.mark.parametrize("seat", range(3))
def test_shuffles(group: Group, seat: int) -> None:
    before, (o, f) = deck_before(group, seat), (SHUFFLES[seat].body["o"], SHUFFLES[seat].body["f"])
    context = shuffle_context(seat, before)
    assert (len(o), len(f)) == (3456, 8928)
    assert check_shuffle(group, context, JOINT, before, o, f) is None
    assert prove_shuffle(group, context, JOINT, before, Draws(SEEDS[seat], GID, "shuf")) == (o, f)


@pytest.mark.parametrize("group", [Pure()], ids=["pure Python anew"])
def test_a_shuffle_is_checked_by_who_has_computed_nothing_before(group: Group) -> None:
    before = deck_before(group, 2)
    context = shuffle_context(2, before)
    assert check_shuffle(group, context, JOINT, before, SHUFFLES[2].body["o"], SHUFFLES[2].body["f"]) is None


@on_each
def test_a_shuffle_holds_nowhere_else(group: Group) -> None:
    before, said = deck_before(group, 1), SHUFFLES[1].body
    context = shuffle_context(1, before)
    other = KEYS[0].body["X"]
    for fault in (
        check_shuffle(group, shuffle_context(2, before), JOINT, before, said["o"], said["f"]),
        check_shuffle(group, context, other, before, said["o"], said["f"]),
        check_shuffle(group, context, JOINT, deck_before(group, 0), said["o"], said["f"]),
        check_shuffle(group, context, JOINT, before[::-1], said["o"], said["f"]),
        check_shuffle(group, context, JOINT, before, SHUFFLES[0].body["o"], said["f"]),
        check_shuffle(group, context, JOINT, before, SHUFFLES[0].body["o"], SHUFFLES[0].body["f"]),
    ):
        assert fault is not None and fault.startswith("tw1: ")


@on_each
def test_the_cards_are_those_that_were_told(group: Group) -> None:
    values = {point: value for value, point in enumerate(card_points(group))}
    x = sum(SECRETS) % ORDER
    opened = {slot: values[group.minus(b, group.times(x, a))] for slot, (a, b) in enumerate(DECK)}
    assert opened == {int(slot): value for slot, value in TOLD["plaintext_order"].items()}
    assert read_cards(b"".join(a + b for a, b in DECK)) == DECK


@on_each
def test_what_was_opened_and_looked_at(group: Group) -> None:
    """By the shares alone, as the table does it; who looked has its blind and its own key besides."""
    values = {point: value for value, point in enumerate(card_points(group))}
    given: dict[bytes, list[Said]] = {}
    for said in SHARES:
        given.setdefault(said.body["r"], []).append(said)
    for rid, shares in given.items():
        columns = zip(*(said.points("D") for said in shares), strict=True)
        sums = [group.total([1] * len(column), column) for column in columns]
        asked = ASKED[rid]
        if asked.kind == "open":
            seen = {slot: group.minus(DECK[slot][1], rest) for slot, rest in zip(asked.body["c"], sums, strict=True)}
            assert {slot: values[card] for slot, card in seen.items()} == {int(s): v for s, v in TOLD["opened"].items()}
        elif asked.kind == "peek":
            for slot, rest in zip(asked.body["c"], sums, strict=True):
                s = Draws(SEEDS[asked.seat], GID, "blind", asked.prev, decimal(slot)).scalar()
                others = group.minus(JOINT, KEYS[asked.seat].body["X"])
                a, b = DECK[slot]
                card = group.total((1, -SECRETS[asked.seat], -1, s), (b, a, rest, others))
                assert values[card] == TOLD[f"view{asked.seat}"][str(slot)]
        else:
            assert hashed("rnd/out", GID, rid, *sums).hex() == TOLD["rand"][rid.hex()]
