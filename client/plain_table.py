"""A table in plain lines: people at one keyboard, with or without bots in the other seats.

It only asks and shows; the match decides. What a seat may not see is never shown to the person who sits there.
"""

from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import Final

from quadrille.ai import talk
from quadrille.ai.faults import BotFault
from quadrille.client.bot_names import called, told_apart
from quadrille.client.clocks import Clocks, clock_text
from quadrille.client.console import Console
from quadrille.client.files import FileExists, path_of, read_match, write_text
from quadrille.client.foreign import shown
from quadrille.client.own_bots import PATIENCE, OwnBots, Wait
from quadrille.client.pages import rules_text
from quadrille.client.reports import entry_text, heading, is_move, misread, moves_text, result
from quadrille.client.seating import named_bots
from quadrille.client.table.local import forced
from quadrille.net.terms import Clock
from quadrille.rules.core import WHOLE, Move, ToDraw, ToMove
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.plain_text import WIDTH, drawing
from quadrille.rules.record import write

HELP: Final = """\
Type a move{example}, or one of these:
  moves [START]   list the legal moves, or those that begin so
  board           draw the board again
  takeback [N]    take back your last move, or the last N; undo is the same
  resign          go out of the game
  draw            end the game in a draw that all agree on; agree is the same
  pause           stop the clocks for a while
  save FILE       keep the game; save! FILE also writes over another file
  load FILE       go on with a game that was kept
  rules           print the rules of the game
  quit            stop playing; so does the end of input"""
#: The time between two looks at what the person types while a bot thinks, in seconds.
_LOOK: Final = 0.05
#: What can be done about a bot that does not move.
CHOICES: Final = """\
  wait            go on waiting; one that has ended is started again
  stand-in BOT    another bot plays on in its seat, such as 2 or greedy
  quit            stop playing; save FILE keeps the game before"""


def load(name: str) -> Match:
    """A match from a file, if it can be played on here."""
    match = read_match(name)
    if match.viewer != WHOLE:
        raise RulesError("this record tells only what one who looked on saw: it can be replayed, not played on")
    if match.deal is None and (match.game.hidden or isinstance(match.pending, ToDraw)):
        raise RulesError("this record does not say how its cards lie: it can be replayed, not played on")
    return match


