"""A guest's part in a table that has not begun: to ask, to accept, to commit, to reveal.

Specification: protocols.md, "Gathering".
"""

import math
import secrets
import time
from collections.abc import Callable
from typing import Any

from ed25519 import key_of, sign, verified
from log import Log, acceptance, committed, proposal_hash
from maze import Maze
from messages import NOBODY, Entry, Kind

#: Seconds: an ask may have been lost; what was said is said again; a table that does not begin is given up.
ASK_AGAIN, AGAIN, PATIENCE = 5.0, 0.5, 20.0


class Gathering:
    """From the ask to entry 0."""

    def __init__(self, offer: Any, secret: bytes, name: str, tell: Callable[..., None]) -> None:
        self.table, self.host, self.terms, *_ = offer
        self.secret, self.name, self.tell = secret, name, tell
        self.turn = 0
        self.chairs: Any = ()
        self.share = b""
        self.accepted: dict[int, tuple[bytes, bytes]] = {}  # by chair: commitment and signature
        self.revealed: dict[int, bytes] = {}
        self.again, self.ends = 0.0, math.inf

    @property
    def keys(self) -> list[bytes]:
        """Who has which chair."""
        return [key for key, _, _ in self.chairs]

    @property
    def mine(self) -> int:
        """My chair."""
        return self.keys.index(key_of(self.secret))

    @property
    def proposal(self) -> bytes:
        """The hash of what the host proposes."""
        return proposal_hash(self.terms, self.chairs)

    def act(self, now: float) -> None:
        """ "Whatever was said is said again every half second", to every chair, and to the host if it has none."""
        if now < self.again:
            return
        self.again = now + (AGAIN if self.chairs else ASK_AGAIN)
        if not self.chairs:
            self.tell(self.host, Kind.ASK, self.table, "seat", self.name, "bot")
        for key in {self.host, *self.keys} if self.chairs else ():
            self.tell(key, Kind.ACCEPT, self.table, self.turn, self.proposal, *self.accepted[self.mine])
            if self.mine in self.revealed:
                self.tell(key, Kind.REVEAL, self.table, self.turn, self.share)

    def hear(self, author: bytes, number: int, fields: Any) -> None:
        """What is listened to in the phases open and agreeing, as far as it is about a proposal."""
        place = self.keys.index(author) if author in self.keys else None
        if number == Kind.PROPOSE and author == self.host:
            self._proposed(*fields[1:])
        elif number == Kind.ACCEPT and place is not None:
            self._accepted(place, author, *fields[1:])
        elif number == Kind.REVEAL and place is not None:
            self._revealed(place, *fields[1:])

    def _proposed(self, turn: int, terms: Any, chairs: Any) -> None:
        """ "A chair whose terms are those it asked for draws 32 secret bytes, commits to them, and signs"."""
        if terms != self.terms:
            self.tell(self.host, Kind.GONE, self.table)
            self.ends = 0.0
        elif self.turn < turn <= 1000 and len(chairs) == 2 and key_of(self.secret) in [key for key, _, _ in chairs]:
            self.turn, self.chairs, self.share = turn, chairs, secrets.token_bytes(32)
            commitment = committed(self.table, turn, self.mine, self.share)
            said = acceptance(self.table, turn, self.proposal, commitment)
            self.accepted, self.revealed = {self.mine: (commitment, sign(self.secret, said))}, {}
            self.again, self.ends = 0.0, time.monotonic() + PATIENCE

    def _accepted(self, place: int, author: bytes, turn: int, proposal: bytes, commitment: bytes, own: bytes) -> None:
        """ "When all have accepted, each reveals its secret; an equal commitment … is refused"."""
        if (turn, proposal) != (self.turn, self.proposal) or place in self.accepted:
            return
        is_copied = commitment in [other for other, _ in self.accepted.values()]
        if not is_copied and verified(author, own, acceptance(self.table, turn, proposal, commitment)):
            self.accepted[place] = (commitment, own)
            self.revealed[self.mine] = self.share  # both chairs have committed
            self.again = 0.0

    def _revealed(self, place: int, turn: int, share: bytes) -> None:
        """One that comes too early is dropped, it will be said again; "a secret that does not fit is refused"."""
        is_due = turn == self.turn and place in self.accepted
        if is_due and committed(self.table, turn, place, share) == self.accepted[place][0]:
            self.revealed[place] = share

    def begin(self) -> Entry | None:
        """ "The log": entry 0. Everybody can write it who has heard all; the log checks it as if it were another's."""
        if len(self.revealed) < 2:
            return None
        (one, first), (two, second) = self.accepted[0], self.accepted[1]
        body = (self.terms, self.chairs, self.turn, (one, two), (first, second), (self.revealed[0], self.revealed[1]))
        return Log(self.table).draft(NOBODY, "begin", body, 0, Maze(self.terms[2][0][1]).digest())
