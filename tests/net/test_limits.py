"""The token bucket of all floors, against one that counts in fractions."""

from fractions import Fraction
from random import Random

import pytest

from quadrille.net.core.limits import MOST_KEYS, Bucket, Buckets, Pace, a_second

PACES = (Pace(8, 500), a_second(100, burst=1000), a_second(7, burst=3), Pace(5, 12_000), Pace(16, 60_000))


class Plain:
    """What the words of `Pace` say, step by step."""

    def __init__(self, pace: Pace) -> None:
        self.pace, self.left, self.at = pace, Fraction(pace.burst), 0

    def come(self, now: int) -> None:
        earned = Fraction((now - self.at) * self.pace.units, self.pace.every)
        self.left, self.at = min(Fraction(self.pace.burst), self.left + earned), now


@pytest.mark.parametrize("seed", range(20))
def test_a_bucket_gives_what_its_pace_says(seed: int) -> None:
    dice = Random(seed)
    pace = PACES[seed % len(PACES)]
    bucket, plain, now = Bucket(pace), Plain(pace), dice.randrange(10**6)
    for _ in range(400):
        now += dice.choice((0, 0, 1, pace.every // pace.units, dice.randrange(3 * pace.every)))
        plain.come(now)
        units = dice.choice((1, 1, 2, pace.burst, pace.burst + 1))
        if dice.random() < 0.7:
            assert bucket.take(now, units) == (plain.left >= units)
            plain.left -= units if plain.left >= units else 0
        elif dice.random() < 0.7 and plain.left > -3 * pace.burst:
            bucket.pay(now, units)
            plain.left -= units
        rest = bucket.rest(now)
        assert plain.left + Fraction(rest * pace.units, pace.every) >= 0
        assert not rest or plain.left + Fraction((rest - 1) * pace.units, pace.every) < 0
        assert (bucket.due <= now) == (plain.left >= 1)


def test_a_debt_is_borrowed_as_far_as_the_other_has_units() -> None:
    own, common = Bucket(a_second(10, burst=5)), Bucket(a_second(100, burst=30))
    own.pay(1000, 25)
    own.borrow(common, 1000)
    assert own.rest(1000) == 0 and common.take(1000, 10) and not common.take(1000)
    own.pay(1000, 5)
    own.borrow(common, 1000)
    assert own.rest(1000) == 500, "nothing was left to lend"
    own.borrow(common, 1020)
    assert own.rest(1020) == 280, "the two units that it got since"


def test_each_key_has_a_bucket_and_together_they_have_no_more_than_the_shared_one() -> None:
    buckets = Buckets[int](a_second(100, burst=1000), shared=2)
    assert [buckets.take(sender, 0, 1000) for sender in range(3)] == [True, True, False]
    for sender in range(2 * MOST_KEYS):
        buckets.take(sender, 0)
    assert len(buckets) == MOST_KEYS
    assert not buckets.take(2 * MOST_KEYS, 0), "a new key gets nothing that the others have used up"
