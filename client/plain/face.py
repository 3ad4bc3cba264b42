"""A person's place in plain lines: notices are printed, and typed lines become wishes; at any table, and before one.
The loop of such places, at one keyboard and on the network.

The place decides (client/table/stage.py), and client/words has the sentences. No socket and no thread here.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final, Protocol

from quadrille.client.picture.labyrinth import finished_text
from quadrille.client.plain.console import Console
from quadrille.client.reports import is_move, moves_text, player, result
from quadrille.client.settings import read_settings
from quadrille.client.table.notices import LineSaid, Notice, Refused, Why
from quadrille.client.table.stage import Heard, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import OtherLine, PlayMove, Wish
from quadrille.client.words.commands import Command, Place, help_text, misread, words_at
from quadrille.client.words.rules import rules_text
from quadrille.client.words.table import by_seat, is_misread
from quadrille.client.words.thoughts import courses_text
from quadrille.net.trust.guard import author_of
from quadrille.rules.core import Game
from quadrille.rules.drawing.plain_text import drawing

if TYPE_CHECKING:
    from quadrille.client.network.station import Ending


class PlainFace:
    """One place of a person, in plain lines."""

    def __init__(self, stage: NetworkStage, console: Console) -> None:
        self.stage = stage
        self.console = console
        self.say = console.say
        #: Words that only this face knows, in addition to wishes.
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": self._say_moves,
            "board": lambda _: self.draw(),
            "rules": lambda _: self.say(rules_text(self.game)),
            "help": lambda _: self.say(help_text(self.place).format(example=self.example())),
        }
        self.drawn = self.told = False  # whether this game has been drawn, and whether its result was printed

    @property
    def place(self) -> Place:
        return Place[self.stage.offers]

    @property
    def words(self) -> Mapping[str, Command]:
        return words_at(self.place)

    @property
    def prompt(self) -> str:
        """The prompt before the typed line."""
        return "> "

    @property
    def seat(self) -> TableSeat:
        assert self.stage.at_table is not None, "there is no table yet"
        return self.stage.at_table

    @property
    def game(self) -> Game[Any, Any]:
        return self.seat.match.game

    # Events

    def begin(self) -> None:
        self.stage.begin()
        self.welcome()
        self.tell()

    def welcome(self) -> None:
        """Print the first lines; where there is no table, none."""

    def hear(self, event: Heard) -> None:
        self.stage.hear(event)
        self.tell()

    def tick(self) -> None:
        self.stage.tick()
        self.tell()

    def leave(self) -> None:
        self.stage.leave()
        self.tell()

    # Output

    def tell(self, line: str = "") -> None:
        """Print the notices; `line` is what was typed."""
        for notice in self.stage.drain():
            if text := self.sentence(notice, line):
                self.say(text)

    def sentence(self, notice: Notice, line: str) -> str:
        """Return the text of a notice; "" for none. The person's own words need no line."""
        if isinstance(notice, LineSaid) and notice.own:
            return ""
        text = by_seat(notice, self.stage.seats)
        if isinstance(notice, Refused) and is_misread(notice.why) and line:
            return misread(text, line, self.words)
        return text

    def draw(self) -> None:
        """Draw the position, and report the result if the game is over."""
        self.drawn = True
        self.say(f"\n{drawing(self.seat.view.scene())}\n")
        self.tell_result()

    def tell_result(self) -> None:
        table, match = self.seat, self.seat.match
        if match.over is None:
            return
        self.told = True
        names, people = table.seats.names, table.mine if len(table.mine) < len(table.seats.names) else ()
        maze = finished_text(match.state.labyrinth())
        self.say(f"{maze}{result(match, people, names)}\n")
        called = [player(seat, names) for seat in range(len(names))]
        if courses := courses_text(table.thoughts, match, called):
            self.say(f"{courses}\n")

    def example(self) -> str:
        """Return a legal move, as an example of how one is typed."""
        table = self.stage.at_table
        return f" such as {next(iter(table.view.moves))}" if table is not None and table.turn is not None else ""

    def _say_moves(self, start: str) -> None:
        table = self.seat
        self.say(by_seat(Refused(Why.OVER), table.seats) if table.match.over else moves_text(table.match, start))

    # Input

    def typed(self, line: str) -> None:
        """Process a line from the person."""
        if line:
            self.obey(line)
            self.tell(line)

    def obey(self, line: str) -> None:
        """Play the line if the game reads it as a move; otherwise it may be a command."""
        command, (first, _, rest) = self.command(line), line.partition(" ")
        if command is None:
            self.wish(self.other(line, first))
        elif act := self.commands.get(command.word):
            act(rest.strip())
        else:
            hints = read_settings()[0].hints if command.word == "hint" else ""
            self.stage.attempt(lambda: self.wish(command.wished(rest.strip(), hints) or OtherLine(first.lower())))

    def command(self, line: str) -> Command | None:
        """Return the command with which a line begins, unless the game reads it as a move."""
        table = self.stage.at_table
        reads = table is not None and is_move(table.match, line)
        return None if reads else self.words.get(line.partition(" ")[0].lower())

    def wish(self, wish: Wish) -> None:
        """Send out a wish of the face, typed or not."""
        self.stage.wish(wish)

    @property
    def waits(self) -> bool:
        """Tell whether something may happen here without a line."""
        return True

    def take_line(self) -> bool:
        """Take a line, as soon as it makes sense; return whether there was one. At the end of input, leave."""
        console = self.console
        if self.waits:
            line = console.next_line()
            if line is None and console.ended and not self.holds(None):
                self.leave()
                return False
            if line is None or (not console.interactive and line and self.holds(line)):
                console.show(self.prompt)
                return False
        line = console.ask(self.prompt)
        if line is None:
            self.leave()
            return False
        self.typed(line)
        return True

    def holds(self, line: str | None) -> bool:
        """Tell whether a line from a pipe waits until the table can take it; None is the end of input."""
        return line is None and not self.stage.is_idle

    def other(self, line: str, word: str) -> Wish:
        """Return the wish of a line that is no command."""
        return PlayMove(line) if self.stage.at_table is not None else OtherLine(word)


