"""The phases of a gathering, a peer's action for each input, and the events for its program.

gathering.py looks its actions up here. Specification: docs/protocols/gathering.md, which prints `TABLE`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from quadrille.net.core.transitions import printed, transitions
from quadrille.net.entries.wire import Accept, Answer, Ask, Chat, Entries, Gone, Message, Propose, Reveal
from quadrille.net.game_log.news import ChatLine


class GatheringPhase(StrEnum):
    """The phase of a table that has not begun."""

    OPEN = "open"  # it waits for players
    AGREEING = "agreeing"  # a round: all chairs commit, then reveal their secrets
    BEGUN = "begun"  # entry 0 is here
    CLOSED = "closed"


OPEN, AGREEING, BEGUN, CLOSED = GatheringPhase


class GatheringStage(Enum):
    """A phase from one peer's side."""

    HOST_OPEN = "host, open"
    GUEST_OPEN = "guest, open"
    HOST_AGREEING = "host, agreeing"
    GUEST_AGREEING = "guest, agreeing"
    DONE = "begun or closed"


class Occasion(Enum):
    """An input that is not a message."""

    LOST = "a peer is lost"
    BACK = "a peer is back"
    LATE = "time is up"


class GatheringDeed(Enum):
    """A peer's action."""

    SEAT = "seat"  # give a chair, or refuse it with a reason
    RESTART = "restart"  # end the round, because the chair has committed and forgotten; then as `SEAT`
    VACATE = "vacate"  # free its chair
    NOTE = "note"  # an invited peer does not come
    OBEY = "obey"  # the host gives a chair, or takes it away
    JOIN = "join"  # commit to the host's proposal
    COUNT = "count"  # a chair commits, or reveals its secret
    HEAR = "hear"  # a line of the host, or of a peer with a chair
    BEGIN = "begin"  # take entry 0 from a chair that was quicker
    MISS = "miss"  # the host is gone: give it time to come back
    ASK = "ask"  # ask the host for a chair again
    REOPEN = "reopen"  # take away the chairs that have not answered
    CLOSE = "close"  # give the table up
    DROP = "drop"


SEAT, RESTART, VACATE, NOTE, OBEY, JOIN, COUNT, HEAR, BEGIN, MISS, ASK, REOPEN, CLOSE, DROP = GatheringDeed
#: A peer's action for each input at each stage. docs/protocols/gathering.md prints this table.
TABLE: Final[Mapping[type[Message] | Occasion, Mapping[GatheringStage, GatheringDeed]]] = transitions(
    GatheringStage,
    {
        # HOST_OPEN GUEST_OPEN HOST_AGREEING GUEST_AGREEING DONE
        Ask: (SEAT, DROP, RESTART, DROP, DROP),
        Gone: (VACATE, DROP, DROP, DROP, DROP),
        Answer: (NOTE, OBEY, NOTE, OBEY, DROP),
        Propose: (DROP, JOIN, DROP, JOIN, DROP),
        Accept: (DROP, DROP, COUNT, COUNT, DROP),
        Reveal: (DROP, DROP, COUNT, COUNT, DROP),
        Chat: (HEAR, HEAR, HEAR, HEAR, DROP),
        Entries: (BEGIN, BEGIN, BEGIN, BEGIN, DROP),
        Occasion.LOST: (VACATE, MISS, DROP, DROP, DROP),
        Occasion.BACK: (DROP, ASK, DROP, DROP, DROP),
        Occasion.LATE: (DROP, CLOSE, REOPEN, CLOSE, DROP),
    },
)


_STAGES: Final = {
    (OPEN, True): GatheringStage.HOST_OPEN,
    (OPEN, False): GatheringStage.GUEST_OPEN,
    (AGREEING, True): GatheringStage.HOST_AGREEING,
    (AGREEING, False): GatheringStage.GUEST_AGREEING,
}


def deed(what: type[Message] | Occasion, phase: GatheringPhase, *, hosts: bool) -> GatheringDeed:
    """A peer's action in that phase, as host or guest. Other messages are for tables at play."""
    return TABLE[what][_STAGES.get((phase, hosts), GatheringStage.DONE)] if what in TABLE else DROP


def rows() -> list[list[str]]:
    """The table as text, for the documentation: a row for each message and occasion, a column for each stage."""
    return printed(TABLE, {what: what.value if isinstance(what, Occasion) else what.__name__ for what in TABLE})


@dataclass(frozen=True, slots=True)
class ChairGranted:
    """The host has given us a chair."""


@dataclass(frozen=True, slots=True)
class ChairRefused:
    """The host refused us a chair, or took it away."""

    why: str


@dataclass(frozen=True, slots=True)
class OfferChanged:
    """The host has changed its offer."""


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """An invited peer does not come, for this reason."""

    key: bytes
    why: str


Event = ChairGranted | ChairRefused | OfferChanged | TurnedDown | ChatLine
