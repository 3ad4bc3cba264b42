"""The tables of a tournament: the standing as text, and all of it as data for JSON and CSV."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Any

from quadrille.ai.tournament.counting import Counted, counted
from quadrille.ai.tournament.hosts import Host, compare, named
from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.paces import Moves
from quadrille.ai.tournament.plan import Plan
from quadrille.ai.tournament.playing import Outcome
from quadrille.ai.tournament.ratings import Ratings, rate
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import outcome_data
from quadrille.ai.tournament.stopping import Gsprt, Score, field_scores
from quadrille.ai.tournament.tables import Duplicates, Line, duplicates, faults, standing, time_used
from quadrille.client.foreign import shown
from quadrille.rules.plain_text import aligned


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a tournament at some time."""

    plan: Plan
    counted: Counted
    lines: tuple[Line, ...]
    ratings: Ratings
    scores: tuple[Score | None, ...]
    duplicates: Duplicates
    hosts: tuple[Host, ...]
    moves: tuple[Moves, ...]

    @property
    def order(self) -> list[int]:
        """The entrants, best first: as the format ranks them, once it does, or by points a game."""
        ranking = self.counted.schedule.ranking
        return [entrant for group in ranking for entrant in group] if ranking else [row.entrant for row in self.lines]


def standing_of(journal: Journal, outcomes: Iterable[Outcome] | None = None) -> Standing:
    """How the tournament of a journal stands; its `outcomes`, if they are at hand."""
    plan = journal.plan()
    if outcomes is None:
        outcomes = journal.outcomes(records=False)
    many = len(plan.entrants)
    moves = tuple(Moves() for _ in plan.entrants)
    where: dict[str, str] = {}
    found = counted(plan, _taken(outcomes, moves, where))
    ratings = rate(found.results, many, anchor=plan.anchor)
    return Standing(
        plan,
        found,
        standing(found.results, many),
        ratings,
        field_scores(found.results, many),
        duplicates(found.results),
        compare(found.results, where, ratings.expected),
        moves,
    )


def _taken(outcomes: Iterable[Outcome], moves: Sequence[Moves], where: dict[str, str]) -> Iterator[Result]:
    """All results, with a note of how long moves took and where games were played."""
    for outcome in outcomes:
        result = outcome.result
        where[result.game] = intern(outcome.host)
        rows = zip(result.seats, outcome.counts, result.times, outcome.longest, outcome.paces, strict=False)
        for entrant, count, total, longest, steps in rows:
            moves[entrant].take(count, total, longest, steps)
        yield result


def text(one: Standing) -> str:
    """The standing, as it is printed."""
    parts = [_heading(one), "\n".join(aligned(list(_rows(one)), 2))]
    return "\n\n".join([*parts, "\n".join(notes(one))])


def _heading(one: Standing) -> str:
    count = one.counted.count
    games = ", ".join(f"{contest.game} for {contest.seats}" for contest in one.plan.contests)
    return f"{games}, {one.plan.contests[0].clock}: {count.games} games in {count.blocks} complete blocks."


def _rows(one: Standing) -> Iterator[list[str]]:
    yield ["", "", "Elo", "+/-", "score", "games", "places", "faults", "ms a game"]
    lost = faults(one.counted.results, len(one.plan.entrants))
    times = time_used(one.counted.results, len(one.plan.entrants))
    ranked = ranks(one)
    for entrant in one.order:
        line = next(line for line in one.lines if line.entrant == entrant)
        yield [
            f"{ranked[entrant]}.",
            shown(one.plan.entrants[entrant].name),
            f"{one.ratings.elo[entrant]:.0f}",
            f"{one.ratings.error[entrant]:.0f}",
            "" if line.score is None else f"{line.score:.3f}",
            str(line.games),
            "-".join(map(str, line.places)),
            str(sum(map(len, lost[entrant].values()))),
            f"{1000 * times[entrant].mean:.1f}",
        ]


def ranks(one: Standing) -> dict[int, int]:
    """The rank of everybody, shared by equals."""
    if not (ranking := one.counted.schedule.ranking):
        return {line.entrant: line.rank for line in one.lines}
    found: dict[int, int] = {}
    before = 0
    for group in ranking:
        found |= dict.fromkeys(group, before + 1)
        before += len(group)
    return found


