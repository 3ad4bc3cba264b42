"""A place on the network in plain lines: notices are printed, and typed lines become wishes.

A face: client/table/network decides, and client/words/network has the sentences. No socket and no thread here;
network_evening.py drives it, and a test can.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from quadrille.client.pages import rules_text
from quadrille.client.plain.live_console import LiveConsole
from quadrille.client.table.network.notices import GuestAsks, GuestGone, LineSaid
from quadrille.client.table.network.reasons import Denied
from quadrille.client.table.network.stage import NetworkStage, StageNotice
from quadrille.client.table.network.wishes import NetworkWish, UnknownWord
from quadrille.client.words.commands import misread
from quadrille.client.words.network.places import place_of, words_at
from quadrille.client.words.network.refusals import is_misread
from quadrille.client.words.network.table import by_seat
from quadrille.client.words.network.wished import network_wish
from quadrille.client.words.story import sentence
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import Event
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game


class PlainStage(ABC):
    """One place of a person, in plain lines."""

    def __init__(self, stage: NetworkStage, console: LiveConsole) -> None:
        self.stage = stage
        self.console = console
        #: Words that only this face knows, in addition to wishes.
        self.commands: dict[str, Callable[[str], None]] = {}

    @property
    def words(self) -> tuple[str, ...]:
        return words_at(self.stage)

    @property
    def prompt(self) -> str:
        """The prompt before the typed line."""
        return "> "

    @property
    def is_idle(self) -> bool:
        return self.stage.is_idle

    @property
    def done(self) -> bool:
        return self.stage.done

    @property
    def code(self) -> int:
        return self.stage.code

    def begin(self) -> None:
        self.stage.begin()
        self.welcome()
        self.tell()

    @abstractmethod
    def welcome(self) -> None:
        """Print the first lines."""

    def hear(self, event: Event | Remark) -> None:
        self.stage.hear(event)
        self.tell()

    def hear_guest(self, event: GuestAsks | GuestGone) -> None:
        self.stage.hear_guest(event)
        self.tell()

    def tick(self) -> None:
        self.stage.tick()
        self.tell()

    def leave(self) -> None:
        self.stage.leave()
        self.tell()

    # Output

    def say(self, text: str = "") -> None:
        self.console.say(text)

    def tell(self, line: str = "") -> None:
        """Print the stage's notices; `line` is what was typed."""
        for notice in self.stage.drain():
            if text := self.sentence(notice, line):
                self.say(text)

    def sentence(self, notice: StageNotice, line: str) -> str:
        """The text of a notice; "" for none. The person's own words need no line."""
        if isinstance(notice, LineSaid) and notice.own:
            return ""
        text = by_seat(notice, self.stage.seats)
        if isinstance(notice, Denied) and is_misread(notice.why) and line:
            return misread(text, line, self.words)
        return text

    def say_rules(self, key: str) -> None:
        self.say(rules_text(game(key)))

    # Input

    def typed(self, line: str) -> None:
        """Process a line from the person; a refusal is printed."""
        if not line:
            return
        try:
            self.obey(line)
        except RulesError as error:
            self.say(misread(str(error), line, self.words) if is_misread(error) else sentence(str(error)))
        self.tell(line)

    def obey(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        word, rest = "help" if first == "?" else first.lower(), rest.strip()
        if command := self.commands.get(word):
            command(rest)
        else:
            self.wish(network_wish(place_of(self.stage), word, rest) if word in self.words else self.other(line, first))

    def wish(self, wish: NetworkWish) -> None:
        """All wishes of a face go out here, typed or not."""
        self.stage.grant(wish)

    def other(self, line: str, word: str) -> NetworkWish:
        return UnknownWord(word)

    def holds(self, line: str) -> bool:
        """Whether a line from a pipe should wait until it makes sense."""
        return False
