"""Places on the network in plain lines: the choice of a table, the room before a game, the table.

No socket and no thread here: network_evening.py drives it, and a test can.
"""

from collections.abc import Mapping
from typing import Any

from quadrille.client.bots.levels import level_text_by_kind
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.reports import advice_text, heading, player
from quadrille.client.table import notices
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Fact, GuestAsks, GuestGone, Notice, Refused, TablesFound, Why
from quadrille.client.table.stage import NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Choose, Uncover, Wish
from quadrille.client.words.answers import meaning
from quadrille.client.words.commands import Command
from quadrille.client.words.places import place_of, words_at
from quadrille.client.words.table import by_seat, listed_line
from quadrille.client.words.terms import number, seats_taken, terms_text
from quadrille.net.core.spans import clock_text
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import Event
from quadrille.net.tables.table import WAITS, Table
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.core import Game
from quadrille.rules.match import Left
from quadrille.rules.registry import game


class PlainStage(PlainFace):
    """One place of a person, in plain lines."""

    def __init__(self, stage: NetworkStage, console: Console) -> None:
        super().__init__(stage, console, place_of(stage))
        self.stage = stage
        self.console = console

    @property
    def words(self) -> Mapping[str, Command]:
        return words_at(self.stage)

    @property
    def prompt(self) -> str:
        """The prompt before the typed line."""
        return "> "

    def begin(self) -> None:
        self.stage.begin()
        self.welcome()
        self.tell()

    def welcome(self) -> None:
        """Print the first lines; where there is no table, none."""

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

    def holds(self, line: str) -> bool:
        """Tell whether a line from a pipe waits until the table can take it."""
        return False


class PlainWaitingRoom(PlainStage):
    """A table that has not begun."""

    stage: WaitingRoom

    @property
    def game(self) -> Game[Any, Any]:
        return game(self.stage.gathering.terms.game)

    def welcome(self) -> None:
        room, gathering, context = self.stage, self.stage.gathering, self.stage.context
        terms = gathering.terms
        played = self.game
        self.say(f"{terms_text(terms)}.")
        if advice := advice_text(played, terms.read_options(), terms.seats):
            self.say(advice)
        count = seats_taken(room.taken, room.total)
        if gathering.hosts:
            self.say(f"Table {number(gathering.table)} is open: {count}. Type help for help.{room.way}")
        else:
            host = context.lobby.peers.get(gathering.host)
            whose = f" of {context.name(host)}: {count}" if host else ""
            self.say(f"Asking for a seat at table {number(gathering.table)}{whose}.")

    def holds(self, line: str) -> bool:
        word = line.partition(" ")[0].lower()
        if meaning(line) is not None and not self.stage.asking:
            return True
        return word not in self.words or word == "say"  # input from a pipe is for the table


class PlainTableSearch(PlainStage):
    """The choice of a table."""

    stage: TableSearch

    @property
    def prompt(self) -> str:
        return "which table> " if self.stage.is_listed else "> "

    def welcome(self) -> None:
        self.say("Looking for a table.")

    def sentence(self, notice: Notice, line: str) -> str:
        text = super().sentence(notice, line)
        if not isinstance(notice, TablesFound):
            return text
        first, *rest = text.split("\n")
        rows = [listed_line(place, table) for place, table in enumerate(notice.tables, 1)]
        return "\n".join([first, *rows, *rest])

    def other(self, line: str, word: str) -> Wish:
        return Choose(line)

    def holds(self, line: str) -> bool:
        return line.partition(" ")[0].lower() not in self.words and not self.stage.is_listed


