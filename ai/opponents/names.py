"""Names of opponents: `mcts`, `mcts:3`, just a level, `1` to `5`, for the best built-in one, or a plugged one."""

from typing import Final

from quadrille.ai.bot import Bot
from quadrille.ai.house import BrokenPlug, kind_at, levels, meant, plug_of, plugged
from quadrille.ai.opponents.kinds import LEVELS, AlphaBeta, Greedy, House, Ismcts, Mcts, Random, Solver
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: Every kind by its name.
KINDS: Final = {kind.name: kind for kind in (Random, Greedy, AlphaBeta, Mcts, Ismcts, Solver)}
#: Levels of every kind.
LEVEL_NAMES: Final = tuple(map(str, LEVELS))


class UnknownOpponent(RulesError):
    """A name that no opponent has."""


def opponent(text: str, near: str = "") -> Bot:
    """Return the opponent of that name: KIND, KIND:LEVEL, a LEVEL, or one that a package plugs in. `near` was meant by
    any other name, if anything was.
    """
    named = text.strip().lower()
    name, _, level = named.partition(":")
    if name in LEVEL_NAMES and not level:
        return House(LEVEL_NAMES.index(name) + 1)
    if name in KINDS and (level in LEVEL_NAMES or ":" not in text):
        return KINDS[name](LEVEL_NAMES.index(level) + 1) if level else KINDS[name]()
    if (plug := plug_of(named)) is not None:
        try:
            return kind_at(plug)()
        except BrokenPlug as error:
            raise UnknownOpponent(str(error)) from error
    near = near or meant(text)
    kinds, hint = ", ".join(KINDS), f" (did you mean {near}?)" if near else ""
    more = ", ".join(name for name in plugged() if not name.isdigit())
    raise UnknownOpponent(
        f"there is no opponent {quoted(text)}{hint}: there are {kinds}, each with :1 to :5, or just 1 to "
        f"{levels()[-1]}{more and ', or '}{more}"
    )
