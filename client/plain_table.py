"""A table in plain lines: people at one keyboard, with or without programs in the other seats.

It only asks and shows; the match decides. What a seat may not see is never shown to the person who sits there.
"""

from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import Any, Final, Protocol

from quadrille.client.console import Console
from quadrille.client.files import FileExists, path_of, read_match, write_text
from quadrille.client.pages import rules_text
from quadrille.client.reports import entry_text, forced, heading, is_move, misread, moves_text, result
from quadrille.rules.core import WHOLE, Move, State, ToDraw, ToMove
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.plain_text import WIDTH, drawing
from quadrille.rules.record import write

HELP: Final = """\
Type a move{example}, or one of these:
  moves [START]   list the legal moves, or those that begin so
  board           draw the board again
  undo [N]        take back your last move, or the last N
  resign          go out of the game
  agree           end the game in a draw that all agree on
  save FILE       keep the game; save! FILE also writes over another file
  load FILE       go on with a game that was kept
  rules           print the rules of the game
  quit            stop playing; so does the end of input"""


def load(name: str) -> Match:
    """A match from a file, if it can be played on here."""
    match = read_match(name)
    if match.viewer != WHOLE:
        raise RulesError("this record tells only what one who looked on saw: it can be replayed, not played on")
    if match.deal is None and (match.game.hidden or isinstance(match.pending, ToDraw)):
        raise RulesError("this record does not say how its cards lie: it can be replayed, not played on")
    return match


class Player(Protocol):
    """A program in one of the seats."""

    def choose(self, view: State[Any, Any]) -> Move:
        """One of the legal moves of a position in which its seat owes one; it is shown its own view."""


