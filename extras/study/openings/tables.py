"""Tables of first moves as rows, as text and as data (extras/study/docs/openings.md), and sentences about them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.shares import MeanShare
from quadrille.client.reports import folded, heading, many
from quadrille.extras.study.openings.book import COUNTS, OpeningBook
from quadrille.extras.study.openings.tree import BoundedProofs, MoveNode, OpeningTree, ProvenPayoff
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.match import Match

#: Columns that a line is indented for each free move after the first.
_INDENT: Final = 2
START: Final = "first position"
#: The sentence for one entry of each kind that is left out, and for several.
_LEFT_OUT: Final = {
    "beyond": ("ended game", "in an incomplete block does not count", "in an incomplete block do not count"),
    "unfinished": ("game", "is not finished and does not count", "are not finished and do not count"),
    "left": ("game", "was left by a seat and counts as it ended", "were left by a seat and count as they ended"),
    "copies": ("record", "is the same as another and counts once", "are the same as others and count once"),
}
#: A seat, and its share.
SeatShare: TypeAlias = tuple[int, MeanShare]


class OpeningTable:
    """The starts of games at equal tables, with all lines after them that enough games took.

    The usual start is there however few games it has. `rare` are the numbers of given openings, and of their games,
    which are too few. A proof takes at most these `positions`, and `passing` gets the number of each line before it.
    """

    def __init__(
        self, tree: OpeningTree, least: int, positions: int, passing: Callable[[int], None] = lambda _: None
    ) -> None:
        self.tree, self.least = tree, least
        nodes = tree.ordered()
        self.starts = [start for start in nodes if not start.steps or start.games >= least]
        few = [start.games for start in nodes if start not in self.starts]
        self.rare = len(few), sum(few)
        self.proven: dict[MoveNode, ProvenPayoff | None] = {}
        proofs = BoundedProofs(positions)

        def prove(node: MoveNode) -> None:
            """Prove the positions after this one first: their proofs help this one."""
            for after in node.frequent(least):
                prove(after)
            passing(len(self.proven) + 1)
            self.proven[node] = proofs.of(node)

        for start in self.starts:
            prove(start)

    def rows(
        self, nodes: Sequence[MoveNode] | None = None, depth: int = 0
    ) -> Iterator[tuple[int, str, str, SeatShare | None, str]]:
        """Yield a row for each position, and at larger tables one for each other seat: steps to indent, name, games, a
        seat with its share, and what is proven.
        """
        for node in self.starts if nodes is None else nodes:
            shares, moves, proven = node.shares(), node.moves, self.proven[node]
            name = f"{len(moves)}. {moves[-1]}" if depth else f"given: {' '.join(moves)}" if moves else START
            yield max(0, depth - 1), name, str(node.games), (node.seat, shares[node.seat]), str(proven or "")
            for seat, share in enumerate(shares):
                if seat != node.seat and len(shares) > 2:
                    yield 0, "", "", (seat, share), ""
            yield from self.rows(node.frequent(self.least), depth + 1)
            rarer, games = node.moves_below_threshold(self.least)
            if rarer:
                yield depth, many(rarer, "rarer move"), str(games), None, ""

    def data(self) -> dict[str, Any]:
        tree = self.tree
        return {
            "game": tree.first.game.key,
            "options": tree.first.options.plain(),
            "seats": tree.first.seats,
            "games": tree.games,
            "given": tree.given,
            "unmoved": tree.unmoved,
            "repeated": tree.repeated,
            "why_not": tree.why_not or None,
            "rare": {"openings": self.rare[0], "games": self.rare[1]},
            "starts": [self._data(start, len(start.steps)) for start in self.starts],
        }

    def _data(self, node: MoveNode, given: int) -> dict[str, Any]:
        moves, proven, (rare, games) = node.moves, self.proven[node], node.moves_below_threshold(self.least)
        return {
            "given": list(moves[:given]),
            "moves": list(moves[given:]),
            "seat": node.seat,
            "games": node.games,
            "shares": [
                {"units": one.units, "share": _rounded(one.mean), "low": _rounded(one.low), "high": _rounded(one.high)}
                for one in node.shares()
            ],
            "proven": proven and list(proven),
            "rare": {"moves": rare, "games": games},
            "after": [self._data(share, given) for share in node.frequent(self.least)],
        }


def table_text(table: OpeningTable) -> str:
    """Lay out a table with its heading and its sentences."""
    rows = [["", "games", "player", "points", f"in {100 * LEVEL:g} of 100", "proven"]]
    for indent, name, games, share, proven in table.rows():
        seat = [str(share[0] + 1), *points(share[1])] if share else ["", "", ""]
        rows.append([" " * (_INDENT * indent) + name, games, *seat, proven])
    notes = [line for sentence in table_notes(table) for line in folded(f"{sentence}.")]
    lines = [f"{title(table.tree)}: {many(table.tree.games, 'game')}"]
    if not table.tree.why_not:
        lines += ["", *_aligned(rows)]
    return "\n".join([*lines, "", *notes]).rstrip()


def _aligned(rows: list[list[str]]) -> list[str]:
    lines = aligned([row[:-1] for row in rows], 1)
    width = max(map(len, lines))
    return [f"{line.ljust(width)}  {row[-1]}".rstrip() for line, row in zip(lines, rows, strict=True)]


def data(book: OpeningBook, tables: list[OpeningTable], *, others: int, stopped: bool) -> dict[str, Any]:
    return {
        "games": book.games,
        **{name: book.counts[name] for name in COUNTS},
        "others": others,
        "stopped": stopped,
        "level": LEVEL,
        "plies": book.plies,
        "tables": [table.data() for table in tables],
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


# Sentences


def title(tree: OpeningTree) -> str:
    """Write the table in short: `Barons, 2 players, 5 x 5`."""
    return heading(Match(tree.first.game, tree.first.options.plain(), tree.first.seats))


def points(share: MeanShare) -> tuple[str, str]:
    """Write a share and its interval; `?` if too few games tell."""
    sure = "?" if share.low is None or share.high is None else f"{share.low:.2f} - {share.high:.2f}"
    return f"{share.mean:.2f}", sure


def table_notes(table: OpeningTable) -> list[str]:
    """Return sentences about a table, without their full stops."""
    tree = table.tree
    if tree.why_not:
        return [tree.why_not]
    sentences = []
    if len(tree.first.symmetries) > 1:
        sentences.append(
            "A line also counts the images of its moves by the symmetries of the board, and shows one of them"
        )
    if tree.given:
        rare = ""
        if table.rare[0]:
            which = f"{many(table.rare[0], 'opening')}, with {many(table.rare[1], 'game')} in all,"
            rare = f"; {which} {'is' if table.rare[0] == 1 else 'are'} too rare to be shown"
        sentences.append(
            f"{many(tree.given, 'game')} began with given moves, which nobody chose: each such opening stands by itself"
            + rare
        )
    if tree.unmoved:
        sentences.append(f"{many(tree.unmoved, 'game')} ended before anybody chose a move")
    if tree.repeated:
        sentences.append(
            f"{many(tree.repeated, 'game')} {'repeats' if tree.repeated == 1 else 'repeat'} another move by move and "
            f"{'tells' if tree.repeated == 1 else 'tell'} nothing new: the intervals are too narrow for that"
        )
    return sentences


def book_notes(book: OpeningBook) -> list[str]:
    """Return sentences about all games, without their full stops."""
    sentences = []
    if book.games:
        sentences.append(
            "Points are the mover's: 1 for a win, a half for a shared place. Intervals hold the truth in "
            f"{100 * LEVEL:g} of 100 cases, from the scatter of {_units(book)}"
        )
    for name, (what, singular, more) in _LEFT_OUT.items():
        if count := book.counts[name]:
            sentences.append(f"{many(count, what)} {singular if count == 1 else more}")
    return sentences


def _units(book: OpeningBook) -> str:
    blocks, single = book.counts["in_blocks"], book.counts["single"]
    parts = (f"whole blocks ({many(blocks, 'game')})" * bool(blocks), f"single games ({single})" * bool(single))
    return " and ".join(filter(None, parts))
