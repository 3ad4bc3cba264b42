"""The kept dialogue of a game: shown line by line, or written as bundles for `quadrille bot replay`, one a seat."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from quadrille import __version__
from quadrille.ai.checks.bundle import kept_bundle
from quadrille.ai.json_lines import BadJson, decode, encode
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.client.bots.bundles import write_bundle
from quadrille.client.foreign import shown
from quadrille.client.tournament.notes import many
from quadrille.rules.core import RULES_VERSION

#: Lines before a fault that its page has, and characters of each.
_LAST: Final = 8
_LONGEST: Final = 300


def told_dialogue(journal: Journal, number: int, folder: str | None) -> str:
    """Return the dialogue of a game in lines; or write its bundles to a folder, and say so."""
    outcome = journal.outcome(number)
    if outcome is None:
        raise TournamentError(f"game {number} has not been played")
    if not outcome.dialogue:
        raise TournamentError(
            f"the dialogue of game {number} was not kept: tournament run with --dialogues keeps those that it plays"
        )
    rows = list(_rows(outcome.dialogue, len(outcome.result.seats)))
    plan = journal.plan()
    entrants = [plan.entrants[entrant] for entrant in outcome.result.seats]
    if folder is not None:
        for seat, entrant in enumerate(entrants):
            path = Path(folder).expanduser() / f"game-{number}-seat-{seat + 1}.json"
            _write(path, rows, seat, entrant.command(plan.folder), outcome)
        return f"{many(len(entrants), 'bundle')} in {shown(folder)}: quadrille bot replay runs a bot on one."
    wide = max(len(shown(entrant.name)) for entrant in entrants)
    return "\n".join(_line(row, shown(entrants[row["seat"]].name).ljust(wide)) for row in rows)


def last_lines(outcome: GameOutcome, seat: int) -> str:
    """Return the last lines between the table and a seat, if they were kept, and what its program wrote to standard
    error.
    """
    told = [row for row in _rows(outcome.dialogue, len(outcome.result.seats)) if row["seat"] == seat][-_LAST:]
    lines = [_line(row, "")[:_LONGEST] for row in told]
    errors = outcome.errors[seat].rstrip() if outcome.errors else ""
    return "\n".join([*lines, *(shown(line) for line in errors.splitlines()[-_LAST:])])


def _rows(text: str, seats: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dialogue, which may come from anybody."""
    for line in text.splitlines():
        try:
            row = decode(line.encode("ascii"))
        except BadJson:
            row = None
        match row:
            case {"seat": int(seat), "cut": str(_)} | {"seat": int(seat), "at": int(_)} if 0 <= seat < seats:
                yield row
            case _:
                raise TournamentError("the journal was damaged, or made by hand: it holds no dialogue of that game")


def _line(row: dict[str, Any], name: str) -> str:
    if "cut" in row:
        return f"          {name}    ({shown(row['cut'])})"
    arrow, said = ("<-", json.dumps(row["told"])) if "told" in row else ("->", str(row.get("said")))
    return f"{row['at']:>7} ms {name} {arrow} {shown(said)}"


def _write(path: Path, rows: list[dict[str, Any]], seat: int, command: list[str], outcome: GameOutcome) -> None:
    """Write what a seat was told and said, and how it failed; a peer's bot has no command here."""
    lines = [{"kept": 1, "quadrille": __version__, "rules": RULES_VERSION, "command": command}]
    lines += [row for row in rows if row["seat"] == seat]
    if outcome.result.faults and (fault := outcome.result.faults[seat]) is not None:
        lines.append({"fault": fault, "why": outcome.whys[seat]})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bundle(str(path), kept_bundle([encode(line) for line in lines]), over=False)
