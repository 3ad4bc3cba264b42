"""A local table as a value: a match, its people and bots, its clocks, and whose hand the screen may show.

Queries only; course.py applies wishes. No sentence, no clock and no I/O.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from quadrille.client.bots.names import named
from quadrille.client.foreign import isolated
from quadrille.client.table.notices import BotSlow, BotStopped, Seats
from quadrille.client.table.players import Players
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core import WHOLE, State, ToMove, Viewer
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Entry, Match
from quadrille.value import value

_PASSING = "pass"


@value
class Cover:
    """Hidden hands are covered until `seat` takes the keyboard. Before that, `since` still looks at its own."""

    seat: int
    since: int | None = None


@value
class LocalTable:
    """A local table; every change makes another value.

    `bots` has, for each seat, the bot that plays there ("" for a person). `ticket` is a new number in each position,
    by which late answers are recognised. `facing` is the seat of the person who looks at the screen, if there are
    several. The table `thinks` while a bot is asked for its move; its clock runs once it has `heard` of it. `trouble`
    stays until a person chooses what to do about a bot that does not move. `offered` are the bots that have not
    answered the offer of a draw, `hint` is the bot that was asked for a hint. `kept` is the part of the game that is
    in `file`. `warned`: the last wish was to leave, which would lose the game. `names` are those of bots, and of
    people who gave one ("" for others). `number` counts the games of the table, `brought` is the start of the present
    one, and with `keeps` its face writes each of them down (client/kept/). `thoughts` are
    those of its bots, which nobody sees before the end.
    """

    match: Match
    bots: tuple[str, ...]
    clocks: Clocks | None = None
    ticket: int = 0
    facing: int | None = None
    cover: Cover | None = None
    paused: bool = False
    thinks: bool = False
    heard: bool = False
    trouble: BotStopped | BotSlow | None = None
    offered: tuple[int, ...] = ()
    hint: str = ""
    file: str = ""
    kept: tuple[Entry, ...] = ()
    warned: bool = False
    names: tuple[str, ...] = ()
    number: int = 0
    brought: tuple[Entry, ...] = ()
    keeps: bool = False
    thoughts: Thoughts = Thoughts()

    @classmethod
    def of(cls, match: Match, bots: Sequence[str], clock: TimeControl | None = None, names: Sequence[str] = ()) -> Self:
        """Set up a table at its start, or at the position of an unfinished game."""
        clocks = Clocks.full(clock, match.state.seats) if clock else None
        table = cls(match, tuple(bots), clocks, names=named(bots, names), brought=match.entries)
        first = not (match.game.hidden and match.entries)  # otherwise it is not known who looks at the cards
        return replace(table, facing=table.turn if first and table.turn in table.people else None)

    @classmethod
    def loaded(cls, match: Match, players: Players) -> Self:
        """Set up the table of a record, with its players and clocks."""
        nobody = ("",) * match.state.seats
        table = cls.of(match, players.bots or nobody, names=players.names or nobody)
        return replace(table, clocks=players.clocks)

    @classmethod
    def resumed(cls, match: Match, players: Players, thoughts: Thoughts) -> Self:
        """Set up a table that was left: all of its game was played there."""
        return replace(cls.loaded(match, players), brought=(), thoughts=thoughts.before(match.length))

    @property
    def players(self) -> Players:
        """The players, for a record."""
        return Players(self.names if any(self.names) else (), self.bots if any(self.bots) else (), self.clocks)

    @property
    def seats(self) -> Seats:
        """The names, as far as they are known."""
        return Seats.of(map(isolated, self.names or ("",) * self.match.state.seats))

    @property
    def told_thoughts(self) -> Thoughts:
        """The bots' thoughts, once nobody can use them any more."""
        return self.thoughts if self.match.over else Thoughts()

    @property
    def turn(self) -> int | None:
        return self.match.turn

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, bot in enumerate(self.bots) if not bot)

    @property
    def is_out(self) -> bool:
        """Tell whether only bots play on, because all people have left the game."""
        return self.match.is_left_by(self.people)

    @property
    def is_bots_turn(self) -> bool:
        return self.turn is not None and bool(self.bots[self.turn])

    @property
    def awaits_person(self) -> bool:
        return self.turn in self.people and not self.paused

    @property
    def is_secret(self) -> bool:
        return self.match.game.hidden and len(self.people) > 1

    @property
    def viewer(self) -> Viewer:
        """The viewer of the table: the only person, or the one who looks; after the end everything is shown."""
        if self.match.viewer != WHOLE or self.match.over:
            return self.match.viewer
        people = self.people
        return people[0] if len(people) == 1 else self.facing

    @property
    def view(self) -> State[Any, Any]:
        """The position as its viewer sees it."""
        state, viewer = self.match.state, self.viewer
        return self.match.shown(state if viewer == self.match.viewer or viewer == WHOLE else state.view(viewer))

    @property
    def would_be_lost(self) -> bool:
        return not (self.keeps or self.match.over or self.match.entries in ((), self.kept))

    @property
    def is_untouched(self) -> bool:
        """Return whether no move has been made here."""
        return self.match.entries == self.brought

    @property
    def own_seat(self) -> int | None:
        """The seat of the person at the keyboard: the one to move, the one who looks, or the first."""
        inside = [seat for seat in self.people if seat in self.match.seats_in]
        return next((seat for seat in (self.turn, self.facing, *inside) if seat in inside), None)

    def chooses(self) -> bool:
        return self.turn in self.people and not forced(self.match.state)


def forced(state: State[Any, Any]) -> bool:
    """Return whether passing is the only move."""
    moves = state.moves
    return isinstance(state.pending, ToMove) and moves.count(2) == 1 and str(next(iter(moves))) == _PASSING
