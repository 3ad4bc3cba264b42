"""The run's station on the network, by which workers reach the peers with bots: one thread, one station.

A worker's connection is one engagement, and ends with it, however the worker ends. This module knows the present
peers, open requests, and unacknowledged data. The worker conducts the dialogue (peers.py), and
reliable_stream.py carries the bytes. Specification: extras/league/docs/runners.md.
"""

import argparse
import contextlib
import multiprocessing
import queue
import secrets
import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from typing import Any, Final, Self

from quadrille.ai.bots.process import program_lines
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.run_events import Event, Warned
from quadrille.client.network.options import network_options
from quadrille.client.network.station import own_station
from quadrille.client.tournament.ways import Beside
from quadrille.extras.league.open_league.field import SeenBot
from quadrille.extras.league.peers.program import MESSAGE, reach
from quadrille.extras.league.peers.reliable_stream import SENT, ReliableStream
from quadrille.net.core.errors import NetError, PeerError
from quadrille.net.core.ip_addresses import subnet_of
from quadrille.net.core.limits import Buckets
from quadrille.net.core.machine import drain
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Engage, Engaged, Gone, Words
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import StrayMessage
from quadrille.net.trust.identity import peer_of

#: The identity that runs tournaments, so that the person can sit at tables meanwhile.
RUNNER: Final = "runner"
#: Milliseconds between two requests to a peer, and maximum unanswered ones.
ASK: Final = 1000
ANSWER: Final = 10_000
#: Milliseconds for which a peer may be full of other tables.
FULL: Final = 60_000
_TURN: Final = 250
#: Maximum milliseconds between two signs of life of a peer that is there; a longer time is an outage. A peer that is
#: silent for 2 seconds is asked each second ("Discovery", Limits).
_SILENCE: Final = 3500
_LOST: Final = "was lost at its owner's: the program there was started again, or out of reach for a minute"
#: Bytes in flight to a worker after which no others follow, and maximum outages of a game that it and the person are
#: told of. A worker reads nothing of a peer while another seat is to move, and this thread, for which all games of the
#: run wait, must not wait for it. Linux gives a socket 208 KiB, and counts half as much again for 2000 bytes.
_MOST_UNREAD: Final = 1 << 16
_MOST_OUTAGES: Final = 20


class _Engagement:
    """A game's engagement of a peer: requested (`stream` is None), or open."""

    def __init__(
        self, connection: "Connection[Any, Any]", key: bytes, terms: Terms, patience: int, now: int, *, fresh: bool
    ) -> None:
        self.connection = connection
        self.key = key
        self.terms = terms
        self.fresh = fresh
        self.patience = patience
        self.table = secrets.token_bytes(16)
        self.stream: ReliableStream | None = None
        self.missed = self.ask_due = now
        #: Since when it owes an answer, sits at other tables, or is out of reach in the middle of the game.
        self.asked: int | None = None
        self.full: int | None = None
        self.away: int | None = None
        self.outages = 0
        #: When it was last heard.
        self.heard = now
        self.unread = 0
        self.is_told = self.is_over = False
        self.end: Engaged | None = None

    def tell(self, *what: Any) -> None:
        """Send to the worker, if it is still there: the reading thread notices its end. An end is said once."""
        try:
            if not self.is_over:
                self.is_over = what[0] == "ended"
                self.connection.send(what)
        except OSError:
            self.end = None  # nobody waits for it


