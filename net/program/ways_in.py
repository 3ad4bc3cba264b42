"""The ways by which a program meets others: the open network, a private room, or a far room.

Nothing is decided here. Specification: docs/protocols/rooms.md.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from quadrille.net.core.hashing import short
from quadrille.net.link.overlay import Overlay
from quadrille.net.private_room.door import Door
from quadrille.net.private_room.room import PrivateRoom, room_key
from quadrille.net.private_room.room import port as room_port
from quadrille.net.private_room.room_lock import RoomLock, room_lock
from quadrille.net.program.station_news import GAME, SPEAKS
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import GAME_HEADER, KEY_HEADER, SPEAKS_HEADER, Prover


@dataclass(frozen=True, slots=True)
class FarRoom:
    """A private room whose passphrase nobody can guess, and whose members meet on an overlay too, which `overlay`
    makes. `text` leads to the room again; it is kept among the secrets of each table that begins there.
    """

    room: PrivateRoom
    overlay: Callable[[], Overlay]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class WayIn:
    """One way, as a node takes it: the UDP port of its beacons, its HELLO, and its keys."""

    port: int
    name: str
    headers: Mapping[str, str]
    door: Door | None = None
    lock: RoomLock | None = None
    realm: bytes = b""  # of postings
    prover: Prover | None = None
    overlay: Overlay | None = None


def way_in(
    identity: Identity,
    name: str,
    port: int,
    room: PrivateRoom | None,
    far: FarRoom | None,
    knows: Callable[[bytes], bool],
    now: Callable[[], int],
) -> WayIn:
    """Return the way of a program with this far room, or with this room, or with neither."""
    headers = {GAME_HEADER: GAME, SPEAKS_HEADER: str(SPEAKS)}
    if far is not None:
        room = far.room
    if room is None:
        headers |= {KEY_HEADER: identity.key.hex()}
        return WayIn(port, name, headers, prover=Prover(identity))
    key, nonce = room_key(room.name, room.passphrase), secrets.token_bytes(32)
    door = Door(identity, key, nonce, knows=knows, is_guessable=far is None)
    overlay = None if far is None else far.overlay()
    lock = room_lock(identity, door, now)
    return WayIn(
        room_port(room.name), "", {**headers, **door.headers}, door, lock, short("realm", key), overlay=overlay
    )
