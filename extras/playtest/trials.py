"""One game of a playtest: built-in bots play it in this process, and it is measured.

All that is left to chance follows from the seed, the number of the game and the seat. So games of two cells that have
the same number are played by the same dice, and differ only where the cells do. Bots search by counts, without a clock.
"""

import hashlib
import random
import re
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents import opponent
from quadrille.ai.opponents.kinds import Opponent
from quadrille.ai.tournament.results import half_points
from quadrille.extras.playtest.kinds import kind_of
from quadrille.rules.core import Move, Over, State, is_stepped
from quadrille.rules.core.talk import margin
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Value
from quadrille.rules.registry import game as game_of
from quadrille.rules.search import Position

#: A time that no bot needs, in milliseconds: levels 1 to 4 search by counts.
_HOUR: Final = 3_600_000
#: Maximum listed moves among which a player that forgoes a kind of move looks.
_LISTED: Final = 300
#: The level of random moves, for games that no search can play out.
RANDOM: Final = 0
#: In place of a kind of move that a player forgoes: it forgets all that it has looked at.
MEMORY: Final = "memory"
#: By how much one seat has to expect more than another to lead: the estimates of weak bots waver.
_LEAD: Final = 0.1
#: The reason of a game that did not end, and the winners of a figure that is no seat's.
UNFINISHED: Final = ""
TABLE: Final = -1


@dataclass(frozen=True, slots=True)
class TrialCell:
    """Games that differ by their numbers alone: a table, and how its seats play.

    All play at `level`, but for one seat, another in each game: it plays at the level `other`, or forgoes the moves of
    a kind wherever it has any other, or forgets what it has looked at.
    """

    name: str
    game: str
    options: Mapping[str, Value]
    seats: int
    level: int
    other: int | None = None
    without: str = ""

    @property
    def told(self) -> str:
        """The change of the table."""
        rest = self.name.partition(" ")[2]
        return "" if rest.isdigit() else rest

    def odd_seat(self, number: int) -> int | None:
        """Return the seat that plays otherwise, if any does."""
        return number % self.seats if self.other is not None or self.without else None

    def start(self, number: int) -> int:
        """Return the number of a game's start: every seat plays otherwise once from the same one."""
        return number if self.odd_seat(number) is None else number // self.seats


@dataclass(frozen=True, slots=True)
class Trial:
    """The measures of one game.

    `points` has for each seat its share of the points against the others. `choice` is the share of turns with several
    legal moves. `ended` is the reason of the end without its numbers, `decided` the first criterion that separates the
    winner from the next. `kinds` has for each kind of move its number and its share of the first quarter. `figures` has
    for each figure the sum, the greatest value of a seat, and whether only winners have that. The lead is that of the
    bots' own expectations: `swings` counts its changes, after `settled` of the game it did not change any more, and the
    winner had once expected `lowest`.
    """

    cell: int
    number: int
    moves: int = 0
    ended: str = UNFINISHED
    decided: str = UNFINISHED
    points: tuple[float, ...] = ()
    choice: float = 0.0
    first: str = ""
    kinds: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    figures: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    swings: int = 0
    settled: float = 0.0
    lowest: float = 1.0
    trace: str = ""
    #: The error of the game's own program, and where it was.
    broken: str = ""


def dice_of(text: str) -> random.Random:
    return random.Random(text)  # noqa: S311 - games are to be the same with the same seed


