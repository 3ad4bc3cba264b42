"""Puzzles that were found, in the home: HOME/puzzles/DAY-GAME.json, so that one is looked for once.

A file that is damaged or of another version is as good as none: the puzzle is found again.
"""

import hashlib
import json
import re
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

from quadrille.client.files import read_bytes, write_text
from quadrille.extras.study.puzzles import VERSION as SEARCH
from quadrille.extras.study.puzzles import Puzzle
from quadrille.rules.core import WHOLE
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.record import read, write

VERSION: Final = 1
MOST_BYTES: Final = 1 << 20
#: Maximum kept puzzles; those of the earliest days go first.
MOST: Final = 200
_NAME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9@-]+\.json")


def puzzle_file(folder: Path, game: str, day: date) -> Path:
    return folder / f"{day.isoformat()}-{game}.json"


def keep_found(folder: Path, day: date, puzzle: Puzzle) -> None:
    """Write a puzzle, and delete the earliest ones above the maximum."""
    path = puzzle_file(folder, puzzle.match.game.key, day)
    told = {"record": write(puzzle.match), "line": list(puzzle.line), "refuted": puzzle.refuted}
    head = {"quadrille": "puzzle", "version": [VERSION, SEARCH], "hash": _hash(told)}
    write_text(str(path), json.dumps({**head, **told}, indent=1), over=True)
    kept = sorted((one for one in folder.iterdir() if _NAME.fullmatch(one.name)), reverse=True)
    for old in kept[MOST:]:
        if old != path:
            old.unlink(missing_ok=True)


def found_puzzle(folder: Path, game: str, day: date) -> Puzzle | None:
    """The kept puzzle; None if there is none that can be trusted."""
    with suppress(OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError, RulesError):
        data = read_bytes(str(puzzle_file(folder, game, day)), MOST_BYTES)
        told: dict[str, Any] = json.loads(data) if len(data) <= MOST_BYTES else {}
        if told["version"] == [VERSION, SEARCH] and told["hash"] == _hash(_body(told)):
            return _checked(game, told)
    return None


def _body(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told[name] for name in ("record", "line", "refuted")}


def _hash(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _checked(game: str, told: dict[str, Any]) -> Puzzle | None:
    """The puzzle of a file: its line wins, and each other move has an answer that is legal. None if it is no such."""
    match = read(told["record"])
    line, refuted = tuple(told["line"]), dict(told["refuted"])
    if match.game.key != game or match.viewer != WHOLE or match.deal is None:
        return None
    moves = sorted(map(str, match.state.moves))
    if sorted([line[0], *refuted]) != moves:
        return None
    mover = match.state.board.turn
    final = _after(match, *line)
    for move, answer in refuted.items():
        after = _after(match, move, *([answer] if answer else []))
        if not answer and after.over is None:
            return None
    if final.over is None or final.state.board.payoff(mover) <= 0:
        return None
    return Puzzle(match, line[0], line, refuted)


def _after(match: Match, *moves: str) -> Match:
    after = match.copy()
    for move in moves:
        after.play(move)
    return after
