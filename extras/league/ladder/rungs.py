"""A ladder as it is, without a bot: as a table, and as data. Nothing here needs an extra."""

from textwrap import wrap
from typing import Any

from quadrille.extras.league.ladder.ladders import RatedLadder, Rung
from quadrille.rules.drawing.plain_text import WIDTH, aligned
from quadrille.rules.registry import game


def ladder_text(one: RatedLadder, lacking: dict[str, str]) -> str:
    games = sum(run["games"] for run in one.runs)
    rows = [["", "", "Elo", "± 95 %", "games"]]
    rows += [[f"{place}.", *known(rung), str(rung.games)] for place, rung in enumerate(one.rungs, 1)]
    heading = f"The ladder of {terms(one)}: {len(one.rungs)} samples, {games} games on {one.runs[-1]['date']}."
    parts = [heading, "\n".join(aligned(rows, 2)), "\n".join(wrap(missing(lacking), WIDTH))]
    return "\n\n".join(filter(None, parts))


def terms(one: RatedLadder) -> str:
    """Return the game and the options that are not its usual ones."""
    usual = game(one.game).read_options(None).plain()
    options = [f"{name}={value}" for name, value in one.draft.options if usual[name] != value]
    return f"{one.game} ({', '.join(options)})" if options else one.game


def known(rung: Rung) -> list[str]:
    """Return the cells of a rung: its name, its Elo and its error."""
    return [rung.sample.name, f"{rung.elo:.0f}", f"{rung.error:.0f}"]


def missing(lacking: dict[str, str]) -> str:
    """Say which samples can't be played here, and why; "" if all can."""
    told = [f"{name} (no {lack})" if lack else name for name, lack in lacking.items()]
    return f"Not played here: {', '.join(told)}." if told else ""


def ladder_data(one: RatedLadder, lacking: dict[str, str]) -> dict[str, Any]:
    return {
        "game": one.game,
        "options": dict(one.draft.options),
        "runs": list(one.runs),
        "samples": [
            {"name": rung.sample.name, "elo": rung.elo, "error": rung.error, "games": rung.games}
            | {"lacks": lacking.get(rung.sample.name)}
            for rung in one.rungs
        ],
    }
