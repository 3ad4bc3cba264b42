"""The score of one match in Elo: what ratings are compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt

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
