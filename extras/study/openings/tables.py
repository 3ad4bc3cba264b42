"""Tables of first moves as rows, as text and as data (extras/study/docs/openings.md), and sentences about them."""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from quadrille.client.reports import folded, heading, many
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.lines import OpeningLine, OpeningTable, proven_word
from quadrille.extras.study.openings.shares import LEVEL, MeanShare
from quadrille.extras.study.openings.tree import OpeningTree
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.match import Match

#: Columns that a line is indented for each free move after the first.
_INDENT: Final = 2
START: Final = "first position"
#: A seat, and its share.
SeatShare: TypeAlias = tuple[int, MeanShare]


def table_text(table: OpeningTable) -> str:
    """A table with its heading and its sentences."""
    rows = [["", "games", "player", "points", f"in {100 * LEVEL:g} of 100", "proven"]]
    for indent, name, games, told, proven in (row for line in table.starts for row in rows_of(line)):
        seat = [str(told[0] + 1), *points(told[1])] if told else ["", "", ""]
        rows.append([" " * (_INDENT * indent) + name, games, *seat, proven])
    said = [line for sentence in table_notes(table) for line in folded(f"{sentence}.")]
    lines = [f"{title(table.tree)}: {many(table.tree.games, 'game')}"]
    if not table.tree.why_not:
        lines += ["", *_aligned(rows)]
    return "\n".join([*lines, "", *said]).rstrip()


def _aligned(rows: list[list[str]]) -> list[str]:
    told = aligned([row[:-1] for row in rows], 1)
    width = max(map(len, told))
    return [f"{line.ljust(width)}  {row[-1]}".rstrip() for line, row in zip(told, rows, strict=True)]


def rows_of(line: OpeningLine) -> Iterator[tuple[int, str, str, SeatShare | None, str]]:
    """Yield a row for its seat, at larger tables one for each other seat, and the rows of the lines after it: steps to
    indent, name, games, a seat with its share, and what is proven.
    """
    yield max(0, line.depth - 1), name_of(line), str(line.games), (line.seat, line.share), proven_word(line.proven)
    for seat, one in enumerate(line.shares):
        if seat != line.seat and len(line.shares) > 2:
            yield 0, "", "", (seat, one), ""
    for after in line.after:
        yield from rows_of(after)
    if line.rare[0]:
        yield line.depth, many(line.rare[0], "rarer move"), str(line.rare[1]), None, ""


def data(book: OpeningBook, tables: list[OpeningTable], *, others: int, stopped: bool) -> dict[str, Any]:
    """All tables as data."""
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


# Sentences


def title(tree: OpeningTree) -> str:
    """The table in short: `Barons, 2 players, 5 x 5`."""
    return heading(Match(tree.first.game, tree.first.options.plain(), tree.first.seats))


def name_of(line: OpeningLine) -> str:
    """The move of a line with its number in the game, or its start."""
    if line.depth:
        return f"{len(line.moves)}. {line.moves[-1]}"
    return f"given: {' '.join(line.moves)}" if line.moves else START


def points(share: MeanShare) -> tuple[str, str]:
    """A share and its interval; `?` if too few games tell."""
    sure = "?" if share.low is None or share.high is None else f"{share.low:.2f} - {share.high:.2f}"
    return f"{share.mean:.2f}", sure


def table_notes(table: OpeningTable) -> list[str]:
    """Sentences about a table, without their full stops."""
    tree = table.tree
    if tree.why_not:
        return [tree.why_not]
    said = []
    if tree.symmetric:
        said.append("A line also counts the images of its moves by the symmetries of the board, and shows one of them")
    if tree.given:
        rare = ""
        if table.rare[0]:
            which = f"{many(table.rare[0], 'opening')}, with {many(table.rare[1], 'game')} in all,"
            rare = f"; {which} {_are(table.rare[0])} too rare to be shown"
        said.append(
            f"{many(tree.given, 'game')} began with given moves, which nobody chose: each such opening stands by itself"
            + rare
        )
    if tree.unmoved:
        said.append(f"{many(tree.unmoved, 'game')} ended before anybody chose a move")
    if tree.repeated:
        said.append(
            f"{many(tree.repeated, 'game')} {'repeats' if tree.repeated == 1 else 'repeat'} another move by move and "
            f"{'tells' if tree.repeated == 1 else 'tell'} nothing new: the intervals are too narrow for that"
        )
    return said


def book_notes(book: OpeningBook) -> list[str]:
    """Sentences about all games, without their full stops."""
    said = []
    if book.games:
        said.append(
            "Points are the mover's: 1 for a win, a half for a shared place. Intervals hold the truth in "
            f"{100 * LEVEL:g} of 100 cases, from the scatter of {_units(book)}"
        )
    counts = (
        (book.beyond, "ended game", "in an incomplete block", "does not count", "do not count"),
        (book.unfinished, "game", "", "is not finished and does not count", "are not finished and do not count"),
        (
            book.left,
            "game",
            "",
            "was left by a seat and counts as it ended",
            "were left by a seat and count as they ended",
        ),
        (book.copies, "record", "", "is the same as another and counts once", "are the same as others and count once"),
    )
    for count, what, where, one, more in counts:
        if count:
            said.append(" ".join(filter(None, (many(count, what), where, one if count == 1 else more))))
    return said


def _units(book: OpeningBook) -> str:
    parts = []
    if book.in_blocks:
        parts.append(f"whole blocks ({many(book.in_blocks, 'game')})")
    if book.single:
        parts.append(f"single games ({book.single})")
    return " and ".join(parts)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
