"""What concerns a person at a table as long as it is so: a proposal to answer, a seat that is gone, a pause.

A screen shows it above its prompt. client/words/network/table.py says it.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from quadrille.client.table.network.notices import ShownMotion, TableStopped
from quadrille.client.table.network.seat import NetworkSeat


@dataclass(frozen=True, slots=True)
class CutOff:
    """The machine here has no network any more."""


@dataclass(frozen=True, slots=True)
class ToAnswer:
    """These seats propose something, and this person has to say yes or no."""

    motion: ShownMotion
    signed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ToAwait:
    """The person here proposes something, and these seats have not signed it."""

    motion: ShownMotion
    missing: tuple[int, ...]


class Charge(Enum):
    """What the others may decide about."""

    FLAG = auto()
    AWAY = auto()
    SILENT = auto()


@dataclass(frozen=True, slots=True)
class ToDecide:
    """The others have to decide about a seat."""

    seat: int
    charge: Charge


@dataclass(frozen=True, slots=True)
class Missing:
    """These seats are gone. The others, if they are `several`, may decide in so many milliseconds.

    `copy`: the game can be played on against a bot, on a copy.
    """

    seats: tuple[int, ...]
    several: bool
    copy: bool
    left: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Another plays on in this person's seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resting:
    """No clock runs until the next move."""


Concern: TypeAlias = TableStopped | CutOff | ToAnswer | ToAwait | ToDecide | Missing | SeatTaken | Resting


def concern(seat: NetworkSeat, *, cut_off: bool) -> Concern | None:
    """The one that matters most; None where all is well."""
    table, proposals = seat.table, seat.proposals
    if table.stopped:
        return TableStopped(table.stopped.why)
    if table.over:
        return None
    if cut_off:
        return CutOff()
    if proposals.open and proposals.waits:
        return ToAnswer(proposals.motion(proposals.open.motion), proposals.open.signed)
    if proposals.open and table.seat in proposals.open.signed:
        return ToAwait(proposals.motion(proposals.open.motion), proposals.missing)
    turn = table.log.now.turn
    if seat.votes and turn is not None:
        if proposals.may_flag and turn not in table.overdue(seat.context.now()):
            return ToDecide(turn, Charge.FLAG)
        return ToDecide(turn, Charge.AWAY if turn in table.gone else Charge.SILENT)
    if lost := seat.lost:
        return _missing(seat, tuple(lost))
    if seat.lost_seat is not None:
        return SeatTaken(seat.lost_seat)
    return Resting() if table.log.now.rest else None


def _missing(seat: NetworkSeat, lost: tuple[int, ...]) -> Missing:
    standing, now = seat.table.log.now, seat.context.now()
    left = min(standing.terms.grace - (now - seat.table.gone[one]) for one in lost)
    return Missing(lost, len(standing.seats_in()) > 2, not standing.match.game.hidden, left)
