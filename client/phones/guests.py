"""The guests of an evening at their host's program: who they are, where the host leads them, and their seats.

A guest plays at a chair of this peer, by a page in a browser, and belongs to the evening and not to a table. All of it
happens in the thread that owns the station. Another thread serves the pages (door.py): it asks by `call`, `obey` does
a few of these deeds at each turn of the station, and the pages get values.

Names, codes, tokens and the invitation are in the host's store, so the same codes lead back after a crash. At the end
of an evening only guests with an unfinished game stay there, until the host resumes it.
"""

import json
import queue
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from string import digits
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from quadrille.client.claimed_names import chair_names
from quadrille.client.evening.kept import KeptEvening
from quadrille.client.evening.scores import Bet, known_by, may_bet
from quadrille.client.foreign import isolated, shown
from quadrille.client.kept.games import unfinished
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.invitation import TOKEN, PhoneInvitation, short_code, wifi_text
from quadrille.client.table import notices
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import About, Fact, GuestAsks, GuestEntrance
from quadrille.client.table.stage import NOBODY_YET, WATCHING, NetworkContext, kept_names, sayable, speaker_of
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import NetworkWish, TextWish, Verb
from quadrille.client.words import phones as words
from quadrille.client.words.table import by_name, lines_of
from quadrille.client.words.terms import DIGITS, game_words, terms_text
from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import is_ipv6
from quadrille.net.entries.terms import GUEST, Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.link.interfaces import outside
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.seating.gathering import CLOSED, OPEN, Gathering
from quadrille.net.seating.lobby import Event
from quadrille.net.tables.table import Table
from quadrille.net.trust.names import NAMELESS, are_alike, looks, plain_name
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.phones.door import Pages
    from quadrille.client.screen.network.news import PersonRow

#: Maximum guests of a day, its nanoseconds, and maximum letters of a guest's own name.
MOST_GUESTS: Final = 40
_DAY: Final = 24 * 3600 * 10**9
LONGEST_NAME: Final = 24
#: Maximum requests of pages in a turn of the station: each costs at most a few milliseconds, and the host's own move
#: comes between two turns.
MOST_A_TURN: Final = 8
#: The usual ports; the first free port is taken.
_PORTS: Final = range(4080, 4090)
#: Maximum letters of an address that the host is shown.
_LONGEST_ADDRESS: Final = 40
#: Milliseconds for which the table waits for a guest without a page: a person may take up a phone that has slept since
#: the last turn.
WAKES: Final = 15_000
#: Milliseconds between two looks at what time alone changes, such as a countdown.
_LOOK_EVERY: Final = 1000
#: Maximum remembered lines of a table.
_MOST_SAID: Final = 300


@value
class Visitor:
    """A guest of the evening: `code` is for people who type, `token` is stored by a phone; when the guest `came`."""

    name: str
    code: str
    token: str
    came: int


@value
class Lead:
    """Where the host leads its guests: a table by its full number, "" for none, with the key of its game and its
    terms. `chairs` are the guests who have one there, and `free` counts those for more guests; `here` are all who are,
    and `queue` those of them who wait for a chair, in the order in which they will have one.
    """

    table: str = ""
    game: str = ""
    about: str = ""
    chairs: tuple[str, ...] = ()
    free: int = 0
    here: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()


#: Hears the guest who may sit down, or why not.
Answer: TypeAlias = Callable[[Visitor | str], None]


