"""A table at play: one peer's part in it, as a seat or a watcher.

Three machines work on one log: log_exchange.py synchronises it with the other peers, accord.py collects joint
decisions, and card_duties.py serves the deck. This module passes each message to its machine (table_phases.py), and
decides when an entry is added, written and stored. No sockets and no clock: `now` comes in (milliseconds), messages
go out through `outgoing`, events for a person through `events`. See net/game_log/log.py for the meaning of entries.
Specification: docs/protocols/play.md.

One promise holds through any crash, because it is on disk before it is sent: this peer never signs two entries for
one place.
"""

from collections.abc import Iterable
from typing import Any, Final

from quadrille.net.entries.bodies import BeginBody, EntryBody, ExcludedBody, LeftBody, MoveBody
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import BackMotion, TableMotion
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import (
    Ask,
    Book,
    Chat,
    Consent,
    Decline,
    Entries,
    Head,
    Message,
    Motion,
    Propose,
    Resign,
    Vouch,
    Want,
)
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import ChatLine, Presence, Stopped, Took
from quadrille.net.game_log.own_cards import OwnCards
from quadrille.net.tables.accord import Accord
from quadrille.net.tables.card_duties import CardDuties
from quadrille.net.tables.chatter import Chatter
from quadrille.net.tables.convictions import Convictions
from quadrille.net.tables.log_exchange import LogExchange
from quadrille.net.tables.table_clock import LAG, TableClock
from quadrille.net.tables.table_context import DueEntry, LogMark, TableContext
from quadrille.net.tables.table_phases import DEEDS, FOR_PLAYERS, TableDeed, TablePhase
from quadrille.net.trust.identity import Identity
from quadrille.rules.core import Over, State
from quadrille.rules.errors import RulesError

#: Milliseconds between two heads that a peer sends.
HEARTBEAT: Final = 1000
#: The state of a table that `waits_for_head`, for a person.
WAITS: Final = "waiting to hear from another seat how far the game is"


