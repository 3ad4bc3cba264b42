"""The report of a tournament: one HTML page without other files, from the verdict down to every move of every game.

The spectator's part comes first, then the author's; the rest is folded. report.html beside this module reads the
standing and the games, and escapes all texts. The report can be made from the journal at any time. The charts are
measured here, and report.html draws them as inline SVG. See replays.py for its games, and client/picture/page.py for
the film and the page around it.
"""

import platform
import shlex
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, Final

from quadrille import __version__
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_text import written
from quadrille.ai.tournament.results import half_points
from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.ratings import elo as elo_of_results
from quadrille.ai.tournament.statistics.tables import cross_table, seat_table
from quadrille.client.picture.film import FilmedMatch, happened
from quadrille.client.picture.glyphs import definitions
from quadrille.client.picture.page import FilmParts, document, parts, picture, style, template
from quadrille.client.tournament.inspection import last_lines
from quadrille.client.tournament.notes import error_text, is_rated, many, notes, percent, unsaid
from quadrille.client.tournament.progress import give_or_take
from quadrille.client.tournament.replays import MOST_GAMES, ReplayableGames, choose, stage_of
from quadrille.client.tournament.standings import TournamentStanding, standing_of
from quadrille.client.tournament.tables import standing_cells
from quadrille.client.tournament.ways import ReportTable, TournamentWay
from quadrille.client.words.story import sentence, stopped
from quadrille.rules.core import ToMove
from quadrille.rules.match import Match

_PAPER: Final = "tournament/report.html"
STYLE: Final = "report.css", "quadrille.client.tournament"
#: Points of the Elo over time, and entrants that stand at the top.
_POINTS: Final = 12
_LEADERS: Final = 3
#: Maximum rows of a table of all entrants against each other, and of other tables.
_WIDEST: Final = 40
_MOST_ROWS: Final = 200
_SHADES: Final = 9


def title_of(path: Path) -> str:
    return f"Tournament {path.stem}"


def page(
    journal: Journal,
    most: int = MOST_GAMES,
    *,
    standing: TournamentStanding | None = None,
    ways: Sequence[TournamentWay] = (),
    live: str = "",
    follows: str = "",
) -> str:
    """Return the page; pass the standing with the durations of moves as `standing` if it is at hand. `live` is the
    version and `follows` the script of a page that is kept up to date.
    """
    standing = standing or standing_of(journal)
    chosen = choose(journal, most, standing.ratings.expected)
    last = chosen.outcomes[0].number if chosen.outcomes else None
    first = chosen.surprise[0] if chosen.surprise else last
    shows = stage_of(sorted(chosen.outcomes, key=lambda outcome: outcome.number != first), standing.names)
    leaders = [] if standing.is_unranked else [who for who in standing.order if standing.line(who).games]
    results = standing.counted.results
    values = {
        "standing": standing,
        "order": standing.order,
        "names": standing.names,
        "chosen": chosen,
        "last": last,
        "here": {outcome.number for outcome in chosen.outcomes},
        "notes": [*notes(standing), _basis(standing)],
        "leaders": leaders[:_LEADERS],
        "level": f"{100 * LEVEL:g}",
        "rows": _rows(standing) if results else [],
        "sure": give_or_take,
        "met": cross_table(results, len(standing.names)) if results and len(standing.order) <= _WIDEST else [],
        "likely": partial(_likely, standing),
        "shades": _SHADES,
        "faults": [
            (name, fault, games)
            for name, line in zip(standing.names, standing.counted.count.tallies, strict=True)
            for fault, games in sorted(line.faults.items())
        ],
        "seats": seat_table(results),
        "worth": _worth(standing),
        "course": _course(standing),
        "teams": teams(standing, journal),
        "sections": [section for way in ways for section in way.sections(standing, journal)],
        **_folded(standing, journal, chosen),
    }
    return _page(title_of(journal.path), values, shows, live=live, follows=follows)


def running_part(sentence: str, games: Sequence[Mapping[str, Any]], over: str = "") -> str:
    """Return the part of a live page that tells how far the run is, and shows games; `over` marks its end."""
    paper = template(_PAPER)
    return "".join(paper.blocks["now"](paper.new_context({"told": sentence, "over": over, "now": games}))).strip()


def running_game(match: Match, players: Sequence[str], number: int) -> dict[str, Any]:
    """Return a game which is being played, as the match's viewer sees it."""
    filmed = FilmedMatch(match, match.viewer, players)
    names, drawn = filmed.players, picture(filmed, match.length, within=True)
    seat, move_text = happened(filmed, match.length - 1, match.entries[-1]) if match.entries else (-1, "")
    return {
        "number": number,
        "who": " – ".join(names),
        "last": stopped(f"{names[seat]}: {move_text}") if seat >= 0 else move_text and sentence(move_text),
        "turn": names[match.pending.seat] if isinstance(match.pending, ToMove) else "",
        "drawn": f"{parts().symbols(definitions([drawn]))}{drawn}",
    }


