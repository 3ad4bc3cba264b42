"""Work that the messages of peers cause is charged to their senders: who costs too much waits, or goes.

The measure is processor time of this thread, in signature checks of this machine. So a slow machine gives as much work
as a fast one, and its load counts for nothing. Messages that made a log longer are free, however much they cost:
somebody sent what was asked for. Specification: docs/protocols/discovery.md, "Limits".
"""

import functools
import gc
import time
from collections.abc import Callable, Container
from typing import Final

from quadrille.net.core.limits import Bucket, Buckets, a_second
from quadrille.net.entries.wire import Message
from quadrille.net.link.node import Node
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust.guard import BAN
from quadrille.net.trust.identity import Identity, verified

#: Signature checks, of 70 µs each, that the handling of a message may always cost.
FREE: Final = 16
#: Checks a second and at once: of a peer that matters, of a stranger, of all strangers: 40, 1.4 and 1.4 % of a core.
COMPANION: Final = a_second(6_000, burst=60_000)
STRANGER: Final = a_second(200, burst=4_000)
STRANGERS: Final = a_second(200, burst=500)
#: Milliseconds for which nobody is read longer, or it would count as silent; and of a debt with which a stranger goes.
LONGEST_REST: Final = 3_000
GONE_AFTER: Final = 10_000
#: Least nanoseconds of a signature check, where the system's clock is coarse.
_LEAST: Final = 40_000
_SAMPLES: Final = 32


class Charges:
    """The accounts of one station's peers. `priority_peers()` are no strangers."""

    def __init__(self, node: Node, lobby: Lobby, priority_peers: Callable[[], Container[bytes]]) -> None:
        self._node = node
        self._lobby = lobby
        self._priority_peers = priority_peers
        self._companions = Buckets[bytes](COMPANION)  # by key, as those of strangers
        self._each_stranger = Buckets[bytes](STRANGER)
        self._strangers = Bucket(STRANGERS)
        #: The work of this thread so far, in signature checks.
        self.work: Callable[[], int] = lambda: time.thread_time_ns() // _check_time()

    def receive(self, peer: bytes, sender: bytes, message: Message, now: int) -> None:
        """Let the lobby handle a message, and charge its cost. A sender in debt rests, or goes for a large one."""
        if self._each_stranger.of(sender).rest(now) > GONE_AFTER and peer not in self._priority_peers():
            return
        entries, began, collects = self._entries(), self.work(), gc.isenabled()
        gc.disable()  # our own garbage is no work that a sender causes
        try:
            self._lobby.receive(sender, message, now)
        finally:
            cost = self.work() - began
            if collects:
                gc.enable()
            if cost > FREE and self._entries() == entries:
                self._charge(peer, sender, cost, now)

    def _entries(self) -> int:
        return sum(len(table.log.entries) for table in self._lobby.tables.values())

    def _charge(self, peer: bytes, sender: bytes, cost: int, now: int) -> None:
        is_stranger = peer not in self._priority_peers()
        bucket = (self._each_stranger if is_stranger else self._companions).of(sender)
        bucket.pay(now, cost)
        rest = bucket.rest(now)
        if is_stranger:
            self._strangers.pay(now, cost)
            if rest > GONE_AFTER:
                self._lobby.dropped(sender, "its messages cost more work than those of a stranger may")
                return self._node.neighbours.ban(peer, now, BAN)
            rest = max(rest, self._strangers.rest(now))
        if rest:
            self._node.rest(peer, min(rest, LONGEST_REST))
        return None


@functools.cache
def _check_time() -> int:
    """Measure the nanoseconds that a signature check takes on this machine."""
    identity = Identity(bytes(32))
    signed = [(data, identity.sign(data)) for data in (number.to_bytes(200, "big") for number in range(_SAMPLES))]
    began = time.thread_time_ns()
    for data, signature in signed:
        verified(identity.key, signature, data)
    return max(_LEAST, (time.thread_time_ns() - began) // _SAMPLES)
