"""Stopping rules: when a match is decided, however often somebody checks.

To check now and then, and to stop when the error bar leaves 0, is wrong half of the time. Two rules are sound: a
sequential test between two hypotheses (GSPRT), and a confidence sequence, whose intervals all hold at once. Both are
machines that take the score of one block after another, in schedule order and only of complete blocks (counting.py):
so the moment of decision follows from the results alone, and not from the moments of checks. A decision is final.

A block's score is the share that an entrant took of what it could have taken from the other, or from all others: from
0 to 1. Elo is that of such a score: 400 log10(score / (1 - score)).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from typing import Final, Literal, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.arrays import Array, np

Verdict: TypeAlias = Literal["stronger", "not stronger", "weaker"]
#: The pseudo-count of unseen scores, so that no hypothesis is impossible: a thousandth of a block at each of the five
#: scores that two games can have, as in fishtest and fastchess.
UNSEEN: Final = 1e-3
FIVE: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_HALVINGS: Final = 40
#: Equivalent to the scores 0.00001 and 0.99999.
MOST_ELO: Final = 2000


def score_of(elo: float) -> float:
    """The score for a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo for a score; infinite for 0 and 1."""
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


def _taken(result: Result, entrant: int, against: int | None) -> tuple[int, int]:
    """The half points that the entrant took in a game, and the maximum."""
    if entrant not in result.seats or (against is not None and against not in result.seats):
        return 0, 0
    seat = result.seats.index(entrant)
    if against is None:
        return result.halves[seat], 2 * (len(result.seats) - 1)
    mine, other = result.places[seat], result.places[result.seats.index(against)]
    return (mine <= other) + (mine < other), 2


def block_scores(blocks: Iterable[Sequence[Result]], entrant: int, against: int | None = None) -> list[float]:
    """The entrant's score in each of its blocks, against one opponent if it is named."""
    scores = []
    for block in blocks:
        games = [_taken(game, entrant, against) for game in block]
        if there := sum(whole for _, whole in games):
            scores.append(sum(taken for taken, _ in games) / there)
    return scores


@dataclass(frozen=True, slots=True)
class MeanScore:
    """A mean score of a match and its two standard errors: by the scatter of blocks, which is right, and as if all
    games were independent, which others print.
    """

    blocks: int
    games: int
    mean: float
    by_block: float
    by_game: float


def field_scores(results: Iterable[Result], entrants: int) -> tuple[MeanScore | None, ...]:
    """Everybody's score against all; None for an entrant without a game."""
    games: list[list[float]] = [[] for _ in range(entrants)]
    blocks: list[dict[int, list[float]]] = [defaultdict(list) for _ in range(entrants)]
    for result in results:
        most = 2 * (len(result.seats) - 1)
        for entrant, halves in zip(result.seats, result.halves, strict=True):
            games[entrant].append(halves / most)
            blocks[entrant][result.block].append(halves / most)
    return tuple(
        MeanScore(
            len(blocked),
            len(row),
            sum(row) / len(row),
            _standard_error([sum(block) / len(block) for block in blocked.values()]),
            _standard_error(row),
        )
        if row
        else None
        for row, blocked in zip(games, blocks, strict=True)
    )


def _standard_error(scores: Sequence[float]) -> float:
    mean = sum(scores) / len(scores)
    return sqrt(sum((score - mean) ** 2 for score in scores)) / len(scores)


def likelihood_ratio(values: Array, counts: Array, low: float, high: float) -> Array:
    """The log-likelihood ratio of a mean of `high` against one of `low`, for these counts of score values.

    The generalized ratio: everything about a distribution but its mean is free. The last axis of `counts` goes with
    `values`.
    """
    regular = np.where(counts > 0, counts, UNSEEN * np.isin(values, FIVE))[..., None, :]
    means = np.array([low, high])
    away = values - means[:, None]
    # With that mean the best distribution is counts / (1 + t (values - mean)), where t makes the mean come true; it
    # falls as t grows, so that halving finds t.
    near = np.broadcast_to(-1 / (1 - means), (*regular.shape[:-2], 2))
    far = np.broadcast_to(1 / means, near.shape)
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        falls = (regular * away / (1 + middle[..., None] * away)).sum(-1) < 0
        near, far = np.where(falls, near, middle), np.where(falls, middle, far)
    best = -(regular * np.log1p(near[..., None] * away)).sum(-1)
    return best[..., 1] - best[..., 0]


class Wager:
    """The log of the winnings of a gambler who bets that the mean score is `other` and not `mean`.

    The odds are fair at `mean`, and bad beyond it. So a gambler who is wrong multiplies the stake by 1 / `alpha` with
    a chance of `alpha` at most, however few blocks there are and however they scatter (J. Ville). The bet is the one
    that grows fastest if `other` is right; how far scores scatter is learned from those before. Scores may be arrays.
    """

    #: A first guess at the mean squared distance of a score from `mean`: that of two games without shared places.
    GUESS: Final = 0.125
    #: Maximum share of the wealth that a loss takes.
    MOST: Final = 0.9

    def __init__(self, mean: float, other: float) -> None:
        self.mean = mean
        self.wealth: Array = np.array(0.0)
        self._gap = other - mean
        self._most = self.MOST / (mean if other > mean else 1 - mean)
        self._squares: Array = np.array(self.GUESS)
        self._taken = 1

    def bet(self, score: Array) -> None:
        """Bet; the stake is settled before the score is seen."""
        square = np.maximum(self._squares / self._taken, self._gap**2)
        stake = np.clip(self._gap / square, -self._most, self._most)
        self.wealth = self.wealth + np.log1p(stake * (score - self.mean))
        self._squares = self._squares + np.square(score - self.mean)
        self._taken += 1


