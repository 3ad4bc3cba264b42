"""The placement of one entrant among others whose strength is known: most games where they tell most.

The first rounds are spread over all of them. Then a round meets those against whom a game narrows the newcomer's
strength most: near equals, and not always the same one, whose own error would remain.
"""

from dataclasses import dataclass
from math import exp, log, log1p
from typing import ClassVar, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Points, Round, Table

#: Points of Elo for a unit of strength, and standard deviations in half of a 95 % interval.
_ELO: Final = 400 / log(10)
_SIGMAS: Final = 1.96
#: The possible strengths of a newcomer: this far beyond the others, in these steps; and the deviation of a first guess.
_BEYOND: Final = 600
_STEP: Final = 20
_GUESS: Final = 500.0
#: Rounds that look at all strengths, before any result is there.
SPREAD: Final = 2
#: Digits to which gains are compared: no machine's last bit should draw a table.
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class Placement(Format):
    """Rounds of `at_once` games of the first entrant against different others, whose Elo and 95 % errors are known,
    in their order. A round is drawn while the one before it is still being played.
    """

    elo: tuple[float, ...]
    error: tuple[float, ...]
    rounds: int = 50
    at_once: int = 4
    behind: ClassVar[int] = 1
    about: ClassVar[int] = 0
    grows: ClassVar[str] = "rounds"
    in_files: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "elo", tuple(self.elo))  # a journal has lists
        object.__setattr__(self, "error", tuple(self.error))

    def check(self, entrants: int, seats: int) -> None:
        """Require two seats, and a strength for everybody but the first."""
        if seats != 2 or not len(self.elo) == len(self.error) == entrants - 1:
            raise TournamentError("a placement is for two seats, and knows the strength of all entrants but the first")

    def tables(self, entrants: int, seats: int) -> int:
        return self.rounds * min(self.at_once, entrants - 1)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        estimate, playing = Estimate(self.elo, self.error), list[tuple[Table, ...]]()
        for number in range(self.rounds):
            count = min(self.at_once, entrants - 1)
            chosen = estimate.spread(number, count) if number < SPREAD else estimate.telling(count)
            estimate.plan(chosen)
            playing.append(tuple((0, 1 + other) for other in chosen))
            points: Points = yield Round(range(number, number + 1), playing[-1])
            if points:
                for (_, other), (own, theirs) in zip(playing.pop(0), points, strict=True):
                    estimate.enter(other - 1, own, own + theirs)
        return None


class Estimate:
    """The likelihoods of all possible strengths of the newcomer."""

    def __init__(self, elo: tuple[float, ...], error: tuple[float, ...]) -> None:
        self._elo = elo
        self._doubt = [max(deviation, 1.0) / _SIGMAS / _ELO for deviation in error]
        middle = (min(elo) + max(elo)) / 2
        self._at = [*range(int(min(elo)) - _BEYOND, int(max(elo)) + _BEYOND + 1, _STEP)]
        self._seen = [-(((at - middle) / _GUESS) ** 2) / 2 for at in self._at]
        self._planned = [0] * len(elo)

    def spread(self, number: int, count: int) -> list[int]:
        """Choose opponents from the whole range, others in each round."""
        ranked = sorted(range(len(self._elo)), key=lambda other: (self._elo[other], other))
        last = len(ranked) - 1
        places = sorted({round((part + number / SPREAD) * last / max(count - 1 / SPREAD, 1)) for part in range(count)})
        rest = [place for place in range(len(ranked)) if place not in places]
        return [ranked[min(place, last)] for place in (*places, *rest)][:count]

    def telling(self, count: int) -> list[int]:
        """Choose the opponents against whom the next block tells most."""
        most = max(self._seen)
        weights = [exp(seen - most) for seen in self._seen]
        whole = sum(weights)
        gains = []
        for other, elo in enumerate(self._elo):
            chances = (_chance(at - elo) for at in self._at)
            information = sum(w * p * (1 - p) for w, p in zip(weights, chances, strict=True)) / whole
            before, after = (self._worth(other, information, self._planned[other] + more) for more in (0, 2))
            gains.append(round(after - before, _DIGITS))
        return sorted(range(len(gains)), key=lambda other: (-gains[other], other))[:count]

    def plan(self, others: list[int]) -> None:
        for other in others:
            self._planned[other] += 2

    def enter(self, other: int, own: int, points: int) -> None:
        """Enter the half points of a block; each comparison of it has two."""
        for place, at in enumerate(self._at):
            gap = (at - self._elo[other]) / _ELO
            self._seen[place] -= (own * log1p(exp(-gap)) + (points - own) * log1p(exp(gap))) / 2

    def _worth(self, other: int, information: float, games: int) -> float:
        """Compute the information of a number of games against one other, whose own error bounds it."""
        return 0.0 if not games else 1 / (1 / (games * information + 1e-12) + self._doubt[other] ** 2)


def _chance(gap: float) -> float:
    return 1 / (1 + exp(-gap / _ELO))
