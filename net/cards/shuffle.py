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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import (
    BASE,
    CARDS,
    IDENTITY,
    ORDER,
    POINT_BYTES,
    Group,
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


def prove_shuffle(group: Group, context: bytes, H: bytes, before: Sequence[Card], draws: Draws) -> tuple[bytes, bytes]:
    """The deck after a shuffle by these draws, and the proof. The context must name the deck before, and H."""
    count = len(before)
    places = range(count)
    h = spare(group)
    draws = draws.with_(context)
    order = draws.permutation(count)
    blinds, r, rh = ([draws.scalar() for _ in places] for _ in range(3))
    w1, w2, w3, w4 = (draws.scalar() for _ in range(4))
    wh, wp = ([draws.scalar() for _ in places] for _ in range(2))

    after = [_blinded(group, H, before[j], blinds[j]) for j in order]
    c = [b""] * count
    for j, generator in zip(order, spares(group), strict=False):
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
        group.total((w3, *wp), (BASE, *spares(group)[:count])),
        group.total((shifted, *wp), (BASE, *(before[j][0] for j in order))),
        group.total((shifted, *wp), (H, *(before[j][1] for j in order))),
    )

    C = hashed_scalar("tw/c", *statement, *ch, *t, *th)
    s = (w1 + C * sum(r), w2 + C * R, w3 + C * _dot(r, u), w4 + C * _dot(blinds, u))
    sh = (w + C * x for w, x in zip(wh, rh, strict=True))
    sp = (w + C * u[j] for w, j in zip(wp, order, strict=True))
    return b"".join(_points(after)), b"".join((*c, *ch, *th, *t, *map(scalar_bytes, (*s, *sh, *sp))))


def check_shuffle(group: Group, context: bytes, H: bytes, before: Sequence[Card], o: bytes, f: bytes) -> str | None:
    """The fault of a shuffle, as a sentence that begins with the equation that fails; None if nothing is.

    The deck before and H are the verifier's own, so they are known to be sound.
    """
    try:
        claim = _read(group, context, H, before, o, f)
    except PeerError as error:
        return str(error)
    for name, says, holds in EQUATIONS:
        if not holds(claim):
            return f"{name}: {says}"
    return None


