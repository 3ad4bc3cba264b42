"""`quadrille bot KIND`: a bot that sits down at a table, as a program of its own."""

import argparse
import os
import random
import re
import sys
import threading
from collections.abc import Callable
from typing import Final

from quadrille.ai.guest import Guest
from quadrille.ai.players import RandomPlayer
from quadrille.client.bot_processes import KINDS
from quadrille.client.ending import Ending
from quadrille.client.network_options import add_network, cleanly, station
from quadrille.net.offers import is_meant
from quadrille.net.station import Remark, now
from quadrille.net.wire import Offer
from quadrille.rules.registry import game

DESCRIPTION: Final = """A bot that asks for a seat, plays, and goes when the game is over. Its identity is its own.

  quadrille bot random --join Ann       at the table that Ann has opened
  quadrille bot random --any barons     at any open table of Barons"""
_TURN: Final = 250


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=f"which bot: {', '.join(KINDS)}")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--join", metavar="TABLE", help="how the table's number begins, or the name of its host")
    where.add_argument("--any", metavar="GAME", help="any open table of that game")
    parser.add_argument("--stay", action="store_true", help="stay for the next game")
    parser.add_argument(
        "--until-eof", action="store_true", help="go when standard input ends: how a host keeps its bots"
    )
    add_network(parser)


@cleanly
def run(settings: argparse.Namespace) -> int:
    """Play until there is nothing more to play."""
    wanted = game(settings.any).key if settings.any is not None else None
    name = settings.name or settings.kind
    mine = station(settings, kind="bot", bot=_identity(name), name=name)
    with Ending(mine.node.wake_up) as ending, mine:

        def wants(offer: Offer) -> bool:
            return offer.terms.game == wanted if wanted else is_meant(mine.lobby, offer, settings.join)

        guest = Guest(mine.lobby, RandomPlayer(random.SystemRandom()), wants, stays=settings.stay)
        host_is_gone = threading.Event()
        if settings.until_eof:
            threading.Thread(target=_wait, args=(host_is_gone, mine.node.wake_up), daemon=True).start()
        print(f"{name} is looking for a table", flush=True)
        while ending.code is None and not guest.done and not host_is_gone.is_set():
            for event in mine.turn(_TURN):
                if not isinstance(event, Remark):
                    guest.hear(event, now())
            guest.act(now())
            for news in guest.news:
                print(f"{name}: {news}", flush=True)
            guest.news.clear()
        mine.flush()
        return ending.code or 0


def _identity(name: str) -> str:
    """The identity of a bot of that name."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:40] or KINDS[0]


def _wait(ended: threading.Event, wake: Callable[[], None]) -> None:
    """Read nothing until there is nothing left to read."""
    while sys.stdin and os.read(sys.stdin.fileno(), 4096):
        pass
    ended.set()
    wake()
