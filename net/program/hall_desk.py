"""A station's part in a hall: the machine of net/hall/hall.py joined to its node and its lobby.

It decides which links the node should have: with peers at our tables, with those to whom something is to be said, and
with the few that the machine chose. Specification: docs/protocols/hall.md, "Few links".
"""

from dataclasses import replace
from random import Random
from typing import Final

from quadrille.net.core.machine import drain
from quadrille.net.entries.wire import Advert, Offer
from quadrille.net.hall.hall import Hall
from quadrille.net.hall.hall_events import Listed, Unlisted
from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.hall.hall_wire import hall_bytes, hall_message
from quadrille.net.hall.posting import HallPlace, Posting
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Endpoint, LossReason, Peer, Trouble
from quadrille.net.neighbours.neighbourhood import Crowd
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust import known
from quadrille.net.trust.identity import Identity, peer_of
from quadrille.net.trust.proof import HALL_HEADER
from quadrille.net.trust.store import Store

#: Milliseconds for which a link stays wanted after the last message that the program sent by it.
SAID: Final = 300_000
#: Milliseconds for which a message waits for a link, maximum waiting messages to one peer, and to all.
HELD: Final = 10_000
MOST_HELD: Final = 64
MOST_HELD_FOR: Final = 256
#: Milliseconds between two looks at the links that are wanted.
LOOK: Final = 250
#: Milliseconds between two calls for a peer that is not linked.
SEEK: Final = 1000