def waiting_page(path: Path, reason: str, *, live: str, follows: str) -> str:
    """Return the live page of a journal without a game."""
    return _page(title_of(path), {"waits": reason}, None, live=live, follows=follows)


def _page(title: str, values: Mapping[str, Any], shows: FilmParts | None, *, live: str, follows: str) -> str:
    body = template(_PAPER).render({"waits": "", "now": None, "told": "", **values}, title=title, film=shows, live=live)
    return document(title, body, style(*STYLE), plays=shows is not None, follows=follows)


def _basis(standing: TournamentStanding) -> str:
    count = standing.counted.count
    return (
        f"{many(count.games, 'game')} in {many(count.blocks, 'complete block')} count: each start is played in seats "
        f"that are exactly balanced. Error bars hold the truth in {100 * LEVEL:g} of 100 cases."
    )


def _rows(standing: TournamentStanding) -> list[tuple[int, dict[str, str], dict[str, float] | None]]:
    """Return for each entrant its cells, and the bar of its Elo where that is shown."""
    values = [[row[entrant] for entrant in standing.order] for row in (standing.ratings.elo, standing.ratings.error)]
    return [
        (entrant, cells, bar if is_rated(standing, entrant) else None)
        for entrant, cells, bar in zip(
            standing.order, standing_cells(standing, " – "), error_bars(*values), strict=True
        )
    ]


def _likely(standing: TournamentStanding, row: int, column: int) -> str:
    """Say in percent how likely an entrant is stronger than another, if blocks are enough for that."""
    return "?" if unsaid(standing, row, column) else percent(standing.ratings.superiority[row][column])


def _worth(standing: TournamentStanding) -> dict[tuple[int, int], str]:
    """Say what each seat of each contest is worth in Elo."""
    effects = standing.ratings.seat_effects
    return {(row.contest, row.seat): f"{row.elo:+.0f} ± {error_text(row.error)}" for row in effects}


def _folded(standing: TournamentStanding, journal: Journal, chosen: ReplayableGames) -> dict[str, Any]:
    names, voids = standing.names, journal.voids()
    rows = (journal.outcome(number) for number in chosen.faulty[-_MOST_ROWS:])
    whys = [
        (outcome.number, names[entrant], why)
        for outcome in filter(None, rows)
        for entrant, why in zip(outcome.result.seats, outcome.whys, strict=True)
        if why
    ]
    hosts = [
        (name, f"{host.speed:.2f}", str(games), f"{1000 * host.seconds / games:.1f}", str(host.faults))
        for name, host in standing.hosts.items()
        if (games := len(host.speeds))
    ]
    held = [
        (name, host, *box.partition(": ")[::2], str(games))
        for name, boxes in zip(names, standing.boxes, strict=False)
        for (box, host), games in sorted(boxes.items())
    ]
    python = f"{platform.python_version()}, {platform.system()} {platform.machine()}"
    terms = [*written(standing.plan.plain()), ("Quadrille", __version__), ("Python", python)]
    again = [(str(number), reason) for number, _, reason in voids[-_MOST_ROWS:]]
    return {
        "whys": whys[-_MOST_ROWS:],
        "moves": _moves(standing),
        "same": sorted(standing.duplicates.groups, key=len, reverse=True)[:20],
        "machines": ReportTable(("machine", "speed", "games", "ms a game, in all", "faults"), hosts, (0,)),
        "often": "Once" if len(voids) == 1 else f"{len(voids)} times",
        "again": ReportTable(("game", "why"), again, (1,)),
        "held": ReportTable(("bot", "machine", "isolated by", "why no more", "games"), held, (0, 1, 2, 3)),
        "file": shlex.quote(journal.path.with_suffix(".toml").name),
        "terms": ReportTable(("what", "value"), terms, (0, 1)),
    }


def _moves(standing: TournamentStanding) -> ReportTable | None:
    rows = []
    for entrant in standing.order:
        line, moves = standing.line(entrant), standing.moves[entrant]
        times = (line.mean_time, line.longest, moves.within(0.5), moves.within(0.99), moves.longest)
        game, most, *move = ("" if time is None else f"{1000 * time:.3g}" for time in times)
        rows.append((standing.names[entrant], game, most, str(moves.count), *move))
    head = ("name", "ms a game", "ms, longest game", "moves", "ms, median move", "99 of 100", "ms, longest move")
    return ReportTable(head, rows, (0,)) if standing.counted.results else None


