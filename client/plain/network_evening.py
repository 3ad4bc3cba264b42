"""One person's session on the network in plain lines: the commands `host`, `join`, `watch`, `resume`.

The calling thread owns the station; the thread that reads typed lines only wakes it.
"""

import argparse
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from quadrille.client.network import unfinished_games as unfinished
from quadrille.client.network.options import network_options
from quadrille.client.network.shutdown import Ending
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.plain.network import PlainTableSearch, PlainWaitingRoom
from quadrille.client.plain.table import PlainTable
from quadrille.client.plain.typed_lines import TypedLines
from quadrille.client.presence.place import StationPresence, next_stage, stage_of
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.stage import NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import PlaceWish
from quadrille.client.words.phones import entrance_text
from quadrille.net.trust.guard import author_of
from quadrille.rules.drawing.plain_text import WIDTH

#: Maximum milliseconds between two checks for due work.
_TURN: Final = 250


def spend(settings: argparse.Namespace, wish: PlaceWish) -> int:
    """Go to the wished place, and return when the person leaves."""
    with StationPresence(network_options(settings)) as place:
        stage, said = stage_of(place, wish, {})
        if isinstance(stage, WaitingRoom):
            stage.way, said = "\n".join([stage.way, *_guests_way(place, said)]), []
        return _spend(place, stage, _guests_way(place, said))


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


def _spend(place: StationPresence, first: NetworkStage, said: Sequence[str]) -> int:
    """Run until the person leaves, the input ends, or a signal comes; return the exit code."""
    console = Console(sys.stdin, sys.stdout)
    with Ending(place.station.node.wake_up) as ending:
        for line in said:
            console.say(line)
        own = first.table.log.table if isinstance(first, TableSeat) else None
        left = unfinished.left_in_the_middle(place.station)
        if text := unfinished.mention(len([log for log in left if log.table != own])):
            console.say(text)
        return sit(place, plain_face(first, console), TypedLines(sys.stdin, place.station.node.wake_up), ending)


def sit(place: StationPresence, face: PlainFace, lines: TypedLines, ending: Ending) -> int:
    """Run the loop: due work, a line, events."""
    station, console = place.station, face.console
    face.begin()
    while ending.code is None and not face.stage.done:
        with station.watch("what is due here"):
            face.tick()
        face = onward(face)
        typed = not face.stage.done and _take_line(face, lines)
        face = onward(face)
        if not typed and lines.ended and face.stage.is_idle and not face.stage.done:
            face.leave()
        if face.stage.done:
            break
        if not typed:
            console.show(face.prompt)
        for event in place.turn(0 if typed else _TURN):
            with station.watch("the news here", author_of(event)):
                face.hear(event)
            face = onward(face)
        with station.watch("what guests ask"):
            for request in place.door.requests() if place.door.asked else ():
                face.hear_guest(request)
        for sentence in place.ended(face.stage.table.log.table if isinstance(face.stage, TableSeat) else None):
            console.say(sentence)
    if not face.stage.done:
        face.leave()  # a signal is a quit: the person reads how to come back
    for sentence in place.parting():
        console.say(sentence)
    console.close()
    station.flush()
    return face.stage.code if ending.code is None else ending.code


def _take_line(face: PlainFace, lines: TypedLines) -> bool:
    """Process the next line, if any; a line from a pipe may have to wait until it makes sense."""
    line, console = lines.look(), face.console
    if line is None or (not console.interactive and line and face.holds(line)):
        return False
    lines.take()
    console.answered(face.prompt, line)
    face.typed(line)
    return True