#: Maximum milliseconds between two checks for due work.
_TURN: Final = 250


class Surroundings(Protocol):
    """The bots and files of this program, or the network, which go on beside a person."""

    def turn(self, timeout: int) -> Iterable[Heard]:
        """Go on for at most `timeout` milliseconds; return what the person's place is to hear."""

    def watch(self, deed: str, author: bytes | None = None) -> AbstractContextManager[None]:
        """Guard a deed against faults that nobody foresaw, where others could cause them."""
        return nullcontext()

    def ended(self, stage: NetworkStage) -> list[str]:
        """Return sentences about games and bots that have ended, while the person is there."""
        return []

    def parting(self) -> list[str]:
        """Return sentences for a person who leaves."""
        return []


def sit(
    around: Surroundings,
    face: PlainFace,
    ending: "Ending | None" = None,
    onward: Callable[[PlainFace], PlainFace] = lambda face: face,
) -> int:
    """Run until the person leaves, the input ends, or a signal comes: due work, a line, events. Return the exit code.
    `onward` makes the face of the next place.
    """
    console = face.console
    face.begin()
    while not (face.stage.done or (ending and ending.code)):
        with around.watch("what is due here"):
            face.tick()
        face = onward(face)
        typed = not face.stage.done and face.take_line()
        face = onward(face)
        if face.stage.done:
            break
        for event in around.turn(0 if typed else _TURN):
            with around.watch("the news here", author_of(event)):
                face.hear(event)
            face = onward(face)
        for text in around.ended(face.stage):
            console.say(text)
    if not face.stage.done:
        face.leave()  # a signal is a quit: the person reads how to come back
    for text in around.parting():
        console.say(text)
    console.close()
    return (ending and ending.code) or face.stage.code
