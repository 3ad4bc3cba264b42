"""The conversation at a table on the network: the board, whose turn it is, what others do, what a person types.

It only asks and shows: net/table.py decides what is sent and when. No socket here; tests feed it events and lines.
"""

from typing import Final

from quadrille.client import arbiters
from quadrille.client.clocks import clock_text
from quadrille.client.conversation import DIGITS, Conversation, Parlour
from quadrille.client.files import FileExists, path_of, write_text
from quadrille.client.floods import Kind
from quadrille.client.foreign import shown
from quadrille.client.motions import Petition
from quadrille.client.pages import rules_text
from quadrille.client.replacing import Replacing
from quadrille.client.reports import heading, is_move, moves_text, player, result
from quadrille.client.table.local import forced
from quadrille.client.table_words import convicted_text, deals_text, doubts_text, few, is_kept, taken_text
from quadrille.client.words.commands import UNTIL_OVER, Place, help_text
from quadrille.net import archive
from quadrille.net.entry import NOBODY, Entry
from quadrille.net.identity import fingerprint
from quadrille.net.lobby import At, Began, Departed, Event, Invited
from quadrille.net.news import Blamed, Convicted, Declined, Doubted, Line, Opened, Presence, Proposed, Stopped, Took
from quadrille.net.station import Remark
from quadrille.net.table import WAITS, Table
from quadrille.net.wire import Offer
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.plain_text import drawing
from quadrille.rules.squares import quoted

HELP: Final = help_text(Place.TALK)
#: So long it may take to find those who are here, in milliseconds.
_FIRST_ROUND: Final = 4000


