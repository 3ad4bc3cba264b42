"""Who checks the proofs of a deck. All of them, always; but a peer need not check again what it had checked and kept.

Specification: protocols.md, "Cards".
"""

from collections.abc import Sequence

from quadrille.net.cards.group import Group, best_group
from quadrille.net.cards.proofs import check_known, check_same
from quadrille.net.cards.shuffle import Card, check_shuffle


class ProofChecker:
    """Computes in a group, and says whether proofs hold."""

    __slots__ = ("_group",)

    def __init__(self, group: Group | None = None) -> None:
        """The best group there is is looked for when it is wanted: most games never do."""
        self._group = group

    @property
    def group(self) -> Group:
        """Where it computes."""
        if self._group is None:
            self._group = best_group()
        return self._group

    def knows(self, context: bytes, point: bytes, proof: bytes) -> bool:
        """Whether who made the proof knows the logarithm of the point."""
        return check_known(self.group, context, point, proof)

    def same(self, context: bytes, key: bytes, points: Sequence[bytes], shares: Sequence[bytes], proof: bytes) -> bool:
        """Whether the shares are the points, each times the secret of that key."""
        return check_same(self.group, context, key, points, shares, proof)

    def shuffle_fault(
        self, context: bytes, key: bytes, before: Sequence[Card], after: bytes, proof: bytes
    ) -> str | None:
        """Why the cards after are no shuffle of those before."""
        return check_shuffle(self.group, context, key, before, after, proof)


class Witness(ProofChecker):
    """Takes proofs as read: for one's own, and for what this peer had checked before it kept it."""

    __slots__ = ("_checker",)

    def __init__(self, checker: ProofChecker) -> None:
        """In the place of another, in the same group."""
        self._checker = checker

    @property
    def group(self) -> Group:
        """Where the other computes."""
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
