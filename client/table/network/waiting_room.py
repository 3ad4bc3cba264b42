"""A table before its game: a host waits until all seats are taken, a guest until the host has begun.

See net/seating/gathering.py for its machine.
"""

from collections.abc import Sequence
from dataclasses import replace

from quadrille.client.claimed_names import is_own, parts
from quadrille.client.table import notices, wishes
from quadrille.client.table.notices import About, Fact, GuestAsks, Kind, NotGranted, Why
from quadrille.client.table.stage import Heard, NetworkContext, NetworkStage, sayable, speaker_of
from quadrille.net.entries.terms import Chair, peers
from quadrille.net.game_log.news import ChatLine
from quadrille.net.seating.gathering import (
    CLOSED,
    OPEN,
    ChairGranted,
    ChairRefused,
    Gathering,
    InLine,
    OfferChanged,
    SeatWanted,
    TurnedDown,
)
from quadrille.net.seating.lobby import Arrived, At, Began, Departed, Invited
from quadrille.net.trust.identity import peer_of
from quadrille.net.trust.names import are_alike


class WaitingRoom(NetworkStage):
    """The place before a table begins."""

    def __init__(self, context: NetworkContext, gathering: Gathering, *, way: str = "", ticket: str = "") -> None:
        """`way`: a sentence on how others come here; with a `ticket`, the line that they type."""
        super().__init__(context)
        self.gathering = gathering
        self.way = way
        self.ticket = ticket
        self._sitting: tuple[Chair, ...] = ()
        self._seated = False
        self._met: set[bytes] = set()

    @property
    def number(self) -> bytes:
        return self.gathering.table

    @property
    def offers(self) -> str:  # type: ignore[override]
        return "HOSTING" if self.gathering.hosts else "ASKING"

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """The chairs by the host's word; a host does not count those who are still on the way."""
        if self.gathering.hosts:
            coming, expected = self.gathering.coming, self._expected
            return tuple(chair for chair in self.gathering.chairs if chair.key not in coming and chair not in expected)
        offer = self.context.lobby.offer_of(self.gathering.host, self.gathering.table)
        return offer.chairs if offer is not None else self._sitting

    @property
    def is_idle(self) -> bool:
        return not self.gathering.hosts or any(is_own(chair, self.context.key) for chair in self.gathering.chairs)

    @property
    def taken(self) -> int:
        return len(self.chairs)

    @property
    def total(self) -> int:
        return self.gathering.terms.seats

    def called(self, chair: Chair) -> str:
        """Return the person's name for the holder of a chair, told apart from the others here."""
        name = self.context.name_of(chair)
        seated = tuple({(one.key, one.name): one for one in (*self.gathering.chairs, *self.chairs, chair)}.values())
        return name if parts(name)[1] else self.context.names_of(seated)[seated.index(chair)]

    def begin(self) -> None:
        self._sitting = self.chairs
        self.ask_guest()

    # Events

    def hear(self, event: Heard) -> None:
        match event:
            case At(name, what) if name == self.gathering.table:
                self._hear_here(what)
            case Began(name) if name == self.gathering.table:
                self.onward = name
            case Arrived(peer) if self.gathering.hosts and peer.key not in self._met:
                self._met.add(peer.key)
                if peer.key not in [chair.key for chair in self.chairs]:
                    self.tell(Kind.COMING, peer.key, About(Fact.ARRIVED, self.context.name(peer)))
            case Arrived(peer) if peer.key == self.gathering.host:
                self._tell_changes()
            case Departed(peer):
                self._met.discard(peer.key)
                if self.gathering.hosts and peer.key in peers(self.gathering.reserved):
                    self.say(About(Fact.REMATCH_LEFT, self.context.name(peer)))
            case Invited():
                self._invited(event)
            case _:
                super().hear(event)

    def _hear_here(self, what: object) -> None:
        match what:
            case ChairGranted(why) if why:
                self.say(About(Fact.FURTHER_SEAT_REFUSED, text=why))
            case ChairGranted() if not self._seated:
                self._seated = True
                self.say(Fact.SEAT_GIVEN)
            case InLine(why):
                self.say(About(Fact.IN_LINE, text=why))
            case SeatWanted(key):
                self.tell(Kind.COMING, key, About(Fact.SEAT_WANTED, self.call(key)))
            case ChairRefused(why):
                self.say(About(Fact.SEAT_REFUSED, text=why))
                self.done, self.code = True, 1
            case OfferChanged(withheld):
                self._tell_changes()
                for key in withheld:
                    self.tell(Kind.COMING, key, About(Fact.KEPT_BACK, self.call(key)))
            case ChatLine(author, line):
                speaker, text = speaker_of(self.chairs, author, line)
                who = self.called(speaker) if isinstance(speaker, Chair) else self.context.voice(author, speaker)
                own = author == self.context.key and speaker is None
                self.tell(Kind.CHAT, author, notices.LineSaid("" if own else who, text, own=own))
            case TurnedDown(key, why, again):
                fact = Fact.REMATCH_REFUSED if again else Fact.INVITATION_DECLINED
                self.tell(Kind.INVITATION, key, About(fact, self.call(key), why))

    def _tell_changes(self) -> None:
        """Report who sat down or stood up since the last report."""
        before, self._sitting = self._sitting, self.chairs
        if self.gathering.phase == CLOSED:
            return
        for now, then, sits in ((self._sitting, before, True), (before, self._sitting, False)):
            for chair in now:
                if chair not in then and not is_own(chair, self.context.key):
                    changed = notices.ChairChanged(self.called(chair), sits, self.taken, self.total)
                    self.tell(Kind.COMING, chair.key, changed)

    def _invited(self, event: Invited) -> None:
        """Join the table of the smaller number if two people offer a rematch at once."""
        expected = event.key in peers(self.gathering.reserved)
        if expected and event.table < self.gathering.table:
            chairs = self.gathering.chairs
            self.gathering.leave()
            self.onward = self.context.follow(event, chairs)
        elif not expected:
            super().hear(event)

    # Guests who ask (`host --guests=ask`)

    @property
    def asking(self) -> list[GuestAsks]:
        """The guests about whom this host is asked, the first one now."""
        return [*self.context.asking] if self.gathering.hosts else []

    def ask_guest(self) -> None:
        for asks in self.asking[:1]:
            self.say(asks)

    def _answer_guest(self, *, yes: bool) -> None:
        if not self.asking:
            raise NotGranted(Why.NOTHING_TO_ANSWER)
        asks = self.asking[0]
        self._at_door = [guest for guest in self._at_door if guest != asks]
        self.context.asking.pop(asks)(yes)
        self.say(About(Fact.GUEST_LET_IN if yes else Fact.GUEST_TURNED_AWAY, asks.name))
        self.ask_guest()

    def tick(self) -> None:
        super().tick()
        host, waits = peer_of(self.gathering.host), self.gathering.hosts and self.taken < self.total
        self.say_absent(lambda absence: absence.is_sure and (waits or absence.of == host))
        if self.gathering.hosts and self.gathering.phase == OPEN and self.taken == self.total:
            self.gathering.start(self.context.now())

    # Wishes of this person

    def granted(self, wish: wishes.Wish) -> None:
        hosts = self.gathering.hosts
        match wish:
            case wishes.BareWish.ASK_WHO:
                self.say(self._present())
            case wishes.TextWish(wishes.Verb.SAY, text):
                others = self.context.lobby.sitting(self.gathering.table) - {self.context.key}
                if not others:
                    raise NotGranted(Why.NOBODY_HEARS)
                self.gathering.say(sayable(text), others)
            case wishes.BareWish.START if hosts:
                self._start()
            case wishes.SeatBots(bots) if hosts:
                self._seat_bots(bots)
            case wishes.BareWish.AGREE | wishes.BareWish.DECLINE if hosts:
                self._answer_guest(yes=wish is wishes.BareWish.AGREE)
            case wishes.TextWish(wishes.Verb.INVITE, name) if hosts:
                peer = self.context.peer(name)
                self.gathering.invite(peer.key)
                self.say(About(Fact.INVITED, self.context.name(peer)))
            case wishes.TextWish(wishes.Verb.KICK, name) if hosts:
                self._kick(name)
            case _:
                super().granted(wish)

    @property
    def _expected(self) -> list[Chair]:
        """The chairs of this peer that are kept for guests who have not come."""
        expected = self.gathering.expected
        return [chair for chair in self.gathering.chairs if chair.key == self.context.key and chair.name in expected]

    def _start(self) -> None:
        """Give up the seats of those who are not here, and say for whom the game still waits."""
        gathering, kept = self.gathering, self._expected
        if replace(gathering.terms, seats=len(gathering.chairs) - len(kept)).objection() is not None:
            raise NotGranted(Why.TOO_FEW, taken=self.taken, seats=self.total)
        for chair in kept:
            gathering.remove(chair.name)
        gathering.drop_free_chairs()
        coming = [self.called(chair) for chair in gathering.chairs if chair.key in gathering.coming]
        self.say(About(Fact.STARTS, text=", ".join(coming)))

    def _seat_bots(self, bots: Sequence[str]) -> None:
        """Put bots on free seats, and then on those that are kept for guests who have not come."""
        gathering = self.gathering
        free, kept = self.total - len(gathering.chairs), self._expected
        if not bots:
            raise NotGranted(Why.WHICH_BOT)
        if len(bots) > (most := free + len(kept)) or gathering.phase != OPEN:
            raise NotGranted(Why.NO_SEAT_FREE, free=most)
        for away in kept[most - len(bots) :] if len(bots) > free else ():
            gathering.remove(away.name)
        for bot in bots:
            gathering.keep(self.context.come_along(bot, gathering.table))

    def _present(self) -> notices.Present:
        sitting, context = self.chairs, self.context
        keys = [chair.key for chair in sitting]
        names = tuple("" if is_own(chair, context.key) else self.called(chair) for chair in sitting)
        others = tuple(sorted(context.name(peer) for peer in context.lobby.peers.values() if peer.key not in keys))
        return notices.Present(
            names, others, self.taken, self.total, tuple(absence.text for absence in context.absent())
        )

    def _kick(self, name: str) -> None:
        for chair in self.gathering.chairs:
            called = self.called(chair)
            meant = any(are_alike(name, name_there) for name_there in (called, chair.name, parts(called)[0]))
            if meant and chair.key == self.context.key and chair.at:
                self.context.turn_out(chair.name)
                return
            if meant and chair.key != self.context.key:
                self.gathering.kick(chair.key, "the host took your seat away")
                return
        raise NotGranted(Why.NOBODY_SITS, text=name) if name else NotGranted(Why.NAME_MISSING)

    def leave(self) -> None:
        if self.gathering.phase == OPEN:
            self.gathering.leave()
        self.say(Fact.TABLE_CLOSED if self.gathering.hosts else Fact.ROOM_LEFT)
        self.done = True
