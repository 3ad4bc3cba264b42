"""Stopping rules: when a match is decided, however often somebody checks.

To check now and then, and to stop when the error bar leaves 0, is wrong half of the time. Here a gambler bets against
each claim about the true mean score, at odds that are fair if the claim is true. A gambler who bets against the
truth multiplies the stake by 1 / alpha with a chance of alpha at most, whenever one looks (J. Ville). So a claim
against which that has been won is ruled out, however few blocks there are and however they scatter.

Both rules take the score of one block after another, in schedule order and only of complete blocks (counting.py): so
the moment of decision follows from the results alone, and not from the moments of checks. A decision is final.

A block's score is the share that an entrant took of what it could have taken from the other, or from all others: from
0 to 1. Elo is that of such a score: 400 log10(score / (1 - score)).
"""

from collections.abc import Iterable, Sequence
from math import log
from typing import Final, Literal, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.arrays import Array, np

Verdict: TypeAlias = Literal["stronger", "not stronger", "weaker"]
#: Equivalent to the scores 0.00001 and 0.99999.
MOST_ELO: Final = 2000


def score_of(elo: float) -> float:
    """Return the score for a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def _taken(result: Result, entrant: int, against: int | None) -> tuple[int, int]:
    """Return the half points that the entrant took in a game, and the maximum."""
    if entrant not in result.seats or (against is not None and against not in result.seats):
        return 0, 0
    seat = result.seats.index(entrant)
    if against is None:
        return result.halves[seat], 2 * (len(result.seats) - 1)
    mine, other = result.places[seat], result.places[result.seats.index(against)]
    return (mine <= other) + (mine < other), 2


def block_scores(blocks: Iterable[Sequence[Result]], entrant: int, against: int | None = None) -> list[float]:
    """Return the entrant's score in each of its blocks, against one opponent if it is named."""
    scores = []
    for block in blocks:
        games = [_taken(game, entrant, against) for game in block]
        if halves := sum(whole for _, whole in games):
            scores.append(sum(taken for taken, _ in games) / halves)
    return scores


class Wager:
    """The log of the winnings of gamblers, one against each of the `means`.

    A gambler stakes what grows fastest (J. L. Kelly) if the true mean is the `guess`, or without one the mean of the
    scores so far (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86,
    2024). A bet on higher scores at the odds of a mean loses on average, too, if the true mean is lower still.
    The stake is settled before the score is seen. Scores may be arrays, whose axes come before that of the means.
    """

    #: A first guess at the variance of a score: that of two games without shared places.
    VARIANCE: Final = 0.125
    #: Maximum share of the winnings that a loss takes.
    MOST: Final = 0.9

    def __init__(self, means: Sequence[float] | Array, guess: Sequence[float] | None = None) -> None:
        self.means = np.asarray(means)
        self.winnings: Array = np.zeros(len(self.means))
        self._guess = guess
        self._taken = 1
        self._sum: Array = np.array(0.5)
        self._squares: Array = np.array(0.25 + self.VARIANCE)

    @property
    def mean(self) -> Array:
        """The mean so far, with a first score of a half."""
        return self._sum / self._taken

    def bet(self, score: Array) -> None:
        """Bet once against each mean."""
        mean, squares = self.mean[..., None], (self._squares / self._taken)[..., None]
        gap = (mean if self._guess is None else np.asarray(self._guess)) - self.means
        away = np.maximum(squares - 2 * self.means * mean + self.means**2, gap**2)  # mean square of score - means
        stake = np.clip(gap / away, -self.MOST / (1 - self.means), self.MOST / self.means)
        self.winnings = self.winnings + np.log1p(stake * (score[..., None] - self.means))
        self._taken += 1
        self._sum = self._sum + score
        self._squares = self._squares + score**2


class Sprt:
    """A sequential test between two differences in Elo: "stronger" if `elo0` or less is ruled out, which errs with a
    chance of `alpha` at most, and "not stronger" if `elo1` or more is, with `beta`. Each gambler bets that the other
    hypothesis is true.
    """

    def __init__(self, elo0: float, elo1: float, *, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
            raise TournamentError(
                f"a test needs a lower and a higher Elo, from {-MOST_ELO} to {MOST_ELO}: not {elo0:g} and {elo1:g}"
            )
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise TournamentError(f"the chances of an error are above 0 and below 0.5: not {alpha:g} and {beta:g}")
        bounds = score_of(elo0), score_of(elo1)
        self.wager = Wager(bounds, bounds[::-1])
        #: The logs of the winnings that rule out either hypothesis.
        self.enough = (log(1 / alpha), log(1 / beta))
        self.blocks = 0
        self.verdict: Verdict | None = None

    def take(self, score: float) -> Verdict | None:
        """Take the next block's score; after the verdict it is ignored."""
        if self.verdict is None:
            self.blocks += 1
            self.wager.bet(np.array(score))
            higher, lower = self.wager.winnings >= self.enough
            self.verdict = "stronger" if higher else "not stronger" if lower else None
        return self.verdict


class ConfidenceSequence:
    """Intervals after each block that all hold the true mean score, with probability 1 - `alpha`: those means that have
    never been ruled out. A verdict is there when a score of a half is ruled out.
    """

    MEANS: Final = 1001

    def __init__(self, *, alpha: float = 0.05) -> None:
        if not 0 < alpha < 1:
            raise TournamentError(f"the chance of an error is between 0 and 1: not {alpha:g}")
        self.enough = log(1 / alpha)
        self.blocks = 0
        self.low, self.high = 0.0, 1.0
        self.verdict: Verdict | None = None
        means = np.linspace(0, 1, self.MEANS)[1:-1]
        self._wager = Wager(np.append(means, 0.5))
        self._open = np.ones(len(means), dtype=bool)

    def take(self, score: float) -> Verdict | None:
        """Take the next block's score. The interval goes on after the verdict."""
        self.blocks += 1
        self._wager.bet(np.array(score))
        ruled_out = self._wager.winnings >= self.enough
        self._open &= ~ruled_out[:-1]
        left = np.flatnonzero(self._open)
        if len(left):
            self.low, self.high = float(left[0] / (self.MEANS - 1)), float((left[-1] + 2) / (self.MEANS - 1))
        if self.verdict is None and ruled_out[-1]:
            self.verdict = "stronger" if self._wager.mean > 0.5 else "weaker"
        return self.verdict
