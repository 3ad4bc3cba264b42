"""The places of a person on the network, as client/words/commands.py knows them."""

from collections.abc import Mapping

from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.stage import NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.words.commands import COMMANDS, Command, Place, by_any_word


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


def words_at(stage: NetworkStage) -> Mapping[str, Command]:
    """Return the commands of this stage by their words; in the lobby those that are not the screen's own."""
    place = place_of(stage)
    return {"block": COMMANDS["block"]} if place is Place.LOBBY else by_any_word(place)
