"""Concerns that need a person's attention at a table: a proposal to answer, a seat that is gone, a pause.

A screen shows it above its prompt. client/words/network/table.py makes the sentence.
"""

from enum import Enum, auto
from typing import TypeAlias

from quadrille.client.table.network.notices import ProposalTold, ProposedHere, TableStopped, Who
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.value import value


class Plight(Enum):
    """A concern without further data."""

    CUT_OFF = auto()  # this machine has lost the network
    RESTING = auto()  # no clock runs until the next move


class Charge(Enum):
    """The subjects of a decision by the others."""

    FLAG = auto()
    AWAY = auto()
    SILENT = auto()


@value
class ToDecide:
    """The others have to decide about a seat."""

    seat: int
    charge: Charge


@value
class Missing:
    """These seats are gone. If the others are `several`, they may decide in that many milliseconds.

    `copy`: a copy of the game can be continued against a bot.
    """

    seats: tuple[int, ...]
    several: bool
    copy: bool
    left: int


@value
class SeatTaken:
    """Another person plays in this person's seat."""

    seat: int


@value
class RematchWanted:
    """A player wants a rematch, and this person has not answered."""

    who: Who


Concern: TypeAlias = (
    RematchWanted | TableStopped | Plight | ProposalTold | ProposedHere | ToDecide | Missing | SeatTaken
)


def concern(seat: NetworkSeat, *, cut_off: bool) -> Concern | None:
    """The most important concern; None if there is none."""
    table, proposals = seat.table, seat.proposals
    if table.stopped:
        return TableStopped(table.stopped.why)
    if table.over:
        return RematchWanted(seat.who_wants_rematch) if seat.who_wants_rematch is not None else None
    if cut_off:
        return Plight.CUT_OFF
    if proposals.open and proposals.waits:
        return ProposalTold(proposals.motion(proposals.open.motion), proposals.open.signed, answers=True)
    if proposals.open and table.seat in proposals.open.signed:
        return ProposedHere(proposals.motion(proposals.open.motion), proposals.missing)
    turn = table.log.now.turn
    if seat.votes and turn is not None:
        if proposals.may_flag and turn not in table.overdue(seat.context.now()):
            return ToDecide(turn, Charge.FLAG)
        return ToDecide(turn, Charge.AWAY if turn in table.gone else Charge.SILENT)
    if lost := seat.lost:
        return _missing(seat, tuple(lost))
    if seat.lost_seat is not None:
        return SeatTaken(seat.lost_seat)
    return Plight.RESTING if table.log.now.paused else None


def _missing(seat: NetworkSeat, lost: tuple[int, ...]) -> Missing:
    standing, now = seat.table.log.now, seat.context.now()
    left = min(standing.terms.grace - (now - seat.table.gone[one]) for one in lost)
    return Missing(lost, len(standing.seats_in()) > 2, not standing.match.game.hidden, left)
