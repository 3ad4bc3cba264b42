"""A station's part in direct ways: it tells those whom it meets over a relay where it may be reached, hears where they
may be, and tells the person when the way to somebody has changed.

Specification: docs/protocols/relay.md, "Direct ways".
"""

from collections.abc import Mapping
from typing import Final

from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import Reachable, sealed
from quadrille.net.link.node import Node
from quadrille.net.program.station_news import Remark, way_words
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.names import plain_name

#: Milliseconds between two looks at addresses and ways.
LOOK_EVERY: Final = 1000
#: Milliseconds between two messages to one peer: more than a receiver asks for.
TELL_EVERY: Final = 10_000
#: Milliseconds for which a way has to stand before the person hears of it, if it has changed so lately.
SETTLED: Final = 30_000
#: Maximum remembered ways.
MOST_WAYS: Final = 256


class DirectDesk:
    """The direct ways of one station; `keys` are the keys of its peers by ZRE identity."""

    def __init__(
        self,
        identity: Identity,
        node: Node,
        keys: Mapping[bytes, bytes],
        names: Mapping[bytes, str],
        remarks: list[Remark],
    ) -> None:
        """`names` are those of the peers that the person has heard of, by key; `remarks` reach the person."""
        self._identity = identity
        self._node = node
        self._keys = keys
        self._names = names
        self._remarks = remarks
        self._told: dict[bytes, tuple[Reachable, int]] = {}  # by ZRE identity: the last message, and when
        self._ways: dict[bytes, tuple[bool, int]] = {}  # by key: as the person knows it, and since when
        self._due = 0 if node.direct else NO_DEADLINE

    @property
    def deadline(self) -> int:
        return self._due if self._keys else NO_DEADLINE

    def heard(self, peer: bytes, message: Reachable, now: int) -> None:
        """A peer says where it may be reached."""
        if self._node.direct is not None:
            self._node.direct.may_reach(peer, message.places, message.seal, now)

    def left(self, peer: bytes) -> None:
        """A link is lost; the next one may be to another run of the program."""
        self._told.pop(peer, None)

    def wake(self, now: int) -> None:
        """Tell each peer that is met over a relay where we are, and the person of other ways."""
        direct = self._node.direct
        if direct is None or now < self._due:
            return
        self._due = now + LOOK_EVERY
        for peer, key in self._keys.items():
            where = direct.reachable(peer)
            if where is not None and where[0]:
                self._tell(peer, Reachable(*where), now)
            if key not in self._ways:
                self._ways[key] = not direct.began_by_relay(peer), now - SETTLED
                if len(self._ways) > MOST_WAYS:
                    del self._ways[next(iter(self._ways))]
            self._look(key, now, is_direct=direct.is_direct(peer))

    def _tell(self, peer: bytes, message: Reachable, now: int) -> None:
        before, at = self._told.get(peer, (None, now - TELL_EVERY))
        if message != before and now - at >= TELL_EVERY:
            self._told[peer] = message, now
            self._node.whisper(peer, sealed(message, self._identity))

    def _look(self, key: bytes, now: int, *, is_direct: bool) -> None:
        before, at = self._ways[key]
        if is_direct != before and now - at >= SETTLED and key in self._names:
            self._ways[key] = is_direct, now
            name = plain_name(self._names[key])
            self._remarks.append(Remark(key, way_words(name, is_direct=is_direct)))
