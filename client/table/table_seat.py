"""The seats of one person's program at a table: events of the table become notices, wishes become its calls.

This module alone decides what a person may wish at any table, and why not: at one keyboard, where this program holds
all seats, and on the network. Motions are its vote's (ballot.py). net/tables/table.py decides what is sent, and when.
The table's files are a shell's: a wish asks for them by effects, and their answers are wishes. No sentence, no socket,
no print. It is long because all answers to one table's wishes stand together.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from quadrille.client.bots.names import USUAL_LEVEL, called, kind_of, own_names
from quadrille.client.claimed_names import network_name, parts, stand_in_at
from quadrille.client.foreign import isolated
from quadrille.client.table import notices, wishes
from quadrille.client.table.ballot import Ballot, Question, Vote
from quadrille.client.table.entries import cards_shown, dealt_anew, entry_notice, entry_told, forced, replaced
from quadrille.client.table.game_setup import BotDeed, Cover, GameSetup, OwnBots, viewer_of
from quadrille.client.table.notices import About, Fact, Kind, NotGranted, Notice, Seats, ShownMotion, Who, Why
from quadrille.client.table.stage import WATCHING, Heard, NetworkContext, NetworkStage, sayable, speaker_of
from quadrille.client.table.wishes import Advise, BareWish, Keep, TableEffect
from quadrille.client.table_setup import seated
from quadrille.net.core.machine import drain
from quadrille.net.core.shapes import unpack
from quadrille.net.entries import motions
from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.entry import NOBODY
from quadrille.net.entries.motions import BackMotion, HandMotion, StandInMotion, TableMotion, all_of
from quadrille.net.entries.standing import Standing
from quadrille.net.entries.terms import Chair
from quadrille.net.game_log import news
from quadrille.net.game_log.books import are_awaited
from quadrille.net.tables.accord import FAULT, PROOF, evidence_label
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import fingerprint, peer_of
from quadrille.net.trust.names import are_alike
from quadrille.rules.core import WHOLE, State, Viewer
from quadrille.rules.core.thoughts import Thought, Thoughts
from quadrille.rules.match import Left, Match, Played

if TYPE_CHECKING:
    from quadrille.net.seating.lobby import Invited

#: Milliseconds, four beacons, in which peers that were here already are discovered.
_FIRST_ROUND: Final = 4000


class TableSeat(NetworkStage):
    """A table that has begun, for the people at the keyboard of this program, for a guest, or for those who look on."""

    def __init__(
        self,
        context: NetworkContext,
        table: Table,
        setup: GameSetup | None = None,
        perform: Callable[[TableEffect], None] = lambda _: None,
        bots: OwnBots | None = None,
        *,
        keeps: bool = False,
        guest: str | None = None,
    ) -> None:
        """Sit down. `setup` says who plays at a table that was set up at this keyboard, which a store `keeps` or not;
        `perform` does what a granted wish needs of files, and `bots` play there. `guest` is the name of one who plays
        by phone; "" for those who only look on by a page.
        """
        super().__init__(context)
        self.table = table
        self.guest = guest
        self.ballot = context.ballots.setdefault(table.log.table, Ballot())
        self.vote = Vote(self)
        self._perform = perform
        self._bots = bots
        self._setup = setup  # with those who play now
        self._thoughts = setup.thoughts if setup else Thoughts()  # of its bots, which nobody sees before the end
        #: Whether this game is stored as it goes on, and else the part of it that is in its file.
        self.keeps = keeps
        self.kept = setup.brought if setup and setup.file else ()
        #: The number of the game at this keyboard, and that of the position, by which late answers are recognised.
        self.games = self.ticket = 0
        #: The seat of the person who looks at the screen, if there are several.
        self.facing = setup.facing if setup else None
        self.cover: Cover | None = None
        self.paused = False
        #: The trouble with a bot that does not move, until a person chooses.
        self.trouble: notices.BotStopped | About | None = None
        #: The bot that was asked for a hint.
        self.hint = ""
        self._effects: list[TableEffect] = []
        self._at = context.now()  # when the time that a clock rests was last counted
        # what was asked, about which seat, and since when the table waits for it
        self._asked: set[tuple[type, int, int]] = set()
        self._typed = ""
        self._gone: set[int] = set()  # as this person has heard: the table is ahead of its events
        self._unmet: set[int] = set()  # seats not discovered yet when the person came
        self._came = context.now()
        self._books: set[int] = set()  # seats whose opened books were reported
        self._rematch: Invited | None = None
        self._declined = False  # the rematch, which a word still leads to
        self._waits = False  # this watcher is in line for a seat
        self._followed: bytes | None = None  # the peer that sends its entries to this watcher
        self._heard = b""  # the last entry that this person was told
        self._anew: About | None = None  # the new deal whose cards are not reported yet
        self._saved: set[str] = set()  # the files of this log, which may be written anew

    # Queries

    @property
    def number(self) -> bytes:
        return self.table.log.table

    @property
    def offers(self) -> str:  # type: ignore[override]
        return "LINES" if self.is_own else "TALK"

    @property
    def is_own(self) -> bool:
        """Tell whether the table was set up at this keyboard."""
        return self._setup is not None

    @property
    def bots(self) -> tuple[str, ...]:
        """The bot of this keyboard that plays each seat, "" for any other player."""
        return self._setup.bots if self._setup else ("",) * self.table.log.now.terms.seats

    @property
    def match(self) -> Match:
        return self.table.log.now.match

    @property
    def turn(self) -> int | None:
        """The seat that owes a move."""
        return self.match.turn

    @property
    def is_alone(self) -> bool:
        """Tell whether this keyboard holds all seats: what needs the agreement of all is agreed at once."""
        standing = self.table.log.now
        has_guests = any(self._player(seat) is not None for seat in range(len(standing.chairs)))
        holders = {*standing.keys, *(chair.key for chair in standing.chairs)}  # of a lent seat its owner, too
        return holders == {self.context.key} and self.guest is None and not has_guests

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that this person plays, or people at this keyboard."""
        here = (seat for seat in self.table.seats if seat not in self.table.log.now.lent and self._bot(seat) is None)
        return tuple(seat for seat in here if self._player(seat) == self.guest)

    def _bot(self, seat: int) -> str | None:
        """Return the bot of this program that plays there for no guest, "" for one that has gone; None for a person."""
        return self.bots[seat] or (self._deputy(seat) if self._player(seat) is None else None)

    def _deputy(self, seat: int) -> str | None:
        """Return the bot of this program that plays there; "" for one that has gone again."""
        return self.context.deputies.get((self.number, seat))

    def _player(self, seat: int) -> str | None:
        """Return the guest of this program who sits there; None for anybody else."""
        chair = self.table.log.now.chairs[seat]
        return chair.name if self.context.is_guest(chair) else None

    @property
    def seat(self) -> int | None:
        """Of these seats the one whose turn it is, else the first; None for a watcher."""
        people, turn = self.people, self.table.log.now.turn
        return turn if turn in people else next(iter(people), None)

    @property
    def is_my_turn(self) -> bool:
        return self.table.is_my_turn and self.table.log.now.turn in self.people

    @property
    def seats(self) -> Seats:
        """The names of those who play, some of them as stand-ins."""
        if self._setup is not None:
            return Seats.of(map(isolated, self._setup.names), map(kind_of, self.bots))
        return self._seats_in(self.table.log.now)

    def _seats_in(self, standing: Standing) -> Seats:
        context, chairs, keys = self.context, standing.chairs, standing.keys
        players = tuple(
            chair if keys[seat] == chair.key else stand_in_at(self.table.log, standing, seat)
            for seat, chair in enumerate(chairs)
        )
        everybody = tuple(dict.fromkeys((*chairs, *players)))
        short = dict(zip(everybody, context.names_of(everybody), strict=True))
        owners, kinds = tuple(short[chair] for chair in chairs), tuple(map(context.kind_of, players))
        names = tuple(
            owner if player == chair else f"{short[player]} for {owner}"
            for owner, player, chair in zip(owners, players, chairs, strict=True)
        )
        return Seats(names, owners, context.room, kinds, by_touch=context.by_touch)

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats that move here. Nobody is to move while the programs have duties to the deck, or while this program
        does not know how far the game is.
        """
        moves = bool(self.table.over) or (self.table.log.now.owed == "move" and not self.table.waits_for_head)
        return self.people if moves and not (self.paused or self.stand_in) else ()

    @property
    def stand_in(self) -> str:
        """The bot of the house that plays for this guest, until the guest takes the seat back."""
        return next((called(bot) for seat in self.people if (bot := self._deputy(seat))), "")

    @property
    def _seat_for_bot(self) -> int | None:
        """The seat here in which a bot may play at once: one to move whose bot has failed, or that of a guest who is
        to move, or is asleep. Those without a bot come first, so that each gets one.
        """
        table, turn = self.table, self.table.log.now.turn
        there = table.seats if self.guest is None and not table.over else ()
        waits = (seat for seat in there if seat == turn or self._player(seat) in self.context.asleep)
        waits = (seat for seat in waits if self._player(seat) is not None or self._bot(seat) == "")
        return min(waits, key=lambda seat: (bool(self._deputy(seat)), seat != turn), default=None)

    def _play_for(self, seat: int, bot: str) -> None:
        """Have a bot play for a guest of this program, or in place of another bot."""
        self.context.deputies[self.number, seat] = bot
        self.say(About(Fact.STAND_IN_COMES, called(bot), seat=seat))

    @property
    def viewer(self) -> Viewer:
        """The seat whose view is shown; None for a watcher."""
        if self.is_alone:
            return viewer_of(self.match, self.people, self.facing)
        return self.facing if self.is_secret and not self.table.over else self.seat

    @property
    def view(self) -> State[Any, Any]:
        """The position as its viewer sees it."""
        viewer, match = self.viewer, self.match
        return match.shown(match.state if viewer == WHOLE else self.table.view_of(viewer))

    @property
    def clocks(self) -> Clocks | None:
        clocks = self.table.clocks
        if clocks is None or clocks.seat is None or not self._clock_rests:
            return clocks
        return clocks.runs(None, self.context.now())

    @property
    def at_table(self) -> "TableSeat":
        return self

    @property
    def thoughts(self) -> Thoughts:
        """The thoughts of bots, once nobody can use them any more."""
        return self._thoughts if self.match.over else Thoughts()

    @property
    def setup(self) -> GameSetup:
        """The game as it stands here, with those who play it, to go on elsewhere."""
        setup = self._setup or GameSetup(self.match, self.bots, self.seats.names)
        return replace(setup, match=self.match, clocks=self.clocks, thoughts=self._thoughts, table=b"")

    @property
    def is_bots_turn(self) -> bool:
        """Tell whether a bot of this program is to move."""
        return self.turn is not None and bool(self.bots[self.turn])

    @property
    def thinks(self) -> bool:
        """Tell whether a bot of this program is asked for its move."""
        return self.is_bots_turn and not (self.paused or isinstance(self.trouble, notices.BotStopped))

    @property
    def is_heard(self) -> bool:
        """Tell whether the bot to move has heard of its turn, and has not failed."""
        return self._bots is not None and self.turn is not None and self.thinks and self._bots.is_asked(self.turn)

    @property
    def deadline(self) -> int | None:
        """When the clock of this keyboard wants the time to pass here, if nothing happens before."""
        left = self.table.time_left(self.turn, self.context.now()) if self.turn is not None else None
        return None if left is None or self._clock_rests else self.context.now() + max(0, left)

    @property
    def is_secret(self) -> bool:
        """Tell whether several people at one keyboard have hands that the others may not see."""
        return self.match.game.hidden and len(self.people) > 1

    @property
    def would_be_lost(self) -> bool:
        match = self.match
        return self.is_own and not (self.keeps or match.over or match.entries in ((), self.kept))

    @property
    def has_told_all(self) -> bool:
        """Tell whether this person has heard of each move: one that was made meanwhile comes with the next news."""
        return self._heard == self.table.log.head

    @property
    def own_seat(self) -> int | None:
        """The seat where this person sat down, also while another plays there."""
        return next((seat for seat in self._own_chairs if self._bot(seat) is None), None)

    @property
    def reader(self) -> int | None:
        """The seat that sentences call "you"; None if several people read them, or one who looks on."""
        own = [seat for seat in self._own_chairs if self._bot(seat) is None]
        return own[0] if len(own) == 1 else None

    @property
    def lost_seat(self) -> int | None:
        keys = self.table.log.now.keys
        return next((seat for seat in self._own_chairs if keys[seat] != self.context.key), None)

    @property
    def _own_chairs(self) -> list[int]:
        own = [seat for seat, chair in enumerate(self.table.log.now.chairs) if chair.key == self.context.key]
        return [seat for seat in own if self._player(seat) == self.guest]

    @property
    def is_out(self) -> bool:
        """Tell whether this person's seat has left a game in which others play on."""
        return self.match.is_left_by(self.people)

    @property
    def deputy(self) -> str:
        if self.lost_seat is None:
            return ""
        return self.context.name_of(stand_in_at(self.table.log, self.table.log.now, self.lost_seat))

    @property
    def is_idle(self) -> bool:
        table = self.table
        if table.over or table.stopped:
            return True
        silent = self._late is not None or table.log.now.turn in table.gone
        return self.seat is not None and (self.is_my_turn or silent or self.vote.is_asked)

    @property
    def lost(self) -> list[int]:
        table = self.table
        return [] if table.over else sorted({*table.gone} & {*table.log.now.seats_in()} - {*table.seats})

    @property
    def who_wants_rematch(self) -> Who | None:
        """The player who waits for this person's answer about a rematch."""
        if self._declined or not self.decides(BareWish.REMATCH):
            return None
        if (asker := self.ballot.asker) is not None and self.ballot.open is BareWish.REMATCH:
            return None if self.ballot.has_agreed(self, BareWish.REMATCH) else asker.seat
        return self.who(self._rematch.key) if self._rematch is not None else None

    @property
    def votes(self) -> bool:
        return self._late is not None and self.is_inside and self._are_several

    @property
    def _late(self) -> notices.Overdue | About | None:
        """Say that the seat to move keeps the table waiting for too long, or is out of time by this machine's clock."""
        table, standing, now = self.table, self.table.log.now, self.context.now()
        turn = standing.turn
        if turn is None or turn in table.seats:
            return None
        if turn in table.overdue(now):
            return notices.Overdue(turn, turn not in table.gone, self._are_several, standing.match.game.hidden)
        may_flag = self.is_inside and self._are_several and table.flag_fell(turn, now)
        return About(Fact.CLOCK_LOW, turn) if may_flag else None

    def concern(self) -> Notice | None:
        """Return what needs this person's attention above all, such as a proposal to answer or a seat that is gone."""
        table = self.table
        if self.trouble is not None:
            return self.trouble
        if table.stopped:
            return self._stopped(table.stopped)
        if table.over:
            who = self.who_wants_rematch
            return About(Fact.WANTS_REMATCH, who) if who is not None else None
        if cut_off := self.context.cut_off():
            return About(Fact.PEER_MISSING, text=cut_off)
        if self.vote.open is not None and (proposal := self.vote.concern()) is not None:
            return proposal
        if self.votes:
            return self._late
        if lost := self.lost:
            return self.missing(tuple(lost))
        if (seat := self._seat_for_bot) is not None and not self._deputy(seat):
            if self._player(seat) in self.context.asleep:
                return About(Fact.GUEST_ASLEEP, seat)
            if self._player(seat) is None:
                return About(Fact.STAND_IN_MISSING, seat=seat)
        if who := self.stand_in or self.deputy:
            return About(Fact.PLAYS_FOR_YOU, who)
        return notices.Carried(ShownMotion("pause")) if table.log.now.paused else None

    def _stopped(self, event: news.Stopped) -> notices.TableStopped:
        own = event.culprit == self.context.key
        who = "" if own or event.culprit == NOBODY else self.who(event.culprit)
        return notices.TableStopped(event.why, who, own, self.table.log.table)

    def missing(self, lost: tuple[int, ...]) -> notices.Missing:
        standing, now = self.table.log.now, self.context.now()
        left = min(standing.terms.grace - (now - self.table.gone[seat]) for seat in lost)
        return notices.Missing(lost, self._are_several, not standing.match.game.hidden, self.is_inside, left)

    @property
    def no_hint(self) -> Why | None:
        """Say why no bot may give a hint: others have to allow it by the terms, and no hand may be told to a bot."""
        others = (chair for seat, chair in enumerate(self.table.log.now.chairs) if seat not in self.people)
        if not (self.is_own or self.table.log.now.terms.hints) and any(chair.is_person for chair in others):
            return Why.NO_HINTS
        if self.match.game.hidden and not self.is_own:
            return Why.HAND_UNTOLD
        return None if self.turn is not None and self.turn in self.mine else Why.NO_HINT_NOW

    def who(self, key: bytes) -> Who:
        """Return the holder of a key: a seat, or somebody else by name. The peer's own seat comes before a guest's."""
        standing = self.table.log.now
        own = tuple(
            b"" if chair.at or key != chair.key else key
            for key, chair in zip(standing.keys, standing.chairs, strict=True)
        )
        for keys in (own, standing.keys, tuple(chair.key for chair in standing.chairs)):
            if key in keys:
                return keys.index(key)
        peer = self.context.lobby.peers.get(key)
        return f"{self.context.name(peer)} ({fingerprint(key)})" if peer else f"somebody ({fingerprint(key)})"

    def is_stranger(self, key: bytes) -> bool:
        standing = self.table.log.now
        return key not in (*standing.keys, *(chair.key for chair in standing.chairs)) and super().is_stranger(key)

    def call(self, key: bytes) -> str:
        standing = self.table.log.now
        who = self.who(key) if key in standing.keys else None
        return self.seats.owners[who] if isinstance(who, int) else super().call(key)

    # Events

    def begin(self) -> None:
        self._heard = self.table.log.head
        self.ballot.join(self)
        self.vote.begin()
        self._gone, self._unmet = set(self.table.gone), set(self.table.gone)
        if self.is_own:
            self._rest()
            self.attempt(self._proceed)
            self._act()

    def tick(self) -> None:
        """Do what is due by the clock."""
        self._rest()
        if self.is_alone:
            self.attempt(self._timed)
        if not self.is_own:
            self._network_tick()
        self._act()

    def _network_tick(self) -> None:
        table, now = self.table, self.context.now()
        away = {peer_of(table.log.now.keys[seat]) for seat in self.lost}
        self.say_absent(lambda absence: absence.is_sure and absence.of in away)
        while self.is_my_turn and forced(self.view):
            self._typed = ""
            table.play(notices.PASSING, now)
            self.context.lobby.flush(now)
        if self.turn in self.people and table.log.now.owed == "move":
            self._hand_over(self.turn)
        self._ask()
        super().tick()
        self._follow()

    def hear(self, event: Heard) -> None:
        from quadrille.net.seating.lobby import At, Departed, Invited  # imported here, as in stage.py

        match event:
            case At(name, what) if name == self.table.log.table:
                self.hear_here(what)
            case Invited(key) if self.table.over and key in [chair.key for chair in self.table.log.now.chairs]:
                self._rematch, self._declined = event, False
                self.tell(Kind.INVITATION, key, About(Fact.WANTS_REMATCH, self.who(key)))
            case Departed(peer) if peer.key == self._followed:
                self._followed = None
            case wishes.Hinted() | wishes.Kept() | wishes.WrittenDown() | wishes.Loaded():
                self.wish(event)
            case _:
                super().hear(event)

    def hear_here(self, event: object) -> None:
        from quadrille.net.seating.gathering import ChairRefused, InLine, SeatWanted  # imported here, as in stage.py

        match event:
            case news.Took(entry):
                if self.vote.open is not None or self.ballot.open is not None:
                    self.vote.lapse(entry)
                self._took(event)
            case news.Proposed(BackMotion(seat)):  # which goes beside an open motion
                owner = self.context.name_of(self.table.log.now.chairs[seat])
                self.say(About(Fact.PLAYS_AGAIN, "" if seat == self.own_seat else owner))
            case news.Proposed(motion, signed):
                self.vote.hear(motion, signed)
            case news.Declined(motion, key):
                self.vote.hear_decline(motion, key)
            case news.Presence(seat, here):
                self._came_or_went(seat, here=here)
            case news.ChatLine(author, line):
                self.tell(Kind.CHAT, author, self._line(author, line))
            case news.Opened(_, seat):
                self._opened(seat)
            case InLine(why) if not self._waits:
                self._waits = True
                self.say(About(Fact.IN_LINE, text=why))
            case ChairRefused(why):
                self.say(About(Fact.TABLE_REFUSED, text=why))
            case SeatWanted(key) if self.guest is None:
                self.tell(Kind.COMING, key, About(Fact.SEAT_WANTED, self.who(key)))
            case news.Convicted(culprit, _, proof):
                self.say(About(Fact.SIGNED_TWICE if len(proof) > 1 else Fact.SIGNED_FALSELY, self.who(culprit)))
            case news.Blamed(culprit, why):
                fact = Fact.SENT_SIGNED_FAULT if self._is_kept(culprit, why) else Fact.SENT_FAULT
                self.tell(Kind.BLAME, culprit, About(fact, self.who(culprit), why))
            case news.Stopped():
                self.say(self._stopped(event))

    def _is_kept(self, culprit: bytes, reason: str) -> bool:
        """Return whether a peer's invalid signed entry is stored as evidence."""
        table = self.table
        kept = (table.shelf.secret(table.log.table, evidence_label(kind, culprit)) for kind in (PROOF, FAULT))
        return any(unpack(data)[0] == reason for data in kept if data is not None)

    def _line(self, author: bytes, line: str) -> notices.LineSaid:
        """Tell a chat line; a seat's owner goes by their own name while another plays there."""
        standing = self.table.log.now
        speaker, text = speaker_of(standing.chairs, author, line)
        if isinstance(speaker, Chair):
            seat = standing.chairs.index(speaker)
            return notices.LineSaid(seat, text, own=seat in self.people)
        if speaker is not None:
            return notices.LineSaid(self.context.voice(author, speaker), text)
        owners = [chair.key for chair in standing.chairs]
        is_away = author in owners and author not in standing.keys
        if is_away:
            who: Who = self.seats.owners[owners.index(author)]
        elif author not in standing.keys and (peer := self.context.lobby.peers.get(author)):
            who = f"{self.context.name(peer)}{WATCHING}"
        else:
            who = self.who(author)
        return notices.LineSaid(who, line, own=author == self.context.key and self.guest is None)

    @property
    def said(self) -> list[notices.LineSaid]:
        """The chat lines that the table remembers."""
        return [self._line(line.author, line.line) for line in self.table.lines()]

    def _took(self, event: news.Took) -> None:
        log, entry = self.table.log, event.entry
        self._heard = entry.hash
        if self.is_alone:  # whoever looks sees what their view has of a move
            after = log.standings[entry.index].match
            match entry.body, after.entries[-1:]:
                case MoveBody(), _:
                    self.say(entry_told(after, after.length - 1, self.viewer))
                case body, [Left() as left] if not isinstance(body, MotionBody):
                    self.say(left)
            return
        if event.replaced:
            self._typed = ""
            self.say(replaced(event, log))
        if entry.index >= len(log.entries) or log.entries[entry.index].hash != entry.hash:
            return  # another entry took its place in the meantime
        standing = log.standings[entry.index]
        match standing.match.entries[-1:]:
            case [Played(seat)] if seat in self.people and isinstance(entry.body, MoveBody):
                self._drew(standing, seat)
                if entry.body == MoveBody(self._typed):
                    return
        notice: Notice | None = entry_notice(entry, standing)
        if notice is Fact.SHUFFLED and (anew := dealt_anew(log, entry.index)):
            self._anew = notice = anew
            if self._looks_again():
                return  # reported with the cards
        deck = log.now.deck
        looked = deck is not None and deck.looked and deck.looked[-1].viewer in self.people
        if looked and (saw := self.table.hand.saw(entry)):
            before = tuple(str(face or "") for face in self.table.hand.saw_before(entry)) if self._anew else ()
            self.say(notices.CardsSeen(tuple(map(str, saw)), self._anew, before))
            self._anew = None
        elif notice is None:
            return
        else:
            match entry.body:
                case MotionBody(HandMotion() as motion):
                    notice = notices.Carried(self.motion(motion))
                    self.context.deputies.pop((self.number, motion.number), None)  # a bot that played there
            self.say(notice)
        match entry.body:
            case MotionBody(StandInMotion()):
                self._gone &= self.table.gone.keys()  # the present holder was never away
                if self.lost_seat is not None:
                    self.say(About(Fact.PLAYS_FOR_YOU, self.deputy))

    def _drew(self, standing: Standing, seat: int) -> None:
        """Tell the cards that a move showed to its seat alone, where no deck tells them: this peer holds all seats."""
        match, number = standing.match, standing.match.length - 1
        if standing.deck is None and (faces := match.seen(number, seat)) != match.seen(number, None):
            self.say(notices.CardsSeen(tuple(map(str, faces))))

    def _looks_again(self) -> bool:
        """Return whether this seat had looked at cards, and sees them again after a new deal."""
        sealed, seat = self.table.log.now.match.state.sealed(), self.seat
        return sealed is not None and seat is not None and bool(sealed.looks[seat])

    def _opened(self, seat: int) -> None:
        """Report an opened book once for a seat, not for each epoch; show the cards with the last one."""
        if seat not in self._books:
            self._books.add(seat)
            self.say(About(Fact.OPENED_BOOK, seat))
        if shown := cards_shown(self.table.log):
            self.say(shown)

    def _came_or_went(self, seat: int, *, here: bool) -> None:
        """Report arrivals and departures, except of peers discovered in the first moments."""
        key = self.table.log.now.keys[seat]
        if here and seat in self._gone:
            self._gone.discard(seat)
            if seat not in self._unmet or self.context.now() - self._came > _FIRST_ROUND:
                self.tell(Kind.COMING, key, About(Fact.BACK, seat))
        elif not here and seat not in self._gone and not self.table.over:
            self._gone.add(seat)
            self._unmet.discard(seat)
            self.tell(Kind.COMING, key, About(Fact.GONE, seat))

    def _follow(self) -> None:
        """Ask a player for the log, as a watcher; if that peer goes, ask another."""
        lobby = self.context.lobby
        if self.table.seat is None and self._followed is None and not self.table.over:
            there = [key for key in self.table.log.now.keys if key in lobby.here]
            if there:
                self._followed = there[0]
                lobby.watch(self.table.log.table, there[0])

    # Wishes of this person

    def wish(self, wish: wishes.Wish) -> None:
        """Grant a wish; a refusal is a notice, and changes nothing."""
        self._rest()
        super().wish(wish)
        self._act()

    def _act(self) -> None:
        """Do what was granted, once the table is as it is to be: an answer may come at once."""
        self.attempt(self._lead_bots)
        effects, self._effects = self._effects, []
        for effect in effects:
            self.attempt(lambda effect=effect: self._perform(effect))  # type: ignore[misc]

    def granted(self, wish: wishes.Wish) -> None:  # noqa: C901 - a case for each wish
        if self.table.over and wish in (BareWish.RESIGN, BareWish.DRAW, BareWish.PAUSE):
            raise NotGranted(Why.OVER)
        match wish:
            case wishes.PlayMove(text):
                self._play(text)
            case wishes.OtherLine(word) if self.table.over:
                raise NotGranted(Why.NO_COMMAND, text=word)
            case BareWish.RESIGN:
                self._resign()
            case wishes.Takeback(moves):
                self._take_back(moves)
            case BareWish.REMATCH:
                self._go_to_rematch()
            case wishes.TextWish(wishes.Verb.STAND_IN, bot) if self.guest is None:
                self._stand_in(bot)
            case wishes.TextWish(wishes.Verb.SAY, text):
                if self.is_alone:
                    raise NotGranted(Why.NOBODY_HEARS)
                self.table.say(f"{self.guest}: {sayable(text)}" if self.guest else sayable(text))
            case wishes.Save(name, over):
                self._save(name, over=over)
            case BareWish.UNCOVER:
                self._uncover()
            case BareWish.PAUSE if self.is_alone:
                self._pause()
            case BareWish.DRAW if self.paused and any(self.bots):  # they answer nothing while they rest
                raise NotGranted(Why.PAUSED)
            case BareWish.WAIT:
                self._wait()
            case wishes.Hinted(ticket, notice):
                if ticket == self.ticket and self.hint:
                    self.hint = ""
                    self.say(notice)
            case BareWish.AGREE | BareWish.TAKE_SEAT_BACK if self.stand_in:
                self.context.deputies[self.number, self.people[0]] = ""
                self.say(About(Fact.PLAYS_AGAIN))
            case BareWish.DECLINE if self.stand_in:
                self.say(About(Fact.PLAYS_FOR_YOU, self.stand_in))
            case BareWish.AGREE if self.who_wants_rematch is not None:
                self._go_to_rematch()
            case BareWish.DECLINE if self.who_wants_rematch is not None:
                self._decline_rematch()
            case BareWish.DRAW | BareWish.PAUSE:
                if wish is BareWish.PAUSE and self.table.log.now.paused:
                    raise NotGranted(Why.PAUSED_ALREADY)
                self.vote.propose(all_of(wish.value))
            case BareWish.OPEN_BOOK:
                if self.table.log.now.deck is None:
                    raise NotGranted(Why.NO_HIDDEN_CARDS)
                if not self.table.over or self.seat is None:
                    raise NotGranted(Why.BOOK_LATER)
                self.table.open_book()
            case BareWish.ASK_FOR_SEAT:
                if self.table.seats or self.guest is not None:
                    raise NotGranted(Why.HAS_SEAT)
                if self._rematch is not None:
                    self._go_to_rematch()
                    return
                self._waits = False  # this seat tells the answer, also when it is the same
                self.context.lobby.ask_for_seat(self.table.log.table)
                self.context.lobby.flush(self.context.now())
            case wishes.TextWish(wishes.Verb.INVITE, name):
                peer = self.context.peer(name)
                self.context.lobby.let_watch(self.table.log.table, peer.key)
                self.say(About(Fact.MAY_WATCH, self.context.name(peer)))
            case wishes.TextWish(wishes.Verb.HAND, name):
                self._hand_to(name)
            case wishes.TextWish(wishes.Verb.KICK, name):
                self._kick(name)
            case BareWish.AGREE:
                self.vote.agree()
            case BareWish.DECLINE:
                self.vote.decline()
            case BareWish.DROP:
                self.vote.propose(motions.DropMotion(self._seat_that_is_gone()))
            case BareWish.FLAG:
                self._flag()
            case BareWish.TAKE_SEAT_BACK:
                if self.lost_seat is None:
                    raise NotGranted(Why.NOBODY_PLAYS_FOR_YOU)
                self.vote.propose(BackMotion(self.lost_seat))
            case _ if not self.is_alone:  # the rest is about the setup or the files of a game at one keyboard
                super().granted(wish)
            case wishes.PlayOn(entries):
                self._go_back(entries)
            case wishes.TextWish(wishes.Verb.HINT, bot):
                self._ask_for_hint(bot)
            case wishes.Against(bots):
                row = seated(bots, len(self.bots), self._own_seat() if self.people else 0)
                self._play_on_as(self.setup.held_by(row), notices.SeatsTaken(bots))
            case wishes.Loaded(name, match, players):
                loaded = replace(self.setup.playing(match, players), file=name)
                self._deal(loaded, About(Fact.GAME_LOADED, text=name))
            case wishes.Load(name):
                if not name:
                    raise NotGranted(Why.FILE_MISSING, text="load")
                self._effects.append(wish)
            case wishes.Kept(name, path, entries):
                if name:
                    self._setup, self.kept = replace(self.setup, file=name), entries
                self._saved.add(path)
                self.say(notices.GameKept(path))
            case wishes.WrittenDown(why):
                self.keeps = not why
                if why:
                    self.say(About(Fact.NOT_KEPT, text=why))
            case _:
                super().granted(wish)

    def _play(self, text: str) -> None:
        if self.table.over:
            raise NotGranted(Why.NO_COMMAND, text=text.partition(" ")[0].lower())
        if self.is_out:
            raise NotGranted(Why.OUT, alone=self.is_alone)
        if self.is_bots_turn:
            raise NotGranted(Why.BOTS_TURN)
        if self.paused:
            raise NotGranted(Why.PAUSED)
        if not (self.is_my_turn or self.table.waits_for_head):  # perhaps another person of this program is to move
            watches = self.own_seat is None and not self.people
            raise NotGranted(Why.ONLY_WATCHING if watches else Why.NOT_YOUR_TURN)
        self._typed = " ".join(text.lower().split())
        self.change(lambda: self.table.play(text, self.context.now()))

    def _resign(self) -> None:
        """Resign the seat of the person at the keyboard: at once where this program writes the next entry."""
        seat = self._own_seat()
        if not self.table.is_my_turn:
            self.say(About(Fact.RESIGNING, seat=seat))
        self.change(lambda: self.table.resign(self.context.now(), seat))

    @property
    def speaker(self) -> int | None:
        """The seat of the person at the keyboard: that to move, that of the one who looks, or the first left."""
        return next((seat for seat in self.voices if seat in self.people), None)

    def _own_seat(self) -> int:
        if (seat := self.speaker) is None:
            raise NotGranted(Why.NO_SEAT)
        return seat

    def _take_back(self, moves: int) -> None:
        """Go back to the last choice of a person here: also over moves of bots and forced passes, and after the end.
        Among several peers, propose it, or to take back that number of moves of all.
        """
        alone, match, missing = self.is_alone, self.match, moves or 1
        if self.table.over and not alone:
            raise NotGranted(Why.OVER)
        if moves and not alone:
            return self.vote.propose(motions.TakebackMotion(moves))
        number, wanted = match.length, missing
        while missing and number:
            number -= 1
            before = match.before(number)
            missing -= before.turn in self.people and not forced(before.state)
        if missing:
            raise NotGranted(Why.NONE_TO_TAKE_BACK if missing == wanted else Why.TOO_FEW_TO_TAKE_BACK)
        gone = [str(entry.move) for entry in match.since(number) if isinstance(entry, Played)]
        if not alone:
            return self.vote.propose(motions.TakebackMotion(len(gone)))
        return self._go_back(number, About(Fact.TAKEN_BACK, text=", ".join(gone)))

    def _go_back(self, number: int, *notice_list: Notice) -> None:
        """Go on from the position after that many entries. A log takes moves back as long as its game goes on;
        otherwise another log begins with these entries.
        """
        match, table = self.match, self.table
        played = sum(isinstance(entry, Played) for entry in match.since(number))
        takes = table.log.now.terms.takebacks and not table.over and number < match.length
        if takes and isinstance(match.entries[number], Played):
            self.vote.sign(motions.TakebackMotion(played), *notice_list)
        elif number < match.length or table.over:
            earlier = replace(self.setup, match=match.before(number))
            self.change(lambda: self._open(earlier), *notice_list)

    def _stand_in(self, bot: str) -> None:
        """Let another bot play on: for a bot of this program that is to move, or for a peer that is gone."""
        if (here := self._seat_for_bot) is not None:
            self._play_for(here, bot)
            return
        if self.is_alone:
            seat = self._check_bots_turn()
            row = (*self.bots[:seat], bot, *self.bots[seat + 1 :])
            self._play_on_as(self.setup.held_by(row), About(Fact.STAND_IN_COMES, called(bot), seat=seat))
            return
        seat, standing, owner = self._seat_that_is_gone(), self.table.log.now, self.context.lobby.name
        names = [parts(chair.name)[0] for chair in standing.chairs]
        own = next(name for name in own_names(owner) if not any(are_alike(name, other) for other in names))
        for other in standing.beside(seat):
            self.context.deputies[self.number, other] = bot
        self.vote.propose(StandInMotion(seat, self.context.key, network_name(own, bot, owner)))

    def _save(self, name: str, *, over: bool) -> None:
        name = name or ("" if over else self.setup.file)
        if not name:
            raise NotGranted(Why.FILE_MISSING, text="save!" if over else "save")
        log = self.table.log
        if self.is_own:
            self._effects.append(Keep(name, self.match, self.setup.players, over, (self.setup.file, *self._saved)))
            return
        path = self.context.keep(name, log, over, self._saved)
        self._saved.add(name)
        self.say(notices.GameKept(path, is_log=True, lacks=log.now.over is not None and are_awaited(log)))

    # A table that this program holds alone

    def change(self, deed: Callable[[], object], *told_first: Notice) -> None:
        """Change the position, and go on; a refusal changes nothing."""
        is_alone = self.is_alone
        deed()
        if is_alone:
            self._went_on(*told_first)

    def _went_on(self, *told_first: Notice) -> None:
        """Take the position as another one, and go on from it."""
        self.ticket, self.trouble = self.ticket + 1, None
        self._thoughts = self._thoughts.before(self.match.length)
        for notice in told_first:
            self.say(notice)
        self._proceed()

    def _proceed(self) -> None:
        """Continue after a change: forced passes, a covered hand."""
        table = self.table
        self._hear_own()
        while table.is_my_turn and forced(table.view) and not self.paused:
            table.play(notices.PASSING, self.context.now())
            self.ticket += 1
            self._hear_own()
        self._ask_nothing()
        turn, self.cover = self.turn, None
        if turn is None:
            self.facing, self.paused = None, False
        elif not self.bots[turn]:
            self._hand_over(turn)

    def _ask_nothing(self) -> None:
        """Forget all questions to bots besides their turns: the position is another one."""
        self.hint, self.vote.open = "", None
        self.ballot.clear()

    def _hear_own(self) -> None:
        """Hear what this program has done at its own table: no station tells it."""
        if self.table.log.table not in self.context.lobby.tables:
            self.table.outgoing.clear()
            for event in drain(self.table.events):
                self.hear_here(event)

    def _open(self, setup: GameSetup) -> None:
        """Begin another log at this keyboard."""
        self.table = self.context.opens(setup)
        self._at = self.context.now()

    def _deal(self, setup: GameSetup, *told_first: Notice) -> None:
        """Begin another game at this keyboard."""
        self._open(setup)
        self.games += 1
        self.kept, self._thoughts, self._saved = setup.brought if setup.file else (), setup.thoughts, set()
        self._play_on_as(setup, *told_first)

    def _play_on_as(self, setup: GameSetup, *told_first: Notice) -> None:
        """Let other bots play on here, or another game."""
        self._setup, self.facing, self.paused = setup, setup.facing, False
        self._went_on(*told_first)

    def _pause(self) -> None:
        """Stop clocks and bots until the wish is repeated."""
        if not self.paused and not (self.table.clocks or any(self.bots)):
            raise NotGranted(Why.NO_CLOCK)
        self.paused, self.trouble, self.ticket = not self.paused, None, self.ticket + 1
        self._ask_nothing()
        if self.paused:
            if self._bots is not None:
                self._bots.rest()
        else:
            self._proceed()

    # Its time

    @property
    def _clock_rests(self) -> bool:
        """Tell whether no time goes by here: in a pause, behind a cover, and before a bot has heard of its turn."""
        return self.is_alone and (self.paused or self.cover is not None or (self.is_bots_turn and not self.is_heard))

    def _rest(self) -> None:
        """Take the time in which the clock rested from the time of the seat to move."""
        now = self.context.now()
        if self._clock_rests:
            self.table.began += now - self._at
        self._at = now

    def _timed(self) -> None:
        """Let a seat whose time is up leave."""
        turn = self.turn
        if not self.table.clocks or turn is None or self._clock_rests:
            return
        if (self.table.time_left(turn, self.context.now()) or 0) <= 0:
            self.change(lambda: self.table.lose("time", self.context.now()))

    # Its hidden hands

    @property
    def _has_seen(self) -> bool:
        """Tell whether a person has looked at cards that are still hidden; otherwise nothing needs a cover."""
        sealed = self.match.state.sealed()
        return sealed is None or any(sealed.looks[seat] for seat in self.people)

    def _hand_over(self, turn: int) -> None:
        """Show the hand of the person to move, or cover it, because another one looks."""
        if not (self.is_secret and self.facing != turn and self._has_seen):
            self.facing = turn
        elif self.cover is None or self.cover.seat != turn:
            self.cover = Cover(turn, self.facing)

    def _uncover(self) -> None:
        match self.cover:
            case Cover(seat, None):
                self.facing, self.cover = seat, None
            case Cover(seat):
                self.cover = Cover(seat)

    # Its bots

    def _lead_bots(self) -> None:
        """Let the bots here do what is due. The table goes on after their moves; a failed one waits for a person."""
        bots, log = self._bots, None
        while bots is not None and self.is_alone and not self.paused and log != (log := self.table.log.head):
            for seat, deed in bots.act(self.table, dict(enumerate(self.bots)), self.context.now(), self.ballot):
                self._hear_bot(seat, deed)
            if self.table.log.head != log:
                self._went_on()
            turn = self.turn
            if turn is not None and self.thinks and (fault := bots.fault(turn)):
                self.trouble = notices.BotStopped(turn, fault, self.bots[turn])
                self.say(self.trouble)

    def _hear_bot(self, seat: int, deed: BotDeed) -> None:
        match deed:
            case Thought():
                self._thoughts = self._thoughts.copy()
                self._thoughts.add(self.match.length, seat, deed)
            case About():
                if self.trouble is None:
                    self.say(deed)
                self.trouble = deed

    def _check_bots_turn(self) -> int:
        if self.turn is None or not self.is_bots_turn or self.paused:
            raise NotGranted(Why.NO_BOT_TO_MOVE)
        return self.turn

    def _ask_for_hint(self, bot: str) -> None:
        if (reason := self.no_hint) is not None:
            raise NotGranted(reason)
        assert self.turn is not None
        self.hint = bot
        self._effects.append(Advise(self.ticket, self.turn, bot, self.match))
        self.say(About(Fact.HINT_ASKED, called(bot)))

    # Among several peers

    def block(self, name: str) -> None:
        """Block somebody; of a player here only the chat, because the game needs the rest."""
        seat, keys = self._seat_of(name), self.table.log.now.keys
        if seat is None or keys[seat] == self.context.key:
            return super().block(name)
        self.floods.mute(keys[seat])
        return self.say(About(Fact.MUTED, self.seats.owners[seat]))

    def _seat_of(self, name: str) -> int | None:
        """Return the seat of a player, as people here call that one."""
        return next((seat for seat, owner in enumerate(self.seats.owners) if are_alike(owner, name.strip())), None)

    def _go_to_rematch(self) -> None:
        """Go to the rematch: the same people, everybody one seat further."""
        if not self.is_own and self.seat is None and self._rematch is None:
            raise NotGranted(Why.ONLY_LOOKED_ON)
        if not (self.table.over or (self.is_own and self.is_out)):
            raise NotGranted(Why.NOT_OVER)
        if self.is_own:
            self._deal(self.setup.again(), Fact.ROTATED)
            return
        if not self.ballot.agree(self, BareWish.REMATCH):
            return
        self.ballot.clear()
        log, context = self.table.log, self.context
        invited = next((person._rematch for person in self.ballot.people if person._rematch is not None), None)
        if invited:
            gathering = context.follow(invited, log.now.chairs)
        else:
            gathering = context.lobby.rematch(log.table, context.nonce(), context.now())
        for person in self.ballot.people:
            person.onward = gathering

    def turn_down_rematch(self) -> None:
        """Decline a rematch that another peer wants; a word still leads there."""
        if self._rematch is not None and not self._declined:
            self._declined = True
            self.context.lobby.turn_down(self._rematch, "no rematch")

    def _decline_rematch(self) -> None:
        """Decline for all here: this peer goes to a rematch with all its people, or not at all."""
        for person in self.ballot.people:
            person.turn_down_rematch()
            if person is self:
                person.say(About(Fact.REMATCH_REFUSED))
            elif self.seat is not None and self.ballot.open is BareWish.REMATCH:
                person.say(About(Fact.REMATCH_REFUSED, self.seat))
        self.ballot.clear()

    def leave(self) -> None:
        self.turn_down_rematch()
        if not (self.is_own or self.seat is None or self.table.over or self.is_out):
            self.say(About(Fact.TABLE_KEPT, table=self.table.log.table))
        super().leave()

    # Decisions other than moves, which need the others

    def decides(self, question: Question) -> bool:
        """Tell whether this person is asked about a motion or a rematch: everybody who plays here, and is here, is."""
        if self.stand_in or self.guest in self.context.asleep:
            return False  # nobody waits for who is gone
        if question is BareWish.REMATCH:
            asked = self._rematch is not None and self.guest is None and not self.table.seats
            return bool(self.people) or asked
        return bool(self.voices)

    @property
    def voices(self) -> list[int]:
        """The seats in the game for which this person answers: their own, and at the keyboard those that are lent to
        this program; first that to move, then that of the person who looks.
        """
        standing = self.table.log.now
        lent = [seat for seat in self.table.seats if seat in standing.lent] if self.guest is None else []
        inside = [seat for seat in (*self.people, *lent) if seat in standing.seats_in()]
        return sorted(inside, key=lambda seat: (seat != self.turn, seat != self.facing))

    def bots_asked(self, question: Question) -> list[int]:
        """Return the seats of the bots here that are asked: about a draw. A person answers for a seat that is lent."""
        here = self.table.seats if question == all_of("draw") else ()
        own = [seat for seat in here if seat in self.match.seats_in and seat not in self.table.log.now.lent]
        return [seat for seat in own if self._bot(seat)]

    @property
    def is_inside(self) -> bool:
        """Tell whether this program has a seat in the game."""
        return not {*self.table.seats}.isdisjoint(self.table.log.now.seats_in())

    @property
    def _are_several(self) -> bool:
        """Tell whether enough peers play that two of them can decide about another."""
        return len(self.table.log.now.speakers()) > 2

    def motion(self, motion: TableMotion) -> ShownMotion:
        """Return a motion for display. That a seat is handed on may be told when it has a new holder already."""
        shown, log = ShownMotion.of(motion, self._gone), self.table.log
        if not isinstance(motion, HandMotion):
            return shown
        carried = [place for place, entry in enumerate(log.entries) if getattr(entry.body, "motion", None) == motion]
        before = log.standings[carried[-1] - 1] if carried else log.now
        owners = (self._seats_in(before) if carried else self.seats).owners
        former, keys = before.chairs[motion.number], before.keys
        keeps_name = motion.name == former.name and motion.key in keys
        name = owners[keys.index(motion.key)] if keeps_name else motion.name
        former_name = owners[motion.number]
        return replace(shown, name=name, former=former_name if carried else "", alike=are_alike(name, former_name))

    def _kick(self, name: str) -> None:
        """Have a bot play for a guest of this program, who takes the seat back by a touch."""
        if (seat := self._seat_of(name)) is None:
            raise NotGranted(Why.NOBODY_SITS, text=name) if name else NotGranted(Why.NAME_MISSING)
        if self._player(seat) is None:
            raise NotGranted(Why.NO_GUEST_OF_YOURS, text=name)
        self._play_for(seat, USUAL_LEVEL)

    def _hand_to(self, name: str) -> None:
        """Propose that another player plays the seat at this keyboard, under the name that it has."""
        if self.table.over:
            raise NotGranted(Why.OVER)
        standing, seat, to = self.table.log.now, self._own_seat(), self._seat_of(name)
        if to is None or standing.keys[to] == self.context.key:
            raise NotGranted(Why.NOBODY_SITS, text=name) if name else NotGranted(Why.NAME_MISSING)
        self.vote.propose(HandMotion(seat, standing.keys[to], standing.chairs[seat].name))

    def _flag(self) -> None:
        """Propose that the seat to move has lost on time, because it does not say so itself."""
        standing = self.table.log.now
        if standing.terms.clock is None:
            raise NotGranted(Why.NO_CLOCK)
        if standing.turn is None or standing.turn in self.table.seats:
            raise NotGranted(Why.OWN_CLOCK)
        if self.is_inside and not self._are_several:
            raise NotGranted(Why.ONLY_TWO)
        self.vote.propose(motions.FlagMotion(standing.turn))

    def _seat_that_is_gone(self) -> int:
        """Return the seat about which the others may decide."""
        match self._late:
            case notices.Overdue(seat, several=True):
                return seat
            case notices.Overdue():
                raise NotGranted(Why.ONLY_TWO)
        raise NotGranted(Why.NOBODY_OVERDUE, text=str(self.table.log.now.terms.grace // 1000))

    def _wait(self) -> None:
        """Go on waiting for a seat that is gone, or a bot that thinks; ask a bot that has failed once more."""
        if self.is_alone:
            seat = self._check_bots_turn()
            if not self.thinks and self._bots is not None:
                self._bots.drop(seat)
            self.trouble = None
        elif self.vote.open is not None:
            self.vote.decline()
        else:
            self.say(Fact.TABLE_WAITS)

    def _ask(self) -> None:
        """Ask once about each seat that is gone and has to move, or whose time is up."""
        table, turn, late = self.table, self.table.log.now.turn, self._late
        if late is None or turn is None or self.seat is None or not self.is_inside:
            return
        question = (type(late), turn, table.gone.get(turn, table.began))
        if question not in self._asked:
            self._asked.add(question)
            self.say(late)
