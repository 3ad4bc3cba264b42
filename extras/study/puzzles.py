"""Puzzles with a proof: positions in which exactly one move wins and all others lose, and the list of them.

The list is part of the package, a line a day, so that everybody has the same puzzle and nobody waits for a search.
find_puzzles.py has found them. See extras/study/docs/puzzles.md.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final

from quadrille.rules.core import State
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof

#: The day of the first line.
FIRST: Final = date(2026, 11, 1)
#: Maximum positions of the proof of each move of a line: 2 seconds of plain Python. Of the first 1,013 puzzles, five
#: have wrong moves that need more: their lines end before the game does.
FOR_A_LINE: Final = 50_000
#: Entries of the table of a proof.
PLACES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, at the end of a match, with the one move that wins in it.

    `line` is a line of best moves to the end, from this one on. `refuted` has the winning answer to each other move; ""
    where the game is over after it.
    """

    match: Match
    line: tuple[str, ...]
    refuted: dict[str, str]

    @property
    def solution(self) -> str:
        return self.line[0]

    @property
    def state(self) -> State[Any, Any]:
        """The position."""
        return self.match.state

    def after(self, moves: Iterable[str]) -> Match:
        match = self.match.copy()
        for move in moves:
            match.play(move)
        return match


def refutation(puzzle: Puzzle, move: str) -> tuple[str, ...]:
    """Return the best moves after a wrong one, from its refutation on: to the end, as far as each is proven."""
    answer = puzzle.refuted[move]
    if not answer:
        return ()
    start = Position(puzzle.after((move, answer)).state)
    return (answer, *(() if start.over else map(str, Proof(start, PLACES).line(start, FOR_A_LINE))))


# The list


@cache
def lines() -> tuple[str, ...]:
    return tuple(files(__package__).joinpath("puzzles.jsonl").read_text("utf-8").splitlines())


def games_with_puzzles() -> list[str]:
    """Return the keys of the games that have puzzles."""
    return sorted({json.loads(line)["game"] for line in lines()})


def of_day(day: date, key: str = "") -> tuple[date, Puzzle]:
    """Return the last puzzle up to a day, of any game or of this one, with its own day.

    After its last line the list begins again, on all machines alike.
    """
    for number in range((day - FIRST).days, -1, -1):
        line = lines()[number % len(lines())]
        if key in ("", json.loads(line)["game"]):
            return FIRST + timedelta(number), of_line(line)[1]
    raise RulesError(f"from {FIRST} to {day} there is no puzzle of {game(key).title}: name a later day")


def of_line(line: str) -> tuple[date, Puzzle]:
    """Read a line of the list; find_puzzles.py writes them."""
    data = json.loads(line)
    match = Match(game(data["game"]), data["options"], 2, deal=Deal(data["seed"]) if "seed" in data else None)
    for move in data["moves"].split(","):
        match.play(move)
    refuted = {move: answer for answer, moves in data["refuted"].items() for move in moves.split(",")}
    return date.fromisoformat(data["day"]), Puzzle(match, tuple(data["line"].split(",")), refuted)
