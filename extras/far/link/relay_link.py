"""The state of one connection to a relay of the ticket.

Part of relay_links.py, which changes it. Specification: extras/far/docs/relay.md, "Parcels".
"""

import socket
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quadrille.extras.far.relay.frames import FrameReader
from quadrille.extras.far.relay.ticket import MeetingPlace

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
        "connected", "entered_at", "failures", "heard_at", "number", "place", "reader", "retry_at", "since", "socket",
        "state", "trouble", "unsent", "watched",
    )  # fmt: skip

    def __init__(self, number: int, place: MeetingPlace) -> None:
        self.number = number
        self.place = place
        self.state = PlaceState.AWAY
        self.socket: socket.socket | None = None
        self.reader = FrameReader(of_relay=True)
        self.unsent = bytearray()
        self.watched = 0
        self.connected = False
        self.since = self.heard_at = self.retry_at = self.entered_at = 0
        self.failures = 0
        self.trouble = ""

    def failed(self) -> int:
        """A call failed, or the connection broke; return the milliseconds until the next call."""
        self.failures += 1
        return min(FIRST_RETRY << min(self.failures - 1, 16), LAST_RETRY)
