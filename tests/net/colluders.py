"""Coalitions: some peers at a table on the simulated network (simulation.py) work together against the others.

Colluders run the same machines as the honest, with one mind: they share their keys, keep every signature that they were
ever given, and make of it whatever can be signed. They rewrite, withhold, equivocate, deny and sign late. After some
time they fall silent. What has to hold, whatever they do, is checked at every step:

- an entry that all the others have gone on from stays, at every honest seat;
- no honest seat is convicted, and none blames another;
- once the colluders have fallen silent, the honest seats come back to one log, which anybody can check. Only a seat
  that has signed a decision waits for another that had to sign it and says nothing: it has the beginning of that log.
  Such seats are counted, and no flood of lies makes more of them.
"""

from contextlib import suppress
from typing import Final

from quadrille.net.core.hashing import short
from quadrille.net.entries.bodies import MotionBody
from quadrille.net.entries.entry import Entry, statement, vouching
from quadrille.net.entries.motions import DropMotion, SeatDecision, TableMotion
from quadrille.net.entries.wire import Entries, Message, Motion, Vouch
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError
from tests.net.network import CALM, Weather
from tests.net.simulation import Peer, World, other_move, resume
from tests.net.tables import terms

#: Peers and colluders at a table: every coalition but those that hold all seats but one.
COALITIONS: Final = ((3, 1), (4, 1), (4, 2), (5, 2), (5, 3))
#: From this game on one of the peers, honest or not, holds three seats.
THREE_HELD: Final = 1000
#: What a colluder that floods says to each honest seat at first, and with every later beat.
FLOOD: Final = (256, 3)
BEAT: Final = 1000
#: Milliseconds for which colluders do harm, and after which the honest seats have to agree.
HARM: Final = 14_000
SILENCE: Final = 14_000
HARMFUL: Final = Weather(loss=30, delay=200, cuts=6, away=6, noticed=20)


