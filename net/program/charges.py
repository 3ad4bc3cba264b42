"""Work that the messages of peers cause is charged to their senders: who costs too much waits, or goes.

The measure is processor time of this thread, in signature checks of this machine. So a slow machine gives as much work
as a fast one, and its load counts for nothing. Messages that made a log longer are free, however much they cost:
somebody sent what was asked for. Specification: docs/protocols/discovery.md, "Limits".
"""

import functools
import time
from collections.abc import Callable, Container
from typing import Final

from quadrille.net.core.budget import MOST_SENDERS, Account
from quadrille.net.entries.wire import Message
from quadrille.net.link.node import Node
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust.guard import BAN
from quadrille.net.trust.identity import Identity, verified

#: Signature checks that the handling of a message may always cost.
FREE: Final = 16
#: Checks a second and at once: of a peer that matters, of a stranger, and of all strangers.
COMPANION: Final = (6_000, 60_000)
STRANGER: Final = (200, 4_000)
STRANGERS: Final = (200, 500)
#: Milliseconds for which nobody is read longer, or it would count as silent; and of a debt with which a stranger goes.
LONGEST_REST: Final = 3_000
GONE_AFTER: Final = 10_000
#: Least nanoseconds of a signature check, where the system's clock is coarse.
_LEAST: Final = 40_000
_SAMPLES: Final = 32


class Charges:
    """The accounts of one station's peers. `mattering()` are the peers that are no strangers."""

    __slots__ = ("_accounts", "_lobby", "_mattering", "_node", "_strangers", "work")

    def __init__(self, node: Node, lobby: Lobby, mattering: Callable[[], Container[bytes]], now: int) -> None:
        self._node = node
        self._lobby = lobby
        self._mattering = mattering
        self._accounts: dict[tuple[bytes, bool], Account] = {}  # by key; apart while it is a stranger
        self._strangers = Account(*STRANGERS, now)
        #: The work of this thread so far, in signature checks.
        self.work: Callable[[], int] = lambda: time.thread_time_ns() // _check_time()

    def receive(self, peer: bytes, sender: bytes, message: Message, now: int) -> None:
        """Let the lobby handle a message, and charge what that cost. A sender in debt is heard later, because its
        connection rests; only one that has to go is not heard.
        """
        account = self._accounts.get((sender, True))
        if account is not None and _debt(account, now) > GONE_AFTER and peer not in self._mattering():
            return
        entries, began = self._entries(), self.work()
        try:
            self._lobby.receive(sender, message, now)
        finally:
            cost = self.work() - began
            if cost > FREE and self._entries() == entries:
                self._charge(peer, sender, cost, now)

    def _entries(self) -> int:
        return sum(len(table.log.entries) for table in self._lobby.tables.values())

    def _charge(self, peer: bytes, sender: bytes, cost: int, now: int) -> None:
        is_stranger = peer not in self._mattering()
        name = sender, is_stranger
        account = self._accounts.pop(name, None) or Account(*(STRANGER if is_stranger else COMPANION), now)
        if len(self._accounts) >= MOST_SENDERS:
            del self._accounts[next(iter(self._accounts))]
        self._accounts[name] = account
        account.pay(cost, now)
        rest = account.rest()
        if is_stranger:
            self._strangers.pay(cost, now)
            if rest > GONE_AFTER:
                self._lobby.dropped(sender, "its messages cost more work than those of a stranger may")
                return self._node.ban(peer, BAN)
            rest = max(rest, self._strangers.rest())
        if rest:
            self._node.rest(peer, min(rest, LONGEST_REST))
        return None


def _debt(account: Account, now: int) -> int:
    account.pay(0, now)
    return account.rest()


@functools.cache
def _check_time() -> int:
    """Nanoseconds that a signature check takes on this machine."""
    identity = Identity(bytes(32))
    signed = [(data, identity.sign(data)) for data in (number.to_bytes(200, "big") for number in range(_SAMPLES))]
    began = time.thread_time_ns()
    for data, signature in signed:
        verified(identity.key, signature, data)
    return max(_LEAST, (time.thread_time_ns() - began) // _SAMPLES)
