"""Five small abstract games: their rules, the bots that play them, and the records that keep them.

    from quadrille import game, games, read

    games()                                           # all games; each has its key, title, options and seats
    state = game("barons").start(width=5, height=5, seats=3)
    state.legal_moves, state.play("a1"), state.over # a state never changes; help(state) has more
    match = read(open("game.txt").read())             # a game that somebody saved; match.state is its last position

The README plays a whole game. Bots begin with `quadrille.ai.Bot`, searches with `quadrille.rules.search`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from quadrille.rules.record import read
    from quadrille.rules.registry import game, games

#: The version stands here alone (setup.cfg reads it).
__version__: Final = "0.1.0"
__all__ = ["__version__", "game", "games", "read"]
#: Where each name comes from; it is imported when somebody asks for it, because every command imports this package.
_SOURCES: Final = {"game": "registry", "games": "registry", "read": "record"}


def __getattr__(name: str) -> Any:
    if name not in _SOURCES:
        raise AttributeError(f"module 'quadrille' has no attribute {name!r}")
    return getattr(import_module(f"quadrille.rules.{_SOURCES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
