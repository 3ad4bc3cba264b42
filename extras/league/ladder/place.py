"""The place of a bot on a ladder: one fit of its games and of all games of the samples that rated the ladder.

So the errors of the samples' ratings are part of the bot's. The scale stays the ladder's: the zero of ratings.py is the
mean of everybody, from which the mean of the samples follows.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.ratings import Ratings, rate, told
from quadrille.extras.league.ladder.ladders import SCORES, RatedLadder, RatedPair

#: The places of two games in which the one takes 0 to 4 of 4 half points.
_PLACES: Final = (
    ((2, 1), (2, 1)),
    ((2, 1), (1, 1)),
    ((1, 1), (1, 1)),
    ((1, 2), (1, 1)),
    ((1, 2), (1, 2)),
)


@dataclass(frozen=True, slots=True)
class Placing:
    """The rating of a bot on the scale of the ladder. `error` is half of its 95 % interval, infinite if games are too
    few; `stronger` has the likelihood that it is stronger than each sample.

    `beyond` is 1 above all samples and -1 below all. There the best strength is too far away on average, because few
    games that end the other way move it far. So only the end of the interval that is nearer to the samples counts.
    """

    elo: float
    error: float
    stronger: Mapping[str, float]
    beyond: int

    @property
    def low(self) -> float:
        return -inf if self.beyond < 0 else self.elo - self.error

    @property
    def high(self) -> float:
        return inf if self.beyond > 0 else self.elo + self.error


def results_of(pairs: Iterable[RatedPair], numbers: Mapping[str, int]) -> Iterator[Result]:
    """Yield the games of a rating run as far as ratings need them: the points of each block."""
    block = 0
    for pair in pairs:
        seats = (numbers[pair.one], numbers[pair.other])
        for places, count in zip(_PLACES, pair.scores, strict=True):
            for _ in range(count):
                yield from (Result("", block, seats, row) for row in places)
                block += 1


def pairs_of(results: Iterable[Result], names: Sequence[str]) -> tuple[RatedPair, ...]:
    """Add up the scores of all pairs in complete blocks of two games."""
    blocks: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for result in results:
        if not result.void:
            first, other = sorted(result.seats)
            halves = dict(zip(result.seats, result.halves, strict=True))
            blocks[result.block, first, other].append(halves[first])
    scores: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * SCORES)
    for (_, first, other), taken in blocks.items():
        if len(taken) == 2:
            scores[first, other][sum(taken)] += 1
    return tuple(RatedPair(names[first], names[other], tuple(row)) for (first, other), row in sorted(scores.items()))


def rated(pairs: Sequence[RatedPair], names: Sequence[str]) -> Ratings:
    """Rate samples from their scores alone."""
    return rate(results_of(pairs, _numbers(names)), len(names), seat_effects=False)


def placed(ladder: RatedLadder, games: Iterable[Result], names: Sequence[str]) -> Placing | None:
    """Place entrant 0 of these games, whose opponents are the samples of these names (the first is the bot's own).
    Return None without a game that counts: those that a sample lost by a fault do not.
    """
    numbers = _numbers([rung.sample.name for rung in ladder.rungs])
    bot, first = len(numbers), sum(sum(pair.scores) for pair in ladder.pairs)
    seats = {0: bot} | {place: numbers[name] for place, name in enumerate(names) if place}
    spoilt, own = set[int](), list[Result]()
    for game in games:
        if any(fault for seat, fault in zip(game.seats, game.faults, strict=False) if seat):
            spoilt.add(game.block)
        own.append(replace(game, block=first + game.block, seats=tuple(seats[seat] for seat in game.seats), contest=0))
    own = [game for game in own if game.block - first not in spoilt and not game.void]
    if not own:
        return None
    ratings = rate([*results_of(ladder.pairs, numbers), *own], bot + 1, seat_effects=False)
    # with the bot among them, the mean of all is off by its own part, and so is the error
    alone = next(group for group in ratings.groups if bot in group) == (bot,)
    error = told(ratings.error[bot] * (1 if alone else (bot + 1) / bot))
    stronger = {name: ratings.superiority[bot][number] for name, number in numbers.items()}
    elo = ratings.elo[bot] - sum(ratings.elo[:bot]) / bot + ladder.mean
    above, below = ladder.neighbours(elo)
    return Placing(elo, error, stronger, (above is None) - (below is None))


def _numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}
