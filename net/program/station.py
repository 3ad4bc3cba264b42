"""One program on the network: its sockets, its lobby and its store, joined together. The heart of a program.

Nothing is decided here. `turn` is the way of a message: the node (net/link/node.py) moves bytes and says who spoke
(`_hear`); the envelope is opened, and its signature checked (`_open`); the lobby (net/seating/lobby.py) finds the table
that is meant (net/tables/table.py); what they answer is signed and sent (`flush`); what must not be lost is stored
(`_keep`), and the events go to a person. Specification: docs/protocols/tables.md.
"""

import secrets
import time
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.core.home import home, own_folder
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as now
from quadrille.net.entries.entry import NOBODY
from quadrille.net.entries.terms import LOOKOUT
from quadrille.net.entries.wire import opened, sealed
from quadrille.net.game_log import books
from quadrille.net.game_log.news import Took
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.hall.posting import POSTINGS
from quadrille.net.link.node import OPEN_PORT, Node
from quadrille.net.link.overlay import FarRoom
from quadrille.net.neighbours.neighbour import Census, Doubled, Halfway, Peer, PeerLeft, PeerMet, Phase, Said, Trouble
from quadrille.net.neighbours.neighbour import Event as NodeEvent
from quadrille.net.private_room.door import Admitted, Door, Obstacle, ShutOut
from quadrille.net.private_room.guesses import FIRST_BAN
from quadrille.net.private_room.room import PrivateRoom as PrivateRoom
from quadrille.net.private_room.room import port as room_port
from quadrille.net.private_room.room import room_key
from quadrille.net.program.charges import Charges
from quadrille.net.program.hall_desk import HallDesk
from quadrille.net.program.station_news import GAME, SPEAKS, StationNews
from quadrille.net.program.station_news import IncompatibleProgram as IncompatibleProgram
from quadrille.net.program.station_news import Remark as Remark
from quadrille.net.program.stored_tables import StoredTables, wall
from quadrille.net.seating.lobby import AdvertisedPeer, Arrived, At, Began, Departed, Event, Lobby
from quadrille.net.tables.table import Table
from quadrille.net.trust import known
from quadrille.net.trust.guard import BAN, Guard, Guarded, author_of
from quadrille.net.trust.identity import Identity, peer_of
from quadrille.net.trust.proof import GAME_HEADER, KEY_HEADER, SPEAKS_HEADER, Prover
from quadrille.net.trust.store import Store
from quadrille.plugs import game_fault

#: Maximum milliseconds of a turn without events.
LONGEST_TURN: Final = 1000
#: Milliseconds for which the node ignores a blocked peer. Later its key is known.
BLOCK: Final = 60_000
#: Milliseconds of pause after a fault of the node, which may recur at once.
AFTER_FAULT: Final = 50


