"""Makes the next place from the value by which a place names it."""

from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import AtGathering, AtTable, NetworkStage
from quadrille.client.table.network.waiting_room import WaitingRoom


def next_stage(stage: NetworkStage) -> NetworkStage | None:
    match stage.onward:
        case AtTable(table):
            return NetworkSeat(stage.context, stage.context.lobby.tables[table])
        case AtGathering(gathering, again):
            return WaitingRoom(stage.context, gathering, again=again)
    return None
