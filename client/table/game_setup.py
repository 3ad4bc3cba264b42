"""A game that is set up at one keyboard, as a value: the position, who plays each seat, the time that each has.

A table is made of it (client/kept/own_tables.py), after the first picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from quadrille.ai.house import is_of_house
from quadrille.client.bots.names import named
from quadrille.client.table.notices import About
from quadrille.client.table.players import Players
from quadrille.client.table_setup import seated
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core import WHOLE, ToDraw, Viewer
from quadrille.rules.core.thoughts import Thought, Thoughts
from quadrille.rules.match import Adjudicated, Deal, Entry, Match
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.table.ballot import Ballot
    from quadrille.net.tables.table import Table


def seed_of(match: Match) -> str:
    """Return the seed that a person may type again; "" for the joint seed of a log, which has 128 digits."""
    return match.deal.seed if match.deal and len(match.deal.seed) < 128 else ""


def why_no_copy(match: Match) -> str:
    """Say why nobody can play on from a game at one keyboard; "" where one can."""
    if any(isinstance(entry, Adjudicated) for entry in match.entries):
        return "an arbiter decided this game: it can be replayed, not played on"
    told = match.opening or any(getattr(entry, "faces", ()) for entry in match.entries)
    deals = match.game.hidden or told or isinstance(match.pending, ToDraw)
    if match.viewer != WHOLE or (deals and match.deal is None):
        return "nothing here says how all of its cards lie: this game can be replayed, not played on"
    return ""


@value
class GameSetup:
    """`bots` has, for each seat, the bot that plays there ("" for a person); `names` are those of bots, and of people
    who gave one ("" for others). `brought` is the part of the game that was played elsewhere, `thoughts` are those of
    the bots so far. `table` is the stored table that goes on; empty for a game that begins. `file` is the file that it
    was read from.
    """

    match: Match
    bots: tuple[str, ...]
    names: tuple[str, ...]
    clocks: Clocks | None = None
    brought: tuple[Entry, ...] = ()
    thoughts: Thoughts = Thoughts()
    table: bytes = b""
    file: str = ""

    @classmethod
    def of(cls, match: Match, bots: Sequence[str], clock: TimeControl | None = None, names: Sequence[str] = ()) -> Self:
        clocks = Clocks.full(clock, match.state.seats) if clock else None
        return cls(match, tuple(bots), named(bots, names), clocks, match.entries)

    @classmethod
    def loaded(cls, match: Match, players: Players) -> Self:
        """Set up the game of a record, with its players and clocks."""
        nobody = ("",) * match.state.seats
        bots = players.bots or nobody
        return cls(match, bots, named(bots, players.names or nobody), players.clocks, match.entries)

    @property
    def players(self) -> Players:
        """The players, for a record."""
        return Players(self.names if any(self.names) else (), self.bots if any(self.bots) else (), self.clocks)

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, bot in enumerate(self.bots) if not bot)

    @property
    def facing(self) -> int | None:
        """The seat whose hand may be shown at first; None where a game with hidden cards goes on."""
        turn, goes_on = self.match.turn, self.match.game.hidden and self.match.entries
        return turn if turn in self.people and not goes_on else None

    @property
    def is_untouched(self) -> bool:
        """Return whether no move has been made here."""
        return self.match.entries == self.brought

    # Other setups

    def held_by(self, bots: Sequence[str]) -> Self:
        """Let other bots play on in these seats. A seat keeps its name with a person, or with a built-in bot of another
        level.
        """
        names = [
            name if bot == before or (is_of_house(bot) and is_of_house(before)) else ""
            for name, before, bot in zip(self.names, self.bots, bots, strict=True)
        ]
        return replace(self, bots=tuple(bots), names=named(bots, names))

    def again(self) -> Self:
        """Deal anew, everybody one seat up, as on the network: the seed follows from the one before."""
        match, clocks = self.match, self.clocks
        assert match.deal is not None
        stem, _, number = match.deal.seed.rpartition("-")
        if not (stem and number.isascii() and number.isdigit() and len(number) < 10):
            stem, number = seed_of(match) or match.deal.seed[:8], "1"
        fresh = Match(match.game, match.state.options, match.state.seats, deal=Deal(f"{stem}-{int(number) + 1}"))
        bots, names = ((*row[1:], *row[:1]) for row in (self.bots, self.names))
        return type(self)(fresh, bots, names, clocks and Clocks.full(clocks.terms, len(bots)))

    def playing(self, match: Match, players: Players) -> Self:
        """Go on with another game: its own players, or those who are here if its record names nobody."""
        if players.names or players.bots:
            return type(self).loaded(match, players)
        clock = self.clocks.terms if self.clocks else None
        row = self._row_for(match.state.seats)
        if len(row) == len(self.bots):
            return replace(type(self).of(match, row, clock), names=self.held_by(row).names)
        return type(self).of(match, row, clock)

    def _row_for(self, seats: int) -> tuple[str, ...]:
        """Return the bots for that number of seats: the same row, else the only kind of bot here, else people."""
        kinds = {bot for bot in self.bots if bot}
        if len(self.bots) == seats:
            return self.bots
        if len(kinds) != 1 or len(self.people) != 1:
            return ("",) * seats
        return seated(tuple(kinds), seats, min(self.people[0], seats - 1))


def viewer_of(match: Match, people: Sequence[int], facing: int | None) -> Viewer:
    """Return whose view people at one keyboard see: the only person's, or that of the one who looks; at last all."""
    if match.viewer != WHOLE or match.over:
        return match.viewer
    return people[0] if len(people) == 1 else facing


@value
class Cover:
    """Hidden hands are covered until `seat` takes the keyboard. Before that, `since` still looks at its own."""

    seat: int
    since: int | None = None


#: The thought behind the move that a bot makes now, or the report that it still thinks.
BotDeed: TypeAlias = Thought | About


class OwnBots(Protocol):
    """The bots of this program at one table. See client/bots/table_bots.py, where they are."""

    def act(
        self, table: "Table", row: Mapping[int, str], now: int, ballot: "Ballot"
    ) -> Iterator[tuple[int, BotDeed]]: ...
    def fault(self, seat: int) -> str | None: ...
    def is_asked(self, seat: int) -> bool: ...
    def rest(self) -> None: ...
    def drop(self, seat: int) -> None: ...
