"""The tables of a tournament: the standing as text, and as CSV (docs/protocols/journal.md, "Tables")."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from math import isfinite
from typing import Final

from quadrille.ai.tournament.results import FAULTS
from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.tables import cross_table
from quadrille.client.foreign import isolated, shown
from quadrille.client.reports import folded as folded
from quadrille.client.tournament.notes import error_text, is_rated, many, notes, unsaid
from quadrille.client.tournament.standings import TournamentStanding, ranks
from quadrille.client.tournament.standings import standing_of as standing_of
from quadrille.rules.drawing.plain_text import aligned

#: The columns of a pair.
PAIRS: Final = ("name", "other", "games", "ahead", "level", "behind", "score", "stronger")
#: Where a spreadsheet could see a formula: at the beginning of a cell, also one that it splits at other characters.
_FORMULA: Final = re.compile(r"""(?:(?<=[;,|"])|^)(?= *[=+\-@'\uff1d\uff0b\uff0d\uff20])""")


def text(standing: TournamentStanding) -> str:
    lines = [line for note in notes(standing) for line in folded(note)]
    absent = [
        line for name, why in standing.absent for line in folded(f"-  {isolated(name)}  has no part: {shown(why)}.")
    ]
    return "\n\n".join([_heading(standing), "\n".join([*aligned(list(_rows(standing)), 2), *absent]), "\n".join(lines)])


def _heading(standing: TournamentStanding) -> str:
    count = standing.counted.count
    games = ", ".join(f"{contest.game} for {contest.seats}" for contest in standing.plan.contests)
    blocks = f"{many(count.games, 'game')} in {many(count.blocks, 'complete block')}"
    return f"{games}, {standing.plan.contests[0].clock}: {blocks}."


def _rows(standing: TournamentStanding) -> Iterator[list[str]]:
    yield ["", "", "Elo", f"± {100 * LEVEL:g} %", "score", "games", "places", "faults", "ms a game"]
    yield from ([*cells.values()] for cells in standing_cells(standing, "-"))


def standing_cells(standing: TournamentStanding, dash: str) -> Iterator[dict[str, str]]:
    """Yield the cells of each entrant, best first; `dash` stands between its places."""
    ranked, names = ranks(standing), standing.names
    for entrant in standing.order:
        line, place = standing.line(entrant), ranked[entrant]
        yield {
            "rank": "-" if place is None else f"{place}.",
            "name": names[entrant],
            "elo": str(round(standing.ratings.elo[entrant])) if is_rated(standing, entrant) else "",
            "error": error_text(standing.ratings.error[entrant]) if is_rated(standing, entrant) else "",
            "score": "" if line.score is None else f"{line.score:.3f}",
            "games": str(line.games),
            "places": dash.join(map(str, line.by_place)),
            "faults": str(sum(map(len, line.faults.values()))),
            "time": f"{1000 * line.mean_time:.1f}",
        }


def standing_rows(standing: TournamentStanding) -> Iterator[Sequence[object]]:
    """Yield the names of the columns, then a row for each entrant, best first; the standing has durations of moves."""
    places, ranked = range(max(contest.seats for contest in standing.plan.contests)), ranks(standing)
    for number, entrant in enumerate(standing.order):
        line, moved, known = standing.line(entrant), standing.moves[entrant], standing.plan.entrants[entrant]
        row = {
            "rank": ranked[entrant],
            "name": known.name,
            "parameters": json.dumps(dict(known.parameters)) if known.parameters else "",
            "elo": _rounded(standing.ratings.elo[entrant] if line.games else None, 2),
            "error": _rounded(standing.ratings.error[entrant] if line.games else None, 2),
            "score": _rounded(line.score),
            "score_error": _rounded(line.error),
            "games": line.games,
            "seconds": _rounded(line.seconds),
            "move_median": _rounded(moved.within(0.5)),
            "move_p99": _rounded(moved.within(0.99)),
            "move_longest": _rounded(moved.longest),
            "judged": "no" if entrant in standing.unjudged else "yes",
            "kills": sum(kill.entrant == entrant for kill in standing.kills),
            **{f"fault_{fault}": len(line.faults.get(fault, ())) for fault in FAULTS},
            **{f"place_{place + 1}": line.places[place] for place in places},
        }
        if not number:
            yield [*row]
        yield [*row.values()]


def pair_rows(standing: TournamentStanding) -> Iterator[Sequence[object]]:
    """Yield the names of the columns, then a row for each entrant and each that it met, in the standing's order."""
    yield PAIRS
    met, names = cross_table(standing.counted.results, len(standing.plan.entrants)), standing.plan.entrants
    for row, column in permutations(standing.order, 2):
        if (meeting := met[row][column]).games:
            likely = None if unsaid(standing, row, column) else standing.ratings.superiority[row][column]
            games = meeting.games, meeting.ahead, meeting.level, meeting.behind
            yield names[row].name, names[column].name, *games, _rounded(meeting.score), _rounded(likely, 4)


def data_of(standing: TournamentStanding) -> dict[str, object]:
    """Return the tables of CSV and the notes as data for JSON."""
    data: dict[str, object] = {"notes": [*notes(standing)], "absent": dict(standing.absent)}
    for name, (head, *rows) in (("standing", standing_rows(standing)), ("pairs", pair_rows(standing))):
        data[name] = [dict(zip(map(str, head), row, strict=True)) for row in rows]
    return data


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV by RFC 4180; None is an empty cell."""
    file = io.StringIO(newline="")
    paper = csv.writer(file)
    for row in rows:  # an apostrophe keeps a foreign text from being a formula
        paper.writerow([_FORMULA.sub("'", shown(cell)) if isinstance(cell, str) else cell for cell in row])
    return file.getvalue()


def _rounded(value: float | None, digits: int = 6) -> float | None:
    return round(value, digits) if value is not None and isfinite(value) else None
