"""What bots are given beside the rules: clocks of every kind, in a time of this test's own, and ends by the umpire."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.ai import Bot, Clock
from quadrille.ai.bots import local, player, talk
from quadrille.ai.bots.lines.answers import greeting
from quadrille.ai.bots.local import Adjudication, LocalGame
from quadrille.ai.faults import BotFault
from quadrille.ai.opponents import opponent
from quadrille.ai.opponents.thinking import Effort
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.implied_limits import with_limits
from quadrille.ai.tournament.play import playing
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.playing import job
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.record import read
from tests.ai.inside import Anything, small
from tests.ai.inside import play as play_out
from tests.ai.inside import talk as inside
from tests.ai.tournament.programs import FIRST, LAST, TWO, clear, finished, league, plan_in, play, program, write_file
from tests.ai.tournament.test_attacks import CLI, NAMESPACES


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that only thinking moves on, in milliseconds."""
    made = SimpleNamespace(now=0.0, perf_counter=lambda: made.now / 1000)
    monkeypatch.setattr(local, "time", made)
    for module in (talk, player):
        monkeypatch.setattr(module, "now", lambda: round(made.now))
    return made


class Thinker(Anything):
    """Takes these times for its moves, and then none; notes what it is told that it has left."""

    def __init__(self, time: Any, *takes: float, agrees: bool = False) -> None:
        self.time, self.takes, self.agrees = time, list(takes), agrees
        self.left: list[int] = []

    def choose(self, view: Any, clock: Any, rng: Any) -> Any:
        self.left += [clock.left[clock.seat]] if clock.left is not None else []
        self.time.now += self.takes.pop(0) if self.takes else 0
        return super().choose(view, clock, rng)

    def offered(self, offer: str, by: int, view: Any) -> bool:
        return self.agrees


def played(*bots: Thinker, **terms: Any) -> LocalGame:
    return play_out(small(seats=len(bots), width=5, height=5), [inside(bot) for bot in bots], **terms)


def test_a_clock_has_its_time_anew_after_every_period(time: Any) -> None:
    bot = Thinker(time, 300, 300, 300, 900, 100)
    assert played(bot, Thinker(time), clock=TimeControl(1000, 10), period=3).faults == {}
    assert bot.left[:7] == [1000, 710, 420, 1130, 240, 150, 160 + 1000]
    late = played(Thinker(time, 300, 300, 300, 200), Thinker(time), clock=TimeControl(1000, 10))
    assert late.faults[0].kind == "time"


def test_what_a_move_takes_longer_comes_from_the_bank(time: Any) -> None:
    bot = Thinker(time, 150, 450, 200, 0, 451)
    found = played(bot, Thinker(time), clock=TimeControl(500, 0), free=200)
    assert bot.left == [700, 700, 450, 450, 450]
    assert found.faults[0].kind == "time"
    assert played(Thinker(time, 150, 450, 200, 450), Thinker(time), clock=TimeControl(500, 0), free=200).faults == {}


@pytest.mark.parametrize(("margin", "fault"), [(0, "time"), (30, "time"), (50, None)])
def test_nobody_is_late_by_less_than_the_margin(time: Any, margin: int, fault: str | None) -> None:
    bot = Thinker(time, 1040)
    found = played(bot, Thinker(time), clock=TimeControl(1000, 5), margin=margin)
    assert (found.faults[0].kind if found.faults else None) == fault
    assert bot.left[1:2] == ([] if fault else [5])
    slow = Thinker(time, 1040)
    assert bool(played(slow, Thinker(time), patience=1000, margin=margin).faults) == bool(fault)


