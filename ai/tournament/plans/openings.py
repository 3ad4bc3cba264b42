"""Openings: the first moves of a game, the same for all games of a block, so that bots without dice don't repeat
games.

A book is drawn at random. A search of fixed work judges each draft, so the book is the same on any machine, compiled
or not, whichever worker judges it. The seat to move after an opening may have an advantage that no search of this
size sees: so equal parts of a book have 0, 1, 2, … moves more, a part for each seat.

With two seats a book as a whole favours neither seat by any of these measures: UCT's values of openings, and games of
alpha-beta against itself from each of them, at several strengths. Each measure is summed, and an opening that would
move any sum too far from 0 is not taken. There are several strengths, because the seat that a board favours changes
with how well it is played. There is a value, because a single game of players who roll dice says next to nothing.

On some boards UCT's value for a seat is higher than its own games show. So it plays games from the first drafts, and
the value at which these are even is the target for openings.

opening_records.py reads openings from a file. Specification: docs/protocols/tournaments.md, "Openings".
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from statistics import pstdev
from typing import Final, TypeAlias

from quadrille.ai.opponents.kinds import look_ahead
from quadrille.ai.opponents.thinking import Effort
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof, TreeSearch

#: The moves of an opening, and the openings of each game of a tournament, none for dealt games.
Opening: TypeAlias = tuple[str, ...]
Book: TypeAlias = tuple[tuple[Opening, ...], ...]

#: Default number of openings in a book, and default tolerance of evenness.
COUNT: Final = 500
BALANCE: Final = 0.15
MOST: Final = 5000
#: Default moves of the shortest openings that are tried, and the maximum.
LEAST_PLIES: Final = 4
MOST_PLIES: Final = 60
#: Work on a draft: positions to prove the winner, and simulations to measure evenness, for two seats and for more.
PROOF: Final = 1000
SIMULATIONS: Final = 1000
#: Simulations after which work on a draft of two seats ends if its value is this far beyond the tolerance, in
#: thousandths of a game won. Few values come back from there.
_GLANCE: Final = 200
_BEYOND: Final = 100
_SIMULATIONS_OF_MORE: Final = 100
#: Positions per move of the games tried from a draft: those of `alphabeta` at the levels 1 to 3.
STRENGTHS: Final = (60, 500, 4000)
#: Fewer positions in games with many moves, and in small books, which can't even out much: this number for each
#: opening of the book, divided by the number of moves.
_WORK: Final = 2000
#: Maximum drafts from which UCT plays to find the even value, at most the number of openings; games from each; and
#: simulations for each move of them.
_TRIED: Final = 240
_TRIES: Final = 2
_SIMULATIONS_OF_A_TRY: Final = 80
#: Thousandths of a game won by which UCT's games differ, for each by which its values do.
_SLOPE: Final = 2
#: Number of pseudo-drafts, even at a value of 0, in the average of those tried.
_DOUBT: Final = 50
#: Tolerance of the sums, in thousandths of a game won: a constant, and an amount for each opening of the book. The
#: first pair is for the values, the others for the games at each strength.
_VALUES_OFF: Final = (300, 10)
_GAMES_OFF: Final = (4000, 80)
#: Number of drafts in a worker's job.
BATCH: Final = 4
#: Number of drafts after which workers learn the sums, and skip drafts for which these leave no room.
_LAG: Final = 32
#: Maximum drafts: this many for each opening, and some more.
DRAWN: Final = 100
_MORE_DRAWN: Final = 1000
#: Lines in a sample, and how many of them must differ before openings of that length are taken, for each opening.
_SAMPLE: Final = 8
_DIFFERENT: Final = 6.5
_MORE: Final = 8


@dataclass(frozen=True, slots=True)
class Openings:
    """A plan's openings: how they are made, or the `file` that they come from.

    `plies` 0: the fewest with enough openings. `fewer`: if the board is too small for `count`, fewer are accepted,
    and if there are none, games begin as usual. `digest` is that of the book, once it is there.
    """

    plies: int = 0
    count: int = COUNT
    balance: float = BALANCE
    fewer: bool = False
    file: str = ""
    digest: str = ""

    def __str__(self) -> str:
        if self.file:
            return f"openings {self.digest}"
        length = f" of {self.plies} moves and more" if self.plies else ""
        return f"{self.count} openings{length}, even within {self.balance:g}" + (" or fewer" if self.fewer else "")


def has_openings(contest: Contest) -> bool:
    """Whether openings make sense: a dealt game begins differently each time anyway."""
    return not game(contest.game).dealt


def opening_of(book: Book, contest: int, nth: int) -> Opening:
    """The opening of start number `nth`; they are used in order, again and again."""
    rows = book[contest] if book else ()
    return rows[nth % len(rows)] if rows else ()


def digest(book: Book) -> str:
    return hashlib.sha256(json.dumps(book, separators=(",", ":")).encode()).hexdigest()[:32]


def start_of(contest: Contest) -> Position:
    """The usual first position of a game."""
    return Position.start(contest.game, dict(contest.options), contest.seats)


#: A draft's measures for the first of two seats, in thousandths of a game won: its value, and the results of the
#: games at each strength. Empty with more than two seats.
Measured: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """Drafts to be judged, as board moves; the even value; strengths; and for each measure the seat that is already
    favoured enough.

    `ahead`: 1 for the first seat, -1 for the second, 0 for neither. `even` None: UCT plays from the drafts, with the
    only number of `strengths` as simulations per move.
    """

    contest: Contest
    balance: float
    even: int | None
    strengths: tuple[int, ...]
    ahead: tuple[int, ...]
    drafts: tuple[tuple[int, ...], ...]


def judge(asked: Asked) -> list[Measured | None]:
    """The measures of each draft; None for one that is decided, uneven, or favours a seat that has enough. If the
    even value is unknown: its value, and the average of UCT's games.
    """
    positions = [_after(asked.contest, moves) for moves in asked.drafts]
    if asked.even is None:
        return [_tried(position, *asked.strengths) for position in positions]
    return [_judged(position, asked, asked.even) for position in positions]


def _judged(position: Position, asked: Asked, even: int) -> Measured | None:
    if position.seats != 2:
        uneven = unevenness(position, 1)
        return None if uneven is None or uneven > asked.balance else ()
    # reject an opening that favours the seat that has enough
    low = even - (0 if asked.ahead[0] < 0 else 1000 * asked.balance)
    high = even + (0 if asked.ahead[0] > 0 else 1000 * asked.balance)
    value = _worth(position, 1, low - _BEYOND, high + _BEYOND)
    if value is None or not low <= value <= high:
        return None
    measured = [value - even]
    for strength, ahead in zip((*asked.strengths, 0), asked.ahead, strict=True):
        if measured[-1] * ahead > 0:
            return None
        if strength:
            measured.append(1000 * _played(position, strength))
    return None if is_decided(position) else tuple(measured)


def _tried(position: Position, simulations: int) -> Measured | None:
    """The value of a position, and the first seat's average in games that UCT plays from there; None if decided."""
    if (value := _worth(position, 1)) is None:
        return None
    return value, 1000 * sum(_rolled(position.copy(), simulations, seed) for seed in range(_TRIES)) // _TRIES


