"""A table at play: one peer's part in keeping step, whether it sits there or looks on.

A machine without sockets and without a clock of its own: time comes in as `now` (milliseconds), messages go out through
`outgoing`, what a person should know through `events`. What an entry means is net/log.py's affair; here is only when
one is written, sent, asked for, stored. Specification: protocols.md, "Play".

Two promises hold through any crash, because they are on disk before they are sent: no two entries of this peer in one
place, and no entry of a seat taken in a place where this peer has signed that the seat is gone.
"""

from collections.abc import Mapping
from typing import Any, Final

from quadrille.net import books
from quadrille.net.chatter import Chatter
from quadrille.net.entry import NOBODY, Entry, read_entry, resignation, statement
from quadrille.net.errors import PeerError
from quadrille.net.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.hand import Hand
from quadrille.net.identity import Identity, verified
from quadrille.net.log import Log
from quadrille.net.motions import BY_ALL, BY_OTHERS, back
from quadrille.net.news import Blamed, Declined, Doubted, Event, Line, Opened, Presence, Proposed, Stopped, Took
from quadrille.net.shapes import pack, unpack
from quadrille.net.shelf import Shelf
from quadrille.net.wire import (
    MOST_ROWS,
    Ask,
    Book,
    Chat,
    Decline,
    Entries,
    Head,
    Message,
    Motion,
    Propose,
    Resign,
    Want,
)
from quadrille.rules.core import Over, State
from quadrille.rules.errors import RulesError

HEARTBEAT: Final = 1000
#: How much less time than we measured a seat may say it used, for the way through the network.
LAG: Final = 2000
MOST_BYTES: Final = 48_000


