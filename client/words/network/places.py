"""The places of a person on the network, as client/words/commands.py knows them."""

from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import NetworkStage
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.words.commands import Place, by_any_word, by_word, offered


def place_of(stage: NetworkStage) -> Place:
    """The place whose commands are offered at this stage."""
    match stage:
        case NetworkSeat():
            return Place.TALK
        case WaitingRoom():
            return Place.HOSTING if stage.gathering.hosts else Place.ASKING
        case TableSearch():
            return Place.CHOOSING
    return Place.LOBBY


def words_at(stage: NetworkStage) -> tuple[str, ...]:
    """The words that mean something at this stage; in the lobby those that are not the screen's own."""
    match place_of(stage):
        case Place.LOBBY:
            return ("block", "play-on")
        case Place.TALK:
            return tuple(by_any_word(Place.TALK))
        case place:
            others = (other for command in offered(place) if command.wish for other in command.same)
            return (*by_word(place), *others)