def _rolled(position: Position, simulations: int, seed: int) -> int:
    """The first seat's payoff in a game that UCT plays from there."""
    trees: list[TreeSearch | None] = [None, None]
    while (seat := position.seat) is not None:
        tree = trees[seat]
        if tree is None or not tree.follow(position):
            tree = trees[seat] = TreeSearch(position, 2 * seed + seat)
        tree.go_on(simulations)
        position.apply_quickly(tree.found.move)
    return position.payoffs()[0]


def _played(position: Position, strength: int) -> int:
    """The first seat's payoff in a game that alpha-beta plays from there, with `strength` positions per move."""
    position = position.copy()
    effort = Effort(strength, math.inf)
    while not position.over:
        found = look_ahead(position, strength, effort).found
        if found.certain:
            return found.value if position.seat == 0 else -found.value
        position.apply_quickly(found.move if found.depth else min(position.moves()))
    return position.payoffs()[0]


def _after(contest: Contest, moves: Sequence[int]) -> Position:
    position = start_of(contest)
    for move in moves:
        position.apply_quickly(move)
    return position


def _worth(position: Position, seed: int, low: float = -math.inf, high: float = math.inf) -> int | None:
    """The value of a position to the first of two seats, in thousandths of a game won; None if the search proves it,
    or if its first simulations alone are below `low` or above `high`.

    It averages all simulations: the best move alone has few of them if there are many moves, so its average is too
    good for the mover.
    """
    if position.over:
        return None
    search, value = TreeSearch(position, seed), 0
    for simulations in (_GLANCE, SIMULATIONS - _GLANCE):
        search.go_on(simulations)
        found = search.found
        if found.certain is not None:
            return None
        total = sum(visits * value for visits, value in zip(found.visits, found.values, strict=True))
        value = total // (1000 * sum(found.visits))
        if position.seat != 0:
            value = -value
        if simulations == _GLANCE and not low <= value <= high:
            return None
    return value


