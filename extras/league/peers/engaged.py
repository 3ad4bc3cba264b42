"""A bot's programs, engaged by runners of tournaments: relays lines between runner and program.

The runner speaks with the program (docs/protocols/bots.md) and judges the game: nothing of a game is known here. A
machine without sockets; reliable_stream.py carries the bytes. One program for each engagement, reused for the next one.
Specification: extras/league/docs/runners.md.
"""

from collections.abc import Callable
from typing import Final

from quadrille.ai.bots.notes import Notes
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import GRACE
from quadrille.ai.bots.talk import now as ms
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import LONGEST_LINE, encode
from quadrille.extras.league.peers.reliable_stream import SENT, ReliableStream
from quadrille.extras.league.peers.table_lines import Course
from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import Buckets, Pace
from quadrille.net.core.machine import drain
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Engage, Engaged, Gone, Words
from quadrille.net.seating.lobby import Lobby, StrayMessage
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import plain_name

#: Milliseconds that a runner may be out of reach; then its engagements end, and a runner that comes back asks again.
AWAY: Final = 60_000
#: Milliseconds between two reports of a program's end, until the runner acknowledges it.
AGAIN: Final = 1000
#: Maximum unacknowledged bytes and unanswered messages; above them the program's output is not read.
_MOST_UNHEARD: Final = 1 << 18
_MOST_MESSAGES: Final = 64
#: Maximum bytes relayed at once.
_AT_ONCE: Final = 1 << 15
_OVER: Final = b'{"do": "over"'
_LONGEST_WHY: Final = 200
#: Maximum lines and bytes kept for a replacement, in case a reused program ends at once.
_MOST_OPENING: Final = 16
_LONGEST_OPENING: Final = 1 << 18
#: Programs started for one runner: at once, and as many more in a minute; twice that for all runners. Above it
#: Engage is answered by "full", after which an honest runner asks again each second.
STARTS: Final = Pace(120, 60_000, 120)
_FOR_ALL: Final = 2
#: Milliseconds for which a runner gets no program after an invalid line.
SHUT_OUT: Final = 60_000
#: Maximum runners that were reported to the owner and are remembered.
_MOST_NAMED: Final = 64

#: Starts a program with notes.
Lend = Callable[[], tuple[Program, Notes]]
#: Why a bot does not play for the runner with this key by these terms; None if it does.
Objection = Callable[[bytes, Terms], str | None]


class LentProgram:
    """A lent program, from one engagement to the next."""

    __slots__ = ("between_games", "greeting", "notes", "program")

    def __init__(self, program: Program, notes: Notes) -> None:
        self.program = program
        self.notes = notes
        #: Its greeting, which it sends only once.
        self.greeting: bytes | None = None
        self.between_games = True

    def tell(self, line: bytes) -> None:
        """Pass a line to it."""
        self.between_games = line.startswith(_OVER)
        self.notes.line(ms(), True, line)
        self.program.send(line)

    def hear(self) -> bytes | None:
        line = self.program.line()
        if line is not None:
            self.notes.line(ms(), False, line)
        return line

    def is_well(self) -> bool:
        """Tell whether it is still there, and says nothing before its next game."""
        try:
            return self.hear() is None
        except BotFault:
            return False

    def let_go(self) -> None:
        """End it, in the middle of a game without waiting: otherwise a runner could hold up the bot."""
        try:
            self.program.send(encode({"do": "quit"}))
            self.program.close(GRACE if self.between_games else 0)
        except BotFault:
            self.program.close()
        self.notes.end()


