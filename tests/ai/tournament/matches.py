"""The score of one match in Elo, as other programs print it: what published figures are compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.stopping import block_scores


def elo_of(score: float) -> float:
    """The difference in Elo for a score; infinite for 0 and 1."""
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class MeanScore:
    """A mean score, and its standard errors by the scatter of blocks and as if all games were independent."""

    blocks: int
    games: int
    mean: float
    by_block: float
    by_game: float


def match_score(blocks: Sequence[Sequence[Result]], entrant: int, against: int | None = None) -> MeanScore:
    """How a match stands."""
    scores = block_scores(blocks, entrant, against)
    games = block_scores(([game] for block in blocks for game in block), entrant, against)
    return MeanScore(len(scores), len(games), sum(games) / len(games), standard_error(scores), standard_error(games))


def standard_error(scores: Sequence[float]) -> float:
    mean = sum(scores) / len(scores)
    return sqrt(sum((score - mean) ** 2 for score in scores)) / len(scores)


def elo_error(score: MeanScore, level: float = 0.95) -> float:
    """Half of the interval of the difference in Elo."""
    reach = NormalDist().inv_cdf((1 + level) / 2) * score.by_block
    return (elo_of(min(1, score.mean + reach)) - elo_of(max(0, score.mean - reach))) / 2


def superiority(score: MeanScore) -> float:
    """The likelihood that the true score is above a half."""
    if not score.by_block:
        return 0.5 if score.mean == 0.5 else float(score.mean > 0.5)
    return NormalDist().cdf((score.mean - 0.5) / score.by_block)