class NetworkTable(Conversation):
    """A table that has begun, for one who sits there or looks on."""

    def __init__(self, parlour: Parlour, table: Table) -> None:
        super().__init__(parlour)
        self.table = table
        self.petition = Petition(parlour, table, self)
        self._drawn = False
        self._told: tuple[bytes, bool] | None = None  # the head at which it was said whose turn it is, or that it waits
        self._typed = ""
        self._gone: set[int] = set()
        self._unmet: set[int] = set()  # who had not been found yet when we came
        self._came = parlour.now()
        self._books: set[int] = set()  # of which seats it was said that they opened it
        self._rematch: Invited | None = None
        self._followed: bytes | None = None  # whose entries I get when I look on
        self._file: str | None = None
        self._replacing = Replacing()
        self._doubts: dict[int, int] = {}  # the sums that were told beside the result
        self.commands = {
            "moves": lambda start: parlour.say(moves_text(self.table.log.now.match, start)),
            "board": lambda _: self.draw(),
            "seats": lambda _: self.say_seats(),
            "resign": self.resign,
            **self.petition.commands,
            "undo": self.petition.commands["takeback"],
            "agree": self.petition.commands["draw"],
            "say": self.chat,
            "invite": self.invite,
            "block": self.block,
            "play-on": self.play_on,
            "book": self.open_book,
            "save": self.save,
            "save!": self.save_over,
            "rematch": self.rematch,
            "rules": lambda _: parlour.say(rules_text(self.table.log.now.match.game)),
            "help": lambda _: parlour.say(HELP.format(example=self.example())),
            "quit": lambda _: self.leave(),
        }

    @property
    def names(self) -> list[str]:
        """What we call those who play, seat by seat: who sat down, or who plays on for that one."""
        standing, names = self.table.log.now, self.owners
        for seat, (key, chair) in enumerate(zip(standing.keys, standing.chairs, strict=True)):
            if key != chair.key:
                names[seat] = f"{self.parlour.called(key, self._name_in_log(key))} for {names[seat]}"
        return names

    @property
    def owners(self) -> list[str]:
        """What we call those who sat down, seat by seat, whoever plays on for them."""
        return [self.parlour.called(chair.key, chair.name) for chair in self.table.log.now.chairs]

    def _name_in_log(self, key: bytes) -> str:
        """What somebody went by when it was named to stand in."""
        motions = [entry.body[0] for entry in self.table.log.entries if entry.kind == "motion"]
        return next((name for kind, _, named, name in reversed(motions) if kind == "stand-in" and named == key), "")

    @property
    def lost_seat(self) -> int | None:
        """The seat that is mine and where another plays on."""
        own, standing = self.parlour.lobby.identity.key, self.table.log.now
        pairs = enumerate(zip(standing.keys, standing.chairs, strict=True))
        return next((seat for seat, (key, chair) in pairs if chair.key == own != key), None)

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        if self.table.over or self.table.stopped:
            return "over> "
        seat = self.table.seat
        return "watching> " if seat is None else f"player {seat + 1}> " if self.table.is_my_turn else "> "

    @property
    def is_idle(self) -> bool:
        """Whether the game waits for a line of this person, or for somebody who is not there."""
        table = self.table
        if table.over or table.stopped:
            return True
        turn, overdue = table.log.now.turn, table.overdue(self.parlour.now())
        silent = turn in overdue or turn in table.gone or self.petition.may_flag
        return table.seat is not None and (table.is_my_turn or silent or self.petition.waits)

    # What is said by itself

    def begin(self) -> None:
        """What is said first."""
        standing = self.table.log.now
        self.parlour.calls.sat_down(self.table.log.table)
        self._replacing.begin(self.table.log)
        say = self.parlour.say
        say(f"\n{heading(standing.match)}, table {self.table.log.table.hex()[:DIGITS]}")
        self.say_seats()
        self._gone, self._unmet = set(self.table.gone), set(self.table.gone)
        if said := arbiters.warning(self.parlour, standing.terms, standing.chairs[0].key, standing.chairs):
            say(f"{said}.")
        if standing.rest:
            say("No clock runs until the next move.")
        if self.table.waits_for_head:
            say(f"The table is {WAITS}.")
        if not self.table.over and self.lost_seat is not None:
            self._say_lost(self.lost_seat)
        elif not self.table.over:
            say(f"Type a move{self.example()}, or help." if self.table.seat is not None else "You look on; type help.")

    def _say_lost(self, seat: int) -> None:
        key = self.table.log.now.keys[seat]
        who = self.parlour.called(key, self._name_in_log(key))
        self.parlour.say(f"{who} plays on for you: type back to take your seat again.")

    def say_seats(self) -> None:
        """Who has which seat, who is here, and the clocks."""
        standing, now = self.table.log.now, self.parlour.now()
        for seat, chair in enumerate(standing.chairs):
            remarks = [f"  player {seat + 1}  {self.names[seat]} ({fingerprint(standing.keys[seat])})"]
            key = standing.keys[seat]
            if self.parlour.lobby.identity.key == key:
                remarks.append("you")
            if chair.kind != "person" and key == chair.key:
                remarks.append(f"a {chair.kind}")
            if seat not in standing.seats_in():
                remarks.append("out of the game")
            elif seat in self.table.gone:
                remarks.append("not here")
            if (left := self.table.time_left(seat, now)) is not None:
                remarks.append(clock_text(left))
            self.parlour.say(", ".join(remarks))

    def example(self) -> str:
        """A legal move, to show how moves are written."""
        return f" such as {next(iter(self.table.view.moves))}" if self.table.log.now.turn is not None else ""

    def draw(self) -> None:
        """Draw the position, and tell how the game ended if it has."""
        self._drawn = True
        self.parlour.say(f"\n{drawing(self.table.log.now.match.shown(self.table.view).scene())}\n")
        self.say_result()

    def say_result(self) -> None:
        """How the game ended, if it has."""
        standing = self.table.log.now
        if over := standing.over:
            seat = self.table.seat
            self.parlour.say(f"{result(standing.match, over, () if seat is None else (seat,), self.names)}\n")

    def tick(self) -> None:
        """All that has happened is heard, and time has passed."""
        table, now = self.table, self.parlour.now()
        while table.is_my_turn and forced(table.view):
            self._typed = ""
            table.play(str(next(iter(table.view.moves))), now)
            self.parlour.lobby.flush(now)
            taken = taken_text(table.log.entries[-1], table.log.now, self.names, self.owners)
            self.parlour.say(f"{taken}, there is no other move")
        self.petition.tick()
        self.say_sums()
        self._follow()
        if self.parlour.tells:
            self._tell()
        self._say_doubts()

    def _say_doubts(self) -> None:
        """Beside the result: what this machine measured beyond what seats stated. It is no part of the record."""
        if self.table.over and self._doubts != self.table.doubts.totals:
            self._doubts = dict(self.table.doubts.totals)
            if text := doubts_text(self._doubts, self.names):
                self.parlour.say(text)

    def _tell(self) -> None:
        """Where the game stands, once for each position; it is drawn at first, and whenever that is asked for."""
        table = self.table
        place = table.log.head, table.waits_for_head
        if self._told == place or not (table.over or table.log.now.owed == "move"):
            return  # what the programs do with the cards between two moves is soon done
        self._told = place
        if self._drawn:
            self.say_result()
        else:
            self.draw()
        if not (table.over or table.stopped or table.waits_for_head):
            self.parlour.say(self.turn_text())

    def turn_text(self) -> str:
        """Whose turn it is."""
        standing = self.table.log.now
        turn = standing.turn
        assert turn is not None
        left = self.table.time_left(turn, self.parlour.now())
        time = f" ({clock_text(left)} left)" if left is not None else ""
        if self.table.is_my_turn:
            return f"Your turn{time}."
        return f"It is the turn of {player(turn, self.names)}{time}."

    # What happens on the network

    def hear(self, event: Event | Remark) -> None:
        """Something happened on the network."""
        match event:
            case At(name, what) if name == self.table.log.table:
                self.hear_here(what)
            case At(name, Took()) if self.parlour.lobby.tables[name].is_my_turn:
                short = name.hex()[:DIGITS]
                self.parlour.say(f"It is your turn at another table: quadrille resume {short} goes there.")
            case Invited(key, name, _):
                self._invited(event, key, name)
            case Began(name) if self.parlour.calls.awaits(name) and name != self.table.log.table:
                self._plays_on_at(name)
            case Departed(peer) if peer.key == self._followed:
                self._followed = None
            case _:
                self.overhear(event)

    def hear_here(self, event: object) -> None:
        """Something happened at this table."""
        match event:
            case Took(entry, replaced):
                self._took(entry, replaced=replaced)
            case Convicted(culprit, _, proof):
                self.parlour.say(convicted_text(self.author(culprit), len(proof)))
            case Proposed() | Declined():
                self.petition.hear(event)
            case Presence(seat, here):
                self._came_or_went(seat, here=here)
            case Line(author, line) if author != self.parlour.lobby.identity.key:
                self.tell(Kind.CHAT, author, f"{self.author(author)}: {shown(line)}")
            case Opened(_, seat):
                self._opened(seat)
            case Blamed(culprit, why):
                text = f"{self.author(culprit)} sent what can't stand, and nothing has changed: {shown(why)}."
                kept = " What it signed is kept, as the proof." if is_kept(self.table, culprit, why) else ""
                self.tell(Kind.BLAME, culprit, text + kept)
            case Doubted(seat, said, measured, total):
                text = f"says it used {clock_text(said)}, and it was {clock_text(measured)} here"
                sum = f" That makes {total / 1000:.1f} s in this game so far." if total else ""
                self.parlour.say(f"Note: {player(seat, self.names)} {text}.{sum}")
            case Stopped(culprit, why) if culprit == NOBODY:
                self.parlour.say(f"The table has stopped: {shown(why)}.")
            case Stopped(culprit, why) if culprit == self.parlour.lobby.identity.key:
                short = self.table.log.table.hex()[:DIGITS]
                way = f"End one of the two; quadrille resume {short} comes back here."
                self.parlour.say(f"The table has stopped: {shown(why)}. {way}")
            case Stopped(culprit, why):
                self.parlour.say(
                    f"The table has stopped: {shown(why)}. That was {self.author(culprit)}, and the proof is kept. "
                    "save FILE keeps the log up to there."
                )

    def _took(self, entry: Entry, *, replaced: bool) -> None:
        log = self.table.log
        self.petition.clear(entry)
        if said := self._replacing.hear(log, entry, self.owners, replaced=replaced):
            self._typed = ""
            self.parlour.say(said)
        if entry.index >= len(log.entries) or log.entries[entry.index].hash != entry.hash:
            return  # another took its place in the meantime
        text = taken_text(entry, log.standings[entry.index], self.names, self.owners)
        mine = entry.author == self.parlour.lobby.identity.key and entry.kind == "move"
        if mine and entry.body[0] == self._typed:
            return
        if not self.parlour.tells and entry.kind in ("move", "key", "look", "share"):
            text = ""  # the board and the list of moves show it
        if saw := self.table.hand.saw(entry):
            text = f"You see {few(list(map(str, saw)))}."
        if not text:
            return
        self.parlour.say(text)
        if entry.kind == "motion" and entry.body[0][0] == "stand-in":
            self._gone.discard(entry.body[0][1])  # who sits there now was never away
            if self.lost_seat is not None:
                self._say_lost(self.lost_seat)

    def _opened(self, seat: int) -> None:
        """Said once for a seat and not for each of its epochs; the cards when the last book is open."""
        if seat not in self._books:
            self._books.add(seat)
            self.parlour.say(f"{player(seat, self.names)} opens its book.")
        if text := deals_text(self.table.log):
            self.parlour.say(text)

    def _came_or_went(self, seat: int, *, here: bool) -> None:
        """Said as it happens; but those who are found at first have been there all the time."""
        if here and seat in self._gone:
            self._gone.discard(seat)
            if seat not in self._unmet or self.parlour.now() - self._came > _FIRST_ROUND:
                self.tell(Kind.COMING, self.table.log.now.keys[seat], f"{player(seat, self.names)} is back.")
        elif not here and seat not in self._gone and not self.table.over:
            self._gone.add(seat)
            self._unmet.discard(seat)
            text = f"{player(seat, self.names)} is gone. The table waits."
            self.tell(Kind.COMING, self.table.log.now.keys[seat], text)

    def author(self, key: bytes) -> str:
        """Who wrote something: a seat, or somebody else by name."""
        standing = self.table.log.now
        for keys in (standing.keys, tuple(chair.key for chair in standing.chairs)):
            if key in keys:
                return player(keys.index(key), self.names)
        peer = self.parlour.lobby.peers.get(key)
        return f"{self.parlour.name(peer)} ({fingerprint(key)})" if peer else f"somebody ({fingerprint(key)})"

    def is_stranger(self, key: bytes) -> bool:
        """Whether somebody has neither a seat here nor a nickname."""
        standing = self.table.log.now
        return key not in (*standing.keys, *(chair.key for chair in standing.chairs)) and super().is_stranger(key)

    def call(self, key: bytes) -> str:
        """A seat goes by what it is called at the table."""
        standing = self.table.log.now
        return self.owners[standing.keys.index(key)] if key in standing.keys else super().call(key)

    def block(self, name: str) -> None:
        """Hear nothing more of somebody; of one who plays here only the words, since the game needs the rest."""
        standing = self.table.log.now
        for key, called in zip(standing.keys, self.owners, strict=True):
            if name.strip().casefold() == called.casefold() and key != self.parlour.lobby.identity.key:
                self.floods.mute(key)
                self.parlour.say(f"You hear no more words of {called} here. The game goes on: its moves still count.")
                return
        super().block(name)

    def _invited(self, event: Invited, key: bytes, name: bytes) -> None:
        if self.table.over and key in [chair.key for chair in self.table.log.now.chairs]:
            self._rematch = event
            text = f"{self.author(key)} wants a rematch: type rematch to sit down, quit to go."
            self.tell(Kind.INVITATION, key, text)
        else:
            self.tell(Kind.INVITATION, key, f"{self.author(key)} invites you to table {name.hex()[:DIGITS]}.")

    def _plays_on_at(self, name: bytes) -> None:
        """Another table has decided that this person plays on there: go, unless the game here needs its seat."""
        if self.table.over or self.table.stopped or self.table.seat is None:
            self.successor = NetworkTable(self.parlour, self.parlour.lobby.tables[name])
        else:
            where = "leads there" if self.parlour.tells else "leads to the lobby, where it is in the list"
            self.parlour.say(f"You play on at table {name.hex()[:DIGITS]} from now on: quit {where}.")

    def _follow(self) -> None:
        """Who looks on asks somebody who plays for the log; when that peer goes, somebody else."""
        lobby = self.parlour.lobby
        if self.table.seat is None and self._followed is None and not self.table.over:
            there = [key for key in self.table.log.now.keys if key in lobby.here]
            if there:
                self._followed = there[0]
                lobby.watch(self.table.log.table, there[0])

    # What a person types

    def holds(self, line: str) -> bool:
        """Whether a line that nobody waited to type should wait until it makes sense."""
        if line.partition(" ")[0].lower() in self.commands and not is_move(self.table.log.now.match, line):
            return False
        return self.table.seat is not None and not (self.table.is_my_turn or self.table.over or self.table.stopped)

    def obey(self, line: str) -> None:
        """A line that the game reads as a move is one; else it may be a command."""
        word = line.partition(" ")[0].lower()
        if word in self.commands and not is_move(self.table.log.now.match, line):
            if word in UNTIL_OVER and self.table.over:
                raise RulesError("the game is over: rematch, save FILE or quit")
            self.run_command(line)
        elif self.table.over:
            raise BadNotation(f"{quoted(word)} is no command here, and the game is over")
        else:
            self._typed = " ".join(line.lower().split())
            self.table.play(line, self.parlour.now())

    def resign(self, _: str) -> None:
        """Go out of the game."""
        if self.table.seat is None:
            raise RulesError("you have no seat to resign from")
        if not self.table.is_my_turn:
            self.parlour.say("You resign: it is done with the next move of another.")
        self.table.resign(self.parlour.now())

    def open_book(self, _: str) -> None:
        """After a game with hidden cards: let everybody see which cards lay where."""
        if self.table.log.now.deck is None:
            raise RulesError("this game has no hidden cards")
        if not self.table.over or self.table.seat is None:
            raise RulesError("a book is opened by a seat, when the game is over")
        self.table.open_book()

    def chat(self, text: str) -> None:
        """Say something to all at the table."""
        if not text or len(text) > 500 or not text.isprintable():
            raise RulesError("write say and a line of at most 500 printable characters")
        self.table.say(text)

    def invite(self, name: str) -> None:
        """Let somebody look on."""
        peer = self.parlour.peer(name)
        self.parlour.lobby.let_watch(self.table.log.table, peer.key)
        self.parlour.say(f"{self.parlour.name(peer)} is invited to look on.")

    def rematch(self, _: str) -> None:
        """The same people once more, everybody one seat further."""
        from quadrille.client.waiting import Waiting

        if not self.table.over:
            raise RulesError("a rematch is for when the game is over")
        if self.table.seat is None and self._rematch is None:
            raise RulesError("you only looked on: quadrille host opens a table of your own")
        lobby, now = self.parlour.lobby, self.parlour.now()
        if self._rematch:
            offer = Offer(self._rematch.table, self._rematch.key, self._rematch.terms, (), "open", 0)
            if offer.terms.arbiter != self.table.log.now.terms.arbiter:  # that one was accepted, when this one sat down
                arbiters.check(self.parlour, offer.terms, offer.host, self.table.log.now.chairs)
            self.successor = Waiting(self.parlour, lobby.join(offer, now), again=True)
        else:
            gathering = lobby.rematch(self.table.log.table, self.parlour.nonce(), now)
            self.successor = Waiting(self.parlour, gathering, again=True)

    def save(self, name: str) -> None:
        """Keep the log."""
        try:
            self._save(name, over=self._file is not None and bool(name) and path_of(name) == path_of(self._file))
        except FileExists as error:
            raise RulesError(f"{error}: save! {name} writes over it") from None

    def save_over(self, name: str) -> None:
        """Keep the log, whatever was in the file."""
        self._save(name, over=True)

    def _save(self, name: str, *, over: bool) -> None:
        if not name:
            raise RulesError("a file is missing: write save FILE")
        path = write_text(name, archive.write(self.table.log), over=over)
        self._file = name
        self.parlour.say(f"kept in {path}; quadrille verify checks it")

    def leave(self) -> None:
        """The person goes, or the input has ended."""
        if self.table.seat is not None and not self.table.over:
            short = self.table.log.table.hex()[:DIGITS]
            self.parlour.say(f"The table is kept: quadrille resume {short} comes back to it.")
        tables = self.parlour.lobby.tables
        others = [tables[name] for name in self.parlour.calls.agreed if name in tables and tables[name] != self.table]
        if others:
            self.successor = NetworkTable(self.parlour, others[0])
        else:
            self.done = True
