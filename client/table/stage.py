"""The base of a person's places on the network: events, time and wishes come in, notices go out.

One place leads to the next: a choice of tables, the waiting room, the table, a rematch. A place names the next one as
a value (`onward`), and client/presence/place.py makes it, so no place depends on another. A shell fills in the context
that all places share, and so can a test. No sentence, no socket, no thread and no print here.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from quadrille.client.claimed_names import is_own, parts, short_names, shown_name, sits_at
from quadrille.client.foreign import isolated
from quadrille.client.table import notices, wishes
from quadrille.client.table.ballot import Ballot
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import About, Fact, Kind, NotGranted, Notice, Seats, Why
from quadrille.net.core.errors import LocalError, NetError
from quadrille.net.core.limits import Bucket, Buckets, Pace
from quadrille.net.entries.terms import GUEST, NOBODY, Chair
from quadrille.net.entries.wire import Offer
from quadrille.net.game_log.news import Took
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import are_alike
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import is_line
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.table.table_seat import TableSeat
    from quadrille.net.game_log.log import Log
    from quadrille.net.program.station import Remark
    from quadrille.net.seating.gathering import Gathering
    from quadrille.net.seating.lobby import AdvertisedPeer, Event, Invited, Lobby
    from quadrille.net.tables.table import Table

#: Events of the network and of this program, for a person's place.
Heard: TypeAlias = "Event | Remark | wishes.Answer"
#: In the place of a name: a chair that is kept for a guest who has not come. Of several chairs each has a number.
NOBODY_YET: Final = "a guest"
#: After the name of a guest without a chair, in a chat line that the host's program sends.
WATCHING: Final = " (watching)"
#: Maximum characters of a chat line.
_MOST_SAID: Final = 500
#: The paces of people at the table and of people this person knows.
_KNOWN: Final = {
    Kind.CHAT: Pace(12, 1500),
    Kind.NAME: Pace(3, 10_000),
    Kind.INVITATION: Pace(3, 10_000),
    Kind.PROPOSAL: Pace(6, 4000),
    Kind.BLAME: Pace(3, 10_000),
    Kind.COMING: Pace(8, 5000),
}
#: The pace of one stranger, for lines of each kind.
_STRANGER: Final = {
    kind: Pace(pace.burst if kind is Kind.COMING else 3, 2 * pace.every) for kind, pace in _KNOWN.items()
}
#: The pace of all strangers together.
_STRANGERS: Final = Pace(20, 2000)
#: Milliseconds between two sums of one kind.
SUM_EVERY: Final = 5000
#: Maximum authors whose suppressed lines are counted apart.
_MOST_AUTHORS: Final = 256


def kept_names(count: int) -> list[str]:
    """Return the names of chairs that are kept for guests."""
    return [NOBODY_YET, *(f"{NOBODY_YET} {number}" for number in range(2, count + 1))][:count]


def _refuses(sentence: str) -> Callable[..., NoReturn]:
    """Stand in for a function that a shell does not offer: raise `sentence`."""

    def refuse(*given: object) -> NoReturn:
        raise LocalError(sentence.format(*given))

    return refuse


@value
class Absence:
    """Why a peer is not here, by its ZRE identity, or why others may not be, by some name of the cause. It `is_sure`
    if nobody has to ask for it. Once it is `over` there is a sentence for that.
    """

    of: str | bytes
    text: str
    is_sure: bool = True
    over: str = ""


@value
class NetworkContext:
    """`nickname` returns this person's name for the holder of a key. `come_along` starts a bot that sits down before
    the game. `block` blocks a key, `keep` writes a log to a file and returns its path, `opens` begins a table that this
    program holds alone. `absent` returns why others are not here, `told_absent` are the absences that were reported,
    and `cut_off` says that this machine has lost its network, or "". `by_touch`: the person is a guest, who types
    nothing. `room` has the options by which this person comes back to the same room. `entrance` is how guests come,
    while this person serves any; `asking` are those who want a seat, each with what hears the answer. `asleep` are the
    guests with a seat whose phones are. `deputies` are the bots by table and seat that play for guests, in seats that
    are lent to this program, or as at one keyboard before; "" for none any more. `turn_out` takes a guest's chair away.
    `leads` tells whether nobody on another machine plays there; `next_game` puts away the game of a place, and opens
    another. `ballots` are its voters at each table. `evening` returns the evening's points, or writes them to a file.
    `is_forgotten`: this person has given up the game of a table.
    """

    lobby: "Lobby"
    now: Callable[[], int]
    nickname: Callable[[bytes], str | None] = field(default=lambda _: None)
    nonce: Callable[[], bytes] = field(default=_refuses("no table can be opened here"))
    block: Callable[[bytes], None] = field(default=_refuses("nobody can be blocked here"))
    keep: Callable[[str, "Log", bool, Iterable[str]], str] = field(default=_refuses("no log can be kept here"))
    opens: Callable[[GameSetup], "Table"] = field(default=_refuses("no other game can be begun here"))
    by_touch: bool = False
    absent: "Callable[[], list[Absence]]" = list
    told_absent: "dict[str | bytes, Absence]" = field(default_factory=dict)
    cut_off: Callable[[], str] = str
    room: str = ""
    entrance: Callable[[], notices.GuestEntrance | None] = field(default=lambda: None)
    come_along: Callable[[str, bytes], Chair] = field(default=_refuses("no bot can be brought along here"))
    asking: "dict[notices.GuestAsks, partial[None]]" = field(default_factory=dict)
    asleep: set[str] = field(default_factory=set)
    deputies: dict[tuple[bytes, int], str] = field(default_factory=dict)
    turn_out: Callable[[str], None] = field(default=lambda _: None)
    leads: "Callable[[Log], bool]" = field(default=lambda _: False)
    next_game: "Callable[[NetworkStage, str], Gathering]" = field(default=_refuses("no table can be opened here"))
    ballots: dict[bytes, Ballot] = field(default_factory=dict)
    evening: Callable[[str], Notice] = field(default=_refuses("no points are counted here"))
    is_forgotten: Callable[[bytes], bool] = field(default=lambda _: False)

    @property
    def key(self) -> bytes:
        return self.lobby.identity.key

    def called(self, key: bytes, name: str) -> str:
        """Return the person's name for the holder of a key who claims `name`."""
        return self.nickname(key) or shown_name(name, key)

    def name_of(self, chair: Chair) -> str:
        """Return the person's name for the holder of a chair. A nickname is the peer's, and not that of its guests."""
        return shown_name(chair.name, chair.key) if chair.at else self.called(chair.key, chair.name)

    def names_of(self, chairs: Sequence[Chair]) -> tuple[str, ...]:
        """Return distinct names of those who sit there; guests elsewhere go by their host's name too where needed."""
        beside = tuple(sits_at(chair) if self._is_elsewhere(chair) else "" for chair in chairs)
        return short_names(tuple(map(self.name_of, chairs)), tuple(chair.key for chair in chairs), beside)

    def _is_elsewhere(self, chair: Chair) -> bool:
        """Tell whether somebody sits there who plays at another's program."""
        return bool(chair.at) and chair.key != self.key

    def kind_of(self, chair: Chair) -> str:
        """Describe somebody beside the name: a guest, somebody elsewhere (`at Ann's`), a bot (`level 2 of Ann`)."""
        kind = parts(self.name_of(chair))[1] if not chair.at or chair.kind == "bot" else ""
        if self._is_elsewhere(chair):
            return kind or sits_at(chair)
        return GUEST if self.is_guest(chair) else kind

    def is_own_turn(self, table: "Table") -> bool:
        """Tell whether this person, and not a guest, is to move."""
        standing = table.log.now
        return table.is_my_turn and standing.turn is not None and is_own(standing.chairs[standing.turn], self.key)

    def name(self, peer: "AdvertisedPeer") -> str:
        return self.called(peer.key, peer.name)

    def somebody(self, key: bytes) -> str:
        """Return the person's name for a peer, if it is still here."""
        peer = self.lobby.peers.get(key)
        return self.name(peer) if peer else f"Somebody ({fingerprint(key)})"

    def is_guest(self, chair: Chair) -> bool:
        """Tell whether a guest of this program sits there."""
        return chair.key == self.key and chair.kind == GUEST

    def voice(self, key: bytes, speaker: Chair | str | None) -> str:
        """Return who said a line (`speaker_of`); a guest without a chair with the peer, where it is another one."""
        peer = self.lobby.name if key == self.key else self.somebody(key)
        match speaker:
            case Chair():
                return self.name_of(speaker)
            case str():
                return isolated(speaker) if key == self.key else f"{isolated(speaker)} at {peer}'s"
        return peer

    def follow(self, invited: "Invited", chairs: Iterable[Chair]) -> "Gathering":
        """Go to the rematch that another peer offers, with the people and guests who had these chairs here."""
        offer = Offer(invited.table, invited.key, invited.terms, (), "open", 0)
        others = [(chair.name, chair.kind) for chair in chairs if chair.key == self.key and chair.at]
        return self.lobby.join(offer, self.now(), others)

    def peer(self, text: str) -> "AdvertisedPeer":
        if not text.strip():
            raise NotGranted(Why.NAME_MISSING)
        digits = text.strip().lower().replace(" ", "")
        meant = [
            peer
            for peer in self.lobby.peers.values()
            if any(are_alike(text, name) for name in (self.name(peer), peer.name, parts(peer.name)[0]))
            or (len(digits) >= 4 and fingerprint(peer.key).replace(" ", "").startswith(digits))
        ]
        if len(meant) == 1:
            return meant[0]
        if found := tuple((self.name(peer), fingerprint(peer.key)) for peer in meant):
            raise NotGranted(Why.SEVERAL_CALLED, text=text, found=found)
        here = tuple(sorted(map(self.name, self.lobby.peers.values())))
        raise NotGranted(Why.NOBODY_CALLED, text=text, here=here)


