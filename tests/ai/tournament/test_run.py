"""A run: bots that do wrong lose and disturb nobody, what is lost is played again, and the end is always the same."""

import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.play import speed
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.farm import AHEAD, Workers
from quadrille.ai.tournament.play.playing import GameOutcome, Job
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import LOSSES, TRIES, Run
from quadrille.ai.tournament.run_events import DECIDED, OVER, STOPPED, Ended, Event, Finished, RunBegun, Void, Warned
from quadrille.client.tournament.report import page
from quadrille.client.tournament.tables import standing_of, text
from tests.ai.bots.broken import BROKEN, RUDE, Broken
from tests.ai.tournament.programs import (
    FIRST,
    LAST,
    NO_BOX,
    THREE,
    TWO,
    finished,
    league,
    left_in,
    plan_in,
    play,
    program,
    told,
)
from tests.waiting import soon


def quick(given: Job | EntrantTrial) -> Any:
    """A game without programs: by the first letters of its id; and a trial in which the bot is fine."""
    if isinstance(given, EntrantTrial):
        return ""
    fixture = given.fixture
    places = (1, 2) if int(fixture.id[:4], 16) % 3 else (2, 1)
    result = Result(fixture.id, fixture.block, fixture.seats, places, fixture.contest, fixture.id, 1, (0.0, 0.0))
    return GameOutcome(fixture.number, result, "record", "", (0.0, 0.0), (1, 0), ("", ""), "here", 0.0, 0.0)


class Skies(Executor):
    """Workers that do jobs at once, in this thread, until `breaks` says that they are lost."""

    slots = 1
    trouble = ""

    def __init__(self, work: Callable[[Any], Any] = quick, breaks: Callable[[], bool] = lambda: False) -> None:
        self.work, self.breaks = work, breaks
        self.opened, self.broken = 0, False

    def open(self) -> Executor:
        self.opened, self.broken = self.opened + 1, False
        return self

    def close(self, *, at_once: bool) -> None:
        pass

    def submit(self, work: Any, /, *jobs: Any, **_: Any) -> Future[Any]:
        if self.broken:
            raise BrokenProcessPool("broken before")
        future: Future[Any] = Future()
        if self.breaks():
            self.broken = True
            future.set_exception(BrokenProcessPool("a process was ended"))
            return future
        try:
            future.set_result(self.work(jobs[0]))
        except RuntimeError as error:
            future.set_exception(error)
        return future


@contextmanager
def under(
    workers: Workers, folder: Path, names: tuple[str, ...] = THREE, tell: Callable[[Event], None] = str, **form: Any
) -> Iterator[Run]:
    """A run by such workers; the next one in the same folder goes on."""
    with league(folder, names, **form) as journal, Run(journal.plan(), journal, workers, tell) as run:
        yield run


def tried(folder: Path, *names: str) -> tuple[Run, list[str], list[GameOutcome]]:
    """A run over of bots that were tried first; what it warned of, and all games."""
    events: list[Event] = []
    with under(Processes(1), folder, names, events.append, cycles=1) as run:
        run.try_all()
        assert run.go() == OVER
        return run, [event.why for event in events if isinstance(event, Warned)], list(run.journal.outcomes())


def seat_of(entrant: int, outcome: GameOutcome) -> int:
    return outcome.result.seats.index(entrant)


def test_a_whole_tournament(tmp_path: Path) -> None:
    events: list[Event] = []
    with league(tmp_path, cycles=2) as journal:
        run = play(journal, events.append, tried=True)
        rows = told(journal)
        assert [outcome.number for outcome in journal.outcomes()] == list(range(run.total)) == list(range(12))
        assert not [why for outcome in journal.outcomes() for why in outcome.whys if why]
        assert [event for event in events if isinstance(event, RunBegun | Finished)] == [RunBegun(0), Finished(OVER)]
        assert sum(isinstance(event, Ended) for event in events) == 12
        events.clear()
        play(journal, events.append)
        again = [event for event in events if isinstance(event, RunBegun | Ended | Finished)]
        assert again == [RunBegun(12), Finished(OVER)]
        assert told(journal) == rows
    assert soon(lambda: left_in(tmp_path) == [])


@pytest.mark.slow
def test_a_program_for_one_game_is_started_again(tmp_path: Path) -> None:
    """Whoever ends after a game has done nothing wrong; whoever does not come at all loses."""
    program(tmp_path, "once", FIRST, over="sys.exit(0)")
    assert not any(why for game in finished(tmp_path, (*TWO, "once"), cycles=2) for why in game.whys)
    program(tmp_path, "never", before="sys.exit(7)")
    lost = finished(tmp_path, ("first", "never"), cycles=1, name="two")
    assert {game.result.faults[seat_of(1, game)] for game in lost} == {"crash"}