def _course(standing: TournamentStanding) -> dict[str, Any] | None:
    """Draw the Elo of all entrants over time; nothing for many, or before there are two blocks."""
    results, size = standing.counted.results, standing.counted.schedule.block_size
    blocks, entrants = len(results) // size, len(standing.plan.entrants)
    if blocks < 2 or entrants > _WIDEST:
        return None
    marks = sorted({max(1, blocks * point // _POINTS) * size for point in range(1, _POINTS + 1)})
    rated = [elo_of_results(results[:mark], entrants, standing.plan.anchor) for mark in marks]
    names = [standing.names[entrant] for entrant in standing.order]
    return over_time(names, [[row[entrant] for row in rated] for entrant in standing.order], marks)


#: Pixels of a bar in a table's cell, and of the chart over time: its size, and the corner of its axes.
BAR: Final = 160
WIDE, HIGH, LEFT, FOOT = 440, 200, 40, 180
_COLOURS: Final = 8
_MARKS: Final = 6


def error_bars(values: Sequence[float], errors: Sequence[float]) -> list[dict[str, float]]:
    """Return where each value, its ends and 0 are on a scale that all share; an infinite error has no ends."""
    errors = [error if isfinite(error) else 0.0 for error in errors]
    ends = [0.0, *(value + side * error for value, error in zip(values, errors, strict=True) for side in (-1, 1))]
    low, wide = min(ends), max(max(ends) - min(ends), 1.0)

    def across(value: float) -> float:
        return round(5 + (BAR - 10) * (value - low) / wide, 1)

    return [
        {"zero": across(0), "low": across(value - error), "high": across(value + error), "at": across(value)}
        for value, error in zip(values, errors, strict=True)
    ]


def over_time(names: Sequence[str], rows: Sequence[Sequence[float]], games: Sequence[int]) -> dict[str, Any]:
    """Return the lines through each row's values, after those games, and how far down each mark of the scale is."""
    values = [value for row in rows for value in row]
    step = 1.0
    while (max(values) - min(values)) / step > _MARKS:
        step *= 2.5 if str(step)[0] == "2" else 2
    low = step * (min(values) // step)
    high = max(step * -(-max(values) // step), low + step)

    def down(value: float) -> float:
        return round(FOOT - (FOOT - 8) * (value - low) / (high - low), 1)

    def across(at: int) -> float:
        return round(LEFT + (WIDE - LEFT - 8) * (at - games[0]) / max(games[-1] - games[0], 1), 1)

    courses = [
        {
            "name": name,
            "kind": f"c{number % _COLOURS}{' dash' if number // _COLOURS % 2 else ''}",
            "points": " ".join(f"{across(at)},{down(value)}" for at, value in zip(games, row, strict=True)),
        }
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    ]
    marks = [low + step * number for number in range(round((high - low) / step) + 1)]
    return {
        "courses": courses,
        "marks": [(down(mark), f"{mark:.0f}") for mark in marks],
        "games": (games[0], games[-1]),
    }


#: Maximum games, and faults, on the page of a bot: the last ones.
_GAMES: Final = 40
_FAULTS: Final = 5
#: Digits that tell two versions of a bot apart.
_DIGITS: Final = 8


def teams(standing: TournamentStanding, journal: Journal) -> list[dict[str, Any]]:
    """Return what the pages tell, in the order of the standing."""
    names, entrants = standing.names, standing.plan.entrants
    games: dict[str, deque[tuple[int, list[str], int, int]]] = defaultdict(lambda: deque(maxlen=_GAMES))
    faults: dict[str, deque[tuple[int, int, str]]] = defaultdict(lambda: deque(maxlen=_FAULTS))
    begun, played, points = dict[int, float](), [0] * len(entrants), [0.0] * len(entrants)
    columns = ("number", "seats", "places", "plies", "began", "whys")
    for number, seats, places, plies, began, whys in journal.rows(columns):
        for seat, (entrant, halves) in enumerate(zip(seats, half_points(places), strict=True)):
            begun[entrant] = min(began, begun.get(entrant, began))
            played[entrant] += 1
            points[entrant] += halves / (2 * len(seats) - 2)
            others = [names[other] for place, other in enumerate(seats) if place != seat]
            games[names[entrant]].appendleft((number, others, places[seat] + 1, plies))
            if why := whys[seat] if whys else "":
                faults[names[entrant]].appendleft((number, seat, why))

    def version(entrant: int) -> dict[str, str]:
        since = time.strftime("%Y-%m-%d", time.localtime(begun[entrant])) if entrant in begun else ""
        score = f"{points[entrant] / played[entrant]:.3f}" if played[entrant] else ""
        digest = entrants[entrant].digest[-_DIGITS:]
        return {"digest": digest, "since": since, "games": str(played[entrant]), "score": score}

    def fault(number: int, seat: int, why: str) -> dict[str, Any]:
        outcome = journal.outcome(number)
        return {"number": number, "why": why, "lines": last_lines(outcome, seat) if outcome else ""}

    return [
        {
            "number": entrant,
            "name": names[entrant],
            "versions": [version(number) for number in reversed(standing.plan.versions(entrant))],
            "faults": [fault(*row) for row in faults[names[entrant]]],
            "games": games[names[entrant]],
        }
        for entrant in standing.order
    ]