def speaker_of(chairs: Sequence[Chair], author: bytes, line: str) -> tuple[Chair | str | None, str]:
    """Return the guest who said a line, which begins with the name then, and the rest: a chair, or the name of one
    without a chair; None for the peer itself.
    """
    name, _, rest = line.partition(": ")
    guests = (chair for chair in chairs if chair.at and (chair.key, chair.name) == (author, name))
    guest = next(guests, name if name.endswith(WATCHING) else None)
    return guest, line if guest is None else rest


def sayable(text: str) -> str:
    """Return the line, if it is fit to be sent."""
    if not text or len(text) > _MOST_SAID or not is_line(text):
        raise NotGranted(Why.BAD_LINE)
    return text


class Floods:
    """The lines of one conversation: which are shown, and the sums of the others, which follow every few seconds.

    Each kind of notice has a pace for each author. Strangers together have one too, because a stranger may use any
    number of keys. The caller passes the time in.
    """

    def __init__(self) -> None:
        self.muted: set[bytes] = set()
        self._known = {kind: Buckets[bytes](pace) for kind, pace in _KNOWN.items()}
        self._stranger = {kind: Buckets[bytes](pace) for kind, pace in _STRANGER.items()}
        self._strangers = {kind: Bucket(_STRANGERS) for kind in Kind}
        self._counts: dict[tuple[Kind, bytes | None], tuple[int, int]] = {}  # number, and when it is shown

    def hear(self, kind: Kind, author: bytes, now: int, *, stranger: bool) -> bool:
        if author in self.muted:
            return False
        if (self._stranger if stranger else self._known)[kind].take(author, now):
            if not stranger or self._strangers[kind].take(now):
                return True
            self._count(kind, None, now)
        else:
            self._count(kind, author, now)
        return False

    def _count(self, kind: Kind, author: bytes | None, now: int) -> None:
        if (kind, author) not in self._counts and len(self._counts) >= _MOST_AUTHORS:
            author = None
        count, due = self._counts.get((kind, author), (0, now + SUM_EVERY))
        self._counts[kind, author] = (count + 1, due)

    def sums(self, now: int) -> list[tuple[Kind, bytes | None, int]]:
        """Return the number of suppressed lines by kind and author, who is None for strangers counted together."""
        due = [key for key, (_, at) in self._counts.items() if at <= now]
        return [(*key, self._counts.pop(key)[0]) for key in due]

    def mute(self, author: bytes) -> None:
        self.muted.add(author)
        for key in [key for key in self._counts if key[1] == author]:
            del self._counts[key]


