"""What a conversation with a person on the network is: events and typed lines come in, sentences go out.

No socket and no thread here: client/sitting.py drives it, and a test can. One conversation leads to the next: choosing
a table, waiting for the others, playing, a rematch.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from quadrille.client import calls
from quadrille.client.calls import Calls
from quadrille.client.claimed_names import shown_name
from quadrille.client.floods import Floods, Kind
from quadrille.client.live_console import LiveConsole
from quadrille.client.words.commands import misread
from quadrille.net.errors import LocalError, NetError
from quadrille.net.identity import fingerprint
from quadrille.net.lobby import Awaited, Called, Event, Lobby, Peer
from quadrille.net.log import Log
from quadrille.net.names import are_alike
from quadrille.net.station import Remark
from quadrille.net.table import Table
from quadrille.net.terms import Chair
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.squares import quoted

#: How many digits of a table's number are shown.
DIGITS: Final = 8


def _nobody_is_blocked(_: bytes) -> None:
    raise LocalError("nobody can be blocked here")


def _nobody_comes(kind: str, _: Table) -> Chair:
    raise LocalError(f"no bot can be brought along here: start it with quadrille bot {kind}")


@dataclass(frozen=True, slots=True)
class Parlour:
    """What all conversations share: who is here, the console, the time, our nicknames, how a bot is brought.

    `tells` says whether boards, moves and whose turn it is are told in words; a screen shows them. `missing` gives
    sentences about peers that should be here and are not (client/missing.py).
    """

    lobby: Lobby
    console: LiveConsole
    now: Callable[[], int]
    nickname: Callable[[bytes], str | None]
    bring: Callable[[str, Table], Chair] = field(default=_nobody_comes)
    nonce: Callable[[], bytes] = field(default=lambda: os.urandom(8))
    tells: bool = True
    #: The arbiters that this person accepts.
    arbiters: set[bytes] = field(default_factory=set)
    #: Hear nothing more of the holder of a key.
    block: Callable[[bytes], None] = field(default=_nobody_is_blocked)
    #: Whether this person can be asked, and answers.
    asks: bool = True
    missing: Callable[[], list[str]] = list
    #: Who asks this person to play on for a seat.
    calls: Calls = field(default_factory=Calls)

    def say(self, text: str = "") -> None:
        """Lines to the person."""
        self.console.say(text)

    def called(self, key: bytes, name: str) -> str:
        """What we call the holder of a key, who goes by that name."""
        return self.nickname(key) or shown_name(name, key)

    def name(self, peer: Peer) -> str:
        """What we call a peer."""
        return self.called(peer.key, peer.name)

    def peer(self, text: str) -> Peer:
        """The one peer here that a person means: by name, or by the first digits of its fingerprint."""
        if not text.strip():
            raise LocalError("a name is missing")
        digits = text.strip().lower().replace(" ", "")
        found = [
            peer
            for peer in self.lobby.peers.values()
            if are_alike(text, self.name(peer))
            or are_alike(text, peer.name)
            or (len(digits) >= 4 and fingerprint(peer.key).replace(" ", "").startswith(digits))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(f"{self.name(peer)} ({fingerprint(peer.key)})" for peer in found)
            raise LocalError(f"{quoted(text)} could be any of {several}: give the digits in brackets")
        here = ", ".join(sorted(self.name(peer) for peer in self.lobby.peers.values()))
        raise LocalError(f"nobody called {quoted(text)} is here: " + (f"there are {here}" if here else "nobody is"))


class Conversation(ABC):
    """One stage of an evening. `successor` is what comes after it, `code` the exit code if it is the last."""

    def __init__(self, parlour: Parlour) -> None:
        self.parlour = parlour
        self.done = False
        self.code = 0
        self.successor: Conversation | None = None
        self.floods = Floods()
        self.commands: dict[str, Callable[[str], None]] = {}

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        return "> "

    @abstractmethod
    def begin(self) -> None:
        """What is said first."""

    @abstractmethod
    def hear(self, event: Event | Remark) -> None:
        """Something happened on the network."""

    @abstractmethod
    def tick(self) -> None:
        """All that has happened is heard, and time has passed."""

    @abstractmethod
    def obey(self, line: str) -> None:
        """Do what a line says, or raise an error that says why not."""

    def holds(self, line: str) -> bool:
        """Whether a line that nobody waited to type should wait until it makes sense."""
        return False

    @property
    def is_idle(self) -> bool:
        """Whether nothing goes on without another line."""
        return True

    def leave(self) -> None:
        """The person goes, or the input has ended."""
        self.done = True

    def typed(self, line: str) -> None:
        """A line from the person; what is refused is said in words."""
        if line:
            self.attempt(lambda: self.obey(line), line)

    def attempt(self, deed: Callable[[], None], line: str) -> None:
        """Do what a line says, or say in words why not."""
        try:
            deed()
        except BadNotation as error:
            self.parlour.say(misread(error, line, self.commands))
        except (RulesError, NetError) as error:
            self.parlour.say(str(error))
        except OSError as error:
            self.parlour.say(f"{error.filename or line}: {error.strerror or error}")

    def run_command(self, line: str) -> None:
        """A line that is nothing but a command."""
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.lower())
        if command is None:
            raise BadNotation(f"{quoted(word)} is no command here")
        command(rest.strip())

    # What others say as often as they like

    def tell(self, kind: Kind, author: bytes, text: str) -> None:
        """A line that somebody else has caused; where it is one too many it is only counted."""
        if self.floods.hear(kind, author, self.parlour.now(), stranger=self.is_stranger(author)):
            self.parlour.say(text)

    def is_stranger(self, key: bytes) -> bool:
        """Whether somebody has neither a seat here nor a nickname."""
        return self.parlour.nickname(key) is None

    def call(self, key: bytes) -> str:
        """What we call somebody, in a line about what it did."""
        peer = self.parlour.lobby.peers.get(key)
        return self.parlour.name(peer) if peer else f"Somebody ({fingerprint(key)})"

    def say_sums(self) -> None:
        """One line for all those that were not told."""
        for one in self.floods.sums(self.parlour.now()):
            if one.author is None:
                self.parlour.say(f"Others {one}.")
            else:
                who = self.call(one.author)
                self.parlour.say(f"{who} {one} (block {who} to hear no more).")

    def block(self, name: str) -> None:
        """Hear nothing more of somebody."""
        peer = self.parlour.peer(name)
        self.floods.mute(peer.key)
        self.parlour.block(peer.key)
        self.parlour.say(f"{self.parlour.name(peer)} is blocked: you hear nothing more of it.")

    def overhear(self, event: Event | Remark) -> None:
        """What is told wherever the person is."""
        match event:
            case Remark(key, text):
                self.tell(Kind.NAME, key, f"Note: {text}.")
            case Awaited(key, log):
                self._say_awaited(key, log)
            case Called() if self.parlour.asks:
                self._hear_call(event)

    def _hear_call(self, called: Called) -> None:
        """A seat asks this person to play on for another. It asks again until it hears a yes."""
        known = self.parlour.calls
        if known.has_agreed(called):
            self.parlour.lobby.play_on(called)
        elif known.hear(called, self.parlour.now()):
            self.tell(Kind.INVITATION, called.key, calls.question(called, self.call(called.key)))

    def play_on(self, text: str) -> None:
        """Say yes to that."""
        calls.play_on(self.parlour, text)

    def _say_awaited(self, key: bytes, log: Log) -> None:
        """Somebody waits at a table that is not open here."""
        standing, lobby = log.now, self.parlour.lobby
        names = {chair.key: chair.name for chair in standing.chairs}
        peer = lobby.peers.get(key)
        who = self.parlour.called(key, peer.name if peer else names.get(key, "Somebody"))
        table = log.table.hex()[:DIGITS]
        why = ""
        if lobby.identity.key not in names:
            seat = standing.keys.index(lobby.identity.key)
            owner = standing.chairs[seat]
            why = f", where you are asked to play on for {self.parlour.called(owner.key, owner.name)}"
            if (count := len(lobby.stand_ins)) > 1:
                why += f" ({count} tables ask you that)"
        self.tell(Kind.INVITATION, key, f"{who} waits for you at table {table}{why}: quadrille resume {table}")
