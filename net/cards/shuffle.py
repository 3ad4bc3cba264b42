"""The shuffle of a deck, and the proof that it is one and nothing else (Terelius and Wikström, for a single seat).

A card is a pair (A, B) of points: ElGamal under the joint key H. A shuffle reorders the cards and adds r'(G, H) to
each. The proof commits to the permutation's matrix, a column for each place. It shows that the commitment is to a
permutation (tw1, tw2, tw5), and that this permutation and nothing else leads from the deck before to the deck after
(tw3, tw4). Names are those of the specification: docs/protocols/cards.md, "Proofs". deck.py decides who may shuffle,
and when.
"""

# Names are those of the specification, where a capital is a point or a challenge.
# ruff: noqa: N803, N806

import functools
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from quadrille.net.cards import group
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import (
    BASE,
    IDENTITY,
    ORDER,
    POINT_BYTES,
    hashed_scalar,
    scalar,
    scalar_bytes,
    spare,
    spares,
    split,
    two_bytes,
)
from quadrille.net.cards.proofs import WEIGHT_SHIFT
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import hashed

#: A card as everybody sees it: (A, B).
Card: TypeAlias = tuple[bytes, bytes]
CARD_BYTES: Final = 2 * POINT_BYTES


def prove_shuffle(context: bytes, H: bytes, before: Sequence[Card], draws: Draws) -> tuple[bytes, bytes]:
    """Shuffle the cards by these draws. Return the deck after it, and the proof. The context must name the deck before,
    and H.
    """
    count = len(before)
    places = range(count)
    h = spare()
    draws = draws.with_(context)
    order = draws.permutation(count)
    blinds, r, rh = ([draws.scalar() for _ in places] for _ in range(3))
    w1, w2, w3, w4 = (draws.scalar() for _ in range(4))
    wh, wp = ([draws.scalar() for _ in places] for _ in range(2))

    after = [_blinded(H, before[j], blinds[j]) for j in order]
    c = [b""] * count
    for j, generator in zip(order, spares(), strict=False):
        c[j] = group.total((r[j], 1), (BASE, generator))
    statement = (context, H, *_points(before), *_points(after), *c)
    u = _weights(statement, count)

    # Each link of the chain is on the bases G and h: ch_i = R_i G + W_i h.
    ch, th, R, W = [], [], 0, 1
    for i, j in enumerate(order):
        th.append(group.total((wh[i] + wp[i] * R, wp[i] * W), (BASE, h)))
        R, W = (rh[i] + u[j] * R) % ORDER, u[j] * W % ORDER
        ch.append(group.total((R, W), (BASE, h)))
    # Compute the deck after from the deck before and the blinds, which saves work where many A are G.
    shifted = sum(w * blinds[j] for w, j in zip(wp, order, strict=True)) - w4
    t = (
        group.base(w1),
        group.base(w2),
        group.total((w3, *wp), (BASE, *spares()[:count])),
        group.total((shifted, *wp), (BASE, *(before[j][0] for j in order))),
        group.total((shifted, *wp), (H, *(before[j][1] for j in order))),
    )

    C = hashed_scalar("tw/c", *statement, *ch, *t, *th)
    s = (w1 + C * sum(r), w2 + C * R, w3 + C * _dot(r, u), w4 + C * _dot(blinds, u))
    sh = (w + C * x for w, x in zip(wh, rh, strict=True))
    sp = (w + C * u[j] for w, j in zip(wp, order, strict=True))
    return b"".join(_points(after)), b"".join((*c, *ch, *th, *t, *map(scalar_bytes, (*s, *sh, *sp))))


def check_shuffle(context: bytes, H: bytes, before: Sequence[Card], o: bytes, f: bytes) -> str | None:
    """Say what is wrong with a shuffle, in a sentence that begins with the equation that fails; None if nothing is.

    The deck before and H are the verifier's own, so they are known to be sound.
    """
    try:
        after, points, scalars = _parsed(len(before), o, f)
    except PeerError as error:
        return str(error)
    for name, left, right in _equations(context, H, before, after, points, scalars):
        if left != right:
            return f"{name}: {FAULTS[name]}"
    return None


def read_cards(o: bytes, count: int) -> tuple[Card, ...]:
    if len(o) != CARD_BYTES * count:
        raise PeerError(f"length: {len(o)} bytes are not {count} cards, which take {CARD_BYTES * count}")
    points = split(o)
    return tuple(zip(points[::2], points[1::2], strict=True))


