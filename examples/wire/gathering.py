"""A guest's part in a table that has not begun: to ask, to accept, to commit, to reveal.

Specification: docs/protocols/gathering.md.
"""

import math
import secrets
import time
from collections.abc import Callable
from typing import Any

from ed25519 import key_of, sign, verified
from log import acceptance, committed, proposal_hash, revelation
from messages import Entry, Kind

#: Seconds: an ask may have been lost; what was said is said again; without a new answer the table is given up.
ASK_AGAIN, AGAIN, PATIENCE = 5.0, 0.5, 20.0


class Gathering:
    """From the ask to entry 0. All can write that from what was revealed; this peer leaves it to the host."""

    def __init__(self, offer: Any, secret: bytes, name: str, tell: Callable[..., None]) -> None:
        self.table, self.host, self.terms, *_ = offer
        self.secret, self.name, self.tell = secret, name, tell
        self.turn = 0
        self.chairs: Any = ()
        self.share = b""
        self.accepted: dict[int, tuple[bytes, bytes]] = {}  # by chair: commitment and signature
        self.revealed: dict[int, tuple[bytes, bytes]] = {}  # by chair: secret and signature
        self.again, self.ends = 0.0, math.inf

    @property
    def keys(self) -> list[bytes]:
        """The keys of the chairs, in order."""
        return [key for key, *_ in self.chairs]

    @property
    def mine(self) -> int:
        """My chair."""
        return self.keys.index(key_of(self.secret))

    @property
    def proposal(self) -> bytes:
        """The hash of what the host proposes."""
        return proposal_hash(self.terms, self.chairs)

    @property
    def row(self) -> tuple[tuple[bytes, bytes], ...]:
        """All commitments with their signatures, as they were heard; none while one is missing."""
        return tuple(self.accepted[place] for place in (0, 1)) if len(self.accepted) == 2 else ()

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """All commitments; none while one is missing."""
        return tuple(commitment for commitment, _ in self.row)

    def act(self, now: float) -> None:
        """Repeat it all: "Whatever was said is said again every half second", to every chair or the host."""
        if now < self.again:
            return
        self.again = now + (AGAIN if self.chairs else ASK_AGAIN)
        if not self.chairs:
            self.tell(self.host, Kind.ASK, self.table, "seat", self.name, "bot")
        for key in {self.host, *self.keys} if self.chairs else ():
            self.tell(key, Kind.ACCEPT, self.table, self.turn, self.proposal, *self.accepted[self.mine])
            if self.mine in self.revealed:
                secret, own = self.revealed[self.mine]
                self.tell(key, Kind.REVEAL, self.table, self.turn, secret, self.row, own)

    def hear(self, author: bytes, number: int, fields: Any) -> None:
        """Process a message about a proposal in the phases open and agreeing."""
        place = self.keys.index(author) if author in self.keys else None
        if number == Kind.PROPOSE and author == self.host:
            self._proposed(*fields[1:])
        elif number == Kind.ACCEPT and place is not None:
            self._accepted(place, author, *fields[1:])
        elif number == Kind.REVEAL and place is not None:
            self._revealed(place, author, *fields[1:])

    def _proposed(self, turn: int, terms: Any, chairs: Any) -> None:
        """Answer a proposal. "A chair whose terms are those it asked for draws 32 secret bytes, commits to them, and
        signs".

        It does not do so again with one that has heard its secret and kept back its own.
        """
        if turn <= self.turn or turn > 1000:
            return
        keys = [key for key, *_ in chairs]
        withheld = {self.keys[1 - self.mine]} if self.mine_is_told and len(self.revealed) < 2 else set()
        if terms != self.terms or withheld & {self.host, *keys}:
            self._go()
        elif len(chairs) == 2 and key_of(self.secret) in keys:
            self.turn, self.chairs, self.share = turn, chairs, secrets.token_bytes(32)
            commitment = committed(self.table, turn, key_of(self.secret), self.share)
            said = acceptance(self.table, turn, self.proposal, commitment)
            self.accepted, self.revealed = {self.mine: (commitment, sign(self.secret, said))}, {}
            self._answered()

    @property
    def mine_is_told(self) -> bool:
        """Whether the others may know my secret of this round."""
        return bool(self.chairs) and self.mine in self.revealed

    def _go(self) -> None:
        self.tell(self.host, Kind.GONE, self.table)
        self.ends = 0.0

    def _answered(self) -> None:
        """Begin patience anew, because something new was heard, and answer it at once."""
        self.again, self.ends = 0.0, time.monotonic() + PATIENCE

    def _accepted(self, place: int, author: bytes, turn: int, proposal: bytes, commitment: bytes, own: bytes) -> None:
        """Take an acceptance. "Once all have accepted, each chair reveals its secret", and signs with it the
        commitments of all.
        """
        if (turn, proposal) != (self.turn, self.proposal) or self.accepted.get(place, (b"",))[0] == commitment:
            return
        if not verified(author, own, acceptance(self.table, turn, proposal, commitment)):
            raise ValueError("an acceptance that is not its author's")
        if place in self.accepted:
            if author == self.host:
                self._go()
            raise ValueError("a chair has committed to two secrets in one round")
        self.accepted[place] = (commitment, own)
        said = revelation(self.table, turn, proposal, self.commitments, self.share)
        self.revealed[self.mine] = (self.share, sign(self.secret, said))
        self._answered()

    def _revealed(self, place: int, author: bytes, turn: int, share: bytes, row: Any, own: bytes) -> None:
        """Take a secret. One that comes too early is dropped, since it will be said again."""
        if turn != self.turn or not self.row or place in self.revealed:
            return
        heard = tuple(commitment for commitment, _ in row)
        if not verified(author, own, revelation(self.table, turn, self.proposal, heard, share)):
            raise ValueError("a secret that is not its author's")
        if heard != self.commitments or committed(self.table, turn, author, share) != heard[place]:
            raise ValueError("a secret that does not fit the commitments")
        self.revealed[place] = (share, own)
        self._answered()

    def stands(self, entry: Entry) -> bool:
        """Return whether I take part in a table with this beginning: only with the last secret that I revealed."""
        return not self.mine_is_told or entry.body[3] == self.commitments
