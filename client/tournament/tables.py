"""The tables of a tournament: the standing as text, and all of it as data for JSON."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from quadrille.client.reports import folded as folded
from quadrille.client.tournament.notes import elo, error_text, many, notes, unsaid, verdict
from quadrille.client.tournament.standings import TournamentStanding, ranks
from quadrille.client.tournament.standings import standing_of as standing_of
from quadrille.rules.drawing.plain_text import aligned


def text(one: TournamentStanding) -> str:
    said = [line for note in notes(one) for line in folded(note)]
    return "\n\n".join([_heading(one), "\n".join(aligned(list(_rows(one)), 2)), "\n".join(said)])


def _heading(one: TournamentStanding) -> str:
    count = one.counted.count
    games = ", ".join(f"{contest.game} for {contest.seats}" for contest in one.plan.contests)
    blocks = f"{many(count.games, 'game')} in {many(count.blocks, 'complete block')}"
    return f"{games}, {one.plan.contests[0].clock}: {blocks}."


def _rows(one: TournamentStanding) -> Iterator[list[str]]:
    yield ["", "", "Elo", f"± {100 * one.ratings.level:g} %", "score", "games", "places", "faults", "ms a game"]
    ranked, names = ranks(one), one.names
    for entrant in one.order:
        line = one.line(entrant)
        yield [
            rank(ranked[entrant]),
            names[entrant],
            elo(one.ratings.elo[entrant]) if line.games else "",
            error_text(one.ratings.error[entrant]) if line.games else "",
            "" if line.score is None else f"{line.score:.3f}",
            str(line.games),
            "-".join(map(str, line.by_place)),
            str(sum(map(len, line.faults.values()))),
            f"{1000 * line.mean_time:.1f}",
        ]


def rank(place: int | None) -> str:
    return "-" if place is None else f"{place}."


def data(one: TournamentStanding) -> dict[str, Any]:
    """Return the standing, which has the durations of moves, as data for JSON (docs/protocols/journal.md, "JSON")."""
    count, ranked = one.counted.count, ranks(one)
    rows = []
    for entrant in one.order:
        line = one.line(entrant)
        moved = one.moves[entrant]
        rows.append(
            {
                "rank": ranked[entrant],
                "name": one.plan.entrants[entrant].name,
                "parameters": dict(one.plan.entrants[entrant].parameters),
                "elo": round(one.ratings.elo[entrant], 2),
                "error": round(error, 2) if isfinite(error := one.ratings.error[entrant]) else None,
                "score": line.score,
                "games": line.games,
                "places": list(line.by_place),
                "faults": {fault: len(games) for fault, games in sorted(line.faults.items())},
                "kills": sum(kill.entrant == entrant for kill in one.kills),
                "judged": entrant not in one.unjudged,
                "isolation": [
                    {"held": told.partition(": ")[0], "why": told.partition(": ")[2], "host": host, "games": games}
                    for (told, host), games in sorted(one.boxes[entrant].items())
                ],
                "pondered": round(one.pondered[entrant], 6),
                "seconds": round(line.seconds, 6),
                "score_error": _rounded(line.error),
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
        "aside": one.counted.aside,
        "unplayed": [
            {
                "game": number,
                "seats": [one.plan.entrants[entrant].name for entrant in kills[0].seats],
                "killed": [one.plan.entrants[kill.entrant].name for kill in kills],
                "why": kills[-1].why,
            }
            for number, kills in one.unplayed.items()
        ],
        "verdict": one.verdict,
        "said": verdict(one),
        "level": one.ratings.level,
        "secrets": [row.plain() for row in one.secrets],
        "cycles": [[one.plan.entrants[entrant].name for entrant in cycle] for cycle in one.cycles.clearest],
        "effective": one.duplicates.effective,
        "standing": rows,
        "superiority": [
            [None if unsaid(one, row, column) else round(value, 4) for column, value in enumerate(values)]
            for row, values in enumerate(one.ratings.superiority)
        ],
        "hosts": [
            {"name": name, "games": host.games, "faults": host.faults, "speed": round(host.speed, 3)}
            for name, host in one.hosts.items()
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
