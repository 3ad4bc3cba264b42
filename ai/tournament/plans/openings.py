"""Openings: the first moves of a game, the same for all games of a block, so that bots without dice don't repeat
games.

A book is drawn at random. A search of fixed work judges each draft, so the book is the same on any machine, compiled
or not, whichever worker judges it. The seat to move after an opening may have an advantage that no search of this
size sees: so equal parts of a book have 0, 1, 2, … moves more, a part for each seat. An advantage that is left
favours no entrant, because everybody has each seat of each opening.

opening_records.py reads openings from a file. Specification: docs/protocols/tournaments.md, "Openings".
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from quadrille.value import value

if TYPE_CHECKING:  # most tournaments have no openings to make
    from quadrille.rules.search import Position

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
_SIMULATIONS_OF_MORE: Final = 100
_SEED: Final = 1
#: Simulations after which work on a draft of two seats ends if its value is this far beyond the tolerance. Few values
#: come back from there.
_GLANCE: Final = 200
_BEYOND: Final = 0.1
#: Number of drafts in a worker's job.
BATCH: Final = 4
#: Maximum drafts: this many for each opening, and some more.
DRAWN: Final = 100
_MORE_DRAWN: Final = 1000
#: Lines in a sample, and how many of them must differ before openings of that length are taken, for each opening.
_SAMPLE: Final = 8
_DIFFERENT: Final = 6.5
_MORE: Final = 8


@value
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
    """Return whether openings make sense: a dealt game begins differently each time anyway."""
    return not game(contest.game).dealt


def opening_of(book: Book, contest: int, nth: int) -> Opening:
    """Return the opening of start number `nth`; they are used in order, again and again."""
    lines = book[contest] if book else ()
    return lines[nth % len(lines)] if lines else ()


def digest(book: Book) -> str:
    return hashlib.sha256(json.dumps(book, separators=(",", ":")).encode()).hexdigest()[:32]


def start_of(contest: Contest) -> "Position":
    from quadrille.rules.search import Position

    return Position.start(contest.game, dict(contest.options), contest.seats)


#: The board moves of an opening.
Draft: TypeAlias = tuple[int, ...]


@value
class Drafts:
    """Drafts to be judged."""

    contest: Contest
    balance: float
    drafts: tuple[Draft, ...]


def judge(batch: Drafts) -> list[bool]:
    """Judge which drafts can be openings: undecided, and even enough. A worker runs this."""
    return [_is_good(_after(batch.contest, moves), batch.balance) for moves in batch.drafts]


def _is_good(position: "Position", balance: float) -> bool:
    uneven = _unevenness(position, balance)
    return uneven is not None and uneven <= balance and not is_decided(position)


def _after(contest: Contest, moves: Draft) -> "Position":
    position = start_of(contest)
    for move in moves:
        position.apply_quickly(move)
    return position


def _unevenness(position: "Position", balance: float) -> float | None:
    """Return the unevenness of a position, from 0 to 1 (a certain win); None if it is decided.

    With more than two seats it is that of the seat for which it is greatest.
    """
    if position.over:
        return None
    if position.seats == 2:
        return _unevenness_of_two(position, balance)
    result = position.search(_SIMULATIONS_OF_MORE, _SEED)
    if result.certain is not None:
        return None
    # a search says nothing about the others
    rows = [list(row) for row in position.playouts(_SIMULATIONS_OF_MORE, _SEED).payoffs]
    seats = [seat for seat in range(position.seats) if seat != position.seat]
    values: list[float] = [
        result.value / 1_000_000,
        *(sum(row[seat] for row in rows) / len(rows) for seat in seats),
    ]
    return max(map(abs, values)) / (position.seats - 1)


def _unevenness_of_two(position: "Position", balance: float) -> float | None:
    """Return the average of all simulations. The best move alone has few of them if there are many moves, so its
    average is too good for the mover. A value far beyond the balance after a glance is final.
    """
    from quadrille.rules.search import TreeSearch

    search, uneven = TreeSearch(position, _SEED), 0.0
    for simulations in (_GLANCE, SIMULATIONS - _GLANCE):
        search.go_on(simulations)
        result = search.found
        if result.certain is not None:
            return None
        total = sum(visits * value for visits, value in zip(result.visits, result.values, strict=True))
        uneven = abs(total) / (1_000_000 * sum(result.visits))
        if uneven > balance + _BEYOND:
            break
    return uneven


def is_decided(position: "Position") -> bool:
    """Return whether a small search proves the result."""
    from quadrille.rules.search import Proof

    if position.seats != 2:
        return False
    proof = Proof(position, 1 << PROOF.bit_length())
    proof.go_on(PROOF)
    return proof.found.certain


class Drafter:
    """Makes the book of one game: it gives drafts to be judged, and takes the answers in the same order.

    Openings of each length are drawn from a stream of their own, the shortest first. So the book does not depend on
    how many drafts the workers judge at once: those of a length that is complete are not looked at.
    """

    def __init__(self, contest: Contest, wanted: Openings, seed: str) -> None:
        self.contest = contest
        self.wanted = wanted
        #: The openings, each with the number of those of its length that were still wanted.
        self.found: list[tuple[int, Opening]] = []
        self._start = start_of(contest)
        self.plies = wanted.plies or self._fewest(seed)
        seats = contest.seats
        lengths = [self.plies + more for more in range(seats)]
        #: The openings that are wanted of each length, and drafts of it, with the positions that these pass.
        self._left = {length: (wanted.count + more) // seats for more, length in enumerate(lengths)}
        self._drafts = {length: self._draw(length, Stream(seed, f"openings of {length}")) for length in lengths}
        self._passed: dict[Draft, tuple[int, ...]] = {}
        #: Positions that an opening begins or passes through.
        self._taken: set[int] = set()
        self._asked: list[Drafts] = []
        self._judged = 0

    @property
    def full(self) -> bool:
        """Return whether the book is complete."""
        return len(self.found) == self.wanted.count

    def give(self) -> Drafts | None:
        """Return the next drafts to be judged; None if no more can be drawn."""
        for length, drafts in self._drafts.items():
            if self._left[length] and (drawn := dict(islice(drafts, BATCH))):
                self._passed |= drawn
                self._asked.append(Drafts(self.contest, self.wanted.balance, tuple(drawn)))
                return self._asked[-1]
        return None

    def take(self, judged: Sequence[bool]) -> None:
        """Take the judgements of the oldest drafts that were given."""
        for moves, good in zip(self._asked.pop(0).drafts, judged, strict=True):
            self._judged += 1
            passed = self._passed.pop(moves)
            if good and self._left[len(moves)] and self._taken.isdisjoint(passed):
                self.found.append((self._left[len(moves)], self._texts(moves)))
                self._left[len(moves)] -= 1
                self._taken.update(passed)

    def finished(self) -> tuple[Opening, ...]:
        """Return the book, with all lengths in turn; refuse one that is too small."""
        wanted = self.wanted
        if not self.full and not wanted.fewer:
            size = ", ".join(f"{name} {value}" for name, value in self.contest.options if isinstance(value, int))
            length = f"{self.plies} to {self.plies + self.contest.seats - 1} moves"
            raise TournamentError(
                f"[openings] wants {wanted.count} openings of {self.contest.game} ({size}) that are even within "
                f"{wanted.balance:g}, and only {len(self.found)} of {length} were found among {self._judged} drafts: "
                "ask for fewer (count), for less even ones (balance), for other plies, or for any number (fewer = true)"
            )
        return tuple(opening for _, opening in sorted(self.found, key=lambda row: (-row[0], len(row[1]))))

    def _draw(self, length: int, stream: Stream) -> Iterator[tuple[Draft, tuple[int, ...]]]:
        """Yield drafts that lead to different positions, each with those that it passes from the shortest length on."""
        drawn: set[int] = set()
        for _ in range((DRAWN * self.wanted.count + _MORE_DRAWN) // self.contest.seats):
            if (line := self._line(stream, length)) is not None and line[1][-1] not in drawn:
                drawn.add(line[1][-1])
                yield line[0], line[1][self.plies - 1 :]

    def _line(self, stream: Stream, length: int) -> tuple[Draft, tuple[int, ...]] | None:
        """Play that many random moves; return them with the key after each, or None if the game ends before."""
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
        """Estimate from a sample the fewest moves after which there are enough positions."""
        many, best = _SAMPLE * (self.wanted.count + _MORE), (0, LEAST_PLIES)
        for plies in range(LEAST_PLIES, MOST_PLIES, 2):
            stream = Stream(seed, f"lines of {plies}")
            lines = [self._line(stream, plies) for _ in range(many)]
            ends = [keys[-1] for _, keys in filter(None, lines)]
            best = max(best, (len(set(ends)), plies), key=lambda row: row[0])
            if len(set(ends)) >= _DIFFERENT * self.wanted.count + _MORE:
                return plies
            if len(ends) < many // 2:  # most games are over by then
                break
        return best[1]

    def _texts(self, moves: Draft) -> Opening:
        position, texts = self._start.copy(), list[str]()
        for move in moves:
            texts.append(position.text(move))
            position.apply_quickly(move)
        return tuple(texts)