class GuestList:
    """The guests and the invitation of an evening in the host's store."""

    def __init__(self, station: Station) -> None:
        """Take over those of an evening that was cut off; the invitation has new secrets after a day."""
        self._store = station.store
        self._host = station.lobby.name
        self.invitation: PhoneInvitation | None = None
        self.guests: tuple[Visitor, ...] = ()
        for (kept,) in self._store.rows("SELECT value FROM facts WHERE name = 'guests'"):
            data = json.loads(kept)
            self.invitation = PhoneInvitation(data["port"], data["secret"], data["code"])
            if not 0 <= time.time_ns() - data["kept"] < _DAY:
                self.invitation = PhoneInvitation.new(data["port"])
            self.guests = tuple(Visitor(*row) for row in data["guests"])

    def keep(self, guests: tuple[Visitor, ...]) -> None:
        """Store the evening with these guests, who count from then on, or nothing if there is none any more."""
        if self.invitation is None:
            self._store.change("DELETE FROM facts WHERE name = 'guests'")
        else:
            rows = [[guest.name, guest.code, guest.token, guest.came] for guest in guests]
            data = {name: getattr(self.invitation, name) for name in ("port", "secret", "code")}
            data |= {"kept": time.time_ns(), "guests": rows}
            self._store.change("INSERT OR REPLACE INTO facts VALUES ('guests', ?)", json.dumps(data).encode())
        self.guests = guests

    def check(self, typed: str) -> str:
        """Return the name of a guest who typed it; raise LocalError if no guest of that name can come."""
        name = plain_name(typed[:LONGEST_NAME])
        yesterday = time.time_ns() - _DAY  # who left a game unfinished long ago takes no place
        if sum(guest.came > yesterday for guest in self.guests) >= MOST_GUESTS:
            raise LocalError(f"{MOST_GUESTS} guests have come today, and there is room for no more")
        if name == NAMELESS:
            raise LocalError("Type your name")
        if any(are_alike(guest.name, name) for guest in self.guests):
            raise LocalError(f"There is a guest named {name} already: take another name, or type the code of that seat")
        if any(":" in look or "(" in look for look in looks(name)):
            raise LocalError(f"{name} would be taken for words behind a name here: leave out : and (")
        if are_alike(self._host, name) or are_alike(name.rstrip(digits), NOBODY_YET):
            raise LocalError(f"{name} would be taken for somebody else here: take another name")
        return name

    def give(self, name: str, token: str) -> Visitor:
        guest = Visitor(name, short_code(), token, time.time_ns())
        self.keep((*self.guests, guest))
        return guest


class _ShownSeat:
    """One seat as its pages show it, or the table as watchers see it."""

    def __init__(self, stage: TableSeat) -> None:
        self.stage = stage
        self.fresh: list[str] = []
        self.refused = False
        self.last: Any = None
        #: Since when the table waits for a guest who is not here.
        self.waits_since: int | None = None
        stage.begin()
        stage.drain()
        self.chat: tuple[str, ...] = tuple(by_name(line, stage.seats) for line in stage.said)

    def collect(self) -> None:
        """Take the notices as lines."""
        for notice in self.stage.drain():
            lines = lines_of(self.stage, notice)
            if isinstance(notice, notices.LineSaid):
                self.chat = (*self.chat, *lines)[-_MOST_SAID:]
                if notice.own:
                    continue
            self.fresh += [line for line in lines if "quadrille " not in line]  # nobody types that on a phone
            self.refused |= isinstance(notice, notices.Refused)


