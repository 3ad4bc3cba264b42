"""The tables of a tournament: the standing as text, and all of it as data for JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from quadrille.ai.tournament.counting import Counted, counted
from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.plan import Plan
from quadrille.ai.tournament.playing import Outcome
from quadrille.ai.tournament.ratings import Ratings, rate
from quadrille.ai.tournament.run import outcome_data
from quadrille.ai.tournament.stopping import Gsprt
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
    duplicates: Duplicates

    @property
    def order(self) -> list[int]:
        """The entrants, best first: as the format ranks them, once it does, or by points a game."""
        ranking = self.counted.schedule.ranking
        return [entrant for group in ranking for entrant in group] if ranking else [row.entrant for row in self.lines]


def standing_of(journal: Journal) -> Standing:
    """How the tournament of a journal stands."""
    plan = journal.plan()
    found = counted(plan, journal.results())
    many = len(plan.entrants)
    ratings = rate(found.results, many, anchor=plan.anchor)
    return Standing(plan, found, standing(found.results, many), ratings, duplicates(found.results))


def text(one: Standing) -> str:
    """The standing, as it is printed."""
    parts = [_heading(one), "\n".join(aligned(list(_rows(one)), 2))]
    return "\n\n".join([*parts, "\n".join(notes(one))])


def _heading(one: Standing) -> str:
    count = one.counted.count
    games = ", ".join(f"{contest.game} for {contest.seats}" for contest in one.plan.contests)
    return f"{games}, {one.plan.time}: {count.games} games in {count.blocks} complete blocks."


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
    }


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


def _cell(value: Any) -> Any:
    return "|".join("" if part is None else str(part) for part in value) if isinstance(value, list) else value
