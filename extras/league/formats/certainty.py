"""The certainty of a ranking, computed again for each round of a ladder: Bradley-Terry on points alone.

The total points of each entrant and the number of meetings of each pair are sufficient for this model: so a ladder
keeps no results. ratings.py computes ratings with proper errors.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import erf, exp, pi, sqrt
from typing import Final

from quadrille.ai.tournament.schedules.schedule import Points, Table
from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.ratings import RIDGE

#: Digits to which gains are compared; a lot decides between equals. No machine's last bit should draw a table.
DIGITS: Final = 9
_STEPS: Final = 50


class Certainty:
    """Present strengths, and their certainty after all planned games."""

    def __init__(self, entrants: int, seats: int) -> None:
        self.strengths: Array = np.zeros(entrants)
        self._won: Array = np.zeros(entrants)
        self._met: Array = np.zeros((entrants, entrants))
        self._planned: Array = np.zeros((entrants, entrants))
        self._seats = seats
        self._games = 1.0  # meetings of any two at a table in a block

    def plan(self, table: Table) -> None:
        """Plan a table."""
        self._add(self._planned, table, 1)

    def enter(self, tables: Sequence[Table], points: Points) -> None:
        """Add the points of planned tables."""
        for table, row in zip(tables, points, strict=True):
            self._games = sum(row) / (self._seats * (self._seats - 1))
            self._add(self._met, table, self._games)
            for entrant, won in zip(table, row, strict=True):
                self._won[entrant] += won / 2
        for _ in range(_STEPS):
            expected = 1 / (1 + np.exp(self.strengths[None, :] - self.strengths[:, None]))
            slope = self._won - (self._met * expected).sum(1) - RIDGE * self.strengths
            step = np.linalg.solve(self._information(self._met), slope)
            # near the start a full step may go too far; one unit is far
            self.strengths += step / max(1.0, float(abs(step).max()))
            if abs(step).max() < 1e-12:
                break

    def promising(self, lots: Sequence[int]) -> Iterator[Table]:
        """The tables with the most valuable games, equals by lot: each is a pair and the entrants who would gain most
        by joining it; in the end all entrants.
        """
        gains = self._gains()[lots][:, lots]
        first, second = np.triu_indices(len(lots), 1)
        for place in np.argsort(-gains[first, second], kind="stable"):
            table = [first[place], second[place]]
            while len(table) < self._seats:
                joined = gains[table].sum(0)
                joined[table] = -1  # they are at the table already
                table.append(joined.argmax())
            yield tuple(sorted(lots[place] for place in table))
        yield from combinations(sorted(lots), self._seats)

    def _gains(self) -> Array:
        """The expected loss of ranking any two as they stand, to `DIGITS`, as whole numbers."""
        spread = np.linalg.inv(self._information(self._planned * self._games) * 3 / (self._seats + 1))
        variances = np.diag(spread)
        sigma = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * spread, 1e-18))
        apart = abs(self.strengths[:, None] - self.strengths[None, :])
        above = np.triu_indices(len(sigma), 1)
        found = np.zeros(sigma.shape, dtype=np.int64)
        found[above] = np.rint(10**DIGITS * np.array(list(map(_loss, apart[above].tolist(), sigma[above].tolist()))))
        return found + found.T

    def _information(self, met: Array) -> Array:
        expected = 1 / (1 + np.exp(self.strengths[None, :] - self.strengths[:, None]))
        each = met * expected * (1 - expected)
        return np.diag(each.sum(1) + RIDGE) - each

    @staticmethod
    def _add(matrix: Array, table: Table, games: float) -> None:
        for one in table:
            for other in table:
                if one != other:
                    matrix[one, other] += games


def _loss(apart: float, sigma: float) -> float:
    """The mean positive part of a normal value about -apart."""
    z = apart / sigma
    return sigma * exp(-z * z / 2) / sqrt(2 * pi) - apart * (1 - erf(z / sqrt(2))) / 2