class NetworkStage:
    """One place of a person. `code` is the exit code, if it is the last place."""

    #: The name of the place whose commands are offered here (client/words/commands.py).
    offers = "LOBBY"

    def __init__(self, context: NetworkContext) -> None:
        self.context = context
        self.done = False
        self.code = 0
        #: The next place: a table at play, by its number, or the waiting room of one.
        self.onward: bytes | Gathering | None = None
        self.floods = Floods()
        self._notices: list[Notice] = []
        self._at_door = [*context.asking]  # the guests who asked when this person was told last

    @property
    def seats(self) -> Seats:
        """The names of the seats, for sentences."""
        return Seats((), (), self.context.room, by_touch=self.context.by_touch)

    @property
    def at_table(self) -> "TableSeat | None":
        """The table at play, as this person may know it; None before that."""
        return None

    @property
    def number(self) -> bytes | None:
        """Return the number of the table, or None where there is none."""
        return None

    def begin(self) -> None:
        """Do the first work of a place, when the person arrives."""

    def hear(self, event: Heard) -> None:
        """Process an event of the network, or of this program, which concerns a person at any place."""
        from quadrille.net.program.station import Remark  # imported here: a table at one keyboard needs no network
        from quadrille.net.seating.lobby import At, Invited, SeatAwaited

        match event:
            case Invited(key, table, terms):
                self.tell(Kind.INVITATION, key, notices.Invitation(self.call(key), table, terms))
            case At(name, Took()) if self.context.is_own_turn(self.context.lobby.tables[name]):
                self.say(About(Fact.TURN_ELSEWHERE, table=name))
            case Remark(key) if key != NOBODY and self.context.by_touch:
                pass  # a guest has no keys to compare
            case Remark(key, text):
                self.tell(Kind.NAME, key, About(Fact.REMARK, text=text))
            case SeatAwaited(key, log) if not self.context.is_forgotten(log.table):
                self._awaited(key, log)

    def _awaited(self, key: bytes, log: "Log") -> None:
        """Tell that a table which is not open here waits for this person."""
        names = {chair.key: chair.name for chair in log.now.chairs}
        peer = self.context.lobby.peers.get(key)
        who = self.context.called(key, peer.name if peer else names.get(key, "Somebody"))
        self.tell(Kind.INVITATION, key, About(Fact.AWAITED, who, table=log.table))

    def ask_guest(self) -> None:
        """Say which guest asks for a seat. All wait until this person has a waiting room."""
        for asks in self._at_door[:1]:
            self.say(About(Fact.GUEST_WAITS, asks.name))

    def tick(self) -> None:
        """Say what others have caused at any rate, and which guests ask."""
        for kind, author, count in self.floods.sums(self.context.now()):
            self.say(notices.Untold(kind, count, self.call(author) if author is not None else ""))
        asked, self._at_door = self._at_door, [*self.context.asking]
        for asks in asked:
            if asks not in self._at_door:
                self.say(About(Fact.GUEST_WENT, asks.name))
        if self._at_door[:1] != asked[:1]:
            self.ask_guest()

    def say_absent(self, matters: Callable[[Absence], bool]) -> bool:
        """Report why others are absent, and that an absence is over: those of this machine and of ways to others, and
        of the rest those that matter here. Return whether one was new.
        """
        absent, told_before = {absence.of: absence for absence in self.context.absent()}, self.context.told_absent
        over = [absence for of, absence in told_before.items() if absence.over and of not in absent]
        fresh = [
            absence for of, absence in absent.items() if of not in told_before and (absence.over or matters(absence))
        ]
        for absence in over:
            del told_before[absence.of]
        told_before.update((absence.of, absence) for absence in fresh)
        for text in (*(absence.over for absence in over), *(absence.text for absence in fresh)):
            self.say(About(Fact.PEER_MISSING, text=text))
        return bool(fresh)

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
            self.say(notices.Refused(error))

    def granted(self, wish: wishes.Wish) -> None:
        """Grant the wish, or raise an error that says why not."""
        match wish:
            case wishes.TextWish(wishes.Verb.BLOCK, name):
                self.block(name)
            case wishes.BareWish.LEAVE:
                self.leave()
            case wishes.BareWish.SHOW_ENTRANCE:
                if (entrance := self.context.entrance()) is None:
                    raise NotGranted(Why.NO_GUESTS)
                self.say(entrance)
            case wishes.TextWish(wishes.Verb.NEXT, text):
                self.onward = self.context.next_game(self, text)
            case wishes.TextWish(wishes.Verb.EVENING, name):
                self.say(self.context.evening(name))
            case _:
                raise NotGranted(Why.NOT_HERE, wish=wish)

    def block(self, name: str) -> None:
        peer = self.context.peer(name)
        self.floods.mute(peer.key)
        self.context.block(peer.key)
        self.say(About(Fact.BLOCKED, self.context.name(peer)))

    # Events that others cause at any rate

    def say(self, notice: Notice) -> None:
        self._notices.append(notice)

    def tell(self, kind: Kind, author: bytes, notice: Notice) -> None:
        """Show a notice that somebody has caused, or only count it if others cause too many."""
        own = kind is Kind.CHAT and author == self.context.key  # phones have a pace of their own for their lines
        if own or self.floods.hear(kind, author, self.context.now(), stranger=self.is_stranger(author)):
            self.say(notice)

    def is_stranger(self, key: bytes) -> bool:
        """Return whether somebody has neither a seat here nor a nickname."""
        return self.context.nickname(key) is None

    def call(self, key: bytes) -> str:
        """Return the person's name for somebody, in a line about them."""
        return self.context.somebody(key)


class Bystander(NetworkStage):
    """A person on the network without a table; events go to the lobby."""
