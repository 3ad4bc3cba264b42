"""Checks the proofs of a deck: all of them, unless this peer had checked and stored them before.

Specification: docs/protocols/cards.md.
"""

from collections.abc import Sequence

from quadrille.net.cards.group import RISTRETTO, Group
from quadrille.net.cards.proofs import check_known, check_same
from quadrille.net.cards.shuffle import Card, check_shuffle


class ProofChecker:
    """Checks proofs in a group."""

    __slots__ = ("group",)

    def __init__(self, group: Group = RISTRETTO) -> None:
        self.group = group

    def knows(self, context: bytes, point: bytes, proof: bytes) -> bool:
        """Whether the prover knows the logarithm of the point."""
        return check_known(self.group, context, point, proof)

    def same(self, context: bytes, key: bytes, points: Sequence[bytes], shares: Sequence[bytes], proof: bytes) -> bool:
        """Whether each share is its point times the secret of that key."""
        return check_same(self.group, context, key, points, shares, proof)

    def shuffle_fault(
        self, context: bytes, key: bytes, before: Sequence[Card], after: bytes, proof: bytes
    ) -> str | None:
        """Why `after` is not a shuffle of `before`; None if it is."""
        return check_shuffle(self.group, context, key, before, after, proof)


class Witness(ProofChecker):
    """Accepts all proofs: our own, and those that this peer checked before it stored them."""

    __slots__ = ()

    def __init__(self, checker: ProofChecker) -> None:
        """Replaces a checker, in the same group."""
        super().__init__(checker.group)

    def knows(self, *_: object) -> bool:
        return True

    def same(self, *_: object) -> bool:
        return True

    def shuffle_fault(self, *_: object) -> str | None:
        return None
