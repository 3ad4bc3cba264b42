"""A table at play, as a seat or a watcher: the heart of a game on the network.

A move becomes an entry of the log: checked, stored, and only then sent (`play`, `_write`). An entry of another peer
comes in by `receive`, which looks up what to do with a message in this phase (`RECEIVES`), and is added to the log
(`_take_all`). After each new entry this peer writes what is due: a decision of all (accord.py), or its duty to the deck
(`_serve`). Lost messages are asked for again: each peer tells the length of its log every second (`wake`), and sends
the entries that another lacks (`_compare`).

No sockets and no clock: `now` comes in (milliseconds), messages go out through `outgoing`, events for a person through
`events`. net/game_log/log.py decides whether an entry is valid. Specification: docs/protocols/play.md.

One promise holds through any crash, because it is on disk before it is sent: this peer never signs two entries for
one place.
"""

from collections.abc import Container, Iterable
from enum import Enum
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import Buckets, a_second
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.transitions import transitions
from quadrille.net.entries.bodies import BeginBody, EntryBody, ExcludedBody, LeftBody, MoveBody
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.entries.motions import BackMotion, HandMotion, TableMotion
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.terms import MOST_ENTRIES
from quadrille.net.entries.wire import (
    MOST_ENTRIES_TOLD,
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
    Vouch,
    Want,
)
from quadrille.net.game_log import books
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed, ChatLine, Opened, Presence, Stopped, Took
from quadrille.net.game_log.own_cards import OwnCards
from quadrille.net.tables.accord import Accord, Convictions, TableContext
from quadrille.net.tables.said_lines import SaidLines
from quadrille.net.trust.identity import Identity
from quadrille.rules.core import Over, State, refusal
from quadrille.rules.errors import RulesError

#: Milliseconds between two heads that a peer sends.
HEARTBEAT: Final = 1000
#: Milliseconds for which a finished table still sends by itself; then it is silent, and only answers.
LAST_WORDS: Final = 10_000
#: Milliseconds of delay that the network explains for a single entry: a heartbeat until the lack of it is seen, and one
#: to fetch it. With less a slow line would put a player out; each duty to the deck may take so long without a charge.
LAG: Final = 2000
#: Milliseconds after another seat's first head, five heartbeats, in which other seats may report a longer log.
CATCHING_UP: Final = 5000
#: Maximum bytes of entries in one message, unless a single one is larger; an envelope holds 63,000.
MOST_BYTES: Final = 48_000
#: How many entries back a peer first asks for another branch: most forks are nearer. Each vain answer doubles it.
FIRST_STEP_BACK: Final = 8
#: Bytes of the log per second and in a burst, so that nobody fills our line by asking for it again and again: for a
#: seat, for another peer. Then the price of an empty answer.
SEAT_RATE: Final = (1 << 20, 1 << 21)
OTHERS_RATE: Final = (1 << 18, 1 << 19)
ANSWER: Final = 256
#: Maximum people in line for a seat of a table, before its game and at play; the words that end a place there.
MOST_IN_LINE: Final = 8
IN_LINE: Final = " in line"
#: The state of a table that `waits_for_head`, for a person.
WAITS: Final = "waiting to hear from another seat how far the game is"


class TablePhase(Enum):
    """A table's phase for one peer."""

    WAITING = "waiting"  # resumed; this peer writes nothing before it has caught up
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"  # another program plays with this identity; the log is full; or this program made a mistake


class TableReaction(Enum):
    """The effect of a message."""

    TAKE = "take"  # check each entry, and add it to the log
    COMPARE = "compare"  # send what the other lacks, or ask for what is missing here
    SEND = "send"  # send entries from that index on
    DECIDE = "decide"  # a signature, a refusal or a resignation; a complete decision becomes an entry
    WEIGH = "weigh"  # another branch may stand now
    REVEAL = "open"  # once the game is over, keep the secrets that fit their keys
    CHAT = "say"  # report a new line
    SEND_ALL = "tell"  # send the whole log, and this peer's lines
    DROP = "drop"


