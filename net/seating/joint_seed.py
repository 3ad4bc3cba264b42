"""A round in which all peers agree on terms and seats, and draw a joint seed that no peer can choose.

First every peer commits to a secret. Then every peer signs all commitments and reveals its own secret. A value and
pure functions; gathering.py sends the messages. Specification: docs/protocols/gathering.md.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import committed
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import acceptance, proposal_hash, revelation
from quadrille.net.entries.terms import Chair, Terms, peers
from quadrille.net.entries.wire import Accept, Reveal
from quadrille.net.trust.identity import Identity, verified
from quadrille.value import value

SECRET_BYTES: Final = 32
#: A commitment and its chair's signature; a secret and its chair's signature.
Pair: TypeAlias = tuple[bytes, bytes]


class Equivocation(PeerError):
    """A chair signed two commitments in one round."""

    def __init__(self, chair: Chair) -> None:
        super().__init__(f"{chair.name} has committed to two secrets in one round")
        self.key = chair.key


@value
class SeedRound:
    """A proposal, and the answers of its chairs so far, by their keys. `share` is the secret of this peer's own chair.

    `progress` is the time of the last answer. `excused` are the chairs whose secret this peer can't use because
    another chair equivocated.
    """

    table: bytes
    turn: int
    terms: Terms
    chairs: tuple[Chair, ...]
    share: bytes
    progress: int
    accepted: Mapping[bytes, Pair] = field(default_factory=dict)
    revealed: Mapping[bytes, Pair] = field(default_factory=dict)
    excused: frozenset[bytes] = frozenset()

    @property
    def hash(self) -> bytes:
        return proposal_hash(self.terms, self.chairs)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of the peers, in the order of their first chairs."""
        return peers(self.chairs)

    @property
    def row(self) -> tuple[Pair, ...]:
        """All commitments with their signatures; empty while one is missing."""
        return tuple(self.accepted[key] for key in self.keys) if self.accepted.keys() >= {*self.keys} else ()

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """All commitments; empty while one is missing."""
        return tuple(commitment for commitment, _ in self.row)

    def missing(self) -> tuple[bytes, ...]:
        """Return the peers that have not answered."""
        answers = self.revealed if self.row else self.accepted
        return tuple(key for key in self.keys if key not in answers)

    def withheld(self) -> frozenset[bytes]:
        """Return the peers that know this peer's secret and have not revealed theirs."""
        return frozenset(self.missing() if self.row else ()) - self.excused

    def agreed(self, identity: Identity, now: int) -> "SeedRound":
        """Add the commitment of this peer's own chair, if it has one."""
        if identity.key not in self.keys:
            return self
        commitment = committed(self.table, self.turn, identity.key, self.share)
        return self._with_accepted(identity.key, (commitment, identity.sign(self._acceptance(commitment))), now)

    def opened(self, identity: Identity, now: int) -> "SeedRound":
        """Add the secret of this peer's own chair, once all have committed."""
        if not self._may_reveal(identity.key):
            return self
        revealed = revelation(self.table, self.turn, self.hash, self.commitments, self.share)
        return self._with_revealed(identity.key, (self.share, identity.sign(revealed)), now)

    def _may_reveal(self, key: bytes) -> bool:
        return key in self.keys and bool(self.row) and key not in self.revealed

    def hear_accept(self, author: bytes, message: Accept, now: int) -> "SeedRound":
        """Add a chair's commitment; a `PeerError` says why it may not commit."""
        if author not in self.keys or not verified(author, message.signature, self._acceptance(message.commitment)):
            raise PeerError("an acceptance that is not its author's")
        here = self.accepted.get(author)
        if here is not None and here[0] != message.commitment:
            raise Equivocation(self._first(author))
        return self if here else self._with_accepted(author, (message.commitment, message.signature), now)

    def hear_reveal(self, author: bytes, message: Reveal, now: int) -> "SeedRound":
        """Add a chair's secret, and the commitments that it has heard and this peer has not; a `PeerError` says why it
        may not reveal.
        """
        if author not in self.keys or author in self.revealed:
            return self
        commitments = tuple(commitment for commitment, _ in message.accepted)
        revealed = revelation(self.table, self.turn, self.hash, commitments, message.secret)
        if not verified(author, message.signature, revealed):
            raise PeerError("a secret that is not its author's")
        known = self
        for key, pair in zip(self.keys, message.accepted, strict=False):
            if key not in self.accepted or self.accepted[key][0] != pair[0]:
                known = known.hear_accept(key, Accept(self.table, self.turn, self.hash, *pair), now)
        if not known.row or commitments != known.commitments:
            raise PeerError("signed other commitments than the chairs have made")
        if committed(self.table, self.turn, author, message.secret) != known.accepted[author][0]:
            raise PeerError("revealed something else than it had committed to")
        return known._with_revealed(author, (message.secret, message.signature), now)

    def body(self) -> BeginBody | None:
        """Write the body of entry 0, once all secrets are here."""
        if self.missing():
            return None
        revealed = [self.revealed[key] for key in self.keys]
        return BeginBody(
            self.terms,
            self.chairs,
            self.turn,
            self.commitments,
            tuple(signature for _, signature in self.row),
            tuple(secret for secret, _ in revealed),
            tuple(signature for _, signature in revealed),
        )

    def _acceptance(self, commitment: bytes) -> bytes:
        return acceptance(self.table, self.turn, self.hash, commitment)

    def _first(self, key: bytes) -> Chair:
        return next(chair for chair in self.chairs if chair.key == key)

    def _with_accepted(self, key: bytes, pair: Pair, now: int) -> "SeedRound":
        return replace(self, accepted={**self.accepted, key: pair}, progress=now)

    def _with_revealed(self, key: bytes, pair: Pair, now: int) -> "SeedRound":
        return replace(self, revealed={**self.revealed, key: pair}, progress=now)