class Gsprt:
    """A test between two differences in Elo: "stronger" if `elo1` explains the scores better than `elo0`, by so much
    that it errs in `alpha` of the cases in which `elo0` is true; "not stronger" the other way round, with `beta`.

    The ratio alone errs more often where few blocks decide, as between hypotheses that are far apart: it takes the
    scatter of those few for the truth. So a verdict also takes a wager that has been won against the other hypothesis.
    """

    def __init__(self, elo0: float, elo1: float, *, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
            raise TournamentError(
                f"a test needs a lower and a higher Elo, from {-MOST_ELO} to {MOST_ELO}: not {elo0:g} and {elo1:g}"
            )
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise TournamentError(f"the chances of an error are above 0 and below 0.5: not {alpha:g} and {beta:g}")
        self.low, self.high = score_of(elo0), score_of(elo1)
        self.bounds = (log(beta / (1 - alpha)), log((1 - beta) / alpha))
        self.ratio = 0.0
        self.blocks = 0
        self.verdict: Verdict | None = None
        self._counts: dict[float, int] = dict.fromkeys(FIVE, 0)
        self._above, self._below = Wager(self.low, self.high), Wager(self.high, self.low)
        self._enough = (log(1 / alpha), log(1 / beta))

    def take(self, score: float) -> Verdict | None:
        """Take the next block's score; after the verdict it is ignored."""
        if self.verdict is None:
            self.blocks += 1
            self._counts[score] = self._counts.get(score, 0) + 1
            values, counts = np.array(sorted(self._counts.items())).T
            self.ratio = float(likelihood_ratio(values, counts, self.low, self.high))
            for wager in (self._above, self._below):
                wager.bet(np.array(score))
            if self.ratio >= self.bounds[1] and self._above.wealth >= self._enough[0]:
                self.verdict = "stronger"
            elif self.ratio <= self.bounds[0] and self._below.wealth >= self._enough[1]:
                self.verdict = "not stronger"
        return self.verdict


class ConfidenceSequence:
    """Intervals after each block that all hold the true mean score, with probability 1 - `alpha`.

    For every possible mean a gambler bets against it, on either side, at odds that would be fair if it were true; a
    mean that lets one of them win 2 / `alpha` times the stake is ruled out (I. Waudby-Smith and A. Ramdas,
    "Estimating means of bounded random variables by betting", JRSS B 86, 2024). A verdict is there when the interval
    has left `level`.
    """

    MEANS: Final = 1001

    def __init__(self, *, alpha: float = 0.05, level: float = 0.5) -> None:
        if not (0 < alpha < 1 and 0 < level < 1):
            raise TournamentError(f"the chance of an error and the score are between 0 and 1: not {alpha:g}, {level:g}")
        self.alpha = alpha
        self.level = level
        self.blocks = 0
        self.low, self.high = 0.0, 1.0
        self.verdict: Verdict | None = None
        means = np.linspace(0, 1, self.MEANS)[1:-1]
        self._purse = Purse(np.append(means, level), alpha)
        self._open = np.ones(len(means), dtype=bool)

    def take(self, score: float) -> Verdict | None:
        """Take the next block's score. The interval goes on after the verdict."""
        self.blocks += 1
        self._purse.bet(np.array(score))
        ruled_out = self._purse.wealth >= log(1 / self.alpha)
        self._open &= ~ruled_out[:-1]
        left = np.flatnonzero(self._open)
        if len(left):
            self.low, self.high = float(left[0] / (self.MEANS - 1)), float((left[-1] + 2) / (self.MEANS - 1))
        if self.verdict is None and ruled_out[-1]:
            self.verdict = "stronger" if self._purse.mean > self.level else "weaker"
        return self.verdict


class Purse:
    """The winnings so far of the gamblers against some means: `wealth`, the log of the better of two purses of a half
    each.

    Scores may be arrays, whose axes come before that of the means: many sequences at once.
    """

    def __init__(self, means: Array, alpha: float) -> None:
        self.means = means
        self.mean: Array = np.array(0.5)
        self.wealth: Array = np.zeros(len(means))
        self._alpha = alpha
        self._taken = 0
        self._sum: Array = 0.5
        self._squares: Array = 0.25
        self._above: Array = np.zeros(len(means))
        self._below: Array = np.zeros(len(means))

    def bet(self, score: Array) -> None:
        """Bet; stakes are settled before the score is seen, from the scatter so far."""
        time = self._taken + 1
        variance = self._squares / time
        stake = np.sqrt(2 * log(2 / self._alpha) / (variance * time * log(1 + time)))[..., None]
        away = score[..., None] - self.means
        self._above = self._above + np.log1p(np.minimum(stake, 0.5 / self.means) * away)
        self._below = self._below + np.log1p(-np.minimum(stake, 0.5 / (1 - self.means)) * away)
        self.wealth = np.maximum(self._above, self._below) - log(2)
        self._taken = time
        self._sum = self._sum + score
        self.mean = self._sum / (time + 1)
        self._squares = self._squares + (score - self.mean) ** 2
