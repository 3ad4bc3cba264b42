"""The tables that begin with a sentence about level 6 (client/words/levels.py): those where it plays."""

from collections.abc import Iterable
from typing import Any

from quadrille.ai.house import LEARNED
from quadrille.client.bots.names import kind_of
from quadrille.client.words.levels import knowledge_text
from quadrille.rules.core import State


def level_text(bots: Iterable[str], state: State[Any, Any]) -> str:
    """The sentence for a table with these bots; "" if level 6 is not among them."""
    return _told(state) if LEARNED in bots else ""


def level_text_by_kind(kinds: Iterable[str], state: State[Any, Any]) -> str:
    """The sentence for a table on the network, by the kinds of bots there: `level 6 of Ann`."""
    return _told(state) if any(kind.partition(" of ")[0] == kind_of(LEARNED) for kind in kinds) else ""


def _told(state: State[Any, Any]) -> str:
    from quadrille.ai.opponents.learned import knowledge  # here alone: other tables start without searches and weights

    return knowledge_text(knowledge(state))
