"""Detects collusion at tables of more than two: help beyond chance.

The question for any two: does one do better against third parties if the other sits at the table? The effect of
strength is removed first (ratings.py), and the results between the two are left out: a bad match is no help. Under
the null hypothesis the other players make no difference to a block's score, so the labels "with" and "without" may be
shuffled among an entrant's blocks. The share of shuffles that look as much like help is the p-value (with Welch's
statistic, which stays right if the two sorts of blocks scatter unequally).

Many pairs are tested at once. Holm's correction keeps the chance that anybody at all is named in an honest field at
most `rate`. It says that there is something beyond chance, but not what: two styles may fit together honestly.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.ratings import rate
from quadrille.client.tournament.standings import TournamentStanding
from quadrille.client.tournament.ways import ReportTable
from quadrille.rules.chance import Stream

#: Minimum blocks with and without the helper for a test.
LEAST: Final = 8
#: Size of a batch of shuffles; batches continue until this many look as much like help, or until the smallest p-value
#: that could matter is reached (J. Besag and P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991).
AT_ONCE: Final = 200
ENOUGH: Final = 20


@dataclass(frozen=True, slots=True)
class Favour:
    """The gain of `helped` against third parties, as a score, when `helper` sits at the table: the number of blocks
    with and without, the p-value, and the same corrected for all tested pairs.
    """

    helper: int
    helped: int
    gain: float
    blocks_with: int
    blocks_without: int
    p: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Collusion:
    """All tested favours, the most suspicious first. `rate` is the chance that an honest field has anybody named
    (family-wise). `untested` are pairs (helper, helped) who sat together too often or too seldom.
    """

    rate: float
    favours: tuple[Favour, ...]
    untested: tuple[tuple[int, int], ...]

    @property
    def named(self) -> tuple[Favour, ...]:
        """Those beyond chance."""
        return tuple(favour for favour in self.favours if favour.corrected <= self.rate)


def collusion(results: Iterable[Result], entrants: int, *, rate_of_error: float = 0.05, seed: str = "") -> Collusion:
    """Test all pairs of a tournament; games for two seats count for strengths only.

    An entrant that sits with two who help each other does worse there, and so better with anybody who keeps those two
    apart. So once two are named, all others are tested again without the tables at which these two sat.
    """
    rows = [result for result in results if not result.void]
    stream = Stream(seed, "collusion")
    named: list[Favour] = []
    while True:
        found, untested = _tests(rows, entrants, rate_of_error, stream)
        settled = {frozenset((favour.helper, favour.helped)) for favour in named}
        if not found or found[0].corrected > rate_of_error:
            left = tuple(pair for pair in untested if frozenset(pair) not in settled)
            return Collusion(rate_of_error, (*named, *found), left)
        both = {found[0].helper, found[0].helped}
        named += [
            favour for favour in found if {favour.helper, favour.helped} == both and favour.corrected <= rate_of_error
        ]
        rows = [result for result in rows if not both <= {*result.seats}]


def _tests(
    rows: list[Result], entrants: int, error: float, stream: Stream
) -> tuple[tuple[Favour, ...], list[tuple[int, int]]]:
    """All testable pairs, corrected, and the untestable ones."""
    against = residuals(rows, rate(rows, entrants).expected)
    tested: list[tuple[int, int, Array, Array]] = []
    untested = []
    for helper, helped in permutations(range(entrants), 2):
        present, absent = parted(against[helped], helper)
        if min(len(present), len(absent)) < LEAST:
            untested.append((helper, helped))
        else:
            tested.append((helper, helped, present, absent))
    most = int(2 * len(tested) / error) + AT_ONCE
    found = []
    for helper, helped, present, absent in tested:
        p = p_value(present, absent, most, stream)
        gain = float(present.mean() - absent.mean())
        found.append(Favour(helper, helped, gain, len(present), len(absent), p, p))
    return holm(found), untested


def residuals(results: Iterable[Result], expected: tuple[tuple[float, ...], ...]) -> list[list[dict[int, float]]]:
    """For each entrant its blocks in order, and in each by opponent the score beyond what strengths predict."""
    sums: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in sorted(results, key=lambda result: (result.block, result.seats, result.places)):
        if len(result.seats) > 2:
            for one, place in zip(result.seats, result.places, strict=True):
                for other, theirs in zip(result.seats, result.places, strict=True):
                    if one != other:
                        score = ((place <= theirs) + (place < theirs)) / 2
                        sums[one, result.block][other].append(score - expected[one][other])
    found: list[list[dict[int, float]]] = [[] for _ in expected]
    for one, block in sorted(sums):
        found[one].append({other: sum(row) / len(row) for other, row in sums[one, block].items()})
    return found


def parted(blocks: list[dict[int, float]], helper: int) -> tuple[Array, Array]:
    """An entrant's blocks with the helper and without, each as its mean residual against all but the helper."""
    parts: tuple[list[float], list[float]] = ([], [])
    for block in blocks:
        row = [value for other, value in block.items() if other != helper]
        parts[helper not in block].append(sum(row) / len(row))
    return np.array(parts[0]), np.array(parts[1])


def p_value(present: Array, absent: Array, most: int, stream: Stream) -> float:
    """How often shuffled labels look as much like help as the true ones."""
    values = np.concatenate([present, absent])
    seen = _welch(values[None], len(present))[0]
    source = np.random.PCG64(stream.word())
    alike = drawn = 0
    while alike < ENOUGH and drawn < most:
        order = source.random_raw(AT_ONCE * len(values)).reshape(AT_ONCE, -1).argsort(1)
        alike += int((_welch(values[order], len(present)) >= seen - 1e-9).sum())
        drawn += AT_ONCE
    return (1 + alike) / (1 + drawn)


def _welch(rows: Array, count: int) -> Array:
    """The difference of the means of the first `count` values of each row and of the others, in standard errors."""
    here, there = rows[:, :count], rows[:, count:]
    error = np.sqrt(here.var(1, ddof=1) / here.shape[1] + there.var(1, ddof=1) / there.shape[1])
    return (here.mean(1) - there.mean(1)) / np.maximum(error, 1e-12)


def holm(favours: Iterable[Favour]) -> tuple[Favour, ...]:
    """The favours by p-value, corrected so that the chance of any false one is bounded."""
    order = sorted(favours, key=lambda favour: (favour.p, -favour.gain, favour.helper, favour.helped))
    found, least = [], 0.0
    for place, favour in enumerate(order):
        least = max(least, min(1.0, favour.p * (len(order) - place)))
        found.append(replace(favour, corrected=least))
    return tuple(found)


def companions(one: TournamentStanding) -> list[str | ReportTable]:
    """Return the section of the report that names who helps whom."""
    names = one.names
    if one.counted.schedule.seats < 3 or len(names) <= one.counted.schedule.seats or not one.counted.results:
        return []
    found = collusion(one.counted.results, len(names), seed=one.plan.seed)
    said = (
        f"Does anybody do better against third parties when somebody else sits there too? In a field that is honest "
        f"somebody is named in {100 * found.rate:g} of 100 tournaments. {len(found.favours)} pairs were tested, "
        f"{len(found.untested)} sat together too often or too seldom to tell."
    )
    if not found.named:
        return [said, "Nobody is named."]
    rows = [[names[row.helper], names[row.helped], f"{row.gain:+.3f}", f"{row.corrected:.4f}"] for row in found.named]
    return [said, ReportTable(("who helps", "whom", "points gained", "p, corrected"), rows, (0, 1))]
