"""A shuffler who may cheat, written from the equations alone: it shares nothing with net/cards/shuffle.py but the hash.

What it commits to is any matrix, a row for each place of the deck after. With a permutation's, it is honest; each way
to cheat here violates one equation and keeps all others, which shows that the verifier needs every one of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, ORDER, Group, hashed_scalar, scalar_bytes, spare, spares, two_bytes
from quadrille.net.cards.shuffle import Card
from quadrille.net.core.hashing import hashed

Matrix = Sequence[Sequence[int]]

THIRD: Final = pow(3, -1, ORDER)
HALF: Final = pow(2, -1, ORDER)


@dataclass(frozen=True, slots=True)
class Cheat:
    """Matrices are those of the first two places, after which the deck goes on unchanged (or turned round).

    `weighs` is what the answers and the chain are about, `gives` what makes the deck after, `commits` what is committed
    to; `shift` is added to the last card; with `lie` the last link is what the end of the chain should be; with `cross`
    the first two links are wrong by as much, one too large and one too small.
    """

    weighs: Matrix = ((1, 0), (0, 1))
    gives: Matrix = ((1, 0), (0, 1))
    commits: Matrix | None = None
    shift: tuple[int, int] = (0, 0)
    lie: bool = False
    cross: bool = False


_SWAPPED: Final = ((0, 1), (1, 0))
_BLENDED: Final = Cheat(((2, -1), (-1, 2)), ((2 * THIRD, THIRD), (THIRD, 2 * THIRD)))
#: Each by the one equation that it violates.
CHEATS: Final = {
    "tw1": Cheat(((2, 0), (0, HALF)), ((HALF, 0), (0, 2))),
    "tw2": _BLENDED,
    "tw3": Cheat(commits=_SWAPPED),
    "tw4a": Cheat(shift=(1, 0)),
    "tw4b": Cheat(shift=(0, 1)),
    "tw5": Cheat(_BLENDED.weighs, _BLENDED.gives, lie=True),
}


def whole(corner: Matrix, count: int) -> list[list[int]]:
    """A matrix with this corner, and ones on the diagonal of the rest."""
    return [
        [corner[i][k] if i < 2 and k < 2 else int(i == k) for k in range(count)] for i in range(count)
    ]  # fmt: skip


def shuffled(
    group: Group, context: bytes, joint: bytes, before: Sequence[Card], draws: Draws, cheat: Cheat
) -> tuple[bytes, bytes]:
    """The deck after, and a proof that holds as far as it can."""
    count = len(before)
    n = range(count)
    weighs, gives = whole(cheat.weighs, count), whole(cheat.gives, count)
    commits = weighs if cheat.commits is None else whole(cheat.commits, count)
    h, generators = spare(group), spares(group)[:count]

    def numbers() -> list[int]:
        return [draws.scalar() for _ in n]

    e, r, rh, wh, w_ = numbers(), numbers(), numbers(), numbers(), numbers()
    w1, w2, w3, w4 = (draws.scalar() for _ in range(4))

    def after(i: int) -> Card:
        shift = cheat.shift if i == count - 1 else (0, 0)
        a, b = (
            group.total((*gives[i], e[i], shift[side]), (*(card[side] for card in before), base, BASE))
            for side, base in enumerate((BASE, joint))
        )
        return a, b

    deck = [after(i) for i in n]
    c = [group.total((r[k], *(commits[i][k] for i in n)), (BASE, *generators)) for k in n]
    statement = [context, joint, *(p for card in before for p in card), *(p for card in deck for p in card), *c]
    seed = hashed("tw/u", *statement)
    u = [hashed_scalar("tw/ui", seed, two_bytes(k)) >> 125 for k in n]
    up = [sum(x * y for x, y in zip(weighs[i], u, strict=True)) % ORDER for i in n]

    ch: list[bytes] = []
    logarithm, product = 0, 1
    for i in n:
        logarithm = (rh[i] + up[i] * logarithm) % ORDER
        product = product * (u[i] if cheat.lie else 1) % ORDER
        link = group.total((rh[i], up[i]), (BASE, ch[-1] if ch else h))
        if cheat.lie and i == count - 1:
            link = group.total((logarithm, product), (BASE, h))
        ch.append(link)
    crossed = (1, ORDER - 1) if cheat.cross else (0, 0)
    th = [group.total((wh[i] + (crossed[i] if i < 2 else 0), w_[i]), (BASE, ch[i - 1] if i else h)) for i in n]
    t = [
        group.base(w1),
        group.base(w2),
        group.total((w3, *w_), (BASE, *generators)),
        *(group.total((-w4, *w_), (base, *(card[side] for card in deck))) for side, base in enumerate((BASE, joint))),
    ]
    challenge = hashed_scalar("tw/c", *statement, *ch, *t, *th)
    answers = [
        w1 + challenge * sum(r),
        w2 + challenge * logarithm,
        w3 + challenge * sum(x * y for x, y in zip(r, u, strict=True)),
        w4 + challenge * sum(x * y for x, y in zip(e, up, strict=True)),
        *(w + challenge * x for w, x in zip(wh, rh, strict=True)),
        *(w + challenge * x for w, x in zip(w_, up, strict=True)),
    ]
    points = [*c, *ch, *th, *t]
    return b"".join(p for card in deck for p in card), b"".join((*points, *map(scalar_bytes, answers)))
