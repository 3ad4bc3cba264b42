"""The names of the built-in bots: a kind, with a level or without (`mcts:3`), or a level alone, `1` to `6`. Also the
knowledge of level 6 as a value.

Nothing heavy is imported here, because help and completion need the names. The bots are in ai/opponents.
"""

from difflib import get_close_matches
from typing import Final, NamedTuple

#: The kinds, weakest first, and the levels.
KINDS: Final = ("random", "greedy", "alphabeta", "mcts", "ismcts", "solver")
LEVELS: Final = ("1", "2", "3", "4", "5")
#: The level above those of each kind, the only one that learned (ai/opponents/learned.py).
LEARNED: Final = "6"
#: Minimum similarity (0 to 1) at which another name counts as the one that was meant.
NEAR: Final = 0.7


class Knowledge(NamedTuple):
    """The knowledge of level 6 at a table. Its weights are from so many `games`, 0 if it has learned nothing. If they
    are not `used`, it plays as level 5.

    From the first position on, the seat `turner` reaches the result `turns` at least by turning each move of the
    opponent by 180 degrees; None: no seat does. If the table `ends`, it plays the last moves as is proved. If it
    `counts`, it counts cards.
    """

    games: int
    used: bool
    turner: int | None
    turns: int
    ends: bool
    counts: bool = False


def is_of_house(bot: str) -> bool:
    """Whether the name is a built-in kind, with or without a level, or a level alone."""
    kind, colon, level = bot.partition(":")
    return (kind in KINDS and (level in LEVELS or not colon)) or (kind in (*LEVELS, LEARNED) and not colon)


def meant(bot: str) -> str:
    """The built-in bot that was perhaps meant, with its level if that exists; "" if no name is similar."""
    kind, _, level = bot.strip().lower().partition(":")
    near = get_close_matches(kind, KINDS, 1, NEAR)
    return f"{near[0]}:{level}" if near and level in LEVELS else near[0] if near else ""
