"""A place on the network in plain lines: notices are printed, and typed lines become wishes.

A face: client/table/network decides, and client/words/network has the sentences. No socket and no thread here;
network_evening.py drives it, and a test can.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from quadrille.client.pages import rules_text
from quadrille.client.plain.live_console import LiveConsole
from quadrille.client.presence.kept_log import KeptLogs
from quadrille.client.table.network.reasons import Denied
from quadrille.client.table.network.stage import NetworkStage, StageNotice
from quadrille.client.table.network.wishes import NetworkWish, UnknownWord
from quadrille.client.words.commands import misread, network_wish
from quadrille.client.words.network.places import place_of, words_at
from quadrille.client.words.network.refusals import is_misread
from quadrille.client.words.network.table import by_seat
from quadrille.net.lobby import Event
from quadrille.net.station import Remark
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game


class PlainStage(ABC):
    """One place of a person before plain lines."""

    def __init__(self, stage: NetworkStage, console: LiveConsole) -> None:
        self.stage = stage
        self.console = console
        self._files = KeptLogs()
        #: Words that only this face knows, beside those that are wishes.
        self.commands: dict[str, Callable[[str], None]] = {}

    @property
    def words(self) -> tuple[str, ...]:
        """All words that mean something here."""
        return words_at(self.stage)

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        return "> "

    @property
    def is_idle(self) -> bool:
        """Whether nothing goes on without another line."""
        return self.stage.is_idle

    @property
    def done(self) -> bool:
        """Whether the person has gone."""
        return self.stage.done

    @property
    def code(self) -> int:
        """The exit code, if this is the last place."""
        return self.stage.code

    def begin(self) -> None:
        """The person is here now."""
        self.stage.begin()
        self.welcome()
        self.tell()

    @abstractmethod
    def welcome(self) -> None:
        """What is said first."""

    def hear(self, event: Event | Remark) -> None:
        """Something happened on the network."""
        self.stage.hear(event)
        self.tell()

    def tick(self) -> None:
        """All that has happened is heard, and time has passed."""
        self.stage.tick()
        self.tell()

    def leave(self) -> None:
        """The person goes, or the input has ended."""
        self.stage.leave()
        self.tell()

    # What is said

    def say(self, text: str = "") -> None:
        """Lines to the person."""
        self.console.say(text)

    def tell(self, line: str = "") -> None:
        """Print what the stage has to tell; `line` is what was typed."""
        for notice in self.stage.drain():
            if text := self.sentence(notice, line):
                self.say(text)

    def sentence(self, notice: StageNotice, line: str) -> str:
        """What is printed of a notice; "" where nothing is."""
        text = by_seat(notice, self.stage.seats)
        if isinstance(notice, Denied) and is_misread(notice.why) and line:
            return misread(text, line, self.words)
        return text

    def say_rules(self, key: str) -> None:
        """The rules of a game."""
        self.say(rules_text(game(key)))

    # What is typed

    def typed(self, line: str) -> None:
        """A line from the person; what is refused is said in words."""
        if not line:
            return
        try:
            self.obey(line)
        except RulesError as error:
            self.say(misread(str(error), line, self.words) if is_misread(error) else str(error))
        self.tell(line)

    def obey(self, line: str) -> None:
        """Do what a line says."""
        first, _, rest = line.partition(" ")
        word, rest = first.lower(), rest.strip()
        if command := self.commands.get(word):
            command(rest)
        else:
            self.wish(network_wish(place_of(self.stage), word, rest) if word in self.words else self.other(line, first))

    def other(self, line: str, word: str) -> NetworkWish:
        """What a line is that begins with none of the words."""
        return UnknownWord(word)

    def wish(self, wish: NetworkWish) -> None:
        """Ask the stage for it, and do what it asks for."""
        for effect in self.stage.grant(wish):
            self._files.perform(self.stage, effect)

    def holds(self, line: str) -> bool:
        """Whether a line that nobody waited to type should wait until it makes sense."""
        return False
