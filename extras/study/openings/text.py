"""Tables of first moves as text, and the sentences about what they count."""

from typing import Final

from quadrille.client.reports import heading, many
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.lines import OpeningLine, OpeningTable
from quadrille.extras.study.openings.shares import LEVEL, MeanShare
from quadrille.extras.study.openings.tree import OpeningTree
from quadrille.rules.match import Match

START: Final = "first position"


def title(tree: OpeningTree) -> str:
    """The table in short: `Barons, 2 players, 5 x 5`."""
    return heading(Match(tree.first.game, tree.first.options.plain(), tree.first.seats))


def name_of(line: OpeningLine) -> str:
    """The move of a line with its number in the game, or its start."""
    if line.depth:
        return f"{len(line.moves)}. {line.moves[-1]}"
    return f"given: {' '.join(line.moves)}" if line.moves else START


def rare_text(line: OpeningLine) -> str:
    """How many next moves have too few games."""
    return many(line.rare[0], "rarer move")


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