def _parsed(count: int, o: bytes, f: bytes) -> tuple[Sequence[Card], list[bytes], list[int]]:
    """Read the deck after, and the points and scalars of the proof. Check lengths first, then each point and scalar."""
    after, needed = read_cards(o, count), POINT_BYTES * (5 * count + 9)
    if len(f) != needed:
        raise PeerError(f"length: a proof has {len(f)} bytes, and for {count} cards it needs {needed}")
    words = split(f)
    points, scalars = words[: 3 * count + 5], words[3 * count + 5 :]
    for name, row in (("o", _points(after)), ("f", points)):
        for place, data in enumerate(row):
            if not group.is_point(data):
                raise PeerError(f"point: number {place} in {name} is not the canonical encoding of a point")
    return after, points, [scalar(data) for data in scalars]


#: The equations of a proof, and what a failure of each means.
FAULTS: Final = {
    "tw1": "the committed rows do not add up to one each",
    "tw2": "the chain does not end in the product that a permutation gives",
    "tw3": "the answers do not fit the commitment",
    "tw4a": "the first halves of the cards are not those of the deck before",
    "tw4b": "the second halves of the cards are not those of the deck before",
    "tw5": "a link of the chain does not follow from the one before",
}


def _equations(
    context: bytes,
    H: bytes,
    before: Sequence[Card],
    after: Sequence[Card],
    points: Sequence[bytes],
    scalars: Sequence[int],
) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield the two sides of each equation: the part that one sum computes, and the rest."""
    n, total, h, h_i = len(before), group.total, spare(), spares()[: len(before)]
    c, ch, th, t = points[:n], points[n : 2 * n], points[2 * n : 3 * n], points[3 * n :]
    s, sh, sp = scalars[:4], scalars[4 : 4 + n], scalars[4 + n :]
    statement = (context, H, *_points(before), *_points(after), *c)
    u, C = _weights(statement, n), hashed_scalar("tw/c", *statement, *ch, *t, *th)

    # s1 G = t1 + C (sum of c - sum of h_i)
    rows = group.minus(total([1] * n, c), _all_spares(n))
    yield "tw1", total((s[0], -C), (BASE, rows)), t[0]
    # s2 G = t2 + C (ch_N - (product of u) h)
    product = functools.reduce(lambda factor, other: factor * other % ORDER, u)
    yield "tw2", total((s[1], -C, C * product), (BASE, ch[-1], h)), t[1]
    # s3 G + sum of sp_i h_i = t3 + C (sum of u_k c_k)
    yield "tw3", total((s[2], -C, *sp), (BASE, total(u, c), *h_i)), t[2]
    # sum of sp_i out_i - s4 (G, H) = t4 + C (sum of u_k in_k), on both sides of the cards
    for side, name in enumerate(("tw4a", "tw4b")):
        weighted = total(u, [card[side] for card in before])
        halves = ((BASE, H)[side], weighted, *(card[side] for card in after))
        yield name, total((-s[3], -C, *sp), halves), t[3 + side]
    # for all i: sh_i G + sp_i ch_(i-1) = th_i + C ch_i, combined with weights v that nobody can choose
    seed = hashed("tw/5", *map(scalar_bytes, (C, *scalars)))
    v = [hashed_scalar("tw/5i", seed, two_bytes(i)) >> WEIGHT_SHIFT for i in range(n)]
    links = (_dot(v, sh), *(w * x for w, x in zip(v, sp, strict=True)), *(-w * C for w in v), *(-w for w in v))
    yield "tw5", total(links, (BASE, h, *ch[:-1], *ch, *th)), IDENTITY


def _blinded(H: bytes, card: Card, blind: int) -> Card:
    """Reblind a card, so that nobody can recognise it."""
    return group.total((1, blind), (card[0], BASE)), group.total((1, blind), (card[1], H))


def _weights(statement: tuple[bytes, ...], count: int) -> list[int]:
    """Derive u: a weight for each card, unpredictable before decks and commitments are fixed."""
    seed = hashed("tw/u", *statement)
    return [hashed_scalar("tw/ui", seed, two_bytes(place)) >> WEIGHT_SHIFT for place in range(count)]


def _points(cards: Sequence[Card]) -> list[bytes]:
    return [point for card in cards for point in card]


def _dot(row: Sequence[int], other: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(row, other, strict=True)) % ORDER


@functools.cache
def _all_spares(count: int) -> bytes:
    """Add up `count` generators: h_0 + h_1 + ..."""
    return group.total([1] * count, spares()[:count])
