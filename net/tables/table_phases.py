"""The action of a table for each message, by the phase of the table.

A transition table only; table.py performs the actions. Specification: docs/protocols/play.md.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from quadrille.net.entries.wire import (
    Ask,
    Book,
    Chat,
    Consent,
    Decline,
    Entries,
    Head,
    Message,
    Motion,
    Propose,
    Resign,
    Vouch,
    Want,
)


class TablePhase(Enum):
    """A table's phase for one peer."""

    WAITING = "waiting"  # resumed; this peer writes nothing before it has caught up
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"  # another program plays with this identity, or this one made a mistake


class TableDeed(Enum):
    """The effect of a message."""

    TAKE = "take"  # check each entry, and add it to the log
    COMPARE = "compare"  # send what the other lacks, or ask for what is missing here
    NOTE = "note"  # compare, and remember the other's length
    SEND = "send"  # send entries from that index on
    DECIDE = "decide"  # a signature, a refusal or a resignation; a complete decision becomes an entry
    WEIGH = "weigh"  # another branch may stand now
    OPEN = "open"  # once the game is over, keep the secrets that fit their keys
    SAY = "say"  # report a new line
    TELL = "tell"  # send the whole log, and this peer's lines
    DROP = "drop"


def _row(*deeds: TableDeed) -> Mapping[TablePhase, TableDeed]:
    return MappingProxyType(dict(zip(TablePhase, deeds, strict=True)))


def _always(deed: TableDeed) -> Mapping[TablePhase, TableDeed]:
    return _row(*[deed] * len(TablePhase))


#: The actions for messages of players only (table.py, `Table.hears`).
FOR_PLAYERS: Final = frozenset((TableDeed.TAKE, TableDeed.DECIDE, TableDeed.WEIGH, TableDeed.OPEN))

_UNTIL_STOPPED: Final = _row(TableDeed.DECIDE, TableDeed.DECIDE, TableDeed.DECIDE, TableDeed.DROP)
#: The action for each message in each phase; other messages are ignored. docs/protocols/play.md prints this table.
DEEDS: Final[Mapping[type[Message], Mapping[TablePhase, TableDeed]]] = MappingProxyType(
    {
        #             WAITING            PLAYING            OVER               STOPPED
        Entries: _row(TableDeed.TAKE, TableDeed.TAKE, TableDeed.TAKE, TableDeed.DROP),
        Head: _row(TableDeed.NOTE, TableDeed.COMPARE, TableDeed.COMPARE, TableDeed.COMPARE),
        Want: _always(TableDeed.SEND),
        Motion: _UNTIL_STOPPED,
        Decline: _UNTIL_STOPPED,
        Resign: _UNTIL_STOPPED,
        Consent: _UNTIL_STOPPED,
        Vouch: _always(TableDeed.WEIGH),
        Book: _row(TableDeed.DROP, TableDeed.DROP, TableDeed.OPEN, TableDeed.OPEN),
        Chat: _always(TableDeed.SAY),
        Ask: _always(TableDeed.TELL),
        Propose: _always(TableDeed.TELL),
    }
)


def rows() -> list[list[str]]:
    """The table as text, for the documentation: a row for each message, a column for each phase."""
    head = ["", *(phase.value for phase in TablePhase)]
    return [head, *([kind.__name__, *(deed.value for deed in deeds.values())] for kind, deeds in DEEDS.items())]
