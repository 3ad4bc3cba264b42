"""What a node asks of a private room before it reads anything: the keys of its links, and which peers may connect."""

from collections.abc import Callable
from dataclasses import dataclass

from quadrille.net.private_room.door import Door
from quadrille.net.trust.identity import Identity, owner_of


@dataclass(frozen=True, slots=True, repr=False)
class RoomLock:
    """What makes a room private: a CURVE key pair (32 bytes each), and who may come in.

    `allows(key)` is asked before anything of a stranger is read. `certify(id, key)`, if there is one, says whether an
    identity is the one that goes with a key; without it the first key that uses an identity has it.
    """

    public: bytes
    secret: bytes
    allows: Callable[[bytes], bool]
    certify: Callable[[bytes, bytes], bool] | None = None


def room_lock(identity: Identity, door: Door, now: Callable[[], int]) -> RoomLock:
    """The lock for a door: its CURVE keys, and the peers that it lets speak at all."""
    curve = identity.curve()
    return RoomLock(
        curve.public,
        curve.secret,
        allows=lambda theirs: door.allows(theirs, now()),
        certify=lambda peer, theirs: owner_of(peer, theirs) is not None,
    )
