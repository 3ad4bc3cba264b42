"""A table on the network in plain lines: the board, the turn, events, typed lines."""

from typing import Final

from quadrille.client.bots.levels import level_text_by_kind
from quadrille.client.picture.labyrinth import finished_text
from quadrille.client.plain.live_console import LiveConsole
from quadrille.client.plain.network_stage import PlainStage
from quadrille.client.reports import heading, is_move, moves_text, player, result
from quadrille.client.table.network import notices
from quadrille.client.table.network.reasons import Denial, Denied
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import StageNotice
from quadrille.client.table.network.wishes import NetworkWish, PlayMove
from quadrille.client.words.commands import Place, help_text
from quadrille.client.words.network.refusals import DENIALS
from quadrille.client.words.network.table import by_seat
from quadrille.client.words.network.terms import arbiter_text, number
from quadrille.client.words.story import sentence
from quadrille.net.core.spans import clock_text
from quadrille.net.tables.table import WAITS, Table
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.match import Left

HELP: Final = help_text(Place.TALK)
_OUT: Final = sentence(DENIALS[Denial.OUT])


class PlainNetworkTable(PlainStage):
    """A table that has begun, for a player or a watcher."""

    stage: NetworkSeat

    def __init__(self, stage: NetworkSeat, console: LiveConsole) -> None:
        super().__init__(stage, console)
        self._drawn = False
        self._told: tuple[bytes, bool] | None = None  # the head at which the turn, or the waiting, was reported
        self.commands = {
            "moves": self._say_moves,
            "board": lambda _: self.draw(),
            "seats": lambda _: self.say_seats(),
            "rules": lambda _: self.say_rules(self.table.log.now.terms.game),
            "help": lambda _: self.say(HELP.format(example=self._example())),
        }

    @property
    def table(self) -> Table:
        return self.stage.table

    @property
    def prompt(self) -> str:
        if self.table.over or self.table.stopped:
            return "over> "
        seat = self.table.seat
        return "watching> " if seat is None else f"player {seat + 1}> " if self.table.is_my_turn else "> "

    # Output without input

    def welcome(self) -> None:
        """Print the game, the players, and how to go on."""
        table, standing = self.table, self.table.log.now
        self.say(f"\n{heading(standing.match)}, table {number(table.log.table)}")
        self.say_seats()
        if level := level_text_by_kind(self.stage.seats.kinds, standing.match.state):
            self.say(level)
        arbiter = self.stage.context.arbiter(standing.terms, standing.chairs[0].key, standing.chairs)
        if arbiter is not None:
            self.say(f"{arbiter_text(arbiter)}.")
        if not standing.match.length:
            self.say(standing.match.game.lesson.goal)
        if standing.paused:
            self.say("No clock runs until the next move.")
        if table.waits_for_head:
            self.say(f"The table is {WAITS}.")
        if not table.over and self.stage.deputy:
            self.say(by_seat(notices.About(notices.Fact.PLAYS_FOR_YOU, self.stage.deputy), self.stage.seats))
        elif self.stage.is_out:
            self.say(_OUT)
        elif not table.over:
            plays = table.seat is not None
            self.say(f"Type a move{self._example()}, or help." if plays else "You are watching; type help.")

    def say_seats(self) -> None:
        table, standing, now = self.table, self.table.log.now, self.stage.context.now()
        seats = self.stage.seats
        for seat, chair in enumerate(standing.chairs):
            key = standing.keys[seat]
            remarks = [f"  player {seat + 1}  {seats.names[seat]} ({fingerprint(key)})"]
            if key == self.stage.context.key:
                remarks.append("you")
            if seats.kinds[seat]:
                remarks.append(f"a bot: {seats.kinds[seat]}")
            elif chair.kind != "person" and key == chair.key:
                remarks.append(f"a {chair.kind}")
            if seat not in standing.seats_in():
                remarks.append("out of the game")
            elif seat in table.gone:
                remarks.append("not here")
            if (left := table.time_left(seat, now)) is not None:
                remarks.append(clock_text(left))
            self.say(", ".join(remarks))

    def _example(self) -> str:
        return f" such as {next(iter(self.table.view.moves))}" if self.table.log.now.turn is not None else ""

    def draw(self) -> None:
        """Draw the position, and report the result if the game is over."""
        self._drawn = True
        self.say(f"\n{drawing(self.table.log.now.match.shown(self.table.view).scene())}\n")
        self._say_result()

    def _say_result(self) -> None:
        standing, seat = self.table.log.now, self.table.seat
        if over := standing.over:
            people = () if seat is None else (seat,)
            maze = finished_text(standing.match.state.labyrinth())
            self.say(f"{maze}{result(standing.match, over, people, self.stage.seats.names)}\n")

    def tick(self) -> None:
        super().tick()
        self._tell_position()

    def sentence(self, notice: StageNotice, line: str) -> str:
        """Print, after this seat's exit, what one can do now."""
        text = super().sentence(notice, line)
        exits = isinstance(notice, Left) and notice.seat == self.table.seat and self.stage.is_out
        return f"{text}\n{_OUT}" if exits else text

    def _tell_position(self) -> None:
        """Report the state of the game once for each position; it is drawn at first, and on request."""
        table = self.table
        place = table.log.head, table.waits_for_head
        if self._told == place or not (table.over or table.log.now.owed == "move"):
            return  # the programs' duties to the deck between two moves take only a moment
        self._told = place
        if self._drawn:
            self._say_result()
        else:
            self.draw()
        if not (table.over or table.stopped or table.waits_for_head):
            self.say(self._turn_text())

    def _turn_text(self) -> str:
        turn = self.table.log.now.turn
        assert turn is not None
        left = self.table.time_left(turn, self.stage.context.now())
        time = f" ({clock_text(left)} left)" if left is not None else ""
        if self.table.is_my_turn:
            return f"Your turn{time}."
        return f"It is the turn of {player(turn, self.stage.seats.names)}{time}."

    # Input

    def _say_moves(self, start: str) -> None:
        if self.table.over:
            self.say(by_seat(Denied(Denial.OVER), self.stage.seats))
        else:
            self.say(moves_text(self.table.log.now.match, start))

    def _is_word(self, line: str) -> bool:
        """Whether a line begins with a command word, and the game does not read it as a move."""
        return line.partition(" ")[0].lower() in self.words and not is_move(self.table.log.now.match, line)

    def holds(self, line: str) -> bool:
        table = self.table
        waits = table.seat is not None and not (table.is_my_turn or table.over or table.stopped or self.stage.is_out)
        return waits and not self._is_word(line)

    def obey(self, line: str) -> None:
        """Play the line if the game reads it as a move; otherwise it may be a command."""
        if self._is_word(line):
            super().obey(line)
        else:
            self.wish(PlayMove(line))

    def other(self, line: str, word: str) -> NetworkWish:
        return PlayMove(line)
