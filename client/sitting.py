"""One person's time on the network, from start to end: joins the station, the typed lines and the conversations.

The thread that sits owns the station; the thread that reads lines only wakes it.
"""

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

from quadrille.client.bot_processes import BotProcesses
from quadrille.client.conversation import Conversation, Parlour
from quadrille.client.ending import Ending
from quadrille.client.guests.door import GuestDoor
from quadrille.client.live_console import LiveConsole
from quadrille.client.missing import missing
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import network_words, own_station
from quadrille.client.network_table import NetworkTable
from quadrille.client.typed_lines import TypedLines
from quadrille.client.unfinished import is_forgotten, mention
from quadrille.net import known
from quadrille.net.guard import author_of
from quadrille.net.home import home
from quadrille.net.lobby import Awaited
from quadrille.net.station import now
from quadrille.net.table import Table
from quadrille.net.terms import Chair

#: How long nothing happens until it is looked whether something is due, in milliseconds.
_TURN: Final = 250


class Place:
    """A person's place on the network, until it is left: the station, the bots, the console, and how it ends."""

    def __init__(self, options: NetworkOptions, console: LiveConsole | None = None) -> None:
        """With a `console` the person is elsewhere, and so is the care for how it ends."""
        self.station = own_station(options)
        self.options = options
        self._console = console
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            if self._console is None:
                self._ending = undo.enter_context(Ending(self.station.node.wake_up))
            undo.enter_context(self.station)
            words = network_words(self.options, self.station.node.tcp_port)
            at_home = home(self.options.home)
            self.bots = undo.enter_context(BotProcesses(at_home, words, self.station.lobby.name, self.options))
            console = self._console or LiveConsole(sys.stdin, sys.stdout)
            tells = self._console is None
            self.parlour = Parlour(
                self.station.lobby,
                console,
                now,
                self._nickname,
                self._bring,
                tells=tells,
                arbiters=set(self.options.arbiters),
                block=self.station.block,
                asks=not self.options.is_guest,
                missing=lambda: missing(self.station),
            )
            self.door = undo.enter_context(GuestDoor(self.station, self.options))
            self._undo = undo.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._undo.close()

    def _nickname(self, key: bytes) -> str | None:
        peer = known.peer(self.station.store, key)
        return peer.nickname if peer else None

    def _bring(self, kind: str, table: Table) -> Chair:
        taken = {chair.key for chair in table.log.now.chairs} | set(table.log.now.keys)
        return self.bots.bring(kind, table.log.table, taken)

    def ended(self) -> list[str]:
        """What is to be said of programs of bots and guests that have ended; no chair is kept for them any more."""
        said = self.door.ended()
        for key, sentence in self.bots.ended():
            for gathering in self.station.lobby.gatherings.values():
                gathering.take_back(key)
            said += [sentence] if sentence else []
        return said

    def sit(self, first: Conversation) -> int:
        """Talk until the person goes, the input has ended, or a signal ends it; gives the exit code."""
        own = first.table.log.table if isinstance(first, NetworkTable) else None
        if text := mention(len([table for table in self.station.unfinished() if table != own])):
            self.parlour.say(text)
        lines = TypedLines(sys.stdin, self.station.node.wake_up)
        return _sit(self, first, lines, self._ending)


def _sit(place: Place, first: Conversation, lines: TypedLines, ending: Ending) -> int:
    station, talk, console = place.station, first, first.parlour.console
    talk.begin()
    while ending.code is None and not talk.done:
        with station.watch("what is due here"):
            talk.tick()
        talk = _onward(talk)
        typed = not talk.done and _take_line(talk, lines)
        talk = _onward(talk)
        if not typed and lines.ended and talk.is_idle and not talk.done:
            talk.leave()
        if talk.done:
            break
        if not typed:
            console.ask(talk.prompt)
        for event in station.turn(0 if typed else _TURN):
            if not (isinstance(event, Awaited) and is_forgotten(station, event.log.table)):
                with station.watch("what is told here", author_of(event)):
                    talk.hear(event)
            talk = _onward(talk)
        for sentence in place.ended():
            console.say(sentence)
    if not talk.done:
        talk.leave()  # a signal is a quit: the person reads how to come back
    console.close()
    station.flush()
    return talk.code if ending.code is None else ending.code


def _onward(talk: Conversation) -> Conversation:
    """The conversation that comes next, if this one is through."""
    while talk.successor is not None:
        talk = talk.successor
        talk.begin()
    return talk


def _take_line(talk: Conversation, lines: TypedLines) -> bool:
    """Do what the next line says, if there is one; a line from a pipe may have to wait until it makes sense."""
    line, console = lines.look(), talk.parlour.console
    if line is None or (not console.interactive and line and talk.holds(line)):
        return False
    lines.take()
    console.answered(talk.prompt, line)
    talk.typed(line)
    return True
