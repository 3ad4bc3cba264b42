"""The world of the fuzz: the simulated one (tests/net/simulation.py), with one peer that is ours, and a liar.

The others are honest, and whole lobbies too: they play on, answer and agree, whatever protocol there is, so that what
the liar says comes in the middle of something. The liar has the keys of all of them.
"""

from contextlib import suppress
from random import Random
from typing import Any, Final

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.motions import DropMotion, FlagMotion, StandInMotion, all_of
from quadrille.net.entries.wire import Entries, Message
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Proposed
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.seating.lobby import At, Dropped, Event, Lobby
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError
from tests.fuzz.liar import FOES, Liar
from tests.fuzz.logs import ALL, KINDS, ME, SEATS, STRANGERS, WATCHED, WAYS, played
from tests.net import simulation
from tests.net.by_hand import drawn
from tests.net.cards.stub import counted
from tests.net.network import Weather
from tests.net.simulation import Peer

#: Messages to each peer that is here, and others, that a single one may be answered by at each table.
FOR_EACH, BESIDE = 10, 400
#: The checks of proofs that one entry may cost.
MOST_CHECKS: Final = 12


def standing(lobby: Lobby) -> list[Any]:
    """What a message that is refused must not change."""
    gatherings = [(each.phase, each.chairs[:], each._round, each.begun) for each in lobby.gatherings.values()]
    tables = [(table.log.head, table.stopped, dict(table.accord.by_owners)) for table in lobby.tables.values()]
    return [gatherings, tables, dict(lobby.peers), set(lobby.here)]


