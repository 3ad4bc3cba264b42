"""Meetings with neighbours that answer, and prove their key if they claim one; and rivals for one identity.

A part of neighbourhood.py above streams.py. Specification: docs/protocols/links.md, "Proof of a link".
"""

from quadrille.net.neighbours.neighbour import (
    Doubled,
    Endpoint,
    Joined,
    LossReason,
    Neighbour,
    PeerMet,
    Phase,
    Said,
    Source,
    Way,
)
from quadrille.net.neighbours.peer_directory import Newcomer
from quadrille.net.neighbours.streams import Streams, reads
from quadrille.net.trust.identity import peer_of
from quadrille.net.trust.proof import SenderClaim, claim_of
from quadrille.net.zeromq.zre import Hello

#: Maximum remembered doubled identities, and maximum places of one identity among them.
MOST_DOUBLED = 64
MOST_OF_ONE = 4


class NeighbourMeetings(Streams):
    """Neighbours that become peers."""

    def _meet_if_ready(self, neighbour: Neighbour, now: int) -> None:
        """Meet a neighbour. One that can prove its key must do so first."""
        if neighbour.id == self.me:
            if neighbour.proved and neighbour.came_from is not None:
                self._tell_doubled(neighbour, neighbour.came_from)
        elif neighbour.peer is None and neighbour.ponged and (neighbour.claim is None or neighbour.proved):
            if self._rivals.get(neighbour.way) is neighbour:
                self._contest(neighbour, now)
            else:
                self._meet(neighbour, now)

    def _meet(self, neighbour: Neighbour, now: int) -> None:
        """It has answered, so it is at the end of our link, and nobody else is."""
        neighbour.trouble = None
        neighbour.peer = neighbour.snapshot()
        neighbour.met_at = now
        self.events.append(PeerMet(neighbour.peer))
        self.events += [Joined(neighbour.peer, group) for group in neighbour.groups]
        self.events += [Said(neighbour.peer, group, payload) for group, payload in neighbour.held]
        neighbour.held = []
        for other in list(self._known):
            if not other.is_called and other.hello is None and neighbour.at in other.contacts:
                other.contacts.remove(neighbour.at)
                if not other.contacts:
                    self._forget(other)

    def _check(self, neighbour: Neighbour, claim: SenderClaim, content: bytes, now: int) -> None:
        """Check a proof. A late one, for earlier HELLOs, is wrong but nobody's fault."""
        neighbour.pay(self.limits.hello_price, now, self.limits)
        if neighbour.proved or self._prover is None:
            return
        if neighbour.is_called and self._prover.is_right(content, claim, neighbour.nonce):
            neighbour.proved = True
            self._meet_if_ready(neighbour, now)
        else:
            self._drop("wrong proof")

    # Rivals

    def _is_taken(self, neighbour: Neighbour | None, way: Way, claim: SenderClaim | None) -> bool:
        """Whether a stream must wait for its proof, because another stream of this identity is or may be genuine."""
        if neighbour is None or neighbour.hello is None or not way.connection or neighbour.way == way:
            return False
        return neighbour.proved or neighbour.claim is not None or claim is not None

    def _stand_beside(self, source: Source, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        """Send it a HELLO on its own connection, so that it can prove itself."""
        way, claim = source.way, self._claim(sender, hello)
        if (claim is None and self._key is None) or not reads(hello):
            self._drop("another's place")
            return self._board.cut(way.connection)
        before = self._rivals.get(way) or self._rivals.surplus(sender, endpoint.host)
        if before is not None:
            self._dismiss(before)
            if before.way == way:
                return None
        if self._board.is_answered(way.connection):
            return self._drop("two on one connection")
        rival = Neighbour(sender, source.key, admitted=self._key is None, contacts=[endpoint])
        rival.tokens = self.limits.burst * 1000
        rival.begin(hello, way, endpoint, claim, now)
        self._rivals.add(rival)
        return self._answer(rival, now)

    def _contest(self, rival: Neighbour, now: int) -> None:
        """A second stream has proved the key. Either the first is gone without our knowledge, or there are two
        programs: its answer to a PING will show which.
        """
        assert rival.id is not None and rival.came_from is not None
        first = self._known.get(rival.id)
        if first is None or first.peer is None or not first.proved:
            self._succeed(first, rival, now)
        elif rival.contested_at is None:
            rival.contested_at = now
            self._board.ping(first, now)
        elif first.spoke_at > rival.contested_at:
            self._tell_doubled(first, rival.came_from)
            self._dismiss(rival)
        elif now - rival.contested_at >= self.limits.doubt:
            self._succeed(first, rival, now)

    def _succeed(self, first: Neighbour | None, rival: Neighbour, now: int) -> None:
        """A rival takes the place."""
        assert rival.id is not None and rival.came_from is not None
        self._rivals.remove(rival)
        if first is None or first.hello is None:
            newcomer = Newcomer(rival.id, rival.came_from.host, True)
            if not self._make_room(Phase.HEARD, newcomer, now, first):
                return self._board.hang_up(rival)
        if first is not None:
            if first.peer is not None:
                self._left(first, LossReason.RESTARTED, now)
            self._hang_up(first)
            for contact in first.contacts:
                rival.learn(contact, hearsay=True)
            rival.seed, first.seed = first.seed, None
            rival.beacon_at = first.beacon_at
            self._known.forget(first)
        self._known.put(rival)
        return self._meet(rival, now)

    def _tell_doubled(self, first: Neighbour, endpoint: Endpoint) -> None:
        """Report that one identity is in use twice; once for each place."""
        assert first.id is not None and first.place is not None and first.hello is not None
        of_it = sum(peer == first.id for peer, _ in self._doubled)
        if (first.id, endpoint) not in self._doubled and of_it < MOST_OF_ONE:
            if len(self._doubled) >= MOST_DOUBLED:
                del self._doubled[next(iter(self._doubled))]
            self._doubled[first.id, endpoint] = None
            self.events.append(Doubled(first.id, first.hello.name, first.place.host, endpoint))

    def _claim(self, sender: bytes, hello: Hello) -> SenderClaim | None:
        """The claim that a HELLO's sender must prove: that it holds the key of its identity."""
        claim = claim_of(dict(hello.headers)) if self._prover is not None else None
        return claim if claim is not None and peer_of(claim.key) == sender else None

    def _is_mine(self, nonce: bytes) -> bool:
        return any(one.nonce == nonce for one in (*self._known, *self._rivals))
