"""Real stations in one thread, for tests: they take turns until something is so (party.py)."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quadrille.net.entries.terms import Terms
from quadrille.net.program.hall_desk import SMALL
from quadrille.net.program.station import PrivateRoom, Remark, Station, now
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.lobby import Event
from quadrille.net.seating.offers import offers
from tests.net.party import Together


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