class World(simulation.World):
    """Ours and the others, with tables and gatherings of several kinds."""

    beat, rest = 3000, 1000

    def __init__(self, seed: str) -> None:
        super().__init__(seed, KINDS["barons"], Weather(loss=50, delay=400), identities=(ME, *SEATS[:3], STRANGERS[1]))
        self.now = 1000
        self.dice: Any = Random(seed)
        self.liar = Liar(seed)
        self.liars = dict.fromkeys(FOES)  # it signs anything for them, and nothing for us
        self.names: list[bytes] = []
        self.told: list[Event] = []
        self.proposed: dict[bytes, tuple[Any, ...]] = {}  # what somebody wanted last, at each table
        self.me, *self.honest_ones = self.peers.values()
        resumes = self.dice.random() < 0.7
        self.lobby = Lobby(ME, "me", "person", self.me.shelf, resumes=resumes, entropy=self.draw)
        self._sit_down()
        for peer in (*self.honest_ones, self.me):
            self.start(peer)
        self._gather()
        for entry in [entry for log in self.logs() for entry in log.entries]:
            self.liar.hear(Entries(entry.table, (entry,)))

    def program(self, peer: Peer) -> Lobby:
        return self.lobby if peer is self.me else super().program(peer)

    def _sit_down(self) -> None:
        """At tables that go on, or to look on there."""
        for kind in self.dice.sample([*KINDS], 2) + self.dice.sample([*WATCHED], 1):
            entries = played(kind, self.dice.choice(WAYS))
            table = entries[0].table
            self.names.append(table)
            shelves = [peer.shelf for peer in self.honest_ones if peer.key in entries[0].body.keys]
            for shelf, key in ((self.lobby.shelf, ME.key), *((shelf, shelf.owner) for shelf in shelves)):
                for entry in entries:
                    shelf.keep_entry(entry)
                shelf.keep_secret(table, CARDS, drawn(key, table))

    def _gather(self) -> None:
        """A table that I host, and one where I am a guest."""
        kinds, others = self.dice.sample([*KINDS.values()], 2), [peer.lobby for peer in self.honest_ones]
        mine = self.lobby.host(kinds[0], self.dice.randbytes(8), self.now, sits=self.dice.random() < 0.8)
        theirs = others[0].host(kinds[1], self.dice.randbytes(8), self.now)
        self.names += [mine.table, theirs.table]
        for other in others[: self.dice.randrange(4)]:
            other.join(mine.offer(), self.now)
        for other in (self.lobby, *others[1 : 1 + self.dice.randrange(3)]):
            other.join(theirs.offer(), self.now)
        for peer in self.peers.values():
            self.after(peer)

    # What goes on

    def lie(self) -> tuple[Any, Message]:
        """What the liar says next, and in whose name."""
        return self.liar.message(self.names, self.logs())

    def learned(self, message: Message) -> None:
        """A table that somebody speaks of."""
        name = getattr(message, "table", None)
        if isinstance(message, Entries) and name not in self.names and len(self.names) < 20:
            self.names.append(message.table)

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        if key in self.peers:
            super().send(peer, key, message)

    def deliver(self, sender: Peer, receiver: Peer, message: Message) -> None:
        if receiver is self.me:
            self.hear(sender.key, message)
        else:
            super().deliver(sender, receiver, message)
        if self.dice.random() < 0.3:
            self.liar.hear(message)

    def hear(self, author: bytes, message: Message) -> None:
        """Ours hears a message: it costs no more than it may, and what is refused changes nothing."""
        self.do(self.me, lambda lobby, now: self._hear(lobby, author, message, now))

    def _hear(self, lobby: Lobby, author: bytes, message: Message, now: int) -> None:
        before, stood = len(lobby.events), standing(lobby)
        with counted() as checks:
            lobby.receive(author, message, now)
        many = len(message.entries) if isinstance(message, Entries) else 1
        assert len(checks) <= MOST_CHECKS * many, f"{len(checks)} checks for {many} entries"
        most = BESIDE + FOR_EACH * (len(lobby.here) + 1) * (len(lobby.tables) + len(lobby.gatherings) + 1)
        assert len(lobby.outgoing) <= most, f"{len(lobby.outgoing)} answers"
        dropped = [event for event in lobby.events[before:] if isinstance(event, Dropped)]
        assert all(event.key == author for event in dropped)
        assert not dropped or many > 1 or standing(lobby) == stood, "what is refused has changed something"

    def notice(self, peer: Peer, event: Event) -> None:
        """What is proposed at a table may be agreed to."""
        match event:
            case At(name, Proposed(motion)):
                self.proposed[name] = motion
        if peer is self.me:
            self.told.append(event)

    def check_step(self) -> None:
        """All but one may lie: nothing is promised about their logs."""

    def act(self, peer: Peer) -> None:
        """What somebody does at its tables now and then, by itself."""
        if self.dice.random() < 0.5:
            return
        for gathering in list(peer.lobby.gatherings.values()):
            if gathering.hosts:
                if len(gathering.chairs) > 1 and self.dice.random() < 0.1:
                    with suppress(PeerError):  # not for so few
                        gathering.drop_free_chairs()
                gathering.start(self.now)
        for table in list(peer.lobby.tables.values()):
            with suppress(RulesError, PeerError):  # it is not the moment for it
                self._play(table)

    def _play(self, table: Table) -> None:
        dice, now = self.dice, self.now
        match dice.randrange(14):
            case 0:
                table.agree(all_of(dice.choice(("draw", "pause"))), now)
            case 1:
                table.agree(all_of("takeback", 1 + dice.randrange(2)), now)
            case 2 | 3 if table.log.table in self.proposed:
                table.agree(self.proposed[table.log.table], now)
            case 4:
                table.decline()
            case 5:
                table.say("hello")
            case 6 if dice.random() < 0.1:
                table.resign(now)
            case 8:
                table.open_book()
            case 9:
                for seat in table.overdue(now):
                    key = dice.choice((STRANGERS[1].key, *table.log.now.keys))
                    decisions = DropMotion(seat), StandInMotion(seat, key, "deputy"), FlagMotion(seat)
                    table.agree(dice.choice(decisions), now)
            case _ if table.is_my_turn:
                table.play(str(table.view.moves.sample(self.entropy)), now)

    def come_or_go(self) -> None:
        """Somebody does."""
        key = self.dice.choice([key for key in ALL if key != ME.key])
        goes = key in self.lobby.here and self.dice.random() < 0.6
        self.do(self.me, lambda lobby, now: (lobby.went if goes else lobby.came)(key, now))

    def logs(self) -> list[Log]:
        return [table.log for table in self.lobby.tables.values()]
