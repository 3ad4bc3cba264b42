"""A person's seat at a table on the network: events of the table become notices, wishes become its calls.

This module alone decides what a person may wish at such a table, and why not. net/tables/table.py decides what is
sent, and when. No sentence, no socket and no print. It is long because all answers to one seat's wishes stand together.
"""

from dataclasses import replace
from typing import Final

from quadrille.client.bots.names import parts
from quadrille.client.claimed_names import short_names
from quadrille.client.table.local import forced
from quadrille.client.table.network import notices, wishes
from quadrille.client.table.network.context import NetworkContext
from quadrille.client.table.network.entries import ReadEntries, cards_shown, dealt_anew, entry_notice
from quadrille.client.table.network.floods import Kind
from quadrille.client.table.network.notices import About, Fact, NetworkNotice, Seats, Whereabouts, Who
from quadrille.client.table.network.proposals import Proposals
from quadrille.client.table.network.reasons import Denial, NotGranted, Objected, sayable
from quadrille.client.table.network.stage import AtGathering, AtTable, NetworkStage
from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.entries.wire import Offer
from quadrille.net.game_log import news
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import At, Began, Departed, Event, Invited
from quadrille.net.tables.accord import FAULT, PROOF, evidence_label
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import fingerprint

#: Milliseconds in which peers that were here already are discovered.
_FIRST_ROUND: Final = 4000
#: The wishes that need a game in progress.
_TO_PLAY: Final = (wishes.ResignSeat, wishes.Takeback)
_TO_PROPOSE: Final = ("draw", "pause")


