"""Worlds for the fuzz: one peer that is ours, honest ones around it, and what a program puts on top of a lobby.

The honest ones are whole lobbies too: they play on, answer and agree, whatever protocol there is, so that what the fuzz
says comes in the middle of something. Nothing is written to a disk, and no time passes but by a number.
"""

from contextlib import suppress
from random import Random
from typing import Any, Final

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DropMotion, FlagMotion, StandInMotion, all_of
from quadrille.net.entries.wire import Entries, Message
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Proposed
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.seating.lobby import At, Event, Lobby
from quadrille.net.tables.table import Table
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from tests.fuzz.logs import ALL, CHECKER, KINDS, ME, SEATS, STRANGERS, WATCHED, WAYS, played, seeds
from tests.net.simulation import MemoryShelf

#: So many messages wait at most to be delivered; others are lost.
MOST_UNDER_WAY: Final = 60


class Shelf(MemoryShelf):
    """Keeps the promise in mind: no two entries of our own in one place, after the same entry."""

    def __init__(self, owner: bytes) -> None:
        super().__init__(owner)
        self._own: dict[tuple[bytes, int, bytes], bytes] = {}

    def keep_entry(self, entry: Entry) -> None:
        if entry.author == self.owner:
            place = (entry.table, entry.index, entry.before)
            assert self._own.setdefault(place, entry.hash) == entry.hash, f"signed twice: {entry}"
        super().keep_entry(entry)


class CountedChecker(ProofChecker):
    """How often proofs were checked: what a message costs, without a clock."""

    __slots__ = ("checks",)

    def __init__(self) -> None:
        super().__init__(CHECKER.group)
        self.checks = 0

    def knows(self, *about: Any) -> bool:
        self.checks += 1
        return super().knows(*about)

    def same(self, *about: Any) -> bool:
        self.checks += 1
        return super().same(*about)

    def shuffle_fault(self, *about: Any) -> str | None:
        self.checks += 1
        return super().shuffle_fault(*about)


class World:
    """Ours and the others, with tables and gatherings of several kinds."""

    def __init__(self, seed: str, lobby: Lobby | None = None) -> None:
        self.dice = Random(seed)
        self.stream = Stream(seed, "world")
        self.now = 1000
        self.checker = CountedChecker()
        resumes = self.dice.random() < 0.7
        self.lobby = lobby or Lobby(ME, "me", "person", Shelf(ME.key), resumes=resumes, checker=self.checker)
        self.others: dict[bytes, Lobby] = {}
        for one in (*SEATS[:3], STRANGERS[1]):
            self.others[one.key] = Lobby(one, one.key.hex()[:4], "bot", MemoryShelf(one.key), checker=CHECKER)
        self.under_way: list[tuple[bytes, bytes, Message]] = []
        self.names: list[bytes] = []
        self.proposed: dict[bytes, tuple[Any, ...]] = {}  # what somebody wanted last, at each table
        for key in (*self.others, STRANGERS[0].key):
            self.lobby.came(key, self.now)
        self._sit_down()
        self._gather()
        self.collect()

    def _sit_down(self) -> None:
        """At tables that go on, or to look on there."""
        for kind in self.dice.sample([*KINDS], 2) + self.dice.sample([*WATCHED], 1):
            entries = played(kind, self.dice.choice(WAYS))
            table = entries[0].table
            self.names.append(table)
            for lobby in (self.lobby, *self.others.values()):
                if lobby is self.lobby or lobby.identity.key in entries[0].body.keys:
                    for entry in entries:
                        lobby.shelf.keep_entry(entry)
                    kept = seeds(lobby.identity.key, table).secret(table, CARDS)
                    assert kept is not None
                    lobby.shelf.keep_secret(table, CARDS, kept)
                    lobby.resume(table, self.now)
        for lobby in self.others.values():
            for key in (ME.key, *self.others):
                if key != lobby.identity.key:
                    lobby.came(key, self.now)

    def _gather(self) -> None:
        """A table that I host, and one where I am a guest."""
        kinds, others = self.dice.sample([*KINDS.values()], 2), list(self.others.values())
        mine = self.lobby.host(kinds[0], self.dice.randbytes(8), self.now, sits=self.dice.random() < 0.8)
        theirs = others[0].host(kinds[1], self.dice.randbytes(8), self.now)
        self.names += [mine.table, theirs.table]
        for other in others[: self.dice.randrange(4)]:
            other.join(mine.offer(), self.now)
        self.lobby.join(theirs.offer(), self.now)
        for other in others[1 : 1 + self.dice.randrange(3)]:
            other.join(theirs.offer(), self.now)
        for lobby in (self.lobby, *others):
            lobby.flush(self.now)

    # What goes on

    def collect(self) -> None:
        """Take out what everybody wants to say."""
        for lobby in (self.lobby, *self.others.values()):
            for key, message in lobby.outgoing:
                if key != lobby.identity.key and (key == ME.key or key in self.others):
                    self.under_way.append((lobby.identity.key, key, message))
            lobby.outgoing.clear()
            if lobby is not self.lobby:
                self.note(lobby.events)
                lobby.events.clear()
        while len(self.under_way) > MOST_UNDER_WAY:
            self.under_way.pop(self.dice.randrange(len(self.under_way)))

    def note(self, events: list[Event]) -> None:
        """What is proposed at a table may be agreed to."""
        for event in events:
            match event:
                case At(name, Proposed(motion)):
                    self.proposed[name] = motion

    def next(self) -> tuple[bytes, bytes, Message] | None:
        """A message that arrives now, of those under way: not always the first."""
        return self.under_way.pop(self.dice.randrange(min(4, len(self.under_way)))) if self.under_way else None

    def act(self, lobby: Lobby) -> None:
        """What somebody does at its tables, by itself."""
        for gathering in list(lobby.gatherings.values()):
            if gathering.hosts:
                if len(gathering.chairs) > 1 and self.dice.random() < 0.1:
                    with suppress(PeerError):  # not for so few
                        gathering.go_on_without()
                gathering.start(self.now)
        for table in list(lobby.tables.values()):
            try:
                self._play(table)
            except (RulesError, PeerError):
                continue  # it is not the moment for it
        lobby.flush(self.now)

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
            case 7 if table.log.now.turn is not None:
                table.forfeit(table.log.now.turn, now)
            case 8:
                table.open_book()
            case 9:
                for seat in table.overdue(now):
                    key = dice.choice((STRANGERS[1], SEATS[3])).key
                    table.agree(
                        dice.choice((DropMotion(seat), StandInMotion(seat, key, "deputy"), FlagMotion(seat))), now
                    )
            case _ if table.is_my_turn:
                table.play(str(table.view.moves.sample(self.stream)), now)

    def pass_time(self) -> None:
        """A moment, a second, or longer than anybody has patience."""
        self.now += self.dice.choice((1, 20, 300, 1100, 1100, 3000, 11_000))
        for lobby in (self.lobby, *self.others.values()):
            if self.now >= lobby.deadline:
                lobby.wake(self.now)

    def come_or_go(self) -> None:
        """Somebody does."""
        key = self.dice.choice([key for key in ALL if key != ME.key])
        if key in self.lobby.here and self.dice.random() < 0.6:
            self.lobby.went(key, self.now)
        else:
            self.lobby.came(key, self.now)

    def logs(self) -> list[Log]:
        return [table.log for table in self.lobby.tables.values()]

    def learned(self, message: Message) -> None:
        """A table that somebody speaks of."""
        name = getattr(message, "table", None)
        if isinstance(message, Entries) and name not in self.names and len(self.names) < 20:
            self.names.append(message.table)
