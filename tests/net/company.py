"""Real stations in one thread, for tests: they take turns until something is so. Nothing here sleeps."""

import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from quadrille.net.program.hall_desk import SMALL
from quadrille.net.program.station import PrivateRoom, Remark, Station
from quadrille.net.seating.lobby import Event
from tests.net.party import PATIENCE
from tests.net.ports import udp_port

#: Turns of all that a busy machine may take longer for.
ROUNDS = 400


class Company:
    """Stations within this machine, and what they told. A room is one that nobody else is in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = udp_port()
        self.room = f"room {secrets.token_hex(16)}"
        self.stations: list[Station] = []
        self.told: list[tuple[Station, Event | Remark]] = []

    def enter(
        self,
        name: str,
        passphrase: str = "",
        *,
        kind: str = "bot",
        home: str = "",
        interfaces: Sequence[str] | None = ("127.0.0.1",),
    ) -> Station:
        """Who comes a second time from the same home is the same, whatever it is called."""
        room = PrivateRoom(self.room, passphrase) if passphrase else None
        folder = self.folder / (home or name)
        station = Station(name, kind, folder=folder, port=self.port, interfaces=interfaces, room=room)
        self.stations.append(station)
        return station.start()

    def leave(self, station: Station) -> None:
        """Others notice it."""
        self.stations.remove(station)
        station.close()
        self.until(lambda: all(station.identity.key not in other.lobby.here for other in self.stations))

    def until(self, condition: Callable[[], object]) -> None:
        """Turn all of them until it is so. Only the last one waits: a busy machine wakes who sleeps late."""
        end, rounds = time.monotonic() + PATIENCE, 0
        while not condition():
            rounds += 1
            assert time.monotonic() < end or rounds < ROUNDS, f"not within {PATIENCE} s"
            for station in self.stations:
                wait = 20 if station is self.stations[-1] else 0
                self.told += [(station, event) for event in station.turn(wait)]

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
        return [event for teller, event in self.told if teller is station]

    def remarks(self, station: Station) -> list[Remark]:
        """What a person there should know."""
        return [event for event in self.heard(station) if isinstance(event, Remark)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for station in self.stations:
            station.close()