class Exchange:
    """The peers for the workers of a run; `address` is for the workers (peers.reach)."""

    def __init__(self, place: Callable[[], Station], patience: int | None = None) -> None:
        """`place` makes the station, in the thread that uses it. `patience`: maximum milliseconds to look for a peer
        before a game, if others than those of the workers.
        """
        #: The bots on the network, as they were lately.
        self.bots: tuple[SeenBot, ...] = ()
        #: Warnings about peers: a key, and a sentence that begins with a verb.
        self.news: queue.SimpleQueue[tuple[bytes, str]] = queue.SimpleQueue()
        self.address: Any = None
        self._place = place
        self._patience = patience
        self._look_due = 0
        self._station: Station | None = None
        self._failure: BaseException | None = None
        self._began = threading.Event()
        self._closing = False
        self._authkey = multiprocessing.current_process().authkey
        self._told: queue.SimpleQueue[tuple[Connection[Any, Any], Any]] = queue.SimpleQueue()
        self._open: dict[Connection[Any, Any], _Engagement] = {}
        self._by_table: dict[bytes, _Engagement] = {}
        self._paces = Buckets[bytes](SENT)
        self._listener: Listener | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._began.wait()
        if self._failure is not None:
            raise self._failure
        self._listener = Listener(authkey=self._authkey)
        self.address = self._listener.address
        threading.Thread(target=self._welcome, args=(self._listener,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._wake()
        self._thread.join()
        if self._listener is not None:
            with contextlib.suppress(OSError, EOFError, AuthenticationError):
                Client(self.address, authkey=self._authkey).close()  # wake the accepting thread
            self._listener.close()

    @property
    def is_there(self) -> bool:
        """Tell whether it has its place on the network."""
        return self._station is not None

    def warnings(self, named: Callable[[bytes], str]) -> Iterator[str]:
        """Yield sentences for the person about peers, which `named` tells by their keys."""
        while not self.news.empty():
            key, sentence = self.news.get()
            yield f"{named(key)} {sentence}"

    def _wake(self) -> None:
        if self._station is not None:
            self._station.node.wake_up()

    # Workers, each connection in a thread

    def _welcome(self, listener: Listener) -> None:
        while not self._closing:
            try:
                connection = listener.accept()
            except (AuthenticationError, EOFError, OSError):
                continue  # a stranger, or one that ended at once
            if self._station is None:
                connection.close()
                continue
            threading.Thread(target=self._attend, args=(connection,), daemon=True).start()

    def _attend(self, connection: "Connection[Any, Any]") -> None:
        try:
            while not self._closing:
                self._told.put((connection, connection.recv()))
                self._wake()
        except (EOFError, OSError):
            self._told.put((connection, None))
            self._wake()

    # The network, in one thread

    def _run(self) -> None:
        try:
            with self._place() as self._station:
                self._began.set()
                self._stay(self._station)
        except NetError as error:
            self._failure = error
        finally:
            self._station = None
            for engagement in self._open.values():
                engagement.tell("lost")
            self._began.set()

    def _stay(self, station: Station) -> None:
        while not self._closing:
            events = station.turn(_TURN)
            for engagement in self._open.values():
                self._listen_for_life(station, engagement, now())
            for event in events:
                if isinstance(event, StrayMessage):
                    with station.watch("what a peer of the run said", event.key):
                        self._hear(station, event)
            if now() >= self._look_due:
                self._look_due = now() + _TURN
                self.bots = _seen(station)
            while not self._told.empty():
                self._take(station, *self._told.get())
            for engagement in list(self._open.values()):
                with station.watch("a game with a peer"):
                    self._look_after(station, engagement, now())
        for engagement in list(self._open.values()):
            self._release(station, engagement)
        station.flush()

    def _take(self, station: Station, connection: "Connection[Any, Any]", order: Any) -> None:
        """Process a worker's message. None: the worker has gone, or needs its peer no more."""
        engagement = self._open.get(connection)
        match order:
            case ("engage", bytes(key), Terms() as terms, bool(fresh), int(patience)):
                patience = patience if self._patience is None else min(patience, self._patience)
                engagement = self._open[connection] = _Engagement(connection, key, terms, patience, now(), fresh=fresh)
                self._by_table[engagement.table] = engagement
            case ("say", bytes(line)) if engagement is not None and engagement.stream is not None:
                engagement.stream.say(line, now())
                if engagement.stream.unheard > program_lines.MOST_UNREAD:
                    engagement.tell("ended", "stall", "does not read its input")
            case ("read", int(count)) if engagement is not None:
                engagement.unread -= count
            case None:
                connection.close()
                if engagement is not None:
                    self._release(station, engagement)

    def _release(self, station: Station, engagement: _Engagement) -> None:
        """End its engagement. Others who wait for the same peer ask again."""
        del self._open[engagement.connection]
        del self._by_table[engagement.table]
        self._send(station, engagement)
        station.lobby.outgoing.append((engagement.key, Gone(engagement.table)))
        for other in self._open.values():
            if other.key == engagement.key:
                other.ask_due = 0

    def _refuse(self, station: Station, engagement: _Engagement, reason: str) -> None:
        engagement.tell("no", reason)
        self._release(station, engagement)

    def _look_after(self, station: Station, engagement: _Engagement, now: int) -> None:
        """Do what is due."""
        station.need(engagement.key)
        here = engagement.key in station.lobby.here
        if engagement.stream is None:
            self._ask(station, engagement, now, here=here)
            return
        if here and engagement.away is not None:
            self._back(engagement, now)
            engagement.stream.meet(now)
        elif not here and engagement.away is None:
            self._gone(engagement, now)
        engagement.stream.wake(now)
        self._send(station, engagement)

    def _gone(self, engagement: _Engagement, now: int) -> None:
        """Note an outage. It began with the last sign of life, not when it is noticed."""
        engagement.away = min(engagement.heard, now)
        engagement.outages += 1
        if engagement.outages <= _MOST_OUTAGES:
            warning = "is out of reach in the middle of a game: it goes on, and so does its clock"
            self.news.put((engagement.key, warning))
            engagement.tell("gone", now - engagement.away)

    def _back(self, engagement: _Engagement, now: int) -> None:
        assert engagement.away is not None
        if engagement.outages <= _MOST_OUTAGES:
            self.news.put((engagement.key, f"is back after {(now - engagement.away) / 1000:.1f} seconds"))
            engagement.tell("back")
        engagement.away, engagement.heard = None, now

    def _listen_for_life(self, station: Station, engagement: _Engagement, now: int) -> None:
        """Record a peer's signs of life. Only they show an outage that was over before the link ended."""
        heard = station.heard_at(engagement.key)
        if heard is None:
            return
        if engagement.stream is not None and engagement.away is None and heard - engagement.heard > _SILENCE:
            self._gone(engagement, now)
            self._back(engagement, now)
        engagement.heard = heard if engagement.away is None else engagement.heard

    def _send(self, station: Station, engagement: _Engagement) -> None:
        if engagement.stream is not None:
            messages = engagement.stream.sent(self._paces.of(engagement.key), now())
            station.lobby.outgoing += [(engagement.key, words) for words in messages]

    def _ask(self, station: Station, engagement: _Engagement, now: int, *, here: bool) -> None:
        """Request a present peer; give up after a while."""
        if reason := self._why_not(engagement, now, here=here):
            self._refuse(station, engagement, reason)
        elif here and now >= engagement.ask_due:
            engagement.ask_due = now + ASK
            engagement.asked = engagement.asked or now
            asked = Engage(engagement.table, engagement.terms, engagement.fresh)
            station.lobby.outgoing.append((engagement.key, asked))

    def _why_not(self, engagement: _Engagement, now: int, *, here: bool) -> str:
        """Say why a request is given up; "" if it is not yet."""
        if here:
            engagement.missed = now
        else:
            engagement.asked = None
        if now - engagement.missed > engagement.patience:
            return (
                f"is not there: nobody with the key {engagement.key.hex()} was found on the network within "
                f"{engagement.patience / 1000:g} seconds. Does `quadrille bot … --serve` run at its owner's, who "
                "says which key it has, and in the same room? Where broadcasts don't get through, --connect HOST:PORT "
                "finds it"
            )
        if engagement.asked is not None and now - engagement.asked > ANSWER:
            return "does not answer: is it a bot, started with --serve, by a version that knows tournaments?"
        if self._plays_in_another_game(engagement.key):
            engagement.full = None
        elif engagement.full is not None and now - engagement.full > FULL:
            return f"has had no time for {FULL // 1000} seconds: it sits at other tables, as many as its owner lets it"
        return ""

    def _plays_in_another_game(self, key: bytes) -> bool:
        return any(other.key == key and other.stream is not None for other in self._open.values())

    # Messages of peers

    def _hear(self, station: Station, stray: StrayMessage) -> None:
        key, message = stray.key, stray.message
        engagement = None if message.table is None else self._by_table.get(message.table)
        if engagement is not None and engagement.key != key:
            return
        match message:
            case Words(table) if engagement is None or engagement.stream is None:
                station.lobby.outgoing.append((key, Gone(table)))  # from a run before this one, or from before a loss
            case Words() if engagement is not None:
                self._listen(station, engagement, message)
            case Engaged() if engagement is not None:
                self._answered(station, engagement, message)
            case Gone() if engagement is not None and engagement.stream is not None:
                engagement.tell("ended", "crash", _LOST)

    def _answered(self, station: Station, engagement: _Engagement, answer: Engaged) -> None:
        engagement.asked = None
        match answer.reply:
            case "yes" if engagement.stream is None:
                engagement.stream, engagement.full = ReliableStream(engagement.table), None
                engagement.tell("yes")
            case "full" if engagement.stream is None:
                # the first one may be by a game that has just ended
                is_new = engagement.full is not None and not engagement.is_told
                if is_new and not self._plays_in_another_game(engagement.key):
                    engagement.is_told = True
                    self.news.put((engagement.key, f"is waited for: {answer.why}"))
                engagement.full = engagement.full or now()
            case "no" if engagement.stream is None:
                self._refuse(station, engagement, f"does not come: its owner's program says: {answer.why}")
            case "crash" | "stall" | "protocol" if engagement.stream is not None:
                engagement.end = answer
                self._end(engagement)

    def _listen(self, station: Station, engagement: _Engagement, words: Words) -> None:
        assert engagement.stream is not None
        if engagement.unread > _MOST_UNREAD:
            return  # the peer repeats it
        try:
            engagement.stream.receive(engagement.key, words, now())
            for new in drain(engagement.stream.events):
                engagement.unread += len(new) + MESSAGE
                engagement.tell("heard", new)
        except PeerError as error:
            station.lobby.dropped(engagement.key, str(error))
            engagement.tell("ended", "protocol", f"has a peer that speaks otherwise than it should: it {error}")
        self._end(engagement)

    def _end(self, engagement: _Engagement) -> None:
        """Report that a program has failed, once all its earlier output is here."""
        end, stream = engagement.end, engagement.stream
        if end is not None and stream is not None and stream.heard >= end.said:
            engagement.tell("ended", end.reply, f"failed at its owner's, who says that it {end.why}")
            engagement.end = None


def _seen(station: Station) -> tuple[SeenBot, ...]:
    """Return the bots that are there, on machines whose addresses are known by now."""
    found = []
    for peer in station.lobby.peers.values():
        place = station.node.neighbours.where(peer_of(peer.key))
        if peer.kind == "bot" and place is not None:
            found.append(SeenBot(peer.key, peer.name, subnet_of(place.host)))
    return tuple(found)


class ByPeers(Beside):
    """A run with entrants on their owners' machines."""

    def __init__(self, plan: Plan, peers: Exchange) -> None:
        self._peers = peers
        self._named = {bytes.fromhex(entrant.peer): entrant.name for entrant in plan.entrants if entrant.peer}
        self.prepare = partial(reach, peers.address)

    def take(self, event: Event) -> Iterator[Event]:
        """Yield warnings about peers that a person should read at once."""
        yield from map(Warned, self._peers.warnings(self._named.__getitem__))


@contextlib.contextmanager
def by_peers(plan: Plan, settings: argparse.Namespace) -> Iterator[Beside]:
    """Join a run whose workers find peers by a station of their own."""
    options = network_options(settings)  # it asks the person for the passphrase, so it must not run in a thread
    with Exchange(lambda: own_station(options, kind="runner", bot=RUNNER)) as peers:
        yield ByPeers(plan, peers)
