"""The proof of a link: a signature over both ends' nonces. A HELLO alone proves nothing.

Pure functions and values; net/neighbours/neighbours.py decides when a proof is sent and what it allows. In a
private room CURVE proves each link, and the door (net/private_room/door.py) its right to be there. Specification:
docs/protocols/links.md, "Proof of a link".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quadrille.net.trust.identity import KEY_BYTES, SIGNATURE_BYTES, Identity, peer_of, verified

#: The headers of HELLO: the family of programs, the sender's key, its highest protocol, and a nonce for this stream
#: alone. A program without a free place for us adds how many places it has.
GAME_HEADER: Final = "X-GAME"
KEY_HEADER: Final = "X-KEY"
SPEAKS_HEADER: Final = "X-SPEAKS"
NONCE_HEADER: Final = "X-NONCE"
FULL_HEADER: Final = "X-FULL"

FAMILY: Final = "quadrille/"
#: The first protocol whose peers prove their links.
FIRST_PROVING: Final = 2
NONCE_BYTES: Final = 16
#: The first byte of a proof; no signed message begins with it. Private rooms, whose door uses 3 to 5, have no proofs.
PROOF: Final = 4
_LABEL: Final = b"quadrille/link"


@dataclass(frozen=True, slots=True)
class SenderClaim:
    """The claim of a HELLO about its sender; the proof must confirm it."""

    key: bytes
    nonce: bytes


def spoken(headers: Mapping[str, str]) -> int:
    """Return the highest protocol that a peer of our family speaks; 0 for any other program."""
    family = headers.get(GAME_HEADER, "")
    first = _number(family.removeprefix(FAMILY)) if family.startswith(FAMILY) else 0
    return max(first, _number(headers.get(SPEAKS_HEADER, ""))) if first else 0


def claim_of(headers: Mapping[str, str]) -> SenderClaim | None:
    """Read the claim in a HELLO of the open network; None if its sender cannot prove a link."""
    key, nonce = _hexadecimal(headers.get(KEY_HEADER, "")), _hexadecimal(headers.get(NONCE_HEADER, ""))
    if spoken(headers) < FIRST_PROVING or len(key) != KEY_BYTES or len(nonce) != NONCE_BYTES:
        return None
    return SenderClaim(key, nonce)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else 0


def _hexadecimal(text: str) -> bytes:
    return bytes.fromhex(text) if len(text) % 2 == 0 and set(text) <= set("0123456789abcdef") else b""


class Prover:
    """Proves the links of one identity, and checks the proofs of others."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def proof(self, nonce: bytes, other: SenderClaim) -> bytes:
        """Write the content of the WHISPER that proves the stream begun by our HELLO with this nonce."""
        return bytes([PROOF]) + self._identity.sign(_statement(self._identity.key, nonce, other.key, other.nonce))

    def is_right(self, content: bytes, claim: SenderClaim, nonce: bytes) -> bool:
        """Check that the owner of the claimed key signed its nonce and ours, for us."""
        statement = _statement(claim.key, claim.nonce, self._identity.key, nonce)
        return is_proof(content) and verified(claim.key, content[1:], statement)


def is_proof(content: bytes) -> bool:
    """Tell the content of a WHISPER that has the form of a proof, right or wrong, from any other."""
    return len(content) == 1 + SIGNATURE_BYTES and content[0] == PROOF


def _statement(prover: bytes, nonce: bytes, verifier: bytes, other: bytes) -> bytes:
    """Join the bytes that a proof signs. Their order is the direction, so a reflected proof proves nothing."""
    return _LABEL + peer_of(prover) + peer_of(verifier) + nonce + other
