"""The results of a tournament for programs that rate chess: PGN without moves, as ordo and bayeselo read it.

Such a program knows games of two. So a game with more seats becomes one for each pair of its seats, and whoever was
ahead has won it. Games that do not count are left out. Specification: docs/protocols/journal.md, "PGN".
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from quadrille.ai.tournament.results import Result
from quadrille.client.foreign import shown
from quadrille.client.tournament.standings import TournamentStanding

#: Signs that end a name or hide one for these programs, and what is written instead.
_SIGNS = str.maketrans({'"': "'", "\\": "/", "[": "(", "]": ")"})


def pgn_text(one: TournamentStanding, began: Mapping[str, float]) -> Iterator[str]:
    """Yield the games that count, pair by pair; `began` has the time of each by its id."""
    names = pgn_names(entrant.name for entrant in one.plan.entrants)
    for result in one.counted.results:
        day = time.strftime("%Y.%m.%d", time.gmtime(began.get(result.game, 0)))
        event = shown(one.plan.contests[result.contest].game)
        for first, second in combinations(range(len(result.seats)), 2):
            yield _game(result, event, day, names, first, second)


def _game(result: Result, event: str, day: str, names: list[str], first: int, second: int) -> str:
    ahead, behind = result.places[first], result.places[second]
    score = "1-0" if ahead < behind else "0-1" if ahead > behind else "1/2-1/2"
    tags = {
        "Event": event,
        "Site": "?",
        "Date": day,
        "Round": str(result.block + 1),
        "White": names[result.seats[first]],
        "Black": names[result.seats[second]],
        "Result": score,
    }
    return "".join(f'[{name} "{told}"]\n' for name, told in tags.items()) + f"\n{score}\n\n"


def pgn_names(entrants: Iterable[str]) -> list[str]:
    """Return the names as those programs can read them, no two the same."""
    names: list[str] = []
    for number, entrant in enumerate(entrants, 1):
        name = " ".join(shown(entrant).translate(_SIGNS).split()) or "?"
        names.append(name if name not in names else f"{name} ({number})")
    return names