class HallDesk:
    """The hall of one station."""

    __slots__ = ("_held", "_lobby", "_look_due", "_node", "_said", "_sought", "_store", "machine")

    def __init__(
        self, identity: Identity, node: Node, lobby: Lobby, store: Store, now: int, *, random: Random, serial: int
    ) -> None:
        """Our postings are numbered from `serial` on, which is higher than before."""
        self._node = node
        self._lobby = lobby
        self._store = store  # says who is blocked: their postings are passed on and not shown
        self._held: dict[bytes, list[tuple[int, bytes]]] = {}  # messages that wait for a link, by key
        self._said: dict[bytes, int] = {}  # when the program last spoke to a peer, or asked for it
        self._sought: dict[bytes, int] = {}  # when a peer was last called
        self._look_due = now
        node.call_few_above(SMALL)
        self.machine = Hall(identity, random, now, seen=self._seen, serial=serial)

    def _seen(self, peer: bytes) -> str | None:
        place = self._node.where(peer)
        return None if place is None else place.host

    # Called by the station

    def need(self, key: bytes, now: int) -> None:
        """The program wants a link with this peer."""
        self._said[key] = now
        if key not in self._lobby.here and key not in self._sought:
            self._look_due = now

    def hold(self, key: bytes, words: bytes, now: int) -> None:
        """Keep a message of the lobby until there is a link with its receiver."""
        if self.machine.is_small and self.machine.directory.get(key) is None:
            return
        self._said[key] = now
        waiting = self._held.setdefault(key, [])
        waiting.append((now + HELD, words))
        if len(waiting) > MOST_HELD:
            del waiting[0]
        if len(self._held) > MOST_HELD_FOR:
            del self._held[next(iter(self._held))]
        self._look_due = now

    def met(self, key: bytes, peer: Peer, now: int) -> None:
        """A peer of ours is linked."""
        self._sought.pop(key, None)
        if (version := peer.headers.get(HALL_HEADER, "")).isdigit():
            self.machine.came(key, now, int(version[:4]))
        for _, words in self._held.pop(key, ()):
            self._node.whisper(peer.id, words)
        self._look_due = now

    def left(self, key: bytes, why: LossReason, now: int) -> Advert | None:
        """A link ended; return the advert of a peer that is still there."""
        self.machine.went(key, now, broke=why is not LossReason.SPARED)
        self._look_due = now
        posting = self.machine.directory.shown(key)
        return None if posting is None else advert_of(posting)

    def hear(self, key: bytes, content: bytes, now: int) -> None:
        """A message of the hall; a `PeerError` if it is wrong."""
        self.machine.receive(key, hall_message(content), now)

    def crowd(self) -> Crowd:
        """The crowd with those who are there without a link. A peer that posts is in touch with somebody."""
        met = self._node.crowd()
        if met.refused:
            met = self._node.crowd({one.peer for one in self.machine.directory.all_shown()})
        return replace(met, there=max(met.met, self.machine.size), listed=self.machine.directory.most)

    def forget(self, key: bytes) -> None:
        """A blocked peer: it is not shown any more, and nothing waits for it."""
        self._lobby.unlist_peer(key)
        self._held.pop(key, None)
        self._said.pop(key, None)

    def leave(self, now: int) -> None:
        """Say farewell."""
        self.machine.leave(now)
        self._send()

    # Time

    @property
    def deadline(self) -> int:
        return min(self.machine.deadline, self._look_due)

    def wake(self, now: int) -> None:
        """Pass on what the machine says and notices, and see to the links."""
        machine, advert = self.machine, self._lobby.advert
        linked = len(machine.links)
        machine.others = max(self._node.count_heard(), linked)
        machine.post(self._places(), advert.name, advert.kind, map(Offer.plain, advert.tables), now)
        if now >= machine.deadline:
            machine.wake(now)
        self.tell(now)
        if now >= self._look_due:
            self._look(now)

    def tell(self, now: int) -> None:
        """Carry out what the machine asks for."""
        self._send()
        for event in drain(self.machine.events):
            match event:
                case Listed(posting) if self._shows(posting.key):
                    self._lobby.list_peer(posting.key, advert_of(posting), now)
                case Unlisted(key):
                    self._lobby.unlist_peer(key)
        for key in [key for key in self.machine.links if self.machine.is_spare(key)]:
            self._node.spare(peer_of(key))

    def _shows(self, key: bytes) -> bool:
        return key != self._lobby.identity.key and not known.is_blocked(self._store, key)

    def _send(self) -> None:
        for key, message in drain(self.machine.outgoing):
            self._node.whisper(peer_of(key), hall_bytes(message))

    def _places(self) -> tuple[HallPlace, ...]:
        return tuple(HallPlace(*place) for place in self._node.places())

    # Links

    def _look(self, now: int) -> None:
        """Tell the node which links are wanted, and call peers that are not linked."""
        is_hall = not self.machine.is_small
        self._look_due = now + LOOK if is_hall or self._held else now + 4 * LOOK
        self._said = {key: at for key, at in self._said.items() if now - at < SAID}
        at_tables = self._lobby.companions() - {self._lobby.identity.key}
        self.machine.needed = frozenset(at_tables | self._said.keys())
        wanted = self.machine.needed | self.machine.chosen
        ids = {key: peer_of(key) for key in wanted}
        at_table_ids = frozenset(ids[key] for key in at_tables)
        self._node.want(frozenset(ids.values()), at_table_ids, is_hall=is_hall)
        for key in sorted(wanted - self._lobby.here) if is_hall else [*self._held]:
            self._seek(key, peer_of(key), now)
        self._drop_late(now)

    def _seek(self, key: bytes, peer: bytes, now: int) -> None:
        if (trouble := self._node.trouble(peer)) is not None:
            self.machine.unreachable(key, now, may_live=trouble is not Trouble.REFUSED)
            if key in self._held:
                self._give_up(key, now)
        elif now - self._sought.get(key, -SEEK) >= SEEK:
            self._sought[key] = now
            posting = self.machine.directory.get(key)
            places = () if posting is None else posting.words.places
            self._node.seek(peer, [Endpoint(place.host, place.port) for place in places])

    def _drop_late(self, now: int) -> None:
        self._sought = {key: at for key, at in self._sought.items() if now - at < HELD}
        for key in [key for key, waiting in self._held.items() if now >= waiting[0][0]]:
            self._give_up(key, now)

    def _give_up(self, key: bytes, now: int) -> None:
        """Nobody takes what is to be said: who waits for an answer is to know."""
        del self._held[key]
        self._lobby.went(key, now)


def advert_of(posting: Posting) -> Advert:
    """The words of a posting as those of a linked peer."""
    words = posting.words
    return Advert(words.name, words.kind, tuple(map(Offer.read, words.tables)))