class Engagement:
    """One program and the runner that plays with it."""

    def __init__(self, table: bytes, runner: bytes, player: LentProgram, lend: Lend) -> None:
        self.runner = runner
        self.player = player
        self.stream = ReliableStream(table)
        self.fault: BotFault | None = None
        #: Since when the runner is out of reach, and when the fault is reported (again).
        self.away: int | None = None
        self.tell_due = 0
        self._lend = lend
        self._rest = b""
        self._course = Course()
        self._greeted = False
        self._unsaid = False
        self._unanswered = 0
        #: The lines to a reused program before its first answer: it may have been about to end.
        self._opening: list[bytes] | None = [] if player.greeting is not None else None

    def hear(self, words: Words, now: int) -> None:
        """Process a message of the runner."""
        self._unanswered = 0
        self.stream.receive(self.runner, words, now)
        new = drain(self.stream.events)
        *lines, self._rest = b"".join([self._rest, *new]).split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            raise PeerError(f"said a line of more than {LONGEST_LINE} bytes to a bot")
        for line in lines:
            self._tell(self._course.read(line), now)

    def _tell(self, line: bytes, now: int) -> None:
        if self.fault is not None:
            return
        if self._opening is not None:
            self._opening.append(line)
            if len(self._opening) > _MOST_OPENING or sum(map(len, self._opening)) > _LONGEST_OPENING:
                self._opening = None
        if not self._greeted and self.player.greeting is not None:  # it has greeted, and is not asked again
            self._greeted = True
            self.stream.say(self.player.greeting + b"\n", now)
            return
        try:
            self.player.tell(line)
        except BotFault as fault:
            self._fail(fault)

    def act(self, now: int) -> None:
        """Relay the program's output, in one message if possible: many would be a flood."""
        if self.stream.unheard > _MOST_UNHEARD or self._unanswered >= _MOST_MESSAGES:
            return
        words = b""
        while self.fault is None and len(words) < _AT_ONCE:
            try:
                line = self.player.hear()
            except BotFault as fault:
                if self._opening is None:
                    self._fail(fault)
                else:
                    self._begin_again()
                continue
            if line is None:
                break
            self._opening = None
            self._greeted = True
            if self.player.greeting is None:
                self.player.greeting = line
                if self._unsaid:
                    continue
            words += line + b"\n"
        else:
            self.player.program.hurry()
        if words:
            self._unanswered += 1
            self.stream.say(words, now)

    def _begin_again(self) -> None:
        """Replace a program that ended after its last game, as one for a single game does: the new one gets the same
        lines.
        """
        lines, self._opening = self._opening or [], None
        self.player.let_go()
        try:
            self.player = LentProgram(*self._lend())
            for line in lines:
                self.player.tell(line)
        except BotFault as fault:
            self._fail(fault)
        self._unsaid = self._greeted

    def _fail(self, fault: BotFault) -> None:
        self.fault = fault
        self.player.notes.end(fault)


