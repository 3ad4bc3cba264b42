"""The proofs tell nothing: somebody without any secret could have made each, who may choose the challenge.

What that is good for is said in test_secrecy.py.
"""

from typing import Any, Final

import pytest

from quadrille.net.cards import proofs, shuffle
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import (
    BASE,
    ORDER,
    RISTRETTO,
    card_points,
    hashed_point,
    hashed_scalar,
    scalar_bytes,
    spare,
    spares,
)
from quadrille.net.cards.proofs import check_known, check_same
from quadrille.net.cards.shuffle import Card, check_shuffle
from tests.net.cards.by_hand import cut
from tests.net.cards.refused import game


class Programmed:
    """A hash that answers as its owner likes to one question: what whoever proves without a secret would need."""

    def __init__(self, tag: str, challenge: int) -> None:
        self.tag, self.challenge, self.asked = tag, challenge, 0

    def __call__(self, tag: str, *parts: bytes) -> int:
        if tag != self.tag:
            return hashed_scalar(tag, *parts)
        self.asked += 1
        return self.challenge


class TestProofs:
    """Challenges and answers are drawn at random, and all else follows from them: as honest proofs are distributed."""

    dice: Final = Draws(bytes(32), b"without a secret", "anything")

    def test_a_known_number_is_proved_without_knowing_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        nobody_s = card_points(RISTRETTO)[0]
        challenge, answer = self.dice.scalar(), self.dice.scalar()
        proof = scalar_bytes(challenge) + scalar_bytes(answer)
        assert not check_known(RISTRETTO, b"here", nobody_s, proof)
        monkeypatch.setattr(proofs, "hashed_scalar", Programmed("pok", challenge))
        assert check_known(RISTRETTO, b"here", nobody_s, proof)

    def test_shares_are_proved_that_are_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        X, *points = card_points(RISTRETTO)[:5]  # noqa: N806
        challenge, answer = self.dice.scalar(), self.dice.scalar()
        proof = scalar_bytes(challenge) + scalar_bytes(answer)
        assert not check_same(RISTRETTO, b"here", X, points[:2], points[2:], proof)
        monkeypatch.setattr(proofs, "hashed_scalar", Programmed("dleq", challenge))
        assert check_same(RISTRETTO, b"here", X, points[:2], points[2:], proof)

    def test_a_shuffle_is_proved_that_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of a whole deck that has nothing to do with the one before; so also of either of two orders."""
        deck = cut(game(), 5).now.deck
        before, joint = deck.shuffling.cards, deck.joint
        after = [tuple(hashed_point(RISTRETTO, "no card", bytes((side, at))) for side in (0, 1)) for at in range(54)]
        o = b"".join(half for card in after for half in card)
        challenge = self.dice.scalar()
        f = self.shuffle_proof(b"here", joint, before, [(a, b) for a, b in after], challenge)
        assert check_shuffle(RISTRETTO, b"here", joint, before, o, f) is not None
        monkeypatch.setattr(shuffle, "hashed_scalar", Programmed("tw/c", challenge))
        assert check_shuffle(RISTRETTO, b"here", joint, before, o, f) is None

    def shuffle_proof(self, context: bytes, H: bytes, before: Any, after: list[Card], C: int) -> bytes:  # noqa: N803
        """Commitments that nobody can open, and then every equation of the verifier solved for its t."""
        n, h, dice = len(before), spare(RISTRETTO), self.dice
        c, ch = ([RISTRETTO.base(dice.scalar()) for _ in range(n)] for _ in range(2))
        s, sh, sp = ([dice.scalar() for _ in range(count)] for count in (4, n, n))
        halves = [half for deck in (before, after) for card in deck for half in card]
        seed = shuffle.hashed("tw/u", context, H, *halves, *c)
        u = [hashed_scalar("tw/ui", seed, at.to_bytes(2, "big")) >> 125 for at in range(n)]
        product = 1
        for weight in u:
            product = product * weight % ORDER
        h_i = spares(RISTRETTO)[:n]
        t = [
            RISTRETTO.total((s[0], *[-C] * n, *[C] * n), (BASE, *c, *h_i)),
            RISTRETTO.total((s[1], -C, C * product), (BASE, ch[-1], h)),
            RISTRETTO.total((s[2], *sp, *(-C * weight for weight in u)), (BASE, *h_i, *c)),
            *(
                RISTRETTO.total(
                    (-s[3], *sp, *(-C * weight for weight in u)),
                    (base, *(card[side] for card in after), *(card[side] for card in before)),
                )
                for side, base in enumerate((BASE, H))
            ),
        ]
        links = zip(sh, sp, (h, *ch), ch, strict=False)
        th = [RISTRETTO.total((one, other, -C), (BASE, last, link)) for one, other, last, link in links]
        return b"".join((*c, *ch, *th, *t, *map(scalar_bytes, (*s, *sh, *sp))))
