"""One person's session on the network in plain lines (`host`, `join`, `watch`, `resume`), and its places before a game.

The calling thread owns the station; the thread that reads typed lines only wakes it.
"""

import argparse
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from quadrille.client.kept.games import mention, unfinished
from quadrille.client.network.options import network_options
from quadrille.client.network.station import Ending
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace, sit
from quadrille.client.plain.table import PlainTable
from quadrille.client.presence.place import StationPresence, next_stage, stage_of
from quadrille.client.reports import advice_text
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.stage import NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import OtherLine, PlaceWish, Wish
from quadrille.client.words.answers import meaning
from quadrille.client.words.phones import entrance_text
from quadrille.client.words.terms import number, seats_taken, terms_text
from quadrille.rules.core import Game
from quadrille.rules.drawing.plain_text import WIDTH
from quadrille.rules.registry import game


class PlainWaitingRoom(PlainFace):
    """A table that has not begun."""

    stage: WaitingRoom

    @property
    def game(self) -> Game[Any, Any]:
        return game(self.stage.gathering.terms.game)

    def welcome(self) -> None:
        room, gathering, context = self.stage, self.stage.gathering, self.stage.context
        terms = gathering.terms
        played = self.game
        self.say(f"{terms_text(terms)}.")
        if advice := advice_text(played, terms.read_options(), terms.seats):
            self.say(advice)
        count = seats_taken(room.taken, room.total)
        if gathering.hosts:
            self.say(f"Table {number(gathering.table)} is open: {count}. Type help for help.{room.way}")
        else:
            host = context.lobby.peers.get(gathering.host)
            whose = f" of {context.name(host)}: {count}" if host else ""
            self.say(f"Asking for a seat at table {number(gathering.table)}{whose}.")

    def holds(self, line: str | None) -> bool:
        if line is None:
            return super().holds(line)
        word = line.partition(" ")[0].lower()
        if meaning(line) is not None and not self.stage.asking:
            return True
        return word not in self.words or word == "say"  # input from a pipe is for the table


class PlainTableSearch(PlainFace):
    """The choice of a table."""

    stage: TableSearch

    @property
    def prompt(self) -> str:
        return "which table> " if self.stage.listed else "> "

    def welcome(self) -> None:
        self.say("Looking for a table.")

    def other(self, line: str, word: str) -> Wish:
        return OtherLine(line)

    def holds(self, line: str | None) -> bool:
        is_word = line is not None and line.partition(" ")[0].lower() in self.words
        return super().holds(line) if line is None else not (is_word or self.stage.listed)


def spend(settings: argparse.Namespace, wish: PlaceWish) -> int:
    """Go to the wished place, and return when the person leaves."""
    with StationPresence(network_options(settings)) as place:
        stage, sentences = stage_of(place, wish, {})
        if isinstance(stage, WaitingRoom):
            stage.way, sentences = "\n".join([stage.way, *_guests_way(place, sentences)]), []
        console = Console(sys.stdin, sys.stdout, place.station.node.wake_up)
        with Ending(place.station.node.wake_up) as ending:
            for line in _guests_way(place, sentences):
                console.say(line)
            left = [log for log, _ in unfinished(place.station.shelf) if log.table != stage.number]
            if text := mention(len(left)):
                console.say(text)
            code = sit(place, plain_face(stage, console), ending, onward)
            place.station.flush()
            return code


def _guests_way(place: StationPresence, sentences: Sequence[str]) -> list[str]:
    """Return lines on how guests come, and on the risks."""
    if not sentences or (entrance := place.door.entrance()) is None:
        return [*sentences]
    kept, *risks = sentences
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