TAKE, COMPARE, SEND, DECIDE, WEIGH, REVEAL, CHAT, SEND_ALL, DROP = TableReaction
#: The reaction to each message in each phase; other messages are ignored. docs/protocols/play.md prints this table.
RECEIVES: Final = transitions(
    TablePhase,
    {
        # WAITING PLAYING OVER STOPPED
        Entries: (TAKE, TAKE, TAKE, DROP),
        Head: (COMPARE, COMPARE, COMPARE, COMPARE),
        Want: (SEND, SEND, SEND, SEND),
        Motion: (DECIDE, DECIDE, DECIDE, DROP),
        Decline: (DECIDE, DECIDE, DECIDE, DROP),
        Resign: (DECIDE, DECIDE, DECIDE, DROP),
        Vouch: (WEIGH, WEIGH, WEIGH, DROP),
        Book: (DROP, DROP, REVEAL, REVEAL),
        Chat: (CHAT, CHAT, CHAT, CHAT),
        Ask: (SEND_ALL, SEND_ALL, SEND_ALL, SEND_ALL),
        Propose: (SEND_ALL, SEND_ALL, SEND_ALL, SEND_ALL),
    },
)
#: The reactions to players alone (`Table.hears`).
FOR_PLAYERS: Final = frozenset((TAKE, DECIDE, WEIGH, REVEAL))


class LogMark(NamedTuple):
    """The length of a log at some time, the keys that wrote for its seats then, and whether the game was over."""

    length: int
    keys: tuple[bytes, ...]
    over: bool


class PlacesInLine:
    """Those in line for a seat, as one peer has heard them: each key has one place, and keeps it when it asks again."""

    def __init__(self, first: Iterable[bytes] = ()) -> None:
        """Let the keys `first` go before all others, in their order: they waited at the table before."""
        self.asks: dict[bytes, Ask] = {}
        self.first = tuple(first)

    def take(self, key: bytes, ask: Ask, here: Container[bytes] | None = None) -> str:
        """Put a peer in line and return the place in words; "" if too many wait. A peer not `here` makes room."""
        if key not in self.asks and len(self.asks) >= MOST_IN_LINE:
            gone = next((asker for asker in self.asks if here is not None and asker not in here), None)
            if gone is None:
                return ""
            del self.asks[gone]
        self.asks[key] = ask
        return f"number {self.keys.index(key) + 1}{IN_LINE}"

    @property
    def keys(self) -> list[bytes]:
        first = {key: place for place, key in enumerate(self.first)}
        return sorted(self.asks, key=lambda key: first.get(key, len(first)))


