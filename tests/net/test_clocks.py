"""Clocks: time is paid once, by the seat whose time runs, and never comes back but by an increment or a period."""

from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.chance import Stream

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