def unevenness(position: Position, seed: int) -> float | None:
    """The unevenness of a position of three or more seats for the seat it is least even for; None if it is decided."""
    if position.over:
        return None
    found = position.search(_SIMULATIONS_OF_MORE, seed)
    if found.certain is not None:
        return None
    # a search says nothing about the others
    rows = [list(row) for row in position.playouts(_SIMULATIONS_OF_MORE, seed).payoffs]
    seats = [seat for seat in range(position.seats) if seat != position.seat]
    values: list[float] = [found.value / 1_000_000, *(sum(row[seat] for row in rows) / len(rows) for seat in seats)]
    return max(map(abs, values)) / (position.seats - 1)


def is_decided(position: Position) -> bool:
    """Whether a small search proves the result."""
    if position.seats != 2:
        return False
    proof = Proof(position, 1 << PROOF.bit_length())
    proof.go_on(PROOF)
    return proof.found.certain


class EvenValue:
    """Finds the even value by UCT's games: gives drafts to be played from, and takes the results."""

    def __init__(self, contest: Contest, balance: float, simulations: int, drafts: Sequence[tuple[int, ...]]) -> None:
        parts = [tuple(drafts[at : at + BATCH]) for at in range(0, len(drafts), BATCH)]
        self._asked = [Asked(contest, balance, None, (simulations,), (), part) for part in reversed(parts)]
        self._left = len(parts)
        self._back: list[Measured] = []

    def give(self) -> Asked | None:
        """The next drafts; None if all have been given."""
        return self._asked.pop() if self._asked else None

    def take(self, judged: Sequence[Measured | None]) -> None:
        """Collect the answer to one batch of drafts."""
        self._left -= 1
        self._back += filter(None, judged)

    @property
    def found(self) -> int | None:
        """The value at which the games are even, in thousandths of a game won; None before all are back.

        It is drawn towards 0, because a few games tell little. It is at most half of the values' standard deviation
        from 0, because otherwise too few drafts are near it.
        """
        if self._left or not self._back:
            return None if self._left else 0
        most = pstdev(value for value, _ in self._back) / 2
        even = sum(value - games / _SLOPE for value, games in self._back) / (len(self._back) + _DOUBT)
        return round(max(-most, min(most, even)))


