"""Which tables the laws are tried at: every game, preset and seat count, and a spread of options.

All is made from the games' own specs, so that a new game is covered the moment it stands in rules/games. What can't be
made is a text option: its examples are written here, and a test asks for them. A plugged game has its own `LAWS`.
"""

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from quadrille.laws import Laws
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.games._template import GAME as TEMPLATE
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Spec, Value
from quadrille.rules.registry import games

GUIDE = 'docs/guides/add-a-game.md, "Let the tests tell you", says what to write'


class Answers(dict[Any, Any]):
    """What the tests have to be told about each game, at the place `where`."""

    def __init__(self, where: str, rows: Mapping[Any, Any]) -> None:
        super().__init__(rows)
        self.where = where

    def __missing__(self, key: object) -> Any:
        raise LookupError(f"{self.where} has no answer for {key}: {GUIDE}")


#: All games on the menu, and the template that new ones are made from.
GAMES: Mapping[str, Game[Any, Any]] = {game.key: game for game in (*games(), TEMPLATE)}
#: Examples of the options that take a text.
TEXTS: Mapping[tuple[str, str], tuple[str, ...]] = Answers("TEXTS in tests/laws/settings.py", {
    ("coin-isolation", "layout"): ("ppn/npp/pdp", "pnp/p.n/pnp/dpp", "pp/pp", "nppnpdpq.pnp/pnpp.dpnqppp")
})  # fmt: skip
#: Tables small enough for everything to be tried at them: at least one of each game.
SMALL: Mapping[str, tuple[tuple[dict[str, Value], int], ...]] = Answers("SMALL in tests/laws/settings.py", {
    "chomp": (({"width": 2, "height": 2}, 2), ({"width": 3, "height": 2}, 2)),
    "barons": (
        ({"width": 3, "height": 2}, 2),
        ({"width": 3, "height": 3, "end": "full"}, 4),
        ({"width": 4, "height": 3}, 5),
    ),
    "coin-isolation": (
        ({"layout": "pp/np"}, 2),
        ({"layout": "pp/pp/pn", "renegade": True, "standing_still": True}, 2),
        ({"layout": "ppp/ppn", "adjacency": "diagonal", "take": "semi-greedy"}, 2),
        ({"layout": "pp/pp/p.", "collect": "transplant"}, 2),
        ({"layout": "pp/pp/p.", "collect": "transplant-after", "adjacency": "diagonal"}, 3),
        ({"layout": "pn/pp/np", "mixed_change": True, "collect": "cleanup", "standing_still": True}, 2),
    ),
    "dollar-draw": (({"width": 2, "height": 2}, 2), ({"width": 3, "height": 4}, 2)),
    "dotter": (({"laps": 4, "lap_points": 21}, 2), ({"guess_nothing": True, "jokers": 0, "max_rounds": 1}, 3)),
    "maze": (({"size": 2}, 2), ({"size": 3}, 2)),
})  # fmt: skip


def plugged(key: str) -> Laws | None:
    """What a plugged game says beside its GAME; None for a game of ours."""
    found = getattr(sys.modules[type(GAMES[key]).__module__], "LAWS", Laws())
    return found if "@" in key else None


def least(key: str) -> tuple[tuple[dict[str, Value], int], ...]:
    """The smallest table of a game that names none: each number at its least."""
    specs = GAMES[key].Options.specs()
    return (({spec.name: spec.least for spec in specs if spec.kind == "number"}, GAMES[key].seats[0]),)


@dataclass(frozen=True)
class Setting:
    """A table: a game, the options that are not the usual ones, and how many sit there."""

    key: str
    options: tuple[tuple[str, Value], ...]
    seats: int

    def __str__(self) -> str:
        return " ".join([self.key, str(self.seats), *(f"{name}={value}" for name, value in self.options)])

    @property
    def game(self) -> Game[Any, Any]:
        return GAMES[self.key]

    def start(self) -> Any:
        """Return the first position."""
        return self.game.start(dict(self.options), self.seats)

    def match(self, seed: str) -> Match:
        """A match at this table; what the rules leave to chance is dealt from the seed."""
        return Match(self.game, dict(self.options), self.seats, deal=Deal(seed))

    @property
    def possible(self) -> bool:
        """Whether the game takes these options and seats together."""
        try:
            self.start()
        except RulesError:
            return False
        return True


