"""The verdicts on own games, in the home: HOME/learn/NUMBER.json, a file for each game with its record beside them.

So a mistake outlives its game, since only the newest games are kept. A damaged file or one of another version is made
anew while the game is there.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.client.analysis.verdicts import POSITIONS, SIMULATIONS, Verdict
from quadrille.client.kept.own_games import OpenedGame
from quadrille.client.table.players import Players
from quadrille.extras.study.kept.files import DAMAGE, read_kept, write_kept
from quadrille.rules.match import Match
from quadrille.rules.record import read_with_table, write
from quadrille.value import value

FOLDER: Final = "learn"
#: The version of the files, and the work behind a verdict. Files of other versions are made anew.
VERSION: Final = [3, POSITIONS, SIMULATIONS]
#: Maximum games; the oldest files go first.
MOST: Final = 1000
NUMBER: Final = re.compile(r"[0-9a-f]{32,64}")
#: The kept fields of a verdict.
_FIELDS: Final = ("ply", "seat", "move", "before", "after", "certain", "error", "tried", "better", "spread")


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
        """Begin to judge a game: none with hidden cards, where chance blurs the worth of a move by half a win."""
        left = game.match.length if game.seats and not game.match.game.hidden else 0
        return cls(number, game.match, game.players, game.seats, (), left, changed)


def judged_file(folder: Path, number: str) -> Path:
    return folder / f"{number}.json"


def keep_judged(folder: Path, game: JudgedGame) -> None:
    """Write a game and its verdicts."""
    told = {
        "changed": game.changed,
        "seats": list(game.seats),
        "left": game.left,
        "verdicts": [{name: getattr(one, name) for name in _FIELDS} for one in game.found],
        "record": write(game.match, game.players.told(private=False)),
    }
    write_kept(judged_file(folder, game.number), FOLDER, VERSION, told)


def judged_games(folder: Path) -> tuple[list[JudgedGame], list[str]]:
    """Read all judged games, and the numbers of those whose files are damaged or of another version."""
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
    """Read a judged game; None if its file is damaged or of another version."""
    with suppress(OSError, *DAMAGE):
        told = read_kept(path, VERSION)
        match, table = read_with_table(told["record"])
        found, players = (Verdict(**row) for row in told["verdicts"]), Players.read(table, match.state.seats)
        return JudgedGame(path.stem, match, players, tuple(told["seats"]), tuple(found), told["left"], told["changed"])
    return None


def prune_judged(folder: Path, games: Sequence[JudgedGame]) -> None:
    """Delete the games that were played first, above the maximum."""
    for game in sorted(games, key=lambda one: -one.changed)[MOST:]:
        with suppress(OSError):
            judged_file(folder, game.number).unlink(missing_ok=True)