class Making:
    """The making of a book of one game: gives drafts to be judged, and takes them back in order."""

    def __init__(self, contest: Contest, wanted: Openings, seed: str) -> None:
        self.contest = contest
        self.wanted = wanted
        self.found: list[Opening] = []
        self._stream = Stream(seed, "openings")
        self._start = start_of(contest)
        self._quota = [(wanted.count + seat) // contest.seats for seat in range(contest.seats)]
        self.plies = wanted.plies or self._fewest(seed)
        #: Positions that an opening begins or passes through.
        self._taken: set[int] = set()
        self._drawn: set[int] = set()
        self._left = DRAWN * wanted.count + _MORE_DRAWN
        self._drafts = self._draw()
        self._given: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self._next = 0
        most = self._affordable(seed) if contest.seats == 2 else 0
        self._strengths = tuple(sorted({min(strength, most) for strength in STRENGTHS})) if most else ()
        #: The even value, once all of UCT's games for it are back.
        self._even: int | None = 0
        if most:
            tried = list(islice(self._drafts, min(_TRIED, wanted.count)))
            self._drafts = chain(tried, self._drafts)
            simulations, drafts = min(_SIMULATIONS_OF_A_TRY, most), [moves for moves, _ in tried]
            self._even_value = EvenValue(contest, wanted.balance, simulations, drafts)
            self._even = self._even_value.found
        #: The sums of the book's measures; and what was sufficient before and after each draft: the favoured seats,
        #: and the complete lengths.
        self._sums = [0] * (1 + len(self._strengths)) if contest.seats == 2 else []
        self._ahead = [self._enough()]
        self._complete = [frozenset[int]()]

    @property
    def full(self) -> bool:
        """Whether the book is complete."""
        return len(self.found) == self.wanted.count

    def give(self) -> Asked | None:
        """Some drafts to be judged; None if no more can be drawn, or none before others are taken back."""
        if self._even is None:
            return self._even_value.give()
        # the workers' knowledge must not depend on their speed: it is always as old as possible
        known = max(0, len(self._given) - _LAG)
        if known > self._next:
            return None
        rows = list(islice((row for row in self._drafts if len(row[0]) not in self._complete[known]), BATCH))
        self._given += rows
        drafts = tuple(moves for moves, _ in rows)
        if not rows:
            return None
        return Asked(self.contest, self.wanted.balance, self._even, self._strengths, self._ahead[known], drafts)

    def take(self, judged: Sequence[Measured | None]) -> None:
        """Take the judgements of the oldest open drafts."""
        if self._even is None:
            self._even_value.take(judged)
            self._even = self._even_value.found
            return
        for measured in judged:
            moves, keys = self._given[self._next]
            self._next += 1
            part = len(moves) - self.plies
            if measured is not None and self._quota[part] and not self._taken.intersection(keys):
                sums = [sum(pair) for pair in zip(self._sums, measured, strict=True)]
                if all(abs(total) <= most for total, most in zip(sums, self._bounds(), strict=True)):
                    self._sums = sums
                    self._quota[part] -= 1
                    self._taken.update(keys)
                    self.found.append(self._texts(moves))
            self._ahead.append(self._enough())
            self._complete.append(frozenset(self.plies + part for part, left in enumerate(self._quota) if not left))

    def _bounds(self) -> list[int]:
        """The tolerance of each sum."""
        offs = [_VALUES_OFF, *[_GAMES_OFF] * len(self._strengths)] if self._sums else []
        return [some + share * len(self.found) for some, share in offs]

    def _enough(self) -> tuple[int, ...]:
        """The seat that each sum favours by half of its tolerance: before there is no room left."""
        pairs = zip(self._sums, self._bounds(), strict=True)
        return tuple((total > 0) - (total < 0) if 2 * abs(total) > most else 0 for total, most in pairs)

    def finished(self) -> tuple[Opening, ...]:
        """The book, or a refusal if it is empty."""
        wanted = self.wanted
        if not self.full and not wanted.fewer:
            size = ", ".join(f"{name} {value}" for name, value in self.contest.options if isinstance(value, int))
            length = f"{self.plies} to {self.plies + self.contest.seats - 1} moves"
            raise TournamentError(
                f"[openings] wants {wanted.count} openings of {self.contest.game} ({size}) that are even within "
                f"{wanted.balance:g}, and only {len(self.found)} of {length} were found among {self._next} drafts: "
                "ask for fewer (count), for less even ones (balance), for other plies, or for any number (fewer = true)"
            )
        return tuple(self.found)

    def _draw(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Drafts, each with the keys of the positions that it passes from the shortest opening's length on."""
        while self._left > 0:
            self._left -= 1
            # independent of the drafts taken so far, because those depend on the speed of the workers
            length = self.plies + self._left % self.contest.seats
            if (line := self._line(self._stream, length)) is None:
                continue
            moves, keys = line
            if keys[-1] not in self._drawn:
                self._drawn.add(keys[-1])
                yield moves, keys[self.plies - 1 :]

    def _line(self, stream: Stream, length: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Random moves of that number, with the keys of the positions after each; None if the game is over before."""
        position, moves, keys = self._start, list[int](), list[int]()
        while len(moves) < length and (legal := sorted(position.moves())):
            moves.append(legal[stream.randrange(len(legal))])
            position.apply_quickly(moves[-1])
            keys.append(int(position.board.alike()))
        whole = len(moves) == length and not position.over
        for _ in moves:
            position.undo()
        return (tuple(moves), tuple(keys)) if whole else None

    def _fewest(self, seed: str) -> int:
        """The fewest moves after which there are enough positions, estimated from a sample."""
        many, best = _SAMPLE * (self.wanted.count + _MORE), (0, LEAST_PLIES)
        for plies in range(LEAST_PLIES, MOST_PLIES, 2):
            stream = Stream(seed, f"lines of {plies}")
            lines = [self._line(stream, plies) for _ in range(many)]
            there = [keys[-1] for _, keys in filter(None, lines)]
            best = max(best, (len(set(there)), plies), key=lambda row: row[0])
            if len(set(there)) >= _DIFFERENT * self.wanted.count + _MORE:
                return plies
            if len(there) < many // 2:  # most games are over by then
                break
        return best[1]

    def _affordable(self, seed: str) -> int:
        """Maximum positions per move of the games that are tried, by the number of moves in a random game."""
        position, stream, choices = start_of(self.contest), Stream(seed, "a game"), 0
        while not position.over:
            legal = sorted(position.moves())
            choices += len(legal)
            position.apply_quickly(legal[stream.randrange(len(legal))])
        return max(1, _WORK * min(self.wanted.count, COUNT) // choices)

    def _texts(self, moves: Sequence[int]) -> Opening:
        position, texts = self._start, list[str]()
        for move in moves:
            texts.append(position.text(move))
            position.apply_quickly(move)
        for _ in moves:
            position.undo()
        return tuple(texts)
