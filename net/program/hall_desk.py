"""A station's part in a hall: the machine of net/hall/hall.py joined to its node and its lobby.

It decides with whom the node should have links: in a small room with everybody, else with peers at our tables and with
those to whom something is to be said. Specification: docs/protocols/hall.md, "Links".
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from random import SystemRandom
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE, drain
from quadrille.net.hall.hall import MOST_POSTINGS, Hall, Origin
from quadrille.net.hall.posting import PASSED, POSTINGS, passed, read_passed
from quadrille.net.neighbours.neighbour import Census, Endpoint, Halfway, LossReason, Trouble
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.program.stored_tables import wall
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust import known
from quadrille.net.trust.guard import Guarded
from quadrille.net.trust.identity import Identity, curve_form, peer_of
from quadrille.net.trust.store import Store

#: Maximum others of a room in which everybody is linked with everybody, at 70 KiB each, so that no table waits for one;
#: and of one that is not counted yet, because this program has listened for less than LISTENS milliseconds, one beacon.
SMALL: Final = 12
FIRST: Final = 2
LISTENS: Final = 1100
#: Maximum others of a room in which nobody ends a link: counts differ, and one would end what another calls.
AMPLE: Final = 16
#: Milliseconds, three beacons, after which a peer of a hall that sends no posting is called: it is of another kind.
UNPOSTED: Final = 3000
#: Milliseconds for which a link stays wanted after the last message of the lobby by it.
SAID: Final = 60_000
#: Milliseconds for which a message waits for a link, maximum waiting messages to one peer, and to all.
HELD: Final = 30_000
MOST_HELD: Final = 64
MOST_HELD_FOR: Final = 256
#: Milliseconds between two looks at the links that are wanted.
LOOK: Final = 250


class HallDesk:
    """The hall of one station, which sets `neighbours`."""

    def __init__(
        self,
        identity: Identity,
        lobby: Lobby,
        store: Store,
        realm: bytes,
        watch: Callable[[str, bytes], Guarded],
    ) -> None:
        """Join the hall to the lobby, which lists no blocked peers. `watch` guards work on behalf of a peer."""
        self.neighbours: Neighbours
        self.hall = Hall(
            identity,
            SystemRandom(),
            serial=wall(),  # higher than before
            port=lambda: self.neighbours.port,
            advert=lambda: lobby.advert,
            pace=lambda now: self.neighbours.beacons_heard.beacon_every(now),
            realm=realm,
        )
        self._me, self._is_private = identity.key, bool(realm)
        self._lobby, self._store, self._watch = lobby, store, watch
        self._held: dict[bytes, list[tuple[int, bytes]]] = {}  # messages that wait for a link, by key
        #: When something was last said on the link with a key, which the station notes; or when it was asked for.
        self.needed: dict[bytes, int] = {}
        #: When it is to be woken, which the station reads at each turn.
        self.due = 0
        self.advert = lobby.advert  # as the hall last looked at it
        self._wanted: frozenset[bytes] = frozenset()
        self._counts_from = NO_DEADLINE  # when this program will have heard everybody once
        self._look_due = 0

    # Called by the node

    def calls(self, peer: bytes, now: int) -> bool:
        """Decide if the node calls a peer that it hears of. One that posts needs no link to be known."""
        if peer in self._wanted or self._is_small(SMALL if now >= self._counts_from else FIRST, now):
            return True
        since = self.neighbours.beacons_heard.since(peer)
        return self.hall.of(peer) is None and (since is None or now - since >= UNPOSTED)

    def beat(self, now: int) -> list[bytes]:
        """Return the posting that goes before a beacon, so that a peer that hears both knows that its author posts."""
        self.due = now
        self._counts_from = min(self._counts_from, now + LISTENS)
        return self.hall.beat(now)

    def heard(self, address: str, datagram: bytes, now: int) -> bool:
        """Take a datagram if it is a posting. Nobody can be blamed for a wrong one."""
        if self._is_private or not datagram.startswith(POSTINGS):
            return False
        self.due = now
        with contextlib.suppress(PeerError):
            self.hall.receive(Origin(address), datagram, now)
        return True

    # Called by the station

    def need(self, key: bytes, now: int) -> None:
        """Keep a link with this peer for a while."""
        self.needed[key] = now
        if key not in self._lobby.here:
            self._look_soon(now)

    def hold(self, key: bytes, envelope: bytes, now: int) -> None:
        """Keep a message of the lobby until there is a link with its receiver, if that is there."""
        if self.hall.get(key) is None:
            return
        self.need(key, now)
        waiting = self._held.setdefault(key, [])
        waiting.append((now + HELD, envelope))
        del waiting[:-MOST_HELD]
        if len(self._held) > MOST_HELD_FOR:
            del self._held[next(iter(self._held))]

    def came(self, key: bytes, now: int) -> None:
        """Send a linked peer our posting, and the messages that wait for it."""
        self.need(key, now)
        self.due = now
        self.hall.came(key, now)
        for _, envelope in self._held.pop(key, ()):
            self.neighbours.whisper(peer_of(key), envelope)

    def went(self, key: bytes, reason: LossReason, now: int) -> None:
        """Note the end of a link. In a hall that says little about a peer that is at no table of ours."""
        is_needed = self._is_small(SMALL, now) or key in self._lobby.companions()
        is_known = reason is LossReason.SPARED or not is_needed
        self.hall.went(key, now, stays=is_known and not self.neighbours.is_banned(peer_of(key), now))
        self._look_soon(now)

    def forget(self, key: bytes, now: int) -> None:
        """Show a blocked peer no more, and drop what waits for it."""
        self.hall.went(key, now)
        self._lobby.unlist_peer(key)
        self._held.pop(key, None)
        self.needed.pop(key, None)

    def hear(self, key: bytes, message: bytes, now: int) -> None:
        """Read a posting on a peer's link, its own or one that it passes on; a `PeerError` refuses a wrong one."""
        self.due = now
        met = self.neighbours.where(peer_of(key))
        origin = Origin("" if met is None else met.host, key)
        if message.startswith(PASSED):
            place, part = read_passed(message)
            if self.hall.checks(part, origin, now):
                curve = curve_form(part.key) if self._is_private else None
                self.neighbours.introduce(peer_of(part.key), place, curve, peer_of(key), now)
            return
        is_first = self.hall.links.get(key) is None
        self.hall.receive(origin, message, now)
        if is_first and self.hall.links.get(key) is not None:
            self._introduce(key)

    def _introduce(self, key: bytes) -> None:
        """Introduce our other peers to a newcomer, who may hear nobody; and it to them, unless all beacons get here."""
        for other in [other for other in self.hall.links if other != key]:
            self.tell_of(other, key, self.neighbours.introducible(peer_of(other), peer_of(key)))
            both = self.neighbours.get(peer_of(key)), self.neighbours.get(peer_of(other))
            if any(neighbour is None or neighbour.beacon_at is None for neighbour in both):
                self.tell_of(key, other, self.neighbours.introducible(peer_of(key), peer_of(other)))

    def tell_of(self, key: bytes, to: bytes, place: Endpoint | None) -> None:
        """Pass on to one peer that another is at this place."""
        if place is not None and (data := self.hall.links.get(key)):
            self.neighbours.whisper(peer_of(to), passed(*place, data))

    def census(self, now: int) -> Census:
        """Count the peers, with those who are there without a link."""
        met, refused = len(self.neighbours.peers()), self.neighbours.refused(now)
        without = sum(self.hall.of(peer) is None for peer in refused)  # a peer that posts is known without a link
        return Census(met, self.neighbours.limits.peers, without, max(met, len(self.hall)), MOST_POSTINGS)

    def named(self, halfway: Halfway) -> Halfway:
        """Name a peer that is not met by its posting."""
        posting = self.hall.of(halfway.peer)
        return halfway if posting is None else replace(halfway, name=posting.advert.name)

    def leave(self, now: int) -> None:
        self.hall.leave(now)
        self._tell(now)

    # Time

    def _look_soon(self, now: int) -> None:
        self._look_due = self.due = min(self._look_due, now)

    def wake(self, now: int) -> None:
        """Call and end links. Pass on what the machine says and notices."""
        self.advert = self._lobby.advert
        if now >= self.hall.deadline:
            self.hall.wake(now)
        if now >= self._look_due:
            self._look(now)
        self._tell(now)
        self.due = min(self.hall.deadline, self._look_due)

    def _tell(self, now: int) -> None:
        for key, data in drain(self.hall.outgoing):
            if key is None:
                self.neighbours.post(data)
            else:
                self.neighbours.whisper(peer_of(key), data)
        for event in drain(self.hall.events):
            if event.advert is None:
                self._lobby.unlist_peer(event.key)
            elif self.neighbours.is_banned(peer_of(event.key), now):
                self.hall.went(event.key, now)  # once the ban is over, its next posting is news again
            elif not known.is_blocked(self._store, event.key):
                with self._watch("what a peer said", event.key):
                    self._lobby.list_peer(event.key, event.advert)

    # Links

    def _is_small(self, most: int, now: int) -> bool:
        return self._is_private or max(self.neighbours.beacons_heard.count(now), len(self.hall)) <= most

    def _look(self, now: int) -> None:
        """Call the peers with which links are wanted; in a hall, end other links."""
        self.needed = {key: at for key, at in self.needed.items() if now - at < SAID}
        wanted = (self._lobby.companions() | self.needed.keys() | self._held.keys()) - {self._me}
        self._wanted = frozenset(map(peer_of, wanted))
        if not self._is_small(AMPLE, now):
            for key in self._lobby.here - wanted:
                self.neighbours.spare(peer_of(key), now)
        sought = [] if self._is_private else sorted(wanted - self._lobby.here)
        for key in sought:
            self._seek(key, now)
        for key in [key for key, waiting in self._held.items() if now >= waiting[0][0]]:
            self._give_up(key, now)
        self._look_due = now + (LOOK if sought or self._held else 4 * LOOK)

    def _seek(self, key: bytes, now: int) -> None:
        trouble = self.neighbours.trouble(peer_of(key))
        if trouble in (None, Trouble.STRANGE, Trouble.DEAF):  # who is reached and answers too late is called again
            posting = self.hall.get(key)
            self.neighbours.seek(peer_of(key), posting.places if posting is not None else (), now)
            return
        if is_gone := self.neighbours.is_gone(peer_of(key), now):
            self.hall.went(key, now)
        if is_gone or trouble is not Trouble.REFUSED:
            self.needed.pop(key, None)
        if is_gone or key in self._held:
            self._give_up(key, now, is_gone=is_gone)

    def _give_up(self, key: bytes, now: int, *, is_gone: bool = False) -> None:
        """Drop what waits for a peer that nobody reaches. Tables that wait for its answer learn that."""
        self._held.pop(key, None)
        self._lobby.went(key, now, is_gone=is_gone)
