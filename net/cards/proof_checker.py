"""Checks the proofs of a deck: all of them, unless this peer had checked and stored them before.

Specification: docs/protocols/cards.md.
"""

from collections.abc import Sequence

from quadrille.net.cards.group import RISTRETTO, Group
from quadrille.net.cards.proofs import check_known, check_same
from quadrille.net.cards.shuffle import Card, check_shuffle


class ProofChecker:
    """Checks proofs in a group. A checker that `believes` accepts all: our own, and those that were checked before."""

    def __init__(self, group: Group = RISTRETTO, *, believes: bool = False) -> None:
        self.group = group
        self.believes = believes
        #: A checker of the same group that accepts all proofs.
        self.believing: ProofChecker = self if believes else ProofChecker(group, believes=True)

    def knows(self, context: bytes, point: bytes, proof: bytes) -> bool:
        """Return True if the prover knows the logarithm of the point."""
        return self.believes or check_known(self.group, context, point, proof)

    def same(self, context: bytes, key: bytes, points: Sequence[bytes], shares: Sequence[bytes], proof: bytes) -> bool:
        """Return True if each share is its point times the secret of that key."""
        return self.believes or check_same(self.group, context, key, points, shares, proof)

    def shuffle_fault(
        self, context: bytes, key: bytes, before: Sequence[Card], after: bytes, proof: bytes
    ) -> str | None:
        """Say why `after` is not a shuffle of `before`; None if it is."""
        return None if self.believes else check_shuffle(self.group, context, key, before, after, proof)
