"""Messages from neighbours: each is looked up in the table of neighbour.py; a HELLO begins a stream.

A part of neighbourhood.py above meetings.py. Specification: docs/protocols/links.md, "Messages of a link", and
docs/protocols/discovery.md, "Neighbours".
"""

from quadrille.net.core.errors import PeerError
from quadrille.net.core.ip_addresses import is_loopback
from quadrille.net.neighbours.meetings import NeighbourMeetings
from quadrille.net.neighbours.neighbour import (
    TABLE,
    Deed,
    Endpoint,
    Joined,
    LeftGroup,
    LossReason,
    Neighbour,
    Phase,
    Said,
    Source,
    Way,
)
from quadrille.net.neighbours.peer_directory import Newcomer
from quadrille.net.neighbours.streams import reads
from quadrille.net.trust.identity import peer_of
from quadrille.net.trust.proof import FULL_HEADER, claim_of, is_proof
from quadrille.net.zeromq.zre import (
    ID_BYTES,
    MOST_GROUPS,
    STATUSES,
    TAIL_BYTES,
    Hello,
    Join,
    Leave,
    Message,
    PingOk,
    Shout,
    Whisper,
    decode,
    port_of,
)


class Conversations(NeighbourMeetings):
    """The streams of messages that neighbours send."""

    def receive(self, source: Source, frames: list[bytes], now: int) -> None:
        """A message arrived on an accepted connection, or on our own link from a peer that can't call us."""
        way, sender = source.way, source.way.identity[1 : 1 + ID_BYTES]
        if way.link:
            owner = self._board.owner(way.link)
            author = None if owner is None else owner.id or self._author(frames)
            if owner is None or author is None:
                return self._drop("before HELLO")
            source, sender = source._replace(key=owner.key), author
        elif len(way.identity) != 1 + ID_BYTES + (TAIL_BYTES if self._key else 0) or way.identity[0] != 1:
            return self._drop("no ZRE identity")
        return self._hear(source, sender, frames, now)

    def _author(self, frames: list[bytes]) -> bytes | None:
        """The identity of a peer that answers at a seed, by the key in its HELLO."""
        try:
            message = decode(frames)
        except PeerError:
            return None
        claim = claim_of(dict(message.headers)) if isinstance(message, Hello) else None
        return None if claim is None else peer_of(claim.key)

    def _hear(self, source: Source, sender: bytes, frames: list[bytes], now: int) -> None:
        self.speaker = sender
        neighbour = self._rivals.get(source.way) or self._known.get(sender)
        if neighbour is not None and neighbour.key != source.key and neighbour.hello is None:
            self._forget(neighbour)  # a beacon named another key; the link is more reliable
            neighbour = None
        if not self._known.is_welcome(sender, source.key, source.address, now):
            return self._drop("not wanted")
        has_begun = neighbour is not None and neighbour.hello is not None
        speaker = neighbour if neighbour is not None and has_begun and neighbour.way == source.way else None
        payer = speaker if has_begun else neighbour
        if payer is not None and not payer.pay(1, now, self.limits):
            return self._put_out(payer, source.address, LossReason.FLOODED, now)
        try:
            message = decode(frames)
            if isinstance(message, Hello):
                came_from = Endpoint(source.address, port_of(message.endpoint))
        except PeerError as error:
            return self._broke(speaker, str(error), source.address, now)
        if isinstance(message, Hello):
            return self._greeted(source, sender, message, came_from, now)
        return self._take(speaker, message, now) if speaker is not None else self._drop("before HELLO")

    def _take(self, neighbour: Neighbour, message: Message, now: int) -> None:
        """The next message of a stream that has begun."""
        deed = TABLE[type(message)][neighbour.phase]
        if deed is Deed.DROP:
            return self._drop("before HELLO")
        if not neighbour.counts(message.sequence):
            return self._part(neighbour, LossReason.GAPS, now)
        neighbour.heard_at = neighbour.spoke_at = now
        return self._do(deed, neighbour, message, now)

    def _do(self, deed: Deed, neighbour: Neighbour, message: Message, now: int) -> None:
        match deed, message:
            case Deed.SAY | Deed.HOLD, Whisper(_, (content,)) if neighbour.claim is not None and is_proof(content):
                self._check(neighbour, neighbour.claim, content, now)
            case Deed.SAY | Deed.HOLD, Whisper(_, content):
                self._say(neighbour, None, content)
            case Deed.SAY | Deed.HOLD, Shout(_, group, content):
                self._say(neighbour, group, content)
            case Deed.JOIN, Join(_, group, status):
                self._regroup(neighbour, group, status, now, joins=True)
            case Deed.LEAVE, Leave(_, group, status):
                self._regroup(neighbour, group, status, now, joins=False)
            case Deed.ANSWER, _:
                if neighbour.is_called:
                    self._board.send(neighbour, PingOk(neighbour.number()))
            case Deed.MEET, _:
                neighbour.answered(now)
                neighbour.ponged = neighbour.is_called
                self._meet_if_ready(neighbour, now)
            case Deed.COUNT, PingOk():
                neighbour.answered(now)
                if neighbour.proved:
                    neighbour.leaving_at = None  # the farewell came from another sender

    def _say(self, neighbour: Neighbour, group: str | None, content: tuple[bytes, ...]) -> None:
        """Only content of one frame is ours; other programs send more frames or none."""
        if len(content) != 1:
            self._drop("content not in one frame")
        elif neighbour.peer is not None:
            self.events.append(Said(neighbour.peer, group, content[0]))
        elif len(neighbour.held) < self.limits.held:
            neighbour.held.append((group, content[0]))
        else:
            self._drop("said too much before it was met")

    def _regroup(self, neighbour: Neighbour, group: str, status: int, now: int, *, joins: bool) -> None:
        """ "A one-octet number that is incremented each time the peer joins or leaves a group" (RFC 36)."""
        neighbour.status = (neighbour.status + 1) % STATUSES
        if status != neighbour.status:
            return self._broke(neighbour, f"group status {status}; {neighbour.status} was its turn", "", now)
        if joins == (group in neighbour.groups):
            return None
        if joins:
            neighbour.groups[group] = None
        else:
            del neighbour.groups[group]
        if len(neighbour.groups) > MOST_GROUPS:
            return self._broke(neighbour, f"in more than {MOST_GROUPS} groups", "", now)
        if neighbour.peer is not None:
            neighbour.peer = neighbour.snapshot()
            self.events.append((Joined if joins else LeftGroup)(neighbour.peer, group))
        return None

    # HELLO

    def _greeted(self, source: Source, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        claim = self._claim(sender, hello)
        if sender == self.me and (claim is None or self._is_mine(claim.nonce)):
            return self._called_myself(endpoint, now)
        if source.way.link:
            owner = self._board.owner(source.way.link)
            assert owner is not None and owner.at is not None
            endpoint = owner.at
            if FULL_HEADER in dict(hello.headers):
                return self._turned_away(owner, now)
            if claim is None and (self._key is None or not reads(hello)):
                return self._drop("before HELLO")
        elif self._is_taken(self._known.get(sender), source.way, claim):
            return self._stand_beside(source, sender, hello, endpoint, now)
        return self._begin(source, sender, hello, endpoint, now)

    def _begin(self, source: Source, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        """Begin a peer's stream if there is a place for it."""
        way, claim, neighbour = source.way, self._claim(sender, hello), self._known.get(sender)
        if neighbour is None or neighbour.hello is None:
            newcomer = Newcomer(sender, endpoint.host, claim is not None or self._key is not None)
            if not self._make_room(Phase.HEARD, newcomer, now, neighbour):
                return self._refuse(way, sender, hello, endpoint, now)
        neighbour = neighbour or self._known.add(sender, source.key)
        if not neighbour.pay(self.limits.hello_price, now, self.limits):
            return self._put_out(neighbour, endpoint.host, LossReason.FLOODED, now)
        if way.link and not self._take_answer(neighbour, way, endpoint, now):
            return None
        again = neighbour.hello is not None
        if not way.link:
            self._keep_or_drop_link(neighbour, endpoint, now)
            self._take_over(neighbour, endpoint, now)
        neighbour.learn(endpoint, hearsay=False)
        neighbour.begin(hello, way, endpoint, claim, now)
        if not neighbour.is_called and not self._may_call(sender) and self._can_answer(neighbour):
            return self._answer(neighbour, now)  # in a hall one connection is enough
        if not neighbour.is_called:
            neighbour.turn = neighbour.contacts.index(endpoint)
            return self._call(neighbour, now)
        self._board.prove(neighbour)
        return self._board.ping(neighbour, now) if again else None

    def _take_answer(self, neighbour: Neighbour, way: Way, endpoint: Endpoint, now: int) -> bool:
        """Begin a peer's stream on a link that we called; False if it has a better one."""
        if neighbour.proved and neighbour.hello is not None and neighbour.way != way:
            if self._board.owner(way.link) is not neighbour:
                self._take_over(neighbour, endpoint, now)
            self._drop("answered twice")
            return False
        self._take_over(neighbour, endpoint, now)
        if neighbour.peer is not None:
            self._left(neighbour, LossReason.RESTARTED, now)
        return neighbour.link == way.link

    def _keep_or_drop_link(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """A HELLO on a stream that had begun: the peer restarted and wants our HELLO again. But if it crossed ours,
        an answer would cause another HELLO, and so on. (If we guess wrong, PINGs stay unanswered and the neighbour is
        soon called again.) A call to the peer's former place is given up as well.
        """
        if neighbour.hello is None:
            gone = neighbour.at != endpoint and not neighbour.connected
        else:
            gone = neighbour.at != endpoint or now - neighbour.dialled_at >= self.limits.crossing
        if neighbour.peer is not None:
            self._left(neighbour, LossReason.RESTARTED, now)
        if gone:
            self._hang_up(neighbour)

    def _take_over(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """We may already have called the source of this HELLO without knowing its identity, or under another."""
        caller = self._board.at(endpoint)
        if caller is None and not neighbour.is_called and neighbour.beacon_at is None:
            caller = self._answering_seed(endpoint, now)
        if caller is None or caller is neighbour or caller.hello is not None:
            return
        reached = caller.at
        if not neighbour.is_called and neighbour.key == caller.key:
            self._board.hand_over(caller, neighbour)
        else:
            self._board.hang_up(caller)
        if caller.seed is not None:
            neighbour.seed = caller.seed
            neighbour.learn(caller.seed, hearsay=False)
            caller.seed = None
        caller.contacts = [contact for contact in caller.contacts if contact not in (endpoint, reached)]
        if caller.id is None or not caller.contacts:
            self._forget(caller)
        else:
            self._later(caller, now)

    def _answering_seed(self, endpoint: Endpoint, now: int) -> Neighbour | None:
        """The seed that answers. A seed may answer from another address (it has several) or another port (its router
        forwards one). We take the seed with the same port or address, if there is only one.
        """
        crossing = self.limits.crossing
        seeds = [one for one in self._known.unnamed() if one.connected or now - one.dialled_at < crossing]
        likely = [one for one in seeds if one.at and (one.at.port == endpoint.port or _same_machine(one.at, endpoint))]
        return likely[0] if len(likely) == 1 else None

    def _called_myself(self, endpoint: Endpoint, now: int) -> None:
        """One of the seeds is ourselves."""
        self._drop("own echo")
        seed = self._board.at(endpoint) or self._answering_seed(endpoint, now)
        if seed is not None and seed.id is None:
            self._forget(seed)


def _same_machine(one: Endpoint, other: Endpoint) -> bool:
    """Whether both have one address, other than the loopback address of all programs here."""
    return one.host == other.host and not is_loopback(one.host)