@pytest.mark.slow
def test_bots_are_kept_between_games_unless_they_are_to_be_fresh(tmp_path: Path) -> None:
    """This one moves by how many games it has played."""
    program(tmp_path, "counting", "said['moves'][games % len(said['moves'])]")
    kept, fresh = (
        {
            game.result.moves
            for game in finished(tmp_path, ("first", "counting"), cycles=3, more=limits, size=4, name=name)
            if game.result.seats[0] == 1
        }
        for name, limits in (("kept", ""), ("fresh", "[limits]\nfresh = true"))
    )
    assert len(fresh) == 1 < len(kept)


def test_what_is_wrong_with_a_bot_is_said_before_the_first_game(tmp_path: Path) -> None:
    program(tmp_path, "other", greeting=", 'games': ['barons']")
    (tmp_path / "silent.py").write_text("raise SystemExit('no licence found')")
    with league(tmp_path, ("first", "other", "silent")) as journal:
        with pytest.raises(TournamentError) as caught:
            play(journal, tried=True)
        assert journal.games == 0
    first, second = str(caught.value).split("; ")
    assert "other (" in first and "does not play maze, only barons" in first
    assert "silent (" in second and "no licence found" in second


def test_a_bot_that_somebody_kills_once_plays_the_same_game_again(tmp_path: Path) -> None:
    undisturbed = [outcome.result.places for outcome in finished(tmp_path, cycles=1, name="calm")]
    killed = "os.kill(os.getpid(), 9)"
    program(tmp_path, "last", f"(open('seen', 'x'), {killed}) if not os.path.exists('seen') else {LAST}")
    with league(tmp_path, TWO, cycles=1, more=NO_BOX, name="once") as journal:
        play(journal)
        assert ["last was ended by SIGKILL" in why for _, _, why in journal.voids()] == [True]
        assert [outcome.result.places for outcome in journal.outcomes()] == undisturbed
        assert standing_of(journal).unjudged == frozenset()  # once may happen to anybody


def test_a_program_that_changed_meanwhile_is_nobodys_loss(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, TWO, cycles=1)
    with league(tmp_path, TWO, cycles=1) as journal:
        program(tmp_path, "last", FIRST)
        with pytest.raises(TournamentError, match=r"game 0 can't be played: it was tried 3 times.* is not what it was"):
            play(journal)
        assert journal.games == 0
        assert len(journal.voids()) >= TRIES
    assert "is not what it was" in attempt(EntrantTrial(plan.entrants[1], plan.contests, plan.folder))


def test_lost_workers_change_nothing(tmp_path: Path) -> None:
    tables = []
    for weather in ([False], [False, False, True], [False, True]):
        skies = Skies(breaks=cycle(weather).__next__)
        events: list[Event] = []
        with under(skies, tmp_path, tell=events.append, cycles=10, name=str(len(weather))) as run:
            assert run.go() == OVER
            tables.append(told(run.journal))
            assert sum(isinstance(event, Void) for event in events) == (lost := len(run.journal.voids()))
        assert (lost > 0, skies.opened > 1) == (any(weather), any(weather))
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize("times", [2, 5])
def test_a_worker_that_is_lost_while_bots_are_tried_refuses_nobody(tmp_path: Path, times: int) -> None:
    breaks = iter(range(times))
    with under(Skies(breaks=lambda: next(breaks, None) is not None), tmp_path, cycles=1) as run:
        run.try_all()
        assert run.go() == OVER


def test_bots_that_always_lose_their_workers_are_refused(tmp_path: Path) -> None:
    refused = pytest.raises(TournamentError, match=r"first can't be tried: its worker was lost .*; last can't be tried")
    with under(Skies(breaks=lambda: True), tmp_path, cycles=1) as run, refused:
        run.try_all()


def test_one_that_fails_when_it_is_tried_is_withdrawn_and_the_others_play(tmp_path: Path) -> None:
    """With a clear line, and without 10 seconds a game: nothing of it is started."""
    (tmp_path / "broken.py").write_text("import sys\n\nsys.exit('no weights')\n")
    _, [said], outcomes = tried(tmp_path, *TWO, "broken")
    assert "no weights" in said and "It is withdrawn: broken forfeits each of its games" in said
    assert f"--exec '{sys.executable} -I -S {tmp_path / 'broken.py'}' finds out more" in said
    assert not any(str(tmp_path) in why for one in outcomes for why in one.whys), "a page shows that to anybody"
    lost = [one for one in outcomes if 2 in one.result.seats]
    assert lost and all(one.result.faults[seat_of(2, one)] == "forfeit" for one in lost)
    assert all("is withdrawn, since it failed when it was tried" in one.whys[seat_of(2, one)] for one in lost)
    assert all(not any(one.result.faults) for one in outcomes if one not in lost)


