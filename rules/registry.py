"""The registry of games: the modules of rules/games, each with its `GAME`; those that begin with _ are not listed."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from quadrille.rules import games as folder
from quadrille.rules.core import RULES_VERSION, Game
from quadrille.rules.errors import UnknownGame
from quadrille.rules.options import shown
from quadrille.rules.squares import nearest


@cache
def keys() -> tuple[str, ...]:
    """The games' names, in alphabetical order."""
    names = (module.name for module in pkgutil.iter_modules(folder.__path__))
    return tuple(sorted(name.replace("_", "-") for name in names if not name.startswith("_")))


@cache
def _load(key: str) -> Game[Any, Any]:
    found = import_module(f"quadrille.rules.games.{key.replace('-', '_')}").GAME
    assert isinstance(found, Game) and found.key == key
    return found


def game(key: object) -> Game[Any, Any]:
    """The game of that name, or a refusal that offers the nearest one."""
    if isinstance(key, str) and key in keys():
        return _load(key)
    hint = nearest(key, keys(), f"the games are {', '.join(keys())}")
    raise UnknownGame(f"there is no game {shown(key)}: {hint}")


def rules_of(key: str) -> int:
    """The rules version of a game; 1 for an unknown game."""
    return game(key).rules if key in keys() else RULES_VERSION


def games() -> tuple[Game[Any, Any], ...]:
    """All games on the menu."""
    return tuple(_load(key) for key in keys())
