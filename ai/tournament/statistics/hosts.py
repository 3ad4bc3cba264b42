"""Detects machines with deviating results: where bots do better or worse than elsewhere, or fail.

A slow or busy machine changes results: a slow bot loses there. So for each host the scores of all entrants are
compared with the prediction of their strengths (ratings.py), and faults with their mean; together they are a
chi-square, whose covariance is taken from the scatter of blocks. Holm's correction keeps the chance that any host is
named, if all are alike, at most `RATE`. If one differs from the others, they differ from it too: so the others are
compared again without it. Workers measure the speed of hosts (speed.py), which is summed up here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, median
from typing import Final

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.arrays import Array, np

#: The chance that a host is named if all are alike.
RATE: Final = 0.05
#: Minimum games for each compared value.
LEAST: Final = 10
#: Maximum relative difference of speeds that counts as equal.
EQUAL: Final = 0.1
#: Share of the greatest variance that counts as zero.
_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class HostFigures:
    """A machine: its games that count, faults in them, its distance from the others and the chance of that, corrected
    for the number of machines; 1 if there are too few games.
    """

    name: str
    games: int
    faults: int
    residual: float
    corrected: float


def compare(
    results: Sequence[Result], where: Mapping[str, str], expected: Sequence[Sequence[float]]
) -> tuple[HostFigures, ...]:
    """All hosts, by name. `where` has each game's host by its id, `expected` the score of a row against a column."""
    found = _compared(results, where, expected)
    worst = min(found, key=lambda host: host.corrected, default=None)
    if worst is None or worst.corrected > RATE or len(found) < 3:
        return found
    rest = compare([result for result in results if where[result.game] != worst.name], where, expected)
    return tuple(sorted((worst, *rest), key=lambda host: host.name))


def named(hosts: Sequence[HostFigures]) -> list[HostFigures]:
    """Those beyond chance."""
    return [host for host in hosts if host.corrected <= RATE]


def medians(speeds: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The speed of each host, from all its games: every worker measures it now and then."""
    return {name: median(found) for name, found in speeds.items()}


def slower(speeds: Mapping[str, float]) -> tuple[str, dict[str, float]]:
    """The fastest host, and the relative speeds of those slower by more than `EQUAL`."""
    quickest = max(sorted(speeds), key=speeds.__getitem__, default="")
    parts = {name: speed / speeds[quickest] for name, speed in sorted(speeds.items())}
    return quickest, {name: part for name, part in parts.items() if part < 1 - EQUAL}


def _compared(
    results: Sequence[Result], where: Mapping[str, str], expected: Sequence[Sequence[float]]
) -> tuple[HostFigures, ...]:
    """Each compared with all the others."""
    names = sorted({where[result.game] for result in results})
    numbers = {name: number for number, name in enumerate(names)}
    host = np.array([numbers[where[result.game]] for result in results], dtype=int)
    faults = np.array([sum(fault is not None for fault in result.faults) for result in results], dtype=float)
    games = np.bincount(host, minlength=len(names))
    failed = np.bincount(host, faults, minlength=len(names))
    chances = [1.0] * len(names)
    distances = [0.0] * len(names)
    if len(names) > 1:
        sums, covariance = _scatter(results, host, faults, np.array(expected))
        for number in range(len(names)):
            share = games[number] / len(results)
            distances[number], degrees = _distance(sums[number], covariance * share * (1 - share))
            if degrees and min(games[number], len(results) - games[number]) >= LEAST * degrees:
                chances[number] = _tail(distances[number], degrees)
    least = 0.0
    for place, number in enumerate(sorted(range(len(names)), key=chances.__getitem__)):
        least = chances[number] = max(least, min(1.0, chances[number] * (len(names) - place)))
    return tuple(
        HostFigures(name, int(games[number]), int(failed[number]), float(distances[number]), chances[number])
        for number, name in enumerate(names)
    )


def _scatter(results: Sequence[Result], host: Array, faults: Array, expected: Array) -> tuple[Array, Array]:
    """The sums of the residuals by host, and their scatter: by entrant, and faults last."""
    many = len(expected)
    blocks = np.array([result.block for result in results])
    _, cluster = np.unique(np.stack([host, blocks]), axis=1, return_inverse=True)
    cluster = cluster.reshape(-1)
    found = np.zeros((int(cluster.max()) + 1, many + 1))
    found[:, many] = np.bincount(cluster, faults - faults.mean())
    for size in {len(result.seats) for result in results}:
        rows = np.array([number for number, result in enumerate(results) if len(result.seats) == size])
        seats = np.array([results[row].seats for row in rows])
        places = np.array([results[row].places for row in rows])
        ahead = (places[:, :, None] < places[:, None, :]) + (places[:, :, None] == places[:, None, :]) / 2
        surplus = np.where(np.eye(size, dtype=bool), 0, ahead - expected[seats[:, :, None], seats[:, None, :]])
        np.add.at(found, (cluster[rows, None], seats), surplus.sum(2) / (size - 1))
    whose = np.zeros(len(found), dtype=int)
    whose[cluster] = host
    sums = np.zeros((int(host.max()) + 1, many + 1))
    np.add.at(sums, whose, found)
    return sums, found.T @ found


def _distance(sums: Array, covariance: Array) -> tuple[float, int]:
    """The chi-square and its degrees of freedom; constant or dependent values have none."""
    values, vectors = np.linalg.eigh(covariance)
    real = values > _NOTHING * max(values.max(), _NOTHING)
    return float(((sums @ vectors[:, real]) ** 2 / values[real]).sum()), int(real.sum())


def _tail(distance: float, degrees: int) -> float:
    """The chance of a chi-square at least that large (E. B. Wilson and M. M. Hilferty, PNAS 17, 1931)."""
    spread = 2 / (9 * degrees)
    return 1 - NormalDist().cdf(((distance / degrees) ** (1 / 3) - (1 - spread)) / sqrt(spread))
