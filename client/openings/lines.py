"""The lines of a table of first moves, as values and as data for JSON; text.py and a tournament's report show them."""

from collections.abc import Callable, Iterator
from typing import Any

from quadrille.ai.tournament.statistics.shares import LEVEL, MeanShare
from quadrille.client.openings.book import OpeningBook
from quadrille.client.openings.proved import BoundedProofs, ProvenPayoff
from quadrille.client.openings.tree import MoveNode, OpeningTree
from quadrille.client.value import value


@value
class OpeningLine:
    """A move of the tree, or a start of games; `moves` are all its moves from the first position on.

    `depth` counts the free moves, 0 at a start, where `seat` is the one to move; else it made the last move. `hidden`
    are the numbers of next moves, and of their games, that are too rare to be shown.
    """

    moves: tuple[str, ...]
    depth: int
    seat: int
    games: int
    shares: tuple[MeanShare, ...]
    proven: ProvenPayoff | None
    hidden: tuple[int, int]

    @property
    def share(self) -> MeanShare:
        """That of its seat."""
        return self.shares[self.seat]


@value
class OpeningTable:
    """The lines of games at equal tables, each before those after it; `rare` are the numbers of given openings, and of
    their games, that are too rare to be shown.
    """

    tree: OpeningTree
    lines: tuple[OpeningLine, ...]
    rare: tuple[int, int]


def table_of(
    tree: OpeningTree, least: int, proofs: BoundedProofs, passing: Callable[[int], None] = lambda lines: None
) -> OpeningTable:
    """The lines of at least so many games; the usual start is there however few it has. `passing` is called after each
    line with their number.
    """
    lines: list[OpeningLine] = []
    rare = [start for start in tree.ordered() if start.steps and start.games < least]
    for start in tree.ordered():
        if not start.steps or start.games >= least:
            for line in _below(tree, start, 0, least, proofs):
                lines.append(line)
                passing(len(lines))
    return OpeningTable(tree, tuple(lines), (len(rare), sum(start.games for start in rare)))


def _below(tree: OpeningTree, node: MoveNode, depth: int, least: int, proofs: BoundedProofs) -> Iterator[OpeningLine]:
    after = node.ordered()
    shown = [one for one in after if one.games >= least]
    hidden = len(after) - len(shown), sum(one.games for one in after if one.games < least)
    moves = tree.texts(node.steps)
    yield OpeningLine(moves, depth, node.seat, node.games, node.shares(), proofs.of(node), hidden)
    for one in shown:
        yield from _below(tree, one, depth + 1, least, proofs)


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
        "lines": [_line_data(line) for line in table.lines],
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
        "hidden": {"moves": line.hidden[0], "games": line.hidden[1]},
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
