"""The games of a tournament's journal for a book of openings, and the tables of first moves in its report.

Only games in whole blocks count, as in the standing. The journal knows which moves were a given opening.
"""

from collections.abc import Callable
from typing import Final

from quadrille.ai.tournament.counting import CountedResults
from quadrille.ai.tournament.journals.book import openings_in
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.tournament.html_table import Html, safe, table
from quadrille.client.tournament.standings import TournamentStanding
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.lines import OpeningTable, table_of
from quadrille.extras.study.openings.proved import BoundedProofs
from quadrille.extras.study.openings.shares import LEVEL
from quadrille.extras.study.openings.tables import SeatShare, book_notes, points, rows_of, table_notes, title
from quadrille.extras.study.openings.tree import CountedGame
from quadrille.rules.errors import RulesError
from quadrille.rules.record import first_moves
from quadrille.rules.registry import game as game_of

#: Moves that a report follows, minimum games of a line, positions of a proof, and maximum rows of a table.
_PLIES: Final = 2
_LEAST: Final = 10
_POSITIONS: Final = 1000
_MOST_ROWS: Final = 60


def take_journal(book: OpeningBook, journal: Journal, found: CountedResults, passing: Callable[[], None]) -> None:
    """Count the games of a journal's whole blocks; `passing` is called after each."""
    given = openings_in(journal)
    contests = journal.plan().contests
    results = {result.game: result for result in found.results}
    book.beyond += found.beyond
    trees = [book.tree(game_of(one.game), dict(one.options), one.seats) for one in contests]
    for outcome in journal.outcomes():
        if (result := results.get(outcome.result.game)) is None:
            continue
        book.meet(outcome.record)
        opening = given(outcome.number)
        moves = first_moves(outcome.record, len(opening) + book.plies)
        unit = journal.path.absolute(), result.block
        opened = CountedGame(moves, len(opening), result.halves, unit, result.moves or result.game)
        try:
            if moves[: len(opening)] != opening:
                raise RulesError("it does not begin with its opening")
            book.take(trees[result.contest], opened, in_block=True)
        except RulesError as error:
            book.unusable(f"game {outcome.number} of {journal.path.name}: {error}")
        book.left += any(result.faults)
        passing()


def section(one: TournamentStanding, journal: Journal) -> str:
    """The tables of a report; "" before a block is complete."""
    if not one.counted.results:
        return ""
    book = OpeningBook(_PLIES)
    take_journal(book, journal, one.counted, lambda: None)
    parts = [_table(table_of(tree, _LEAST, BoundedProofs(_POSITIONS).of)) for tree in book.ordered() if tree.games]
    said = [*book_notes(book), *book.named]
    return "".join(parts) + f"<p>{safe('. '.join(said))}.</p>"


def _table(found: OpeningTable) -> str:
    if found.tree.why_not:
        return f"<h3>{safe(title(found.tree))}</h3><p>{safe(found.tree.why_not)}.</p>"
    rows = [_row(*row, seats=found.tree.first.seats) for line in found.starts for row in rows_of(line)]
    head = ("", "games", Html(f"points, {100 * LEVEL:g}&nbsp;%"), "proven")
    said = [f"{sentence}." for sentence in table_notes(found)]
    if len(rows) > _MOST_ROWS:
        said.append(f"{len(rows) - _MOST_ROWS} more rows are not shown.")
    drawn = table(head, rows[:_MOST_ROWS], left=(0, 2), fits=True)
    return f"<h3>{safe(title(found.tree))}</h3>{drawn}<p>{safe(' '.join(said))}</p>"


def _row(indent: int, name: str, games: str, told: SeatShare | None, proven: str, *, seats: int) -> list[str]:
    where = f"seat {told[0] + 1}: " if told and seats > 2 else ""
    share = ", ".join(points(told[1])).replace(" - ", "&nbsp;to&nbsp;") if told else ""
    return [Html("&ensp;" * indent + safe(name)), games, Html(where + share), proven]