class Table:
    """The log of a table, and what is due on it."""

    __slots__ = (
        "_beat",
        "_chatter",
        "_context",
        "_exchange",
        "_unsaid",
        "accord",
        "cards",
        "clock",
        "convictions",
        "events",
        "gone",
        "hand",
        "identity",
        "log",
        "outgoing",
        "shelf",
    )

    def __init__(
        self, log: Log, identity: Identity, shelf: TableStore, now: int, said: Iterable[tuple[bytes, Chat]] = ()
    ) -> None:
        """Takes a log that has begun; this peer's promises from before a crash are loaded from the store.

        `said` are the lines from before the game.
        """
        self.log, self.identity, self.shelf = log, identity, shelf
        self.hand = OwnCards(log, identity, shelf)
        self._context = context = TableContext(log, identity, shelf, self.hand)
        self.outgoing, self.events, self.gone = context.outgoing, context.events, context.gone
        self.clock = TableClock(context, now)
        self.convictions = Convictions(context)
        self.accord = Accord(context)
        self.cards = CardDuties(context, self.clock)
        self._exchange = LogExchange(context, self.accord.promises, self.convictions, self)
        self._chatter = Chatter(context)
        self._chatter.go_on(said)
        self._beat = now
        self._unsaid = self._signed_elsewhere()

    def _signed_elsewhere(self) -> dict[bytes, Entry]:
        """Stored entries of mine that did not fit into the log, by the head at which I signed them."""
        here = {entry.data for entry in self.log.entries}
        kept = [read_entry(data) for data in self.shelf.entries(self.log.table) if data not in here]
        return {entry.before: entry for entry in kept if entry.author == self.identity.key}

    @property
    def seat(self) -> int | None:
        """The seat that this peer writes for; None for a watcher."""
        return self.hand.seat

    @property
    def over(self) -> Over | None:
        return self.log.now.over

    @property
    def stopped(self) -> Stopped | None:
        """Why the table can't go on here."""
        return self._context.stopped

    @stopped.setter
    def stopped(self, stopped: Stopped | None) -> None:
        self._context.stopped = stopped

    @property
    def waits_for_head(self) -> bool:
        """Whether this peer writes nothing yet: its stored log may be older than what it has signed."""
        return self._exchange.waits_for_head

    @property
    def phase(self) -> TablePhase:
        if self.stopped:
            return TablePhase.STOPPED
        if self.over:
            return TablePhase.OVER
        return TablePhase.WAITING if self.waits_for_head else TablePhase.PLAYING

    @property
    def is_my_turn(self) -> bool:
        return self._writes_next and not self.log.now.owes_cards

    @property
    def _writes_next(self) -> bool:
        """Whether this peer owes the next entry: its move, or a duty to the deck."""
        return self.phase is TablePhase.PLAYING and self.seat is not None and self.log.now.turn == self.seat

    @property
    def view(self) -> State[Any, Any]:
        """The position as this peer knows it."""
        return self.hand.view

    # Called for a person

    def play(self, text: str, now: int) -> None:
        """Make a move, or lose on time if it comes too late; a RulesError explains a refusal."""
        if self.waits_for_head:
            raise RulesError(f"this table is {WAITS}: try again then")
        if not self.is_my_turn:
            raise RulesError("it is not your turn")
        standing = self.log.now
        state = standing.match.state
        move = standing.match.game.parse(text, state)
        if state.objection(move) is not None:
            raise state.refusal(move)
        left = self.time_left(standing.turn or 0, now)
        if left is not None and left < 0:
            return self.lose("time", now)
        self._write(MoveBody(str(move)), now, 0 if standing.paused else max(0, now - self.began))
        return None

    def resign(self, now: int) -> None:
        """Resign: at once on my turn, otherwise by whoever writes the next entry."""
        seat = self.seat
        if seat is None or self.over or self.stopped:
            return
        said = self.accord.resign(seat)
        if not self.carry(now):
            self._context.say(said)

    def lose(self, how: str, now: int) -> None:
        """State that my seat loses on its move (`BY_ITSELF`): its time is up, or its program failed."""
        seat, charged = self.seat, how == "time" and self._writes_next and self.clock.charges_cards
        if seat is not None and (self.is_my_turn or charged):
            self._write(LeftBody(seat, how, secret=self.hand.secret()), now)

    def forfeit(self, seat: int, now: int) -> None:
        """As the arbiter that the terms name, forfeit the seat whose turn it is."""
        standing = self.log.now
        free = not (self.stopped or self.waits_for_head)
        if self.identity.key == standing.terms.arbiter and standing.turn == seat and free:
            self._write(LeftBody(seat, "forfeit"), now)

    def agree(self, motion: TableMotion, now: int) -> bool:
        """Propose a motion, or sign the open one. False if this peer has nothing to sign now; a RulesError explains
        why the motion is impossible.
        """
        if self.stopped or (self.waits_for_head and not isinstance(motion, BackMotion)):
            return False
        agreed = self.accord.agree(motion, lambda seat: self.flag_fell(seat, now))
        self.carry(now)
        return agreed

    def decline(self) -> None:
        """Refuse the open motion."""
        self.accord.decline()

    def open_book(self) -> None:
        """After the game: reveal the secrets of my keys, so that all cards can be shown."""
        if self.over is not None:
            self.cards.open_book()

    def say(self, line: str) -> None:
        chat = self._chatter.say(line)
        self.events.append(ChatLine(self.identity.key, line))
        self._context.say(chat)

    def lines(self) -> list[ChatLine]:
        """The remembered chat lines."""
        return [ChatLine(author, line) for author, line in self._chatter.lines()]

    def resume(self) -> None:
        """Write nothing before another seat has reported how far the game is."""
        self._exchange.resume()

    # Called for other peers

    def came(self, key: bytes, now: int) -> None:
        """A peer is here: send it the head of the log."""
        for seat in self._seats_of(key):
            self.gone.pop(seat, None)
            self.events.append(Presence(seat, True))
        said: list[Message] = [self._exchange.head(), *self._chatter.own(), *self.cards.book()]
        self.outgoing += [(key, message) for message in said]
        self._beat = min(self._beat, now)

    def went(self, key: bytes, now: int) -> None:
        for seat in self._seats_of(key):
            if seat not in self.gone:
                self.gone[seat] = now
                self.events.append(Presence(seat, False))

    def _seats_of(self, key: bytes) -> list[int]:
        return [seat for seat, other in enumerate(self.log.now.keys) if other == key]

    def overdue(self, now: int) -> tuple[int, ...]:
        """Seats in the game that have been gone for longer than the terms' grace.

        A seat that is here but keeps the deck waiting counts too: its program would answer at once.
        """
        standing = self.log.now
        since = dict(self.gone)
        if standing.turn is not None and standing.owes_cards:
            since.setdefault(standing.turn, self.began)
        inside, grace = standing.seats_in(), standing.terms.grace
        return tuple(seat for seat in sorted(since) if seat in inside and now - since[seat] >= grace)

    def receive(self, author: bytes, message: Message, now: int, *, asked: bool = False) -> None:
        """Process a message about this table. A watcher hears the peer that it `asked` as it hears players."""
        deed = deeds[self.phase] if (deeds := DEEDS.get(type(message))) else TableDeed.DROP
        plays = asked or self.hears(author) or self._begins_with(author, message)
        if plays or deed not in FOR_PLAYERS:
            self._do(deed, author, message, now, plays=plays)
        self._go_on(now)

    def players(self) -> set[bytes]:
        """The keys that write for seats or sat down there, and the arbiter's."""
        standing = self.log.now
        arbiter = [standing.terms.arbiter] if standing.terms.arbiter else []
        return {*standing.keys, *(chair.key for chair in standing.chairs), *arbiter}

    def hears(self, key: bytes) -> bool:
        """Whether that peer may add to the log: it plays, or is asked to play on for a seat. A stand-in may know before
        this peer that all have agreed.
        """
        promised = self.accord.promise[1] if self.accord.promise else None
        asked = [motion.key for motion in (self.accord.open, promised) if motion]
        return self.accord.is_called(key) or key in asked or key in self.players()

    def _begins_with(self, key: bytes, message: Message) -> bool:
        """Tell whether that peer tells of another beginning of this table, in which it and this peer sit."""
        match message:
            case Entries(_, (Entry(body=BeginBody() as body), *_)):
                return len(self.log.entries) == 1 and {key, self.identity.key} <= {*body.keys}
        return False

    def _do(self, deed: TableDeed, author: bytes, message: Message, now: int, *, plays: bool) -> None:
        match deed, message:
            case TableDeed.TAKE, Entries(_, entries):
                self._exchange.take(author, entries, now)
            case ((TableDeed.COMPARE | TableDeed.NOTE), Head(_, told)) if plays or told < len(self.log.entries):
                self._exchange.compare(author, message, now)
                if deed is TableDeed.NOTE:
                    self._exchange.note(author, message, now)
            case TableDeed.SEND, Want(_, start):
                self._exchange.send(author, start, now)
            case TableDeed.DECIDE, Motion() | Decline() | Resign() | Consent():
                self.accord.hear(author, message)
                self.carry(now)
            case TableDeed.WEIGH, Vouch(_, before, entry, key, signature):
                mark = self._context.mark()
                if self.log.vouch(key, entry, before, signature):
                    self.went_on(now, mark)
            case TableDeed.OPEN, Book() if self.over is not None:
                self.cards.hear(author, message)
            case TableDeed.SAY, Chat():
                if self._chatter.hear(author, message):
                    self.events.append(ChatLine(author, message.line))
            case TableDeed.TELL, Ask() | Propose():
                if self._exchange.send(author, 0, now):
                    self.outgoing += [(author, chat) for chat in self._chatter.own()]

    def fail(self) -> None:
        """Stop because of a fault in this program (net/trust/guard.py); the log is kept, and nobody is blamed."""
        self._context.stop(Stopped(NOBODY, "this program made a mistake here; the table goes on when it is resumed"))

    # Writing entries

    def went_on(self, now: int, before: LogMark, *, kept: bool = False) -> None:
        """The log has new entries since this mark: everything bound to the old head is void."""
        since, self.began = self.log.since, now
        for entry in self.log.entries[since:]:
            if not kept:
                self.shelf.keep_entry(entry)
            reopened = before.over and entry.index == since < before.length
            self.events.append(Took(entry, entry.index < before.length, reopened))
        self._exchange.changed(since)
        self.accord.clear(replaced=since < before.length)
        self._write_what_is_due(now)

    def _go_on(self, now: int) -> None:
        """Write again, once this seat has caught up."""
        if self._exchange.has_caught_up(now):
            self._write_what_is_due(now)

    def _write_what_is_due(self, now: int) -> None:
        if not self.carry(now):
            self._serve(now)

    def carry(self, now: int) -> bool:
        """Write the joint decision that is due, if any."""
        if self._writes_next and (said := self._unsaid.get(self.log.head)):
            self._write(said.body, now)
            return True
        while not self.stopped and (due := self._due()):
            try:
                self._write(due.body, now, alone=due.alone)
            except Fault:
                if not isinstance(due.body, ExcludedBody):
                    raise
                # a proof about another branch proves nothing about this one
                self.convictions.acquit(due.body.seat)
            else:
                return True
        return False

    def _due(self) -> DueEntry | None:
        mine = self._writes_next
        return self.convictions.due(writes_next=mine) or self.accord.due(writes_next=mine)

    def _serve(self, now: int) -> None:
        """Serve the deck if it waits for my seat. Time beyond the usual is charged to me."""
        if self._writes_next and (due := self.cards.due(now)):
            body, used = due
            if used > self.log.now.remaining[self.seat or 0]:
                self.lose("time", now)
            else:
                self._write(body, now, used)

    def _write(self, body: EntryBody, now: int, used: int = 0, *, alone: bool = True) -> None:
        """The next entry: checked, stored, and only then sent. An entry signed at this head before is sent again."""
        entry = self._unsaid.get(self.log.head) if alone else None
        if entry is None:
            entry = self.log.write(body, self.identity if alone else None, used)
        self.shelf.keep_entry(entry)
        self.log.take(entry)
        self._context.say(Entries(entry.table, (entry,)))
        self.went_on(now, LogMark(entry.index, over=False), kept=True)

    # Time

    @property
    def clocks(self) -> Clocks | None:
        """The clocks; None without any. This machine measures the clock of the seat to move."""
        return self.clock.clocks

    @property
    def began(self) -> int:
        """When the last entry came."""
        return self.clock.began

    @began.setter
    def began(self, began: int) -> None:
        self.clock.began = began

    def time_left(self, seat: int, now: int) -> int | None:
        """The time on a seat's clock; None without clocks."""
        clocks = self.clocks
        return None if clocks is None else clocks.at(seat, now)

    def flag_fell(self, seat: int, now: int) -> bool:
        """Whether that seat's time is up by the clock of this machine, by more than the network explains."""
        left = self.time_left(seat, now)
        return left is not None and left < -LAG

    @property
    def deadline(self) -> int:
        standing = self.log.now
        if self.is_my_turn and standing.terms.clock and not standing.paused:
            return min(self._beat, self.began + standing.remaining[standing.turn or 0] + 1)
        return self._beat

    def wake(self, now: int) -> None:
        """State that my time is up; send the head of the log and my signatures again."""
        if now >= self._beat:  # before it nothing is due (net/core/machine.py)
            self._go_on(now)
        self._serve(now)
        if self.is_my_turn and (self.time_left(self.seat or 0, now) or 0) < 0:
            self.lose("time", now)
        if now >= self._beat:
            self._beat = now + HEARTBEAT
            self._exchange.beat()
            silent = self.phase in (TablePhase.STOPPED, TablePhase.OVER)
            self._context.say(self._exchange.head(), *(() if silent else self.accord.said()))
            self.outgoing += self.accord.calls()
