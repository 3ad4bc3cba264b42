"""Fields of entrants whose strengths are known, and the results of their games: the same on every machine.

Randomness is PCG64's raw words, seeded by name: numpy promises that they stay as they are, but not what it makes of
them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, log, log10

import numpy as np

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.blocks import seatings
from quadrille.ai.tournament.schedules.schedule import Block, Contest, Fixture, Format, Schedule
from quadrille.ai.tournament.statistics.arrays import Array
from quadrille.ai.tournament.statistics.ratings import rate
from quadrille.rules.chance import Stream


def elo_of(score: float) -> float:
    """The difference in Elo for a score; infinite for 0 and 1."""
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


class Chance:
    """Uniform and Gumbel numbers in any shape."""

    def __init__(self, seed: str) -> None:
        self._bits = np.random.PCG64(Stream(seed, "simulated").word())

    def uniform(self, *shape: int) -> Array:
        words = self._bits.random_raw(int(np.prod(shape)))
        return ((words >> np.uint64(11)) + 0.5).reshape(shape) / 2**53

    def gumbel(self, *shape: int) -> Array:
        return -np.log(-np.log(self.uniform(*shape)))

    def normal(self, *shape: int) -> Array:
        one, other = self.uniform(2, *shape)
        return np.sqrt(-2 * np.log(one)) * np.cos(2 * np.pi * other)

    def order(self, count: int) -> list[int]:
        return [int(place) for place in self.uniform(count).argsort()]


def places(heights: Array) -> tuple[int, ...]:
    """Who is higher has the better place."""
    return tuple((1 + (heights[None, :] > heights[:, None]).sum(1)).tolist())


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of tournament: so many blocks at tables of so many seats.

    Of two neighbouring seats the later one is ahead in a share `decided` of the games that do not end level; a share of
    `ties` does (between two, whoever plays; at larger tables all three or more places are shared). `effect` is the
    standard deviation of what a start is worth to an entrant, `strengths` those of the entrants: all in logits.

    With a `rule`, entrant 0 comes first from the first half of the seats; from the others all share their places in
    that share of games, and in the rest it comes first too. So nearly all blocks are equal, and do not end level.
    """

    seats: int
    blocks: int
    strengths: tuple[float, ...] = (0.0, 0.0)
    decided: float = 0.5
    ties: float = 0.0
    effect: float = 0.0
    rule: float | None = field(default=None, repr=False)

    def results(self, chance: Chance) -> list[Result]:
        """The games of one tournament. Everybody plays about equally often."""
        order = np.array(list(seatings(range(self.seats))))
        tables = self._tables(chance)[:, order]  # block, game, seat
        start = self.effect * chance.normal(self.blocks, len(self.strengths))
        heights = np.array(self.strengths)[tables] + start[np.arange(self.blocks)[:, None, None], tables]
        heights = heights + log(self.decided / (1 - self.decided)) * np.arange(self.seats)
        heights = heights + chance.gumbel(*tables.shape)
        placed = 1 + (heights[..., None, :] > heights[..., :, None]).sum(-1)
        placed[chance.uniform(*tables.shape[:2]) < self.ties] = 1
        if self.rule is not None:
            level = (np.argmax(tables == 0, 2) >= self.seats / 2) & (chance.uniform(*tables.shape[:2]) < self.rule)
            placed = np.where(level[..., None] | (tables == 0), 1, 2)
        blocks = np.broadcast_to(np.arange(self.blocks)[:, None], tables.shape[:2])
        rows = (array.reshape(-1, *array.shape[2:]).tolist() for array in (blocks, tables, placed))
        return [Result("", block, tuple(seats), tuple(row)) for block, seats, row in zip(*rows, strict=True)]

    def _tables(self, chance: Chance) -> Array:
        """Who sits together: dealt from packs of all entrants, of which what is left goes under the next."""
        many, found, left = len(self.strengths), [], list[int]()
        while len(found) < self.blocks:
            if len(left) < self.seats:
                left += [one for one in chance.order(many) if one not in left]
            found.append(left[: self.seats])
            left = left[self.seats :]
        return np.array(found)


