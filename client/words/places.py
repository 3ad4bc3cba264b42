"""The places of a person on the network: their commands, and their notices as lines for a face."""

from quadrille.client.table import notices
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Notice
from quadrille.client.table.stage import NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.words.commands import Place, misread, words_at
from quadrille.client.words.table import by_name, is_misread
from quadrille.rules.match import Agreed, Left


def place_of(stage: NetworkStage) -> Place:
    """Return the place whose commands are offered at this stage."""
    match stage:
        case TableSeat():
            return Place.TALK
        case WaitingRoom():
            return Place.HOSTING if stage.gathering.hosts else Place.ASKING
        case TableSearch():
            return Place.CHOOSING
    return Place.LOBBY


def lines_of(stage: NetworkStage, notice: Notice, line: str) -> list[str]:
    """Return the sentences of a notice; none for a move, which the board and the list of moves show."""
    match notice:
        case notices.MoveMade(forced=False):
            return []
        case Left() | Agreed() | notices.Carried(notices.ShownMotion("draw")) if _is_over(stage):
            return []  # the end of the game says so
    text = by_name(notice, stage.seats, stage.own_seat)
    if isinstance(notice, notices.Refused) and is_misread(notice.why) and line:
        text = misread(text, line, words_at(place_of(stage)))
    return [part for part in text.split("\n") if part]


def _is_over(stage: NetworkStage) -> bool:
    return isinstance(stage, TableSeat) and stage.table.over is not None
