"""The part of a private room that a node needs before it reads anything: the keys of its links, and which peers may
connect.
"""

from collections.abc import Callable
from dataclasses import dataclass

from quadrille.net.private_room.door import Door
from quadrille.net.trust.identity import Identity, owner_of


@dataclass(frozen=True, slots=True, repr=False)
class RoomLock:
    """The lock of a private room: a CURVE key pair (32 bytes each), and who may connect.

    `allows(key)` is called before anything from a stranger is read. `certify(id, key)`, if given, says whether an
    identity belongs to a key; without it the first key that uses an identity owns it.
    """

    public: bytes
    secret: bytes
    allows: Callable[[bytes], bool]
    certify: Callable[[bytes, bytes], bool] | None = None


def room_lock(identity: Identity, door: Door, now: Callable[[], int]) -> RoomLock:
    """The lock for a door: its CURVE keys, and the peers that it lets connect."""
    curve = identity.curve()
    return RoomLock(
        curve.public,
        curve.secret,
        allows=lambda theirs: door.allows(theirs, now()),
        certify=lambda peer, theirs: owner_of(peer, theirs) is not None,
    )
