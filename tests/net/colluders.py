"""Tables of three and four seats at which some seats work together against the others, from one seed each.

The honest seats are whole `Table` machines on a network that loses, delays and cuts. Colluders are machines too, with
one mind: they share their keys, keep every signature that they were ever given, and make of it whatever can be signed.
They rewrite, withhold, equivocate, deny and sign late. What has to hold, whatever they do, is checked at every step:

- an entry that all the others have gone on from stays, at every honest seat;
- no honest seat is convicted, and none blames another;
- once the colluders have fallen silent, the honest seats come back to one log, which anybody can check. Only a seat
  that has signed a decision waits for another that had to sign it and says nothing: it has the beginning of that log.
  Such seats are counted, and no flood of lies makes more of them.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.entry import Entry, statement, vouching
from quadrille.net.entries.motions import DropMotion, SeatDecision, TableMotion
from quadrille.net.entries.wire import Entries, Message, Motion, Vouch
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Blamed, Convicted, Stopped
from quadrille.net.game_log.precedence import is_final
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from tests.net.simulation import MemoryShelf
from tests.net.tables import begun, identity, terms

#: What a colluder that floods says to each honest seat with its first beat, and with every later one.
FLOOD: Final = (256, 3)
GRACE: Final = 1500
BEAT: Final = 1000
#: Milliseconds for which colluders do harm, and after which the honest seats have to agree.
HARM: Final = 14_000
CALM: Final = 14_000


@dataclass
class Seat:
    """One seat's program, and what must not change in its log any more."""

    own: Identity
    table: Table
    shelf: MemoryShelf
    colludes: bool
    final: dict[int, bytes] = field(default_factory=dict)
    checked: bytes = b""


