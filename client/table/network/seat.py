"""A person's seat at a table on the network: events of the table become notices, wishes become its calls.

This module alone decides what a person may wish at such a table, and why not. net/tables/table.py decides what is
sent, and when. No sentence, no socket and no print. It is long because all answers to one seat's wishes stand together.
"""

from dataclasses import replace
from typing import Final

from quadrille.client.claimed_names import parts, short_names, shown_name
from quadrille.client.table import notices, wishes
from quadrille.client.table.local import forced
from quadrille.client.table.network.entries import ReadEntries, cards_shown, dealt_anew, entry_notice
from quadrille.client.table.network.stage import AtGathering, AtTable, NetworkContext, NetworkStage, sayable
from quadrille.client.table.notices import (
    About,
    DeclineTold,
    Fact,
    Kind,
    Missing,
    NotGranted,
    Notice,
    Overdue,
    ProposalTold,
    ProposedHere,
    Seats,
    ShownMotion,
    Whereabouts,
    Who,
    Why,
)
from quadrille.client.table.seat import SeatState
from quadrille.client.table.wishes import BareWish
from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import (
    BY_ALL,
    BackMotion,
    DropMotion,
    FlagMotion,
    SeatDecision,
    StandInMotion,
    TableMotion,
    TakebackMotion,
    all_of,
)
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.entries.wire import Offer
from quadrille.net.game_log import news
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import AdvertisedPeer, Arrived, At, Began, Departed, Event, Invited
from quadrille.net.tables.accord import FAULT, PROOF, evidence_label
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.match import Played

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
        self.proposed: news.Proposed | None = None
        # seats asked about, each with the time since when the table waits for it
        self._asked: set[tuple[int, int]] = set()
        self._coming: Chair | None = None  # this person's bot that is starting to stand in
        self._typed = ""
        self._gone: set[int] = set()
        self._unmet: set[int] = set()  # seats not discovered yet when the person came
        self._came = context.now()
        self._books: set[int] = set()  # seats whose opened books were reported
        self._rematch: Invited | None = None
        self._again: set[bytes] = set()  # rematches of others, which are watched
        self._declined = False  # the rematch, which a word still leads to
        self._followed: bytes | None = None  # the peer that sends its entries to this watcher
        self._read = ReadEntries()
        self._anew: About | None = None  # the new deal whose cards are not reported yet

    # Queries

    @property
    def seats(self) -> Seats:
        """The names of those who play, some of them as stand-ins."""
        standing = self.table.log.now
        called = {chair.key: self.context.called(chair.key, chair.name) for chair in standing.chairs}
        called |= {key: self.context.called(key, self._name_in_log(key)) for key in standing.keys if key not in called}
        sat = {chair.key: chair.kind for chair in standing.chairs}
        kinds = tuple(GUEST if sat.get(key) == GUEST else parts(name)[1] for key, name in called.items())
        short = dict(zip(called, short_names(tuple(called.values()), tuple(called), kinds), strict=True))
        owners = tuple(short[chair.key] for chair in standing.chairs)
        names = tuple(
            owner if key == chair.key else f"{short[key]} for {owner}"
            for owner, key, chair in zip(owners, standing.keys, standing.chairs, strict=True)
        )
        of = dict(zip(called, kinds, strict=True))
        beside = tuple(of[key] for key in standing.keys)
        return Seats(names, owners, self.context.room, beside, by_touch=self.context.by_touch)

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats that move here. Nobody is to move while the programs have duties to the deck, or while this program
        does not know how far the game is.
        """
        moves = bool(self.table.over) or (self.table.log.now.owed == "move" and not self.table.waits_for_head)
        return (self.table.seat,) if self.table.seat is not None and moves else ()

    def state(self) -> SeatState:
        table, standing = self.table, self.table.log.now
        view, concern = standing.match.shown(table.view), self.concern(cut_off=False)
        return SeatState(standing.match, view, self.seats, self.mine, standing.over, table.clocks, concern)

    def _name_in_log(self, key: bytes) -> str:
        """Return the name of a stand-in when it was chosen."""
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
        silent = turn in overdue or turn in table.gone or self.may_flag
        return table.seat is not None and (table.is_my_turn or silent or self.is_asked)

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
        return (decide and turn in table.overdue(self.context.now())) or self.may_flag

    def concern(self, *, cut_off: bool) -> Notice | None:
        """Return what needs this person's attention above all, such as a proposal to answer or a seat that is gone.

        `cut_off`: this machine has lost the network.
        """
        table, turn = self.table, self.table.log.now.turn
        if table.stopped:
            return About(Fact.STOPPED, text=table.stopped.why)
        if table.over:
            who = self.who_wants_rematch
            return About(Fact.WANTS_REMATCH, who) if who is not None else None
        if cut_off:
            return Fact.CUT_OFF
        if self.proposed and self.is_asked:
            return ProposalTold(self.motion(self.proposed.motion), self.proposed.signed, answers=True)
        if self.proposed and table.seat in self.proposed.signed:
            return ProposedHere(self.motion(self.proposed.motion), self.unsigned)
        if self.votes and turn is not None:
            if self.may_flag and turn not in table.overdue(self.context.now()):
                return About(Fact.FLAG_DUE, turn)
            return About(Fact.AWAY_DUE if turn in table.gone else Fact.SILENT_DUE, turn)
        if lost := self.lost:
            return self._missing(tuple(lost))
        if self.lost_seat is not None:
            names, owners = self.seats.names, self.seats.owners
            return About(Fact.PLAYS_FOR_YOU, names[self.lost_seat].removesuffix(f" for {owners[self.lost_seat]}"))
        return Fact.RESTING if table.log.now.paused else None

    def _missing(self, lost: tuple[int, ...]) -> Missing:
        standing, now = self.table.log.now, self.context.now()
        left = min(standing.terms.grace - (now - self.table.gone[one]) for one in lost)
        return Missing(lost, len(standing.seats_in()) > 2, not standing.match.game.hidden, left)

    @property
    def allows_hints(self) -> bool:
        """Return whether a bot may give hints: by the terms, or because no other person plays."""
        others = (chair for chair in self.table.log.now.chairs if chair.key != self.context.key)
        return self.table.log.now.terms.hints or not any(chair.is_person for chair in others)

    def who(self, key: bytes) -> Who:
        """Return the holder of a key: a seat, or somebody else by name."""
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
        standing = self.table.log.now
        return self.seats.owners[standing.keys.index(key)] if key in standing.keys else super().call(key)

    # Events

    def begin(self) -> None:
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
                self.say(replace(notice, forced=True) if isinstance(notice, notices.MoveMade) else notice)
        if chair := self.stand_in_that_came:
            self.attempt(lambda: self._propose_bot(chair))
        self._ask()
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
            case Began(name) if name in self._again:
                self.onward = AtTable(name)
            case Arrived(peer) if self.table.over and self.table.seat is None:
                self._watch_rematch(peer)
            case Departed(peer) if peer.key == self._followed:
                self._followed = None
            case _:
                self.overhear(event)

    def hear_here(self, event: object) -> None:
        match event:
            case news.Took(entry, replaced):
                self._took(entry, replaced=replaced)
            case news.Proposed():
                if told := self._proposal(event):
                    seat, notice = told
                    self.tell(Kind.PROPOSAL, self.table.log.now.keys[seat], notice)
            case news.Declined(motion, key):
                people = [chair.key for chair in self.table.log.now.chairs if chair.is_person]
                if self.table.seat is not None or key in people:  # a bot declines each time
                    self.tell(Kind.PROPOSAL, key, notices.DeclineTold(self.motion(motion), self.who(key)))
                self.proposed = None
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
        """Return whether a peer's invalid signed entry is stored as evidence."""
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
        """Tell a chat line; a seat's owner goes by their own name while another plays there."""
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
        self._clear(entry)
        if told := self._read.hear(log, entry, replaced=replaced):
            self._typed = ""
            self.say(told)
        if entry.index >= len(log.entries) or log.entries[entry.index].hash != entry.hash:
            return  # another entry took its place in the meantime
        if entry.author == self.context.key and entry.body == MoveBody(self._typed):
            return
        notice: Notice | None = entry_notice(entry, log.standings[entry.index])
        if notice is Fact.SHUFFLED and (anew := dealt_anew(log, entry.index)):
            self._anew = notice = anew
            if self._looks_again():
                return  # reported with the cards
        if log.now.deck is not None and (saw := self.table.hand.saw(entry)):
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
        """Return whether this seat had looked at cards, and sees them again after a new deal."""
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

    def _watch_rematch(self, peer: AdvertisedPeer) -> None:
        """Go along to the rematch of guests of this program, for whom this person shows the board."""
        played = {chair.key for chair in self.table.log.now.chairs}
        for offer in peer.tables if played & {*self.context.at_door()} else ():
            is_again = offer.state == "playing" and {chair.key for chair in offer.chairs} == played
            if is_again and offer.table not in (*self._again, self.table.log.table):
                self._again.add(offer.table)
                self.context.lobby.watch(offer.table, peer.key)

    def _follow(self) -> None:
        """Ask a player for the log, as a watcher; if that peer goes, ask another."""
        lobby = self.context.lobby
        if self.table.seat is None and self._followed is None and not self.table.over:
            there = [key for key in self.table.log.now.keys if key in lobby.here]
            if there:
                self._followed = there[0]
                lobby.watch(self.table.log.table, there[0])

    # Wishes of this person

    def granted(self, wish: wishes.Wish) -> None:
        if self.table.over and (isinstance(wish, _TO_PLAY) or getattr(wish, "what", "") in _TO_PROPOSE):
            raise NotGranted(Why.OVER)
        match wish:
            case wishes.PlayMove(text):
                self._play(text)
            case wishes.UnknownWord(word) if self.table.over:
                raise NotGranted(Why.NO_COMMAND, text=word)
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
                    raise NotGranted(Why.FILE_MISSING)
                path = self.context.keep(name, self.table.log, over)
                self.say(notices.GameKept(path, is_log=True))
            case _ if not self._asked_others(wish):
                super().granted(wish)

    def _asked_others(self, wish: wishes.Wish) -> bool:
        """Handle a wish that needs others or answers them; return False for any other wish."""
        match wish:
            case wishes.ProposeMotion("wait"):
                self._wait()
            case wishes.ProposeMotion("pause") if self.table.log.now.paused:
                raise NotGranted(Why.PAUSED_ALREADY)
            case wishes.ProposeMotion(what):
                if what not in BY_ALL:
                    raise NotGranted(Why.UNKNOWN_PROPOSAL)
                self._propose(all_of(what))
            case wishes.Takeback(moves):
                self._propose(TakebackMotion(moves or self._back_to_mine()))
            case BareWish.AGREE:
                self._agree()
            case BareWish.DECLINE:
                self._decline()
            case BareWish.DROP:
                self._propose(DropMotion(self._seat_that_is_gone()))
            case BareWish.FLAG:
                self._flag()
            case wishes.StandIn(bot):
                seat = self._seat_that_is_gone()
                self._coming = self._coming or self.context.bring(bot, self.table)
                self.say(About(Fact.STAND_IN_COMES, self._coming.name, seat=seat))
            case BareWish.TAKE_SEAT_BACK:
                if self.lost_seat is None:
                    raise NotGranted(Why.NOBODY_PLAYS_FOR_YOU)
                self._propose(BackMotion(self.lost_seat))
            case _:
                return False
        return True

    def _play(self, text: str) -> None:
        if self.table.over:
            raise NotGranted(Why.NO_COMMAND, text=text.partition(" ")[0].lower())
        if self.is_out:
            raise NotGranted(Why.OUT_OF_GAME)
        self._typed = " ".join(text.lower().split())
        self.table.play(text, self.context.now())

    def _resign(self) -> None:
        if self.table.seat is None:
            raise NotGranted(Why.NO_SEAT_TO_RESIGN)
        if not self.table.is_my_turn:
            self.say(Fact.RESIGNING)
        self.table.resign(self.context.now())

    def _open_book(self) -> None:
        if self.table.log.now.deck is None:
            raise NotGranted(Why.NO_HIDDEN_CARDS)
        if not self.table.over or self.table.seat is None:
            raise NotGranted(Why.BOOK_LATER)
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
            raise NotGranted(Why.REMATCH_LATER)
        if self.table.seat is None and self._rematch is None:
            raise NotGranted(Why.ONLY_LOOKED_ON)
        lobby, now = self.context.lobby, self.context.now()
        if self._rematch:
            offer = Offer(self._rematch.table, self._rematch.key, self._rematch.terms, (), "open", 0)
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
        self.done = True

    # Decisions other than moves, which need the others

    @property
    def is_asked(self) -> bool:
        """Tell whether a proposal awaits this person's answer."""
        seat = self.table.seat
        return (
            self.proposed is not None
            and seat in self.proposed.motion.signers(self.table.log.now)
            and seat not in self.proposed.signed
        )

    @property
    def unsigned(self) -> tuple[int, ...]:
        """The seats that have not signed the open motion."""
        assert self.proposed is not None
        return tuple(
            seat for seat in self.proposed.motion.signers(self.table.log.now) if seat not in self.proposed.signed
        )

    def motion(self, motion: TableMotion) -> ShownMotion:
        return ShownMotion.of(motion, self.table.gone)

    def _propose(self, motion: TableMotion) -> None:
        """Propose a motion, or sign it if it is open."""
        if self.proposed and self.proposed.motion != motion and self.is_asked:
            raise NotGranted(Why.ANSWER_FIRST, motion=self.motion(self.proposed.motion))
        if self.proposed and self.proposed.motion == motion and self.table.seat in self.proposed.signed:
            raise NotGranted(Why.AGREED_ALREADY)
        if not self.table.agree(motion, self.context.now()):
            raise self._not_granted(motion)

    def _not_granted(self, motion: TableMotion) -> NotGranted:
        """Say why this person has nothing to sign now."""
        inside = self.table.log.now.seats_in()
        deciding = motion.signers(self.table.log.now) if isinstance(motion, SeatDecision) else ()
        away = tuple(seat for seat in deciding if seat in self.table.gone)
        is_inside = self.table.seat in inside
        return NotGranted(Why.AWAY, seats=away) if is_inside and away else NotGranted(Why.NO_PROPOSAL)

    def _back_to_mine(self) -> int:
        played = [entry for entry in self.table.log.now.match.entries if isinstance(entry, Played)]
        for number, entry in enumerate(reversed(played), 1):
            if entry.seat == self.table.seat:
                return number
        raise NotGranted(Why.NONE_TO_TAKE_BACK)

    def _agree(self) -> None:
        """Sign the open motion."""
        if self.proposed is None or not self.is_asked:
            raise NotGranted(Why.NOTHING_TO_ANSWER)
        self.table.agree(self.proposed.motion, self.context.now())

    def _decline(self) -> None:
        """Refuse, or withdraw this person's own proposal."""
        if self.proposed is None:
            raise NotGranted(Why.NOTHING_PROPOSED)
        self.table.decline()
        self.say(DeclineTold(self.motion(self.proposed.motion)))
        self.proposed = None

    @property
    def may_flag(self) -> bool:
        """Tell whether the seat to act is out of time by this machine's clock, and the others can rule on it."""
        standing, now = self.table.log.now, self.context.now()
        turn, inside = standing.turn, standing.seats_in()
        others = self.table.seat in inside and turn != self.table.seat and len(inside) > 2
        return turn is not None and others and self.table.flag_fell(turn, now)

    def _flag(self) -> None:
        """Propose that the seat to move has lost on time, because it does not say so itself."""
        standing = self.table.log.now
        if standing.terms.clock is None:
            raise NotGranted(Why.NO_CLOCK)
        if standing.turn is None or standing.turn == self.table.seat:
            raise NotGranted(Why.OWN_CLOCK)
        if self.table.seat in standing.seats_in() and len(standing.seats_in()) < 3:
            raise NotGranted(Why.WHOSE_CLOCK)
        self._propose(FlagMotion(standing.turn))

    def _seat_that_is_gone(self) -> int:
        """Return the seat about which the others may decide."""
        standing = self.table.log.now
        turn = standing.turn
        if turn is None or turn not in self.table.overdue(self.context.now()):
            raise NotGranted(Why.NOBODY_OVERDUE, text=str(standing.terms.grace // 1000))
        if len(standing.seats_in()) < 3:
            raise NotGranted(Why.WHO_IS_GONE)
        return turn

    def _wait(self) -> None:
        """Go on waiting for a seat that is gone."""
        if self.proposed is not None:
            self._decline()
        else:
            self.say(Fact.TABLE_WAITS)

    def _proposal(self, event: news.Proposed) -> tuple[int, ProposalTold] | None:
        """Return the first other seat that signed, and the notice; None for this person's own signature."""
        if isinstance(event.motion, BackMotion):
            owner = self.table.log.now.chairs[event.motion.seat]
            mine = owner.key == self.context.key
            name = self.context.called(owner.key, owner.name)
            self.say(Fact.PLAYING_AGAIN if mine else About(Fact.PLAYS_AGAIN, name))
            return None
        before = self.proposed.signed if self.proposed and self.proposed.motion == event.motion else ()
        self.proposed = event
        fresh = [seat for seat in event.signed if seat not in before]
        others = tuple(seat for seat in fresh if seat != self.table.seat)
        motion, missing = self.motion(event.motion), self.unsigned
        if others:
            return others[0], ProposalTold(motion, others, bool(before), self.is_asked)
        if fresh and missing:
            self.say(ProposedHere(motion, missing, bool(before)))
        return None

    def _clear(self, entry: Entry) -> None:
        """Clear the proposal once the log has gone on: it was carried, or is void."""
        proposed, self.proposed = self.proposed, None
        keys = self.table.log.now.keys
        signed = proposed is not None and self.table.seat in proposed.signed
        if signed and isinstance(entry.body, MoveBody) and entry.author in keys and entry.author != self.context.key:
            self.say(About(Fact.LAPSED, keys.index(entry.author)))

    @property
    def stand_in_that_came(self) -> Chair | None:
        """The person's bot that has come to stand in; returned once."""
        chair = self._coming
        if chair is None or chair.key not in self.context.lobby.here:
            return None
        self._coming = None
        return chair

    def _propose_bot(self, chair: Chair) -> None:
        """Propose a bot that has come to stand in, if it is still needed."""
        turn = self.table.log.now.turn
        if turn is None or turn not in self.table.overdue(self.context.now()):
            self.say(About(Fact.STANDS_IN_IDLE, shown_name(chair.name, chair.key)))
        else:
            self._propose(StandInMotion(turn, chair.key, chair.name))

    def _ask(self) -> None:
        """Ask once about each seat that is gone and has to move, or whose time is up."""
        table = self.table
        standing = table.log.now
        turn = standing.turn
        if turn is None or table.seat is None:
            return
        if self.may_flag and turn not in table.gone and (turn, -table.began) not in self._asked:
            self._asked.add((turn, -table.began))
            self.say(About(Fact.CLOCK_LOW, turn))
        if turn not in table.overdue(self.context.now()):
            return
        question = (turn, table.gone.get(turn, table.began))
        if question not in self._asked and table.seat in standing.seats_in():
            self._asked.add(question)
            several = len(standing.seats_in()) > 2
            self.say(Overdue(turn, turn not in table.gone, several, standing.match.game.hidden))
