"""Notes on ratings beside a table: their bounds, places that differ from them, and the influence of seats.

The table and the report share these sentences. See ai/tournament/ratings.py for the computation.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import isfinite, isinf
from typing import TYPE_CHECKING, Final

from quadrille.ai.tournament.knockout import Knockout
from quadrille.ai.tournament.swiss import Swiss
from quadrille.ai.tournament.tables import seat_table
from quadrille.client.foreign import shown

if TYPE_CHECKING:
    from quadrille.client.tournament.tables import TournamentStanding

#: Minimum advantage of a seat that is mentioned, in Elo.
GREAT: Final = 100
#: Minimum blocks that can show that a seat wins everything.
FEW_BLOCKS: Final = 5
#: Maximum groups, and names in a sentence.
MOST_GROUPS: Final = 4
MOST_LISTED: Final = 5


def error_text(error: float) -> str:
    """Return half of an Elo interval; a question mark if there are too few blocks."""
    return str(round(error)) if isfinite(error) else "?"


def unsaid(one: "TournamentStanding", row: int, column: int) -> bool:
    """Whether it is open which of two entrants is stronger, though their Elo differs."""
    return one.ratings.superiority[row][column] == 0.5 and abs(one.ratings.elo[row] - one.ratings.elo[column]) > 1e-6


def bounds(one: "TournamentStanding") -> Iterator[str]:
    """Name the entrants whose Elo has no error, or one that means less."""
    names = [shown(entrant.name) for entrant in one.plan.entrants]
    have_played = {line.entrant for line in one.lines if line.games}
    unknown = [entrant for entrant in one.order if entrant in have_played and isinf(one.ratings.error[entrant])]
    if unknown:
        whose = "anybody's" if len(unknown) == len(have_played) else f"that of {_listed(names, unknown)}"
        yield f"Too few blocks tell how far off Elo may be: no interval is shown for {whose} (?)."
    groups = [[entrant for entrant in group if entrant in have_played] for group in one.ratings.groups]
    if len(groups := [group for group in groups if group]) > 1:
        said = "; ".join(_listed(names, group) for group in groups[:MOST_GROUPS])
        more = f"; {len(groups) - MOST_GROUPS} more" if len(groups) > MOST_GROUPS else ""
        yield (
            f"Results bound Elo only within each of these groups, the strongest first: {said}{more}. Nobody took "
            "anything from a group above. So between groups ± tells how close they may be, and "
            "nothing tells how far apart."
        )


def _listed(names: Sequence[str], chosen: Sequence[int]) -> str:
    """List some names, and the number of the others."""
    more = [f"{len(chosen) - MOST_LISTED} more"] if len(chosen) > MOST_LISTED else []
    *first, last = [*(names[entrant] for entrant in chosen[:MOST_LISTED]), *more]
    return f"{', '.join(first)} and {last}" if first else last


def differences(one: "TournamentStanding", ranked: Mapping[int, int | None]) -> Iterator[str]:
    """Explain entrants that stand above others with more Elo."""
    rated = [entrant for entrant in one.order if one.line(entrant).games]
    value = {entrant: round(one.ratings.elo[entrant]) for entrant in rated}
    pairs = [
        (above, below)
        for above, below in combinations(rated, 2)
        if (ranked[above] or 0) < (ranked[below] or 0) and value[above] < value[below]
    ]
    if pairs:
        above, below = max(pairs, key=lambda pair: value[pair[1]] - value[pair[0]])
        match one.plan.format:
            case Swiss():
                rule = "the points of all rounds, of which somebody who sits out gets all"
            case Knockout():
                rule = "the round that an entrant reached"
            case _:
                rule = "points a game"
        names = [shown(entrant.name) for entrant in one.plan.entrants]
        yield (
            f"Places and Elo differ, as for {names[above]} and {names[below]}: places go by {rule}, and Elo also by "
            "the strength of the opponents, which were not the same for all."
        )


def seats(one: "TournamentStanding") -> Iterator[str]:
    """Name seats with an advantage so great that strength decides little."""
    scores = {(line.contest, line.seat): line.score for line in seat_table(one.counted.results)}
    greatest = max(one.ratings.seat_effects, key=lambda row: abs(row.elo), default=None)
    if greatest is None or abs(greatest.elo) <= GREAT:
        return
    where = f"seat {greatest.seat + 1} of {one.plan.contests[greatest.contest].game}"
    score = scores[greatest.contest, greatest.seat]
    if one.counted.count.blocks >= FEW_BLOCKS and (abs(greatest.elo) > greatest.error or score in (0, 1)):
        yield (
            f"Seats count for much here: {where} scores {score:.3f}. That favours nobody, since all sit in each seat "
            "equally often; but games that a seat decides tell little of who is stronger."
        )