class PlainTable:
    """A match, who plays it, and the conversation with the people at the keyboard."""

    def __init__(
        self,
        match: Match,
        seated: Callable[[Match], Mapping[int, str]],
        console: Console,
        clock: Clock | None = None,
        *,
        now: Callable[[], int] = talk.now,
        patience: int = PATIENCE,
    ) -> None:
        """`seated` says which bots have which seats of a match; people have the others.

        `patience`: how long a bot may think, in milliseconds, until the person is asked what to do.
        """
        self.match = match
        self.seated = seated
        self.players = dict(seated(match))
        self.clocks = Clocks.full(clock, match.state.seats) if clock else None
        self.bots = OwnBots()
        self._now = now
        self._patience = patience
        self.console = console
        self.done = False
        self._wait: Wait | None = None
        self._file: str | None = None  # where this game was kept last: it may be written over
        self._kept = match.entries
        self._warned = False  # that to quit is to lose the game
        self._drawn = False  # whether this game has been drawn, and whether it was told how it ended
        self._told = False
        self._facing: int | None = None  # the person who looks at the screen
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self.list_moves,
            "board": self.draw,
            "takeback": self.take_back,
            "undo": self.take_back,
            "resign": self.resign,
            "draw": self.agree,
            "agree": self.agree,
            "pause": self.pause,
            "wait": self.wait,
            "stand-in": self.stand_in,
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
        with self.bots:
            self.welcome()
            while not self.done:
                self._go_on(self.turn)

    def _go_on(self, turn: int | None) -> None:
        """One step: a question, or a move that no person makes."""
        if turn is None:
            self._run_clock(None)
            self._show()
            self.ask("over> ")
        elif forced(self.match.state):
            self.make(next(iter(self.match.state.moves)), ", there is no other move")
        elif turn in self.players:
            self._await_bot(turn)
        elif self.face(turn):
            self._run_clock(turn)
            self._show()
            left = f" {clock_text(self.clocks.at(turn, self._now()))}" if self.clocks else ""
            self.ask(f"player {turn + 1}{left}> ")

    def _await_bot(self, turn: int) -> None:
        """A bot's move, or a line of the person's, which is obeyed beside it. About a bot that makes no move the person
        is asked.
        """
        bot, console = self.players[turn], self.console
        who = f"player {turn + 1} ({called(bot)})"
        wait = self._wait
        if wait is None or not wait.is_for(self.match, bot):
            wait = self._wait = Wait.begun(self.match, bot, console)
        elif wait.asks:
            console.write(f"{who}> ")
        while not wait.answers(console, self._commands):
            try:
                move = self._listen(turn, bot, wait)
            except BotFault as fault:
                self._wait = None
                if fault.kind == "time":
                    self._flag(turn)
                    return
                self._run_clock(None)
                console.say(f"{who} {fault.why}. What now?\n{CHOICES}")
                self.ask(f"{who}> ")
                return
            if move is not None:
                if wait.asks:
                    console.say()
                self.make(move)
                return
            if wait.until is not None and talk.now() >= wait.until:
                self._run_clock(None)
                wait.until, wait.asks = None, True
                console.say(f"{who} has been thinking for {self._patience / 1000:g} seconds. What now?\n{CHOICES}")
                if not console.looks:
                    self._wait = None
                    self.ask(f"{who}> ")
                    return
                console.write(f"{who}> ")
        self.ask("" if wait.asks or console.interactive else f"{who}> ")

    def _listen(self, turn: int, bot: str, wait: "Wait") -> Move | None:
        """A bot's move, if it comes within the time between two looks at what the person types."""
        if wait.since is None:
            self._run_clock(None)
            if not self.bots.is_ready(bot, turn, self.match, self.clocks, _LOOK):
                return None
            self._run_clock(turn)
            wait.since = talk.now()
            wait.until = None if self.clocks else wait.since + self._patience
        return self.bots.move(turn, self.match, self.clocks, _LOOK)

    # Time

    def _run_clock(self, seat: int | None) -> None:
        """The time of that seat runs from now on."""
        if self.clocks and self.clocks.seat != seat:
            self.clocks = self.clocks.runs(seat, self._now())

    def _flag(self, seat: int) -> None:
        """A seat's time is up."""
        self._run_clock(None)
        self.match.leave(seat, "time")
        self.console.say(self.told(len(self.match.entries) - 1, None))

    def _is_too_late(self) -> bool:
        """Whether the time of the person who typed was up before."""
        clocks = self.clocks
        if clocks is None or clocks.seat is None or clocks.at(clocks.seat, self._now()):
            return False
        self._flag(clocks.seat)
        return True

    def welcome(self) -> None:
        """What is played, and how to go on from here."""
        match = self.match
        clock = f", clock {self.clocks.terms}" if self.clocks else ""
        self.console.say(heading(match) + clock + (f", seed {shown(match.deal.seed)}" if match.deal else ""))
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
        if self.clocks:
            self.clocks = self.clocks.moved(mover)
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
            self._run_clock(None)
            if self.console.ask(f"Enter hides this for player {seat + 1} ") is None:
                self.done = True
                return False
            self.console.cover()
            self._drawn = False
            for number in range(self._last_own(seat) + 1, len(self.match.entries)):
                self.console.say(self.told(number, seat))
        return True

    def _last_own(self, seat: int) -> int:
        """The number of the last move that a seat made; -1 when there is none."""
        entries = self.match.entries
        own = (number for number, entry in enumerate(entries) if isinstance(entry, Played) and entry.seat == seat)
        return max(own, default=-1)

    def _show(self) -> None:
        """The position when it is new to who looks, and in the end who has won; after that whoever wants asks."""
        if not self._drawn:
            self.draw()
        elif not self._told:
            self._tell_result()

    def draw(self, _: str = "") -> None:
        """Draw the position, and tell how the game ended if it has."""
        self._drawn = True
        view = self.match.state.view(self.eyes(self.turn))
        self.console.say(f"\n{drawing(view.scene())}\n")
        self._tell_result()

    def _tell_result(self) -> None:
        if over := self.match.over:
            self._told = True
            names = told_apart([self.players.get(seat, "") for seat in range(self.match.state.seats)])
            self.console.say(f"{result(self.match, over, self.people if self.players else (), names)}\n")

    # What a person types

    def ask(self, prompt: str) -> None:
        """Ask for a line and do what it says; what is refused is said in words."""
        line = self.console.ask(prompt)
        if line is None:
            self.done = True
            return
        if self._is_too_late() or not line:
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
            self._check_own_turn()
            self.make(line)
            return
        self._warned = warned and word.lower() == "quit"
        command(rest.strip())

    def _check_own_turn(self) -> None:
        if self.turn in self.players:
            raise RulesError("it is the bot's turn: wait, stand-in BOT, undo or quit")

    def list_moves(self, start: str) -> None:
        """List the legal moves, some of them if there are very many."""
        self.console.say(moves_text(self.match, start))

    def take_back(self, text: str) -> None:
        """Take back to where a person had to choose; moves of programs and forced passes go with it."""
        if text and not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 10):
            raise RulesError(f"takeback takes the number of moves to take back, not {text!r}")
        wanted, number = int(text or 1), len(self.match.entries)
        while wanted and number:
            number -= 1
            earlier = self.match.before(number)
            wanted -= self.chooses(earlier)
        if wanted:
            raise RulesError("no move of yours has been made yet" if not text else "you have not made so many moves")
        self.console.say(f"Taken back: {', '.join(self._texts(number)) or 'the end'}.")
        self.match, self._told = self.match.before(number), False

    def _texts(self, number: int) -> list[str]:
        """The moves from that one on, as they were written."""
        return [str(entry.move) for entry in self.match.entries[number:] if isinstance(entry, Played)]

    def chooses(self, match: Match) -> bool:
        """Whether a person has a choice to make."""
        pending = match.pending
        return isinstance(pending, ToMove) and pending.seat not in self.players and not forced(match.state)

    def resign(self, _: str) -> None:
        """The person whose turn it is goes out."""
        self._check_own_turn()
        self.match.leave(self.turn or 0)
        self.console.say(self.told(len(self.match.entries) - 1, None))

    def agree(self, _: str) -> None:
        """All people agree on a draw."""
        if self.players:
            raise RulesError("a program agrees on nothing: play on, or resign")
        self.match.agree()

    def pause(self, _: str) -> None:
        """No clock runs until somebody is back."""
        if self.clocks is None or self.turn is None:
            raise RulesError("no clock runs here: take all the time you like")
        self._run_clock(None)
        self.done = self.console.ask("Paused: Enter goes on ") is None

    def wait(self, _: str) -> None:
        """Go on waiting for a bot: it is asked again at once."""
        if self.turn not in self.players:
            raise RulesError("there is no bot to wait for")
        self._wait = None

    def stand_in(self, text: str) -> None:
        """Another bot plays on for the one whose turn it is."""
        if self.turn is None or self.turn not in self.players:
            raise RulesError("stand-in is for a bot that does not move, on its turn")
        names = named_bots(text)
        if len(names) != 1:
            raise RulesError("write stand-in and a bot, such as stand-in 2")
        self.players[self.turn] = names[0]

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
        self.players, self.match = dict(self.seated(match)), match
        self.bots.close()
        if self.clocks:
            self.clocks = Clocks.full(self.clocks.terms, match.state.seats)
        self._file, self._kept = name, match.entries
        self._drawn, self._told, self._facing = False, False, None
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
