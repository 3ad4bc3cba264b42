"""A table in plain lines, at one keyboard or on the network, for those of this keyboard who play there, or a watcher.

client/table/table_seat.py decides. A person sees only what their seat may know.
"""

from quadrille.client.bots.levels import level_text_by_kind
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.reports import entry_text, heading, player
from quadrille.client.table.notices import About, Fact, Notice, Refused, Why
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Uncover, Wish
from quadrille.client.words.commands import Place
from quadrille.client.words.table import by_seat
from quadrille.client.words.terms import number
from quadrille.net.core.spans import clock_text
from quadrille.net.tables.table import WAITS, Table
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.match import Left, Match, Played


class PlainTable(PlainFace):
    """A table that has begun."""

    stage: TableSeat

    def __init__(self, stage: TableSeat, console: Console) -> None:
        super().__init__(stage, console)
        self._told: tuple[bytes, bool] | None = None  # the head at which the turn, or the waiting, was reported
        self.commands["seats"] = lambda _: self.say_seats()

    @property
    def place(self) -> Place:  # type: ignore[override]
        return Place.LINES if self.stage.held.names else Place.TALK

    @property
    def table(self) -> Table:
        return self.stage.table

    @property
    def match(self) -> Match:
        return self.stage.match

    @property
    def prompt(self) -> str:
        stage, turn, names = self.stage, self.stage.turn, self.stage.held.names
        if (cover := stage.held.cover) is not None:
            return f"Press Enter, then hand over to {player(cover.seat, stage.seats.names)} "
        if self.table.over or self.table.stopped:
            return "over> "
        if names and turn is not None:
            left = self.table.time_left(turn, stage.context.now()) if not stage.is_bots_turn else None
            return f"{player(turn, names)}{f' {clock_text(left)}' if left is not None else ''}> "
        seat = stage.seat
        return "watching> " if seat is None else f"player {seat + 1}> " if stage.is_my_turn else "> "

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
            self.say(by_seat(About(Fact.PLAYS_FOR_YOU, self.stage.deputy), self.stage.seats))
        elif self.stage.is_out:
            self.say(by_seat(Refused(Why.OUT_OF_GAME), self.stage.seats))
        elif not table.over:
            plays = self.stage.seat is not None
            self.say(f"Type a move{self.example()}, or help." if plays else "You are watching; type help.")

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

    def tell(self, line: str = "") -> None:
        super().tell(line)
        if not self.match.over:
            self.told = False

    def sentence(self, notice: Notice, line: str) -> str:
        """Print, after the exit of those here, what one can do now."""
        text, stage = super().sentence(notice, line), self.stage
        if not (isinstance(notice, Left) and notice.seat in stage.people and stage.is_out):
            return text
        return f"{text}\n{by_seat(Refused(Why.OUT if stage.is_alone else Why.OUT_OF_GAME), stage.seats)}"

    def show(self) -> None:
        """Draw a position that is new to the person, and report the result once."""
        if not self.drawn:
            self.draw()
        elif not self.told:
            self.tell_result()

    def _tell_position(self) -> None:
        """Report the state of the game once for each position; it is drawn at first, and on request."""
        table = self.table
        place = table.log.head, table.waits_for_head
        if self._told == place or self.stage.held.cover is not None or not self.stage.has_told_all:
            return
        if not (table.over or table.log.now.owed == "move"):
            return  # the programs' duties to the deck between two moves take only a moment
        self._told = place
        self.show()
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
        else:
            self.hand_over(self.stage.held.cover.seat)

    def do(self, wish: Wish) -> None:
        """Grant a wish that nobody typed, and print what comes of it."""
        self.wish(wish)
        self.tell()

    def hand_over(self, seat: int) -> None:
        """Hand the screen over to another person, hiding what the one before has seen."""
        while self.stage.held.cover is not None:
            self.do(Uncover())
        if not self.console.interactive:
            return
        self.console.cover()
        self.drawn = False
        own = (
            place for place, entry in enumerate(self.match.entries) if isinstance(entry, Played) and entry.seat == seat
        )
        for place in range(max(own, default=-1) + 1, self.match.length):
            self.say(entry_text(self.match, place, seat))

    def holds(self, line: str) -> bool:
        table = self.table
        stage, ended = self.stage, table.over or table.stopped
        waits = stage.seat is not None and not (stage.is_my_turn or ended or stage.is_out)
        return waits and self.command(line) is None