class Collusion:
    """One table, its seats and the time."""

    def __init__(self, seed: str, seats: int, colluders: int, *, floods: bool = False) -> None:
        """Colluders that flood say all the time what costs nothing to make, and nothing else changes in the game."""
        self.dice = Stream(seed, "collusion")
        agreed = terms("barons", seats, {"width": 3, "height": 3}, grace=GRACE, lot=False)
        self.now = self.steps = 0
        self.floods = floods
        #: Honest seats that are left behind, with the promise that keeps them there.
        self.stranded: list[int] = []
        self.queue: list[tuple[int, int, Callable[[], None]]] = []
        self.cut: dict[frozenset[int], int] = {}
        self.seats: list[Seat] = []
        places = list(range(seats))
        chosen = {places.pop(self.dice.randrange(len(places))) for _ in range(colluders)}
        for place in range(seats):
            own, log = identity(place + 1), begun(agreed)
            shelf = MemoryShelf(own.key)
            self.seats.append(Seat(own, Table(log, own, shelf, 0), shelf, place in chosen))
        self.collected: dict[tuple[bytes, TableMotion], dict[int, bytes]] = {}  # signatures on motions, by seat
        self.entries: dict[bytes, Entry] = {}  # all that colluders have ever seen
        for place in range(seats):
            self.later(self.dice.randrange(BEAT), lambda place=place: self.beat(place))

    def chance(self, thousandths: int) -> bool:
        return self.dice.randrange(1000) < thousandths

    def later(self, delay: int, action: Callable[[], None]) -> None:
        self.steps += 1
        heapq.heappush(self.queue, (self.now + delay, self.steps, action))

    def run(self) -> None:
        """The whole game: harm, then calm; then the honest seats agree."""
        while self.queue and self.now < HARM + CALM:
            self.now, _, action = heapq.heappop(self.queue)
            action()
            self.check()
        honest = [seat for seat in self.seats if not seat.colludes]
        inside = {key for seat in honest for key in _inside(seat.table.log)}
        playing = [seat for seat in honest if seat.own.key in inside]
        if not playing:
            return  # colluders were all but one of those left, and have put the last honest seat out
        longest = max((seat.table.log for seat in playing), key=lambda log: len(log.entries))
        for seat in playing:
            log = seat.table.log
            assert longest.entries[len(log.entries) - 1].hash == log.head, self.describe()
            assert not seat.table.stopped, self.describe()
            if len(log.entries) < len(longest.entries):
                assert seat.table.accord.promise, self.describe()
                self.stranded.append(self.seats.index(seat))
        for seat in honest:
            assert replayed(seat.table.log.table, seat.table.log.entries).head == seat.table.log.head

    @property
    def calm(self) -> bool:
        return self.now >= HARM

    # What programs do

    def beat(self, place: int) -> None:
        seat = self.seats[place]
        if seat.colludes and self.floods and not self.calm:
            self.flood(place)
        if not (seat.colludes and self.calm):
            self.do(place, lambda table: table.wake(self.now))
            self.act(place)
            self.later(BEAT, lambda: self.beat(place))
        if not self.calm and self.chance(120):
            self.sever(place, self.dice.randrange(len(self.seats)))
        elif not self.calm and self.chance(60):
            for other in range(len(self.seats)):  # it is away for everybody, and may be given up
                self.sever(place, other)

    def act(self, place: int) -> None:
        seat, table = self.seats[place], self.seats[place].table
        if seat.colludes:
            self.plot(place)
        turn = table.log.now.turn
        if turn is not None and turn in table.overdue(self.now) and turn != table.seat:
            self.do(place, lambda table: self.decide(table, turn))
        elif table.is_my_turn and table.accord.promise is None and self.chance(700):
            self.do(place, lambda table: table.play(str(table.view.moves.sample(self.dice)), self.now))

    def decide(self, table: Table, turn: int) -> None:
        try:
            table.agree(DropMotion(turn), self.now)
        except RulesError:
            return  # two are left, or another decision is signed

    def do(self, place: int, action: Callable[[Table], object]) -> None:
        table = self.seats[place].table
        action(table)
        said, table.outgoing[:] = table.outgoing[:], []
        for event in table.events:
            self.notice(place, event)
        table.events.clear()
        for key, message in said:
            for to, other in enumerate(self.seats):
                if to != place and key in (None, other.own.key):
                    for told in self.told(place, to, message):
                        self.send(place, to, told)

    def notice(self, place: int, event: object) -> None:
        if self.seats[place].colludes:
            return
        honest = {seat.own.key for seat in self.seats if not seat.colludes}
        match event:
            case Blamed(culprit, why) | Convicted(culprit, why, _) | Stopped(culprit, why, _):
                assert culprit not in honest, f"{why}: {self.describe()}"

    # The network

    def sever(self, one: int, other: int) -> None:
        """A cable is pulled for a while. Both notice, and notice when it is back."""
        link, time = frozenset((one, other)), 1000 + self.dice.randrange(7000)
        if one == other or link in self.cut:
            return
        self.cut[link] = self.now + time
        for here, there in ((one, other), (other, one)):
            self.do(here, lambda table, there=there: table.went(self.seats[there].own.key, self.now))
        self.later(time, lambda: self.mend(one, other))

    def mend(self, one: int, other: int) -> None:
        del self.cut[frozenset((one, other))]
        for here, there in ((one, other), (other, one)):
            self.do(here, lambda table, there=there: table.came(self.seats[there].own.key, self.now))

    def send(self, place: int, to: int, message: Message) -> None:
        if self.chance(30) and not self.calm:
            return
        self.later(1 + self.dice.randrange(200), lambda: self.deliver(place, to, message))

    def deliver(self, place: int, to: int, message: Message) -> None:
        if frozenset((place, to)) in self.cut or (self.seats[place].colludes and self.calm):
            return
        if self.seats[to].colludes:
            self.learn(message)

        def hear(table: Table) -> None:
            try:
                table.receive(self.seats[place].own.key, message, self.now)
            except PeerError:
                assert self.seats[place].colludes or self.seats[to].colludes

        self.do(to, hear)

    # What colluders do

    def learn(self, message: Message) -> None:
        match message:
            case Motion(_, before, motion, seat, signature):
                self.collected.setdefault((before, motion), {})[seat] = signature
            case Entries(_, entries):
                for entry in entries:
                    self.entries.setdefault(entry.data, entry)

    def told(self, place: int, to: int, message: Message) -> list[Message]:
        """The messages that come of one: colluders keep back, tell different things, and say old things again."""
        if not self.seats[place].colludes:
            return [message]
        if self.chance(150):
            return []
        if isinstance(message, Entries) and len(message.entries) == 1 and self.chance(100):
            return self.other_entry(place, message.entries[0], message)
        if isinstance(message, Motion) and self.chance(300):
            return []  # it signs late, or never
        return [message]

    def other_entry(self, place: int, entry: Entry, message: Message) -> list[Message]:
        log = self.seats[place].table.log
        if (
            entry.author != self.seats[place].own.key
            or not isinstance(entry.body, MoveBody)
            or entry.index >= len(log.entries)
        ):
            return [message]
        before = replayed(log.table, log.entries[: entry.index])
        moves = [str(move) for move in before.now.match.state.moves if str(move) != entry.body.move]
        if not moves:
            return [message]
        text = moves[self.dice.randrange(len(moves))]
        return [Entries(log.table, (before.write(MoveBody(text), self.seats[place].own),))]

    def plot(self, place: int) -> None:
        """Make something of all that is known: a decision about an old turn, a lie about one, an old entry."""
        if self.calm or not self.chance(400):
            return
        to = self.dice.randrange(len(self.seats))
        if to == place:
            return
        log = self.seats[place].table.log
        at = 1 + self.dice.randrange(max(1, len(log.entries)))
        if at > len(log.standings):
            return
        before, head = log.standings[at - 1], log.entries[at - 1].hash
        if before.turn is None or before.over:
            return
        if self.chance(500):
            self.rewrite(place, to, log, at, DropMotion(before.turn))
        elif self.chance(500) and at < len(log.entries):
            entry = log.entries[at]
            signature = self.seats[place].own.sign(vouching(log.table, head, entry.hash))
            self.send(place, to, Vouch(log.table, head, entry.hash, self.seats[place].own.key, signature))
        elif self.entries:
            known = list(self.entries.values())
            self.send(place, to, Entries(log.table, (known[self.dice.randrange(len(known))],)))

    def flood(self, place: int) -> None:
        """Vouches for entries that nobody has, to every honest seat. Nobody answers them, so the dice fall alike."""
        own, begin = self.seats[place].own, self.seats[place].table.log.entries[0]
        for number in range(FLOOD[self.now >= BEAT]):
            entry = short("nobody has it", own.key, self.now.to_bytes(8, "big"), number.to_bytes(2, "big"))
            signature = own.sign(vouching(begin.table, begin.hash, entry))
            for seat in (seat for seat in self.seats if not seat.colludes):
                seat.table.receive(own.key, Vouch(begin.table, begin.hash, entry, own.key, signature), self.now)

    def rewrite(self, place: int, to: int, log: Log, at: int, motion: SeatDecision) -> None:
        """A decision about an old turn, as far as the signatures that were collected and can be made go."""
        before, head = log.standings[at - 1], log.entries[at - 1].hash
        signed = self.collected.setdefault((head, motion), {})
        for other, seat in enumerate(self.seats):
            if seat.colludes and other in motion.signers(before):
                signed[other] = seat.own.sign(statement(log.table, head, motion))
        if set(signed) >= set(motion.signers(before)) and len(before.seats_in()) > 2:
            earlier = replayed(log.table, log.entries[:at])
            row = tuple(sorted((seat, signed[seat]) for seat in motion.signers(before)))
            entry = earlier.write(MotionBody(motion, row), None)
            self.entries[entry.data] = entry
            self.send(place, to, Entries(log.table, (entry,)))
        else:
            for seat, signature in signed.items():
                self.send(place, to, Motion(log.table, head, motion, seat, signature))

    # What has to hold

    def check(self) -> None:
        for seat in self.seats:
            log = seat.table.log
            if seat.colludes or seat.checked == log.head:
                continue
            seat.checked = log.head
            if len({one.own.key for one in self.seats if not one.colludes} & set(_inside(log))) < 2:
                seat.final.clear()  # colluders are all but one of those left
                continue
            for place, kept in seat.final.items():
                assert place < len(log.entries) and log.entries[place].hash == kept, self.describe()
            first = max(1, len(log.entries) - 2 * len(self.seats))
            for place in range(first, len(log.entries)):
                turn = log.standings[place - 1].turn
                if place in seat.final or turn is None:
                    continue
                if is_final(log.entries[place:], log.standings[place - 1], turn):
                    seat.final[place] = log.entries[place].hash

    def describe(self) -> str:
        rows = []
        for seat in self.seats:
            log = seat.table.log
            kinds = " ".join(f"{entry.kind[0]}{entry.hash.hex()[:3]}" for entry in log.entries)
            rows.append(f"{'colluder' if seat.colludes else 'honest'} {kinds}")
        return f"at {self.now} ms:\n" + "\n".join(rows)


def _inside(log: Log) -> list[bytes]:
    return [log.now.keys[seat] for seat in log.now.seats_in()]


#: Seats and colluders at a table: every coalition but those that hold all seats but one.
COALITIONS: Final = ((3, 1), (4, 1), (4, 2), (5, 2), (5, 3))


def played(number: int, *, floods: bool = False) -> Collusion:
    """The game of that number."""
    seats, colluders = COALITIONS[number % len(COALITIONS)]
    game = Collusion(f"collusion/{number}", seats, colluders, floods=floods)
    game.run()
    return game
