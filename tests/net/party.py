"""Real nodes in one thread, for tests: they take turns until something is so. Nothing here sleeps."""

import secrets
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Event, PeerMet, Said
from tests.net.ports import udp_port

PATIENCE = 120.0  # seconds; only a failing test waits so long


class Guest:
    """A node and all it was told."""

    def __init__(self, node: Node, identity: bytes, name: str) -> None:
        self.node = node
        self.id = identity
        self.name = name
        self.events: list[Event] = []

    def said(self) -> list[tuple[str, str | None, bytes]]:
        return [(event.peer.name, event.group, event.payload) for event in self.events if isinstance(event, Said)]

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def peers(self) -> set[str]:
        return {peer.name for peer in self.node.peers()}


class Party:
    """Nodes that share a UDP port and keep within this machine, unless they are told otherwise."""

    def __init__(self) -> None:
        self.port = udp_port()
        self.guests: list[Guest] = []

    def invite(self, name: str, headers: Mapping[str, str] | None = None, **options: Any) -> Guest:
        identity = options.pop("identity", None) or secrets.token_bytes(16)
        options.setdefault("port", self.port)
        options.setdefault("interfaces", ["127.0.0.1"])
        guest = Guest(Node(identity, name, headers or {}, **options).start(), identity, name)
        self.guests.append(guest)
        return guest

    def until(self, condition: Callable[[], object]) -> None:
        """Turn all nodes until it is so."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"not within {PATIENCE} s: {[guest.events[-5:] for guest in self.guests]}"
            for guest in self.guests:
                guest.events += guest.node.turn(1)

    def until_all_met(self) -> None:
        names = {guest.name for guest in self.guests}
        self.until(lambda: all(guest.peers() == names - {guest.name} for guest in self.guests))

    def is_over(self, guest: Guest) -> None:
        self.guests.remove(guest)
        guest.node.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for guest in self.guests:
            guest.node.close()


def meetings(guest: Guest) -> list[str]:
    return [event.peer.name for event in guest.of(PeerMet)]
