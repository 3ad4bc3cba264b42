"""A station's part in a hall: the machine of net/hall/hall.py joined to its node and its lobby.

It decides with whom the node should have links: in a small room with everybody, else with peers at our tables and with
those to whom something is to be said. Specification: docs/protocols/hall.md, "Links".
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE, drain
from quadrille.net.entries.wire import Advert
from quadrille.net.hall.hall import MOST_POSTINGS, Hall, Listed, Origin, Unlisted
from quadrille.net.hall.posting import PASSED, is_posting, passed, read_part, read_passed
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Contact, Endpoint, LossReason, Trouble
from quadrille.net.neighbours.neighbourhood import Crowd
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust import known
from quadrille.net.trust.guard import ExceptionGuard
from quadrille.net.trust.identity import Identity, curve_form, peer_of
from quadrille.net.trust.store import Store

#: Maximum others of a room in which everybody is linked with everybody; and of one that is not counted yet, because
#: this program has listened for less than LISTENS milliseconds.
SMALL: Final = 12
FIRST: Final = 2
LISTENS: Final = 1100
#: Maximum others of a room in which nobody ends a link. It is larger, for not all count alike.
AMPLE: Final = 16
#: Milliseconds after which a peer of a hall that sends beacons and no posting is called: it is of another kind.
UNPOSTED: Final = 3000
#: Milliseconds for which a link stays wanted after the last message of the lobby by it.
SAID: Final = 60_000
#: Milliseconds for which a message waits for a link, maximum waiting messages to one peer, and to all.
HELD: Final = 10_000
MOST_HELD: Final = 64
MOST_HELD_FOR: Final = 256
#: Milliseconds between two looks at the links that are wanted.
LOOK: Final = 250


class HallDesk:
    """The hall of one station."""

    __slots__ = (
        "_counts_from", "_held", "_is_private", "_lobby", "_look_due", "_me", "_said", "_store", "_wanted", "_watch",
        "hall", "node",
    )  # fmt: skip

    def __init__(
        self,
        identity: Identity,
        lobby: Lobby,
        store: Store,
        now: int,
        *,
        random: Random,
        serial: int,
        realm: bytes,
        watch: Callable[[str, bytes], ExceptionGuard],
    ) -> None:
        """Our postings are numbered from `serial` on, which is higher than before. `watch(place, key)` guards work on
        behalf of a peer. The station sets `node`.
        """
        self.node: Node
        self.hall = Hall(identity, random, serial=serial, port=lambda: self.node.tcp_port, realm=realm)
        self._me = identity.key
        self._is_private = bool(realm)
        self._lobby = lobby
        self._store = store  # says who is blocked: they are not shown
        self._held: dict[bytes, list[tuple[int, bytes]]] = {}  # messages that wait for a link, by key
        self._said: dict[bytes, int] = {}  # when something was last said on a link, or the program asked for it
        self._watch = watch
        self._wanted: frozenset[bytes] = frozenset()
        self._counts_from = NO_DEADLINE  # when this program will have heard everybody once
        self._look_due = now

    # Called by the node

    def calls(self, peer: bytes, now: int) -> bool:
        """Decide if the node calls a peer that it hears of. One that posts needs no link to be known."""
        if peer in self._wanted or self._is_small(SMALL if now >= self._counts_from else FIRST):
            return True
        since = self.node.heard_since(peer)
        return not self.hall.posts(peer) and (since is None or now - since >= UNPOSTED)

    def beat(self, now: int) -> list[bytes]:
        """The posting that goes before a beacon, so that who hears both knows that its author posts."""
        self._prepare()
        self._counts_from = min(self._counts_from, now + LISTENS)
        return self.hall.beat(now)

    def heard(self, address: str, datagram: bytes, now: int) -> bool:
        """Take a datagram if it is a posting. Nobody can be blamed for a wrong one."""
        if self._is_private or not is_posting(datagram):
            return False
        if self.node.admits(address):
            with contextlib.suppress(PeerError):
                self.hall.receive(Origin(address), datagram, now)
        return True

    # Called by the station

    def need(self, key: bytes, now: int) -> None:
        """The program wants a link with this peer for a while."""
        self._said[key] = now
        if key not in self._lobby.here:
            self._look_due = min(self._look_due, now)

    def hold(self, key: bytes, words: bytes, now: int) -> None:
        """Keep a message of the lobby until there is a link with its receiver, if that is there."""
        if self.hall.get(key) is None:
            return
        self.need(key, now)
        waiting = self._held.setdefault(key, [])
        waiting.append((now + HELD, words))
        del waiting[:-MOST_HELD]
        if len(self._held) > MOST_HELD_FOR:
            del self._held[next(iter(self._held))]

    def came(self, key: bytes, now: int) -> None:
        """A peer of ours is linked."""
        self._said[key] = now
        self.hall.came(key, now)
        for _, words in self._held.pop(key, ()):
            self.node.whisper(peer_of(key), words)
        self._look_due = now

    def went(self, key: bytes, why: LossReason, now: int) -> None:
        """A link ended. In a hall that says little about a peer that is at no table of ours."""
        is_needed = self._is_small(SMALL) or key in self._lobby.companions()
        self.hall.went(key, now, stays=why is LossReason.SPARED or not is_needed)
        self._look_due = now

    def hear(self, key: bytes, message: bytes, now: int) -> None:
        """A posting on a peer's link, its own or one that it passes on; a `PeerError` if it is wrong."""
        place = self.node.where(peer_of(key))
        host = "" if place is None else place.host
        if message.startswith(PASSED):
            return self._introduced(key, host, message, now)
        is_first = self.hall.links.get(key) is None
        self.hall.receive(Origin(host, key), message, now)
        if is_first and self.hall.links.get(key) is not None:
            self._introduce(key)
        return None

    def used(self, key: bytes, now: int) -> None:
        """A linked peer said something."""
        self._said[key] = now

    def tell_of(self, key: bytes, host: str, port: int, to: bytes) -> None:
        """Pass on to one peer that another is there."""
        if (data := self.hall.links.get(key)) is not None:
            self.node.whisper(peer_of(to), passed(host, port, data))

    def crowd(self) -> Crowd:
        """The crowd with those who are there without a link."""
        met = self.node.crowd(self.hall.posts)
        return replace(met, there=max(met.met, len(self.hall)), listed=MOST_POSTINGS)

    def forget(self, key: bytes, now: int) -> None:
        """A blocked peer: it is not shown any more, and nothing waits for it."""
        self.hall.went(key, now)
        self._lobby.unlist_peer(key)
        self._held.pop(key, None)
        self._said.pop(key, None)

    def leave(self, now: int) -> None:
        """Say farewell."""
        self.hall.leave(now)
        self._tell(now)

    # Introductions

    def _introduce(self, key: bytes) -> None:
        """Tell a newcomer of our other peers, for it may hear nobody; and these of it, unless all beacons get here."""
        for other in self.hall.links:
            hears_both = self.node.hears(peer_of(key)) and self.node.hears(peer_of(other))
            for one, to in ((other, key), *(() if hears_both else ((key, other),))):
                if one != to and (place := self.node.introducible(peer_of(one), peer_of(to))) is not None:
                    self.tell_of(one, *place, to)

    def _introduced(self, key: bytes, host: str, message: bytes, now: int) -> None:
        """A peer is where another met it."""
        there = read_passed(message)
        part = read_part(there.data)
        if self.hall.checks(part, Origin(host, key), now):
            curve = curve_form(part.key) if self._is_private else None
            contact = Contact(peer_of(part.key), Endpoint(there.host, there.port), curve)
            self.node.introduce(contact, peer_of(key))

    # Time

    @property
    def deadline(self) -> int:
        self.hall.say(self._lobby.advert)  # a new table is posted at once
        return min(self.hall.deadline, self._look_due)

    def wake(self, now: int) -> None:
        """Pass on what the machine says and notices, and see to the links."""
        self._prepare()
        if now >= self.hall.deadline:
            self.hall.wake(now)
        self._tell(now)
        if now >= self._look_due:
            self._look(now)

    def _prepare(self) -> None:
        self.hall.pace = self.node.beacon_every()
        self.hall.say(self._lobby.advert)

    def _tell(self, now: int) -> None:
        for key, data in drain(self.hall.outgoing):
            if key is None:
                self.node.post(data)
            else:
                self.node.whisper(peer_of(key), data)
        for event in drain(self.hall.events):
            match event:
                case Listed(key, words) if not known.is_blocked(self._store, key):
                    with self._watch("what a peer said", key):
                        self._list(key, words, now)
                case Unlisted(key):
                    self._lobby.unlist_peer(key)

    def _list(self, key: bytes, words: Advert, now: int) -> None:
        try:
            self._lobby.list_peer(key, words, now)
        except PeerError as error:
            self._lobby.dropped(key, str(error))

    # Links

    def _is_small(self, most: int) -> bool:
        return self._is_private or max(self.node.count_heard(), len(self.hall)) <= most

    def _look(self, now: int) -> None:
        """Call the peers with which links are wanted; in a hall, end links that are not."""
        self._said = {key: at for key, at in self._said.items() if now - at < SAID}
        wanted = (self._lobby.companions() | self._said.keys()) - {self._me}
        self._wanted = frozenset(map(peer_of, wanted))
        if not self._is_small(AMPLE):
            for key in self._lobby.here - wanted:
                self.node.spare(peer_of(key))
        sought = [] if self._is_private else sorted(wanted - self._lobby.here)
        for key in sought:
            self._seek(key, now)
        for key in [key for key, waiting in self._held.items() if now >= waiting[0][0]]:
            self._give_up(key, now)
        self._look_due = now + (LOOK if sought or self._held else 4 * LOOK)

    def _seek(self, key: bytes, now: int) -> None:
        trouble = self.node.trouble(peer_of(key))
        if trouble is None:
            posting = self.hall.get(key)
            self.node.seek(peer_of(key), posting.places if posting is not None else ())
            return
        if self._said.pop(key, None) is not None and trouble is Trouble.REFUSED:
            self.hall.went(key, now)  # nobody listens there any more
        if key in self._held:
            self._give_up(key, now)

    def _give_up(self, key: bytes, now: int) -> None:
        """Nobody takes what is to be said: who waits for an answer is to know."""
        del self._held[key]
        self._lobby.went(key, now)