@pytest.mark.parametrize(("terms", "kind"), [({"clock": TimeControl(900, 0)}, "time"), ({"patience": 900}, "stall")])
def test_a_move_that_never_came_counts_in_the_time_used(time: Any, terms: Any, kind: str, tmp_path: Path) -> None:
    found = played(Thinker(time, 100, 1000), Thinker(time, 5), **terms)
    assert found.faults[0].kind == kind
    found.bots.clear()  # these have no programs, which an outcome would describe
    plan, over = plan_in(tmp_path, TWO, cycles=1), found.match.over
    given = job(plan, plan.schedule().fixture(0), bytes(32))
    outcome = playing._outcome(given, found, over, began=0, seconds=0, speed=1, dialogue="")
    assert (outcome.counts, outcome.result.times, outcome.longest) == ((1, 1), (1.1, 0.005), (1.0, 0.005))


def test_the_umpire_ends_what_goes_on_for_too_long(time: Any) -> None:
    found = played(Thinker(time), Thinker(time), Thinker(time), umpire=Adjudication(moves=5))
    assert found.match.ply == 5 and found.match.over.places == (1, 1, 1)
    assert "5 moves were played, and no more are" in found.match.over.reason
    lost = played(
        Thinker(time, 0, 9000), Thinker(time), Thinker(time), umpire=Adjudication(moves=5), clock=TimeControl(1000, 0)
    )
    assert (lost.match.over.places, lost.match.ply) == ((3, 1, 1), 5)


def test_a_draw_needs_all_of_them(time: Any) -> None:
    yes, no = (Thinker(time, agrees=agrees) for agrees in (True, False))
    found = played(yes, Thinker(time, agrees=True), umpire=Adjudication(draws=4))
    assert (found.match.over.places, found.match.ply) == ((1, 1), 4)
    assert "agreed" in found.match.over.reason
    for bots in ((yes, no), (no, yes)):
        assert played(*bots, umpire=Adjudication(draws=4)).match.ply > 4
    unasked = played(yes, Thinker(time, agrees=True))
    assert unasked.match.over.reason != found.match.over.reason, "nobody is asked unless it is said"


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


# Games in which bots are told how much to think: they go alike on any machine, and only bots that count can play


class Worker(Anything):
    """Notes what it is told."""

    counts_work = True

    def __init__(self) -> None:
        self.clocks: list[Clock] = []

    def choose(self, view: Any, clock: Any, rng: Any) -> Any:
        self.clocks.append(clock)
        return super().choose(view, clock, rng)


def entries(*bots: Bot, seed: str = "work", **terms: Any) -> list[str]:
    match = small("maze", seed=seed, size=5)
    play_out(match, [inside(bot) for bot in bots], seed="dice", **terms)
    return list(map(repr, match.entries))


def test_a_bot_is_told_of_it_and_may_take_all_its_time() -> None:
    bot, other = Worker(), Worker()
    entries(bot, other, work=700, patience=9000)
    assert {(clock.work, clock.budget) for clock in bot.clocks} == {(700, 9000)}
    entries(bot, other, patience=9000)
    assert bot.clocks[-1].work is None


def test_the_bots_of_the_house_do_as_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int | None] = []
    spend = Effort.spend

    def noted(self: Effort, *given: Any, **more: Any) -> None:
        spent.append(self.most)
        spend(self, *given, **more)

    monkeypatch.setattr(Effort, "spend", noted)
    for name, each in (("mcts", [40]), ("mcts:1", [20]), ("alphabeta", [40]), ("5", [10, 30]), ("solver", [20, 20])):
        spent.clear()
        entries(opponent(name), Anything(), work=40)
        assert spent[: len(each)] == each, name


def test_games_of_the_strongest_go_alike_however_quick_the_machine_is() -> None:
    first, again = (entries(opponent("5"), opponent("mcts"), work=60) for _ in range(2))
    assert first == again


def test_who_does_not_count_is_not_played_with(tmp_path: Path) -> None:
    program(tmp_path, "counts", greeting=', "work": True')
    program(tmp_path, "last", LAST)
    names, more = ("counts", "last"), "[time]\nwork = 50"
    refused = pytest.raises(TournamentError, match=r"^last \(.*\) does not count its work")
    with league(tmp_path, names, cycles=1, more=more) as journal, refused:
        play(journal, tried=True)
    program(tmp_path, "last", LAST, greeting=', "work": True')
    with league(tmp_path, names, cycles=1, more=more, name="two") as journal:
        assert journal.plan() == journal.begun_plan and "work 50 a move" in journal.plan().contests[0].clock
        play(journal, tried=True)
        assert journal.games == 2


