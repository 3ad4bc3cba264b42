"""Real nodes or stations in one thread, for tests: they take turns until something is so. Nothing here sleeps."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from quadrille.net.entries.terms import Terms
from quadrille.net.link.node import Node
from quadrille.net.neighbours import neighbour
from quadrille.net.program.hall_desk import SMALL
from quadrille.net.program.station import PrivateRoom, Remark, Station, now
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.lobby import Event
from quadrille.net.seating.offers import offers
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
        self.events: list[neighbour.Event] = []

    def said(self) -> list[tuple[str, bytes]]:
        return [(event.peer.name, event.payload) for event in self.events if isinstance(event, neighbour.Said)]

    def of(self, kind: type[neighbour.Event]) -> list[Any]:
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


class Company(Together):
    """Stations within this machine, and what they told. A room is one that nobody else is in."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.room = f"room {secrets.token_hex(16)}"
        self.stations: list[Station] = self.members
        self.told: list[tuple[Station, Event | Remark]] = []

    def enter(
        self,
        name: str,
        passphrase: str = "",
        *,
        kind: str = "bot",
        home: str = "",
        interfaces: Sequence[str] | None = ("127.0.0.1",),
        **more: Any,
    ) -> Station:
        """Who comes a second time from the same home is the same, whatever it is called."""
        room = PrivateRoom(self.room, passphrase) if passphrase else None
        folder = self.folder / (home or name)
        options = {"port": self.port, "interfaces": interfaces, "room": room, **more}
        station = Station(name, kind, folder=folder, **options)
        self.stations.append(station)
        return station.start()

    def meet(self, *names: str) -> list[Station]:
        """Stations that have met, and whoever was here before."""
        stations = [self.enter(name) for name in names]
        self.until_all_met()
        return stations

    def sit_down(self, host: Station, guest: Station, agreed: Terms) -> Gathering:
        """A station offers a table, and another asks for a chair there as soon as it hears of that."""
        gathering = host.lobby.host(agreed, b"nonce", now())
        self.until(lambda: offers(guest.lobby, "open"))
        guest.lobby.join(offers(guest.lobby, "open")[0], now())
        return gathering

    def leave(self, station: Station) -> None:
        """Others notice it."""
        self.stations.remove(station)
        station.close()
        self.until(lambda: all(station.identity.key not in other.lobby.here for other in self.stations))

    def turn(self, member: Station, wait: int) -> None:
        self.told += [(member, event) for event in member.turn(wait)]

    def until_all_met(self) -> None:
        """Everybody knows the names of all, and in a small room is linked with all."""
        keys = {station.identity.key for station in self.stations}
        is_small = len(keys) <= SMALL + 1

        def has_met(station: Station) -> bool:
            others = keys - {station.identity.key}
            return station.lobby.peers.keys() == others and (station.lobby.here == others or not is_small)

        self.until(lambda: all(map(has_met, self.stations)))

    def heard(self, station: Station) -> list[Event | Remark]:
        """All that one of them told."""
        return [event for told, event in self.told if told is station]

    def remarks(self, station: Station) -> list[Remark]:
        """What a person there should know."""
        return [event for event in self.heard(station) if isinstance(event, Remark)]