def test_an_illegal_move_at_the_trial_is_told_and_costs_no_place(tmp_path: Path) -> None:
    """A model slips now and then: each slip costs it a game, and no slip costs it the tournament."""
    program(tmp_path, "wrong", '"nonsense"')
    run, said, outcomes = tried(tmp_path, *TWO, "wrong")
    assert not run.withdrawn and 'moved "nonsense", which is not legal' in said[0]
    assert "when it was tried: it plays, and each such move costs it a game" in said[0]
    lost = [one for one in outcomes if 2 in one.result.seats]
    assert all(one.result.faults[seat_of(2, one)] == "illegal" for one in lost)


@pytest.mark.slow
def test_one_that_fails_again_and_again_is_skipped_on_request(tmp_path: Path) -> None:
    program(tmp_path, "broken", before='open("begun", "a").write("x"); sys.exit(1)')
    events: list[Event] = []
    with under(Processes(1), tmp_path, (*THREE, "broken"), events.append, cycles=2, more=NO_BOX) as run:
        run.skip_failing = 3
        run.go()
        outcomes = list(run.journal.outcomes())
    begun = (tmp_path / "begun").read_text("utf-8").count("x")
    lost = [one for one in outcomes if 3 in one.result.seats]
    assert len(outcomes) == 24 and len(lost) == 12 and all(any(one.result.faults) for one in lost)
    skipped = [one for one in lost if any("it failed in 3 games in a row" in why for why in one.whys)]
    assert begun < 12 and len(skipped) >= 6
    [said] = [event.why for event in events if isinstance(event, Warned) and "is withdrawn" in event.why]
    assert said.startswith("broken failed in 3 games in a row. It is withdrawn: broken forfeits each of its games")


@pytest.mark.slow
def test_one_that_has_played_well_before_is_not_withdrawn(tmp_path: Path) -> None:
    """What it needs is gone from this machine: somebody should see to that, and no game is lost for it."""
    program(tmp_path, "last", LAST, before="assert open('weights').read()")
    (tmp_path / "weights").write_text("1")

    def tell(event: Event) -> None:
        run.stopping = int(run.journal.games >= 4)

    with under(Processes(1), tmp_path, cycles=2) as run:
        run.try_all()
        run.tell = tell
        assert run.go() == STOPPED
        assert 0 < run.journal.games < 24
    (tmp_path / "weights").unlink()
    with under(Processes(1), tmp_path, cycles=2) as run, pytest.raises(TournamentError, match="weights"):
        run.try_all()


def test_workers_that_get_into_trouble_are_told_of_each_time(tmp_path: Path) -> None:
    skies = Skies()
    warned: list[str] = []
    ended = 0

    def tell(event: Event) -> None:
        nonlocal ended
        if isinstance(event, Ended):
            ended += 1
            skies.trouble = "nobody is there" if ended % (2 * AHEAD) == AHEAD else ""
        if isinstance(event, Warned):
            warned.append(event.why)

    with under(skies, tmp_path, tell=tell, cycles=1) as run:
        assert run.go() == OVER
    assert (ended, warned) == (6, ["nobody is there"] * 2)


def test_what_never_comes_to_anything_ends_the_run_and_keeps_all_else(tmp_path: Path) -> None:
    def broken(given: Job) -> Any:
        if given.fixture.number == 9:
            raise RuntimeError("no memory left")
        return quick(given)

    events: list[Event] = []
    with under(Skies(broken), tmp_path, tell=events.append) as run:
        with pytest.raises(TournamentError, match=r"game 9 can't be played: .* 3 times, .*no memory left") as caught:
            run.go()
        assert 9 <= run.journal.games < 24 and events[-1] == Finished(str(caught.value))
    with under(Skies(), tmp_path) as run:
        assert (run.go(), run.journal.games) == (OVER, 24)
    lost = pytest.raises(TournamentError, match=rf"tried {LOSSES} times, and at last its worker was lost")
    with under(Skies(breaks=lambda: True), tmp_path, name="two") as run, lost:
        run.go()


def test_stopping_finishes_what_has_begun_and_goes_on_later(tmp_path: Path) -> None:
    def tell(event: Event) -> None:
        run.stopping = int(run.played >= 5)

    with under(Skies(), tmp_path, tell=tell) as run:
        assert run.go() == STOPPED
        assert 5 <= run.journal.games <= 5 + AHEAD
    with under(Skies(), tmp_path) as run:
        assert (run.go(), run.journal.games) == (OVER, 24)


