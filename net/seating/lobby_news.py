"""Events of the network that a program hears of. They are values; lobby.py makes them.

See net/game_log/news.py for what happens at a table. Specification: protocols.md, "Lobby".
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
    """Somebody on the network, by the word of its newest advert. `unplayable` are its tables by terms that can't be
    played here, each with the reason.
    """

    key: bytes
    name: str
    kind: str
    tables: tuple[Offer, ...]
    unplayable: tuple[tuple[Offer, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrived:
    """A peer is here, or its advert reads otherwise now."""

    peer: AdvertisedPeer


@dataclass(frozen=True, slots=True)
class Departed:
    """A peer is gone."""

    peer: AdvertisedPeer


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody wants me at a table."""

    key: bytes
    table: bytes
    terms: Terms


@dataclass(frozen=True, slots=True)
class Began:
    """A table of mine is at play."""

    table: bytes


@dataclass(frozen=True, slots=True)
class Called:
    """A seat asks me to play on for a seat that is gone, at a table that need not be open here."""

    key: bytes
    table: bytes
    before: bytes
    seat: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class SeatAwaited:
    """Somebody waits for me at a table that is not open here, and that has a seat of mine (`Lobby.accept`)."""

    key: bytes
    log: Log


@dataclass(frozen=True, slots=True)
class At:
    """Something happened at one of my tables."""

    table: bytes
    event: GatheringEvent | TableEvent


@dataclass(frozen=True, slots=True)
class Dropped:
    """A message that can't stand, and who sent it."""

    key: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Aside:
    """Something about an engagement (net/program/reliable_stream.py), or a leave from what is no table here; and who
    said it.
    """

    key: bytes
    message: Engage | Engaged | Words | Gone


Event: TypeAlias = Arrived | Called | Departed | Invited | Began | SeatAwaited | At | Dropped | Aside
