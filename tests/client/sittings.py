"""Tables at one keyboard, made for tests, as values: a sitting is a game that was set up and what was wished since."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from tempfile import TemporaryDirectory
from typing import Any, Final, Self, TypeAlias

from quadrille.ai.bots.player import StillThinking
from quadrille.ai.faults import BotFault
from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import sit
from quadrille.client.plain.own_table import OwnProgram
from quadrille.client.plain.table import PlainTable, greet
from quadrille.client.table.ballot import Ballot
from quadrille.client.table.game_setup import BotDeed, GameSetup
from quadrille.client.table.notices import About, Fact, Notice
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import TableEffect, Wish
from quadrille.net.entries.terms import TimeControl
from quadrille.net.tables.table import Table
from quadrille.rules.core.thoughts import Thought
from quadrille.rules.match import Match, Played
from quadrille.value import value


@value
class Begin:
    """The table is shown for the first time."""


@value
class Heard:
    """The bot to move hears of its turn."""


@value
class Moved:
    """The bot to move makes this move."""

    move: str
    thought: Thought | None = None


@value
class Answered:
    """A bot answers the offer of a draw."""

    seat: int
    agrees: bool


BotDoes: TypeAlias = Heard | Moved | BotFault | StillThinking | Answered
Step: TypeAlias = Wish | BotDoes | Begin | int


class Puppets:
    """Bots that do what a test says, without programs. tests/client/test_table_bots.py has programs."""

    def __init__(self) -> None:
        self.does: list[BotDoes] = []
        self._heard = b""
        self._faults: dict[int, tuple[str, str]] = {}

    def act(self, table: Table, row: Mapping[int, str], now: int, ballot: Ballot) -> Iterator[tuple[int, BotDeed]]:
        turn, does, self.does = table.log.now.turn, self.does, []
        self._faults = {
            seat: (bot, fault) for seat, (bot, fault) in self._faults.items() if seat == turn and row.get(seat) == bot
        }
        self._heard = self._heard if self._heard == table.log.head else b""
        for one in does:
            match one:
                case Answered(seat, agrees):
                    ballot.answer(seat, agrees=agrees)
                case _ if turn is None or not row.get(turn) or turn in self._faults:
                    pass
                case Heard():
                    self._heard = table.log.head
                case Moved(move, thought):
                    if thought is not None:
                        yield turn, thought
                    table.play(move, now)
                case BotFault(kind="time"):
                    table.lose("time", now)
                case BotFault():
                    self._faults[turn] = row[turn], one.why
                case StillThinking(waited):
                    yield turn, About(Fact.BOT_SLOW, text=f"{waited / 1000:g}", seat=turn)

    def fault(self, seat: int) -> str | None:
        return self._faults[seat][1] if seat in self._faults else None

    def is_asked(self, seat: int) -> bool:
        return bool(self._heard)

    def rest(self) -> None:
        self._heard = b""

    def drop(self, seat: int) -> None:
        self._faults.pop(seat, None)


def moves_of(match: Match) -> list[str]:
    return [str(entry.move) for entry in match.entries if isinstance(entry, Played)]


_HOME: Final = TemporaryDirectory(prefix="sittings-")


@lru_cache(maxsize=1)
def _tables() -> OwnTables:
    return OwnTables(_HOME.name)


class _Live:
    """A table, its clock, and the wishes that it has heard."""

    def __init__(self, setup: GameSetup, *, ticket: int = 0, now: int = 0, keeps: bool = False) -> None:
        self.now, self.wished = now, list[Step]()
        self.effects: list[TableEffect] = []
        own = OwnTables(_tables().at_home, now=lambda: self.now)
        own._identity = _tables().identity
        self.bots = Puppets()
        self.seat: TableSeat = own.sit(setup, self.effects.append, self.bots, keeps=keeps)
        self.seat.ticket = ticket

    def wish(self, wish: Step) -> tuple[Notice, ...]:
        self.wished.append(wish)
        self.effects.clear()
        match wish:
            case Begin():
                self.seat.begin()
            case int():
                self.now = wish
                self.seat.tick()
            case _ if isinstance(wish, BotDoes):
                self.bots.does = [wish]
                self.seat.tick()
                self.bots.does = []
            case _:
                self.seat.wish(wish)
        return tuple(self.seat.drain())


def values(seat: TableSeat) -> tuple[Any, ...]:
    """All that a table has now, to be compared."""
    setup = seat.setup
    who = setup.match.entries, setup.match.deal, setup.bots, setup.names, setup.brought, setup.thoughts, setup.file
    kept, asked = (seat.games, seat.keeps, seat.kept), (seat.trouble, seat.hint, seat.ballot.open, {*seat.ballot.bots})
    return (*who, *kept, *asked, seat.ticket, seat.facing, seat.cover, seat.paused)


class Sitting:
    """What is there after some wishes: the table's own queries, and the `effects` and what was `said` by the last."""

    def __init__(self, setup: GameSetup, wished: Sequence[Step] = (), live: _Live | None = None, **more: Any) -> None:
        self.setup_at_first, self.wished, self._live, self._more = setup, [*wished], live, more
        self.effects: tuple[TableEffect, ...] = ()
        self.said: tuple[Notice, ...] = ()
        _ = self.seat

    @classmethod
    def of(
        cls, match: Match, bots: Sequence[str], clock: TimeControl | None = None, names: Sequence[str] = (), **more: Any
    ) -> Self:
        return cls(GameSetup.of(match, bots, clock, names), **more)

    @property
    def seat(self) -> TableSeat:
        """The table itself, as it is after these wishes and no others."""
        live = self._live
        if live is None or live.wished != self.wished[: len(live.wished)]:
            live = self._live = _Live(self.setup_at_first, **self._more)
        for wish in self.wished[len(live.wished) :]:
            self.said, self.effects = live.wish(wish), tuple(live.effects)
        return live.seat

    def apart(self) -> TableSeat:
        """A table of its own, as it is after these wishes: whatever happens there, the sitting stays."""
        return Sitting(self.setup_at_first, self.wished, **self._more).seat

    def after(self, *wishes: Step) -> "Sitting":
        made = self
        for wish in wishes:
            live = made._live if made._live.wished == made.wished else None  # who has gone on has a table of its own
            made = Sitting(made.setup_at_first, (*made.wished, wish), live, **made._more)
        return made

    def begun(self) -> "Sitting":
        return self.after(Begin())

    def __getattr__(self, name: str) -> Any:
        """Look up what the table or its setup has."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.seat if hasattr(self.seat, name) else self.seat.setup, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sitting) and self.values == other.values

    __hash__ = None  # type: ignore[assignment]

    @property
    def values(self) -> tuple[Any, ...]:
        return values(self.seat)

    @property
    def moves(self) -> list[str]:
        return moves_of(self.match)


# In plain lines


class Typist(Console):
    """Somebody who answers each prompt by a function or by the next of some lines; `said` has all there was to read."""

    def __init__(self, answer: Callable[[str], str | None] | Sequence[str]) -> None:
        self.said = io.StringIO()
        super().__init__(None, self.said)
        self.lines = [] if callable(answer) else list(answer)
        self.asked: list[tuple[str, str]] = []  # each prompt, and what was to be read by then
        self._answer = answer if callable(answer) else lambda _: self.lines.pop(0) if self.lines else None

    def ask(self, prompt: str) -> str | None:
        self.asked.append((prompt, self.said.getvalue()))
        return self._answer(prompt)

    looks = ended = property(lambda _: False)  # type: ignore[assignment]


class OwnTable(PlainTable):
    """A table at one keyboard, with its loop."""

    def __init__(self, program: OwnProgram, console: Console) -> None:
        super().__init__(program.seat, console)
        self.program = program

    def run(self) -> None:
        with closing(self.program):
            sit(self.program, self)


def plain_table(
    match: Match,
    console: Console,
    *bots: str,
    clock: TimeControl | None = None,
    now: Callable[[], int] = lambda: 0,
    greets: bool = True,
    **more: Any,
) -> OwnTable:
    """A table with these bots in the first seats, "" for a person, and people in the others."""
    row = [*bots, *[""] * (match.state.seats - len(bots))]
    setup = GameSetup.of(match, row, clock)
    if greets:
        greet(setup, console.say)
    return OwnTable(OwnProgram(setup, OwnTables(now=now), keeps=False, **more), console)
