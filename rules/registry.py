"""The registry of games: each `GAME` in rules/games, and the games that packages plug in.

A folder has its game in game.py; a game may also be one file, whose name begins without _. The key of a plugged game
ends with @ and the name of its package.
"""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from quadrille.plugs import FILE, PLUGGED, BrokenPlug, missing, plugs, tell_broken
from quadrille.rules import games as folder
from quadrille.rules.core import RULES_VERSION, Game
from quadrille.rules.errors import UnknownGame
from quadrille.rules.options import shown
from quadrille.rules.squares import nearest


@cache
def own_keys() -> tuple[str, ...]:
    """Return the names of our own games, in the order of the menu."""
    names = sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(folder.__path__))
    keys = [name for name in names if not name.startswith("-")]
    return tuple(sorted(keys, key=lambda name: folder.MENU.index(name) if name in folder.MENU else len(keys)))


@cache
def keys() -> tuple[str, ...]:
    """Return the names of all games, ours first; a plugged game that can't be loaded is left out."""
    return (*own_keys(), *sorted(key for key in plugs("quadrille.games") if _is_whole(key)))


def _is_whole(key: str) -> bool:
    try:
        return _load(key) is not None
    except BrokenPlug as error:
        tell_broken(error)
        return False


@cache
def _load(key: str) -> Game[Any, Any]:
    if key in own_keys():
        module = import_module(f"quadrille.rules.games.{key.replace('-', '_')}")
        game = module.GAME if hasattr(module, "GAME") else import_module(f"{module.__name__}.game").GAME
        assert isinstance(game, Game) and game.key == key
        return game
    plug = plugs("quadrille.games")[key]
    if not PLUGGED.fullmatch(key):
        raise plug.broken("the name of a game is in small letters, digits and dashes")
    loaded = plug.load()
    game = getattr(loaded, "GAME", loaded)
    if not isinstance(game, Game) or game.key != key:
        raise plug.broken(f"its entry point is no Game with the key {key}")
    return game


def _game(key: object) -> Game[Any, Any]:
    """Return the game of that name, or refuse and offer the nearest one."""
    if isinstance(key, str) and (key in own_keys() or key in plugs("quadrille.games")):
        try:
            return _load(key)
        except BrokenPlug as error:
            raise UnknownGame(str(error)) from error
    raise UnknownGame(f"there is no game {shown(key)}: {_hint(key) if isinstance(key, str) else _listed()}")


game: "folder.Find" = _game  # type: ignore[assignment]  # it returns the games whose types `Find` names


def _hint(key: str) -> str:
    if key.endswith(f"@{FILE}"):
        return "it was played from a file, so name that: quadrille play ./FILE.py --load RECORD"
    if key.endswith(".py"):
        return "a game in a file is plugged in by naming the file first: quadrille docs card-game says how"
    return missing(key) or nearest(key, keys(), _listed())


def _listed() -> str:
    return f"the games are {', '.join(keys())}"


def rules_of(key: str) -> int:
    """Return the rules version of a game; 1 for an unknown game."""
    try:
        return game(key).rules
    except UnknownGame:
        return RULES_VERSION


def games() -> tuple[Game[Any, Any], ...]:
    """Return all games in the order of the menu."""
    return tuple(_load(key) for key in keys())
