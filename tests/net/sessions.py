"""Whole sessions on record, and what becomes of their messages in bad hands: for fuzzing, the same every time.

A session is a simulated game in which people also chat, propose, decline, resign and look on. `Mutations` makes new
messages of old ones: broken bytes, other values in any field of a message or of an entry in it, other orders, other
authors. What is sealed anew is sealed by one member of the table, the liar.
"""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.entry import read_entry
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import NUMBER_OF, VERSION, Entries, Message, opened, sealed
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from tests.net.simulation import Peer, Weather, World, gather

WEATHER = Weather(loss=50, twice=50, delay=100, cuts=5, crashes=3)
WORDS = ("", "move", "left", "motion", "begin", "drop", "back", "stand-in", "takeback", "pause", "time", "forfeit")
NUMBERS = (0, 1, 2, 3, 25, 26, 255, 256, 1000, 2**31, 2**40, 2**53, 2**64 - 1, -1)


@dataclass(frozen=True)
class Moment:
    """A peer as it was when a message came to it."""

    lobby: Lobby
    now: int


class Session(World):
    """A world whose people do more than move; what they say is kept, and now and then how one of them stands."""

    def __init__(self, seed: str, terms: Terms, every: int) -> None:
        super().__init__(seed, terms, WEATHER, others=1)
        self.said: list[bytes] = []
        self.moments: list[Moment] = []
        self.every = every
        gather(self)
        self.run(lambda: all(self.begun(peer) for peer in self.seated))
        self.run(self.is_over, 20_000)

    def is_over(self) -> bool:
        """Whether the game is over for all who sit there, none of whom has just crashed."""
        return all(self.begun(peer) for peer in self.seated) and all(table.over for table in self.tables())

    @property
    def seated(self) -> list[Peer]:
        return list(self.peers.values())[: self.terms.seats]

    @property
    def liar_s(self) -> Identity:
        """Who does the harm: one who sits at the table."""
        return self.seated[-1].identity

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        self.said.append(sealed(message, peer.identity))
        super().send(peer, key, message)

    def deliver(self, sender: Peer, receiver: Peer, message: Message) -> None:
        harmed = receiver.lobby is not None and receiver.identity is not self.liar_s
        if harmed and len(self.said) % self.every == 0:
            assert receiver.lobby
            self.moments.append(Moment(copied(receiver.lobby), self.clock(receiver)))
        super().deliver(sender, receiver, message)

    def act(self, peer: Peer) -> None:
        if self.chance(300):  # they think for a while
            super().act(peer)
        lobby = peer.lobby
        assert lobby
        if peer not in self.seated and not lobby.watching and lobby.peers:
            for offer in next(iter(lobby.peers.values())).tables:
                lobby.watch(offer.table, offer.host)
        for table in lobby.tables.values():
            seat, now = table.seat, self.clock(peer)
            if seat is None or table.over:
                continue
            if self.chance(20):
                table.say("hello")
            if self.chance(60):
                kind = ("draw", "pause", "pause", "takeback")[self.dice.randrange(4)]
                motion = all_of(kind, 1 if kind == "takeback" else 0)
                if table.log.motion_objection(motion) is None and kind != "draw":
                    table.agree(motion, now)
            if table.accord.open is not None and self.chance(300):
                if table.log.motion_objection(table.accord.open) is None and self.chance(700):
                    table.agree(table.accord.open, now)
                else:
                    table.decline()
            if self.chance(2):
                table.resign(now)


def copied(lobby: Lobby) -> Lobby:
    """The same program again, to be ill-treated: its identity and the games are shared, all else is its own."""
    shared: dict[int, Any] = {id(lobby.identity): lobby.identity}
    for table in lobby.tables.values():
        for standing in table.log.standings:
            shared[id(standing)] = standing
    shared[id(game("barons"))] = game("barons")
    return deepcopy(lobby, shared)


