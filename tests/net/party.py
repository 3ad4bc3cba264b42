"""Real nodes in one thread, for tests: they take turns until something is so. Nothing here sleeps."""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Self

from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Event, Said
from tests.net.ports import udp_port
from tests.waiting import DEADLINE as PATIENCE

#: Turns of all that a busy machine may take longer for.
ROUNDS = 400


class Together:
    """Nodes or stations that share a UDP port, and are closed in the end."""

    def __init__(self) -> None:
        self.port = udp_port()
        self.members: list[Any] = []

    def until(self, condition: Callable[[], object]) -> None:
        """Turn all of them until it is so. Only the last one waits: a busy machine wakes who sleeps late."""
        end, rounds = time.monotonic() + PATIENCE, 0
        while not condition():
            rounds += 1
            assert time.monotonic() < end or rounds < ROUNDS, f"not within {PATIENCE} s: {self.describe()}"
            for member in self.members:
                self.turn(member, 5 if member is self.members[-1] else 0)

    def turn(self, member: Any, wait: int) -> None:
        """Give a member so many milliseconds."""

    def describe(self) -> str:
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for member in self.members:
            member.close()


class Guest:
    """A node and all it was told."""

    def __init__(self, node: Node, identity: bytes, name: str) -> None:
        self.node = node
        self.id = identity
        self.name = name
        self.events: list[Event] = []

    def said(self) -> list[tuple[str, bytes]]:
        return [(event.peer.name, event.payload) for event in self.events if isinstance(event, Said)]

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def peers(self) -> set[str]:
        return {peer.name for peer in self.node.neighbours.peers()}

    def close(self) -> None:
        self.node.close()


class Party(Together):
    """Nodes that keep within this machine, unless they are told otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.guests: list[Guest] = self.members

    def invite(self, name: str, headers: Mapping[str, str] | None = None, **options: Any) -> Guest:
        identity = options.pop("identity", None) or secrets.token_bytes(16)
        options = {"port": self.port, "interfaces": ["127.0.0.1"], **options}
        guest = Guest(Node(identity, name, headers or {}, **options).start(), identity, name)
        self.guests.append(guest)
        return guest

    def meet(self, *names: str, **options: Any) -> list[Guest]:
        """Guests that have met, and whoever was here before."""
        guests = [self.invite(name, **options) for name in names]
        self.until_all_met()
        return guests

    def turn(self, member: Guest, wait: int) -> None:
        member.events += member.node.turn(wait)

    def describe(self) -> str:
        return f"{[guest.events[-5:] for guest in self.guests]}"

    def until_all_met(self) -> None:
        names = {guest.name for guest in self.guests}
        self.until(lambda: all(guest.peers() == names - {guest.name} for guest in self.guests))

    def is_over(self, guest: Guest) -> None:
        self.guests.remove(guest)
        guest.close()
