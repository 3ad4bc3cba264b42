"""The sentences that begin a table with strong bots: on level 6 (client/words/levels.py), and on their pace."""

from collections.abc import Iterable
from typing import Any

from quadrille.ai.house import LEARNED, LEVELS
from quadrille.client.bots.names import kind_of
from quadrille.client.words.levels import knowledge_text
from quadrille.rules.core import State
from quadrille.rules.native.compiled import advice


def level_text(bots: Iterable[str], state: State[Any, Any]) -> str:
    """The sentence for a table with these bots; "" if level 6 is not among them."""
    return _told(state) if LEARNED in bots else ""


def pace_text(bots: Iterable[str]) -> str:
    """How to make bots faster that take all the time they have; "" if none is among these, or if they are fast."""
    return advice() if {LEVELS[-1], LEARNED} & {*bots} else ""


def level_text_by_kind(kinds: Iterable[str], state: State[Any, Any]) -> str:
    """The sentence for a table on the network, by the kinds of bots there: `level 6 of Ann`."""
    return _told(state) if any(kind.partition(" of ")[0] == kind_of(LEARNED) for kind in kinds) else ""


def _told(state: State[Any, Any]) -> str:
    from quadrille.ai.opponents.learned import knowledge  # here alone: other tables start without searches and weights

    return knowledge_text(knowledge(state))