def where(error: Exception) -> str:
    """Put an error into words, with the line that made it."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def play(cell: TrialCell, place: int, number: int, seed: str, most: int) -> tuple[Trial, Match]:
    """Play a game of at most `most` moves; `place` is that of its cell in the plan."""
    start = f"{seed}/{cell.start(number)}"
    match = Match(game_of(cell.game), cell.options, cell.seats, deal=Deal(start))
    course, kinds, choices, broken, first = _Lead(cell.seats), list[str](), 0, "", ""
    levels = [cell.level] * cell.seats
    if cell.other is not None:
        levels[number % cell.seats] = cell.other
    players = [opponent("random" if level == RANDOM else str(level)) for level in levels]
    dice = [dice_of(f"{start}/{seat}") for seat in range(cell.seats)]
    try:
        while (turn := match.turn) is not None and match.ply < most:
            odd = cell.odd_seat(number) == turn
            view = match.state.view(None if odd and cell.without == MEMORY else turn)
            choices += match.state.moves.count(2) > 1
            move = _chosen(players[turn], view, dice[turn], cell.without if odd else "")
            course.add(turn, (players[turn].thought(view) or {}).get("value"))
            first = first or _first(match.state, move)
            kinds.append(kind_of(match.state, move))
            match.play(move)
    except Exception as error:  # noqa: BLE001 - a game of today may do anything, and the page tells of it
        broken = where(error)
    over, length, early = None if broken else match.over, max(match.ply, 1), kinds[: (len(kinds) + 3) // 4]
    ended = re.sub(r"\d+", "N", over.reason) if over else UNFINISHED
    lowest = course.lowest[over.winners[0]] if over and len(over.winners) == 1 else 1.0
    measured = Trial(
        place, number, match.ply, ended, (_decided(match.state, over) if over else "") or ended,
        tuple(half / max(2 * cell.seats - 2, 1) for half in half_points(over.places)) if over else (),
        choices / length,
        first,
        {kind: (kinds.count(kind), early.count(kind) / len(early)) for kind in sorted({*kinds})},
        _figures(match.state, over) if over else {},
        len(course.changes), course.changes[-1] / length if course.changes else 0.0, lowest,
        hashlib.blake2b("\n".join(map(str, match.entries)).encode(), digest_size=8).hexdigest(),
        broken,
    )  # fmt: skip
    return measured, match


def _chosen(bot: Bot, view: State[Any, Any], dice: random.Random, without: str) -> Move:
    answer = bot.choose(view, Clock(view.turn or 0, (_HOUR,) * view.seats, 0, _HOUR), dice)
    move: Move = view.game.parse(answer, view) if isinstance(answer, str) else answer
    if not without or kind_of(view, move) != without:
        return move
    return next(_others(bot, view, dice, without), move)


def _others(bot: Bot, view: State[Any, Any], dice: random.Random, without: str) -> Iterator[Move]:
    """Yield the moves of other kinds, the one that the bot tried most first; turns of steps in random order."""
    search = bot.searched if isinstance(bot, Opponent) else None
    if search is not None and not is_stepped(view):
        result, position = search.found, Position(view)
        order = sorted(zip(result.visits, result.values, result.moves, strict=True), reverse=True)
        moves = [position.move([number]) for _, _, number in order]
    elif view.moves.count(_LISTED + 1) <= _LISTED:
        moves = list(view.moves)
        dice.shuffle(moves)
    else:
        moves = [view.moves.sample(dice) for _ in range(_LISTED)]
    return (move for move in moves if kind_of(view, move) != without)


class _Lead:
    """The lead, by the last expectation of each seat."""

    def __init__(self, seats: int) -> None:
        self._told: list[float | None] = [None] * seats
        self._leader, self._moves = -1, 0
        #: The number of moves before each change, and the least chances that each seat has told.
        self.changes: list[int] = []
        self.lowest = [1.0] * seats

    def add(self, seat: int, value: float | None) -> None:
        """Take the expectation that a seat had at its move."""
        self._moves += 1
        if value is None or len(self._told) < 2:
            return
        self._told[seat], self.lowest[seat] = value, min(self.lowest[seat], value)
        if len(self._told) == 2:
            self._told[1 - seat] = -value
        known = sorted(((told, at) for at, told in enumerate(self._told) if told is not None), reverse=True)
        if len(known) == len(self._told) and known[0][0] - known[1][0] > _LEAD and known[0][1] != self._leader:
            self.changes += [self._moves] * (self._leader >= 0)
            self._leader = known[0][1]


def _first(state: State[Any, Any], move: Move) -> str:
    """Write a first move as the first of its images under the symmetries of the game."""
    steps = state.steps(move)
    if is_stepped(state) or not steps:
        return str(move)
    return str(state.move(min(image.get(steps[0], steps[0]) for image in state.symmetries)))


def _decided(state: State[Any, Any], over: Over) -> str:
    """Name the criterion that separates the best seat from the next; "" where the game has none."""
    if len(over.winners) != 1 or len(over.places) < 2:
        return "nothing"
    best = over.winners[0]
    second = min((place, seat) for seat, place in enumerate(over.places) if seat != best)[1]
    lead = margin(state.criteria(best), state.criteria(second))
    return lead.name if lead else ""


def _figures(state: State[Any, Any], over: Over) -> dict[str, tuple[int, int, int]]:
    figures = {}
    for name, row in state.figures().items():
        if isinstance(row, tuple) and all(isinstance(number, int) for number in row):
            numbers = [int(number) for number in row]  # type: ignore[arg-type]
            best = {seat for seat, number in enumerate(numbers) if number == max(numbers)}
            figures[name] = (sum(numbers), max(numbers), int(best <= {*over.winners}))
        elif isinstance(row, int):
            figures[name] = (row, row, TABLE)
    return figures
