"""The games of a tournament's journal for a book of openings, and the tables of first moves in its report.

Only games in whole blocks count, as in the standing. The journal knows which moves were a given opening.
"""

from collections.abc import Callable
from typing import Final

from quadrille.ai.tournament.counting import CountedResults
from quadrille.ai.tournament.journals.book import openings_in
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.statistics import LEVEL
from quadrille.client.tournament.standings import TournamentStanding
from quadrille.client.tournament.ways import ReportTable
from quadrille.extras.study.commands.openings import LEAST, PLIES
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.tables import OpeningTable, SeatShare, book_notes, points, table_notes, title
from quadrille.extras.study.openings.tree import CountedGame
from quadrille.rules.errors import RulesError
from quadrille.rules.record import first_moves
from quadrille.rules.registry import game as game_of

#: Maximum positions of a proof, and rows of a table, in a report.
_POSITIONS: Final = 1000
_MOST_ROWS: Final = 60


def take_journal(
    book: OpeningBook, journal: Journal, results_counted: CountedResults, passing: Callable[[], None]
) -> None:
    """Count the games of a journal's whole blocks; `passing` is called after each."""
    given = openings_in(journal)
    contests = journal.plan().contests
    results = {result.game: result for result in results_counted.results}
    book.counts["beyond"] += results_counted.beyond
    trees = [book.tree(game_of(contest.game), dict(contest.options), contest.seats) for contest in contests]
    for number, game, record in journal.rows(("number", "id", "record")):
        if (result := results.get(game)) is None:
            continue
        book.meet(record)
        opening = given(number)
        moves = first_moves(record, len(opening) + book.plies)
        unit = journal.path.absolute(), result.block
        opened = CountedGame(moves, len(opening), result.halves, unit, result.moves or result.game)
        try:
            if moves[: len(opening)] != opening:
                raise RulesError("it does not begin with its opening")
            trees[result.contest].add(opened)
            book.counts["in_blocks"] += 1
        except RulesError as error:
            book.unusable(f"game {number} of {journal.path.name}: {error}")
        book.counts["left"] += any(result.faults)
        passing()


def section(standing: TournamentStanding, journal: Journal) -> list[str | ReportTable]:
    """Make the tables of a report; none before a block is complete."""
    if not standing.counted.results:
        return []
    book = OpeningBook(PLIES)
    take_journal(book, journal, standing.counted, lambda: None)
    trees = [tree for tree in book.ordered() if tree.games]
    parts = [part for tree in trees for part in _parts(OpeningTable(tree, LEAST, _POSITIONS))]
    return [*parts, f"{'. '.join([*book_notes(book), *book.named])}."]


def _parts(table: OpeningTable) -> list[str | ReportTable]:
    if table.tree.why_not:
        return [ReportTable((), (), title=title(table.tree)), f"{table.tree.why_not}."]
    rows = [_row(*row, seats=table.tree.first.seats) for row in table.rows()]
    head = ("", "games", f"points, {100 * LEVEL:g} %", "proven")
    sentences = [f"{sentence}." for sentence in table_notes(table)]
    if len(rows) > _MOST_ROWS:
        sentences.append(f"{len(rows) - _MOST_ROWS} more rows are not shown.")
    return [ReportTable(head, rows[:_MOST_ROWS], (0, 2), title(table.tree)), " ".join(sentences)]


def _row(indent: int, name: str, games: str, share_told: SeatShare | None, proven: str, *, seats: int) -> list[str]:
    where = f"seat {share_told[0] + 1}: " if share_told and seats > 2 else ""
    share = ", ".join(points(share_told[1])).replace(" - ", " to ") if share_told else ""
    return ["· " * indent + name, games, where + share, proven]
