"""Introductions that a station makes: which of its peers are named to which, and when.

Specification: docs/protocols/gathering.md, "Lobby".
"""

from collections.abc import Container, Mapping
from typing import Final

from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import Contacts, sealed
from quadrille.net.link.node import Node
from quadrille.net.trust.identity import Identity

#: Milliseconds between a meeting and the newcomer's introduction; by then we know which peers hear its beacons.
PASS_ON: Final = 3000
#: Maximum peers named in one message.
MOST_NAMED: Final = 64


class Introducer:
    """The introductions of one station; `keys` are the keys of its peers by ZRE identity."""

    __slots__ = ("_identity", "_keys", "_newcomers", "_node")

    def __init__(self, identity: Identity, node: Node, keys: Mapping[bytes, bytes]) -> None:
        self._identity = identity
        self._node = node
        self._keys = keys
        self._newcomers: dict[bytes, int] = {}  # when to introduce them to others

    @property
    def deadline(self) -> int:
        return min(self._newcomers.values(), default=NO_DEADLINE)

    def met(self, id: bytes, now: int) -> None:
        """Name our peers to a new one, and it to them after a while."""
        self._tell_of(self._keys, id)
        self._newcomers[id] = now + PASS_ON

    def left(self, id: bytes) -> None:
        self._newcomers.pop(id, None)

    def wake(self, now: int) -> None:
        """Introduce newcomers to peers that may not hear their beacons, also those that others named: they may lie."""
        for id in [id for id, due in self._newcomers.items() if now >= due]:
            del self._newcomers[id]
            for other in self._keys:
                if other != id and not (self._node.hears(id) and self._node.hears(other)):
                    self._tell_of((id,), other)

    def _tell_of(self, whom: Container[bytes], to: bytes) -> None:
        told = [(one.id, *one.endpoint, one.key) for one in self._node.contacts(to) if one.id in whom]
        if told:
            self._node.whisper(to, sealed(Contacts(tuple(told[:MOST_NAMED])), self._identity))
