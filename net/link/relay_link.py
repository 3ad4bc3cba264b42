"""The state of one connection to a relay: of the ticket, our own, or one that a member runs for a direct way.

Part of relay_links.py, which changes it. Specification: docs/protocols/relay.md, "Parcels".
"""

import socket
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quadrille.net.relay.frames import FrameReader
from quadrille.net.relay.reachable import CALL_PATIENCE, FIRST_PAUSE, LAST_PAUSE
from quadrille.net.relay.ticket import MeetingPlace

#: Milliseconds: timeout for a connection and a relay's first word; silence before a PING, and before a relay is gone.
PATIENCE: Final = 6000
QUIET: Final = 2_500
SILENT: Final = 7_500
#: Milliseconds of the first pause before another call, and of the longest; each is 20 % more or less.
FIRST_RETRY: Final = 500
LAST_RETRY: Final = 20_000


class PlaceState(Enum):
    """How far a program is with a relay."""

    AWAY = "away"
    CALLED = "called"
    ENTERED = "entered"


@dataclass(frozen=True, slots=True)
class PlaceReport:
    """A relay of the ticket for the person: whether we are there, or why not."""

    place: MeetingPlace
    state: PlaceState
    trouble: str = ""


class RelayLink:
    """The connection to one relay."""

    __slots__ = (
        "connected", "entered_at", "failures", "heard_at", "member", "news_at", "number", "places", "reader",
        "retry_at", "since", "socket", "state", "trouble", "turn", "unsent", "watched",
    )  # fmt: skip

    def __init__(self, number: int, *places: MeetingPlace, member: bytes | None = None) -> None:
        self.number = number
        #: Its addresses, called in turn until one answers. A relay of the ticket has one.
        self.places = places
        self.turn = 0
        #: The member that runs it; None for a relay of the ticket and for our own.
        self.member = member
        self.news_at = 0
        self.state = PlaceState.AWAY
        self.socket: socket.socket | None = None
        self.reader = FrameReader(of_relay=True)
        self.unsent = bytearray()
        self.watched = 0
        self.connected = False
        self.since = self.heard_at = self.retry_at = self.entered_at = 0
        self.failures = 0
        self.trouble = ""

    @property
    def place(self) -> MeetingPlace:
        return self.places[self.turn]

    @property
    def patience(self) -> int:
        """Milliseconds until a call counts as failed."""
        return PATIENCE if self.member is None else CALL_PATIENCE

    def failed(self) -> int:
        """A call failed, or the connection broke; return the milliseconds until the next call."""
        if self.turn + 1 < len(self.places):
            self.turn += 1
            return 0
        self.turn = 0
        self.failures += 1
        first, last = (FIRST_RETRY, LAST_RETRY) if self.member is None else (FIRST_PAUSE, LAST_PAUSE)
        return min(first << min(self.failures - 1, 16), last)
