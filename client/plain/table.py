"""A table in plain lines, at one keyboard or on the network, for those of this keyboard who play there, or a watcher.

client/table/table_seat.py decides. A person sees only what their seat may know.
"""

from collections.abc import Callable
from typing import Final

from quadrille.ai.bots.lines.time_terms import AT_HOME
from quadrille.client.bots.levels import level_text, pace_text
from quadrille.client.foreign import shown
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.reports import advice_text, heading, player
from quadrille.client.table.game_setup import GameSetup, seed_of
from quadrille.client.table.notices import About, Carried, Fact, MoveMade, Notice, Refused, ShownMotion, Why
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import BareWish, Wish
from quadrille.client.words.answers import meaning
from quadrille.client.words.table import by_seat, entry_text, who_plays
from quadrille.client.words.terms import number
from quadrille.net.core.spans import clock_text
from quadrille.net.entries.terms import GUEST
from quadrille.net.tables.table import WAITS, Table
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.match import Left, Match, Played

#: Maximum milliseconds that lines from before a bot's turn wait for its move, once it has heard of it.
_HELD: Final = (AT_HOME.budget or 0) + 500


class PlainTable(PlainFace):
    """A table that has begun."""

    stage: TableSeat

    def __init__(self, stage: TableSeat, console: Console) -> None:
        super().__init__(stage, console)
        self._told: tuple[bytes, bool] | None = None  # the head at which the turn, or the waiting, was reported
        self._since = -1  # the ticket of a bot's turn
        self._early = False  # a line from a pipe, or its end, was there before that turn
        self._heard: int | None = None  # when the bot had heard of it
        self._warned = False  # the last wish was to leave a game that would be lost
        self.commands["seats"] = lambda _: self.say_seats()

    @property
    def table(self) -> Table:
        return self.stage.table

    @property
    def match(self) -> Match:
        return self.stage.match

    @property
    def prompt(self) -> str:
        stage, turn, names = self.stage, self.stage.turn, self.stage.seats.names
        if stage.paused:
            return "Paused. Enter continues "
        if (cover := stage.cover) is not None:
            return f"Press Enter, then hand over to {player(cover.seat, names)} "
        if self.table.over or self.table.stopped:
            return "over> "
        if stage.is_own and turn is not None:
            if self.console.interactive and self.waits and stage.trouble is None:
                return ""  # nobody is asked for a line while a bot thinks
            left = self.table.time_left(turn, stage.context.now()) if not stage.is_bots_turn else None
            return f"{player(turn, names)}{f' {clock_text(left)}' if left is not None else ''}> "
        seat = stage.seat
        return "watching> " if seat is None else f"player {seat + 1}> " if stage.is_my_turn else "> "

    # Output without input

    def welcome(self) -> None:
        """Print the game, the players, and how to go on; `greet` has done so for a game that was set up here."""
        if self.stage.is_own:
            return
        table, standing = self.table, self.table.log.now
        self.say(f"\n{heading(standing.match)}, table {number(table.log.table)}")
        self.say_seats()
        if level := level_text(self.stage.seats.kinds, standing.match.state):
            self.say(level)
        if not standing.match.length:
            self.say(standing.match.game.lesson.goal)
        if standing.paused:
            self.say(by_seat(Carried(ShownMotion("pause")), self.stage.seats))
        if table.waits_for_head:
            self.say(f"The table is {WAITS}.")
        if not table.over and self.stage.deputy:
            self.say(by_seat(About(Fact.PLAYS_FOR_YOU, self.stage.deputy), self.stage.seats))
        elif self.stage.is_out:
            self.say(self._out())
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
            if kind := seats.kinds[seat]:
                there = {"bot": f"a bot: {kind}", GUEST: "a guest" if kind == GUEST else f"a guest {kind}"}
                remarks.append(there.get(chair.kind, kind))
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
        stage = self.stage
        if not stage.is_own:
            self._tell_position()
            return
        if stage.cover is not None and not self.console.interactive:
            self.hand_over(stage.cover.seat)
        if stage.cover is None and not self.waits:
            self.show()
        if stage.thinks and self._since != stage.ticket:
            console, self._since, self._heard = self.console, stage.ticket, None
            self._early = console.looks and not console.interactive
            self._early = self._early and (console.next_line() is not None or console.ended)
        if self._heard is None and stage.is_heard:
            self._heard = stage.context.now()

    def tell(self, line: str = "") -> None:
        super().tell(line)
        if not self.match.over:
            self.told = False

    def sentence(self, notice: Notice, line: str) -> str:
        """Return the text of a notice, unless it only repeats what was typed; what those who have left can do now."""
        text, stage = super().sentence(notice, line), self.stage
        match notice:
            case Left(seat) if seat in stage.people and stage.is_out:
                return f"{text}\n{self._out()}"
            case Fact.ROTATED | About(Fact.GAME_LOADED):
                self.drawn = self.told = False
                greet(stage.setup, self.say)
            case MoveMade(seat) if stage.is_own:
                alone = not set(stage.people) & set(self.match.seats_in)
                return "" if alone or text == f"{player(seat, stage.seats.names)}: {line}" else text
        return text

    def _out(self) -> str:
        return by_seat(Refused(Why.OUT, {"alone": self.stage.is_alone}), self.stage.seats)

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
        if self._told == place or self.stage.cover is not None or not self.stage.has_told_all:
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
        stage, ticket = self.stage, self.stage.ticket
        if stage.is_own:
            super().tick()
        if stage.paused and not line:
            self.do(BareWish.PAUSE)
        elif stage.cover is not None:
            self.hand_over(stage.cover.seat)
        elif stage.ticket == ticket:  # otherwise the time was up before it was typed
            super().typed(line)

    def obey(self, line: str) -> None:
        match meaning(line) if self._warned else None:
            case True:
                self.wish(BareWish.LEAVE)
            case False:
                self._warned = False
            case None:
                super().obey(line)

    def wish(self, wish: Wish) -> None:
        """Ask before a game is lost. At the end of input nobody can be asked."""
        before, self._warned = self._warned, wish is BareWish.LEAVE and self.stage.would_be_lost
        if self._warned and not before:
            self.say(by_seat(Fact.WOULD_BE_LOST, self.stage.seats))
        else:
            super().wish(wish)

    def do(self, wish: Wish) -> None:
        """Grant a wish that nobody typed, and print what comes of it."""
        self.wish(wish)
        self.tell()

    def hand_over(self, seat: int) -> None:
        """Hand the screen over to another person, hiding what the one before has seen."""
        while self.stage.cover is not None:
            self.do(BareWish.UNCOVER)
        if not self.console.interactive:
            return
        self.console.cover()
        self.drawn = False
        entries = self.match.entries
        own = (place for place, entry in enumerate(entries, 1) if isinstance(entry, Played) and entry.seat == seat)
        for place in range(max(own, default=0), self.match.length):
            self.say(entry_text(self.match, place, seat, self.stage.seats.names))

    @property
    def waits(self) -> bool:
        stage = self.stage
        thinks = stage.thinks and (self.console.looks or stage.trouble is None)
        return not stage.is_own or bool(stage.ballot.bots or stage.hint) or thinks

    def holds(self, line: str | None) -> bool:
        """Tell whether a line waits: a move for its turn, and what was there before a bot's turn for the bot's move, so
        that a script runs in its order.
        """
        table, stage = self.table, self.stage
        if stage.is_own:
            is_word = line is None or line.partition(" ")[0].lower() in self.words
            early = self._early and (self._heard is None or stage.context.now() < self._heard + _HELD)
            return not stage.thinks or (stage.trouble is None and (early or not is_word))
        if line is None:
            return super().holds(line)
        ended = table.over or table.stopped
        waits = stage.seat is not None and not (stage.is_my_turn or ended or stage.is_out)
        return waits and self.command(line) is None


def greet(setup: GameSetup, say: Callable[[str], None]) -> None:
    """Print a game that is set up at this keyboard, and how to go on."""
    match, clocks = setup.match, setup.clocks
    clock = f", clock {clocks.terms}" if clocks else ""
    say(heading(match) + clock + (f", seed {shown(seed)}" if (seed := seed_of(match)) else ""))
    say(who_plays(setup.names, setup.bots))
    for text in (
        level_text(setup.bots, match.state),
        pace_text(setup.bots),
        advice_text(match.game, match.state.options, match.state.seats),
        "" if match.length else match.game.lesson.goal,
    ):
        if text:
            say(text)
    example = f" such as {next(iter(match.state.moves))}" if match.turn is not None else ""
    say("Type help for help." if match.turn is None else f"Type a move{example}, or help.")