def read_cards(o: bytes) -> list[Card]:
    """The cards in the bytes of a deck."""
    if len(o) % CARD_BYTES:
        raise PeerError(f"length: {len(o)} bytes are not a deck, in which each card takes {CARD_BYTES}")
    points = split(o)
    return list(zip(points[::2], points[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A parsed shuffle with its proof, and the verifier's weights u and challenge C."""

    group: Group
    H: bytes
    before: Sequence[Card]
    after: Sequence[Card]
    c: Sequence[bytes]
    ch: Sequence[bytes]
    th: Sequence[bytes]
    t: Sequence[bytes]
    s: Sequence[int]
    sh: Sequence[int]
    sp: Sequence[int]
    u: Sequence[int]
    C: int


def _read(group: Group, context: bytes, H: bytes, before: Sequence[Card], o: bytes, f: bytes) -> _Claim:
    """Parse lengths first, then every point and every scalar."""
    count = len(before)
    if not 1 <= count <= CARDS:
        raise PeerError(f"length: a deck of {count} cards can't be shuffled, it needs 1 to {CARDS}")
    for name, data, length in (("o", o, CARD_BYTES * count), ("f", f, POINT_BYTES * (5 * count + 9))):
        if len(data) != length:
            raise PeerError(f"length: {name} has {len(data)} bytes, and for {count} cards it needs {length}")
    after, words = read_cards(o), split(f)
    points, scalars = words[: 3 * count + 5], words[3 * count + 5 :]
    for name, row in (("o", _points(after)), ("f", points)):
        for place, data in enumerate(row):
            if not group.is_point(data):
                raise PeerError(f"point: number {place} in {name} is not the canonical encoding of a point")
    numbers = [scalar(data) for data in scalars]
    c, ch, th, t = points[:count], points[count : 2 * count], points[2 * count : 3 * count], points[3 * count :]
    statement = (context, H, *_points(before), *_points(after), *c)
    C = hashed_scalar("tw/c", *statement, *ch, *t, *th)
    s, sh, sp = numbers[:4], numbers[4 : 4 + count], numbers[4 + count :]
    return _Claim(group, H, before, after, c, ch, th, t, s, sh, sp, _weights(statement, count), C)


def _tw1(claim: _Claim) -> bool:
    """s1 G = t1 + C (sum of c - sum of h_i)."""
    group, count = claim.group, len(claim.c)
    columns = group.minus(group.total([1] * count, claim.c), _all_spares(group, count))
    return group.total((claim.s[0], -claim.C), (BASE, columns)) == claim.t[0]


def _tw2(claim: _Claim) -> bool:
    """s2 G = t2 + C (ch_N - (product of u) h)."""
    group = claim.group
    product = functools.reduce(lambda one, other: one * other % ORDER, claim.u)
    scalars = (claim.s[1], -claim.C, claim.C * product)
    return group.total(scalars, (BASE, claim.ch[-1], spare(group))) == claim.t[1]


def _tw3(claim: _Claim) -> bool:
    """s3 G + sum of sp_i h_i = t3 + C (sum of u_k c_k)."""
    group = claim.group
    columns = group.total(claim.u, claim.c)
    scalars = (claim.s[2], -claim.C, *claim.sp)
    return group.total(scalars, (BASE, columns, *spares(group)[: len(claim.c)])) == claim.t[2]


def _tw4(claim: _Claim, side: int) -> bool:
    """Sum of sp_i out_i - s4 (G, H) = t4 + C (sum of u_k in_k), on one side of the cards."""
    group = claim.group
    weighted = group.total(claim.u, [card[side] for card in claim.before])
    scalars = (-claim.s[3], -claim.C, *claim.sp)
    points = ((BASE, claim.H)[side], weighted, *(card[side] for card in claim.after))
    return group.total(scalars, points) == claim.t[3 + side]


def _tw4a(claim: _Claim) -> bool:
    return _tw4(claim, 0)


def _tw4b(claim: _Claim) -> bool:
    return _tw4(claim, 1)


def _tw5(claim: _Claim) -> bool:
    """For all i: sh_i G + sp_i ch_(i-1) = th_i + C ch_i, combined with weights that nobody can choose."""
    group = claim.group
    seed = hashed("tw/5", *map(scalar_bytes, (claim.C, *claim.s, *claim.sh, *claim.sp)))
    v = [hashed_scalar("tw/5i", seed, two_bytes(i)) >> WEIGHT_SHIFT for i in range(len(claim.c))]
    scalars, points = [_dot(v, claim.sh)], [BASE]
    for weight, sp, link in zip(v, claim.sp, (spare(group), *claim.ch), strict=False):
        scalars.append(weight * sp)
        points.append(link)
    for weight, link, t in zip(v, claim.ch, claim.th, strict=True):
        scalars += (-weight * claim.C, -weight)
        points += (link, t)
    return group.total(scalars, points) == IDENTITY


#: The equations of a proof: name, what a failure means, and the check.
EQUATIONS: Final[tuple[tuple[str, str, Callable[[_Claim], bool]], ...]] = (
    ("tw1", "the committed rows do not add up to one each", _tw1),
    ("tw2", "the chain does not end in the product that a permutation gives", _tw2),
    ("tw3", "the answers do not fit the commitment", _tw3),
    ("tw4a", "the first halves of the cards are not those of the deck before", _tw4a),
    ("tw4b", "the second halves of the cards are not those of the deck before", _tw4b),
    ("tw5", "a link of the chain does not follow from the one before", _tw5),
)


def _blinded(group: Group, H: bytes, card: Card, blind: int) -> Card:
    """Reblind a card, so that nobody can recognise it."""
    return group.total((1, blind), (card[0], BASE)), group.total((1, blind), (card[1], H))


def _weights(statement: tuple[bytes, ...], count: int) -> list[int]:
    """u: a weight for each card, unpredictable before decks and commitments are fixed."""
    seed = hashed("tw/u", *statement)
    return [hashed_scalar("tw/ui", seed, two_bytes(place)) >> WEIGHT_SHIFT for place in range(count)]


def _points(cards: Sequence[Card]) -> list[bytes]:
    return [point for card in cards for point in card]


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(one, other, strict=True)) % ORDER


@functools.cache
def _all_spares(group: Group, count: int) -> bytes:
    """h_0 + h_1 + ... of `count` generators."""
    return group.total([1] * count, spares(group)[:count])
