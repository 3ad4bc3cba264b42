"""The base of a person's places on the network: events, time and wishes come in, notices go out.

One place leads to the next: a choice of tables, the waiting room, the table, a rematch. A place names the next one as
a value (`onward`), and next_stage.py makes it, so no place depends on another. No sentence, no socket, no thread and
no print here.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from quadrille.client.table import wishes
from quadrille.client.table.network.context import NetworkContext
from quadrille.client.table.network.floods import Floods
from quadrille.client.table.notices import (
    About,
    Arbiter,
    AskedToPlayOn,
    AwaitedAt,
    Fact,
    GuestAsks,
    GuestGone,
    Invitation,
    Kind,
    NotGranted,
    Notice,
    Refused,
    Seats,
    Untold,
    Whereabouts,
    Why,
)
from quadrille.client.table.seat import SeatState
from quadrille.client.value import value
from quadrille.net.core.errors import NetError
from quadrille.net.entries.terms import Chair
from quadrille.net.game_log.log import Log
from quadrille.net.program.station import Remark
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.lobby import Began, Called, Event, Invited, SeatAwaited
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.errors import RulesError


@value
class AtTable:
    """The next place is a table at play."""

    table: bytes


@value
class AtGathering:
    """The next place is the waiting room of a table; `again`: of a rematch."""

    gathering: Gathering
    again: bool = False


Onward: TypeAlias = AtTable | AtGathering
#: Maximum characters of a chat line.
_MOST_SAID: Final = 500


def sayable(text: str) -> str:
    """Return the line, if it is fit to be sent."""
    if not text or len(text) > _MOST_SAID or not text.isprintable():
        raise NotGranted(Why.BAD_LINE)
    return text


class NetworkStage:
    """One place of a person. `code` is the exit code, if it is the last place."""

    place = Whereabouts.TABLE

    def __init__(self, context: NetworkContext) -> None:
        self.context = context
        self.done = False
        self.code = 0
        self.onward: Onward | None = None
        self.floods = Floods()
        self._notices: list[Notice] = []

    @property
    def seats(self) -> Seats:
        """The names of the seats, for sentences."""
        return Seats((), (), self.context.room, by_touch=not self.context.asks)

    def state(self) -> SeatState | None:
        """Return the table at play, as this person may know it; None before that."""
        return None

    @property
    def own_seat(self) -> int | None:
        """The seat where this person sat down, also while another plays there."""
        return None

    def begin(self) -> None:
        """Do the first work of a place, when the person arrives."""

    def hear(self, event: Event | Remark) -> None:
        """Process an event of the network; a table where this person agreed to stand in leads away from here."""
        match event:
            case Invited(key, table, terms):
                self.tell(Kind.INVITATION, key, Invitation(self.context.somebody(key), table, terms, self.place))
            case Began(name) if self.context.calls.awaits(name):
                self.onward = AtTable(name)
            case _:
                self.overhear(event)

    def hear_guest(self, event: GuestAsks | GuestGone) -> None:
        """Note that a guest asks for a seat or has gone. Guests wait until this person has a waiting room."""
        asking = self.context.asking
        first = asking[:1]
        match event:
            case GuestAsks():
                asking.append(event)
            case GuestGone(number):
                for asks in [one for one in asking if number in (None, one.number)]:
                    asking.remove(asks)
                    self.say(About(Fact.GUEST_WENT, asks.name))
        if asking[:1] != first:
            self.ask_guest()

    def ask_guest(self) -> None:
        for asks in self.context.asking[:1]:
            self.say(About(Fact.GUEST_WAITS, asks.name))

    def tick(self) -> None:
        self.say_sums()

    def say_unreached(self) -> None:
        """Report each shut way to an overlay, once."""
        self.say_absent({sentence: sentence for sentence in self.context.unreached()})

    def say_absent(self, found: Mapping[str, str] | Mapping[bytes, str]) -> bool:
        """Report the absence of peers and of ways to them, of each once; return whether one was new."""
        fresh = {who: sentence for who, sentence in found.items() if who not in self.context.told_absent}
        self.context.told_absent.update(fresh)
        for sentence in fresh.values():
            self.say(About(Fact.PEER_MISSING, text=sentence))
        return bool(fresh)

    @property
    def arbiter_asked(self) -> Arbiter | None:
        """The arbiter that this person is asked to accept."""
        return None

    @property
    def is_idle(self) -> bool:
        """Return whether nothing happens without another wish."""
        return True

    def leave(self) -> None:
        self.done = True

    def drain(self) -> list[Notice]:
        notices, self._notices = self._notices, []
        return notices

    # Wishes

    def wish(self, wish: wishes.Wish) -> None:
        """Grant a wish; a refusal is a notice."""
        self.attempt(lambda: self.granted(wish))

    def attempt(self, deed: Callable[[], None]) -> None:
        """Do something; a refusal becomes a notice."""
        try:
            deed()
        except NotGranted as refusal:
            self.say(refusal.refused)
        except (RulesError, NetError, OSError) as error:
            self.say(Refused(error))

    def granted(self, wish: wishes.Wish) -> None:
        """Grant the wish, or raise an error that says why not."""
        match wish:
            case wishes.BlockPeer(name):
                self.block(name)
            case wishes.PlayFor(table, name):
                self.play_for(table, name)
            case wishes.LeaveTable():
                self.leave()
            case wishes.BareWish.SHOW_ENTRANCE:
                if (entrance := self.context.entrance()) is None:
                    raise NotGranted(Why.NO_GUESTS)
                self.say(entrance)
            case wishes.ShowEvening(name):
                self.say(self.context.evening(name))
            case _:
                raise NotGranted(Why.NOT_HERE, wish=wish)

    def block(self, name: str) -> None:
        peer = self.context.peer(name)
        self.floods.mute(peer.key)
        self.context.block(peer.key)
        self.say(About(Fact.BLOCKED, self.context.name(peer)))

    def play_for(self, digits: str, name: str) -> None:
        """Agree to all seats with the same request; `name` decides between several."""
        context = self.context
        lobby, now = context.lobby, context.now()
        asked = context.calls.open(digits, now, context.peer(name).key if name else None)
        first = asked[0]
        if why := first.terms.objection():
            raise NotGranted(Why.UNPLAYABLE, text=why)
        peer = lobby.peers.get(first.key)
        asker = Chair(first.key, peer.name if peer else "", peer.kind if peer else "person")
        context.check_arbiter(first.terms, b"", (asker,))
        context.calls.agree(first)
        for called in asked:
            lobby.play_on(called)
        lobby.flush(now)
        self.say(About(Fact.AGREED_TO_PLAY_ON, table=first.table, seat=first.seat))

    # Events that others cause at any rate

    def say(self, notice: Notice) -> None:
        self._notices.append(notice)

    def tell(self, kind: Kind, author: bytes, notice: Notice) -> None:
        """Show a notice that somebody else has caused, or only count it if there are too many."""
        if self.floods.hear(kind, author, self.context.now(), stranger=self.is_stranger(author)):
            self.say(notice)

    def is_stranger(self, key: bytes) -> bool:
        """Return whether somebody has neither a seat here nor a nickname."""
        return self.context.nickname(key) is None

    def call(self, key: bytes) -> str:
        """Return the person's name for somebody, in a line about them."""
        peer = self.context.lobby.peers.get(key)
        return self.context.name(peer) if peer else f"Somebody ({fingerprint(key)})"

    def say_sums(self) -> None:
        """Show one notice for all those suppressed."""
        for one in self.floods.sums(self.context.now()):
            self.say(Untold(one.kind, one.count, self.call(one.author) if one.author is not None else ""))

    def overhear(self, event: Event | Remark) -> None:
        """Handle events that concern the person at any place."""
        match event:
            case Remark(key, text):
                self.tell(Kind.NAME, key, About(Fact.REMARK, text=text))
            case SeatAwaited(key, log):
                self._awaited(key, log)
            case Called() if self.context.asks:
                self._called(event)

    def _called(self, called: Called) -> None:
        """Hear that a seat asks this person to stand in for another, repeatedly until it is answered."""
        calls = self.context.calls
        if calls.has_agreed(called):
            self.context.lobby.play_on(called)
        elif calls.hear(called, self.context.now()):
            notice = AskedToPlayOn(self.call(called.key), called.table, called.seat, called.terms)
            self.tell(Kind.INVITATION, called.key, notice)

    def _awaited(self, key: bytes, log: Log) -> None:
        """Tell that a table which is not open here waits for this person."""
        standing, lobby = log.now, self.context.lobby
        names = {chair.key: chair.name for chair in standing.chairs}
        peer = lobby.peers.get(key)
        who = self.context.called(key, peer.name if peer else names.get(key, "Somebody"))
        owner = ""
        if lobby.identity.key not in names:
            chair = standing.chairs[standing.keys.index(lobby.identity.key)]
            owner = self.context.called(chair.key, chair.name)
        self.tell(Kind.INVITATION, key, AwaitedAt(who, log.table, owner, self.place))


class Bystander(NetworkStage):
    """A person on the network without a table; events go to the lobby."""

    place = Whereabouts.LOBBY
