"""The schedule of a tournament: a machine that gives blocks of games in a fixed order, and takes results.

    schedule = Schedule("seed", ["mcts:4 3f9c…", "./mybot 77aa…"], [Contest("maze")], RoundRobin(cycles=10))
    while (block := schedule.next()) is not None: ...     # play block.fixtures
    schedule.tell(result)                                 # formats that look at results go on from there

Everything follows from the seed and the results: the blocks depend neither on the order of results nor on restarts of
the machine. Any fixture can be computed again from its number. The interface of formats is here; formats.py lists them.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Generator, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.blocks import block_size, seatings
from quadrille.rules.chance import Stream
from quadrille.value import value

Table: TypeAlias = tuple[int, ...]


@value
class Round:
    """Tables (rows of entrants) that are drawn together. Each plays a block from every start of a span.

    Starts are numbered; no table may get the same start twice.
    """

    starts: range
    tables: tuple[Table, ...]


#: For each table of a round, the half points of its entrants over its games.
Points: TypeAlias = tuple[tuple[int, ...], ...]
#: Entrants, best first; shared ranks together.
Ranking: TypeAlias = tuple[tuple[int, ...], ...]
#: A running format: it yields rounds, and is sent points; in the end it returns its ranking, if it has one.
Drawing: TypeAlias = Generator[Round, Points, Ranking | None]


class Format(ABC):
    """A format: it draws the tables of a tournament. A frozen dataclass that inherits this; formats.py lists them all.

    Its fields are the keys of [format] in a plan file, whole numbers of 1 or more, or of `metadata["least"]` or more;
    `metadata["help"]` says what for.
    """

    #: The lag of results: 0 if a round is drawn from the points of the one before it; 1 from those of the one before
    #: that (an empty row is sent after the first), which gives no ranking; None if results don't matter.
    behind: ClassVar[int | None] = None
    #: A round needs a result from each of its games before the next can be drawn.
    needs_all: ClassVar[bool] = False
    #: The field that may grow while a tournament is played, because its first games stay the same; "" for none.
    grows: ClassVar[str] = ""
    #: The rule of its places, in words.
    places_by: ClassVar[str] = "points a game"
    #: The entrant that it is about, which the progress names; None for no one.
    about: ClassVar[int | None] = None
    #: A plan file may ask for it.
    in_files: ClassVar[bool] = True
    #: The kind of the format that it becomes if entrants come or go after games were played; "": none can.
    grown: ClassVar[str] = ""

    @property
    def out(self) -> tuple[int, ...]:
        """The entrants that are gone: their blocks keep their numbers, and are not given."""
        return ()

    def check(self, entrants: int, seats: int) -> None:  # noqa: B027
        """Raise a `TournamentError` if that many entrants or seats are impossible in this format."""

    @abstractmethod
    def tables(self, entrants: int, seats: int) -> int | None:
        """Return the number of tables to be drawn, each once for every start; None if it is unknown beforehand."""

    @abstractmethod
    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Draw all rounds, with a `Stream` of this seed as the only randomness."""

    def final(self, results: Iterable[Result]) -> Mapping[int, float]:
        """Return the points of those who played a final; none in a format without one."""
        return {}

    def uneven(self, entrants: int, seats: int) -> str:
        """Return a remark if some play more games than others although all should play as many, or ""."""
        return ""

    @classmethod
    def joined(cls, plan: Any, _there: Mapping[str, Any], /) -> tuple[Any, list[str]]:
        """Return the plan of a file as it continues a journal's with other entrants, and what has changed."""
        return plan, []

    @classmethod
    def continues(cls, here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
        """Return whether a plan of this format is that of a journal with more to play after it."""
        shape, other, name = here["format"], there["format"], cls.grows
        if not name or {**here, "format": {**shape, name: other.get(name)}} != there:
            return False
        return bool(shape[name] > other[name])


@value
class Contest:
    """A game with all its options, number of seats, and time limits."""

    game: str
    options: tuple[tuple[str, Any], ...] = ()
    seats: int = 2
    clock: str = ""


@value
class Fixture:
    """A game to be played. `id` is a hash of everything in it; `start` names its start, number `nth`. The deal is not
    part of it, because everybody can compute a schedule (secret.py).
    """

    number: int
    id: str
    block: int
    contest: int
    seats: tuple[int, ...]
    start: str
    nth: int = 0


@value
class Block:
    """The games of one table from one start, in balanced seats."""

    number: int
    round: int
    contest: int
    table: Table
    start: str
    fixtures: tuple[Fixture, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the block's games, in schedule order."""
        return tuple(fixture.id for fixture in self.fixtures)


def fixture_id(contest: Contest, seats: Sequence[str], start: str) -> str:
    """Return an id that is the same for the same game, options, programs in their seats, start and clock; 32
    hexadecimal digits.
    """
    made = [contest.game, sorted(contest.options), list(seats), start, contest.clock]
    text = json.dumps(made, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(b"quadrille/fixture/1" + text.encode()).hexdigest()[:32]


class Schedule:
    """The blocks of a tournament in order. `entrants` are texts that identify programs, versions included.

    With several contests each table plays a block of each.
    """

    def __init__(self, seed: str, entrants: Sequence[str], contests: Sequence[Contest], format: Format) -> None:
        _check(entrants, contests)
        self.seats = contests[0].seats
        format.check(len(entrants), self.seats)
        tables = format.tables(len(entrants), self.seats)
        self.seed = seed
        self.entrants = tuple(entrants)
        self.contests = tuple(contests)
        self.format = format
        self.block_size = block_size(self.seats)
        #: Number of games, if it is known beforehand.
        self.games = self._numbered = None if tables is None else tables * len(contests) * self.block_size
        self.out = out = frozenset(format.out)
        if out:
            rounds = iter(format.draw(len(entrants), self.seats, seed))
            tables = sum(len(planned.starts) * sum(map(out.isdisjoint, planned.tables)) for planned in rounds)
            self.games = tables * len(contests) * self.block_size
        #: Why the schedule can't continue although it is not over, in a sentence.
        self.stuck = ""
        #: The format's own ranking, best first, at its end; without one, points decide.
        self.ranking: Ranking | None = None
        self._drawing = format.draw(len(entrants), self.seats, seed)
        self._rounds: list[tuple[int, Round]] = []  # with the number of its first block
        self._given = 0
        self._drawn = 0  # blocks
        self._ended = False
        self._told: dict[str, tuple[int, ...] | None] = {}
        self._open: dict[int, set[str]] = {}  # round: games without a result
        self._sent = 0  # rounds
        #: The block of the last fixture that was asked for: most ask for one after another.
        self._last: Block | None = None

    @property
    def over(self) -> bool:
        """Return whether all blocks have been given."""
        return self._ended and self._given == self._drawn

    def next(self) -> Block | None:
        """Return the next block; None at the end (`over`) or while results are missing."""
        while True:
            while self._given == self._drawn:
                if not self._draw():
                    return None
            block = self.block(self._given)
            self._given += 1
            if self.out.isdisjoint(block.table):
                return block

    def tell(self, result: Result) -> None:
        """Take a result, in any order and repeatedly. A block with a void game gives nobody any points."""
        if self.format.behind is None:
            return
        self._told[result.game] = None if result.void else result.halves
        for games in self._open.values():
            games.discard(result.game)

    def block(self, number: int) -> Block:
        """Return the block of that number, given or not."""
        return self._found("block", number, 1)

    def fixture(self, number: int) -> Fixture:
        if self._last is None or self._last.number != number // self.block_size:
            self._last = self._found("game", number, self.block_size)
        return self._last.fixtures[number % self.block_size]

    def _found(self, what: str, number: int, size: int) -> Block:
        """Return the block of an item, if each has `size` of them; a refusal uses the word of the caller."""
        at = number // size
        while at >= self._drawn and self._draw():
            pass
        if 0 <= at < self._drawn:
            return self._block(bisect_right(self._rounds, at, key=itemgetter(0)) - 1, at)
        blocks = self._drawn if self._ended else (self._numbered or 0) // self.block_size
        reason = "it depends on results that are not there yet"
        if blocks and not 0 <= at < blocks:
            reason = f"{what}s are 0 to {blocks * size - 1}"
        elif at < 0:
            reason = f"{what}s are counted from 0"
        raise TournamentError(f"there is no {what} {number}: {reason}")

    def _draw(self) -> bool:
        """Draw another round, if there is one and its results are there."""
        if self._ended:
            return False
        points: Points = ()
        if self.format.behind is not None and len(self._rounds) > self.format.behind:
            if self._open.get(self._sent):
                return False
            if self.format.needs_all and (void := self._void(self._sent)):
                self.stuck = f"who goes on can't be said, since game {void[0]} has no result"
                self._ended = True
                return False
            points = self._points(self._sent)
        try:
            drawn = self._drawing.send(points) if self._rounds else next(self._drawing)
        except StopIteration as end:
            self.ranking = end.value
            self._ended = True
            return False
        number = len(self._rounds)
        self._rounds.append((self._drawn, drawn))
        blocks = self._blocks(number)
        self._drawn = blocks.stop
        if self.format.behind is not None:
            games = {game for block in blocks for game in self._block(number, block).ids}
            self._open[number] = games - self._told.keys()
        return True

    def _blocks(self, number: int) -> range:
        first, drawn = self._rounds[number]
        return range(first, first + len(drawn.starts) * len(drawn.tables) * len(self.contests))

    def _points(self, number: int) -> Points:
        """Return the points of a finished round, and drop them."""
        points = [dict.fromkeys(table, 0) for table in self._rounds[number][1].tables]
        for block in self._blocks(number):
            _, place, _ = self._place(number, block)
            fixtures = self._block(number, block).fixtures
            told = [self._told.pop(fixture.id) for fixture in fixtures]
            if None not in told:
                for fixture, row in zip(fixtures, told, strict=True):
                    for entrant, halves in zip(fixture.seats, row or (), strict=True):
                        points[place][entrant] += halves
        del self._open[number]
        self._sent += 1
        return tuple(tuple(table.values()) for table in points)

    def _void(self, number: int) -> list[int]:
        fixtures = [fixture for block in self._blocks(number) for fixture in self._block(number, block).fixtures]
        return [fixture.number for fixture in fixtures if self._told[fixture.id] is None]

    def _place(self, at: int, number: int) -> tuple[int, int, int]:
        """Return the start, table and contest of a block of that round."""
        first, drawn = self._rounds[at]
        rest, contest = divmod(number - first, len(self.contests))
        return *divmod(rest, len(drawn.tables)), contest

    def _block(self, at: int, number: int) -> Block:
        drawn = self._rounds[at][1]
        turn, place, contest = self._place(at, number)
        table = list(drawn.tables[place])
        nth = drawn.starts[turn]
        stream = Stream(self.seed, f"start {nth}")
        start = f"{stream.word():016x}{stream.word():016x}"
        Stream(self.seed, f"block {number}").shuffle(table)
        fixtures = []
        for game, seats in enumerate(seatings(table), number * self.block_size):
            named = fixture_id(self.contests[contest], [self.entrants[entrant] for entrant in seats], start)
            fixtures.append(Fixture(game, named, number, contest, seats, start, nth))
        return Block(number, at, contest, drawn.tables[place], start, tuple(fixtures))


def _check(entrants: Sequence[str], contests: Sequence[Contest]) -> None:
    if not contests:
        raise TournamentError("a tournament needs a game")
    seats = contests[0].seats
    if len(entrants) < seats:
        raise TournamentError(f"{seats} seats need as many entrants: there are {len(entrants)}")
    _check_different("entrants", entrants)
    _check_different("games", [fixture_id(contest, (), "") for contest in contests])


def _check_different(what: str, row: Sequence[str]) -> None:
    for place, entrant in enumerate(row):
        if (first := row.index(entrant)) < place:
            raise TournamentError(f"the {what} {first + 1} and {place + 1} are the same")
