"""The lines of a table of first moves, as values and as data for JSON; text.py and a tournament's report show them."""

from collections.abc import Callable
from typing import Any

from quadrille.ai.tournament.statistics.shares import LEVEL, MeanShare
from quadrille.client.openings.book import OpeningBook
from quadrille.client.openings.proved import BoundedProofs, ProvenPayoff
from quadrille.client.openings.tree import MoveNode, OpeningTree
from quadrille.client.value import value


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
    tree: OpeningTree, least: int, proofs: BoundedProofs, passing: Callable[[int], None] | None = None
) -> OpeningTable:
    """The lines of at least so many games; the usual start is there however few it has. `passing` gets their number
    after each.
    """
    told = 0

    def line(node: MoveNode, depth: int) -> OpeningLine:
        nonlocal told
        after = [line(one, depth + 1) for one in node.ordered() if one.games >= least]
        rare = [one.games for one in node.after.values() if one.games < least]
        moves, proven = tree.texts(node.steps), proofs.of(node)
        told += 1
        if passing:
            passing(told)
        return OpeningLine(
            moves, depth, node.seat, node.games, node.shares(), proven, tuple(after), (len(rare), sum(rare))
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


def data(book: OpeningBook, tables: list[OpeningTable], *, others: int, stopped: bool) -> dict[str, Any]:
    """All tables as data (docs/protocols/journal.md, "Openings as JSON")."""
    return {
        "games": book.games,
        "in_blocks": book.in_blocks,
        "single": book.single,
        "beyond": book.beyond,
        "unfinished": book.unfinished,
        "left": book.left,
        "copies": book.copies,
        "damaged": book.damaged,
        "others": others,
        "stopped": stopped,
        "level": LEVEL,
        "plies": book.plies,
        "tables": [_table_data(table) for table in tables],
    }


def _table_data(table: OpeningTable) -> dict[str, Any]:
    tree = table.tree
    return {
        "game": tree.first.game.key,
        "options": tree.first.options.plain(),
        "seats": tree.first.seats,
        "games": tree.games,
        "given": tree.given,
        "unmoved": tree.unmoved,
        "repeated": tree.repeated,
        "why_not": tree.why_not or None,
        "rare": {"openings": table.rare[0], "games": table.rare[1]},
        "starts": [_line_data(line) for line in table.starts],
    }


def _line_data(line: OpeningLine) -> dict[str, Any]:
    given = len(line.moves) - line.depth
    return {
        "given": list(line.moves[:given]),
        "moves": list(line.moves[given:]),
        "seat": line.seat,
        "games": line.games,
        "shares": [
            {"units": one.units, "share": _rounded(one.mean), "low": _rounded(one.low), "high": _rounded(one.high)}
            for one in line.shares
        ],
        "proven": None if line.proven is None else [line.proven.least, line.proven.most],
        "rare": {"moves": line.rare[0], "games": line.rare[1]},
        "after": [_line_data(one) for one in line.after],
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
