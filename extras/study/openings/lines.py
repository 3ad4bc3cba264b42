"""The lines of a table of first moves, as values; tables.py and a tournament's report show them."""

from collections.abc import Callable
from typing import TypeAlias

from quadrille.client.value import value
from quadrille.extras.study.openings.shares import MeanShare
from quadrille.extras.study.openings.tree import MoveNode, OpeningTree


@value
class ProvenPayoff:
    """The payoffs that a seat of two can get with perfect play: from `least` to `most`, 1 for a win, 0 for a share."""

    least: int
    most: int

    def of(self, seat: int, other: int) -> "ProvenPayoff":
        """The same for a seat, if this is about `other`."""
        return self if seat == other else ProvenPayoff(-self.most, -self.least)


#: Tells what is proven about a position of a tree; None if nothing is.
Proofs: TypeAlias = Callable[[MoveNode], ProvenPayoff | None]


@value
class OpeningLine:
    """A move of the tree, or a start of games; `moves` are all its moves from the first position on.

    `depth` counts the free moves, 0 at a start, where `seat` is the one to move; else it made the last move. `after`
    are the lines of next moves. `rare` are the numbers of other next moves, and of their games, which are too few.
    """

    moves: tuple[str, ...]
    depth: int
    seat: int
    games: int
    shares: tuple[MeanShare, ...]
    proven: ProvenPayoff | None
    after: "tuple[OpeningLine, ...]"
    rare: tuple[int, int]

    @property
    def share(self) -> MeanShare:
        """That of its seat."""
        return self.shares[self.seat]


@value
class OpeningTable:
    """The starts of games at equal tables, with all lines after them. `rare` are the numbers of given openings, and of
    their games, which are too few.
    """

    tree: OpeningTree
    starts: tuple[OpeningLine, ...]
    rare: tuple[int, int]


def table_of(
    tree: OpeningTree, least: int, proven: Proofs, passing: Callable[[int], None] | None = None
) -> OpeningTable:
    """The lines of at least so many games; the usual start is there however few it has. `passing` gets their number
    after each.
    """
    told = 0

    def line(node: MoveNode, depth: int) -> OpeningLine:
        nonlocal told
        after = [line(one, depth + 1) for one in node.ordered() if one.games >= least]
        rare = [one.games for one in node.after.values() if one.games < least]
        moves = tree.texts(node.steps)
        told += 1
        if passing:
            passing(told)
        return OpeningLine(
            moves, depth, node.seat, node.games, node.shares(), proven(node), tuple(after), (len(rare), sum(rare))
        )

    few = [start.games for start in tree.ordered() if start.steps and start.games < least]
    starts = [line(start, 0) for start in tree.ordered() if not start.steps or start.games >= least]
    return OpeningTable(tree, tuple(starts), (len(few), sum(few)))


def proven_word(proven: ProvenPayoff | None) -> str:
    """The result of a seat with perfect play in a word or two; "" if it is open."""
    if proven is None:
        return ""
    if proven.least == proven.most:
        return {1: "wins", 0: "ties", -1: "loses"}[proven.least]
    return "at least ties" if proven.least == 0 else "at most ties"
