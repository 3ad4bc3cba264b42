"""The sentence about level 6 at a table where it plays: what it has learned there, and what it plays as is proved."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.house import LEARNED
from quadrille.client.bots.names import kind_of

if TYPE_CHECKING:
    from quadrille.ai.opponents.learned import Knowledge
    from quadrille.rules.core import State

_NOTHING: Final = "Level 6 has learned nothing for this table: it plays as level 5."
_RESULTS: Final = {1: "to win", 0: "never to lose"}


def level_text(bots: Iterable[str], state: "State[Any, Any]") -> str:
    """The sentence for a table with these bots; "" if level 6 is not among them."""
    return _told(state) if LEARNED in bots else ""


def level_text_by_kind(kinds: Iterable[str], state: "State[Any, Any]") -> str:
    """The sentence for a table on the network, by the kinds of bots there: `level 6 of Ann`."""
    return _told(state) if any(kind.partition(" of ")[0] == kind_of(LEARNED) for kind in kinds) else ""


def _told(state: "State[Any, Any]") -> str:
    from quadrille.ai.opponents.learned import knowledge  # here alone: other tables start without searches and weights

    return knowledge_text(knowledge(state))


def knowledge_text(knowledge: "Knowledge") -> str:
    """The knowledge of level 6 at a table."""
    if knowledge.games:
        told = f"Level 6 has learned this table from {knowledge.games:,} games against itself."
    else:
        told = _NOTHING
    if knowledge.turner is not None:
        who = f"player {knowledge.turner + 1}"
        does = _RESULTS[knowledge.turns]
        told += f" As {who} it can turn each move of the other by 180 degrees, which is proved {does}."
    elif knowledge.ends and not knowledge.games:
        told += " As soon as it can look to the end of the game, it plays what is proved."
    return told