class Guests:
    """The guests of this program, and the way to them."""

    def __init__(
        self, station: Station, options: NetworkOptions, context: NetworkContext, evening: KeptEvening
    ) -> None:
        self._station = station
        self._options = options
        self._context = context
        self._evening = evening
        #: The same for guests, who may not reach what is the host's.
        self._theirs = NetworkContext(
            context.lobby,
            context.now,
            context.nickname,
            nonce=context.nonce,
            block=lambda _: None,  # a guest hears no more of somebody, and the others do
            by_touch=True,
            asleep=context.asleep,
            deputies=context.deputies,
            ballots=context.ballots,
        )
        self._list = GuestList(station)
        #: The pages of guests; None while nobody can come.
        self.pages: Pages | None = None
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._numbers = count(1)
        #: Whether the host is asked before a guest sits down.
        self.asks = False
        #: Sentences for the host, to be taken.
        self.news: list[str] = []
        self._here: set[str] = set()
        self._lead = Lead()
        self._gathering: Gathering | None = None
        #: The table where the guests are; nothing if there is none.
        self.table = b""
        self._kicked: set[str] = set()  # from the present gathering
        self._seated: frozenset[str] = frozenset()  # the guests with a chair at the present table, or at the last
        self._places: dict[str, _ShownSeat] = {}
        self._due = 0  # when pages are shown what has changed; 0 for at once

    @property
    def guests(self) -> "tuple[PersonRow, ...]":
        """The guests in the order in which they came, while they can come."""
        from quadrille.client.screen.network.news import PersonRow  # imported here: plain lines list nobody

        table = self._station.lobby.tables.get(self.table)
        plays = f"plays {game_words(table.log.now.terms)[0]}" if table is not None else ""
        playing = dict.fromkeys(self._lead.chairs if plays else (), plays)
        doing = dict.fromkeys(self.here, "here by phone") | playing
        names = [guest.name for guest in (self._list.guests if self.pages is not None else ())]
        return tuple(PersonRow("", isolated(name), GUEST, doing.get(name, "asleep")) for name in names)

    @property
    def here(self) -> tuple[str, ...]:
        """The guests who have a page open, or had one within the last minute, in the order in which they came."""
        return tuple(guest.name for guest in self._list.guests if guest.name in self._here)

    # The host leads

    def open(self, *, asks: bool = False) -> list[str]:
        """Let guests come, unless they can already; return sentences on that. With `asks` the host is asked first."""
        self.asks, moved = asks, self._start() if self.pages is None else []
        for guest in () if asks else tuple(self._context.asking):
            self._context.asking.pop(guest)(True)
        return [words.GUESTS_RISK, *moved]

    def _start(self) -> list[str]:
        """Serve pages; return a sentence if the port had to change."""
        from quadrille.client.phones.door import Pages  # imported here: most tables have no guests

        before, wanted = self._list.invitation, self._options.phone_port
        ports = [wanted] if wanted else [*([before.port] if before else []), *_PORTS, 0]
        pages = Pages(self._options, self)
        try:
            port = pages.open(ports)
        except OSError as error:
            reason = f"port {ports[-1]} can't be used ({error.strerror or error})"
            raise LocalError(f"{reason}: name another one with --phone-port") from None
        self._list.invitation = PhoneInvitation.new(port) if before is None else replace(before, port=port)
        try:
            self._list.keep(self._list.guests)
        except LocalError:
            pages.close(())
            raise
        self.pages, self._lead = pages, Lead()
        self._meet()
        self.show_evening()
        return [words.port_moved(before.port, port)] if before is not None and before.port != port else []

    def failed(self, error: Exception) -> None:
        self._station.caught("the pages of guests", error)

    def _meet(self) -> None:
        """Tell the pages who the guests are."""
        if self.pages is not None and self._list.invitation is not None:
            self.pages.call(self.pages.door.meet, self._list.invitation, self._list.guests)
        self._due = 0

    def lead_to(self, gathering: Gathering, seats: int, *, asks: bool) -> list[str]:
        """Keep `seats` chairs of a table for guests, first for those who are here; return sentences on that."""
        self._free_guests(gathering.table)
        sentences = self.open(asks=asks)
        self._gather(gathering)
        for name in kept_names(seats):
            gathering.add(name, GUEST, comes=True)
        self.follow()
        return [f"{words.seats_kept(seats)}.", *sentences] if seats else []

    def _gather(self, gathering: Gathering) -> None:
        self._gathering, self.table, self._kicked = gathering, gathering.table, set()
        self._room = WaitingRoom(self._theirs, gathering)
        self._room.begin()

    def come_back_to(self, log: Log) -> list[str]:
        """Let guests come back to their seats in a resumed game."""
        names = self._guests_in(log.now.chairs)
        if not names or log.now.over or (self.table == log.table and self.pages is not None):
            return []
        self._free_guests(log.table)
        sentences = self.open(asks=self.asks)
        for name in names:
            if name not in (guest.name for guest in self._list.guests):
                self._list.give(name, secrets.token_hex(TOKEN))  # for the page that comes by the code
        self._meet()
        self._gathering, self.table = None, log.table
        self.follow()
        return [f"{words.seats_kept(len(names))}.", *sentences]

    def rest(self) -> None:
        """Lead to no table until the next one: the host is in the lobby again."""
        if all(table.log.table != self.table for table in self._playing()):
            self._gathering, self.table = None, b""
            self._tell(Lead())

    def follow(self) -> None:
        """Lead the guests on: to chairs for those who have come, to the game that begins, and to a rematch."""
        if self.pages is None:
            return
        lobby, gathering = self._station.lobby, self._gathering
        if gathering is None or gathering.phase is not OPEN:  # a rematch, or a table to which this person has gone
            others = [seat for name, seat in lobby.gatherings.items() if seat.phase is OPEN and name != self.table]
            if others and all(self.table != seat.log.table for seat in self._playing()):
                self._gather(gathering := others[0])
        if self.table in lobby.tables:
            self._gathering = None
            standing = lobby.tables[self.table].log.now
            self._lead_to(standing.terms, self._guests_in(standing.chairs), 0)
        elif gathering is not None and gathering.phase is CLOSED:
            self.rest()
        elif gathering is not None:
            free = self._give_chairs(gathering) if gathering.phase is OPEN else 0
            if gathering.reserved and not free:
                gathering.start(now())  # a rematch begins also where the host has gone to the lobby
            self._lead_to(gathering.terms, self._guests_in(gathering.chairs), free)

    def _guests_in(self, chairs: Iterable[Chair]) -> list[str]:
        """Return the guests of this program who have these chairs, those among them that are kept too."""
        return [chair.name for chair in chairs if self._context.is_guest(chair)]

    def _free_guests(self, table: bytes) -> None:
        """Put away the games of guests at other tables, unless somebody on another machine plays there too."""
        others = [seat for seat in self._playing() if seat.log.table != table and self._guests_in(seat.log.now.chairs)]
        if not all(self._context.leads(seat.log) for seat in others):
            raise LocalError("your guests still play with people on other machines")
        for seat in others:
            self.put_away(seat)

    def put_away(self, table: Table) -> None:
        """Put a running game away: the store keeps it, and this person can resume it."""
        if table not in self._playing():
            return
        self._station.lobby.forget(table.log.table)
        self._context.ballots.pop(table.log.table, None)
        self.news.append(words.PUT_AWAY.format(game_words(table.log.now.terms)[0], table.log.table.hex()[:DIGITS]))

    def _playing(self) -> list[Table]:
        return [table for table in self._station.lobby.tables.values() if not table.over]

    def _give_chairs(self, gathering: Gathering) -> int:
        """Give kept chairs to guests who are here: first to who had none the last time, then in the order in which they
        came. At a table of somebody else they ask for those that are free. Return how many are kept still.
        """
        own = self._guests_in(gathering.chairs)
        waiting = [name for name in self.here if name not in (*own, *self._kicked)]
        waiting.sort(key=lambda name: name in self._seated)
        kept = [name for name in own if name in gathering.expected]
        if gathering.hosts:
            for name, before in zip(waiting, kept, strict=False):
                gathering.came_to(before, name)
                self._due = 0
            return max(0, len(kept) - len(waiting))
        for name in waiting:
            with suppress(LocalError):  # the host has not answered the last question yet
                gathering.add(name, GUEST)
                self._kicked.add(name)  # each asks once
        return 0

    def _lead_to(self, terms: Terms, names: Sequence[str], free: int) -> None:
        """Lead the guests to the present table, where these have chairs."""
        seated = tuple(guest.name for guest in self._list.guests if guest.name in names)
        if self._gathering is None:
            self._seated = frozenset(seated)
        self._tell(Lead(self.table.hex(), terms.game, terms_text(terms), seated, free))

    def _tell(self, lead: Lead) -> None:
        queue = tuple(name for name in self.here if name not in lead.chairs) if lead.table and not lead.free else ()
        lead = replace(lead, here=self.here, queue=queue)
        if lead == self._lead or self.pages is None:
            return
        if lead.table != self._lead.table:
            self._forget_places()
        self._lead, self._due = lead, 0
        for place in self._places.values():
            place.last = None
        self.pages.call(self.pages.evening.go_to, lead)

    def _seat_late(self, table: Table) -> None:
        """Hand the seat of a bot to the first guest in line, where this person leads alone."""
        bot = table.bot_giving_way
        if bot is not None and table.seats and self._context.leads(table.log):
            own, queue = self._station.identity.key, (name for name in self._lead.queue if name not in self._kicked)
            table.hand_on(bot, ((own, name) for name in queue), now())

    def _forget_places(self) -> None:
        for place in self._places.values():
            place.stage.ballot.people.remove(place.stage)
        self._places.clear()

    def show_evening(self) -> None:
        """Show the evening's points on all pages from now on."""
        if self.pages is not None:
            self.pages.call(self.pages.evening.count, self._evening.board)

    def entrance(self) -> GuestEntrance | None:
        """Return how guests come by the present addresses of this machine; None while none are served."""
        invitation, wifi = self._list.invitation, self._options.wifi
        if invitation is None or self.pages is None:
            return None
        addresses = tuple(address for address in outside(self._options.interfaces) if not is_ipv6(address))
        hosts = addresses or ("127.0.0.1",)
        return GuestEntrance(
            invitation.code,
            tuple(map(invitation.address, hosts)),
            tuple(map(invitation.link, hosts)),
            outside=bool(addresses),
            wifi=None if wifi is None else (wifi.name, wifi_text(wifi.name, wifi.key)),
            seats=tuple((guest.name, guest.code) for guest in self._list.guests),
        )

    # Called by the thread of the pages

    def call(self, deed: Callable[..., None], *words: Any) -> None:
        """Have something done in the station's thread."""
        self._calls.put(lambda: deed(*words))
        self._station.node.wake_up()

    def obey(self) -> bool:
        """Carry out what pages have asked for, up to `MOST_A_TURN`; return whether there was anything."""
        done = False
        with suppress(queue.Empty):
            for _ in range(MOST_A_TURN):
                deed, done = self._calls.get_nowait(), True
                with self._station.watch("what a guest asks"):
                    try:
                        deed()
                    except (LocalError, OSError) as error:  # a full disk refuses a guest, and ends no game
                        self.news.append(f"{error}.")
        if not self._calls.empty():
            self._station.node.wake_up()
        return done

    def sits(self, typed: str, address: str, answer: Answer, token: str) -> None:
        """Receive a new guest of that name; ask the host first, if the host wants that."""
        try:
            name = self._list.check(typed)
        except LocalError as error:
            return answer(str(error))
        if not self.asks:
            return self._reply(name, token, answer, True)
        asks = GuestAsks(next(self._numbers), isolated(name), shown(address[:_LONGEST_ADDRESS]))
        self._context.asking[asks] = partial(self._reply, name, token, answer)
        return None

    def asks_no_longer(self, answer: Answer) -> None:
        """Take back the question of a guest who has gone."""
        for asks in [asks for asks, reply in self._context.asking.items() if answer in reply.args]:
            del self._context.asking[asks]

    def _reply(self, name: str, token: str, answer: Answer, yes: bool) -> None:
        if not yes:
            return answer(words.REFUSED)
        try:
            guest = self._list.give(self._list.check(name), token)  # another of that name may have come meanwhile
        except LocalError as error:
            return answer(str(error))
        self._meet()
        return answer(guest)

    def comes(self, name: str, here: bool) -> None:
        """Note whether a guest is here."""
        (self._here.add if here else self._here.discard)(name)
        self._tell(self._lead)
        if here and name in self._context.asleep:
            self._context.asleep.discard(name)
            self._tell_host(name, Fact.BACK)

    def _look_after(self, name: str, place: _ShownSeat) -> None:
        """Say that a guest's phone is asleep, once the table has waited a little for a guest who is not here."""
        stage, asleep = place.stage, self._context.asleep
        waits = not stage.table.over and (stage.is_my_turn or stage.vote.is_asked) and not stage.stand_in
        if not waits or name in self._here or name in asleep:
            place.waits_since = None
        elif place.waits_since is None:
            place.waits_since = now()
        elif now() - place.waits_since >= WAKES:
            asleep.add(name)
            stage.wish(TextWish(Verb.SAY, words.ASLEEP))
            self._tell_host(name, Fact.GONE)

    def _tell_host(self, name: str, fact: Fact) -> None:
        """Tell the person at the keyboard about a guest at the present table."""
        ballot, self._due = self._context.ballots.get(self.table), 0
        for person in ballot.people if ballot is not None else ():
            seats = [seat for seat, chair in enumerate(person.table.log.now.chairs) if chair.name == name and chair.at]
            if person.guest is None and seats:
                person.tell(notices.Kind.COMING, self._station.identity.key, About(fact, seats[0]))

    def bet(self, name: str, table: str, seat: int) -> None:
        """Count a guest's bet, if that is open, and show it on the guest's own pages."""
        at_play = self._station.lobby.tables.get(bytes.fromhex(table))
        if at_play is not None and any(guest.name == name for guest in self._list.guests):
            now, key = at_play.log.now, known_by(Chair(self._station.identity.key, name, GUEST))
            if may_bet(now.match, [*map(known_by, now.chairs)], key, seat):
                self._evening.add(Bet(table, key, isolated(name), seat))
                return self.show_evening()
        return self._tell_guest(name, words.NO_BET)

    def wish(self, name: str, wish: NetworkWish) -> None:
        """Make a wish of a guest's seat."""
        self._due = 0
        if (place := self._places.get(name)) is not None:
            place.stage.wish(wish)
        elif isinstance(wish, TextWish) and wish.word is Verb.SAY:  # also of those who look on
            self._say(name, wish.text)

    def _say(self, name: str, text: str) -> None:
        """Say something for a guest without a seat at play."""
        table, gathering = self._station.lobby.tables.get(self.table), self._gathering
        with suppress(notices.NotGranted):
            line = sayable(text)
            if table is not None:
                table.say(f"{name}{WATCHING}: {line}")
                return
            if gathering is not None:
                speaker = name if name in self._guests_in(gathering.chairs) else f"{name}{WATCHING}"
                gathering.say(f"{speaker}: {line}", self._station.lobby.sitting(self.table))
                return
        self._tell_guest(name, words.NO_CHAT)

    def _tell_guest(self, name: str, text: str) -> None:
        if self.pages is not None:
            self.pages.call(self.pages.evening.tell, name, text)

    def leaves(self, name: str) -> None:
        """Let a guest leave the evening for good; one with an unfinished game keeps the seat there."""
        if self._gathering is not None and name in self._guests_in(self._gathering.chairs):
            self.turn_out(name, keeps=self._gathering.hosts)
        place, sentence = self._places.get(name), ""
        if place is not None:
            place.stage.leave()
            place.collect()
            sentence = " ".join(place.fresh)
        stays = name in self._unfinished()
        if not stays:
            self._list.keep(tuple(guest for guest in self._list.guests if guest.name != name))
        elif name not in self._context.asleep:
            self._context.asleep.add(name)
            self._tell_host(name, Fact.GONE)
        if self.pages is not None:
            self.pages.call(self.pages.evening.dismiss, name, sentence)
        self.comes(name, False)
        self._meet()

    def turn_out(self, name: str, *, keeps: bool = False) -> None:
        """Take a guest's chair away before the game; with `keeps` it is for another guest."""
        gathering = self._gathering
        if gathering is not None:
            gathering.remove(name)
            self._kicked.add(name)
            if not keeps:
                self._tell_guest(name, words.KICKED)
            else:
                taken = self._guests_in(gathering.chairs)
                gathering.add(next(kept for kept in kept_names(len(taken) + 1) if kept not in taken), GUEST, comes=True)
            self._due = 0

    def _unfinished(self) -> set[str]:
        """Return the guests with a seat in a game that goes on."""
        logs = {log.table: log for log, _ in unfinished(self._station.shelf)}
        logs |= {table.log.table: table.log for table in self._playing()}
        going_on = [log.now for log in logs.values() if not log.now.over]
        return {name for now in going_on for name in self._guests_in(now.chairs[seat] for seat in now.seats_in())}

    # The seats

    def hear(self, events: Sequence[Event | Remark]) -> None:
        """Let the seats of guests hear what has happened, do what is due, and show their pages what has changed."""
        with self._station.watch("the way of guests"):
            self.follow()
            if (table := self._station.lobby.tables.get(self.table)) is not None:
                self._seat_all(table)
        for event in events:
            self._due = 0
            for place in self._places.values():
                with self._station.watch("the news at a guest's seat"):
                    place.stage.hear(event)
        for guest, place in self._places.items():
            with self._station.watch("what is due at a guest's seat"):
                place.stage.tick()
                self._look_after(guest, place)
                place.collect()
        if now() >= self._due:
            self._due = now() + _LOOK_EVERY
            if table is not None:
                self._seat_late(table)
            with self._station.watch("what guests are shown"):
                self._show()

    def _seat_all(self, table: Table) -> None:
        """Make a seat for each guest with a chair, and one for all who look on."""
        for name in ("", *self._guests_in(table.log.now.chairs)):
            if name not in self._places:
                self._places[name] = _ShownSeat(TableSeat(self._theirs, table, guest=name))
                self._due = 0

    def _show(self) -> None:
        """Tell the pages what has changed at each seat."""
        from quadrille.client.screen.network.session import room
        from quadrille.client.screen.table.shown import seated

        assert self.pages is not None
        gathering, here = self._gathering, len(self._station.lobby.peers)
        show = partial(self.pages.call, self.pages.evening.show, self._lead.table)
        if gathering is not None and gathering.phase is not CLOSED:
            lines = tuple(
                f"{self._context.voice(author, speaker)}: {text}"
                for author, chat in gathering.lines
                for speaker, text in [speaker_of(self._room.chairs, author, chat.line)]
            )
            for name in ("", *self._lead.chairs):
                show(name, room(self._room, lines, guest=name), (), "", alarm=False)
        for name, place in self._places.items():
            stage, fresh = place.stage, "  ".join(place.fresh)
            front = seated(stage, place.chat, here=here)
            if front != place.last or fresh:
                show(name, front, chair_names(stage.table.log.now.chairs), fresh, alarm=place.refused)
            place.last, place.fresh, place.refused = front, [], False

    # The end

    def close(self) -> None:
        """End the evening: guests with an unfinished game come back when the host resumes it."""
        pages, self.pages = self.pages, None
        self._forget_places()
        if pages is None:
            return
        staying = self._unfinished()
        guests = tuple(guest for guest in self._list.guests if guest.name in staying)
        if not guests:
            self._list.invitation = None
        self._list.keep(guests)
        pages.close(tuple(staying))
