"""The place of a bot on a ladder: its table, its sentences, its losses, and all that as data."""

import os
import shlex
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any, Final

from quadrille.ai.tournament.run_events import STOPPED
from quadrille.client.foreign import shown
from quadrille.client.progress_line import duration
from quadrille.client.reports import folded, many
from quadrille.extras.league.ladder.ladders import Rung, known, missing, terms
from quadrille.extras.league.ladder.place import Placing
from quadrille.extras.league.ladder.placements import PlacementEnd
from quadrille.rules.drawing.plain_text import aligned

#: The likelihood from which a bot counts as stronger than a sample.
SURE: Final = 0.975
#: Faults that are shown.
_MOST_FAULTS: Final = 3
#: Losses that are shown, each to another sample.
_MOST_LOST: Final = 3


def outcome_text(outcome: PlacementEnd, threshold: Rung | float | None) -> str:
    """Return a bot's place: the table with the bot in it, sentences, and its losses."""
    games = sum(outcome.games.values())
    games_told = f"{many(games, 'game')} in {duration(outcome.seconds)}"
    heading = f"{shown(outcome.name)} on the ladder of {terms(outcome.ladder)}: {games_told}."
    lines = [*_end(outcome), *_standing(outcome), *_faults(outcome)]
    if threshold is not None and outcome.placing is not None:
        lines.append(_verdict(outcome, threshold))
    lines += filter(None, [missing(outcome.lacking)])
    text = "\n".join(part for line in lines for part in folded(line))
    parts = [heading, "\n".join(aligned(_rows(outcome), 2)), text, "\n".join(_lost(outcome))]
    parts.append(f"All its games:\n  quadrille tournament report {relative(outcome.journal)} -o report.html")
    return "\n\n".join(filter(None, parts))


def _rows(outcome: PlacementEnd) -> list[list[str]]:
    rows = [["", "", "Elo", "± 95 %", "scored", "games"]]
    for place, rung in enumerate(outcome.ladder.rungs, 1):
        count = outcome.games.get(rung.sample.name, 0)
        scored = [f"{outcome.points[rung.sample.name] / count:.3f}", str(count)] if count else ["", ""]
        rows.append([f"{place}.", *known(rung), *scored])
    if (own := outcome.placing) is not None:
        games = sum(outcome.games.values())
        known_error = f"{own.error:.0f}" if isfinite(own.error) else "?"
        elo, error = (_bound(own), "") if own.beyond else (f"{own.elo:.0f}", known_error)
        mine = [">", shown(outcome.name), elo, error, f"{sum(outcome.points.values()) / games:.3f}", str(games)]
        rows.insert(1 + sum(rung.elo > own.elo for rung in outcome.ladder.rungs), mine)
    return rows


def _bound(own: Placing) -> str:
    """Say what is known of a bot beyond all samples: the end of its interval that is nearer to them."""
    if not isfinite(own.error):
        return "?"
    return f"at least {own.low:.0f}" if own.beyond > 0 else f"at most {own.high:.0f}"


def _end(outcome: PlacementEnd) -> Iterator[str]:
    if outcome.late:
        yield "Time was over: the same command goes on, and --within gives more time."
    elif outcome.why == STOPPED:
        yield "Stopped: the same command goes on."


def _standing(outcome: PlacementEnd) -> Iterator[str]:
    own = outcome.placing
    if own is None:
        yield "No game counts yet: its place is not known."
        return
    above, below = outcome.ladder.neighbours(own.elo)
    name = shown(outcome.name)
    if above and below:
        where = f"stands between {above.sample.name} ({above.elo:.0f}) and {below.sample.name} ({below.elo:.0f})"
    else:
        where = f"stands above {below.sample.name}, the top" if below else "stands below all samples"
    sure = f"{own.elo:.0f} ± {own.error:.0f} Elo"
    if not isfinite(own.error):
        sure = f"{own.elo:.0f} Elo; games are too few to say how sure that is"
    elif own.beyond:
        sure = f"{_bound(own)} Elo; no sample tells how far away it is"
    yield f"{name} {where}, with {sure}."
    stronger = [rung for rung in outcome.ladder.rungs if own.stronger[rung.sample.name] >= SURE]
    weaker = [rung for rung in outcome.ladder.rungs if own.stronger[rung.sample.name] <= 1 - SURE]
    parts = [f"stronger than {stronger[0].sample.name}"] if stronger else []
    parts += [f"weaker than {weaker[-1].sample.name}"] if weaker else []
    if parts:
        yield f"It is {' and '.join(parts)} with a likelihood of 97.5 % or more."