class PlainTable:
    """A match, who plays it, and the conversation with the people at the keyboard."""

    def __init__(self, match: Match, seated: Callable[[Match], Mapping[int, Player]], console: Console) -> None:
        """`seated` says which seats of a match are played by programs; people have the others."""
        self.match = match
        self.seated = seated
        self.players = seated(match)
        self.console = console
        self.done = False
        self._file: str | None = None  # where this game was kept last: it may be written over
        self._kept = match.entries
        self._warned = False  # that to quit is to lose the game
        self._drawn = False  # whether the position on the screen is the one now
        self._facing: int | None = None  # the person who looks at the screen
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self.list_moves,
            "board": self.draw,
            "undo": self.undo,
            "resign": self.resign,
            "agree": self.agree,
            "draw": self.agree,
            "save": self.save,
            "save!": self.save_over,
            "load": self.load,
            "rules": self.print_rules,
            "help": self.print_help,
            "quit": self.quit,
        }

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat in range(self.match.state.seats) if seat not in self.players]

    @property
    def turn(self) -> int | None:
        """The seat that owes a move; None when the game is over."""
        pending = self.match.pending
        return pending.seat if isinstance(pending, ToMove) else None

    def eyes(self, seat: int | None) -> int | None:
        """Through whose eyes the table is shown: the only person's, or that seat's, if a person has it."""
        people = self.people
        if len(people) == 1:
            return people[0]
        return seat if seat in people else None

    # The course of a game

    def run(self) -> None:
        """Play until somebody quits or the input ends."""
        self.welcome()
        while not self.done:
            turn = self.turn
            if turn is None:
                self.draw_once()
                self.ask("over> ")
            elif forced(self.match.state):
                self.make(next(iter(self.match.state.moves)), ", there is no other move")
            elif turn in self.players:
                self.make(self.players[turn].choose(self.match.state.view(turn)))
            elif self.face(turn):
                self.draw_once()
                self.ask(f"player {turn + 1}> ")

    def welcome(self) -> None:
        """What is played, and how to go on from here."""
        match = self.match
        self.console.say(heading(match) + (f", seed {match.deal.seed}" if match.deal else ""))
        for sentence in match.game.advice(match.state.options, match.state.seats):
            self.console.say("\n".join(wrap(f"Note: {sentence}.", WIDTH)))
        self.console.say(f"Type a move{self.example()}, or help." if self.turn is not None else "Type help for help.")

    def example(self) -> str:
        """A legal move, to show how moves are written."""
        return f" such as {next(iter(self.match.state.moves))}" if self.turn is not None else ""

    def make(self, move: Move | str, remark: str = "") -> None:
        """Play a move, and tell of it where there is more to tell than what was typed."""
        mover = self.turn or 0
        self.match.play(move)
        self._drawn = False
        told = self.told(len(self.match.entries) - 1, mover)
        playing = any(not self.match.state.board.left[seat] for seat in self.people)
        if playing and (told != f"player {mover + 1}: {move}" or not isinstance(move, str)):
            self.console.say(told + remark)

    def told(self, number: int, seat: int | None) -> str:
        """What happened in an entry, as the one who looks at the screen in a seat's turn may know it."""
        return entry_text(self.match, number, self.eyes(seat))

    def face(self, seat: int) -> bool:
        """Hand the screen over to a person, hiding what the one before has seen; False when the input has ended."""
        before, self._facing = self._facing, seat
        secret = self.match.game.hidden and before not in (None, seat) and len(self.people) > 1
        if secret and self.console.interactive:
            if self.console.ask(f"Enter hides this for player {seat + 1} ") is None:
                self.done = True
                return False
            self.console.cover()
            for number in range(self._last_own(seat) + 1, len(self.match.entries)):
                self.console.say(self.told(number, seat))
        return True

    def _last_own(self, seat: int) -> int:
        """The number of the last move that a seat made; -1 when there is none."""
        entries = self.match.entries
        own = (number for number, entry in enumerate(entries) if isinstance(entry, Played) and entry.seat == seat)
        return max(own, default=-1)

    def draw_once(self) -> None:
        """Draw what has changed."""
        if not self._drawn:
            self.draw()

    def draw(self, _: str = "") -> None:
        """Draw the position, and tell how the game ended if it has."""
        self._drawn = True
        view = self.match.state.view(self.eyes(self.turn))
        self.console.say(f"\n{drawing(view.scene())}\n")
        if over := self.match.over:
            self.console.say(f"{result(self.match, over, self.people if self.players else ())}\n")

    # What a person types

    def ask(self, prompt: str) -> None:
        """Ask for a line and do what it says; what is refused is said in words."""
        line = self.console.ask(prompt)
        if line is None:
            self.done = True
            return
        if not line:
            return
        try:
            self.obey(line)
        except BadNotation as error:
            self.console.say(misread(error, line, self._commands))
        except RulesError as error:
            self.console.say(str(error))
        except OSError as error:
            self.console.say(f"{error.filename or line}: {error.strerror or error}")

    def obey(self, line: str) -> None:
        """A line that the game reads as a move is one; else it may be a command."""
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        warned, self._warned = self._warned, False
        if command is None or is_move(self.match, line):
            self.make(line)
            return
        self._warned = warned and word.lower() == "quit"
        command(rest.strip())

    def list_moves(self, start: str) -> None:
        """List the legal moves, some of them if there are very many."""
        self.console.say(moves_text(self.match, start))

    def undo(self, text: str) -> None:
        """Take back to where a person had to choose; moves of programs and forced passes go with it."""
        if text and not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 10):
            raise RulesError(f"undo takes the number of moves to take back, not {text!r}")
        wanted, number = int(text or 1), len(self.match.entries)
        while wanted and number:
            number -= 1
            earlier = self.match.before(number)
            wanted -= self.chooses(earlier)
        if wanted:
            raise RulesError("no move of yours has been made yet" if not text else "you have not made so many moves")
        self.match, self._drawn = self.match.before(number), False

    def chooses(self, match: Match) -> bool:
        """Whether a person has a choice to make."""
        pending = match.pending
        return isinstance(pending, ToMove) and pending.seat not in self.players and not forced(match.state)

    def resign(self, _: str) -> None:
        """The person whose turn it is goes out."""
        self.match.leave(self.turn or 0)
        self._drawn = False
        self.console.say(self.told(len(self.match.entries) - 1, None))

    def agree(self, _: str) -> None:
        """All people agree on a draw."""
        if self.players:
            raise RulesError("a program agrees on nothing: play on, or resign")
        self.match.agree()
        self._drawn = False

    def save(self, name: str) -> None:
        """Keep the game."""
        name = name or self._file or ""
        if not name:
            raise RulesError("a file is missing: write save FILE")
        try:
            self._save(name, over=self._file is not None and path_of(name) == path_of(self._file))
        except FileExists as error:
            raise RulesError(f"{error}: save! {name} writes over it") from None

    def save_over(self, name: str) -> None:
        """Keep the game, whatever was in the file."""
        if not name:
            raise RulesError("a file is missing: write save! FILE")
        self._save(name, over=True)

    def _save(self, name: str, *, over: bool) -> None:
        path = write_text(name, write(self.match), over=over)
        self._file, self._kept = name, self.match.entries
        self.console.say(f"kept in {path}")

    def load(self, name: str) -> None:
        """Go on with another game; on any refusal this one stays."""
        if not name:
            raise RulesError("a file is missing: write load FILE")
        match = load(name)
        self.players, self.match = self.seated(match), match
        self._file, self._kept = name, match.entries
        self._drawn, self._facing = False, None
        self.welcome()

    def print_rules(self, _: str) -> None:
        """The page of the game."""
        self.console.say(rules_text(self.match.game))

    def print_help(self, _: str) -> None:
        """What can be typed."""
        self.console.say(HELP.format(example=self.example()))

    def quit(self, _: str) -> None:
        """Stop; asked twice where something would be lost."""
        if self._warned or self.match.over or self.match.entries in ((), self._kept):
            self.done = True
            return
        self._warned = True
        self.console.say("this game is not kept: save FILE keeps it, quit once more leaves it")
