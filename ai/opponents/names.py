"""Names of opponents: `mcts`, `mcts:3`, or just a level, `1` to `5`, for the best built-in one."""

from typing import Final

from quadrille.ai.house import LEARNED, meant
from quadrille.ai.opponents.kinds import LEVELS, AlphaBeta, Greedy, House, Ismcts, Mcts, Opponent, Random, Solver
from quadrille.ai.opponents.learned import Learned
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: Every kind by its name.
KINDS: Final = {kind.name: kind for kind in (Random, Greedy, AlphaBeta, Mcts, Ismcts, Solver)}
#: Levels of every kind.
LEVEL_NAMES: Final = tuple(map(str, LEVELS))
#: The available opponents, with a line of help each.
OPPONENTS: Final = {
    "1": "a beginner",
    "2": "somebody who knows the rules well",
    "3": "a good player",
    "4": "a strong player",
    "5": "the best of the house, who uses the clock",
    "6": "as 5, with what it learned from games against itself (where it has: docs/protocols/learned.md)",
    "random": "any legal move",
    "greedy": "the move after which the figures stand best",
    "alphabeta": "looks some turns ahead (two seats who see everything)",
    "mcts": "tries games in its head, any number of seats",
    "ismcts": "the same with hidden cards: what it may not see, it guesses again and again",
    "solver": "plays perfectly where it can look to the end of the game",
}


class UnknownOpponent(RulesError):
    """A name that no opponent has."""


def opponent(text: str, near: str = "") -> Opponent:
    """The opponent of that name: KIND, KIND:LEVEL, or a LEVEL. `near` was meant by any other name, if anything was."""
    name, _, level = text.strip().lower().partition(":")
    if name == LEARNED and not level:
        return Learned()
    if name in LEVEL_NAMES and not level:
        return House(LEVEL_NAMES.index(name) + 1)
    if name in KINDS and (level in LEVEL_NAMES or ":" not in text):
        return KINDS[name](LEVEL_NAMES.index(level) + 1) if level else KINDS[name]()
    near = near or meant(text)
    kinds, hint = ", ".join(KINDS), f" (did you mean {near}?)" if near else ""
    raise UnknownOpponent(
        f"there is no opponent {quoted(text)}{hint}: there are {kinds}, each with :1 to :5, or just 1 to 6"
    )