class PlainNetworkTable(PlainStage):
    """A table that has begun, for a player or a watcher."""

    stage: TableSeat

    def __init__(self, stage: TableSeat, console: Console) -> None:
        super().__init__(stage, console)
        self._told: tuple[bytes, bool] | None = None  # the head at which the turn, or the waiting, was reported
        self.commands["seats"] = lambda _: self.say_seats()

    @property
    def table(self) -> Table:
        return self.stage.table

    @property
    def prompt(self) -> str:
        if self.table.over or self.table.stopped:
            return "over> "
        if (cover := self.stage.held.cover) is not None:
            return f"Press Enter, then hand over to {player(cover.seat, self.stage.seats.names)} "
        seat = self.stage.seat
        if (cover := self.stage.held.cover) is not None:
            return f"Press Enter, then hand over to {player(cover.seat, self.stage.seats.names)} "
        return "watching> " if seat is None else f"player {seat + 1}> " if self.stage.is_my_turn else "> "

    # Output without input

    def welcome(self) -> None:
        """Print the game, the players, and how to go on."""
        table, standing = self.table, self.table.log.now
        self.say(f"\n{heading(standing.match)}, table {number(table.log.table)}")
        self.say_seats()
        if level := level_text_by_kind(self.stage.seats.kinds, standing.match.state):
            self.say(level)
        if not standing.match.length:
            self.say(standing.match.game.lesson.goal)
        if standing.paused:
            self.say("No clock runs until the next move.")
        if table.waits_for_head:
            self.say(f"The table is {WAITS}.")
        if not table.over and self.stage.deputy:
            self.say(by_seat(notices.About(Fact.PLAYS_FOR_YOU, self.stage.deputy), self.stage.seats))
        elif self.stage.is_out:
            self.say(self._out)
        elif not table.over:
            plays = self.stage.seat is not None
            self.say(f"Type a move{self.example()}, or help." if plays else "You are watching; type help.")

    @property
    def _out(self) -> str:
        return by_seat(Refused(Why.OUT_OF_GAME), self.stage.seats)

    def say_seats(self) -> None:
        table, standing, now = self.table, self.table.log.now, self.stage.context.now()
        seats = self.stage.seats
        for seat, chair in enumerate(standing.chairs):
            key = standing.keys[seat]
            remarks = [f"  player {seat + 1}  {seats.names[seat]} ({fingerprint(key)})"]
            if seat in self.stage.people:
                remarks.append("you")
            if seats.kinds[seat]:
                kind = seats.kinds[seat]
                remarks.append(
                    f"a bot: {kind}" if chair.kind == "bot" else "a guest" if kind == "guest" else f"a guest {kind}"
                )
            elif not chair.is_person and key == chair.key:
                remarks.append(f"a {chair.kind}")
            if seat not in standing.seats_in():
                remarks.append("out of the game")
            elif seat in table.gone:
                remarks.append("not here")
            if (left := table.time_left(seat, now)) is not None:
                remarks.append(clock_text(left))
            self.say(", ".join(remarks))

    def tick(self) -> None:
        super().tick()
        self._tell_position()

    def sentence(self, notice: Notice, line: str) -> str:
        """Print, after this seat's exit, what one can do now."""
        text = super().sentence(notice, line)
        exits = isinstance(notice, Left) and notice.seat in self.stage.people and self.stage.is_out
        return f"{text}\n{self._out}" if exits else text

    def _tell_position(self) -> None:
        """Report the state of the game once for each position; it is drawn at first, and on request."""
        table = self.table
        place = table.log.head, table.waits_for_head
        if self._told == place or self.stage.held.cover is not None or not self.stage.has_told_all:
            return
        if not (table.over or table.log.now.owed == "move"):
            return  # the programs' duties to the deck between two moves take only a moment
        self._told = place
        if self.drawn:
            self.tell_result()
        else:
            self.draw()
        if not (table.over or table.stopped or table.waits_for_head):
            self.say(self._turn_text())

    def _turn_text(self) -> str:
        turn = self.table.log.now.turn
        assert turn is not None
        left = self.table.time_left(turn, self.stage.context.now())
        time = f" ({clock_text(left)} left)" if left is not None else ""
        if self.stage.is_my_turn and len(self.stage.people) == 1:
            return f"Your turn{time}."
        return f"It is the turn of {player(turn, self.stage.seats.names)}{time}."

    # Input

    def typed(self, line: str) -> None:
        if self.stage.held.cover is None:
            super().typed(line)
            return
        for _ in range(2):  # the hand that was seen, then the other
            self.wish(Uncover())
        self.console.cover()
        self.drawn, self._told = False, None

    def holds(self, line: str) -> bool:
        table = self.table
        stage, ended = self.stage, table.over or table.stopped
        waits = stage.seat is not None and not (stage.is_my_turn or ended or stage.is_out)
        return waits and self.command(line) is None
