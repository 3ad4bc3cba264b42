"""One person's session on the network in plain lines: the commands `host`, `join`, `watch`, `resume`.

The calling thread owns the station; the thread that reads typed lines only wakes it.
"""

import argparse
import sys
from collections.abc import Sequence
from textwrap import wrap

from quadrille.client.network import unfinished_games as unfinished
from quadrille.client.network.options import network_options
from quadrille.client.network.shutdown import Ending
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.plain.loop import sit
from quadrille.client.plain.network import PlainTableSearch, PlainWaitingRoom
from quadrille.client.plain.table import PlainTable
from quadrille.client.presence.place import StationPresence, next_stage, stage_of
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.stage import NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import PlaceWish
from quadrille.client.words.phones import entrance_text
from quadrille.rules.drawing.plain_text import WIDTH


def spend(settings: argparse.Namespace, wish: PlaceWish) -> int:
    """Go to the wished place, and return when the person leaves."""
    with StationPresence(network_options(settings)) as place:
        stage, said = stage_of(place, wish, {})
        if isinstance(stage, WaitingRoom):
            stage.way, said = "\n".join([stage.way, *_guests_way(place, said)]), []
        console = Console(sys.stdin, sys.stdout, place.station.node.wake_up)
        with Ending(place.station.node.wake_up) as ending:
            for line in _guests_way(place, said):
                console.say(line)
            own = stage.table.log.table if isinstance(stage, TableSeat) else None
            left = unfinished.left_in_the_middle(place.station)
            if text := unfinished.mention(len([log for log in left if log.table != own])):
                console.say(text)
            code = sit(place, plain_face(stage, console), ending, onward)
            place.station.flush()
            return code


def _guests_way(place: StationPresence, said: Sequence[str]) -> list[str]:
    """Return lines on how guests come, and on the risks."""
    if not said or (entrance := place.door.entrance()) is None:
        return [*said]
    kept, *risks = said
    return [f"{kept.removesuffix('.')}:", entrance_text(entrance), *wrap(" ".join(risks), WIDTH)]


def plain_face(stage: NetworkStage, console: Console) -> PlainFace:
    match stage:
        case TableSeat():
            return PlainTable(stage, console)
        case WaitingRoom():
            return PlainWaitingRoom(stage, console)
        case TableSearch():
            return PlainTableSearch(stage, console)
    return PlainFace(stage, console)


def onward(face: PlainFace) -> PlainFace:
    while (after := next_stage(face.stage)) is not None:
        face = plain_face(after, face.console)
        face.begin()
    return face
