"""The conversation before a game: the host waits until all chairs are taken, a guest until the host has begun."""

from textwrap import wrap
from typing import Final

from quadrille.client import arbiters
from quadrille.client.conversation import DIGITS, Conversation, Parlour
from quadrille.client.floods import Kind
from quadrille.client.foreign import shown
from quadrille.client.network_table import NetworkTable
from quadrille.client.pages import rules_text
from quadrille.client.table_words import few, terms_text
from quadrille.client.words.commands import Place, help_text
from quadrille.net.gathering import CLOSED, OPEN, Changed, Gathering, Refused, Seated, TurnedDown
from quadrille.net.lobby import Arrived, At, Began, Departed, Event, Invited
from quadrille.net.names import are_alike
from quadrille.net.station import Remark
from quadrille.net.terms import Chair
from quadrille.net.wire import Offer
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.plain_text import WIDTH
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted

HOST_HELP: Final = help_text(Place.HOSTING)
GUEST_HELP: Final = help_text(Place.ASKING)


class Waiting(Conversation):
    """A table that has not begun."""

    def __init__(self, parlour: Parlour, gathering: Gathering, *, again: bool = False, way: str = "") -> None:
        """`again`: a rematch, which more than one may offer at once. `way`: how others come here."""
        super().__init__(parlour)
        self.gathering = gathering
        self.again = again
        self.way = way
        self._sitting: tuple[Chair, ...] = ()
        self._seated = False
        self._met: set[bytes] = set()
        self.commands = {
            "who": lambda _: self.say_who(),
            "rules": lambda _: parlour.say(rules_text(game(gathering.terms.game))),
            "help": lambda _: parlour.say(HOST_HELP if gathering.hosts else GUEST_HELP),
            "quit": lambda _: self.leave(),
            "say": lambda _: self.cannot_say(),
            "play-on": self.play_on,
            "block": self.block,
        }
        if gathering.hosts:
            self.commands |= {"start": self.start, "invite": self.invite, "kick": self.kick}

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """Who sits here, by the host's word; a host does not count those who are still on the way."""
        if self.gathering.hosts:
            return tuple(chair for chair in self.gathering.chairs if chair.key not in self.gathering.coming)
        offers = self.parlour.lobby.peers[self.gathering.host].tables if self._host_is_here() else ()
        return next((offer.chairs for offer in offers if offer.table == self.gathering.table), self._sitting)

    def _host_is_here(self) -> bool:
        return self.gathering.host in self.parlour.lobby.peers

    @property
    def is_idle(self) -> bool:
        """Whether the person would have to type something: one who sits will, one who looks on will not."""
        own = self.parlour.lobby.identity.key
        return not self.gathering.hosts or own in [chair.key for chair in self.gathering.chairs]

    def begin(self) -> None:
        """What is said first."""
        short, terms, say = self.gathering.table.hex()[:DIGITS], self.gathering.terms, self.parlour.say
        played = game(terms.game)
        say(f"{terms_text(terms)}.")
        if said := arbiters.warning(self.parlour, terms, self.gathering.host, self.chairs):
            say(f"{said}.")
        for sentence in played.advice(played.read_options(dict(terms.options)), terms.seats):
            say("\n".join(wrap(f"Note: {sentence}.", WIDTH)))
        self._sitting = self.chairs
        if self.gathering.hosts:
            say(f"Table {short} is open: {self.count()}. Type help for help.{self.way}")
        else:
            host = self.parlour.lobby.peers.get(self.gathering.host)
            whose = f" of {self.parlour.name(host)}: {self.count()}" if host else ""
            say(f"Asking for a seat at table {short}{whose}.")

    def count(self) -> str:
        """How many seats are taken."""
        seats, taken = self.gathering.terms.seats, len(self.chairs)
        return f"{taken} of {seats} seats {'is' if taken == 1 else 'are'} taken"

    def say_who(self) -> None:
        """Who sits here, and who is on the network."""
        own = self.parlour.lobby.identity.key
        sitting = [chair.key for chair in self.chairs]
        names = ["you" if chair.key == own else self.parlour.called(chair.key, chair.name) for chair in self.chairs]
        self.parlour.say(f"At this table: {few(names) if names else 'nobody'}; {self.count()}.")
        others = [self.parlour.name(peer) for peer in self.parlour.lobby.peers.values() if peer.key not in sitting]
        missing = self.parlour.missing()
        if others or not missing:
            self.parlour.say(f"Also on the network: {few(sorted(others)) if others else 'nobody'}.")
        for sentence in missing:
            self.parlour.say(sentence)

    # What happens

    def hear(self, event: Event | Remark) -> None:
        """Something happened on the network."""
        match event:
            case At(name, what) if name == self.gathering.table:
                self._hear_here(what)
            case Began(name) if name == self.gathering.table:
                self.successor = NetworkTable(self.parlour, self.parlour.lobby.tables[name])
            case Began(name) if self.parlour.calls.awaits(name) and self.gathering.phase == OPEN:
                self.leave()
                self.done, self.successor = False, NetworkTable(self.parlour, self.parlour.lobby.tables[name])
            case Arrived(peer) if self.gathering.hosts and peer.key not in self._met:
                self._met.add(peer.key)
                if peer.key not in [chair.key for chair in self.chairs]:
                    self.tell(Kind.COMING, peer.key, f"{self.parlour.name(peer)} is on the network.")
            case Arrived(peer) if peer.key == self.gathering.host:
                self._say_changes()
            case Departed(peer):
                self._met.discard(peer.key)
            case Invited(key, table, _):
                self._invited(event, key, table)
            case _:
                self.overhear(event)

    def _hear_here(self, what: object) -> None:
        match what:
            case Seated() if not self._seated:
                self._seated = True
                self.parlour.say("You have a seat. The game begins when all seats are taken.")
            case Refused(why):
                self.parlour.say(f"There is no seat for you at this table: {shown(why)}.")
                self.done, self.code = True, 1
            case Changed():
                self._say_changes()
            case TurnedDown(key, why):
                peer = self.parlour.lobby.peers.get(key)
                who = self.parlour.name(peer) if peer else "Somebody"
                self.tell(Kind.INVITATION, key, f"{who} does not come: {shown(why)}.")

    def _say_changes(self) -> None:
        """Who sat down or stood up since it was said last."""
        before, self._sitting = self._sitting, self.chairs
        if self.gathering.phase == CLOSED:
            return
        own = self.parlour.lobby.identity.key
        for chair in self._sitting:
            if chair not in before and chair.key != own:
                self._say_chair(chair, "sits down")
        for chair in before:
            if chair not in self._sitting and chair.key != own:
                self._say_chair(chair, "has gone")

    def _say_chair(self, chair: Chair, what: str) -> None:
        self.tell(Kind.COMING, chair.key, f"{self.parlour.called(chair.key, chair.name)} {what}: {self.count()}.")

    def _invited(self, event: Invited, key: bytes, table: bytes) -> None:
        """Two who want a rematch at once both offer one: the smaller number counts."""
        others = self.gathering.reserved
        told = arbiters.is_accepted(self.parlour, event.terms)
        if self.again and key in others and table < self.gathering.table and told:
            self.gathering.leave()
            lobby, now = self.parlour.lobby, self.parlour.now()
            joined = lobby.join(Offer(table, key, event.terms, (), "open", 0), now)
            self.successor = Waiting(self.parlour, joined)
        elif not self.again or key not in others or not told:
            peer = self.parlour.lobby.peers.get(key)
            who = self.parlour.name(peer) if peer else "Somebody"
            text = f"{who} invites you to table {table.hex()[:DIGITS]}: {terms_text(event.terms)}."
            self.tell(Kind.INVITATION, key, text)

    def tick(self) -> None:
        """All that has happened is heard, and time has passed."""
        self.say_sums()
        if self.gathering.hosts and self.gathering.phase == OPEN and not self.missing:
            self.gathering.start(self.parlour.now())

    @property
    def missing(self) -> int:
        """How many have not come yet."""
        return self.gathering.terms.seats - len(self.chairs)

    # What a person types

    def obey(self, line: str) -> None:
        """Do what a line says, or raise an error that says why not."""
        self.run_command(line)

    def holds(self, line: str) -> bool:
        """Whether a line that nobody waited to type should wait until it makes sense."""
        word = line.partition(" ")[0].lower()
        return word not in self.commands or word == "say"  # from a pipe it is for the table

    def start(self, _: str) -> None:
        """Begin; it happens by itself."""
        if self.missing:
            raise RulesError(f"{self.count()}: the game begins when all are")

    def invite(self, name: str) -> None:
        """Ask somebody to sit down."""
        peer = self.parlour.peer(name)
        self.gathering.invite(peer.key)
        self.parlour.say(f"{self.parlour.name(peer)} is invited.")

    def cannot_say(self) -> None:
        """Lines belong to a game, and there is none yet."""
        raise RulesError("nobody can be heard before the game: say is a word at the table, when it has begun")

    def kick(self, name: str) -> None:
        """Take somebody's seat away."""
        own = self.parlour.lobby.identity.key
        for chair in self.gathering.chairs:
            called = self.parlour.called(chair.key, chair.name)
            if (are_alike(name, called) or are_alike(name, chair.name)) and chair.key != own:
                self.gathering.kick(chair.key, "the host took your seat away")
                return
        if not name:
            raise BadNotation("a name is missing")
        raise RulesError(f"nobody called {quoted(name)} sits here")

    def leave(self) -> None:
        """The person goes, or the input has ended."""
        if self.gathering.phase == OPEN:
            self.gathering.leave()
        self.parlour.say("The table is closed." if self.gathering.hosts else "You have left the table.")
        self.done = True