class CollusionWorld(World):
    """One table, and who is against whom. Its liars have one mind."""

    beat = BEAT

    def __init__(self, number: int, *, floods: bool = False) -> None:
        """Colluders that flood say all the time what costs nothing to make, and nothing else changes in the game."""
        peers, colluders = COALITIONS[number % len(COALITIONS)]
        holder = number // len(COALITIONS) % peers if number >= THREE_HELD else None
        held = [3 if place == holder else 1 for place in range(peers)]
        agreed = terms("barons", sum(held), {"width": 3, "height": 3}, grace=1500, lot=False)
        super().__init__(f"collusion/{number}", agreed, HARMFUL, held=held)
        #: Honest seats that are left behind by what they have promised.
        self.stranded: list[int] = []
        self.equivocate = True
        self.collected: dict[tuple[bytes, TableMotion], dict[int, bytes]] = {}  # signatures on motions, by seat
        self.entries: dict[bytes, Entry] = {}  # all that colluders have ever seen
        places = self.seated[:]
        for _ in range(colluders):
            self.liars[places.pop(self.dice.randrange(len(places))).key] = CollusionWorld.told
        resume(self)
        if floods:
            self.flood(FLOOD[0])
        self.later(HARM, self.fall_silent)

    def play(self) -> None:
        """Harm, then silence; then the honest seats agree."""
        self.run(lambda: self.is_silent and (self.now > HARM + SILENCE or self.settled()))
        playing = [table for table in self.tables() if {*table.seats} & {*table.log.now.seats_in()}]
        if not playing:
            return  # colluders were all but one of those left, and have put the last honest seat out
        longest = max((table.log for table in playing), key=lambda log: len(log.entries))
        for table in playing:
            log = table.log
            assert longest.entries[len(log.entries) - 1].hash == log.head, self.describe()
            assert not table.stopped, self.describe()
            if len(log.entries) < len(longest.entries):
                assert table.accord.promise, self.describe()
                self.stranded.append(log.now.keys.index(table.identity.key))
        for log in self.logs():
            assert replayed(log.table, log.entries).head == log.head
        assert not {found.culprit for found in self.blamed} - self.liars.keys(), f"{self.blamed}: {self.describe()}"

    @property
    def is_silent(self) -> bool:
        return self.weather is CALM

    def fall_silent(self) -> None:
        self.weather = CALM

    # What programs do

    def act(self, peer: Peer) -> None:
        [table] = peer.lobby.tables.values()
        now, turn = self.clock(peer), table.log.now.turn
        if peer.key in self.liars:
            if self.is_silent:
                return
            self.plot(peer, table)
        if turn is not None and turn in table.overdue(now) and turn not in table.seats:
            with suppress(RulesError):  # two are left, or another decision is signed
                table.agree(DropMotion(turn), now)
        elif table.is_my_turn and table.accord.promise is None and self.chance(300):
            table.play(str(table.view.moves.sample(self.dice)), now)

    def deliver(self, sender: Peer, receiver: Peer, message: Message) -> None:
        if receiver.key in self.liars:
            self.learn(message)
        super().deliver(sender, receiver, message)

    # What colluders do

    def learn(self, message: Message) -> None:
        match message:
            case Motion(_, before, motion, seat, signature):
                self.collected.setdefault((before, motion), {})[seat] = signature
            case Entries(_, entries):
                for entry in entries:
                    self.entries.setdefault(entry.data, entry)

    @staticmethod
    def told(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
        """Keep back, tell different things, sign late or never."""
        if world.is_silent or world.chance(150):
            return []
        match message:
            case Entries(_, (entry,)) if world.chance(100):
                return [other_move(world, peer, entry) or message]
            case Motion() if world.chance(300):
                return []
        return [message]

    def plot(self, peer: Peer, table: Table) -> None:
        """Make something of all that is known: a decision about an old turn, a lie about one, an old entry."""
        others, log = [one for one in self.peers.values() if one is not peer], table.log
        at = 1 + self.dice.randrange(len(log.entries))
        before, to = log.standings[at - 1], others[self.dice.randrange(len(others))]
        if before.turn is None or before.over or not self.chance(250):
            return
        if self.chance(500):
            self.rewrite(peer, to, log, at, DropMotion(before.turn))
        elif self.chance(500) and at < len(log.entries):
            head, entry = log.entries[at - 1].hash, log.entries[at].hash
            signature = peer.identity.sign(vouching(log.table, head, entry))
            self.send(peer, to.key, Vouch(log.table, head, entry, peer.key, signature))
        elif self.entries:
            known = list(self.entries.values())
            self.send(peer, to.key, Entries(log.table, (known[self.dice.randrange(len(known))],)))

    def rewrite(self, peer: Peer, to: Peer, log: Log, at: int, motion: SeatDecision) -> None:
        """A decision about an old turn, as far as the signatures that were collected and can be made go."""
        before, head = log.standings[at - 1], log.entries[at - 1].hash
        signers = motion.signers(before)
        signed = self.collected.setdefault((head, motion), {})
        for seat in signers:
            if before.keys[seat] in self.liars:
                signed[seat] = self.peers[before.keys[seat]].identity.sign(statement(log.table, head, motion))
        if signed.keys() >= {*signers} and len(before.speakers()) > 2:
            row = tuple(sorted((seat, signed[seat]) for seat in signers))
            entry = replayed(log.table, log.entries[:at]).write(MotionBody(motion, row), None)
            self.entries[entry.data] = entry
            self.send(peer, to.key, Entries(log.table, (entry,)))
        else:
            for seat, signature in signed.items():
                self.send(peer, to.key, Motion(log.table, head, motion, seat, signature))

    def flood(self, count: int) -> None:
        """Vouches for entries that nobody has, to every honest seat. Nobody answers them, so the dice fall alike."""
        for own in (self.peers[key].identity for key in self.liars):
            begin = self.logs()[0].entries[0]
            for number in range(count):
                entry = short("nobody has it", own.key, self.now.to_bytes(8, "big"), number.to_bytes(2, "big"))
                vouch = Vouch(
                    begin.table, begin.hash, entry, own.key, own.sign(vouching(begin.table, begin.hash, entry))
                )
                for table in self.tables():
                    table.receive(own.key, vouch, self.now)
        if not self.is_silent:
            self.later(BEAT, lambda: self.flood(FLOOD[1]))


def played(number: int, *, floods: bool = False) -> CollusionWorld:
    """The game of that number."""
    game = CollusionWorld(number, floods=floods)
    game.play()
    return game
