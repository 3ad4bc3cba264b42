"""The ways by which a program meets others: the open network, a private room, or the meeting of a ticket.

A ticket is a private room whose peers meet over relays too (net/relay/). Nothing is decided here. Specification:
docs/protocols/rooms.md and docs/protocols/relay.md.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from quadrille.net.hall.hall_wire import HALL_VERSION
from quadrille.net.link.relay_links import RelayLinks
from quadrille.net.link.relay_server import RelayServer
from quadrille.net.private_room.door import Door
from quadrille.net.private_room.room import PrivateRoom, room_key
from quadrille.net.private_room.room import port as room_port
from quadrille.net.private_room.room_lock import RoomLock, room_lock
from quadrille.net.program.station_news import GAME, SPEAKS
from quadrille.net.relay.exchange import RelayLimits
from quadrille.net.relay.meeting import Meeting
from quadrille.net.relay.ticket import MeetingPlace, Ticket
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import GAME_HEADER, HALL_HEADER, KEY_HEADER, SPEAKS_HEADER, Prover

#: Limits of a relay for one table: fewer connections than those of a program that is nothing else.
OWN_RELAY: Final = RelayLimits(connections=64, of_an_address=32)


@dataclass(frozen=True, slots=True)
class WayIn:
    """One way, as a node takes it: the UDP port of its beacons, its HELLO, and its keys."""

    port: int
    name: str
    headers: Mapping[str, str]
    door: Door | None = None
    lock: RoomLock | None = None
    prover: Prover | None = None
    relays: RelayLinks | None = None


def way_in(
    identity: Identity,
    name: str,
    port: int,
    room: PrivateRoom | None,
    ticket: Ticket | None,
    own_place: MeetingPlace | None,
    knows: Callable[[bytes], bool],
    now: Callable[[], int],
) -> WayIn:
    """The way of a program with this ticket, or with this room, or with neither. With a ticket it can run a relay
    at one of the places itself.
    """
    headers = {GAME_HEADER: GAME, SPEAKS_HEADER: str(SPEAKS)}
    if ticket is not None:
        room = ticket.keys.room
    if room is None:
        headers |= {KEY_HEADER: identity.key.hex(), HALL_HEADER: str(HALL_VERSION)}
        return WayIn(port, name, headers, prover=Prover(identity))
    key, nonce = room_key(room.name, room.passphrase), secrets.token_bytes(32)
    door = Door(identity, key, nonce, knows=knows, is_guessable=ticket is None)
    relays = None
    if ticket is not None:
        server = RelayServer(own_place.port, limits=OWN_RELAY, only=ticket.keys.number) if own_place else None
        own = (ticket.places.index(own_place), server) if own_place and server else None
        meeting = Meeting(ticket.keys.seal, secrets.token_bytes)
        relays = RelayLinks(ticket.places, ticket.keys.number, meeting, secrets.SystemRandom(), own, OWN_RELAY)
    lock = room_lock(identity, door, now)
    return WayIn(room_port(room.name), "", {**headers, **door.headers}, door, lock, relays=relays)