def _faults(outcome: PlacementEnd) -> Iterator[str]:
    if outcome.faults:
        yield f"It lost {many(len(outcome.faults), 'game')} by its own fault."
        yield from (f"In {shown(fault)}." for fault in outcome.faults[:_MOST_FAULTS])


def _verdict(outcome: PlacementEnd, threshold: Rung | float) -> str:
    what = f"{threshold:.0f} Elo" if isinstance(threshold, float) else threshold.sample.name
    return f"It {'is not shown to be' if reaches(outcome, threshold) else 'is'} weaker than {what}, as --at-least asks."


def reaches(outcome: PlacementEnd, threshold: Rung | float) -> bool:
    """Return True if a bot is not shown to be weaker than a sample or that Elo."""
    own = outcome.placing
    if own is None:
        return False
    if isinstance(threshold, float):
        return own.high >= threshold
    return own.stronger[threshold.sample.name] > 1 - SURE


def _told_losses(outcome: PlacementEnd) -> list[tuple[Rung, int]]:
    """Return the losses that tell most: those to the weakest samples."""
    rungs = [rung for rung in reversed(outcome.ladder.rungs) if rung.sample.name in outcome.lost][:_MOST_LOST]
    return [(rung, outcome.lost[rung.sample.name]) for rung in rungs]


def _lost(outcome: PlacementEnd) -> Iterator[str]:
    for rung, number in _told_losses(outcome):
        yield f"Lost to {rung.sample.name} ({rung.elo:.0f}):"
        yield f"  quadrille tournament game {relative(outcome.journal)} {number} --kept"


def relative(path: Path) -> str:
    """Return a path as a person types it from here."""
    try:
        path_here = os.path.relpath(path)
    except ValueError:  # on another drive of Windows
        return str(path)
    return shlex.quote(str(path) if path_here.startswith(os.pardir) else path_here)


def outcome_data(outcome: PlacementEnd, threshold: Rung | float | None) -> dict[str, Any]:
    """Return a bot's place as data for JSON."""
    own = outcome.placing
    above, below = outcome.ladder.neighbours(own.elo) if own else (None, None)
    return {
        "game": outcome.ladder.game,
        "options": dict(outcome.ladder.draft.options),
        "bot": outcome.name,
        "elo": round(own.elo, 1) if own and not own.beyond else None,
        "error": round(own.error, 1) if own and not own.beyond and isfinite(own.error) else None,
        "at_least": round(own.low, 1) if own and isfinite(own.low) else None,
        "at_most": round(own.high, 1) if own and isfinite(own.high) else None,
        "below": above.sample.name if above else None,
        "above": below.sample.name if below else None,
        "games": sum(outcome.games.values()),
        "points": sum(outcome.points.values()),
        "reached": None if threshold is None else reaches(outcome, threshold),
        "finished": not outcome.late and outcome.why != STOPPED,
        "faults": list(outcome.faults),
        "samples": [
            {
                "name": (name := rung.sample.name),
                "elo": rung.elo,
                "error": rung.error,
                "games": outcome.games.get(name, 0),
                "points": outcome.points.get(name, 0),
                "stronger": round(own.stronger[name], 4) if own else None,
                "lacks": outcome.lacking.get(name),
            }
            for rung in outcome.ladder.rungs
        ],
        "losses": [{"game": number, "to": rung.sample.name} for rung, number in _told_losses(outcome)],
        "journal": str(outcome.journal),
    }