def test_little_is_in_flight(tmp_path: Path) -> None:
    """However many games there are: what is given out is bounded, and so is what is kept of it."""
    most = 0

    def tell(event: Event) -> None:
        nonlocal most
        most = max(most, run._farm.busy, len(run._waiting), len(run.count._open), len(run._again))
        run.stopping = int(run.played >= 300)

    with under(Skies(), tmp_path, TWO, tell, cycles=5000) as run:
        run.go()
    assert 0 < most <= AHEAD + 2


def test_a_verdict_ends_the_run_and_stands(tmp_path: Path) -> None:
    stop = '[stop]\nelo0 = 0\nelo1 = 100\nentrant = "last"\nagainst = "first"'

    def last_wins(given: Job) -> Any:
        played = quick(given)
        places = (1, 2) if given.fixture.seats[0] == 1 else (2, 1)
        return replace(played, result=replace(played.result, places=places))

    found = []
    for ended in (True, False):
        events: list[Event] = []
        with under(Skies(last_wins), tmp_path, TWO, events.append, cycles=1000, more=stop) as run:
            assert (run.go(), run.count.verdict) == (DECIDED, "stronger")
            found.append(told(run.journal))
        assert any(isinstance(event, Ended) for event in events) is ended
    assert found[0] == found[1]


# A rogue plays in a league of honest bots, and changes nobody's result but its own: what it does lasts or delays
#
# tests/ai/bots/test_broken.py has what costs a bot one game, at a table of its own.


_ROGUES: Final = ("floods", "illegal", "exits", "other_turn", "hangs", "floods_errors")
_TIME: Final = '[time]\nmove = "2s"\n'


def results(outcomes: list[GameOutcome]) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    """Return who sat where, how it ended, and every move of the games among honest bots."""
    games = [one for one in outcomes if 3 not in one.result.seats]
    return sorted((one.result.seats, one.result.places, one.record) for one in games)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    return results(finished(tmp_path_factory.mktemp("alone"), THREE, cycles=1, more=_TIME))


@pytest.mark.first(2)
@pytest.mark.parametrize("rogue", [*(bot for bot in BROKEN if str(bot) in _ROGUES), *RUDE], ids=str)
def test_a_rogue_changes_no_result_of_honest_bots(
    tmp_path: Path, rogue: Broken, alone: list[tuple[tuple[int, ...], tuple[int, ...], str]]
) -> None:
    shutil.copy(rogue.path, tmp_path / "rogue.py")
    outcomes = finished(tmp_path, (*THREE, "rogue"), cycles=1, more=_TIME)
    assert len(alone) == 6 and len(outcomes) == 12 and results(outcomes) == alone
    says = "did not move within 2 seconds" if rogue.kind == "time" else rogue.says
    for one in outcomes:
        for entrant, why in zip(one.result.seats, one.whys, strict=True):
            expected = says if entrant == 3 and rogue.kind else ""
            assert expected in why and bool(expected) == bool(why), (entrant, why)


# The speed of a machine: the work that is its unit stays the same, and who looks is told of slow machines


def test_the_work_is_what_it_always_was() -> None:
    assert (speed.UNIT, speed.work(), speed.work()) == (1000, 733480, 733480)


class Steps:
    """A clock on which every look takes its next time, in seconds."""

    def __init__(self, *takes: float) -> None:
        self.now, self.takes = 0.0, list(takes)

    def perf_counter(self) -> float:
        self.now += self.takes.pop(0) if self.takes else 0.01
        return self.now


def test_the_quickest_round_counts_and_a_machine_may_become_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is measured again, and not for each game."""
    clock = Steps(0, 0, 0.5, 0.0014, 0.002)
    monkeypatch.setattr(speed, "time", clock)
    speed._measured.cache_clear()
    first = [speed.speed() for _ in range(100)]
    clock.now += speed.KEPT
    clock.takes = [0, 0, 0.4, 0.0028, 0.004]
    assert {*first} == {0.714}
    assert (speed.speed(), speed.speed()) == (0.357, 0.357)


def test_whoever_looks_is_told_of_slow_machines(tmp_path: Path) -> None:
    with league(tmp_path, TWO, cycles=1) as journal:
        play(journal)
        alike = standing_of(journal)
        with closing(sqlite3.connect(tmp_path / "one.sqlite")) as opened, opened:
            opened.execute("update games set host = iif(number % 2, '<b>', '<a>'), speed = iif(number % 2, 0.6, 1.2)")
        found = standing_of(journal)
        assert re.search(r">speed<.*?>1\.2", page(journal, 0), re.DOTALL)
    assert "Machine <b> is 0.50 times as quick as <a>; bots had the same time there." in text(found)
    assert [(name, host.speed) for name, host in found.hosts.items()] == [("<a>", 1.2), ("<b>", 0.6)]
    assert "times as quick" not in text(alike)
