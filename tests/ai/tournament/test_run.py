"""A run: bots that do wrong lose and disturb nobody, what is lost is played again, and the end is always the same."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.farm import AHEAD
from quadrille.ai.tournament.play.playing import GameOutcome, Job
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.run import LOSSES, TRIES, Run
from quadrille.ai.tournament.run_events import DECIDED, OVER, STOPPED, Ended, Event, Finished, RunBegun, Void, Warned
from quadrille.client.tournament.tables import standing_of
from tests.ai.tournament.programs import FIRST, LAST, NO_BOX, league, left_in, plan_in, play, program, three, told
from tests.waiting import soon


class Weather(Executor):
    """Does jobs at once, in this thread, until `breaks` says that it is broken."""

    def __init__(self, breaks: Callable[[], bool], work: Callable[[Any], Any]) -> None:
        self._breaks, self._work = breaks, work
        self._broken = False

    def submit(self, work: Any, /, *jobs: Any, **_: Any) -> Future[Any]:
        if self._broken:
            raise BrokenProcessPool("broken before")
        future: Future[Any] = Future()
        self._broken = self._breaks()
        if self._broken:
            future.set_exception(BrokenProcessPool("a process was ended"))
            return future
        try:
            future.set_result(self._work(jobs[0]))
        except RuntimeError as error:
            future.set_exception(error)
        return future


class Skies:
    """Workers that stand under such weather."""

    slots = 1
    trouble = ""

    def __init__(self, breaks: Callable[[], bool], work: Callable[[Any], Any]) -> None:
        self.breaks, self.work = breaks, work
        self.opened = 0

    def open(self) -> Executor:
        self.opened += 1
        return Weather(self.breaks, self.work)

    def close(self, *, at_once: bool) -> None:
        pass


def quick(given: Job) -> GameOutcome:
    """A game without programs: by the first letters of its id."""
    from quadrille.ai.tournament.results import Result

    fixture = given.fixture
    places = (1, 2) if int(fixture.id[:4], 16) % 3 else (2, 1)
    result = Result(fixture.id, fixture.block, fixture.seats, places, fixture.contest, fixture.id, 1, (0.0, 0.0))
    return GameOutcome(fixture.number, result, "record", "", (0.0, 0.0), (1, 0), ("", ""), "here", 0.0, 0.0)


def test_a_whole_tournament(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, three(tmp_path))
    events: list[Event] = []
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        run = play(journal, events.append, tried=True)
        rows = told(journal)
        assert journal.games == run.total == 24
        assert [outcome.number for outcome in journal.outcomes()] == list(range(24))
        assert not [why for outcome in journal.outcomes() for why in outcome.whys if why]
        began = [event for event in events if isinstance(event, RunBegun | Finished)]
        assert began == [RunBegun(0), Finished(OVER)]
        assert sum(isinstance(event, Ended) for event in events) == 24
        again: list[Event] = []
        play(journal, again.append)
        assert [event for event in again if isinstance(event, RunBegun | Ended | Finished)] == [
            RunBegun(24),
            Finished(OVER),
        ]
        assert told(journal) == rows
    assert soon(lambda: left_in(tmp_path) == [])


def test_a_bot_that_does_wrong_loses_and_disturbs_nobody(tmp_path: Path) -> None:
    names = three(tmp_path)
    with league(tmp_path, names, cycles=1, name="calm") as journal:
        play(journal)
        undisturbed = {outcome.result.seats: outcome.record for outcome in journal.outcomes()}
    program(tmp_path, "wrong", "'z99-z98'")
    with league(tmp_path, (*names, "wrong"), cycles=1) as journal:
        play(journal)
        found = list(journal.outcomes())
    assert len(found) == 12
    for outcome in found:
        if 3 in outcome.result.seats:
            seat = outcome.result.seats.index(3)
            if outcome.counts[1 - seat] or outcome.result.seats[0] == 3 or outcome.result.faults:
                assert outcome.result.faults[seat] == "illegal"
                assert outcome.result.places[seat] == 2
                assert outcome.whys[seat] and not outcome.whys[1 - seat]
        else:
            same = undisturbed[outcome.result.seats]
            assert outcome.record.split("\n")[7:-2] == same.split("\n")[7:-2]
            assert not outcome.result.faults


@pytest.mark.slow
def test_a_program_for_one_game_is_started_again(tmp_path: Path) -> None:
    """Whoever ends after a game has done nothing wrong; whoever does not come at all loses."""
    program(tmp_path, "once", FIRST, over="sys.exit(0)")
    plan = plan_in(tmp_path, (*three(tmp_path)[:2], "once"), cycles=2)
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        play(journal)
        assert not [why for outcome in journal.outcomes() for why in outcome.whys if why]
    program(tmp_path, "never", before="sys.exit(7)")
    with league(tmp_path, (*three(tmp_path)[:1], "never"), cycles=1, name="two") as journal:
        play(journal)
        assert {outcome.result.faults[outcome.result.seats.index(1)] for outcome in journal.outcomes()} == {"crash"}


@pytest.mark.slow
def test_bots_are_kept_between_games_unless_they_are_to_be_fresh(tmp_path: Path) -> None:
    """This one moves by how many games it has played."""
    program(tmp_path, "counting", "said['moves'][games % len(said['moves'])]")
    names = (*three(tmp_path)[:1], "counting")
    records = []
    for number, limits in enumerate(("", "[limits]\nfresh = true")):
        with league(tmp_path, names, cycles=3, more=limits, size=4, name=str(number)) as journal:
            play(journal)
            records.append([outcome.result.moves for outcome in journal.outcomes() if outcome.result.seats[0] == 1])
    kept, fresh = records
    assert len(set(fresh)) == 1
    assert len(set(kept)) > 1


def test_what_is_wrong_with_a_bot_is_said_before_the_first_game(tmp_path: Path) -> None:
    program(tmp_path, "other", greeting=", 'games': ['barons']")
    program(tmp_path, "rude", "'nothing'")
    (tmp_path / "silent.py").write_text("raise SystemExit('no licence found')")
    with league(tmp_path, (*three(tmp_path)[:1], "other", "rude", "silent")) as journal:
        with pytest.raises(TournamentError) as caught:
            play(journal, tried=True)
        assert journal.games == 0
    first, second, third = str(caught.value).split("; ")
    assert "other (" in first and "does not play maze, only barons" in first
    assert "rude (" in second and 'moved "nothing", which is not legal' in second
    assert "silent (" in third and "no licence found" in third


def test_a_bot_that_somebody_kills_once_plays_the_same_game_again(tmp_path: Path) -> None:
    with league(tmp_path, three(tmp_path)[:2], cycles=2, name="calm") as journal:
        play(journal)
        undisturbed = [outcome.result.places for outcome in journal.outcomes()]
    killed = "os.kill(os.getpid(), 9)"
    program(tmp_path, "last", f"(open('seen', 'x'), {killed}) if not os.path.exists('seen') else {LAST}")
    with league(tmp_path, ("first", "last"), cycles=2, more=NO_BOX, name="once") as journal:
        play(journal)
        assert ["last was ended by SIGKILL" in why for _, _, why in journal.voids()] == [True]
        assert [outcome.result.places for outcome in journal.outcomes()] == undisturbed
        assert standing_of(journal).unjudged == frozenset()  # once may happen to anybody


def test_a_program_that_changed_meanwhile_is_nobodys_loss(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, three(tmp_path)[:2], cycles=1)
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        program(tmp_path, "last", FIRST)
        with pytest.raises(TournamentError, match=r"game 0 can't be played: it was tried 3 times.* is not what it was"):
            play(journal)
        assert journal.games == 0
        assert len(journal.voids()) >= TRIES
    assert "is not what it was" in attempt(EntrantTrial(plan.entrants[1], plan.contests, plan.folder))


def test_lost_workers_change_nothing(tmp_path: Path) -> None:
    three(tmp_path)
    plan = plan_in(tmp_path, ("first", "last", "middle"), cycles=20)
    tables = []
    for every in (0, 3, 2):
        calls = Counter[str]()

        def breaks(every: int = every, calls: Counter[str] = calls) -> bool:
            calls["all"] += 1
            return bool(every) and calls["all"] % every == 0

        skies = Skies(breaks, quick)
        events: list[Event] = []
        with Journal(tmp_path / f"{every}.sqlite", plan=plan) as journal:
            with Run(plan, journal, skies, events.append) as run:
                assert run.go() == OVER
            tables.append(told(journal))
            lost = sum(isinstance(event, Void) for event in events)
            assert lost == len(journal.voids())
            assert (lost > 0, skies.opened > 1) == (every > 0, every > 0)
    assert tables[0] == tables[1] == tables[2]


def trials_under(breaks: Callable[[], bool]) -> Skies:
    """Workers where every bot is fine, under such weather."""
    return Skies(breaks, lambda given: "" if isinstance(given, EntrantTrial) else quick(given))


@pytest.mark.parametrize("times", [2, 5])
def test_a_worker_that_is_lost_while_bots_are_tried_refuses_nobody(tmp_path: Path, times: int) -> None:
    plan = plan_in(tmp_path, three(tmp_path), cycles=1)
    breaks = iter(range(times))
    skies = trials_under(lambda: next(breaks, None) is not None)
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal, Run(plan, journal, skies) as run:
        run.try_all()
        assert run.go() == OVER


def test_bots_that_always_lose_their_workers_are_refused(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, three(tmp_path), cycles=1)
    skies = trials_under(lambda: True)
    with (
        Journal(tmp_path / "one.sqlite", plan=plan) as journal,
        Run(plan, journal, skies) as run,
        pytest.raises(TournamentError, match=r"first can't be tried: its worker was lost .*; last can't be tried"),
    ):
        run.try_all()


BREAKS = "import sys\n\nsys.exit('no weights')\n"


def test_one_that_fails_when_it_is_tried_is_withdrawn_and_the_others_play(tmp_path: Path) -> None:
    """With a clear line, and without 10 seconds a game: nothing of it is started."""
    three(tmp_path)
    (tmp_path / "broken.py").write_text(BREAKS)
    more = plan_in(tmp_path, ("first", "last", "broken"), cycles=1)
    told: list[str] = []

    def tell(event: Event) -> None:
        told.extend([event.why] if isinstance(event, Warned) else [])

    with Journal(tmp_path / "two.sqlite", plan=more) as journal, Run(more, journal, Processes(1), tell) as run:
        run.try_all()
        assert run.go() == OVER
        outcomes = list(journal.outcomes())
    lost = [one for one in outcomes if 2 in one.result.seats]
    assert len(told) == 1 and "no weights" in told[0]
    assert "It is withdrawn: broken loses each of its games at once" in told[0]
    assert lost and all(one.result.faults[one.result.seats.index(2)] == "crash" for one in lost)
    assert all("is withdrawn, since it failed when it was tried" in one.whys[one.result.seats.index(2)] for one in lost)
    assert all(not any(one.result.faults) for one in outcomes if 2 not in one.result.seats)


@pytest.mark.slow
def test_one_that_fails_again_and_again_is_skipped_on_request(tmp_path: Path) -> None:
    program(tmp_path, "broken", before='open("begun", "a").write("x"); sys.exit(1)')
    names = three(tmp_path)
    plan = plan_in(tmp_path, (*names, "broken"), cycles=2, more=NO_BOX)
    told: list[Event] = []
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        with Run(plan, journal, Processes(1), told.append) as run:
            run.skip_failing = 3
            run.go()
        outcomes = list(journal.outcomes())
    begun = (tmp_path / "begun").read_text("utf-8").count("x")
    lost = [one for one in outcomes if 3 in one.result.seats]
    assert len(outcomes) == 24 and len(lost) == 12 and all(any(one.result.faults) for one in lost)
    skipped = [one for one in lost if any("it failed in 3 games in a row" in why for why in one.whys)]
    said = [event.why for event in told if isinstance(event, Warned) and "is withdrawn" in event.why]
    assert begun < 12 and len(skipped) >= 6 and len(said) == 1
    assert said[0].startswith("broken failed in 3 games in a row. It is withdrawn: broken loses each of its games")


@pytest.mark.slow
def test_one_that_has_played_well_before_is_not_withdrawn(tmp_path: Path) -> None:
    """What it needs is gone from this machine: somebody should see to that, and no game is lost for it."""
    three(tmp_path)
    program(tmp_path, "last", LAST, before="assert open('weights').read()")
    (tmp_path / "weights").write_text("1")
    plan = plan_in(tmp_path, ("first", "last", "middle"), cycles=2)
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:

        def tell(event: Event) -> None:
            run.stopping = int(journal.games >= 4)

        with Run(plan, journal, Processes(1)) as run:
            run.try_all()
            run.tell = tell
            assert run.go() == STOPPED
        assert 0 < journal.games < 24
        (tmp_path / "weights").unlink()
        with Run(plan, journal, Processes(1)) as run, pytest.raises(TournamentError, match="weights"):
            run.try_all()


def test_workers_that_get_into_trouble_are_told_of_each_time(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, three(tmp_path), cycles=1)
    skies = Skies(lambda: False, quick)
    told: list[str] = []
    ended: list[int] = []

    def tell(event: Event) -> None:
        if isinstance(event, Ended):
            ended.append(event.outcome.number)
            skies.trouble = "nobody is there" if len(ended) % (2 * AHEAD) == AHEAD else ""
        if isinstance(event, Warned):
            told.append(event.why)

    with Journal(tmp_path / "one.sqlite", plan=plan) as journal, Run(plan, journal, skies, tell) as run:
        assert run.go() == OVER
    assert (len(ended), told) == (6, ["nobody is there"] * 2)


def test_what_never_comes_to_anything_ends_the_run_and_keeps_all_else(tmp_path: Path) -> None:
    three(tmp_path)
    plan = plan_in(tmp_path, ("first", "last", "middle"), cycles=4)

    def broken(given: Job) -> GameOutcome:
        if given.fixture.number == 9:
            raise RuntimeError("no memory left")
        return quick(given)

    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        with (
            pytest.raises(TournamentError, match=r"game 9 can't be played: it was tried 3 times, .*no memory left"),
            Run(plan, journal, Skies(lambda: False, broken)) as run,
        ):
            run.go()
        assert 9 <= journal.games < 24
        with Run(plan, journal, Skies(lambda: False, quick)) as run:
            assert run.go() == OVER
        assert journal.games == 24
    with (
        Journal(tmp_path / "two.sqlite", plan=plan) as journal,
        pytest.raises(TournamentError, match=rf"tried {LOSSES} times, and at last its worker was lost"),
        Run(plan, journal, Skies(lambda: True, quick)) as run,
    ):
        run.go()


def test_stopping_finishes_what_has_begun_and_goes_on_later(tmp_path: Path) -> None:
    three(tmp_path)
    plan = plan_in(tmp_path, ("first", "last", "middle"), cycles=4)
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        ended = 0

        def tell(event: Event) -> None:
            nonlocal ended
            if isinstance(event, Ended):
                ended += 1
                run.stopping = int(ended >= 5)

        with Run(plan, journal, Skies(lambda: False, quick), tell) as run:
            assert run.go() == STOPPED
        assert 5 <= journal.games <= 5 + AHEAD
        with Run(plan, journal, Skies(lambda: False, quick)) as run:
            assert run.go() == OVER
        assert journal.games == 24


def test_little_is_in_flight(tmp_path: Path) -> None:
    """However many games there are: what is given out is bounded, and so is what is kept of it."""
    three(tmp_path)
    plan = plan_in(tmp_path, ("first", "last"), cycles=5000)
    most = 0
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:

        def tell(event: Event) -> None:
            nonlocal most
            most = max(most, run._farm.busy, len(run._waiting), len(run.count._open), len(run._again))
            run.stopping = int(run.played >= 300)

        with Run(plan, journal, Skies(lambda: False, quick), tell) as run:
            run.go()
    assert most <= AHEAD + 2


def test_a_verdict_ends_the_run_and_stands(tmp_path: Path) -> None:
    three(tmp_path)
    stop = '[stop]\nelo0 = 0\nelo1 = 100\nentrant = "last"\nagainst = "first"'
    plan = plan_in(tmp_path, ("first", "last"), cycles=1000, more=stop)

    def last_wins(given: Job) -> GameOutcome:
        played = quick(given)
        places = (1, 2) if given.fixture.seats[0] == 1 else (2, 1)
        return replace(played, result=replace(played.result, places=places))

    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        with Run(plan, journal, Skies(lambda: False, last_wins)) as run:
            assert run.go() == DECIDED
            assert run.count.verdict == "stronger"
        first = told(journal)
        events: list[Event] = []
        with Run(plan, journal, Skies(lambda: False, last_wins), events.append) as run:
            assert run.go() == DECIDED
        assert not [event for event in events if isinstance(event, Ended)]
        assert told(journal) == first