def _content(data: bytes) -> Any:
    """The number of a message and its fields, out of its envelope if it has one."""
    parts = unpack(data)
    return unpack(parts[2]) if len(parts) == 4 else parts[1:]


class Mutations:
    """Messages made of those of a session."""

    def __init__(self, dice: Stream, said: list[bytes], liar: Identity) -> None:
        self.dice = dice
        self.said = said
        self.liar = liar

    def one(self) -> bytes:
        """The next message: most often a value is wrong, as bytes that are wrong fail at the signature already."""
        data = self._any()
        match self.dice.randrange(9):
            case 0:
                return self._bytes(data)
            case 1:
                return data
            case 2:
                return sealed(opened(data)[1], self.liar)
            case 3 | 4:
                return self._entry(data)
            case 8:
                return pack(self._value(unpack(data)))
        return self._resealed(self._value(_content(data)))

    def _any(self) -> bytes:
        return self.said[self.dice.randrange(len(self.said))]

    def _resealed(self, body: Any) -> bytes:
        packed = pack(body)
        return pack((VERSION, self.liar.key, packed, self.liar.sign(b"quadrille/message/2" + packed)))

    def _entry(self, data: bytes) -> bytes:
        """An entry in it reads otherwise, and may have the liar's signature under that."""
        _, message = opened(data)
        if not isinstance(message, Entries) or not message.entries:
            return self._resealed(self._value(_content(data)))
        entries = [entry.data for entry in message.entries]
        place = self.dice.randrange(len(entries))
        core, signature = unpack(entries[place])
        changed = pack((pack(self._value(unpack(core))), signature))
        if self.dice.randrange(2):
            try:
                entry = read_entry(changed)
                author = self.liar.key if self.dice.randrange(2) else entry.author
                changed = replace(entry, author=author).signed(self.liar).data
            except PeerError:
                pass  # no entry any more: as it is, then
        entries[place] = changed
        return self._resealed((NUMBER_OF[Entries], (message.table, tuple(entries))))

    def _bytes(self, data: bytes) -> bytes:
        at = self.dice.randrange(len(data))
        to = at + self.dice.randrange(min(16, len(data) - at) + 1)
        match self.dice.randrange(5):
            case 0:
                return data[:at] + bytes([data[at] ^ 1 << self.dice.randrange(8)]) + data[at + 1 :]
            case 1:
                return data[:at] + data[to:]
            case 2:
                return data[:to] + data[at:]
            case 3:
                return data[:at]
        return data[:at] + self._any()[at:]

    def _value(self, value: Any) -> Any:
        """The same, but for one place somewhere in it."""
        if isinstance(value, tuple):
            if value and self.dice.randrange(8):
                place = self.dice.randrange(len(value))
                return (*value[:place], self._value(value[place]), *value[place + 1 :])
            place = self.dice.randrange(len(value) + 1)
            other = self._leaf(None)
            options = (value[:place], (*value[:place], other, *value[place:]), value[::-1], value * 2, value[place:])
            return options[self.dice.randrange(len(options))]
        return self._leaf(value)

    def _leaf(self, value: Any) -> Any:
        match value, self.dice.randrange(4):
            case (int(), 0 | 1) if not isinstance(value, bool):
                return max(0, value + self.dice.randrange(5) - 2)
            case (bytes(), 0 | 1) if value:
                at = self.dice.randrange(len(value))
                return value[:at] + bytes([value[at] ^ 1 << self.dice.randrange(8)]) + value[at + 1 :]
            case bytes(), 2:
                keys = (self.liar.key, bytes(len(value)), value[:-1], value * 3)
                return keys[self.dice.randrange(len(keys))]
            case (str(), 0 | 1):
                return WORDS[self.dice.randrange(len(WORDS))]
            case _, 2:
                return NUMBERS[self.dice.randrange(len(NUMBERS))]
        leaves = (None, True, (), b"", "x" * 41, self.liar.key, ((((),),),))
        return leaves[self.dice.randrange(len(leaves))]