class Station:
    """A person's or a bot's program on the network. One thread calls `turn` again and again."""

    def __init__(
        self,
        name: str,
        kind: str,
        *,
        folder: str | Path | None = None,
        bot: str = "",
        port: int = OPEN_PORT,
        tcp_port: int = 0,
        interfaces: Sequence[str] | None = None,
        seeds: Sequence[str] = (),
        room: PrivateRoom | None = None,
        far: FarRoom | None = None,
        resumes: bool = True,
    ) -> None:
        """Open the identity and the store of this installation, or of the bot with that name. A private room and a far
        room have UDP ports of their own and ignore `port`. A station that `resumes` sits down again at all unfinished
        tables; otherwise call `resume`.
        """
        own = own_folder(home(folder), bot)
        self.identity = Identity.open(own)
        self.guard = Guard(own)
        self.store = Store(own, self.identity.key)
        self.shelf = StoredTables(self.store, self.identity)
        self.lobby = Lobby(self.identity, name, kind, self.shelf, resumes=resumes)
        self.lobby.faults = self.guard.caught
        self._resumes = resumes
        self._far = far
        self._door: Door | None = None
        room, realm = room if far is None else far.room, b""
        headers = {GAME_HEADER: GAME, SPEAKS_HEADER: str(SPEAKS)}
        if room is None:
            headers[KEY_HEADER] = self.identity.key.hex()
        else:
            key, nonce = room_key(room.name, room.passphrase), secrets.token_bytes(32)
            self._door = Door(
                self.identity, key, nonce, named=partial(known.named, self.store), is_guessable=far is None
            )
            port, realm = room_port(room.name), short("realm", key)
            headers |= self._door.headers
        self._hall = HallDesk(self.identity, self.lobby, self.store, realm, self.watch)
        self.node = Node(
            self.identity.peer,
            name if self._door is None else "",
            headers,
            port=port,
            tcp_port=tcp_port,
            interfaces=interfaces,
            seeds=seeds,
            security=self._door.lock(now) if self._door else None,
            prover=None if self._door else Prover(self.identity),
            priority_peers=self._priority_peers,
            overlay=far.overlay() if far else None,
            calls=self._hall.calls,
            posting=self._hall.beat,
            heard=self._hall.heard,
        )
        self._hall.neighbours = self.node.neighbours
        self._alike: set[bytes] = set()  # peers with programs like ours, by ZRE identity
        self._keys: dict[bytes, bytes] = {}  # of the peers that are certain, by ZRE identity
        self.lobby.lags = lambda key: (
            0 if (neighbour := self.node.neighbours.get(peer_of(key))) is None else neighbour.lag
        )
        self.charges = Charges(self.node, self.lobby, self._priority_peers)
        self.news = StationNews()

    def start(self) -> Self:
        """Join the network, and the unfinished tables.

        A failure releases everything, because `with` does not close what it could not enter.
        """
        try:
            self.node.start()
            self.shelf.forget_ended()
            for kept in self.shelf.unfinished() if self._resumes else ():
                self.resume(kept.id)
            now.look()  # whoever starts does not stand still
            self._skipped = now.skipped
        except BaseException:
            self.close()
            raise
        return self

    def resume(self, table: bytes) -> Table:
        """Sit down again at a stored table, or at one where others ask me to stand in."""
        return self.lobby.resume(table, now())

    def _forget_secrets(self, *, leaving: bool = False) -> None:
        """Delete the secrets of games that are over: once this seat has opened its book and the table is silent, or
        because this program leaves.
        """
        for name, table in self.lobby.tables.items():
            if table.over and self.store.secret(name, CARDS) is not None and (leaving or self._is_opened(table)):
                self.store.forget_secrets(name)

    def _is_opened(self, table: Table) -> bool:
        own = books.own(table.log, self.identity, self.shelf) if table.is_silent else None
        return own is not None and table.log.books.keys() >= own.keys()

    def close(self) -> None:
        """Send the last messages and leave. Secrets of finished games are deleted."""
        if self.node.is_open:
            self._hall.leave(now())
        self.node.close()
        self._catch_up()
        with self.watch("what is kept of the tables"):
            self._forget_secrets(leaving=True)
        self.store.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def turn(self, timeout: int = LONGEST_TURN) -> list[Event | Remark]:
        """Run the network for at most `timeout` milliseconds; return the events for a person."""
        refusals = self.guard.refusals
        self.flush()
        self._catch_up()
        for heard in self._node_turn(timeout):
            peer = heard.id if isinstance(heard, Doubled) else heard.peer.id
            with self.watch("what a peer said", self._keys.get(peer), peer):
                if self._door is None or self._passes(self._door, heard):
                    self._hear(heard)
                self._keep_door()  # who was admitted may have said more already
        with self.watch("what time brings"):
            if self._door is not None:
                self._door.wake(now())
            self._keep_door()
            if now() >= self._hall.due:
                self._hall.wake(now())
            if now() >= self.lobby.deadline:
                self.lobby.wake(now())
                self._forget_secrets()
        self.flush()
        if self.guard.refusals != refusals:  # what a full disk refuses is tried again at once
            time.sleep(AFTER_FAULT / 1000)
        events = drain(self.lobby.events)
        for event in events:
            with self.watch("what is kept of the tables", author_of(event)):
                self._keep(event)
        return [*drain(self.news.remarks), *(Remark(NOBODY, text) for text in drain(self.guard.news)), *events]

    def _catch_up(self) -> None:
        """Store what others have said. It waits while the disk is full."""
        with self.watch("what is kept of the tables"):
            if self.shelf.catch_up():
                self.guard.trouble = ""

    def _node_turn(self, timeout: int) -> list[NodeEvent]:
        """Return the node's events; wait as long as nothing is due."""
        events: list[NodeEvent] = []
        with Guarded(self._node_failed):
            due = min(self._hall.due, self.lobby.deadline)
            due = due if self._door is None else min(due, self._door.deadline)
            events += self.node.turn(max(0, min(timeout, due - now())))
        if (skipped := now.skipped) != self._skipped:
            self.lobby.pay(skipped - self._skipped)
            self.news.stood_still(skipped - self._skipped)
            self._skipped = skipped
        return events

    def _node_failed(self, error: Exception) -> None:
        self.caught("the network", error, peer=self.node.neighbours.speaker)
        time.sleep(AFTER_FAULT / 1000)

    def caught(self, place: str, error: Exception, by: bytes | None = None, peer: bytes | None = None) -> None:
        """Report a fault in that place (net/trust/guard.py), triggered by the holder of a key, or by a peer whose key
        is unknown; ban that peer for a while. Nobody is banned for the fault of a game that somebody wrote.
        """
        if not self.guard.caught(place, error, by) or game_fault(error):
            return
        if peer is None and by is not None and by != self.identity.key:
            peer = peer_of(by)
        if peer is not None:
            self.node.neighbours.ban(peer, now(), BAN)

    def watch(self, place: str, by: bytes | None = None, peer: bytes | None = None) -> Guarded:
        """Put the last guard around work in that place on behalf of a peer."""
        return Guarded(partial(self.caught, place, by=by, peer=peer))

    def flush(self) -> None:
        """Send the messages of the lobby and its tables."""
        with self.watch("what tables say"):
            self.lobby.flush(now())
        if self.lobby.advert is not self._hall.advert:
            self._hall.due = now()
        sealed_last, envelope = None, b""
        for key, message in drain(self.lobby.outgoing):
            with self.watch("what is said to a peer"):
                if message is not sealed_last:  # sign a message to many peers once
                    envelope, sealed_last = sealed(message, self.identity), message
                if self.node.neighbours.whisper(peer_of(key), envelope):
                    self._hall.needed[key] = now()
                else:
                    self._hall.hold(key, envelope, now())
        with Guarded(self._node_failed):
            self.node.perform(now())

    def block(self, key: bytes) -> None:
        """Block the holder of a key from now on: close its links, and ignore its messages."""
        if known.peer(self.store, key) is None:  # a program that only looked around
            known.meet(self.store, key, self.lobby.peers[key].name if key in self.lobby.peers else "", wall())
        known.block(self.store, key)
        for id in [id for id, holder in self._keys.items() if holder == key]:
            del self._keys[id]
            self.lobby.went(key, now())
            self.node.neighbours.ban(id, now(), BLOCK)
        self._hall.forget(key, now())

    # Peers

    def need(self, key: bytes) -> None:
        """Have a link with this peer for some minutes, even in a hall."""
        self._hall.need(key, now())

    def heard_at(self, key: bytes) -> int | None:
        """Return the time of the last sign of life of the key's holder, in milliseconds (`now`); None if it is not
        here.
        """
        neighbour = self.node.neighbours.get(peer_of(key))
        return neighbour.heard_at if neighbour is not None and key in self.lobby.here else None

    def incompatible(self) -> list[IncompatibleProgram]:
        """Return the peers whose programs are too old or too new for ours."""
        return list(self.news.incompatible.values())

    def census(self) -> Census:
        """Count the programs that are met, that can be, that found no room, and that are there in all."""
        return self._hall.census(now())

    def halfway(self) -> list[Halfway]:
        """Return the known peers that can't be talked to, each with the reason."""
        foreign = [
            Halfway(seed, Phase.MET, Trouble.FOREIGN, True)
            for seed, peer in self.node.neighbours.met_at_seeds()
            if peer.id not in self._keys and peer.id not in self.news.incompatible
        ]
        return [*map(self._hall.named, self.node.neighbours.halfway()), *foreign]

    def _priority_peers(self) -> set[bytes]:
        """Return the ZRE identities of seats, of people that gather here, and of keys that the person knows."""
        return {peer_of(key) for key in known.named(self.store) | self._old_friends | self.lobby.companions()}

    @cached_property
    def _old_friends(self) -> frozenset[bytes]:
        return frozenset(self.shelf.partners())

    # Events of the node

    def _hear(self, event: NodeEvent) -> None:
        match event:
            case PeerMet(peer):
                self._met(peer)
            case Doubled():
                self._tell_doubled(event)
            case PeerLeft(peer, why):
                self._alike.discard(peer.id)
                self.news.incompatible.pop(peer.id, None)
                if key := self._keys.pop(peer.id, None):
                    self.lobby.went(key, now())
                    self._hall.went(key, why, now())
            case Said(peer, payload) if peer.id in self._keys:
                self._open(peer, payload)

    def _met(self, peer: Peer) -> None:
        """Welcome a program of our family, which says so in its headers. Its key is certain once it has proved its
        link; in a private room only its door says whose it is.
        """
        try:
            key = bytes.fromhex(peer.headers.get(KEY_HEADER, ""))
        except ValueError:
            key = b""
        mine = key if self._door is None and peer_of(key) == peer.id else None
        if self.news.is_alike(peer, mine):
            self._alike.add(peer.id)
            if peer.proved and mine is not None:
                self._welcome(peer.id, mine)

    def _tell_doubled(self, event: Doubled) -> None:
        """Warn the person, and introduce the second program to the first so that both find out."""
        is_own = event.id == self.identity.peer
        key = self.identity.key if is_own else self._keys.get(event.id)
        if key is not None:
            self.news.doubled(event, key, is_own=is_own)
            if not is_own:
                self._hall.tell_of(key, key, event.endpoint)

    def _welcome(self, id: bytes, key: bytes) -> None:
        """Welcome a peer of ours whose key is certain, unless it is blocked here."""
        if not known.is_blocked(self.store, key):
            self._keys[id] = key
            self.lobby.came(key, now())
            self._hall.came(key, now())
            if (peer := self.lobby.peers.get(key)) is not None:  # it posted before
                self._remember(peer)

    def _passes(self, door: Door, event: NodeEvent) -> bool:
        """Let an event pass; in a private room only from peers that have proved themselves at the door."""
        if isinstance(event, Doubled):
            return True
        if (curve := event.peer.key) is None:
            return False
        match event:
            case PeerMet(peer):
                door.hello(curve, peer.id, peer.headers, now(), peer.address)
            case PeerLeft():
                door.gone(curve)
            case Said(_, payload):
                return door.receive(curve, payload, now())
        return True

    def _keep_door(self) -> None:
        """Send the door's messages first, then act on its decisions."""
        if self._door is None:
            return
        for id, content in drain(self._door.outgoing):
            self.node.neighbours.whisper(id, content)
        for event in drain(self._door.events):
            match event:
                case Admitted(id, key):
                    self.node.neighbours.admit(id)
                    if id in self._alike:
                        self._welcome(id, key)
                case ShutOut(id, why):
                    self.node.neighbours.ban(id, now(), FIRST_BAN)
                    if why is not None and (why is not Obstacle.MISMATCH or not self._keys):
                        self.news.obstacle(why)

    def _open(self, peer: Peer, payload: bytes) -> None:
        sender = self._keys[peer.id]
        try:
            if payload.startswith(POSTINGS):
                return self._hall.hear(sender, payload, now())
            self._hall.needed[sender] = now()
            author, message = opened(payload)
            if author != sender:
                raise PeerError("a message by another author: only entries may be relayed")
            self.charges.receive(peer.id, sender, message, now())
        except PeerError as error:
            self.lobby.dropped(sender, str(error))

    def _keep(self, event: Event) -> None:
        """Store how far a table is, for the next start."""
        if isinstance(event, Began) and self._far is not None:
            self.shelf.keep_far(event.table, self._far.text)
        match event:
            case Arrived(peer) if peer.key in self.lobby.here or known.peer(self.store, peer.key) is not None:
                self._remember(peer)
            case Departed(peer):
                self.news.departed(peer.key)
            case At(name, Took()) | Began(name) if self.lobby.tables[name].over:
                self.shelf.mark_over(name)

    def _remember(self, peer: AdvertisedPeer) -> None:
        """Remember a peer's name, and tell the person if it has another one than before. Forget a peer that was
        never linked: keys cost nothing.
        """
        if peer.kind != LOOKOUT:
            self.news.named(peer.key, known.meet(self.store, peer.key, peer.name, wall()))
