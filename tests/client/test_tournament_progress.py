"""A tournament while it runs, as a newcomer saw it: on a terminal and in a pipe."""

import io
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Stop
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import OVER, Ended, Event, Finished, Given, Passing, RunBegun, Void
from quadrille.ai.tournament.statistics.tables import Tally
from quadrille.client import progress_line
from quadrille.client.progress_line import MARGIN
from quadrille.client.tournament.progress import DroppedThoughts, RunProgress, give_or_take, line
from quadrille.rules.core.thoughts import DroppedField, Thoughts

MANY = 20
STOP = "Finishing what has begun; Ctrl-C again stops at once."


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A run of 3800 games between twenty, of which nothing has been played; by itself it plays nothing."""
    entrants = "".join(f'[[entrant]]\nname = "bot number {number}"\nbot = "random"\n' for number in range(MANY))
    plan = parse(f'[format]\ncycles = 10\n[[game]]\ngame = "maze"\n{entrants}', str(tmp_path))
    with Journal(tmp_path / "league.sqlite", plan=plan) as journal:
        one = Run(plan, journal, Processes(1))
        monkeypatch.setattr(one, "rate", lambda: 12.3)
        yield one


def tally(score: float, blocks: int, spread: float = 0.1) -> Tally:
    """What somebody has done in so many blocks of two games."""
    squares = blocks * (score**2 + spread**2)
    halves = round(4 * blocks * score)
    return Tally(2 * blocks, halves, 4 * blocks, seconds=7.25, blocks=blocks, scored=blocks * score, squares=squares)


def far_on(run: Run) -> None:
    run.played, run.count.games = 1234, 1200
    run.count.tallies = [tally(0.9 - place / 40, 60) for place in range(MANY)]


def test_few_blocks_and_blocks_alike_have_no_error() -> None:
    assert give_or_take(tally(0.5, 2)) == give_or_take(tally(0.5, 4)) == give_or_take(Tally()) == ""
    assert give_or_take(tally(1.0, 9, 0)) == ""
    assert give_or_take(tally(0.5, 25)) == "± 0.042"  # not 0.039: the mean was taken from these very blocks


def test_time_left_is_a_bound_where_a_verdict_may_end_it(run: Run) -> None:
    run.plan = replace(run.plan, stop=Stop("sprt"))
    run.played = 1234
    assert line(run) == "1234 of 3800 games, 12.3 a second, 3:29 left at most"


class Reader:
    """Reads lines while a clock of its own goes."""

    def __init__(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, *, terminal: bool = False, quiet: bool = False
    ) -> None:
        self.run = run
        self.clock = 1000.0
        self.out = io.StringIO()
        monkeypatch.setattr(progress_line, "time", SimpleNamespace(monotonic=lambda: self.clock))
        monkeypatch.setattr(progress_line, "has_screen", lambda: terminal)
        monkeypatch.setattr(self.out, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "stderr", self.out)
        self.lines = RunProgress(run, quiet=quiet)

    def wait(self, seconds: float, played: int = 0) -> list[str]:
        before, began, there = len(self.said), self.clock, self.run.played
        while self.clock < began + seconds:
            self.clock += 0.25
            self.run.played = there + int(played * (self.clock - began) / seconds)
            self.lines.take(Passing())
        return self.said[before:]

    def take(self, *events: Event) -> list[str]:
        before = len(self.said)
        for event in events:
            self.lines.take(event)
        return self.said[before:]

    @property
    def said(self) -> list[str]:
        return [line.removeprefix("quadrille: ") for line in self.out.getvalue().splitlines()]


GIVEN = Given(None)  # which game it is makes no difference here


def test_lines_come_more_and_more_seldom_and_none_while_nothing_happens(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(run, monkeypatch)
    reader.take(RunBegun(0), GIVEN)
    assert [len(reader.wait(*times)) for times in ((9, 1000), (50, 1000), (360, 1000))] == [9, 10, 12]
    assert reader.wait(600) == []
    run.played += 1
    assert len(reader.wait(600)) == 1


def test_ctrl_c_is_answered_at_once_and_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(run, monkeypatch)
    reader.take(RunBegun(0), GIVEN)
    run.stopping = 1
    assert reader.take(Passing(), Passing()) == [STOP]
    assert reader.take(Void(3, "it was\x1b lost")) == ["Game 3 is played again: it was\\x1b lost."]


def test_the_last_line_is_said_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(run, monkeypatch)
    reader.take(RunBegun(0), GIVEN)
    assert reader.wait(1, 4) == ["4 of 3800 games, 12.3 a second, 5:09 left"]
    assert reader.take(Finished(OVER)) == []
    run.played = 5
    assert reader.take(Finished(OVER)) == ["5 of 3800 games, 12.3 a second, 5:09 left"]


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (118, ["118 games have been played before: going on."]),
        (1, ["1 game has been played before: going on."]),
        (0, []),
    ],
)
def test_what_was_played_before_is_said_before_all_else(
    run: Run, there: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.there = there
    reader = Reader(run, monkeypatch)
    assert reader.wait(10) == ["trying the bots"]
    assert reader.take(RunBegun(there), GIVEN) == said
    assert reader.wait(10) == []
    assert reader.wait(20, 2)[-1].startswith(f"{there + 2} of 3800 games, 12.3 a second, ")


def test_a_terminal_has_one_line_in_its_place(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves room for the echo of Ctrl-C, and is wiped before a sentence and at the end."""
    far_on(run)
    reader = Reader(run, monkeypatch, terminal=True)
    reader.take(RunBegun(0), Passing())
    reader.clock += 1
    reader.take(Passing())
    told = reader.out.getvalue().removesuffix("\x1b[K").removeprefix("\r")
    assert told.startswith("1234 of 3800 games, 12.3 a second, 3:29 left; bot number 0 0.900 ± 0.026")
    assert len(told) == 80 - MARGIN and "\n" not in told
    reader.take(Void(3, "lost"))
    reader.lines.end()
    assert reader.out.getvalue().endswith("\r\x1b[Kquadrille: Game 3 is played again: lost.\n\r\x1b[K")


def test_a_quiet_run_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(run, monkeypatch, quiet=True)
    far_on(run)
    reader.take(RunBegun(0), Void(3, "lost"))
    assert reader.wait(600, 10) == []


def test_a_run_names_once_what_it_dropped_of_a_bots_thoughts() -> None:
    remark = DroppedField(0, "value", 3, "it takes a number from -1 to 1, not 55", 4)
    thoughts = Thoughts({}, {(0, "value"): remark, (0, "depth"): replace(remark, field="depth")})
    dropped = DroppedThoughts(["mine", "other"])
    for number, seats in ((7, (0, 1)), (8, (1, 0)), (9, (0, 1))):
        result = Result("", 0, seats, (1, 2))
        told = thoughts if seats[0] == 0 else Thoughts()
        dropped.take(Ended(GameOutcome(number, result, "", "", (), (), (), "", 0, 0, thoughts=told)))
    [line] = dropped.lines()
    assert line == (
        'The "value" of mine was dropped 8 times, first in game 7: it takes a number from -1 to 1, not 55; '
        'other fields, too: "depth".'
    )