@dataclass(frozen=True, slots=True)
class Kept:
    """How well ratings kept their word over many tournaments, as shares.

    Of the intervals that were shown, those that `covered` the truth; of all intervals, those that were `missing`; of
    all pairs, those of which one was said to be stronger with more than 95 % (`likely`); and the median half width.
    """

    covered: float
    missing: float
    likely: float
    width: float


def truth(case: Case, blocks: int = 6000) -> Array:
    """The Elo that very many games would show."""
    if case.rule is not None:
        ahead = 1 - case.rule * (case.seats // 2) / case.seats / 2
        return elo_of(ahead) * ((np.arange(len(case.strengths)) == 0) - 1 / len(case.strengths))
    if len(set(case.strengths)) == 1:
        return np.zeros(len(case.strengths))
    results = replace(case, blocks=blocks).results(Chance("truth"))
    return np.array(rate(results, len(case.strengths), seat_effects=False).elo)


def kept(case: Case, tournaments: int) -> Kept:
    """Rate so many tournaments of a kind."""
    count, true = len(case.strengths), truth(case)
    pairs = np.triu_indices(count, 1)
    errors, misses, likely = [], [], []
    for number in range(tournaments):
        found = rate(case.results(Chance(f"{case} {number}")), count, seat_effects=False)
        errors.append(found.error)
        misses.append(abs(np.array(found.elo) - true))
        likely.append(abs(np.array(found.superiority)[pairs] - 0.5) > 0.45)
    error, shown = np.array(errors), np.isfinite(errors)
    covered = (np.array(misses) <= error + 1e-9)[shown]
    if not shown.any():
        return Kept(1.0, 1.0, float(np.mean(likely)), 0.0)
    return Kept(float(covered.mean()), float(1 - shown.mean()), float(np.mean(likely)), float(np.median(error[shown])))


def bradley_terry(strengths: Sequence[float]) -> Callable[[Fixture], tuple[int, ...]]:
    """Plays fixtures: the same one always ends the same, as between programs that are seeded by it."""

    def play(fixture: Fixture) -> tuple[int, ...]:
        heights = np.array([strengths[entrant] for entrant in fixture.seats])
        return places(heights + Chance(fixture.id).gumbel(len(heights)))

    return play


def lower_wins(fixture: Fixture) -> tuple[int, ...]:
    """Strength is the entrants' order, and luck has no part."""
    return places(-np.array(fixture.seats))


def run(
    schedule: Schedule,
    play: Callable[[Fixture], tuple[int, ...]],
    *,
    shuffled: bool = False,
    at_once: int = 1,
    blocks: int | None = None,
) -> tuple[list[Block], list[Result]]:
    """A whole tournament, or its first blocks. Shuffled, its games end in another order than they began."""
    given: list[Block] = []
    results: list[Result] = []
    running: list[Fixture] = []
    chance = Stream("run", "order")
    while blocks is None or len(given) < blocks:
        block = schedule.next() if len(running) < at_once else None
        if block is not None:
            given.append(block)
            running += block.fixtures
            continue
        if not running:
            assert schedule.over
            break
        fixture = running.pop(chance.randrange(len(running)) if shuffled else 0)
        result = Result(fixture.id, fixture.block, fixture.seats, play(fixture), fixture.contest)
        results.append(result)
        schedule.tell(result)
    return given, results


def schedule_of(format: Format, entrants: int, seats: int = 2, *, seed: str = "seed", contests: int = 1) -> Schedule:
    """Entrants a, b, c ... at a game."""
    names = [chr(ord("a") + number) if number < 26 else f"z{number}" for number in range(entrants)]
    games = [Contest(f"game {number + 1}", (), seats) for number in range(contests)]
    return Schedule(seed, names, games, format)