class Table:
    """The log of a table, what is due on it, and what the others have of it."""

    def __init__(
        self, log: Log, identity: Identity, shelf: TableStore, now: int, lines: Iterable[tuple[bytes, Chat]] = ()
    ) -> None:
        """Open a table with a log that has begun. Load this peer's promises and opened books from before a crash.

        `lines` are the lines from before the game.
        """
        self.log, self.identity, self.shelf = log, identity, shelf
        self.hand = OwnCards(log, identity, shelf)
        self._context = context = TableContext(log, identity, shelf, self.hand)
        self.outgoing, self.events, self.gone = context.outgoing, context.events, context.gone
        #: The peers that are at this table, and not only on the network.
        self.at: set[bytes] = set()
        #: The peers that look on; of them those who wait for a seat. The seats that this peer offers to others.
        self.watchers: set[bytes] = set()
        self.line = PlacesInLine()
        self.opened: set[int] = set()
        self.convictions = Convictions(context)
        self.accord = Accord(context)
        for page in books.pages(log):
            if (kept := context.secret(_book_label(*page))) is not None:
                log.books[page] = kept
        self._said = SaidLines(log.table, identity.key, shelf)
        self._repeat_lines(lines)
        #: Whether this peer looks on, and has asked for a seat.
        self.wants_seat = False
        #: Why the table can't go on here: nothing more is added or written.
        self.stopped: Stopped | None = None
        #: When the last entry came.
        self.began = now
        self._beat = now
        self._ends: int | None = None  # when a finished table becomes silent
        self.is_silent = False
        self._signed = self._signed_before()
        #: Whether this seat writes nothing yet, because its stored log may be older than what it has signed.
        self.waits_for_head = False
        self._told: dict[bytes, tuple[int, int]] = {}  # the last length that each other seat reported, and since when
        self._answered: set[bytes] = set()  # to whom our branch was shown since the last heartbeat
        self._steps_back: dict[bytes, int] = {}
        self._accusers: set[bytes] = set()  # the others who say that this seat computes false positions
        self._for_seats = Buckets[bytes](a_second(*SEAT_RATE), shared=log.now.terms.seats)
        self._for_others = Buckets[bytes](a_second(*OTHERS_RATE), shared=8)
        self._stop_if_full()

    def _signed_before(self) -> dict[bytes, Entry]:
        """Map each head to the entry that I signed there, in this branch or another."""
        here = {entry.data: entry for entry in self.log.entries}
        kept = [here.get(data) or read_entry(data) for data in self.shelf.entries(self.log.table)]
        return {entry.before: entry for entry in kept if entry.author == self.identity.key}

    def _repeat_lines(self, lines: Iterable[tuple[bytes, Chat]]) -> None:
        seated = {chair.key for chair in self.log.now.chairs}
        for author, chat in lines:
            if author == self.identity.key:
                self._said.say(chat.line)
            elif author in seated:
                self._said.hear(author, chat)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that this peer writes for; a watcher has none."""
        return self._context.seats

    @property
    def seat(self) -> int | None:
        """Of these seats the one whose turn it is, else the first; None for a watcher."""
        seats, turn = self.seats, self.log.now.turn
        return turn if turn in seats else next(iter(seats), None)

    @property
    def over(self) -> Over | None:
        return self.log.now.over

    @property
    def phase(self) -> TablePhase:
        if self.stopped:
            return TablePhase.STOPPED
        if self.over:
            return TablePhase.OVER
        return TablePhase.WAITING if self.waits_for_head else TablePhase.PLAYING

    @property
    def is_my_turn(self) -> bool:
        return self._writes_next and self.log.now.due is None

    @property
    def bot_giving_way(self) -> int | None:
        """The bot whose seat can be handed on now. Only while a person is to move have all time to answer. The entries
        say which bot: two at once would open two motions, and carry neither.
        """
        now = self.log.now
        bots = [seat for seat in now.seats_in() if now.chairs[seat].kind == "bot"]
        has_time = now.turn is not None and now.chairs[now.turn].is_person
        return bots[len(self.log.entries) % len(bots)] if bots and has_time else None

    @property
    def _writes_next(self) -> bool:
        """Return True if this peer owes the next entry: its move, or a duty to the deck."""
        return self.phase is TablePhase.PLAYING and self.log.now.turn in self.seats

    @property
    def view(self) -> State[Any, Any]:
        """The position as the seat of this peer knows it."""
        return self.view_of(self.seat)

    def view_of(self, seat: int | None) -> State[Any, Any]:
        """Return the position as a seat of this peer knows it, or a watcher."""
        match = self.log.now.match
        return self.hand.view(seat) if match.game.hidden else match.state

    # Called for a person

    def play(self, text: str, now: int) -> None:
        """Make a move, or lose on time if it comes too late; a RulesError explains a refusal."""
        if self.waits_for_head:
            raise RulesError(f"this table is {WAITS}: try again then")
        if not self.is_my_turn:
            raise RulesError("it is not your turn")
        standing = self.log.now
        state = self.view if standing.deck is None else standing.match.state
        move = standing.match.game.parse(text, state)
        if state.objection(move) is not None:
            raise refusal(state, move)
        left = self.time_left(standing.turn or 0, now)
        if left is not None and left < 0:
            return self.lose("time", now)
        self._write(MoveBody(str(move)), now, 0 if standing.paused else max(0, now - self.began))
        return None

    def resign(self, now: int, seat: int | None = None) -> None:
        """Resign a seat, by default the one to move: at once on my turn, otherwise by the author of the next entry."""
        seat = self.seat if seat is None else seat
        if seat is None or seat not in self.seats or seat in self.log.now.lent or self.over or self.stopped:
            return  # a lent seat is its owner's to resign
        resignation = self.accord.resign(seat)
        if not self._carry(now):
            self._context.say(resignation)

    def lose(self, how: str, now: int) -> None:
        """State that my seat loses on its move (`BY_ITSELF`): its time is up, or its program failed."""
        charged = how == "time" and self._writes_next and self.clocks is not None
        if self.seat is not None and (self.is_my_turn or charged):
            self._write(LeftBody(self.seat, how, secret=self.hand.secret(self.seat)), now)

    def agree(self, motion: TableMotion, now: int) -> bool:
        """Propose a motion, or sign the open one. Return False if this peer has nothing to sign now; a RulesError
        explains why the motion is impossible.
        """
        if self.stopped or (self.waits_for_head and not isinstance(motion, BackMotion)):
            return False
        agreed = self.accord.agree(motion, lambda seat: self.flag_fell(seat, now))
        self._carry(now)
        return agreed

    def hand_on(self, seat: int, waiting: Iterable[tuple[bytes, str]], now: int) -> None:
        """Propose that the first of those waiting who can plays on at a seat. Called at every turn, it proposes that
        again after each entry, which ends an open motion. Another one goes first, unless its newcomer has left.
        """
        newcomer = self.accord.newcomer
        if self.accord.open is not None and (newcomer is None or newcomer in self.at):
            return
        fitting = (HandMotion(seat, key, name) for key, name in waiting)
        motion = next((motion for motion in fitting if self.log.motion_objection(motion) is None), None)
        if motion is not None:
            self.agree(motion, now)

    def _answer_as_newcomer(self, now: int) -> None:
        """Sign the motion that gives this peer a seat for which it has asked; decline any other such motion."""
        motion = self.accord.open
        if self.seats or motion is None or motion.key != self.identity.key:
            return
        if self.wants_seat:
            self.agree(motion, now)
        else:
            self.decline()

    def decline(self) -> None:
        self.accord.decline()

    def open_book(self) -> None:
        """Reveal the secrets of my keys after the game, so that all cards can be shown."""
        if self.over is not None:
            for page, secret in books.own(self.log, self.identity, self.shelf).items():
                self._keep_page(page, secret)
            self._context.say(*self._book())

    def say(self, line: str) -> None:
        chat = self._said.say(line)
        self.events.append(ChatLine(self.identity.key, line))
        self._context.say(chat)

    def lines(self) -> list[ChatLine]:
        return [ChatLine(author, chat.line) for author, chat in self._said]

    def resume(self) -> None:
        """Write nothing before another seat has reported its length: the stored log may be an old backup."""
        self.waits_for_head = self.seat is not None and bool(self._others()) and not self.over

    # Called for other peers

    def came(self, key: bytes, now: int) -> None:
        """Send the head of the log to a peer that is at this table."""
        self.at.add(key)
        for seat in self.log.now.seats_of(key):
            if self.gone.pop(seat, None) is not None:
                self.events.append(Presence(seat, True))
        self._tell(key, self.head, *self._said.own(), *self._book())
        self._beat = min(self._beat, now)

    def went(self, key: bytes, now: int) -> None:
        self.at.discard(key)
        self.watchers.discard(key)  # it is one again with its next message
        for seat in self.log.now.seats_of(key):
            if seat not in self.gone:
                self.gone[seat] = now
                self.events.append(Presence(seat, False))

    def overdue(self, now: int) -> tuple[int, ...]:
        """Return the seats in the game that have been gone for longer than the terms' grace.

        A seat that is here but keeps the deck waiting counts too: its program would answer at once.
        """
        standing = self.log.now
        since = dict(self.gone)
        if standing.turn is not None and standing.due is not None:
            since.setdefault(standing.turn, self.began)
        inside, grace = standing.seats_in(), standing.terms.grace
        return tuple(seat for seat in sorted(since) if seat in inside and now - since[seat] >= grace)

    def players(self) -> set[bytes]:
        """Return the keys that write for seats or sat down there."""
        return {*self.log.now.keys, *(chair.key for chair in self.log.now.chairs)}

    def concerned(self) -> set[bytes]:
        """Return the keys of everybody at the table: players and watchers."""
        return self.players() | self.watchers

    def hears(self, key: bytes) -> bool:
        """Return True if that peer may add to the log: it plays, or is to get a seat. A newcomer may know before this
        peer that all have agreed.
        """
        motion = self.accord.open
        return (motion is not None and key == motion.key) or key in self.players()

    def _begins_with(self, key: bytes, message: Message) -> bool:
        """Return True for a message about another beginning of this table, in which its author and this peer sit."""
        match message:
            case Entries(_, (Entry(body=BeginBody() as body), *_)):
                return len(self.log.entries) == 1 and {key, self.identity.key} <= {*body.keys}
        return False

    def receive(self, author: bytes, message: Message, now: int, *, asked: bool = False) -> None:
        """Process a message about this table. A watcher hears the peer that it `asked` as it hears players."""
        reaction = RECEIVES[type(message)][self.phase] if type(message) in RECEIVES else DROP
        plays = asked or self.hears(author) or self._begins_with(author, message)
        match reaction if plays or reaction not in FOR_PLAYERS else DROP, message:
            case TableReaction.TAKE, Entries(_, entries):
                self._take_all(author, entries, now)
            # Only players add to the log: nobody else makes us ask for entries that it claims to have.
            case TableReaction.COMPARE, Head(_, told) if plays or told < len(self.log.entries):
                self._compare(author, message, now)
                if self.waits_for_head and self.log.now.has_seat(author):
                    self._told[author] = (told, self._told.get(author, (0, now))[1])
            case TableReaction.SEND, Want(_, start):
                self._send(author, start, now)
            case TableReaction.DECIDE, Motion() | Decline() | Resign():
                self.accord.hear(author, message)
                self._answer_as_newcomer(now)
                self._carry(now)
            case TableReaction.WEIGH, Vouch(_, before, entry, key, signature):
                mark = self._mark()
                if self.log.vouch(key, entry, before, signature):
                    self._went_on(now, mark)
                elif (freed := self.log.next_aside(entry)) is not None:
                    self._take_all(author, (freed,), now)
            case TableReaction.REVEAL, Book() if self.over is not None:
                self._open_pages(author, message)
            case TableReaction.CHAT, Chat():
                if self._said.hear(author, message):
                    self.events.append(ChatLine(author, message.line))
            case TableReaction.SEND_ALL, Ask() | Propose():
                if self._send(author, 0, now):
                    self._tell(author, *self._said.own())
        if self._catches_up(now):
            self._write_what_is_due(now)

    # A seat that comes back

    def _others(self) -> set[bytes]:
        standing = self.log.now
        return {standing.keys[seat] for seat in standing.seats_in()} - {self.identity.key}

    def _catches_up(self, now: int) -> bool:
        """Let a waiting seat write once all other seats have reported their length, and this log is as long.

        It waits for absent seats, or for a length that nobody proves, no longer than `CATCHING_UP`.
        """
        if not self.waits_for_head or not self._told:
            return False
        lengths, length = [told for told, _ in self._told.values()], len(self.log.entries)
        late = now - min(since for _, since in self._told.values()) >= CATCHING_UP
        all_told = self._others() <= self._told.keys()
        self.waits_for_head = not ((all_told and length >= max(lengths)) or (late and length >= min(lengths)))
        return not self.waits_for_head

    # The log and its copies at other peers

    @property
    def head(self) -> Head:
        return Head(self.log.table, len(self.log.entries), self.log.head)

    def _compare(self, author: bytes, head: Head, now: int) -> None:
        """Compare logs: send what the other lacks, or ask for what is missing here."""
        length = len(self.log.entries)
        if head.length < length:
            same = head.length > 0 and self.log.entries[head.length - 1].hash == head.head
            self._send(author, head.length if same else max(0, head.length - 1), now)
        elif head.length > length or head.head != self.log.head:
            self._ask(author, length - 1)

    def _ask(self, key: bytes, start: int) -> None:
        self._tell(key, Want(self.log.table, max(0, start)))

    def _send(self, author: bytes, start: int, now: int) -> bool:
        """Send the entries from that index on, as many as one message holds; the peer asks for the rest.

        Send nothing and return False if the peer exceeds its rate.
        """
        size, chosen = 0, list[Entry]()
        for entry in self.log.entries[start : start + MOST_ENTRIES_TOLD]:
            size += len(entry.data) + 5
            if chosen and size > MOST_BYTES:
                break
            chosen.append(entry)
        budgets = self._for_seats if self.log.now.has_seat(author) else self._for_others
        if not budgets.take(author, now, ANSWER + size):
            return False
        if chosen:
            self._settle()
            self._tell(author, Entries(self.log.table, tuple(chosen)))
        return True

    def _settle(self) -> None:
        """Flush others' entries before they are relayed.

        A peer that relays a seat's entry must never sign later that the seat did not write it. The promise is on disk
        first, so it survives a power cut.
        """
        if self.seats and len({*self.log.now.keys}) > 2:
            self.shelf.settle(self.log.table)

    def _show(self, key: bytes, entry: Entry, now: int) -> None:
        """Show our branch with its vouches to a peer where another stands, and ask for the earlier entries of that one.

        Do so once per heartbeat, because two peers that differ would answer each other for ever.
        """
        if key in self._answered:
            return
        self._answered.add(key)
        start = entry.index
        if start and entry.before != self.log.entries[start - 1].hash:
            back = self._steps_back.get(key, FIRST_STEP_BACK)
            self._steps_back[key] = min(2 * back, MOST_ENTRIES_TOLD)
            start = max(0, start - back)
            self._ask(key, start)
        self._send(key, start, now)
        for own in self.log.entries[start : entry.index + 1]:  # somewhere there the branches part
            self._tell(key, *self.accord.vouches(own))

    def _tell(self, key: bytes, *messages: Message) -> None:
        self.outgoing += [(key, message) for message in messages]

    # Entries of others

    def _take_all(self, sender: bytes, entries: tuple[Entry, ...], now: int) -> None:
        """Add entries to the log, up to the first that is false.

        Put an entry that does not stand here aside, with all behind it: their branch may come to stand.
        """
        before = len(self.log.entries)
        for place, entry in enumerate(entries):
            mark = self._mark()
            try:
                if self.accord.refuses(entry):
                    self._put_aside(sender, entries[place:], now)
                    break
                if self.log.take(entry):
                    self._went_on(now, mark)
            except (Gap, Late) as error:
                if self._put_aside(sender, entries[place:], now):
                    break
                if isinstance(error, Gap):
                    self._ask(sender, mark.length - 1)
                else:
                    self._show(sender, entry, now)
                break
            except (Fork, Desync) as error:
                self._convict(error, sender, entries[place:], now)
                break
            except Fault as error:
                self._blame(sender, entry, error)
                break
        if len(entries) > 1 and len(self.log.entries) > before:
            self._tell(sender, self.head)

    def _put_aside(self, sender: bytes, entries: tuple[Entry, ...], now: int) -> bool:
        """Put entries aside, up to the first false one. Return True if their branch stands at once."""
        mark = self._mark()
        for entry in entries:
            try:
                self.log.put_aside(entry, sender)
            except Fault as error:
                self._blame(sender, entry, error)
                break
        if stands := self.log.reconsider():
            self._went_on(now, mark)
        return stands

    def _convict(self, error: Fork | Desync, sender: bytes, entries: tuple[Entry, ...], now: int) -> None:
        """Keep a proof of guilt. All peers keep the same of two entries, and the culprit's seat has to go."""
        entry = entries[0]
        if error.culprit == self.identity.key:
            self._stop(error.culprit, f"{error}: another program plays with this identity")
            return
        proof = error.proof if isinstance(error, Fork) else (entry,)
        if entry.author == NOBODY or not self.convictions.convict(error, *proof):
            self.events.append(Blamed(error.culprit, str(error)))
        if isinstance(error, Fork) and not self._put_aside(sender, entries, now):
            self._show(sender, entry, now)
        self._carry(now)

    def _blame(self, sender: bytes, entry: Entry, error: Fault) -> None:
        match entry.body:
            case ExcludedBody(seat, [_]) if seat in self.seats:
                self._accusers.add(sender)  # one may lie; not all others compute otherwise
                if self._others() <= self._accusers:
                    self._stop(sender, "another program computes other positions than this one")
        self.events.append(Blamed(sender if error.culprit == NOBODY else error.culprit, str(error)))
        self.convictions.keep_fault(entry, error)  # last: the disk may refuse it

    def fail(self) -> None:
        """Stop because of a fault in this program (net/trust/guard.py); the log is kept, and nobody is blamed."""
        self._stop(NOBODY, "this program made a mistake here; the table goes on when it is resumed")
        self.is_silent = True

    def _stop(self, culprit: bytes, reason: str) -> None:
        """Add and write nothing more, for this reason."""
        self.stopped = Stopped(culprit, reason)
        self.events.append(self.stopped)

    def _stop_if_full(self) -> None:
        """Stop before an entry that nobody could read."""
        if len(self.log.entries) >= MOST_ENTRIES and not self.over:
            self._stop(NOBODY, f"its log is full: it has {MOST_ENTRIES} entries")

    # Open books

    def _book(self) -> list[Book]:
        pages = tuple((*page, secret) for page, secret in sorted(self.log.books.items()))
        return [Book(self.log.table, pages[:MOST_ROWS])] if pages else []

    def _open_pages(self, author: bytes, book: Book) -> None:
        """Keep each secret of an opened book that fits its key."""
        try:
            for epoch, seat, secret in book.secrets:
                if (epoch, seat) not in self.log.books:
                    books.check(self.log, epoch, seat, secret)
                    self._keep_page((epoch, seat), secret)
        except PeerError as error:
            self.events.append(Blamed(author, str(error)))

    def _keep_page(self, page: tuple[int, int], secret: bytes) -> None:
        if page not in self.log.books:
            self._context.keep(_book_label(*page), secret)  # where the disk refuses it, it is taken when it comes again
            self.log.books[page] = secret
            self.events.append(Opened(*page))

    # Writing entries

    def _mark(self) -> LogMark:
        return LogMark(len(self.log.entries), self.log.now.keys, over=self.over is not None)

    def _went_on(self, now: int, before: LogMark, *, kept: bool = False) -> None:
        """Report the new entries of the log since this mark. Everything bound to the old head is void."""
        since, self.began = self.log.since, now
        for entry in self.log.entries[since:]:
            if not kept:
                self.shelf.keep_entry(entry, heard=True)
            if entry.author == self.identity.key:
                self._signed[entry.before] = entry  # its branch may give way and come back without it
            replaced = self.log.replaced if entry.index == since else ()
            self.events.append(Took(entry, replaced, before.over and bool(replaced)))
        for seat, (key, old) in enumerate(zip_longest(self.log.now.keys, before.keys)):
            if key != old:  # a stand-in's, an owner's, or that of another beginning, with more seats or fewer
                self._seat_anew(seat, key, now)
        # "After the end nobody goes on, so the last moves of a game are not final": the others hear of new ones.
        if not self.over or since < before.length:
            self._ends, self.is_silent = None, False
        self.accord.clear(replaced=since < before.length)
        self._stop_if_full()
        self._write_what_is_due(now)

    def _seat_anew(self, seat: int, key: bytes | None, now: int) -> None:
        """Note that another key writes for a seat, which is gone if the key's holder is."""
        self.gone.pop(seat, None)  # nobody is back: its present holder was never away
        if key is None or key == self.identity.key:
            self.wants_seat = False
        elif key not in self.at:
            self.gone[seat] = now

    def _write_what_is_due(self, now: int) -> None:
        if not self._carry(now):
            self._serve(now)

    def _carry(self, now: int) -> bool:
        """Write the joint decision that is due, if any."""
        if self._writes_next and (signed := self._signed.get(self.log.head)):
            self._write(signed.body, now)
            return True
        if self.stopped:
            return False
        mine = self._writes_next
        due = self.convictions.due(writes_next=mine) or self.accord.due(writes_next=mine)
        if due is not None:
            self._write(due.body, now, alone=due.alone)
        return due is not None

    def _serve(self, now: int) -> None:
        """Serve the deck if it waits for my seat. Time beyond the usual is charged to me."""
        standing = self.log.now
        if not (self._writes_next and standing.due is not None) or (body := self.hand.owed()) is None:
            return
        runs = self.clocks is not None and not standing.paused
        used = max(0, now - self.began - LAG) if runs else 0
        if used > standing.remaining[standing.turn or 0]:
            self.lose("time", now)
        else:
            self._write(body, now, used)

    def _write(self, body: EntryBody, now: int, used: int = 0, *, alone: bool = True) -> None:
        """Write the next entry: check it, store it, and only then send it. Repeat an entry that was signed at this head
        before.
        """
        entry = self._signed.get(self.log.head) if alone else None
        if entry is None:
            entry = self.log.write(body, self.identity if alone else None, used)
        mark = self._mark()
        self.shelf.keep_entry(entry)
        self.log.take(entry)
        self._context.say(Entries(entry.table, (entry,)))
        self._went_on(now, mark, kept=True)

    # Time

    @property
    def clocks(self) -> Clocks | None:
        """The clocks; None without any. This machine measures the clock of the seat to move."""
        standing = self.log.now
        if standing.terms.clock is None:
            return None
        turn = None if self.stopped or standing.paused else standing.turn
        return Clocks(standing.terms.clock, standing.remaining, turn, self.began)

    def time_left(self, seat: int, now: int) -> int | None:
        """Return the time on a seat's clock; None without clocks."""
        clocks = self.clocks
        return None if clocks is None else clocks.at(seat, now)

    def flag_fell(self, seat: int, now: int) -> bool:
        """Return True if that seat's time is up by the clock of this machine, by more than the network explains."""
        left = self.time_left(seat, now)
        return left is not None and left < -LAG

    @property
    def deadline(self) -> int:
        standing = self.log.now
        if self.is_silent:
            return NO_DEADLINE
        if self.is_my_turn and standing.terms.clock and not standing.paused:
            flag_falls = self.began + standing.remaining[standing.turn or 0] + 1
            if flag_falls > self._beat - HEARTBEAT:  # once: where the disk refuses it, the next beat tries again
                return min(self._beat, flag_falls)
        return self._beat

    def wake(self, now: int) -> None:
        """Send the head of the log and my signatures again; write what is due, and state that my time is up."""
        if now < self.deadline:
            return  # another table is due (net/core/machine.py)
        self._beat = now + HEARTBEAT
        self._answered.clear()
        if self.over or self.stopped:
            self._ends = self._ends or now + LAST_WORDS
            self.is_silent = self.is_silent or now >= self._ends
        if not self.is_silent:
            self._context.say(self.head)
            self.outgoing += [] if self.over or self.stopped else self.accord.said()
        self._catches_up(now)
        self._write_what_is_due(now)  # after the beat, as the disk may refuse it: then it is tried with the next one
        if self.is_my_turn and (self.time_left(self.log.now.turn or 0, now) or 0) < 0:
            self.lose("time", now)


def _book_label(epoch: int, seat: int) -> str:
    return f"book/{epoch}/{seat}"
