"""What bots are given beside the rules: clocks of every kind, in a time of this test's own, and ends by the umpire."""

from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots import local, player, talk
from quadrille.ai.bots.local import Adjudication, LocalResult
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.record import read
from tests.ai.bots.programs import play as play_out
from tests.ai.inside import Anything, small
from tests.ai.inside import talk as inside
from tests.ai.tournament.programs import TWO, finished, league, plan_in


class Time:
    """A clock that only thinking moves on, in milliseconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now / 1000


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(local, "time", made)
    for module in (talk, player):
        monkeypatch.setattr(module, "now", lambda: round(made.now))
    return made


class Thinker(Anything):
    """Takes these times for its moves, and then none; notes what it is told that it has left."""

    def __init__(self, time: Time, *takes: float, agrees: bool = False) -> None:
        self.time, self.takes, self.agrees = time, list(takes), agrees
        self.left: list[int] = []

    def choose(self, view: Any, clock: Any, rng: Any) -> Any:
        self.left += [clock.left[clock.seat]] if clock.left is not None else []
        self.time.now += self.takes.pop(0) if self.takes else 0
        return super().choose(view, clock, rng)

    def offered(self, offer: str, by: int, view: Any) -> bool:
        return self.agrees


def played(*bots: Thinker, **terms: Any) -> LocalResult:
    return play_out(small(seats=len(bots), width=5, height=5), [inside(bot) for bot in bots], **terms)


def test_a_clock_has_its_time_anew_after_every_period(time: Time) -> None:
    bot = Thinker(time, 300, 300, 300, 900, 100)
    assert played(bot, Thinker(time), clock=TimeControl(1000, 10), period=3).faults == {}
    assert bot.left[:7] == [1000, 710, 420, 1130, 240, 150, 160 + 1000]
    late = played(Thinker(time, 300, 300, 300, 200), Thinker(time), clock=TimeControl(1000, 10))
    assert late.faults[0].kind == "time"


def test_what_a_move_takes_longer_comes_from_the_bank(time: Time) -> None:
    bot = Thinker(time, 150, 450, 200, 0, 451)
    found = played(bot, Thinker(time), clock=TimeControl(500, 0), free=200)
    assert bot.left == [700, 700, 450, 450, 450]
    assert found.faults[0].kind == "time"
    assert played(Thinker(time, 150, 450, 200, 450), Thinker(time), clock=TimeControl(500, 0), free=200).faults == {}


@pytest.mark.parametrize(("margin", "fault"), [(0, "time"), (30, "time"), (50, None)])
def test_nobody_is_late_by_less_than_the_margin(time: Time, margin: int, fault: str | None) -> None:
    bot = Thinker(time, 1040)
    found = played(bot, Thinker(time), clock=TimeControl(1000, 5), margin=margin)
    assert (found.faults[0].kind if found.faults else None) == fault
    assert bot.left[1:2] == ([] if fault else [5])
    slow = Thinker(time, 1040)
    assert bool(played(slow, Thinker(time), patience=1000, margin=margin).faults) == bool(fault)


@pytest.mark.parametrize(("terms", "kind"), [({"clock": TimeControl(900, 0)}, "time"), ({"patience": 900}, "stall")])
def test_a_move_that_never_came_counts_in_the_time_that_was_used(time: Time, terms: Any, kind: str) -> None:
    found = played(Thinker(time, 100, 1000), Thinker(time, 5), **terms)
    assert found.faults[0].kind == kind
    assert (found.moves, found.used, found.longest) == ((1, 1), pytest.approx((1100, 5)), pytest.approx((1000, 5)))


def test_the_umpire_ends_what_goes_on_for_too_long(time: Time) -> None:
    found = played(Thinker(time), Thinker(time), Thinker(time), umpire=Adjudication(moves=5))
    assert sum(found.moves) == 5
    assert (found.over.places, "5 moves were played, and no more are" in found.over.reason) == ((1, 1, 1), True)
    lost = played(
        Thinker(time, 0, 9000), Thinker(time), Thinker(time), umpire=Adjudication(moves=5), clock=TimeControl(1000, 0)
    )
    assert (lost.over.places, sum(lost.moves)) == ((3, 1, 1), 5)


def test_a_draw_needs_all_of_them(time: Time) -> None:
    yes, no = (Thinker(time, agrees=agrees) for agrees in (True, False))
    found = played(yes, Thinker(time, agrees=True), umpire=Adjudication(draws=4))
    assert (found.over.places, sum(found.moves)) == ((1, 1), 4)
    assert "agreed" in found.over.reason
    for bots in ((yes, no), (no, yes)):
        assert sum(played(*bots, umpire=Adjudication(draws=4)).moves) > 4
    assert played(yes, Thinker(time, agrees=True)).over.reason != found.over.reason, "nobody is asked unless it is said"


def test_all_of_it_stands_in_the_file_and_the_reason_in_the_record(tmp_path: Path) -> None:
    more = '[time]\nclock = "10s"\nmoves = 5\nmargin = "100ms"\n[adjudicate]\nmoves = 4\ndraws = 3'
    plan = plan_in(tmp_path, TWO, cycles=1, more=more)
    assert str(plan.time) == "10s+0s, 5 moves a period, 100ms margin"
    assert plan.contests[0].clock == f"{plan.time}, 4 moves at most, draws every 3 moves"
    with league(tmp_path, TWO, cycles=1, more=more) as journal:
        assert journal.plan() == plan
    more = '[time]\nmove = "5s"\nbank = "1m"\n[adjudicate]\nmoves = 4'
    for outcome in finished(tmp_path, cycles=1, more=more, name="two"):
        assert (outcome.result.plies, outcome.result.places) == (4, (1, 1))
        over = read(outcome.record).over
        assert over and outcome.reason == over.reason == "4 moves were played, and no more are"
