"""What all floors share: token buckets, clocks, times as people write them, addresses of IPv4 and IPv6."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.ip_addresses import bracketed, host_of, is_host, socket_address, subnet_of
from quadrille.net.core.limits import MOST_KEYS, Bucket, Buckets, Pace, a_second
from quadrille.net.core.spans import clock, span, written
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.rules.chance import Stream

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


TERMS = TimeControl(60_000, 500)


def test_a_running_clock_shows_less_with_time_and_never_more() -> None:
    clocks = Clocks.full(TERMS, 2).runs(0, 1000)
    assert [clocks.at(0, now) for now in (0, 1000, 1001, 61_000, 61_001)] == [60_000, 60_000, 59_999, 0, -1]
    assert clocks.at(1, 61_000) == 60_000


def test_the_seat_whose_time_ran_has_paid_for_it() -> None:
    moved = Clocks.full(TERMS, 2).runs(0, 0).runs(1, 2500).moved(0)
    assert (moved.left, moved.seat, moved.since) == ((58_000, 60_000), 1, 2500)
    assert moved.runs(None, 99_000).left == (58_000, 0)


def test_looking_at_a_clock_more_often_takes_no_more_time() -> None:
    dice = Stream("clocks", "looks")
    often = once = Clocks.full(TERMS, 3).runs(2, 0)
    now = 0
    while now < 30_000:
        now += dice.randrange(700)
        often = often.runs(2, now)
    assert often.left == once.runs(2, now).left == (60_000, 60_000, 60_000 - now)


def test_nobody_pays_more_than_there_is_and_a_period_brings_all_of_it_anew() -> None:
    clocks = Clocks(TERMS, (300, 7)).paid(0, 301).paid(1, 7)
    assert clocks.left == (0, 0)
    assert clocks.moved(0).renewed(0).left == (60_500, 0)


@pytest.mark.parametrize(
    ("text", "ms"), [("200ms", 200), (" 90S ", 90_000), ("5m", 300_000), ("24h", 86_400_000), ("0s", 0)]
)
def test_times(text: str, ms: int) -> None:
    assert span(text) == ms


@pytest.mark.parametrize("text", ["", "5", "1d", "25h", "-1s", "1.5s", "1 s", "٣s", "86400001ms", "999999999999s"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time: write 90s, 5m or 1h"):
        span(text)


def test_clocks() -> None:
    assert (clock("5m+10s"), clock("1m"), clock("1m + 200ms")) == ((300_000, 10_000), (60_000, 0), (60_000, 200))
    with pytest.raises(ValueError, match='"0s" leaves no time'):
        clock("0s")
    with pytest.raises(ValueError, match='"" is not a time'):
        clock("5m+")


@given(st.integers(0, 86_400_000))
def test_what_is_written_is_read(ms: int) -> None:
    assert span(written(ms)) == ms


@pytest.mark.parametrize(
    ("address", "host"),
    [
        (("10.0.0.1", 5670), "10.0.0.1"),
        (("fd77:0:0::1", 5670, 0, 0), "fd77::1"),
        (("fe80::1", 5670, 0, 2), "fe80::1%2"),
        (("fe80::1%eth0", 5670, 0, 2), "fe80::1%2"),
        (("::1", 5670, 0, 0), "::1"),
        (("fe80::1", 5670, 0, 0), None),  # on which link?
        (("::ffff:10.0.0.1", 5670, 0, 0), None),
        (("::", 5670, 0, 0), None),
        (("ff02::1", 5670, 0, 2), None),
        (("nonsense", 5670, 0, 2), None),
    ],
)
def test_the_host_of_a_packet(address: tuple[object, ...], host: str | None) -> None:
    assert host_of(address) == host


def test_the_addresses_that_one_machine_can_have() -> None:
    assert subnet_of("10.0.0.1") == "10.0.0.1"
    assert subnet_of("fd77::1") == subnet_of("fd77::ffff:1") != subnet_of("fd77:0:0:1::1")
    assert subnet_of("fe80::1%2") == subnet_of("fe80::2%2") != subnet_of("fe80::1%3")
    assert subnet_of("a:posting says what it likes") == "a:posting says what it likes"


@pytest.mark.parametrize(("hosts", "are"), [
    ("10.0.0.1 fd77::1 2001:db8::1 ::1 127.0.0.1", True),
    (" fe80::1 fe80::1%2 ::ffff:10.0.0.1 :: ff02::1 fd77:0::1 FD77::1 0.0.0.0 240.1.0.1", False),
])  # fmt: skip
def test_an_address_of_one_machine_that_others_may_be_told(hosts: str, are: bool) -> None:
    assert {is_host(host) for host in hosts.split(" ")} == {are}


def test_an_address_for_a_socket() -> None:
    assert socket_address("10.0.0.1", 9) == ("10.0.0.1", 9)
    assert socket_address("fe80::1%2", 9) == ("fe80::1", 9, 0, 2)
    for wrong in ("fe80::1%eth0", "fe80::1%-1", "fe80::1%" + "9" * 5000, "fe80::1%１"):
        with pytest.raises(OSError, match="no index of an interface"):
            socket_address(wrong, 9)


def test_an_endpoint_in_a_hello_names_no_interface_of_ours() -> None:
    assert str(Endpoint("10.0.0.1", 49152)) == "tcp://10.0.0.1:49152"
    assert str(Endpoint("fe80::1%2", 49152)) == "tcp://[fe80::1]:49152"
    assert bracketed("fd77::1") == "[fd77::1]"