class NetworkSeat(NetworkStage):
    """A table that has begun, for a player or a watcher."""

    def __init__(self, context: NetworkContext, table: Table) -> None:
        super().__init__(context)
        self.table = table
        self.proposals = Proposals(context, table, self.say)
        self._typed = ""
        self._gone: set[int] = set()
        self._unmet: set[int] = set()  # seats not discovered yet when the person came
        self._came = context.now()
        self._books: set[int] = set()  # seats whose opened books were reported
        self._rematch: Invited | None = None
        self._declined = False  # the rematch, which a word still leads to
        self._followed: bytes | None = None  # the peer that sends its entries to this watcher
        self._read = ReadEntries()
        self._anew: notices.DealtAnew | None = None  # the new deal whose cards are not reported yet

    # Queries

    @property
    def seats(self) -> Seats:
        """The names of those who play, some of them as stand-ins."""
        standing = self.table.log.now
        called = {chair.key: self.context.called(chair.key, chair.name) for chair in standing.chairs}
        called |= {key: self.context.called(key, self._name_in_log(key)) for key in standing.keys if key not in called}
        short = dict(zip(called, short_names(tuple(called.values())), strict=True))
        owners = tuple(short[chair.key] for chair in standing.chairs)
        names = tuple(
            owner if key == chair.key else f"{short[key]} for {owner}"
            for owner, key, chair in zip(owners, standing.keys, standing.chairs, strict=True)
        )
        return Seats(names, owners, self.context.room, tuple(parts(called[key])[1] for key in standing.keys))

    def _name_in_log(self, key: bytes) -> str:
        """The name of a stand-in when it was chosen."""
        for entry in reversed(self.table.log.entries):
            match entry.body:
                case MotionBody(StandInMotion(_, named, name)) if named == key:
                    return name
        return ""

    @property
    def own_seat(self) -> int | None:
        chairs = enumerate(self.table.log.now.chairs)
        return next((seat for seat, chair in chairs if chair.key == self.context.key), None)

    @property
    def lost_seat(self) -> int | None:
        seat = self.own_seat
        return None if seat is None or self.table.log.now.keys[seat] == self.context.key else seat

    @property
    def is_out(self) -> bool:
        """Tell whether this person's seat has left a game in which others play on."""
        return self.table.seat is not None and self.table.log.now.match.is_left_by((self.table.seat,))

    @property
    def deputy(self) -> str:
        if self.lost_seat is None:
            return ""
        key = self.table.log.now.keys[self.lost_seat]
        return self.context.called(key, self._name_in_log(key))

    @property
    def is_idle(self) -> bool:
        table = self.table
        if table.over or table.stopped:
            return True
        turn, overdue = table.log.now.turn, table.overdue(self.context.now())
        silent = turn in overdue or turn in table.gone or self.proposals.may_flag
        return table.seat is not None and (table.is_my_turn or silent or self.proposals.waits)

    @property
    def lost(self) -> list[int]:
        table = self.table
        if table.over:
            return []
        inside = table.log.now.seats_in()
        return [seat for seat in sorted(table.gone) if seat in inside and seat != table.seat]

    @property
    def who_wants_rematch(self) -> Who | None:
        """The player who waits for this person's answer about a rematch."""
        return self.who(self._rematch.key) if self._rematch is not None and not self._declined else None

    @property
    def votes(self) -> bool:
        standing, table = self.table.log.now, self.table
        turn, inside = standing.turn, standing.seats_in()
        decide = turn is not None and table.seat in inside and len(inside) > 2
        return (decide and turn in table.overdue(self.context.now())) or self.proposals.may_flag

    @property
    def allows_hints(self) -> bool:
        """Whether a bot may give hints: by the terms, or because no other person plays."""
        others = (chair for chair in self.table.log.now.chairs if chair.key != self.context.key)
        return self.table.log.now.terms.hints or all(chair.kind != "person" for chair in others)

    def who(self, key: bytes) -> Who:
        """The holder of a key: a seat, or somebody else by name."""
        standing = self.table.log.now
        for keys in (standing.keys, tuple(chair.key for chair in standing.chairs)):
            if key in keys:
                return keys.index(key)
        peer = self.context.lobby.peers.get(key)
        return f"{self.context.name(peer)} ({fingerprint(key)})" if peer else f"somebody ({fingerprint(key)})"

    def is_stranger(self, key: bytes) -> bool:
        standing = self.table.log.now
        return key not in (*standing.keys, *(chair.key for chair in standing.chairs)) and super().is_stranger(key)

    def call(self, key: bytes) -> str:
        """A seat's name at the table."""
        standing = self.table.log.now
        return self.seats.owners[standing.keys.index(key)] if key in standing.keys else super().call(key)

    # Events

    def begin(self) -> None:
        self.context.calls.sat_down(self.table.log.table)
        self._read.begin(self.table.log)
        self._gone, self._unmet = set(self.table.gone), set(self.table.gone)

    def tick(self) -> None:
        table, now = self.table, self.context.now()
        self.say_unreached()
        while table.is_my_turn and forced(table.view):
            self._typed = ""
            table.play(str(next(iter(table.view.moves))), now)
            self.context.lobby.flush(now)
            if notice := entry_notice(table.log.entries[-1], table.log.now):
                self.say(replace(notice, forced=True) if isinstance(notice, notices.MovePlayed) else notice)
        if chair := self.proposals.stand_in_that_came:
            self.attempt(lambda: self.proposals.propose_bot(chair))
        self.proposals.ask()
        self.say_sums()
        self._follow()

    def hear(self, event: Event | Remark) -> None:
        match event:
            case At(name, what) if name == self.table.log.table:
                self.hear_here(what)
            case At(name, news.Took()) if self.context.lobby.tables[name].is_my_turn:
                self.say(About(Fact.TURN_ELSEWHERE, table=name))
            case Invited(key, _, _):
                self._invited(event, key)
            case Began(name) if self.context.calls.awaits(name) and name != self.table.log.table:
                self._plays_on_at(name)
            case Departed(peer) if peer.key == self._followed:
                self._followed = None
            case _:
                self.overhear(event)

    def hear_here(self, event: object) -> None:
        match event:
            case news.Took(entry, replaced):
                self._took(entry, replaced=replaced)
            case news.Proposed():
                if told := self.proposals.hear(event):
                    seat, notice = told
                    self.tell(Kind.PROPOSAL, self.table.log.now.keys[seat], notice)
            case news.Declined(motion, key):
                people = [chair.key for chair in self.table.log.now.chairs if chair.kind == "person"]
                if self.table.seat is not None or key in people:  # a bot declines each time
                    self.tell(Kind.PROPOSAL, key, notices.DeclineTold(self.proposals.motion(motion), self.who(key)))
                self.proposals.open = None
            case news.Presence(seat, here):
                self._came_or_went(seat, here=here)
            case news.ChatLine(author, line):
                self._said(author, line)
            case news.Opened(_, seat):
                self._opened(seat)
            case _:
                self._ruled(event)

    def _ruled(self, event: object) -> None:
        match event:
            case news.Convicted(culprit, _, proof):
                self.say(About(Fact.SIGNED_TWICE if len(proof) > 1 else Fact.SIGNED_FALSELY, self.who(culprit)))
            case news.Blamed(culprit, why):
                fact = Fact.SENT_SIGNED_FAULT if self._is_kept(culprit, why) else Fact.SENT_FAULT
                self.tell(Kind.BLAME, culprit, About(fact, self.who(culprit), why))
            case news.Stopped(culprit, why):
                own = culprit == self.context.key
                who = "" if own or culprit == NOBODY else self.who(culprit)
                self.say(notices.TableStopped(why, who, own, self.table.log.table))

    def _is_kept(self, culprit: bytes, why: str) -> bool:
        """Whether a peer's invalid signed entry is stored as evidence."""
        table = self.table
        kept = (table.shelf.secret(table.log.table, evidence_label(kind, culprit)) for kind in (PROOF, FAULT))
        return any(unpack(data)[0] == why for data in kept if data is not None)

    def _said(self, author: bytes, line: str) -> None:
        notice = self._line(author, line)
        if notice.own:
            self.say(notice)
        else:
            self.tell(Kind.CHAT, author, notice)

    def _line(self, author: bytes, line: str) -> notices.LineSaid:
        """A chat line; a seat's owner goes by their own name while another plays there."""
        standing = self.table.log.now
        owners = [chair.key for chair in standing.chairs]
        is_away = author in owners and author not in standing.keys
        if is_away:
            who: Who = self.seats.owners[owners.index(author)]
        elif author not in standing.keys and (peer := self.context.lobby.peers.get(author)):
            who = f"{self.context.name(peer)} (watching)"
        else:
            who = self.who(author)
        return notices.LineSaid(who, line, own=author == self.context.key)

    @property
    def said(self) -> list[notices.LineSaid]:
        """The chat lines that the table remembers."""
        return [self._line(line.author, line.line) for line in self.table.lines()]

    def _took(self, entry: Entry, *, replaced: bool) -> None:
        log = self.table.log
        self.proposals.clear(entry)
        if told := self._read.hear(log, entry, replaced=replaced):
            self._typed = ""
            self.say(told)
        if entry.index >= len(log.entries) or log.entries[entry.index].hash != entry.hash:
            return  # another entry took its place in the meantime
        if entry.author == self.context.key and entry.body == MoveBody(self._typed):
            return
        notice: NetworkNotice | None = entry_notice(entry, log.standings[entry.index])
        if notice is Fact.SHUFFLED and (anew := dealt_anew(log, entry.index)):
            self._anew = notice = anew
            if self._looks_again():
                return  # reported with the cards
        if saw := self.table.hand.saw(entry):
            before = tuple(str(face or "") for face in self.table.hand.saw_before(entry)) if self._anew else ()
            self.say(notices.CardsSeen(tuple(map(str, saw)), self._anew, before))
            self._anew = None
        elif notice is None:
            return
        else:
            self.say(notice)
        match entry.body:
            case MotionBody(StandInMotion(seat)):
                self._gone.discard(seat)  # the present holder was never away
                if self.lost_seat is not None:
                    self.say(About(Fact.PLAYS_FOR_YOU, self.deputy))

    def _looks_again(self) -> bool:
        """Whether this seat had looked at cards, and sees them again after a new deal."""
        sealed, seat = self.table.log.now.match.state.sealed(), self.table.seat
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

    def _invited(self, event: Invited, key: bytes) -> None:
        if self.table.over and key in [chair.key for chair in self.table.log.now.chairs]:
            self._rematch, self._declined = event, False
            self.tell(Kind.INVITATION, key, About(Fact.WANTS_REMATCH, self.who(key)))
        else:
            invitation = notices.Invitation(self.who(key), event.table, event.terms, Whereabouts.TABLE)
            self.tell(Kind.INVITATION, key, invitation)

    def _plays_on_at(self, name: bytes) -> None:
        """Another table has accepted this person as a stand-in: go there, unless the game here needs its seat."""
        if self.table.over or self.table.stopped or self.table.seat is None:
            self.onward = AtTable(name)
        else:
            self.say(About(Fact.PLAYS_ON_ELSEWHERE, table=name))

    def _follow(self) -> None:
        """Ask a player for the log, as a watcher; if that peer goes, ask another."""
        lobby = self.context.lobby
        if self.table.seat is None and self._followed is None and not self.table.over:
            there = [key for key in self.table.log.now.keys if key in lobby.here]
            if there:
                self._followed = there[0]
                lobby.watch(self.table.log.table, there[0])

    # Wishes of this person

    def granted(self, wish: wishes.NetworkWish) -> None:
        if self.table.over and (isinstance(wish, _TO_PLAY) or getattr(wish, "what", "") in _TO_PROPOSE):
            raise NotGranted(Denial.OVER)
        match wish:
            case wishes.PlayMove(text):
                self._play(text)
            case wishes.UnknownWord(word) if self.table.over:
                raise NotGranted(Objected(Denial.NO_COMMAND, word))
            case wishes.ResignSeat():
                self._resign()
            case wishes.BareWish.OPEN_BOOK:
                self._open_book()
            case wishes.Say(text):
                self.table.say(sayable(text))
            case wishes.InvitePeer(name):
                self._invite(name)
            case wishes.Rematch():
                self._go_to_rematch()
            case wishes.BareWish.AGREE if self.who_wants_rematch is not None:
                self._go_to_rematch()
            case wishes.BareWish.DECLINE if self.who_wants_rematch is not None:
                self.turn_down_rematch()
                self.say(Fact.REMATCH_DECLINED)
            case wishes.Save(name, over):
                if not name:
                    raise NotGranted(Denial.FILE_MISSING)
                path = self.context.keep(name, self.table.log, over)
                self.say(About(Fact.LOG_KEPT, text=path))
            case _ if not self._proposed(wish):
                super().granted(wish)

    def _proposed(self, wish: wishes.NetworkWish) -> bool:
        """Handle a wish that needs others or answers them; return False for any other wish."""
        proposals = self.proposals
        match wish:
            case wishes.ProposeMotion(what):
                proposals.wish(what)
            case wishes.Takeback(moves):
                proposals.take_back(moves)
            case wishes.BareWish.AGREE:
                proposals.agree()
            case wishes.BareWish.DECLINE:
                proposals.decline()
            case wishes.BareWish.DROP:
                proposals.drop()
            case wishes.BareWish.FLAG:
                proposals.flag()
            case wishes.StandIn(who):
                proposals.stand_in(who)
            case wishes.BareWish.TAKE_SEAT_BACK:
                proposals.take_seat_back(self.lost_seat)
            case _:
                return False
        return True

    def _play(self, text: str) -> None:
        if self.table.over:
            raise NotGranted(Objected(Denial.NO_COMMAND, text.partition(" ")[0].lower()))
        if self.is_out:
            raise NotGranted(Denial.OUT)
        self._typed = " ".join(text.lower().split())
        self.table.play(text, self.context.now())

    def _resign(self) -> None:
        if self.table.seat is None:
            raise NotGranted(Denial.NO_SEAT_TO_RESIGN)
        if not self.table.is_my_turn:
            self.say(Fact.RESIGNING)
        self.table.resign(self.context.now())

    def _open_book(self) -> None:
        if self.table.log.now.deck is None:
            raise NotGranted(Denial.NO_HIDDEN_CARDS)
        if not self.table.over or self.table.seat is None:
            raise NotGranted(Denial.BOOK_LATER)
        self.table.open_book()

    def _invite(self, name: str) -> None:
        peer = self.context.peer(name)
        self.context.lobby.let_watch(self.table.log.table, peer.key)
        self.say(About(Fact.MAY_WATCH, self.context.name(peer)))

    def block(self, name: str) -> None:
        """Block somebody; of a player here only the chat, because the game needs the rest."""
        for key, called in zip(self.table.log.now.keys, self.seats.owners, strict=True):
            if name.strip().casefold() == called.casefold() and key != self.context.key:
                self.floods.mute(key)
                self.say(About(Fact.MUTED, called))
                return
        super().block(name)

    def _go_to_rematch(self) -> None:
        """Go to the rematch: the same people, everybody one seat further."""
        if not self.table.over:
            raise NotGranted(Denial.REMATCH_LATER)
        if self.table.seat is None and self._rematch is None:
            raise NotGranted(Denial.ONLY_LOOKED_ON)
        lobby, now, standing = self.context.lobby, self.context.now(), self.table.log.now
        if self._rematch:
            offer = Offer(self._rematch.table, self._rematch.key, self._rematch.terms, (), "open", 0)
            if offer.terms.arbiter != standing.terms.arbiter:  # that arbiter was accepted when this person sat down
                self.context.check_arbiter(offer.terms, offer.host, standing.chairs)
            self.onward = AtGathering(lobby.join(offer, now), again=True)
        else:
            self.onward = AtGathering(lobby.rematch(self.table.log.table, self.context.nonce(), now), again=True)

    def turn_down_rematch(self) -> None:
        """Decline a rematch; a word still leads there."""
        if self._rematch is not None and not self._declined:
            self._declined = True
            self.context.lobby.turn_down(self._rematch, "no rematch")

    def leave(self) -> None:
        self.turn_down_rematch()
        if self.table.seat is not None and not (self.table.over or self.is_out):
            self.say(About(Fact.TABLE_KEPT, table=self.table.log.table))
        tables = self.context.lobby.tables
        others = [name for name in self.context.calls.agreed if name in tables and tables[name] != self.table]
        if others:
            self.onward = AtTable(others[0])
        else:
            self.done = True
