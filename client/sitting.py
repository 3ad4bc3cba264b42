"""One person's time on the network, from start to end: joins the station, the typed lines and the conversations.

The thread that calls `sit` owns the station; the thread that reads lines only wakes it.
"""

import argparse
import sys
from typing import Final

from quadrille.client.bot_processes import BotProcesses
from quadrille.client.conversation import Conversation, Parlour
from quadrille.client.ending import Ending
from quadrille.client.live_console import LiveConsole
from quadrille.client.network_options import network_words, surroundings
from quadrille.client.typed_lines import TypedLines
from quadrille.net import known
from quadrille.net.home import home
from quadrille.net.station import Station, now

#: How long nothing happens until it is looked whether something is due, in milliseconds.
_TURN: Final = 250


def parlour(station: Station) -> Parlour:
    """What conversations share, for a person at this terminal."""

    def called(key: bytes, name: str) -> str:
        peer = known.peer(station.store, key)
        return peer.nickname if peer and peer.nickname else name

    return Parlour(station.lobby, LiveConsole(sys.stdin, sys.stdout), now, called)


def company_of(station: Station, settings: argparse.Namespace) -> BotProcesses:
    """Nobody yet: the bots that a host at this station brings along."""
    words = network_words(settings, station.node.tcp_port)
    return BotProcesses(home(settings.home), words, surroundings(settings))


def sit(station: Station, first: Conversation, ending: Ending, bots: BotProcesses | None = None) -> int:
    """Talk until the person goes, the input has ended, or a signal ends it; gives the exit code."""
    talk, console = first, first.parlour.console
    lines = TypedLines(sys.stdin, station.node.wake_up)
    talk.begin()
    while ending.code is None and not talk.done:
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
            talk.hear(event)
            talk = _onward(talk)
        for sentence in bots.ended() if bots else ():
            console.say(sentence)
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
