"""A page for each bot in the report: its versions, its games, and its faults with the lines that led to them."""

import time
from collections import defaultdict, deque
from typing import Any, Final

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.results import half_points
from quadrille.client.tournament.dialogues import last_lines
from quadrille.client.tournament.standings import TournamentStanding

#: Maximum games, and faults, on the page of a bot: the last ones.
_GAMES: Final = 40
_FAULTS: Final = 5
#: Digits that tell two versions of a bot apart.
_DIGITS: Final = 8


def teams(one: TournamentStanding, journal: Journal) -> list[dict[str, Any]]:
    """Return what the pages tell, in the order of the standing."""
    names, entrants = one.names, one.plan.entrants
    games: dict[str, deque[dict[str, Any]]] = defaultdict(lambda: deque(maxlen=_GAMES))
    faults: dict[str, deque[tuple[int, int, str]]] = defaultdict(lambda: deque(maxlen=_FAULTS))
    begun, played, points = dict[int, float](), [0] * len(entrants), [0.0] * len(entrants)
    for number, seats, places, plies, began, whys in journal.rows(
        ("number", "seats", "places", "plies", "began", "whys")
    ):
        halves = half_points(places)
        for seat, entrant in enumerate(seats):
            begun[entrant] = min(began, begun.get(entrant, began))
            played[entrant] += 1
            points[entrant] += halves[seat] / (2 * len(seats) - 2)
            others = ", ".join(names[other] for place, other in enumerate(seats) if place != seat)
            row = {"number": number, "others": others, "place": places[seat] + 1, "plies": plies}
            games[names[entrant]].appendleft(row)
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
            "versions": [version(number) for number in reversed(one.plan.versions(entrant))],
            "faults": [fault(*row) for row in faults[names[entrant]]],
            "games": games[names[entrant]],
        }
        for entrant in one.order
    ]