def notes(one: Standing) -> Iterator[str]:
    """What has to be said beside the table."""
    yield verdict(one)
    if one.counted.beyond:
        yield f"{one.counted.beyond} more games have ended, in blocks that are not complete: they do not count yet."
    if one.duplicates.share > 0.05:
        same = one.duplicates.games - one.duplicates.effective
        yield f"{same} of the games are the same as others, move by move: they tell nothing new."
    for host in named(one.hosts):
        yield (
            f"Games on {shown(host.name)} went otherwise than elsewhere (p = {host.corrected:.2g}): see whether that "
            "machine is slow, or busy with other things."
        )
    for entrant, row in enumerate(faults(one.counted.results, len(one.plan.entrants))):
        if row:
            told = ", ".join(f"{len(games)} by {fault}" for fault, games in row.items())
            yield f"{shown(one.plan.entrants[entrant].name)} lost games by its own fault: {told}."


def verdict(one: Standing) -> str:
    """What can be said, in words."""
    stop, rule = one.plan.stop, one.counted.count.rule
    names = [shown(entrant.name) for entrant in one.plan.entrants]
    if stop and rule:
        other = names[stop.against] if stop.against is not None else "the others"
        if rule.verdict is not None:
            return f"{names[stop.entrant]} is {rule.verdict} than {other} ({stop}, after {rule.blocks} blocks)."
        if isinstance(rule, Gsprt):
            low, high = rule.bounds
            return f"Not decided: {stop}; the ratio is {rule.ratio:.2f}, between {low:.2f} and {high:.2f}."
        return f"Not decided: {stop}; the score of {names[stop.entrant]} is from {rule.low:.3f} to {rule.high:.3f}."
    if not one.counted.results:
        return "No block is complete yet."
    first, second = sorted(range(len(names)), key=lambda entrant: -one.ratings.elo[entrant])[:2]
    likely = one.ratings.superiority[first][second]
    return (
        f"The likelihood that {names[first]} is stronger than {names[second]} is {100 * likely:.1f} %"
        f"{'' if one.ratings.clustered else ' (few blocks: errors are as for independent games)'}. "
        "Whoever looks often and stops when that is high is often wrong: a test is made by [stop]."
    )


def data(one: Standing) -> dict[str, Any]:
    """The standing as data for JSON (protocols.md, "Tournaments")."""
    count, lost = one.counted.count, faults(one.counted.results, len(one.plan.entrants))
    times, ranked = time_used(one.counted.results, len(one.plan.entrants)), ranks(one)
    rows = []
    for entrant in one.order:
        line = next(line for line in one.lines if line.entrant == entrant)
        score, moved = one.scores[entrant], one.moves[entrant]
        rows.append(
            {
                "rank": ranked[entrant],
                "name": one.plan.entrants[entrant].name,
                "elo": round(one.ratings.elo[entrant], 2),
                "error": round(one.ratings.error[entrant], 2),
                "score": line.score,
                "games": line.games,
                "places": list(line.places),
                "faults": {fault: len(games) for fault, games in lost[entrant].items()},
                "seconds": round(times[entrant].total, 6),
                "score_error": _rounded(score.by_block if score else None),
                "score_error_by_games": _rounded(score.by_game if score else None),
                "move": {
                    "median": _rounded(moved.within(0.5)),
                    "p99": _rounded(moved.within(0.99)),
                    "longest": moved.longest,
                },
            }
        )
    return {
        "games": count.games,
        "blocks": count.blocks,
        "beyond": one.counted.beyond,
        "verdict": count.verdict,
        "said": verdict(one),
        "level": one.ratings.level,
        "effective": one.duplicates.effective,
        "standing": rows,
        "superiority": [[round(value, 4) for value in row] for row in one.ratings.superiority],
        "hosts": [
            {
                "name": host.name,
                "games": host.games,
                "faults": host.faults,
                "residual": round(host.residual, 3),
                "p": round(host.corrected, 6),
            }
            for host in one.hosts
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


COLUMNS = (
    "game", "id", "block", "contest", "seats", "places", "reason", "plies", "moves", "seconds", "longest", "counts",
    "faults", "whys", "host",
)  # fmt: skip


def csv_text(outcomes: Iterable[Outcome], names: list[str]) -> str:
    """All games, one a row; what is a list has | between its parts."""
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    rows.writeheader()
    for outcome in outcomes:
        row = outcome_data(outcome, names)
        rows.writerow({name: _cell(row[name]) for name in COLUMNS})
    return out.getvalue()


def lines_text(outcomes: Iterable[Outcome], names: list[str]) -> str:
    """All games, one a line, as JSON."""
    return "".join(json.dumps(outcome_data(outcome, names)) + "\n" for outcome in outcomes)


def _cell(value: Any) -> Any:
    return "|".join("" if part is None else str(part) for part in value) if isinstance(value, list) else value
