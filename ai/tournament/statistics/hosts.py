"""The machines of a tournament: their games, faults and speeds. A slow one changes results: a slow bot loses there.

Workers measure the speed of hosts (speed.py), which is summed up here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from quadrille.ai.tournament.results import Result

#: Maximum relative difference of speeds that counts as equal.
EQUAL: Final = 0.1


@dataclass(frozen=True, slots=True)
class HostFigures:
    """A machine: its games that count, the faults in them, and the median of its speed in all its games."""

    name: str
    games: int
    faults: int
    speed: float


def host_figures(
    results: Sequence[Result], where: Mapping[str, str], speeds: Mapping[str, Sequence[float]]
) -> tuple[HostFigures, ...]:
    """All hosts, by name. `where` has each game's host by its id."""
    games = Counter(where[result.game] for result in results)
    faults = Counter(where[result.game] for result in results for fault in result.faults if fault is not None)
    return tuple(HostFigures(name, games[name], faults[name], median(found)) for name, found in sorted(speeds.items()))


def slower(hosts: Sequence[HostFigures]) -> tuple[str, dict[str, float]]:
    """The fastest host, and the relative speeds of those slower by more than `EQUAL`."""
    if not hosts:
        return "", {}
    quickest = max(hosts, key=lambda host: host.speed)
    parts = {host.name: host.speed / quickest.speed for host in hosts}
    return quickest.name, {name: part for name, part in parts.items() if part < 1 - EQUAL}
