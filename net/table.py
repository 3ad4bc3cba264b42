"""A table at play: one peer's part in keeping step, whether it sits there or looks on.

A machine without sockets and without a clock of its own: time comes in as `now` (milliseconds), messages go out through
`outgoing`, what a person should know through `events`. See net/log.py for what an entry means, and net/accord.py for
what the seats decide together; here is when an entry is written, sent, asked for, stored. Specification: protocols.md,
"Play".

One promise holds through any crash, because it is on disk before it is sent: no two entries of this peer in one place.
"""

from collections.abc import Mapping
from typing import Any, Final

from quadrille.net import books
from quadrille.net.accord import Accord
from quadrille.net.budget import Budgets
from quadrille.net.chatter import Chatter
from quadrille.net.doubts import LAG, Doubts
from quadrille.net.entry import NOBODY, Entry, read_entry
from quadrille.net.errors import PeerError
from quadrille.net.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.hand import Hand
from quadrille.net.identity import Identity
from quadrille.net.log import Log
from quadrille.net.news import Blamed, ChatLine, Doubted, Event, Opened, Presence, Stopped, Took
from quadrille.net.shapes import pack, unpack
from quadrille.net.shelf import Shelf
from quadrille.net.wire import (
    MOST_ROWS,
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
from quadrille.rules.core import Over, State
from quadrille.rules.errors import RulesError

HEARTBEAT: Final = 1000
#: Milliseconds after the first head of another seat in which other seats may tell of a longer log.
CATCHING_UP: Final = 5000
MOST_BYTES: Final = 48_000
#: Entries further back from which a peer asks for another branch, doubled with each answer that does not reach it.
FIRST_STEP_BACK: Final = 8
MOST_ENTRIES_TOLD: Final = 256
#: Kinds of entries that state no time of their seat.
UNTIMED: Final = ("motion", "excluded", "left")
#: Bytes of the log that are sent to a seat, or to another, in a second and at once; and what an empty answer takes.
SEAT_RATE: Final = (1 << 20, 1 << 21)
OTHERS_RATE: Final = (1 << 18, 1 << 19)
ANSWER: Final = 256
#: Maximum culprits at a table whose signed faults are kept.
MOST_FAULTS: Final = 8
#: What a person reads of a table that `waits_for_head`.
WAITS: Final = "waiting to hear from another seat how far the game is"


class Table:
    """The log of a table, and what is due on it."""

    __slots__ = (
        "_answered",
        "_beat",
        "_chatter",
        "_for_others",
        "_for_seats",
        "_settled",
        "_steps_back",
        "_told",
        "_unsaid",
        "accord",
        "began",
        "doubts",
        "events",
        "gone",
        "hand",
        "identity",
        "log",
        "outgoing",
        "shelf",
        "stopped",
        "waits_for_head",
    )

    def __init__(self, log: Log, identity: Identity, shelf: Shelf, now: int) -> None:
        """From a log that has begun; what this peer promised before a crash is read from the shelf."""
        self.log = log
        self.identity = identity
        self.shelf = shelf
        self.outgoing: list[tuple[bytes | None, Message]] = []
        self.events: list[Event] = []
        self.began = now
        self.gone: dict[int, int] = {}
        self.stopped: Stopped | None = None
        self._beat = now
        self._answered: set[bytes] = set()
        self._chatter = Chatter(log.table, identity.key)
        self._steps_back: dict[bytes, int] = {}
        self.doubts = Doubts()
        self._settled = 0
        #: Whether this seat writes nothing yet: its shelf may be older than what it has signed (`resume`).
        self.waits_for_head = False
        self._told: dict[bytes, tuple[int, int]] = {}  # the length that each other seat told last, and since when
        self._for_seats = Budgets(*SEAT_RATE, shared=log.now.terms.seats)
        self._for_others = Budgets(*OTHERS_RATE, shared=8)
        self._unsaid = self._signed_elsewhere()
        self.hand = Hand(log, identity, shelf)
        self.accord = Accord(log, identity, shelf, self.hand, self.gone, self.outgoing, self.events)
        for epoch, seat in books.pages(log):
            if (kept := shelf.secret(log.table, f"book/{epoch}/{seat}")) is not None:
                log.books[epoch, seat] = kept

    def _signed_elsewhere(self) -> dict[bytes, Entry]:
        """Entries of mine on the shelf that did not fit into the log, by the head at which I signed them."""
        here = {entry.data for entry in self.log.entries}
        kept = [read_entry(data) for data in self.shelf.entries(self.log.table) if data not in here]
        return {entry.before: entry for entry in kept if entry.author == self.identity.key}

    @property
    def seat(self) -> int | None:
        """The seat that this peer writes for; None for one who looks on."""
        return self.hand.seat

    @property
    def over(self) -> Over | None:
        """How the game ended."""
        return self.log.now.over

    @property
    def is_my_turn(self) -> bool:
        """Whether this peer is to move."""
        return self._writes_next and self.log.now.owed == "move"

    @property
    def _writes_next(self) -> bool:
        """Whether this peer owes the next entry: its move, or what the deck waits for."""
        free = not (self.stopped or self.waits_for_head)
        return free and self.seat is not None and self.log.now.turn == self.seat

    @property
    def view(self) -> State[Any, Any]:
        """The position as this peer knows it."""
        return self.hand.view

    # What a person does

    def play(self, text: str, now: int) -> None:
        """My seat moves, or loses by time where the move comes too late; a RulesError says why it can't."""
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
        self._write("move", (str(move),), now, 0 if standing.rest else max(0, now - self.began))
        return None

    def resign(self, now: int) -> None:
        """My seat goes out of the game: at once on my turn, else with whoever writes the next entry."""
        seat = self.seat
        if seat is None or self.over or self.stopped:
            return
        said = self.accord.resign(seat)
        if not self._carry(now):
            self.outgoing.append((None, said))

    def lose(self, how: str, now: int) -> None:
        """My seat loses by its own word (`BY_ITSELF`): on its move its time is up, or its program failed."""
        if self.is_my_turn or (how == "time" and self._writes_next and self._charges_duties):
            self._write("left", (self.seat, how, b"", self.hand.secret()), now)

    def forfeit(self, seat: int, now: int) -> None:
        """The arbiter that the terms name takes the seat whose turn it is out of the game."""
        standing = self.log.now
        free = not (self.stopped or self.waits_for_head)
        if self.identity.key == standing.terms.arbiter and standing.turn == seat and free:
            self._write("left", (seat, "forfeit", b"", b""), now)

    def agree(self, motion: tuple[Any, ...], now: int) -> bool:
        """Propose a motion, or sign the one that is open. False when this peer has nothing to sign now; a RulesError
        says why the motion can't be carried at all.
        """
        if self.stopped or (self.waits_for_head and motion[0] != "back"):
            return False
        agreed = self.accord.agree(motion, lambda seat: self.flag_fell(seat, now))
        self._carry(now)
        return agreed

    def decline(self) -> None:
        """Do not agree to the motion that is open."""
        self.accord.decline()

    def open_book(self) -> None:
        """After the game: tell the secrets of my keys, so that all cards can be shown."""
        if self.over is not None:
            self._keep_book(books.own(self.log, self.identity, self.shelf))
            self.outgoing += [(None, book) for book in self._book()]

    def _book(self) -> list[Book]:
        """All that is known of the books of this table."""
        rows = tuple((epoch, seat, secret) for (epoch, seat), secret in sorted(self.log.books.items()))
        return [Book(self.log.table, rows[:MOST_ROWS])] if rows else []

    def _keep_book(self, secrets: Mapping[tuple[int, int], bytes]) -> None:
        for (epoch, seat), secret in secrets.items():
            if (epoch, seat) not in self.log.books:
                self.log.books[epoch, seat] = secret
                self.shelf.keep_secret(self.log.table, f"book/{epoch}/{seat}", secret)
                self.events.append(Opened(epoch, seat))

    def _hear_book(self, author: bytes, book: Book) -> None:
        try:
            for epoch, seat, secret in book.secrets:
                books.check(self.log, epoch, seat, secret)
                self._keep_book({(epoch, seat): secret})
        except PeerError as error:
            self.events.append(Blamed(author, str(error)))

    def say(self, line: str) -> None:
        """Say something at the table."""
        chat = self._chatter.say(line)
        self.events.append(ChatLine(self.identity.key, line))
        self.outgoing.append((None, chat))

    def lines(self) -> list[ChatLine]:
        """What has been said, as far as it is remembered."""
        return [ChatLine(author, line) for author, line in self._chatter.lines()]

    # What others do

    def came(self, key: bytes, now: int) -> None:
        """A peer is here: tell it how far the log goes."""
        for seat in self._seats_of(key):
            self.gone.pop(seat, None)
            self.events.append(Presence(seat, True))
        said: list[Message] = [self._head(), *self._chatter.own(), *self._book()]
        self.outgoing += [(key, message) for message in said]
        self._beat = min(self._beat, now)

    def went(self, key: bytes, now: int) -> None:
        """A peer is gone."""
        for seat in self._seats_of(key):
            if seat not in self.gone:
                self.gone[seat] = now
                self.events.append(Presence(seat, False))

    def _seats_of(self, key: bytes) -> list[int]:
        return [seat for seat, other in enumerate(self.log.now.keys) if other == key]

    def overdue(self, now: int) -> tuple[int, ...]:
        """Seats still in the game that have been gone for longer than the terms' grace.

        So is one that is here and does not give what the deck waits for: its program would do that at once.
        """
        standing = self.log.now
        since = dict(self.gone)
        if standing.turn is not None and standing.owed != "move":
            since.setdefault(standing.turn, self.began)
        inside, grace = standing.seats_in(), standing.terms.grace
        return tuple(seat for seat in sorted(since) if seat in inside and now - since[seat] >= grace)

    def receive(self, author: bytes, message: Message, now: int) -> None:
        """A message about this table."""
        match message:
            case Entries(_, entries):
                self._take_all(author, entries, now)
            case Head(_, length, head):
                self._compare(author, length, head, now)
                if self.waits_for_head and author in (*self.log.now.keys, *(one.key for one in self.log.now.chairs)):
                    self._told[author] = (length, self._told.get(author, (0, now))[1])
            case Want(_, start):
                self._send(author, start, now)
            case Motion() | Decline() | Resign() | Consent() if not self.stopped:
                self.accord.hear(author, message)
                self._carry(now)
            case Vouch(_, before, entry, key, signature):
                here, was_over = len(self.log.entries), self.over is not None
                if self.log.vouch(key, entry, before, signature):
                    self._went_on(now, here, was_over=was_over)
            case Book() if self.over is not None:
                self._hear_book(author, message)
            case Chat():
                if self._chatter.hear(author, message):
                    self.events.append(ChatLine(author, message.line))
            case Ask() | Propose():
                if self._send(author, 0, now):
                    self.outgoing += [(author, chat) for chat in self._chatter.own()]
        self._go_on(now)

    # Keeping step

    def resume(self) -> None:
        """Write nothing before another seat has told how far the game is: the shelf may be that of an old backup."""
        standing = self.log.now
        writes = self.seat is not None or self.identity.key == standing.terms.arbiter
        others = {standing.keys[seat] for seat in standing.seats_in()} - {self.identity.key}
        self.waits_for_head = writes and bool(others) and not standing.over

    def _go_on(self, now: int) -> None:
        """Write again once all other seats have told their length, and this log is as long.

        Seats that stay away, and a length that nobody shows, are waited for no longer than `CATCHING_UP`.
        """
        if self.waits_for_head and self._told:
            lengths, here = [length for length, _ in self._told.values()], len(self.log.entries)
            late = now - min(since for _, since in self._told.values()) >= CATCHING_UP
            silent = {self.log.now.keys[seat] for seat in self.log.now.seats_in()} - {*self._told, self.identity.key}
            if (not silent and here >= max(lengths)) or (late and here >= min(lengths)):
                self.waits_for_head = False
                if not self._carry(now):
                    self._serve(now)

    def _head(self) -> Head:
        return Head(self.log.table, len(self.log.entries), self.log.head)

    def _compare(self, author: bytes, length: int, head: bytes, now: int) -> None:
        """Somebody says how far its log goes."""
        here = len(self.log.entries)
        same = 0 < length <= here and self.log.entries[length - 1].hash == head
        if length < here:
            self._send(author, length if same else max(0, length - 1), now)
        elif length > here or head != self.log.head:
            self.outgoing.append((author, Want(self.log.table, max(0, here - 1))))

    def _send(self, author: bytes, start: int, now: int) -> bool:
        """The entries from there on, as many as one message holds; the rest is asked for again.

        False, and nothing is sent, to a peer that asks for more in a time than anybody needs.
        """
        size, chosen = 0, list[bytes]()
        for entry in self.log.entries[start : start + MOST_ENTRIES_TOLD]:
            size += len(entry.data) + 5
            if chosen and size > MOST_BYTES:
                break
            chosen.append(entry.data)
        seated = author in (*self.log.now.keys, *(chair.key for chair in self.log.now.chairs))
        if not (self._for_seats if seated else self._for_others).takes(author, ANSWER + size, now):
            return False
        if chosen:
            self._settle()
            self.outgoing.append((author, Entries(self.log.table, tuple(chosen))))
        return True

    def _settle(self) -> None:
        """A peer that hands on a seat's entry must never sign later that the seat did not write it.

        The entry is on disk first, so that this holds after a power cut too.
        """
        length = len(self.log.entries)
        if self.seat is not None and self._settled < length and self.log.now.terms.seats > 2:
            self.shelf.settle(self.log.table)
            self._settled = length

    def _take_all(self, sender: bytes, entries: tuple[bytes, ...], now: int) -> None:
        before = len(self.log.entries)
        for place, data in enumerate(entries):
            if self.stopped or not self._take(sender, read_entry(data), now):
                here, was_over = len(self.log.entries), self.over is not None
                if not self.stopped and self.log.take_aside(read_entry(one) for one in entries[place:]):
                    self._went_on(now, here, was_over=was_over)
                break
        if len(entries) > 1 and len(self.log.entries) > before:
            self.outgoing.append((sender, self._head()))

    def _take(self, sender: bytes, entry: Entry, now: int) -> bool:
        """Take one entry; False when nothing behind it can be taken either."""
        if self._is_promised_away(entry):
            return False
        here, was_over = len(self.log.entries), self.over is not None
        turn, standing = self.log.now.turn, self.log.now
        try:
            new = self.log.take(entry)
        except Gap:
            self.outgoing.append((sender, Want(self.log.table, max(0, here - 1))))
            return False
        except Late:
            self._show_branch(sender, entry, now)
            return False
        except (Fork, Desync) as error:
            return self._convict(error, sender, entry, now)
        except Fault as error:
            self._blame(sender, entry, error)
            return False
        if new:
            if self.log.since == here and self.log.entries[here] is entry:
                self._doubt(entry, turn, now, clocked=standing.terms.clock is not None and not standing.rest)
            self._went_on(now, here, was_over=was_over)
        return True

    def _show_branch(self, sender: bytes, entry: Entry, now: int) -> None:
        """Another branch stands there than here: show this one, and ask for that one from further back.

        Once a heartbeat, because two who differ would answer each other for ever.
        """
        if sender in self._answered:
            return
        self._answered.add(sender)
        start = entry.index
        if start and entry.before != self.log.entries[start - 1].hash:
            back = self._steps_back.get(sender, FIRST_STEP_BACK)
            self._steps_back[sender] = min(2 * back, MOST_ENTRIES_TOLD)
            start = max(0, start - back)
            self.outgoing.append((sender, Want(self.log.table, start)))
        self._send(sender, start, now)
        if 0 < entry.index < len(self.log.entries):
            self.outgoing += [(sender, vouch) for vouch in self.accord.vouches(self.log.entries[entry.index])]

    def _convict(self, error: Fork | Desync, sender: bytes, entry: Entry, now: int) -> bool:
        """A key has signed what proves its guilt. All peers keep the same of two entries, and its seat has to go."""
        proof = (self.log.entries[entry.index], entry) if isinstance(error, Fork) else (entry,)
        if error.culprit == self.identity.key:
            self._stop(Stopped(error.culprit, f"{error}: another program plays with this identity", ()))
            return False
        before, was_over = len(self.log.entries), self.over is not None
        if isinstance(error, Fork) and self.log.take_aside([entry]):
            self._went_on(now, before, was_over=was_over)
        elif isinstance(error, Fork):
            self._show_branch(sender, entry, now)
        if entry.author == NOBODY or not self.accord.convict(error, *proof):
            self.events.append(Blamed(error.culprit, str(error)))
        self._carry(now)
        return isinstance(error, Fork)

    def _blame(self, sender: bytes, entry: Entry, error: Fault) -> None:
        if entry.kind == "excluded" and entry.body[0] == self.seat and len(entry.body[1]) == 1:
            self._stop(Stopped(sender, "another program computes other positions than this one", ()))
        self._keep_fault(entry, error)
        self.events.append(Blamed(sender if error.culprit == NOBODY else error.culprit, str(error)))

    def _keep_fault(self, entry: Entry, error: Fault) -> None:
        """Keep what a seat signed and what can't stand at this head: one such entry proves it against its author."""
        signed = error.culprit == entry.author != NOBODY and entry.before == self.log.head and entry.is_signed()
        if not signed or entry.author not in self.log.now.keys:
            return
        for number in range(MOST_FAULTS):
            kept = self.shelf.secret(self.log.table, f"fault/{number}")
            if kept is None:
                fault = pack((error.culprit, str(error), (entry.data,)))
                self.shelf.keep_secret(self.log.table, f"fault/{number}", fault)
                return
            if unpack(kept)[0] == error.culprit:
                return

    def fail(self) -> None:
        """Go on no more, by a fault of this program (net/guard.py); the log is kept, and nobody is blamed."""
        self.stopped = Stopped(NOBODY, "this program made a mistake here; the table goes on when it is resumed")
        self.events.append(self.stopped)

    def _stop(self, stopped: Stopped) -> None:
        self.stopped = stopped
        self.events.append(stopped)

    def _is_promised_away(self, entry: Entry) -> bool:
        return self.accord.refuses(entry)

    def _doubt(self, entry: Entry, turn: int | None, now: int, *, clocked: bool) -> None:
        measured = now - self.began
        counts = turn is not None and clocked and entry.author != NOBODY and entry.kind not in UNTIMED
        if turn is not None and counts and self.doubts.add(turn, entry.used, measured):
            self.events.append(Doubted(turn, entry.used, measured, self.doubts.totals[turn]))

    def _went_on(self, now: int, before: int, *, was_over: bool = False, kept: bool = False) -> None:
        """New entries are in the log, `before` entries long until now: what was bound to the old head is void."""
        since, self.began = self.log.since, now
        for entry in self.log.entries[since:]:
            if not kept:
                self.shelf.keep_entry(entry)
            self.events.append(Took(entry, entry.index < before, was_over and entry.index == since < before))
        self._settled = min(self._settled, since)
        self.accord.clear(replaced=since < before)
        if not self._carry(now):
            self._serve(now)

    def _carry(self, now: int) -> bool:
        """Write what is due of all that the seats have decided together."""
        if self._writes_next and (said := self._unsaid.get(self.log.head)):
            self._write(said.kind, said.body, now)
            return True
        while not self.stopped and (due := self.accord.due(writes_next=self._writes_next)):
            kind, body, alone = due
            try:
                self._write(kind, body, now, alone=alone)
            except Fault:
                if kind != "excluded":
                    raise
                self.accord.acquit(body[0])  # what was proved about another branch proves nothing about this one
            else:
                return True
        return False

    def _serve(self, now: int) -> None:
        """Give the deck what it waits for, if that is mine to give. What it takes beyond the usual is my time."""
        if not self._writes_next or not (owed := self.hand.owed()):
            return
        used = max(0, now - self.began - LAG) if self._charges_duties and not self.log.now.rest else 0
        if self._charges_duties and used > self.log.now.remaining[self.seat or 0]:
            self.lose("time", now)
        else:
            self._write(*owed, now, used)

    @property
    def _charges_duties(self) -> bool:
        """Whether time that a seat takes to serve the deck is taken off its clock. Protocol 1 did not do so."""
        return self.log.now.terms.clock is not None and self.log.now.protocol > 1

    def _write(self, kind: str, body: tuple[Any, ...], now: int, used: int = 0, *, alone: bool = True) -> None:
        """The next entry: checked, stored, and only then sent. What was signed at this head before is said again."""
        entry = self._unsaid.get(self.log.head) if alone else None
        if entry is None:
            entry = self.log.write(kind, body, self.identity if alone else None, used)
        self.shelf.keep_entry(entry)
        self.log.take(entry)
        self.outgoing.append((None, Entries(entry.table, (entry.data,))))
        self._went_on(now, entry.index, kept=True)

    # Time

    def time_left(self, seat: int, now: int) -> int | None:
        """What a seat's clock shows, None without clocks."""
        standing = self.log.now
        if standing.terms.clock is None:
            return None
        running = now - self.began if standing.turn == seat and not (self.stopped or standing.rest) else 0
        return standing.remaining[seat] - running

    def flag_fell(self, seat: int, now: int) -> bool:
        """Whether that seat's time is up by the clock of this machine, by more than the network explains."""
        left = self.time_left(seat, now)
        return left is not None and left < -LAG

    @property
    def deadline(self) -> int:
        """When `wake` is wanted."""
        if self.is_my_turn and self.log.now.terms.clock and not self.log.now.rest:
            seat = self.log.now.turn
            return min(self._beat, self.began + self.log.now.remaining[seat or 0])
        return self._beat

    def wake(self, now: int) -> None:
        """My flag falls by my own word; the others hear how far my log goes, and what I signed."""
        self._go_on(now)
        self._serve(now)
        if self.is_my_turn and not self.over:
            left = self.time_left(self.seat or 0, now)
            if left is not None and left < 0:
                self.lose("time", now)
        if now >= self._beat:
            self._beat = now + HEARTBEAT
            self._answered.clear()
            said = [self._head(), *([] if self.stopped or self.over else self.accord.said())]
            self.outgoing += [*((None, message) for message in said), *self.accord.calls()]
