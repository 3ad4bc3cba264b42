"""A bot's station on the network, and the lines that report its actions."""

import argparse
import os
import sys
import threading
from collections.abc import Callable, Collection
from typing import Final

from quadrille.ai.bots.notes import Notes
from quadrille.ai.bots.process.program import Program
from quadrille.ai.peer.guest import Guest, ServesRunners
from quadrille.ai.peer.policy import ANYONE, BOTS, NOBODY, PEOPLE, Policy
from quadrille.client.bots.program import Starter
from quadrille.client.foreign import shown
from quadrille.client.kept.games import unfinished
from quadrille.client.network.options import network_options
from quadrille.client.network.station import Ending, own_station
from quadrille.net.entries.entry import NOBODY as NO_KEY
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.entries.wire import Offer
from quadrille.net.game_log.log import Log
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.program.stored_tables import tables_at
from quadrille.net.seating.lobby import Lobby
from quadrille.net.seating.offers import host_name, is_meant, is_named
from quadrille.net.trust.guard import author_of
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.known import called
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

_TURN: Final = 250
Lend = Callable[[], tuple[Program, Notes]]
#: Makes what a bot does for runners of tournaments, from its lobby, what lends its program, why it does not play for a
#: runner, and its maximum number of tables. A package brings it, as an `Addition` to `bot`.
Engaging = Callable[[Lobby, Lend, Callable[[bytes, Terms], str | None], int], ServesRunners]


def play(settings: argparse.Namespace, starter: Starter, engaging: Engaging | None = None) -> int:
    policy = policy_of(settings)
    name = starter.name
    mine = own_station(network_options(settings), kind="bot", bot=starter.identity, name=name)
    with Ending(mine.node.wake_up) as ending, mine:
        starter.wake = mine.node.wake_up
        guest = _guest(settings, mine, policy, starter, engaging)
        host_is_gone = threading.Event()
        if settings.until_eof:
            threading.Thread(target=_wait, args=(host_is_gone, mine.node.wake_up), daemon=True).start()
        named = f'; in the file of a tournament it is  peer = "{mine.identity.key.hex()}"' if engaging else ""
        print(f"{name} ({fingerprint(mine.identity.key)}) is looking for a table{named}", flush=True)
        try:
            while ending.code is None and not guest.done and not host_is_gone.is_set():
                for event in mine.turn(_TURN):
                    if not isinstance(event, Remark):
                        with mine.watch("the bot's part", author_of(event)):
                            guest.hear(event, now())
                    elif event.key == NO_KEY:
                        print(f"{name}: note: {shown(event.text)}", flush=True)
                with mine.watch("the bot's part"):
                    guest.act(now())
                for news in guest.news:
                    print(f"{name}: {shown(news)}", flush=True)
                guest.news.clear()
        finally:
            guest.close()
        mine.flush()
        if guest.failure is not None:
            print(f"quadrille: the bot {name} {shown(guest.failure)}", file=sys.stderr)
        return ending.code or (0 if guest.fault is None and guest.failure is None else 1)


def policy_of(settings: argparse.Namespace) -> Policy:
    games = [settings.any] if settings.any else (settings.games or "").split(",")
    if settings.any and settings.games:
        raise RulesError("--any GAME says the game already: leave --games out")
    if settings.tables < 1:
        raise RulesError("a bot sits at 1 table at least: --tables 1")
    return Policy(
        frozenset(game(name.strip()).key for name in games if name.strip()),
        settings.tables,
        settings.clock_from,
        settings.clock_to,
        not settings.timed,
        _who(settings, settings.opponents, (ANYONE, PEOPLE, BOTS)),
        settings.keep_seats,
        _who(settings, settings.runners, (ANYONE, NOBODY)) - {NOBODY},
    )


def _who(settings: argparse.Namespace, text: str, words: Collection[str]) -> frozenset[str]:
    """Read some of the given words, and keys in hexadecimal digits of the peers that the person names."""
    named = [word.strip() for word in text.split(",") if word.strip()]
    known_words = {word for word in named if word in words}
    if len(known_words) == len(set(named)):
        return frozenset(known_words)
    with tables_at(settings.home) as own:
        return frozenset(known_words | {called(own.store, word).hex() for word in named if word not in words})


def _guest(
    settings: argparse.Namespace, mine: Station, policy: Policy, starter: Starter, engaging: Engaging | None
) -> Guest:
    """Return the bot, seated again at its unfinished tables and at the wanted ones."""
    lobby = mine.lobby

    def objection(offer: Offer, at_tables: int) -> str | None:
        peer = lobby.peers.get(offer.host)
        host = Chair(offer.host, host_name(lobby, offer) or "somebody unknown", peer.kind if peer else "bot")
        return policy.objection(offer.terms, host, offer.chairs, at_tables)

    def asks(offer: Offer, at_tables: int) -> str | None:
        if settings.any is not None:
            return objection(offer, at_tables)
        meant = settings.join is not None and is_meant(lobby, offer, settings.join)
        return None if meant else "its command names another table"

    def plays_on(log: Log) -> bool:
        if settings.serve or settings.any is not None:
            sat_down = mine.identity.key in [chair.key for chair in log.now.chairs]
            return sat_down and (settings.serve or log.now.terms.game in policy.games)
        return is_named(log, settings.join)

    def plays_for(key: bytes, terms: Terms) -> str | None:
        peer = lobby.peers.get(key)
        return policy.objection_to_runner(terms, Chair(key, peer.name if peer else "somebody unknown", "runner"))

    guest = Guest(
        lobby,
        starter,
        games=policy.games,
        asks=asks,
        comes=objection if settings.serve else None,
        plays_on=plays_on,
        engagements=engaging(lobby, starter.lend, plays_for, policy.tables) if engaging else None,
        stays=settings.stay or settings.serve,
        gives_way=settings.until_eof,
        tables=policy.tables,
        patience=settings.patience,
    )
    for log in [log for log, _ in unfinished(mine.shelf) if plays_on(log)][: policy.tables]:
        mine.resume(log.table)
    return guest


def _wait(ended: threading.Event, wake: Callable[[], None]) -> None:
    """Set `ended` at the end of standard input."""
    while sys.stdin and os.read(sys.stdin.fileno(), 4096):
        pass
    ended.set()
    wake()
