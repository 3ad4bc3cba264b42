"""The knowledge of level 6 at a table: what it has learned there, and what it plays as is proved."""

from typing import Final, NamedTuple

_NOTHING: Final = "Level 6 has learned nothing for this table: it plays as level 5."
_COUNTS: Final = "Level 6 has learned nothing for this table: it plays as level 5, but counts cards."
_NOT_USED: Final = ", but was not shown to be stronger by that: it plays as level 5."
_RESULTS: Final = {1: "to win", 0: "never to lose"}


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


def knowledge_text(knowledge: Knowledge) -> str:
    """The knowledge of level 6 at a table."""
    if knowledge.games:
        told = f"Level 6 has learned this table from {knowledge.games:,} games against itself"
        told += "." if knowledge.used else _NOT_USED
    else:
        told = _COUNTS if knowledge.counts else _NOTHING
    if knowledge.turner is not None:
        who, does = f"player {knowledge.turner + 1}", _RESULTS[knowledge.turns]
        told += f" As {who} it can turn each move of the other by 180 degrees, which is proved {does}."
    elif knowledge.ends and not knowledge.used:
        told += " As soon as it can look to the end of the game, it plays what is proved."
    return told
