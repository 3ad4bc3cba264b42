"""A running tournament's events as data, for programs that read them.

Specification: docs/protocols/journal.md, "Events".
"""

from collections.abc import Iterator
from typing import Any

from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Ended, Event, Finished, Given, Passing, RunBegun, Unplayed, Void, Warned
from quadrille.ai.tournament.schedules.schedule import Fixture


def plain(event: Event, run: Run) -> dict[str, Any] | None:
    """An event as data (docs/protocols/journal.md, "Events"); None for internal ones."""
    names = [entrant.name for entrant in run.plan.entrants]
    match event:
        case RunBegun(there):
            return {
                "event": "begin",
                "games": run.total,
                "there": there,
                "plan": run.plan.plain(),
                "secrets": _secrets(run),
            }
        case Given(fixture):
            return {"event": "start", **fixture_data(fixture, names)}
        case Ended(outcome):
            return {"event": "game", "standing": list(_standing(run)), **outcome_data(outcome, names)}
        case Void(number, why):
            return {"event": "void", "game": number, "why": why}
        case Unplayed(number, why):
            return {"event": "unplayed", "game": number, "why": why}
        case Warned(why):
            return {"event": "warning", "why": why}
        case Finished(why):
            return {
                "event": "end",
                "why": why,
                "verdict": run.verdict,
                "counted": run.count.games,
                "played": run.played,
                "secrets": _secrets(run),
            }
        case Passing():
            return None


def _secrets(run: Run) -> list[dict[str, Any]]:
    """The secrets behind the deals, as far as they are revealed."""
    return [row.plain() for row in run.journal.commitments]


def fixture_data(fixture: Fixture, names: list[str]) -> dict[str, Any]:
    """A game that has not been played, as data."""
    return _game_data(fixture.number, fixture.id, fixture, names) | {"start": fixture.start}


def _game_data(number: int, id: str, game: Fixture | Result, names: list[str]) -> dict[str, Any]:
    """The identity of a game, and the entrants by seat."""
    seats = [names[entrant] for entrant in game.seats]
    return {"game": number, "id": id, "block": game.block, "contest": game.contest, "seats": seats}


def outcome_data(outcome: GameOutcome, names: list[str]) -> dict[str, Any]:
    """A game as data."""
    result = outcome.result
    return _game_data(outcome.number, result.game, result, names) | {
        "places": list(result.places),
        "reason": outcome.reason,
        "plies": result.plies,
        "moves": result.moves,
        "seconds": list(result.times),
        "longest": list(outcome.longest),
        "counts": list(outcome.counts),
        "faults": list(result.faults),
        "whys": [why for why in outcome.whys if why],
        "host": outcome.host,
        "speed": outcome.speed,
    }


def _standing(run: Run) -> Iterator[dict[str, Any]]:
    """The entrants with their results so far."""
    provisional = run.provisional()
    for entrant, tally in zip(run.plan.entrants, run.count.tallies, strict=True):
        yield {
            "name": entrant.name,
            "games": tally.games,
            "score": tally.score,
            "error": tally.error,
            "faults": tally.faults,
        } | ({"provisional": list(provisional[entrant.name])} if provisional else {})