def setting(key: str, options: Mapping[str, Value], seats: int) -> Setting:
    usual = {spec.name: spec.default for spec in GAMES[key].Options.specs()}
    return Setting(key, tuple((name, value) for name, value in options.items() if value != usual[name]), seats)


def values(key: str, spec: Spec) -> tuple[Value, ...]:
    """What to try of an option."""
    match spec.kind:
        case "number":
            return spec.least, spec.default, spec.most
        case "choice":
            return spec.choices
        case "flag":
            return False, True
    return told.texts[spec.name] if (told := plugged(key)) else TEXTS[key, spec.name]


def words(key: str) -> list[Spec]:
    """The options that choose a variant: flags and choices."""
    return [spec for spec in GAMES[key].Options.specs() if spec.kind in ("flag", "choice")]


def pairwise(rows: list[tuple[Value, ...]]) -> Iterator[tuple[Value, ...]]:
    """A few combinations of a value from each row, such that any two values of two rows are together in one."""

    def pairs(chosen: tuple[Value, ...]) -> set[tuple[int, Value, int, Value]]:
        return {(i, chosen[i], j, chosen[j]) for i, j in itertools.combinations(range(len(chosen)), 2)}

    combinations = list(itertools.product(*rows))
    missing = set().union(*map(pairs, combinations))
    while missing:
        best = max(combinations, key=lambda chosen: len(pairs(chosen) & missing))
        yield best
        missing -= pairs(best)


@cache
def usual(key: str) -> tuple[Setting, ...]:
    """The defaults with every seat count, and the presets with one each."""
    found = GAMES[key]
    presets = zip(found.presets.values(), itertools.cycle(found.seats), strict=False)
    return (
        *(setting(key, {}, seats) for seats in found.seats),
        *(setting(key, dict(preset.options), seats) for preset, seats in presets),
    )


@cache
def varied(key: str) -> tuple[Setting, ...]:
    """Each option at each of its ends by itself, and the words pairwise; seat counts take turns."""
    found = GAMES[key]
    specs = found.Options.specs()
    options = [{spec.name: value} for spec in specs for value in values(key, spec) if value != spec.default]
    chosen = words(key)
    if len(chosen) > 1:
        options += [
            dict(zip([spec.name for spec in chosen], row, strict=True))
            for row in pairwise([values(key, spec) for spec in chosen])
        ]
    seats = itertools.cycle(found.seats)
    tables = dict.fromkeys(setting(key, some, next(seats)) for some in options)
    return tuple(table for table in tables if table.possible and table not in usual(key))


@cache
def small(key: str) -> tuple[Setting, ...]:
    told = plugged(key)
    return tuple(setting(key, options, seats) for options, seats in (told.small or least(key) if told else SMALL[key]))


@cache
def combined(key: str) -> tuple[Setting, ...]:
    """Every combination of the words, and with each text; seat counts take turns."""
    found = GAMES[key]
    chosen = words(key)
    texts = [spec for spec in found.Options.specs() if spec.kind == "text"]
    rows = [values(key, spec) for spec in chosen] + [("", *values(key, spec)) for spec in texts]
    names = [spec.name for spec in (*chosen, *texts)]
    seats = itertools.cycle(found.seats)
    tables = (setting(key, dict(zip(names, row, strict=True)), next(seats)) for row in itertools.product(*rows))
    return tuple(table for table in tables if table.possible)


def everywhere() -> list[Setting]:
    """The tables of all games that a law is tried at, though not all of them by default (`tried`)."""
    return list(dict.fromkeys(table for key in GAMES for table in (*usual(key), *varied(key), *small(key))))


def is_slow(table: Setting) -> bool:
    """Neither small, nor the usual table with all seats, nor one with a word that no small table has."""
    if table in small(table.key):
        return False
    if table in usual(table.key):
        return bool(table.options) or table.seats != table.game.seats[-1]
    shown = {option for other in small(table.key) for option in other.options}
    chosen = {spec.name for spec in words(table.key)}
    return len(table.options) > 1 or any(option in shown or option[0] not in chosen for option in table.options)


def tried(tables: Iterable[Setting]) -> list[object]:
    """All tables as parameters: CI alone tries the slow ones, compiled."""
    return [pytest.param(table, marks=pytest.mark.slow if is_slow(table) else ()) for table in tables]


def quick(tables: Iterable[Setting]) -> list[Setting]:
    """The tables at which a law is tried that options hardly touch, or that a slow test tries at all of them."""
    return [table for table in tables if not is_slow(table)]