class Engagements:
    """All engagements of a bot. `most` limits them together with the tables of peers.

    A runner that sends an invalid line loses that engagement; the bot continues all others.
    """

    def __init__(self, lobby: Lobby, lend: Lend, objects: Objection, most: int) -> None:
        self.news: list[str] = []
        self._lobby = lobby
        self._lend = lend
        self._objects = objects
        self._most = most
        self._open: dict[bytes, Engagement] = {}
        self._idle: list[LentProgram] = []
        self._paces = Buckets[bytes](SENT)
        self._named: dict[bytes, None] = {}
        self._trust = Buckets[bytes](Pace(1, SHUT_OUT))
        self._starts = Buckets[bytes](STARTS, shared=_FOR_ALL)

    def __len__(self) -> int:
        return len(self._open)

    def hear(self, stray: StrayMessage, now: int, at_tables: int) -> None:
        """Process a runner's message; the bot sits at that many tables of peers."""
        key, message = stray.key, stray.message
        engagement = None if message.table is None else self._open.get(message.table)
        if engagement is not None and engagement.runner != key:
            return
        match message:
            case Engage(table):
                reply, reason = ("yes", "") if engagement else self._asked(key, message, now, at_tables)
                self._lobby.outgoing.append((key, Engaged(table, reply, _line(reason), 0)))
            case Words(table) if engagement is None:
                self._lobby.outgoing.append((key, Gone(table)))
            case Words(table) if engagement is not None:
                try:
                    engagement.hear(message, now)
                except PeerError as error:
                    self._end(engagement, str(error), now)
            case Gone(table) if engagement is not None:
                self._leave(table)

    def _end(self, engagement: Engagement, reason: str, now: int) -> None:
        """End an engagement because of an invalid message."""
        runner, stream = engagement.runner, engagement.stream
        self._lobby.dropped(runner, reason)
        why = _line(f"does not go on, since its runner {reason}")
        self._lobby.outgoing.append((runner, Engaged(stream.table, "protocol", why, stream.said)))
        self._leave(stream.table)
        self._trust.of(runner).take(now)

    def _asked(self, key: bytes, asked: Engage, now: int, at_tables: int) -> tuple[str, str]:
        try:
            asked.terms.check()
        except PeerError as error:
            return "no", str(error)
        if (objection := self._objects(key, asked.terms)) is not None:
            return "no", objection
        if not self._trust.of(key).has(now):
            return "no", "you sent an invalid line: ask again in a minute"
        if at_tables + len(self) >= self._most:
            for engagement in self._open.values():
                if engagement.runner == key and not engagement.stream.outgoing:
                    engagement.stream.acknowledge()  # perhaps it is over for this runner, and its Gone was lost
            many = at_tables + len(self)
            return "full", f"it sits at {many} table{'' if many == 1 else 's'} already, as many as it may"
        try:
            player = self._player(key, now, fresh=asked.fresh)
        except BotFault as fault:
            return "no", f"its program {fault.why}"
        if player is None:
            return "full", "its program was started too often in the last minute"
        self._open[asked.table] = Engagement(asked.table, key, player, self._lend)
        self._name(key)
        return "yes", ""

    def _name(self, key: bytes) -> None:
        """Report a runner to the owner, once."""
        if key in self._named:
            return
        self._named[key] = None
        if len(self._named) > _MOST_NAMED:
            del self._named[next(iter(self._named))]
        peer = self._lobby.peers.get(key)
        name = plain_name(peer.name) if peer else "somebody"
        self.news.append(f"playing for {name} ({fingerprint(key)}), who runs a tournament, deals, and sees all cards")

    def _player(self, key: bytes, now: int, *, fresh: bool) -> LentProgram | None:
        """Take a reused program or start a new one; None if too many were started lately."""
        while self._idle:
            player = self._idle.pop()
            if player.is_well() and not fresh:
                return player
            player.let_go()
        return LentProgram(*self._lend()) if self._starts.take(key, now) else None

    def act(self, now: int) -> None:
        """Relay the programs' output; handle runners that are gone or back."""
        for table, engagement in list(self._open.items()):
            engagement.act(now)
            here = engagement.runner in self._lobby.here
            if here and engagement.away is not None:
                engagement.away = None
                engagement.stream.meet(now)
            elif not here and engagement.away is None:
                engagement.away = now
            elif engagement.away is not None and now - engagement.away > AWAY:
                self._leave(table)
                continue
            engagement.stream.wake(now)
            messages = engagement.stream.sent(self._paces.of(engagement.runner), now)
            self._lobby.outgoing += [(engagement.runner, words) for words in messages]
            if engagement.fault is not None and now >= engagement.tell_due:
                engagement.tell_due = now + AGAIN
                answer = Engaged(table, engagement.fault.kind, _line(engagement.fault.why), engagement.stream.said)
                self._lobby.outgoing.append((engagement.runner, answer))

    def _leave(self, table: bytes) -> None:
        """End an engagement; its program is kept if it waits for another game."""
        engagement = self._open.pop(table)
        if engagement.fault is None and engagement.player.between_games:
            engagement.player.notes.end()
            self._idle.append(engagement.player)
        else:
            engagement.player.let_go()

    def close(self) -> None:
        for player in [*self._idle, *(engagement.player for engagement in self._open.values())]:
            player.let_go()
        self._idle.clear()
        self._open.clear()


def _line(reason: str) -> str:
    """Write the reason as a line of a message."""
    return "".join(letter if letter.isprintable() else "?" for letter in reason)[:_LONGEST_WHY]
