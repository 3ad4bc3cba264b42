"""A far room whose members meet on an overlay of this test alone: a hub that hands beacons and connections over."""

import selectors
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

from quadrille.client.words.absent_peers import absences
from quadrille.net.link.overlay import FarRoom
from quadrille.net.private_room.room import PrivateRoom
from quadrille.net.program.station import Station, now
from tests.net.party import Company
from tests.net.tables import terms

Accept = Callable[[socket.socket, str, int], None]
Joined = Callable[[socket.socket | None, int], None]
Heard = Callable[[str, bytes, int], None]
ROOM = PrivateRoom("far", "a passphrase that nobody can guess, as that of a ticket")


@dataclass
class Hub:
    """All who are on the overlay, by their addresses."""

    ends: dict[str, "End"] = field(default_factory=dict)
    trouble: dict[str, str] = field(default_factory=dict)


class End:
    """The overlay of one station. All happens at once, but for a connection: that is there when its caller announces
    itself again.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._host = f"240.0.0.{len(hub.ends) + 1}"
        self._called: list[tuple[str, Joined]] = []

    def open(self, selector: selectors.BaseSelector, accept: Accept, heard: Heard) -> None:
        self._accept, self._heard = accept, heard
        self._hub.ends[self._host] = self

    def announce(self, datagram: bytes, now: int) -> None:
        called, self._called = self._called, []
        for host, joined in called:
            if host not in self._hub.ends:
                joined(None, now)
                continue
            near, far = socket.socketpair()
            for end in (near, far):
                end.setblocking(False)
            self._hub.ends[host]._accept(far, self._host, now)
            joined(near, now)
        for other in self._hub.ends.values():
            if other is not self:
                other._heard(self._host, datagram, now)

    def dial(self, host: str, now: int, joined: Joined) -> None:
        if host in self._hub.ends:
            self._called.append((host, joined))
        else:
            joined(None, now)

    def close(self) -> None:
        self._hub.ends.pop(self._host, None)

    def unreached(self) -> dict[str, str]:
        return self._hub.trouble

    def missing(self, now: int) -> list[str]:
        return ["Nobody else is on the hub"] if len(self._hub.ends) < 2 else []


def enter(company: Company, name: str, hub: Hub) -> Station:
    far = FarRoom(ROOM, lambda: End(hub), "the way to the hub")
    return company.enter(name, kind="person", far=far, interfaces=())


def test_two_in_a_far_room_meet_and_play_and_the_table_remembers_the_way(company: Company) -> None:
    hub = Hub()
    ann, bob = enter(company, "ann", hub), enter(company, "bob", hub)
    company.until_all_met()
    assert all(peer.address.startswith("240.") for one in (ann, bob) for peer in one.node.neighbours.peers())
    [met] = ann.node.neighbours.peers()
    told = ann.node.neighbours.introducible(met.id, bytes(16))
    assert told is None, "an address of the overlay means nothing elsewhere"
    gathering = company.sit_down(ann, bob, terms("maze", 2, {"size": 3}))
    company.until(lambda: len(gathering.chairs) == 2)
    gathering.start(now())
    company.until(lambda: ann.lobby.tables and bob.lobby.tables)
    assert [one.shelf.far(gathering.table) for one in (ann, bob)] == ["the way to the hub"] * 2


def test_what_is_wrong_with_an_overlay_is_said_to_the_person(company: Company) -> None:
    hub = Hub()
    ann = enter(company, "ann", hub)
    assert [(one.text, one.over) for one in absences(ann)] == [("Nobody else is on the hub.", "")]
    hub.trouble = {"The hub": "it is full"}
    told = absences(ann)[0]
    assert (told.text, told.over) == ("The hub can't be used: it is full.", "The hub works again.")
