"""What a peer of protocol 1 is told, so that its person reads a sentence and not silence.

It sees the tables that are offered here, and its question for a chair gets a no that says why. Nothing else is said to
it, and nothing else is read of it. Specification: protocols.md, "Versioning".
"""

from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.wire import Advert, Answer, Ask, opened, sealed
from quadrille.net.trust.identity import Identity, peer_of

PROTOCOL: Final = 1
#: The answer to its question for a chair, or to look on.
WHY: Final = "this table speaks protocol 2, your program protocol 1: update it (pip install -U quadrille)"


def greeting(advert: Advert, identity: Identity) -> bytes:
    """The advert of this peer, in an envelope that an older program opens."""
    return sealed(advert, identity, PROTOCOL)


def answer(payload: bytes, peer: bytes, identity: Identity) -> bytes | None:
    """The answer to what a peer of that ZRE identity said; None where there is none."""
    try:
        author, message = opened(payload)
    except PeerError:
        return None
    if peer_of(author) != peer or not isinstance(message, Ask):
        return None
    return sealed(Answer(message.table, False, WHY), identity, PROTOCOL)
