"""The verdicts on own games, in the home: HOME/learn/NUMBER.json, a file for each game with its record beside them.

So a mistake outlives its game, since only the newest games are kept. A damaged file or one of another version is made
anew while the game is there. Nothing here is trusted: each verdict has to fit its record.
"""

import json
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from quadrille.client.analysis.verdicts import POSITIONS, SIMULATIONS, Verdict
from quadrille.client.files import read_bytes, write_text
from quadrille.client.kept.own_games import OpenedGame
from quadrille.client.table.players import Players
from quadrille.client.value import value
from quadrille.extras.study.lessons.exercises import turns
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.record import read_with_table, write

FOLDER: Final = "learn"
#: The version of the files: another form, or verdicts of another kind. Other versions are made anew.
VERSION: Final = 1
#: Maximum games, the oldest files go first; and bytes of a file.
MOST: Final = 1000
MOST_BYTES: Final = 4 << 20
NUMBER: Final = re.compile(r"[0-9a-f]{32,64}")
#: The kept fields of a verdict.
_FIELDS: Final = ("ply", "seat", "move", "before", "after", "certain", "error", "tried", "better", "spread")
#: Values beyond a won game come from margins.
_HIGHEST: Final = 2.0


@value
class JudgedGame:
    """A game and the verdicts on the moves of own seats, the first move's first; `left` entries are not judged yet."""

    number: str
    match: Match
    players: Players
    seats: tuple[int, ...]
    found: tuple[Verdict, ...]
    left: int
    changed: float

    @classmethod
    def of(cls, number: str, game: OpenedGame, changed: float) -> "JudgedGame":
        """A game before its first verdict."""
        return cls(number, game.match, game.players, game.seats, (), game.match.length if game.seats else 0, changed)


def judged_file(folder: Path, number: str) -> Path:
    return folder / f"{number}.json"


def keep_judged(folder: Path, game: JudgedGame) -> None:
    """Write a game and its verdicts."""
    told = {
        "quadrille": FOLDER,
        "version": VERSION,
        "work": [POSITIONS, SIMULATIONS],
        "changed": game.changed,
        "seats": list(game.seats),
        "left": game.left,
        "verdicts": [{name: getattr(one, name) for name in _FIELDS} for one in game.found],
        "record": write(game.match, game.players.told(private=False)),
    }
    write_text(str(judged_file(folder, game.number)), json.dumps(told, indent=1), over=True)


def judged_games(folder: Path) -> tuple[list[JudgedGame], list[str]]:
    """All judged games, and the numbers of those whose files are damaged or of another version."""
    found, damaged = [], []
    with suppress(OSError):
        for path in sorted(folder.glob("*.json")):
            if not NUMBER.fullmatch(path.stem):
                continue
            game = read_judged(path)
            if game is None:
                damaged.append(path.stem)
            else:
                found.append(game)
    return found, damaged


def read_judged(path: Path) -> JudgedGame | None:
    """A judged game; None if its file is damaged or of another version."""
    try:
        data = read_bytes(str(path), MOST_BYTES)
        told = json.loads(data) if len(data) <= MOST_BYTES else None
        if not isinstance(told, dict) or (told.get("version"), told.get("work")) != (VERSION, [POSITIONS, SIMULATIONS]):
            return None
        return _checked(path.stem, told)
    except (OSError, ValueError, RecursionError, RulesError, TypeError, KeyError, OverflowError):
        return None


def _checked(number: str, told: dict[str, Any]) -> JudgedGame | None:
    """The game of a file, whose verdicts fit the record; None if they don't."""
    match, table = read_with_table(told["record"])
    seats, left, changed = told["seats"], told["left"], told["changed"]
    all_seats = range(match.state.seats)
    fits = isinstance(seats, list) and all(type(seat) is int and seat in all_seats for seat in seats)
    if not fits or type(left) is not int or not 0 <= left <= match.length or not _is_number(changed, math.inf):
        return None
    numbers, found = turns(match), []
    for row in told["verdicts"]:
        verdict = Verdict(**{name: row[name] for name in _FIELDS})
        if not _fits(match, numbers, seats, verdict):
            return None
        found.append(verdict)
    return JudgedGame(number, match, Players.read(table, match.state.seats), tuple(seats), tuple(found), left, changed)


def _fits(match: Match, numbers: Sequence[int], seats: Sequence[int], one: Verdict) -> bool:
    """Whether a verdict is about a move of an own seat, and names a better move that is legal."""
    known = type(one.ply) is int and 1 <= one.ply <= len(numbers) and type(one.certain) is bool
    if not known or type(one.tried) is not int or one.tried < 0 or not isinstance(one.better, str):
        return False
    entry = match.entries[numbers[one.ply - 1]]
    values = [one.before, one.error, one.spread, *([] if one.after is None else [one.after])]
    if (
        not isinstance(entry, Played)
        or entry.seat not in seats
        or (one.seat, one.move) != (entry.seat, str(entry.move))
    ):
        return False
    state = match.before(numbers[one.ply - 1]).state
    return all(_is_number(each, _HIGHEST) for each in values) and (
        state.objection(match.game.parse(one.better, state)) is None
    )


def _is_number(found: object, most: float) -> bool:
    return isinstance(found, int | float) and type(found) is not bool and abs(found) <= most and math.isfinite(found)


def prune_judged(folder: Path, games: Sequence[JudgedGame]) -> None:
    """Delete the games that were played first, above the maximum."""
    for game in sorted(games, key=lambda one: -one.changed)[MOST:]:
        with suppress(OSError):
            judged_file(folder, game.number).unlink(missing_ok=True)
