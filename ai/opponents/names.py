"""Names of opponents: `mcts`, `mcts:3`, just a level, `1` to `5`, for the best built-in one, or a plugged one."""

from typing import Final

from quadrille.ai.bot import Bot
from quadrille.ai.house import LEVELS, BrokenPlug, is_built_in, kind_at, levels, meant, plug_of, plugged
from quadrille.ai.opponents.kinds import AlphaBeta, Greedy, House, Ismcts, Mcts, Random, Solver
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: Every kind by its name.
KINDS: Final = {kind.name: kind for kind in (Random, Greedy, AlphaBeta, Mcts, Ismcts, Solver)}


class UnknownOpponent(RulesError):
    """A name that no opponent has."""


def opponent(text: str, near: str = "") -> Bot:
    """Return the opponent of that name: KIND, KIND:LEVEL, a LEVEL, or one that a package plugs in. `near` was meant by
    any other name, if anything was.
    """
    named = text.strip().lower()
    if is_built_in(named):
        kind, _, level = named.partition(":")
        return House(int(kind)) if kind in LEVELS else KINDS[kind](int(level)) if level else KINDS[kind]()
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