class Table:
    """The log of a table, and what is due on it."""

    __slots__ = (
        "_answered",
        "_beat",
        "_chatter",
        "_declined",
        "_motion",
        "_promise",
        "_resigned",
        "_returning",
        "_settled",
        "_signed",
        "began",
        "events",
        "gone",
        "hand",
        "identity",
        "log",
        "outgoing",
        "shelf",
        "stopped",
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
        self._motion: tuple[Any, ...] | None = None
        self._signed: dict[int, bytes] = {}
        self._declined: tuple[Any, ...] | None = None
        self._resigned: dict[int, tuple[bytes, bytes]] = {}
        self._promise: tuple[bytes, tuple[Any, ...]] | None = None
        self._returning: dict[int, bytes] = {}
        self._settled = 0
        self.hand = Hand(log, identity)
        self._remember_promise()
        for epoch, seat in books.pages(log):
            if (kept := shelf.secret(log.table, f"book/{epoch}/{seat}")) is not None:
                log.books[epoch, seat] = kept

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
        return not self.stopped and self.seat is not None and self.log.now.turn == self.seat

    @property
    def view(self) -> State[Any, Any]:
        """The position as this peer knows it."""
        return self.hand.view

    # What a person does

    def play(self, text: str, now: int) -> None:
        """My seat moves; a RulesError says why it can't."""
        if not self.is_my_turn:
            raise RulesError("it is not your turn")
        standing = self.log.now
        state = standing.match.state
        move = standing.match.game.parse(text, state)
        if state.objection(move) is not None:
            raise state.refusal(move)
        self._write("move", (str(move),), now, 0 if standing.rest else max(0, now - self.began))

    def resign(self, now: int) -> None:
        """My seat goes out of the game: at once on my turn, else with whoever writes the next entry."""
        seat = self.seat
        if seat is None or self.over or self.stopped:
            return
        self._sign_resignation(seat)
        if not self._carry(now):
            self.outgoing.append((None, Resign(self.log.table, seat, *self._resigned[seat])))

    def _sign_resignation(self, seat: int) -> None:
        secret = self.hand.secret()
        self._resigned[seat] = (self.identity.sign(resignation(self.log.table, seat, secret)), secret)

    def lose(self, how: str, now: int) -> None:
        """My seat loses by its own word (`BY_ITSELF`): on its move its time is up, or its program failed."""
        if self.is_my_turn:
            self._write("left", (self.seat, how, b"", self.hand.secret()), now)

    def forfeit(self, seat: int, now: int) -> None:
        """The arbiter that the terms name takes the seat whose turn it is out of the game."""
        standing = self.log.now
        if self.identity.key == standing.terms.arbiter and standing.turn == seat and not self.stopped:
            self._write("left", (seat, "forfeit", b"", b""), now)

    def agree(self, motion: tuple[Any, ...], now: int) -> bool:
        """Propose a motion, or sign the one that is open. False when this peer has nothing to sign now; a RulesError
        says why the motion can't be carried at all.
        """
        seat = self.seat
        if motion[0] == "back":
            keys = [chair.key for chair in self.log.now.chairs]
            seat = keys.index(self.identity.key) if self.identity.key in keys else None
        if seat is None or self.over or self.stopped or seat not in self.log.now.needed(motion):
            return False
        if objection := self.log.motion_objection(motion):
            raise RulesError(objection)
        if (motion == self._motion and seat in self._signed) or (motion[0] == "back" and seat in self._returning):
            return True  # it is said again with every heartbeat
        self._declined = None
        if motion[0] in BY_OTHERS:
            if not self.gone.keys().isdisjoint(self.log.now.needed(motion)):
                return False  # who is not here can't sign it, and a promise would keep the seat out until then
            self._make_promise(motion)
        bound = self.log.now.bound(motion, self.log.head)
        assert bound is not None
        signature = self.identity.sign(statement(self.log.table, bound, motion))
        if motion[0] == "back":
            self._returning[seat] = signature
        elif motion == self._motion:
            self._signed[seat] = signature
        else:
            self._motion, self._signed = motion, {seat: signature}
        self._say_motion()
        self.events.append(Proposed(motion, (seat,) if motion[0] == "back" else tuple(sorted(self._signed))))
        self._carry(now)
        return True

    def decline(self) -> None:
        """Do not agree to the motion that is open."""
        if self._motion is not None:
            self.outgoing.append((None, Decline(self.log.table, self.log.head, self._motion)))
            self._declined = self._motion
            self._motion, self._signed = None, {}

    def open_book(self) -> None:
        """After the game: tell the secrets of my keys, so that all cards can be shown."""
        if self.over is not None:
            self._keep_book(books.own(self.log, self.identity))
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
        self.events.append(Line(self.identity.key, line))
        self.outgoing.append((None, chat))

    def lines(self) -> list[Line]:
        """What has been said, as far as it is remembered."""
        return [Line(author, line) for author, line in self._chatter.lines()]

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
                self._compare(author, length, head)
            case Want(_, start):
                self._send(author, start)
            case Motion():
                self._moved(author, message, now)
            case Decline(_, before, motion) if before == self.log.head and motion == self._motion:
                self._hear_decline(author, motion)
            case Resign():
                self._hear_resign(author, message, now)
            case Book() if self.over is not None:
                self._hear_book(author, message)
            case Chat():
                if self._chatter.hear(author, message):
                    self.events.append(Line(author, message.line))
            case Ask(_, "watch") | Propose():
                self._send(author, 0)
                self.outgoing += [(author, chat) for chat in self._chatter.own()]

    # Keeping step

    def _head(self) -> Head:
        return Head(self.log.table, len(self.log.entries), self.log.head)

    def _compare(self, author: bytes, length: int, head: bytes) -> None:
        """Somebody says how far its log goes."""
        here = len(self.log.entries)
        if length < here:
            self._send(author, max(0, length - 1))
        elif length > here or head != self.log.head:
            self.outgoing.append((author, Want(self.log.table, max(0, here - 1))))

    def _send(self, author: bytes, start: int) -> None:
        """The entries from there on, as many as one message holds; the rest is asked for again."""
        size, chosen = 0, []
        for entry in self.log.entries[start : start + 256]:
            size += len(entry.data) + 5
            if size > MOST_BYTES:
                break
            chosen.append(entry.data)
        if chosen:
            self._settle()
            self.outgoing.append((author, Entries(self.log.table, tuple(chosen))))

    def _settle(self) -> None:
        """Who hands on an entry of a seat must not sign later, after a power cut, that the seat never wrote it."""
        length = len(self.log.entries)
        if self.seat is not None and self._settled < length and self.log.now.terms.seats > 2:
            self.shelf.settle(self.log.table)
            self._settled = length

    def _take_all(self, sender: bytes, entries: tuple[bytes, ...], now: int) -> None:
        before = len(self.log.entries)
        for data in entries:
            if self.stopped or not self._take(sender, read_entry(data), now):
                break
        if len(entries) > 1 and len(self.log.entries) > before:
            self.outgoing.append((sender, self._head()))

    def _take(self, sender: bytes, entry: Entry, now: int) -> bool:
        """Take one entry; False when nothing behind it can be taken either."""
        if self._is_promised_away(sender, entry):
            return False
        here = len(self.log.entries)
        turn = self.log.now.turn
        try:
            new = self.log.take(entry)
        except Gap:
            self.outgoing.append((sender, Want(self.log.table, max(0, here - 1))))
            return False
        except Late:
            if sender not in self._answered:  # once a heartbeat: two who differ would answer each other for ever
                self._answered.add(sender)
                self._send(sender, entry.index)
            return False
        except (Fork, Desync) as error:
            proof = error.proof if isinstance(error, Fork) else (entry.data,)
            self._stop(Stopped(error.culprit, str(error), proof))
            return False
        except Fault as error:
            self.events.append(Blamed(sender if error.culprit == NOBODY else error.culprit, str(error)))
            return False
        if new:
            self.shelf.keep_entry(entry)
            self._doubt(entry, turn, now)
            self._went_on(entry, now, replaced=entry.index < here)
        return True

    def fail(self) -> None:
        """Go on no more, by a fault of this program (net/guard.py); the log is kept, and nobody is blamed."""
        self.stopped = Stopped(NOBODY, "this program made a mistake here; the table goes on when it is resumed")
        self.events.append(self.stopped)

    def _stop(self, stopped: Stopped) -> None:
        self.stopped = stopped
        self.shelf.keep_secret(self.log.table, "proof", pack((stopped.culprit, stopped.why, stopped.proof)))
        self.outgoing.append((None, Entries(self.log.table, stopped.proof)))
        self.events.append(stopped)

    def _doubt(self, entry: Entry, turn: int | None, now: int) -> None:
        measured = now - self.began
        clocked = self.log.now.terms.clock is not None and entry.index > 0 and not self.log.standings[-2].rest
        if entry.kind == "move" and turn is not None and clocked and measured - entry.used > LAG:
            self.events.append(Doubted(turn, entry.used, measured))

    def _went_on(self, entry: Entry, now: int, *, replaced: bool = False) -> None:
        """A new entry is in the log: all that was bound to the old head is void."""
        self.began = now
        self._motion, self._signed, self._declined, self._promise = None, {}, None, None
        inside, lent = self.log.now.seats_in(), self.log.now.lent
        before = self.log.standings[-2].lent if entry.index else {}
        self._returning = {
            seat: own for seat, own in self._returning.items() if seat in inside and lent.get(seat) == before.get(seat)
        }
        self._resigned = {seat: own for seat, own in self._resigned.items() if seat in inside}
        if self.seat in self._resigned and self.log.now.deck is not None:
            self._sign_resignation(self.seat)  # cards that were dealt anew have other keys
        self._settled = min(self._settled, entry.index)
        self.events.append(Took(entry, replaced))
        if not self._carry(now):
            self._serve(now)

    def _serve(self, now: int) -> None:
        """Give the deck what it waits for, if that is mine to give."""
        if not self.stopped and (owed := self.hand.owed()):
            self._write(*owed, now)

    def _write(self, kind: str, body: tuple[Any, ...], now: int, used: int = 0, *, alone: bool = True) -> None:
        """The next entry: checked, stored, and only then sent."""
        entry = self.log.write(kind, body, self.identity if alone else None, used)
        self.shelf.keep_entry(entry)
        self.log.take(entry)
        self.outgoing.append((None, Entries(entry.table, (entry.data,))))
        self._went_on(entry, now)

    # Motions

    def _say_motion(self) -> None:
        said = [(self._motion, seat, own) for seat, own in self._signed.items() if self._motion is not None]
        said += [(back(seat), seat, own) for seat, own in self._returning.items()]
        for motion, seat, signature in said:
            bound = self.log.now.bound(motion, self.log.head)
            assert bound is not None
            self.outgoing.append((None, Motion(self.log.table, bound, motion, seat, signature)))

    def _hear_decline(self, author: bytes, motion: tuple[Any, ...]) -> None:
        """One no ends a motion that all have to sign. One about a seat that is gone stays: that seat may stay away."""
        if author in [self.log.now.keys[seat] for seat in self.log.now.needed(motion)]:
            self.events.append(Declined(motion, author))
            if motion[0] in BY_ALL:
                self._motion, self._signed = None, {}

    def _moved(self, author: bytes, message: Motion, now: int) -> None:
        """Somebody hands on a signature for a motion at this head."""
        motion, seat = message.motion, message.seat
        bound = self.log.now.bound(motion, self.log.head)
        if message.before != bound or self.over or self.stopped or (seat == self.seat and motion[0] != "back"):
            return  # my own signature is no news; it may be an echo of what has been declined since
        if motion == self._declined:
            if motion[0] in BY_ALL:
                self.outgoing.append((author, Decline(self.log.table, self.log.head, motion)))
            return
        if objection := self.log.motion_objection(motion):
            self.events.append(Blamed(author, objection))
            return
        if seat not in self.log.now.needed(motion) or not self.log.motion_signed(motion, seat, message.signature):
            self.events.append(Blamed(author, f"{motion[0]}: a signature that is not that seat's own"))
            return
        if motion[0] == "back":
            if seat not in self._returning:
                self._returning[seat] = message.signature
                self.events.append(Proposed(motion, (seat,)))
                self._carry(now)
            return
        if self._motion is not None and self._motion != motion and self._signed:
            return
        if self._motion != motion:
            self._motion, self._signed = motion, {}
        if seat not in self._signed:
            self._signed[seat] = message.signature
            self.events.append(Proposed(motion, tuple(sorted(self._signed))))
            self._carry(now)

    def _make_promise(self, motion: tuple[Any, ...]) -> None:
        """Promise that a seat is gone, on disk first: from now on it writes nothing here that this peer takes."""
        if self._promise is None:
            self._promise = (self.log.head, motion)
            self.shelf.keep_secret(self.log.table, _promise_label(self.log.head), pack(motion))

    def _remember_promise(self) -> None:
        """After a crash: a promise at this head still stands, and is said again."""
        kept = self.shelf.secret(self.log.table, _promise_label(self.log.head))
        if kept is None or self.seat is None:
            return
        self._motion = unpack(kept)
        self._promise = (self.log.head, self._motion)
        own = self.identity.sign(statement(self.log.table, self.log.head, self._motion))
        self._signed = {self.seat: own}

    def _is_promised_away(self, sender: bytes, entry: Entry) -> bool:
        """Whether this is an entry of a seat that I signed to be gone, from one who may not have signed that.

        Another who should have signed and hands it on instead has not signed and will not: then the entry stands.
        """
        if self._promise is None or entry.before != self._promise[0]:
            return False
        standing, motion = self.log.now, self._promise[1]
        if entry.author != standing.keys[motion[1]]:
            return False
        return sender not in [standing.keys[seat] for seat in standing.needed(motion) if seat != self.seat]

    def _carry(self, now: int) -> bool:
        """Write what is due: a motion with all its signatures, a resignation."""
        standing = self.log.now
        if self.stopped or standing.over:
            return False
        if self._motion is not None:
            motion, needed = self._motion, standing.needed(self._motion)
            if motion[0] in BY_OTHERS and set(self._signed) == set(needed):
                self._write("motion", (motion, tuple(sorted(self._signed.items()))), now, alone=False)
                return True
            if self._writes_next and self.seat in self._signed and set(self._signed) == set(needed):
                others = {seat: own for seat, own in self._signed.items() if seat != self.seat}
                self._write("motion", (motion, tuple(sorted(others.items()))), now)
                return True
        if self._writes_next:
            for seat, signature in sorted(self._returning.items()):
                self._write("motion", (back(seat), ((seat, signature),)), now)
                return True
            for seat, (signature, secret) in sorted(self._resigned.items()):
                if self.log.takes_leave(seat, secret):
                    self._write("left", (seat, "resigned", signature, secret), now)
                    return True
        return False

    def _hear_resign(self, author: bytes, said: Resign, now: int) -> None:
        seat, own = said.seat, (said.signature, said.secret)
        if self.over or seat not in self.log.now.seats_in() or self._resigned.get(seat) == own:
            return
        if seat in self._resigned and not self.log.takes_leave(seat, said.secret):
            return  # an old one, said again: since then cards were dealt anew
        if not verified(self.log.now.chairs[seat].key, own[0], resignation(self.log.table, seat, own[1])):
            self.events.append(Blamed(author, "a resignation that is not that seat's own"))
            return
        self._resigned[seat] = own
        self._carry(now)

    # Time

    def time_left(self, seat: int, now: int) -> int | None:
        """What a seat's clock shows, None without clocks."""
        standing = self.log.now
        if standing.terms.clock is None:
            return None
        running = now - self.began if standing.turn == seat and not (self.stopped or standing.rest) else 0
        return standing.remaining[seat] - running

    @property
    def deadline(self) -> int:
        """When `wake` is wanted."""
        if self.is_my_turn and self.log.now.terms.clock and not self.log.now.rest:
            seat = self.log.now.turn
            return min(self._beat, self.began + self.log.now.remaining[seat or 0])
        return self._beat

    def wake(self, now: int) -> None:
        """My flag falls by my own word; the others hear how far my log goes, and what I signed."""
        self._serve(now)
        if self.is_my_turn and not self.over:
            left = self.time_left(self.seat or 0, now)
            if left is not None and left < 0:
                self.lose("time", now)
        if now >= self._beat:
            self._beat = now + HEARTBEAT
            self._answered.clear()
            self.outgoing.append((None, self._head()))
            self._say_motion()
            if self.seat in self._resigned and self.seat is not None:
                said = Resign(self.log.table, self.seat, *self._resigned[self.seat])
                self.outgoing.append((None, said))


def _promise_label(head: bytes) -> str:
    return f"promise/{head.hex()}"