def test_a_trial_is_too_short_for_all_of_the_work(tmp_path: Path) -> None:
    for name in ("first", "last"):
        program(tmp_path, name, 'said["moves"][0 if said["work"] == 1 else 99999]', greeting=', "work": True')
    plan = plan_in(tmp_path, ("first", "last"), cycles=1, more="[time]\nwork = 3000")
    assert attempt(EntrantTrial(plan.entrants[0], plan.contests, plan.folder, plan.time)) == ""
    clear()


def test_a_bot_says_whether_it_counts_and_what_is_no_yes_or_no_is_a_fault() -> None:
    for bot, counts in ((Worker(), True), (Anything(), False), (opponent("greedy"), True)):
        assert inside(bot).greet().work is counts
    with pytest.raises(BotFault, match='"work" takes true or false, not 700'):
        greeting({"hello": "bot", "protocol": 1, "work": 700})


# A bot whose isolation is required has limits, whether its plan names any or not


REQUIRED = '[limits]\nisolate = "required"\n'


@pytest.mark.skipif(not hasattr(os, "sysconf"), reason="this system does not tell its memory")
def test_all_bots_that_may_run_at_once_fit_into_three_quarters_of_the_memory(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, more=REQUIRED)
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    for at_once, kept, programs in ((1, 1, 2), (2, 16, 6)):  # a table of two; all three entrants
        limited, said = with_limits(plan, at_once, kept)
        memory = limited.entrants[0].limits.memory
        assert memory is not None and 0 < memory * programs <= 0.75 * total
        assert f"{memory} MiB ({programs} may run at once)" in said and "ponder = false" in said
        assert {one.limits.processes for one in limited.entrants} == {64 + 2 * (os.cpu_count() or 1)}
    assert with_limits(plan, 10_000_000, 1)[0].entrants[0].limits.memory == 128, "less starts nothing"


def test_limits_of_the_plan_win_and_only_strangers_are_limited(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, more=f"{REQUIRED}memory = 77\nprocesses = 9\nponder = false\n")
    assert with_limits(plan, 2, 16) == (plan, "")
    first, *others = plan.entrants
    plan = replace(plan, entrants=(replace(first, limits=replace(first.limits, processes=None)), *others))
    limited, said = with_limits(plan, 2, 16)
    assert "MiB" not in said and "processes" in said
    assert limited.entrants[0].limits.memory == 77 and limited.entrants[1:] == plan.entrants[1:]
    for isolate in ("none", "if possible"):
        plan = plan_in(tmp_path, more=f'[limits]\nisolate = "{isolate}"\n')
        assert with_limits(plan, 2, 16) == (plan, "")


@pytest.mark.slow
@pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")
def test_a_run_says_its_implied_limits_first_and_keeps_them(tmp_path: Path) -> None:
    """They are no part of the tournament: its journal goes on where the machine has other memory."""
    forks = "[os.fork() or time.sleep(60) for _ in range(300)] and None"
    program(tmp_path, "first", f"({forks}, {FIRST})[1]")
    write_file(tmp_path, TWO, cycles=1, more=REQUIRED)
    words = [*CLI, "tournament", "run", "one.toml", "--untried"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
    assert "isolation is required: each bot for which [limits] says nothing else may" in done.stderr.splitlines()[0]
    with Journal(tmp_path / "one.sqlite") as journal:
        whys = {why for outcome in journal.outcomes() for why in outcome.whys if why}
        assert len(whys) == 1 and whys.pop().startswith(("had more than its ", "ended with exit code 1"))
    with league(tmp_path, TWO, cycles=1, more=REQUIRED) as journal:
        assert journal.games == 2
