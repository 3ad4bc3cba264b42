"""Events of the network for programs. Values that lobby.py makes.

See net/game_log/news.py for the events of a table. Specification: docs/protocols/gathering.md, "Lobby".
"""

from dataclasses import dataclass
from typing import TypeAlias

from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Engage, Engaged, Gone, Offer, Words
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Event as TableEvent
from quadrille.net.seating.gathering_phases import Event as GatheringEvent


@dataclass(frozen=True, slots=True)
class AdvertisedPeer:
    """A peer by its newest advert. `unplayable` are its tables with terms that can't be played here, each with the
    reason.
    """

    key: bytes
    name: str
    kind: str
    tables: tuple[Offer, ...]
    unplayable: tuple[tuple[Offer, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrived:
    """A peer is here, or has a new advert."""

    peer: AdvertisedPeer


@dataclass(frozen=True, slots=True)
class Departed:
    """A peer is gone."""

    peer: AdvertisedPeer


@dataclass(frozen=True, slots=True)
class Invited:
    """A peer invites me to a table."""

    key: bytes
    table: bytes
    terms: Terms


@dataclass(frozen=True, slots=True)
class Began:
    """A table of mine has begun."""

    table: bytes


@dataclass(frozen=True, slots=True)
class Called:
    """A seat asks me to stand in for a seat that is gone, at a table that need not be open here."""

    key: bytes
    table: bytes
    before: bytes
    seat: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class SeatAwaited:
    """A table that is not open here waits for me at my seat (`Lobby.accept`)."""

    key: bytes
    log: Log


@dataclass(frozen=True, slots=True)
class At:
    """An event of one of my tables."""

    table: bytes
    event: GatheringEvent | TableEvent


@dataclass(frozen=True, slots=True)
class Dropped:
    """An invalid message and its sender."""

    key: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Aside:
    """A message about an engagement (net/program/reliable_stream.py), or a farewell that concerns no table here, with
    its author.
    """

    key: bytes
    message: Engage | Engaged | Words | Gone


Event: TypeAlias = Arrived | Called | Departed | Invited | Began | SeatAwaited | At | Dropped | Aside
