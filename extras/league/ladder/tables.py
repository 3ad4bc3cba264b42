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


def outcome_text(one: PlacementEnd, threshold: Rung | float | None) -> str:
    """Return a bot's place: the table with the bot in it, sentences, and its losses."""
    games = sum(one.games.values())
    games_told = f"{many(games, 'game')} in {duration(one.seconds)}"
    heading = f"{shown(one.name)} on the ladder of {terms(one.ladder)}: {games_told}."
    lines = [*_end(one), *_standing(one), *_faults(one)]
    if threshold is not None and one.placing is not None:
        lines.append(_verdict(one, threshold))
    lines += filter(None, [missing(one.lacking)])
    said = "\n".join(part for line in lines for part in folded(line))
    parts = [heading, "\n".join(aligned(list(_rows(one)), 2)), said, "\n".join(_lost(one))]
    parts.append(f"All its games:\n  quadrille tournament report {relative(one.journal)} -o report.html")
    return "\n\n".join(filter(None, parts))


def _rows(one: PlacementEnd) -> Iterator[list[str]]:
    yield ["", "", "Elo", "± 95 %", "scored", "games"]
    own = one.placing
    games = sum(one.games.values())
    mine = None
    if own is not None:
        score = f"{sum(one.points.values()) / games:.3f}"
        known_error = f"{own.error:.0f}" if isfinite(own.error) else "?"
        elo, error = (_bound(own), "") if own.beyond else (f"{own.elo:.0f}", known_error)
        mine = [">", shown(one.name), elo, error, score, str(games)]
    for place, rung in enumerate(one.ladder.rungs, 1):
        if mine is not None and own is not None and own.elo >= rung.elo:
            yield mine
            mine = None
        name = rung.sample.name
        count = one.games.get(name, 0)
        scored = [f"{one.points[name] / count:.3f}", str(count)] if count else ["", ""]
        yield [f"{place}.", *known(rung), *scored]
    if mine is not None:
        yield mine


def _bound(own: Placing) -> str:
    """Say what is known of a bot beyond all samples: the end of its interval that is nearer to them."""
    if not isfinite(own.error):
        return "?"
    return f"at least {own.low:.0f}" if own.beyond > 0 else f"at most {own.high:.0f}"


def _end(one: PlacementEnd) -> Iterator[str]:
    if one.late:
        yield "Time was over: the same command goes on, and --within gives more time."
    elif one.why == STOPPED:
        yield "Stopped: the same command goes on."


def _standing(one: PlacementEnd) -> Iterator[str]:
    own = one.placing
    if own is None:
        yield "No game counts yet: its place is not known."
        return
    above, below = one.ladder.neighbours(own.elo)
    name = shown(one.name)
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
    stronger = [rung for rung in one.ladder.rungs if own.stronger[rung.sample.name] >= SURE]
    weaker = [rung for rung in one.ladder.rungs if own.stronger[rung.sample.name] <= 1 - SURE]
    parts = [f"stronger than {stronger[0].sample.name}"] if stronger else []
    parts += [f"weaker than {weaker[-1].sample.name}"] if weaker else []
    if parts:
        yield f"It is {' and '.join(parts)} with a likelihood of 97.5 % or more."


def _faults(one: PlacementEnd) -> Iterator[str]:
    if one.faults:
        yield f"It lost {many(len(one.faults), 'game')} by its own fault."
        yield from (f"In {shown(fault)}." for fault in one.faults[:_MOST_FAULTS])


def _verdict(one: PlacementEnd, threshold: Rung | float) -> str:
    what = f"{threshold:.0f} Elo" if isinstance(threshold, float) else threshold.sample.name
    return f"It {'is not shown to be' if reaches(one, threshold) else 'is'} weaker than {what}, as --at-least asks."


def reaches(one: PlacementEnd, threshold: Rung | float) -> bool:
    """Return True if a bot is not shown to be weaker than a sample or that Elo."""
    own = one.placing
    if own is None:
        return False
    if isinstance(threshold, float):
        return own.high >= threshold
    return own.stronger[threshold.sample.name] > 1 - SURE


def _told_losses(one: PlacementEnd) -> list[tuple[Rung, int]]:
    """Return the losses that tell most: those to the weakest samples."""
    rungs = [rung for rung in reversed(one.ladder.rungs) if rung.sample.name in one.lost][:_MOST_LOST]
    return [(rung, one.lost[rung.sample.name]) for rung in rungs]


def _lost(one: PlacementEnd) -> Iterator[str]:
    for rung, number in _told_losses(one):
        yield f"Lost to {rung.sample.name} ({rung.elo:.0f}):"
        yield f"  quadrille tournament game {relative(one.journal)} {number} --kept"


def relative(path: Path) -> str:
    """Return a path as a person types it from here."""
    try:
        found = os.path.relpath(path)
    except ValueError:  # on another drive of Windows
        return str(path)
    return shlex.quote(str(path) if found.startswith(os.pardir) else found)


def outcome_data(one: PlacementEnd, threshold: Rung | float | None) -> dict[str, Any]:
    """Return a bot's place as data for JSON."""
    own = one.placing
    above, below = one.ladder.neighbours(own.elo) if own else (None, None)
    return {
        "game": one.ladder.game,
        "options": dict(one.ladder.draft.options),
        "bot": one.name,
        "elo": round(own.elo, 1) if own and not own.beyond else None,
        "error": round(own.error, 1) if own and not own.beyond and isfinite(own.error) else None,
        "at_least": round(own.low, 1) if own and isfinite(own.low) else None,
        "at_most": round(own.high, 1) if own and isfinite(own.high) else None,
        "below": above.sample.name if above else None,
        "above": below.sample.name if below else None,
        "games": sum(one.games.values()),
        "points": sum(one.points.values()),
        "reached": None if threshold is None else reaches(one, threshold),
        "finished": not one.late and one.why != STOPPED,
        "faults": list(one.faults),
        "samples": [
            {
                "name": (name := rung.sample.name),
                "elo": rung.elo,
                "error": rung.error,
                "games": one.games.get(name, 0),
                "points": one.points.get(name, 0),
                "stronger": round(own.stronger[name], 4) if own else None,
                "lacks": one.lacking.get(name),
            }
            for rung in one.ladder.rungs
        ],
        "losses": [{"game": number, "to": rung.sample.name} for rung, number in _told_losses(one)],
        "journal": str(one.journal),
    }
