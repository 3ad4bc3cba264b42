"""Checks the proofs of a deck: all of them, unless this peer had checked and stored them before.

Specification: docs/protocols/cards.md.
"""

from collections.abc import Sequence

from quadrille.net.cards.group import Group, best_group
from quadrille.net.cards.proofs import check_known, check_same
from quadrille.net.cards.shuffle import Card, check_shuffle


class ProofChecker:
    """Checks proofs in a group."""

    __slots__ = ("_group",)

    def __init__(self, group: Group | None = None) -> None:
        """Without a group, the best one is looked up when it is first needed: most games never need it."""
        self._group = group

    @property
    def group(self) -> Group:
        """The group to compute in."""
        if self._group is None:
            self._group = best_group()
        return self._group

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

    __slots__ = ("_checker",)

    def __init__(self, checker: ProofChecker) -> None:
        """Replaces a checker, in the same group."""
        self._checker = checker

    @property
    def group(self) -> Group:
        """The other checker's group."""
        return self._checker.group

    def knows(self, context: bytes, point: bytes, proof: bytes) -> bool:
        """They were checked before."""
        return True

    def same(self, context: bytes, key: bytes, points: Sequence[bytes], shares: Sequence[bytes], proof: bytes) -> bool:
        """They were checked before."""
        return True

    def shuffle_fault(
        self, context: bytes, key: bytes, before: Sequence[Card], after: bytes, proof: bytes
    ) -> str | None:
        """They were checked before."""
        return None
