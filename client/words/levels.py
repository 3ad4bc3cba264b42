"""The sentence about level 6 at a table where it plays: what it has learned there, and what it plays as is proved."""

from typing import Final

from quadrille.ai.house import Knowledge

_NOTHING: Final = "Level 6 has learned nothing for this table: it plays as level 5."
_COUNTS: Final = "Level 6 has learned nothing for this table: it plays as level 5, but counts cards."
_NOT_USED: Final = ", but was not shown to be stronger by that: it plays as level 5."
_RESULTS: Final = {1: "to win", 0: "never to lose"}


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
