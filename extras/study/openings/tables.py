"""Tables of first moves as text and as data (extras/study/docs/openings.md)."""

from collections.abc import Iterator
from typing import Any, Final

from quadrille.client.reports import folded, many
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.lines import OpeningLine, OpeningTable, proven_word
from quadrille.extras.study.openings.shares import LEVEL
from quadrille.extras.study.openings.text import name_of, points, rare_text, table_notes, title
from quadrille.rules.drawing.plain_text import aligned

#: Columns that a line is indented for each free move after the first.
_INDENT: Final = 2


def table_text(table: OpeningTable) -> str:
    """A table with its heading and its sentences."""
    rows = [["", "games", "player", "points", f"in {100 * LEVEL:g} of 100", "proven"]]
    rows += [row for line in table.starts for row in _rows(line)]
    said = [line for sentence in table_notes(table) for line in folded(f"{sentence}.")]
    lines = [f"{title(table.tree)}: {many(table.tree.games, 'game')}"]
    if not table.tree.why_not:
        lines += ["", *_aligned(rows)]
    return "\n".join([*lines, "", *said]).rstrip()


def _aligned(rows: list[list[str]]) -> list[str]:
    told = aligned([row[:-1] for row in rows], 1)
    width = max(map(len, told))
    return [f"{line.ljust(width)}  {row[-1]}".rstrip() for line, row in zip(told, rows, strict=True)]


def _rows(line: OpeningLine) -> Iterator[list[str]]:
    """A row for its seat, at larger tables one for each other seat, and the rows of the lines after it."""
    indent = " " * (_INDENT * max(0, line.depth - 1))
    share, sure = points(line.share)
    name = f"{indent}{name_of(line)}" if line.depth else name_of(line)
    yield [name, str(line.games), str(line.seat + 1), share, sure, proven_word(line.proven)]
    for seat, one in enumerate(line.shares):
        if seat != line.seat and len(line.shares) > 2:
            yield ["", "", str(seat + 1), *points(one), ""]
    for after in line.after:
        yield from _rows(after)
    if line.rare[0]:
        below = " " * (_INDENT * line.depth)
        yield [f"{below}{rare_text(line)}", str(line.rare[1]), "", "", "", ""]


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
