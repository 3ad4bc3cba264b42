"""Messages to peers of protocol 1, so that their person reads a reason instead of silence.

Such a peer sees the tables offered here, and its request for a chair is refused with a reason. Nothing else is sent
to it, and nothing else of it is read. Specification: protocols.md, "Versioning".
"""

from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.wire import Advert, Answer, Ask, opened, sealed
from quadrille.net.trust.identity import Identity, peer_of
from quadrille.rules.native.install import UPDATE

PROTOCOL: Final = 1
#: The answer to its request for a chair or to watch.
WHY: Final = f"this table speaks protocol 2, your program protocol 1: {UPDATE}"


def greeting(advert: Advert, identity: Identity) -> bytes:
    """Our advert, in an envelope that an older program opens."""
    return sealed(advert, identity, PROTOCOL)


def answer(payload: bytes, peer: bytes, identity: Identity) -> bytes | None:
    """The answer to a message from the peer with that ZRE identity; None if there is none."""
    try:
        author, message = opened(payload)
    except PeerError:
        return None
    if peer_of(author) != peer or not isinstance(message, Ask):
        return None
    return sealed(Answer(message.table, False, WHY), identity, PROTOCOL)
