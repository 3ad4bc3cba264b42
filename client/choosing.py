"""The conversation before one: which table a person means, of those that others offer."""

from collections.abc import Callable
from typing import Final

from quadrille.client import arbiters
from quadrille.client.claimed_names import shown_name
from quadrille.client.conversation import DIGITS, Conversation, Parlour
from quadrille.client.floods import Kind
from quadrille.client.foreign import shown
from quadrille.client.table_words import few, terms_text
from quadrille.client.words.commands import Place, help_text
from quadrille.net.gathering import Refused
from quadrille.net.lobby import At, Began, Event, Invited, Lobby
from quadrille.net.offers import host_name, is_meant, offers, unplayable
from quadrille.net.station import Remark
from quadrille.net.wire import Offer
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: Milliseconds from the first table that is found until it is taken for the only one, and until it is said that there
#: is none.
SETTLED: Final = 1500
PATIENCE: Final = 5000
HELP: Final = help_text(Place.CHOOSING)


class Choosing(Conversation):
    """Waits for a table that fits, asks where there are several, and goes on to it."""

    def __init__(
        self,
        parlour: Parlour,
        wanted: str,
        states: tuple[str, ...],
        go: Callable[[Offer], Conversation | None],
        accepts: Callable[[Offer], bool] | None = None,
        *,
        sits: bool = False,
    ) -> None:
        """`sits`: the person is to sit down, and is asked about an arbiter first.

        `go` gives what comes next, or None where that shows later: then a table that begins is it.
        """
        super().__init__(parlour)
        self.wanted = wanted
        self.states = states
        self.go = go
        self.accepts = accepts
        self.sits = sits
        self._since = parlour.now()
        self._found_at: int | None = None
        self._listed: list[bytes] = []
        self._gone_to: bytes | None = None
        self._said_none = False
        self._asked: Offer | None = None  # a table with an arbiter that the person has to accept
        self._said_missing: set[str] = set()
        self.commands = {
            "tables": lambda _: self.list(),
            "yes": lambda _: self.accept(),
            "no": lambda _: self.decline(),
            "play-on": self.play_on,
            "block": self.block,
            "help": lambda _: parlour.say(HELP),
            "quit": lambda _: self.leave(),
        }

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        return "which table> " if self._listed else "> "

    def found(self) -> list[Offer]:
        """The tables that may be meant."""
        lobby = self.parlour.lobby
        there = [offer for offer in offers(lobby, *self.states) if self.accepts is None or self.accepts(offer)]
        return [offer for offer in there if not self.wanted or is_meant(lobby, offer, self.wanted)]

    @property
    def is_idle(self) -> bool:
        """Whether nothing goes on without another line."""
        return bool(self._listed) or self._asked is not None or self.parlour.now() - self._since > PATIENCE

    def hear(self, event: Event | Remark) -> None:
        """Something happened on the network."""
        match event:
            case At(name, Refused(why)) if name == self._gone_to:
                self.parlour.say(f"That is not possible: {shown(why)}.")
                self.done, self.code = True, 1
            case Began(name) if name == self._gone_to or self.parlour.calls.awaits(name):
                from quadrille.client.network_table import NetworkTable

                self.successor = NetworkTable(self.parlour, self.parlour.lobby.tables[name])
            case Invited(key, table, terms):
                peer = self.parlour.lobby.peers.get(key)
                who = self.parlour.name(peer) if peer else "Somebody"
                self.tell(
                    Kind.INVITATION, key, f"{who} invites you to table {table.hex()[:DIGITS]}: {terms_text(terms)}."
                )
            case _:
                self.overhear(event)

    def tick(self) -> None:
        """All that has happened is heard, and time has passed."""
        now, found = self.parlour.now(), self.found()
        self.say_sums()
        if self._gone_to is not None or self._asked is not None or self.done:
            return
        if not found:
            self._found_at = None
            self._say_missing()
            if now - self._since > PATIENCE and not self._said_none:
                self._said_none = True
                self._say_none()
            return
        self._found_at = now if self._found_at is None else self._found_at
        if self.wanted and len(found) == 1:
            self._take(found[0])
        elif now - self._found_at >= SETTLED:
            if len(found) == 1 and not self._listed:
                self._take(found[0])
            elif any(offer.table not in self._listed for offer in found):
                self.list()

    def begin(self) -> None:
        """What is said first."""
        self.parlour.say("Looking for a table.")

    def _say_missing(self) -> None:
        """Each cause once, as soon as it is known."""
        for sentence in self.parlour.missing():
            if sentence not in self._said_missing:
                self._said_missing.add(sentence)
                self.parlour.say(sentence)

    def _say_none(self) -> None:
        what = f"no table {quoted(self.wanted)}" if self.wanted else "no table"
        others = offers(self.parlour.lobby, *self.states)
        there = few([f"{offer.table.hex()[:DIGITS]} ({self._host(offer)})" for offer in others])
        state = f" There is {there}." if others else ""
        doctor = "" if self._said_missing else " quadrille doctor finds out what may be in the way."
        self.parlour.say(f"There is {what} yet; waiting for one.{state}{doctor}")
        self._say_unplayable()

    def _say_unplayable(self) -> None:
        if text := unplayable_text(self.parlour.lobby):
            self.parlour.say(text)

    def _host(self, offer: Offer) -> str:
        return shown_name(host_name(self.parlour.lobby, offer), offer.host)

    def list(self) -> None:
        """The tables, numbered."""
        found = self.found()
        self._listed = [offer.table for offer in found]
        if not found:
            raise RulesError("there is no table yet")
        self.parlour.say("Which table? Type its number.")
        for number, offer in enumerate(found, 1):
            taken = f"{len(offer.chairs)} of {offer.terms.seats} seats taken"
            name = self._host(offer)
            self.parlour.say(f"  {number}. {offer.table.hex()[:DIGITS]}  {name}: {terms_text(offer.terms)}; {taken}")
        self._say_unplayable()

    def _take(self, offer: Offer) -> None:
        if self.sits and not arbiters.is_accepted(self.parlour, offer.terms):
            self._ask(offer)
            return
        self._gone_to = offer.table
        self.successor = self.go(offer)

    def _ask(self, offer: Offer) -> None:
        """Nobody sits down under an arbiter that he was not told of."""
        said = arbiters.warning(self.parlour, offer.terms, offer.host, offer.chairs)
        if not self.parlour.asks:
            self.parlour.say(f"{said}. Nobody has told you of it, so there is no seat for you.")
            self.done, self.code = True, 1
        elif self._asked != offer:
            self._asked = offer
            self.parlour.say(f"{said}. Type yes to sit down all the same, or no.")

    def accept(self) -> None:
        """Sit down at the table whose arbiter was shown."""
        asked, self._asked = self._asked, None
        if asked is None or asked not in self.found():
            raise RulesError("nothing is asked that you have to answer")
        assert asked.terms.arbiter is not None
        self.parlour.arbiters.add(asked.terms.arbiter)
        self._take(asked)

    def decline(self) -> None:
        """Do not sit down under that arbiter."""
        if self._asked is None:
            raise RulesError("nothing is asked that you have to answer")
        self.parlour.say("You do not sit down there.")
        self.leave()

    def holds(self, line: str) -> bool:
        """Whether a line that nobody waited to type should wait until it makes sense."""
        word = line.partition(" ")[0].lower()
        if word in ("yes", "no"):
            return self._asked is None
        return word not in self.commands and not self._listed

    def obey(self, line: str) -> None:
        """Do what a line says, or raise an error that says why not."""
        if line.partition(" ")[0].lower() in self.commands:
            self.run_command(line)
            return
        there = {offer.table: offer for offer in offers(self.parlour.lobby, *self.states)}
        if line.isascii() and line.isdigit() and 0 < int(line[:4]) <= len(self._listed):
            table = self._listed[int(line[:4]) - 1]
            if table not in there:
                raise RulesError("that table is gone: tables lists those that are there")
            self._take(there[table])
            return
        meant = [offer for offer in there.values() if is_meant(self.parlour.lobby, offer, line)]
        if len(meant) != 1:
            raise RulesError(f"{quoted(line)} names no one table: type the number in the list, or tables")
        self._take(meant[0])

    def leave(self) -> None:
        """The person goes, or the input has ended."""
        self.done = True
        self.code = 0 if self._listed else 1


def unplayable_text(lobby: Lobby) -> str:
    """The tables of others that this program can't play, a line each; nothing as a rule."""
    return "\n".join(
        f"Table {offer.table.hex()[:DIGITS]} of {shown(host_name(lobby, offer))} can't be played here: {shown(why)}."
        for offer, why in unplayable(lobby)
    )
