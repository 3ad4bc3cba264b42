"""Student's distribution, and the bound of a rare share, from normal ones: in a few steps for whole arrays."""

from math import erf, sqrt
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament.statistics.arrays import Array, np

#: Maximum degrees of freedom that make a visible difference.
MOST_DEGREES: Final = 1e6
_HALVINGS: Final = 40

_normal = np.vectorize(lambda z: (1 + erf(z / sqrt(2))) / 2, otypes=[float])


def student(t: Array, degrees: Array) -> Array:
    """Return the share of Student's distribution below `t`; accurate to 0.0002 from 2 degrees of freedom on."""
    return _normal(np.sign(t) * _deviate(t, np.minimum(degrees, MOST_DEGREES)))


def student_quantile(share: float, degrees: Array) -> Array:
    """Return the quantile of Student's distribution for a share above a half."""
    degrees = np.minimum(degrees, MOST_DEGREES)
    z = NormalDist().inv_cdf(share)
    near, far = np.zeros_like(degrees), np.full_like(degrees, 12.0)  # of log(1 + t)
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        below = _deviate(np.expm1(middle), degrees) < z
        near, far = np.where(below, middle, near), np.where(below, far, middle)
    found: Array = np.expm1(near)
    return found


def _deviate(t: Array, degrees: Array) -> Array:
    """Return the normal deviate with the same tail (G. W. Hill, Communications of the ACM 13, 1970, algorithm 395)."""
    a = degrees - 0.5
    b = 48 * a**2
    y = a * np.log1p(np.square(t) / degrees)
    part = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y**2 + 100 + b)
    return ((part + y + 3) / b + 1) * np.sqrt(y)


def most_likely_share(share: float, seen: Array, trials: Array) -> Array:
    """Return the greatest probability of an event, `seen` that often in that many trials (neither needs to be whole),
    which is not ruled out at `share`: Clopper's and Pearson's bound by Camp's and Paulson's approximation, accurate to
    0.01.
    """
    missed = np.maximum(trials - seen, 1e-9)
    a, b, z = 1 / (9 * (seen + 1)), 1 / (9 * missed), NormalDist().inv_cdf(share)
    root = (1 - a) * (1 - b) + z * np.sqrt(np.maximum(a * (1 - b) ** 2 + b * (1 - a) ** 2 - z**2 * a * b, 0))
    odds = (seen + 1) / missed * (root / np.maximum((1 - b) ** 2 - z**2 * b, 1e-9)) ** 3
    return odds / (1 + odds)
