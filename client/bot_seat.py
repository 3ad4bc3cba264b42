"""A bot as a program of its own: its place on the network, and what it tells of its deeds."""

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
from quadrille.client.ending import Ending
from quadrille.client.foreign import shown
from quadrille.client.network_options import KINDS
from quadrille.client.own_station import own_station
from quadrille.client.unfinished import left_in_the_middle
from quadrille.net.log import Log
from quadrille.net.offers import is_meant, is_named
from quadrille.net.station import Remark, now
from quadrille.net.wire import Offer
from quadrille.rules.registry import game

_TURN: Final = 250


def play(settings: argparse.Namespace) -> int:
    """Play until there is nothing more to play."""
    wanted = game(settings.any).key if settings.any is not None else None
    name = settings.name or settings.kind
    mine = own_station(settings, kind="bot", bot=_identity(name), name=name)
    with Ending(mine.node.wake_up) as ending, mine:

        def wants(offer: Offer) -> bool:
            if wanted:
                return offer.terms.game == wanted
            return settings.join is not None and is_meant(mine.lobby, offer, settings.join)

        def stands_in(log: Log) -> bool:
            return log.now.terms.game == wanted if wanted else is_named(log, settings.join or settings.stand_in)

        player = RandomPlayer(random.SystemRandom())
        guest = Guest(mine.lobby, player, wants, stands_in=stands_in, stays=settings.stay)
        for log in left_in_the_middle(mine):
            if stands_in(log):
                mine.resume(log.table)
                break
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
                print(f"{name}: {shown(news)}", flush=True)
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
